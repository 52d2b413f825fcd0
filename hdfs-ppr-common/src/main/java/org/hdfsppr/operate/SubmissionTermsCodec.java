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

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.operate.proto.ClientProtos.CoreDirectoryProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmissionTermsProto;
import org.hdfsppr.wire.MalformedRequestException;

/** Converts {@link SubmissionTerms} into a message, or a text, and back. */
@InterfaceAudience.Private
public final class SubmissionTermsCodec {
  private SubmissionTermsCodec() {
  }

  static SubmissionTermsProto toProto(SubmissionTerms terms) {
    SubmissionTermsProto.Builder builder = SubmissionTermsProto.newBuilder()
        .setDirectory(CoreStatusCodec.toProto(terms.directory))
        .setSlackPercent(terms.slackPercent).setSettleMs(terms.settleMs)
        .setBlockGroupsMax(terms.blockGroupsMax);
    terms.inner.forEach(one -> builder.addInner(CoreStatusCodec.toProto(one)));
    return builder.build();
  }

  /** @throws MalformedRequestException naming what is wrong */
  static SubmissionTerms parse(SubmissionTermsProto proto) throws MalformedRequestException {
    List<CoreDirectory> inner = new ArrayList<>();
    for (CoreDirectoryProto one : proto.getInnerList()) {
      inner.add(CoreStatusCodec.parse(one));
    }
    try {
      return new SubmissionTerms(CoreStatusCodec.parse(proto.getDirectory()),
          proto.getSlackPercent(), proto.getSettleMs(), proto.getBlockGroupsMax(), inner);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer is refused: " + e.getMessage(), e);
    }
  }

  /**
   * @param terms the terms
   * @return a text without blanks, for the configuration of a job
   */
  public static String toText(SubmissionTerms terms) {
    return Base64.getEncoder().encodeToString(toProto(terms).toByteArray());
  }

  /**
   * @param text what {@link #toText} has returned
   * @return the terms
   * @throws MalformedRequestException if the text is another one
   */
  public static SubmissionTerms parse(String text) throws MalformedRequestException {
    try {
      return parse(SubmissionTermsProto.parseFrom(Base64.getDecoder().decode(text)));
    } catch (IllegalArgumentException | InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The job's terms cannot be read: " + e.getMessage(), e);
    }
  }
}
