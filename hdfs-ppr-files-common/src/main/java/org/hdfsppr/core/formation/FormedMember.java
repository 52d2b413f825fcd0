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

import org.apache.hadoop.classification.InterfaceAudience;

/** A file of a CORE group, with the length that it had when the parity file was made. Immutable. */
@InterfaceAudience.Private
public final class FormedMember {
  /** Inode id */
  public final long fileId;
  /** Length, bytes */
  public final long length;
  public final int blockGroups;

  /**
   * @param fileId inode id
   * @param length bytes
   * @param blockGroups number of block groups
   */
  public FormedMember(long fileId, long length, int blockGroups) {
    this.fileId = fileId;
    this.length = length;
    this.blockGroups = blockGroups;
  }
}
