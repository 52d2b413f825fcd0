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
package org.hdfsppr.namenode.version;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** Why a version of a file is not made, for programs and for people. Immutable. */
@InterfaceAudience.Private
public final class VersionRefusal {
  /** The reason, for programs */
  public final RefusalReason reason;
  /** The same for people: what prevents the version, and what helps, without a full stop */
  public final String sentence;

  public VersionRefusal(RefusalReason reason, String sentence) {
    this.reason = Objects.requireNonNull(reason, "reason");
    this.sentence = Objects.requireNonNull(sentence, "sentence");
  }

  @Override
  public String toString() {
    return reason + ": " + sentence;
  }
}
