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

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/** Whether a version was published, and if not, why. Immutable. */
@InterfaceAudience.Private
public final class PublishAnswer {
  /** The version is published. */
  public static final PublishAnswer PUBLISHED = new PublishAnswer(null, null);

  private final String changed;
  private final VersionRefusal refusal;

  private PublishAnswer(String changed, VersionRefusal refusal) {
    this.changed = changed;
    this.refusal = refusal;
  }

  /**
   * @param what what has changed, as a sentence without a full stop
   * @return the answer for a file that is not what it was
   */
  public static PublishAnswer changed(String what) {
    return new PublishAnswer(what, null);
  }

  /**
   * @param reason for programs
   * @param sentence for people
   * @return the answer for a file of which a rule forbids the version
   */
  public static PublishAnswer refused(RefusalReason reason, String sentence) {
    return new PublishAnswer(null, new VersionRefusal(reason, sentence));
  }

  /** @return whether the version is published */
  public boolean isPublished() {
    return changed == null && refusal == null;
  }

  /** @return what has changed; empty if that is not the reason */
  public Optional<String> change() {
    return Optional.ofNullable(changed);
  }

  /** @return which rule forbids the version; empty if that is not the reason */
  public Optional<VersionRefusal> refusal() {
    return Optional.ofNullable(refusal);
  }

  @Override
  public String toString() {
    return isPublished() ? "published" : changed == null ? refusal.toString() : changed;
  }
}
