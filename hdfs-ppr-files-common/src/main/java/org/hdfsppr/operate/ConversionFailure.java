/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hdfsppr.operate;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.ConversionFailureProto;

/** A file that was not converted, and why. Immutable. */
@InterfaceAudience.Private
public final class ConversionFailure {
  /** The file, or the directory that could not be listed */
  public final String path;
  /**
   * How the conversion of the file ended, such as {@code refused}, {@code changed} or {@code
   * failed}
   */
  public final String outcome;
  /**
   * The reason of the refusal in one word, such as {@code open}; empty if the file was not refused
   */
  public final String reason;
  /** Why the file was not converted, and what helps, as a sentence without a full stop */
  public final String sentence;

  /**
   * @param path the file, or the directory that could not be listed
   * @param outcome how the conversion of the file ended, such as {@code refused}
   * @param reason the reason of the refusal in one word, such as {@code open}; empty if the file
   *     was not refused
   * @param sentence why the file was not converted, and what helps, as a sentence without a full
   *     stop
   */
  public ConversionFailure(String path, String outcome, String reason, String sentence) {
    this.path = Objects.requireNonNull(path, "path");
    this.outcome = Objects.requireNonNull(outcome, "outcome");
    this.reason = Objects.requireNonNull(reason, "reason");
    this.sentence = Objects.requireNonNull(sentence, "sentence");
  }

  static ConversionFailure parse(ConversionFailureProto proto) {
    return new ConversionFailure(proto.getPath(), proto.getOutcome(), proto.getReason(),
        proto.getSentence());
  }

  /** @return the message */
  public ConversionFailureProto toProto() {
    return ConversionFailureProto.newBuilder().setPath(path).setOutcome(outcome)
        .setReason(reason).setSentence(sentence).build();
  }

  @Override
  public String toString() {
    return path + ": " + outcome + (reason.isEmpty() ? "" : " (" + reason + ")") + ": " + sentence;
  }
}
