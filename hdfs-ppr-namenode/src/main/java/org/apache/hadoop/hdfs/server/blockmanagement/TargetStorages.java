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

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * Chooses a storage on each target node. As in stock's placement, the storage has a type that the
 * file's storage policy prefers, or a type that the policy allows instead. Stock first looks for
 * the preferred type on all nodes. This class looks only at the given nodes, one after another. It
 * uses other types only if the caller allows them, which the caller does if no node has the
 * preferred type.
 */
final class TargetStorages {
  private TargetStorages() {
  }

  /**
   * @param policy the file's storage policy
   * @param live the storages of the readable replicas on nodes in service
   * @param nodes the target nodes
   * @param bytes how many bytes a target has to store, at least 1
   * @param anyType whether types may be used that the policy only allows instead of the preferred
   *     ones
   * @return one storage for each target; null for the first target without a suitable storage and
   *     for all targets after it
   */
  static DatanodeStorageInfo[] choose(BlockStoragePolicy policy, List<DatanodeStorageInfo> live,
      List<DatanodeDescriptor> nodes, long bytes, boolean anyType) {
    List<StorageType> used = new ArrayList<>(live.size() + nodes.size());
    for (DatanodeStorageInfo storage : live) {
      used.add(storage.getStorageType());
    }
    DatanodeStorageInfo[] chosen = new DatanodeStorageInfo[nodes.size()];
    for (int i = 0; i < chosen.length; i++) {
      short replication = (short) (live.size() + nodes.size());
      chosen[i] = onNode(policy, replication, used, nodes.get(i), bytes, anyType);
      if (chosen[i] == null) {
        return chosen;
      }
      used.add(chosen[i].getStorageType());
    }
    return chosen;
  }

  /** Tries the preferred types, and then, if {@code anyType}, the types that may replace them. */
  private static DatanodeStorageInfo onNode(BlockStoragePolicy policy, short replication,
      List<StorageType> used, DatanodeDescriptor node, long bytes, boolean anyType) {
    EnumSet<StorageType> unavailable = EnumSet.noneOf(StorageType.class);
    while (true) {
      int known = unavailable.size();
      for (StorageType type
          : policy.chooseStorageTypes(replication, used, unavailable, false)) {
        if (unavailable.contains(type)) {
          continue;
        }
        DatanodeStorageInfo storage = ofType(node, type, bytes);
        if (storage != null) {
          return storage;
        }
        unavailable.add(type);
      }
      if (!anyType || unavailable.size() == known) {
        return null;
      }
    }
  }

  /**
   * Returns the storage with the most free space among the node's storages of a type; null if the
   * bytes do not fit. As in stock, blocks that are scheduled for the node's storages of that type
   * reduce the total free space of these storages.
   */
  private static DatanodeStorageInfo ofType(DatanodeDescriptor node, StorageType type,
      long bytes) {
    DatanodeStorageInfo best = null;
    long room = -bytes * node.getBlocksScheduled(type);
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      long remaining = storage.getRemaining();
      if (storage.getStorageType() != type || remaining < bytes
          || storage.getState() != DatanodeStorage.State.NORMAL) {
        continue;
      }
      room += remaining;
      if (best == null || remaining > best.getRemaining()) {
        best = storage;
      }
    }
    return room >= bytes ? best : null;
  }
}
