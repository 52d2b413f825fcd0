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
package org.hdfsppr.namenode.convert;

import org.apache.hadoop.classification.InterfaceAudience;

/** The file or directory at a path. Immutable. */
@InterfaceAudience.Private
public final class PathStatus {
  /** The id of the inode */
  public final long inodeId;
  /** Whether it is a directory */
  public final boolean directory;
  final long bytes;
  /** The name of the erasure coding policy in effect here; null if there is none. */
  final String policy;

  /**
   * @param inodeId the id of the inode
   * @param directory whether it is a directory
   * @param bytes bytes of file data; 0 for a directory
   * @param policy the name of the erasure coding policy in effect here; null if there is none
   */
  public PathStatus(long inodeId, boolean directory, long bytes, String policy) {
    this.inodeId = inodeId;
    this.directory = directory;
    this.bytes = bytes;
    this.policy = policy;
  }
}
