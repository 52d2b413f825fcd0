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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Collections;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;

/** A volume of a DataNode that has room for one more block. Immutable. */
@InterfaceAudience.Private
public final class StoragePick {
  /** Id of the volume */
  public final String storageId;
  /** Type of the volume */
  public final StorageType type;

  private StoragePick(String storageId, StorageType type) {
    this.storageId = storageId;
    this.type = type;
  }

  /**
   * Picks a volume. The caller holds the namesystem's lock, at least for reading.
   *
   * @param manager the NameNode's block manager
   * @param storagePolicy id of the file's storage policy
   * @param uuid UUID of the DataNode
   * @param bytes how many bytes of the block the volume must have room for, at least 1
   * @return the volume; null if the node is not live, or has no volume that fits
   */
  public static StoragePick of(BlockManager manager, byte storagePolicy, String uuid,
      long bytes) {
    DatanodeDescriptor node = manager.getDatanodeManager().getDatanode(uuid);
    if (node == null || !node.isAlive() || !node.isInService()) {
      return null;
    }
    DatanodeStorageInfo storage = TargetStorages.choose(manager.getStoragePolicy(storagePolicy),
        Collections.emptyList(), Collections.singletonList(node), bytes, true)[0];
    return storage == null ? null
        : new StoragePick(storage.getStorageID(), storage.getStorageType());
  }
}
