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

/** One internal block that is to be rebuilt, and where it is to go. */
@InterfaceAudience.Private
public final class RepairTarget {
  private final int index;
  private final long length;
  private final DatanodeInfo node;
  private final StorageType storageType;
  private final String storageId;

  public RepairTarget(int index, long length, DatanodeInfo node, StorageType storageType,
      String storageId) {
    this.index = index;
    this.length = length;
    this.node = node;
    this.storageType = storageType;
    this.storageId = storageId;
  }

  /** Which internal block of the group. */
  public int index() {
    return index;
  }

  /** Its length in bytes, more than 0. */
  public long length() {
    return length;
  }

  /** The DataNode that is to store it. */
  public DatanodeInfo node() {
    return node;
  }

  /** On what kind of storage. */
  public StorageType storageType() {
    return storageType;
  }

  /** On which storage, if the node's volume policy agrees. */
  public String storageId() {
    return storageId;
  }

  @Override
  public String toString() {
    return "#" + index + " (" + length + " bytes) to " + node + " " + storageType;
  }
}
