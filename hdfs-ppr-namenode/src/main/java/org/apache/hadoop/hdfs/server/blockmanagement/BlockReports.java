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

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/** Tells whether the NameNode knows a DataNode's blocks. */
final class BlockReports {
  private BlockReports() {
  }

  /**
   * Returns whether a node has sent a block report for each storage since it registered. Until then
   * the node may hold units that count as lost. If a unit were rebuilt on a storage that holds such
   * an unreported unit of the same group, the NameNode would ignore the unit that is reported
   * second. That unit would stay on the storage for ever.
   */
  static boolean isKnown(DatanodeDescriptor node) {
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      if (storage.getBlockReportCount() == 0
          && storage.getState() == DatanodeStorage.State.NORMAL
          && storage.getStorageType() != StorageType.PROVIDED) {
        return false;
      }
    }
    return true;
  }
}
