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
package org.hdfsppr.namenode.core;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says which parity files still exist although their groups are dissolved, and which snapshots keep
 * a file from being deleted. Thread-safe.
 */
@InterfaceAudience.Private
public interface KeptFiles {
  /**
   * @return inode ids of the parity files that still exist although their groups are dissolved;
   *     empty if this NameNode has not read its groups
   */
  Optional<Set<Long>> dissolved();

  /**
   * @param inodeId inode id of a file
   * @return the paths of the snapshots that keep Hadoop from deleting the file, as {@link
   *     org.hdfsppr.namenode.core.look.CoreNamespace#holders} returns them
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  Optional<List<String>> holders(long inodeId) throws IOException;
}
