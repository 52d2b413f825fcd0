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

/** Says which files of a protected directory may be members, by what a listing shows of them. */
@InterfaceAudience.Private
public final class ProtectedFiles {
  /** Directories of hdfs-ppr, and of what users have thrown away. */
  private static final Set<String> SKIPPED = Set.of(".hdfs-ppr", ".Trash");
  private static final String RS = "rs";

  private ProtectedFiles() {
  }

  /**
   * @param name name of a directory
   * @return whether no file below it is protected, although a directory above it is
   */
  public static boolean isSkipped(String name) {
    return SKIPPED.contains(name);
  }

  /**
   * Returns how many files under a policy form a group.
   *
   * @param codec codec of the policy
   * @param ofReedSolomon how many files of Reed-Solomon policies form a group of the directory
   * @return 0 if files of the policy are not protected
   */
  public static int perGroup(String codec, int ofReedSolomon) {
    return PprCodec.byName(codec)
        .map(own -> own.filesPerGroup().orElse(0))
        .orElse(RS.equals(codec) ? ofReedSolomon : 0);
  }
}
