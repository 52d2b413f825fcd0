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
package org.hdfsppr.datanode.takeover;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/** One internal block that a repair rebuilds, and the node that is to store it. */
@InterfaceAudience.Private
public final class RepairTarget {
  /** The index of the internal block in its group */
  public final int index;
  /** The length of the internal block in bytes, more than 0 */
  public final long length;
  /** The DataNode that is to store the block */
  public final DatanodeInfo node;
  /** The kind of storage that the NameNode chose */
  public final StorageType storageType;
  /** The storage that the NameNode chose; the node's volume policy may choose another storage */
  public final String storageId;

  /**
   * @param index the index of the internal block in its group
   * @param length the length of the internal block in bytes, more than 0
   * @param node the node that stores the rebuilt block
   * @param storageType the kind of storage that the NameNode chose
   * @param storageId the storage that the NameNode chose; the node's volume policy may choose
   *     another storage
   */
  public RepairTarget(int index, long length, DatanodeInfo node, StorageType storageType,
      String storageId) {
    this.index = index;
    this.length = length;
    this.node = node;
    this.storageType = storageType;
    this.storageId = storageId;
  }

  @Override
  public String toString() {
    return "#" + index + " (" + length + " bytes) to " + node + " " + storageType;
  }
}
