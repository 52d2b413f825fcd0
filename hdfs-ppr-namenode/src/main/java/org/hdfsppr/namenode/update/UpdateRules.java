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
package org.hdfsppr.namenode.update;

import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.PatchCommand;
import org.hdfsppr.namenode.update.look.UpdatableFile;

/** Decides by facts which files may be updated in place. */
@InterfaceAudience.Private
final class UpdateRules {
  /** Codes whose data units are as the client wrote them, and whose parities are sums of them. */
  private static final Set<String> CODECS = Set.of("rs", "rs-legacy");
  private static final Set<String> OWN_CODECS = Set.of("hitchhiker", "lrc", "core");

  private UpdateRules() {
  }

  /**
   * Returns why a file gets no tickets, as a sentence with a remedy; empty if it does.
   *
   * @param isWrite whether the caller writes; a reader sees what was written earlier in any case
   */
  static Optional<String> whyNot(UpdatableFile file, boolean isWrite) {
    String path = file.path;
    if (file.policy == null) {
      return Optional.of(path + " is replicated, and only erasure-coded files are updated in place;"
          + " copy it into a directory with an erasure coding policy");
    }
    if (!isKnown(file.policy.codec)) {
      return Optional.of(path + " has the codec " + file.policy.codec + ", and only files of"
          + " Reed-Solomon, Hitchhiker and LRC codes are updated in place; 'hdfs ppr -convert'"
          + " may give it another one");
    }
    if (!isWrite) {
      return Optional.empty();
    }
    if (file.policy.dataUnits > PatchCommand.DATA_UNITS_MAX) {
      // No commit takes more data units, so that no commit would ever empty the logs.
      return Optional.of(path + " has " + file.policy.dataUnits + " data units, and files with"
          + " at most " + PatchCommand.DATA_UNITS_MAX + " are updated in place; copy it into a"
          + " directory with another erasure coding policy");
    }
    if (!file.isUpdatable) {
      return Optional.of("No directory above " + path + " is updatable; 'hdfs ppr -updatable DIR'"
          + " makes one so");
    }
    if (file.isEncrypted) {
      return Optional.of(path + " lies in an encryption zone, and files there are not updated in"
          + " place; copy it elsewhere");
    }
    return Optional.ofNullable(file.open).map(why -> path + " " + why
        + "; try again when its writer has closed it ('hdfs debug recoverLease' closes it after a"
        + " writer's death)");
  }

  private static boolean isKnown(String codec) {
    return CODECS.contains(codec) || OWN_CODECS.stream().anyMatch(codec::startsWith);
  }
}
