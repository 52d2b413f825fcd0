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
package org.hdfsppr.core.formation;

import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.PprCodec;

/**
 * Decides from the names and attributes in a directory listing which files of a protected directory
 * may be in CORE groups.
 */
@InterfaceAudience.Private
public final class ProtectedFiles {
  /** Directories of hdfs-ppr, and users' trash. */
  private static final Set<String> SKIPPED = Set.of(".hdfs-ppr", ".Trash");
  private static final String RS = "rs";

  private ProtectedFiles() {
  }

  /**
   * @param name name of a directory
   * @return whether the files below such a directory are never protected, even if a directory above
   *     it is
   */
  public static boolean isSkipped(String name) {
    return SKIPPED.contains(name);
  }

  /**
   * Returns the number of files that form a group under a policy.
   *
   * @param codec codec of the policy
   * @param ofReedSolomon how many files of this directory form a group, if their policy has the
   *     codec rs
   * @return the number of files; 0 if files of the policy are not protected
   */
  public static int perGroup(String codec, int ofReedSolomon) {
    return PprCodec.byName(codec)
        .map(own -> own.filesPerGroup().orElse(0))
        .orElse(RS.equals(codec) ? ofReedSolomon : 0);
  }
}
