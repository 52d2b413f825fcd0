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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.Column;
import org.hdfsppr.namenode.model.CoreRows;

/**
 * Compares the columns of CORE that a repair is to read with the NameNode's block map, at the
 * moment at which the repair begins. Call with the NameNode's write lock held.
 */
@InterfaceAudience.Private
final class ColumnCheck {
  private ColumnCheck() {
  }

  /**
   * Returns what is not as the plan has it, or null. A block group of a column must have the
   * generation stamp and the length with which the parity file was made, and must not be open for
   * writing: otherwise the XOR over the column is not zero.
   */
  static String change(BlockManager bm, Assignment assignment) {
    for (Column column : assignment.columns()) {
      for (CoreRows.Row row : column.rows()) {
        BlockInfoStriped block = GroupLook.stored(bm, row.id());
        if (row.isStale() || block == null || block.isDeleted() || !block.isComplete()
            || block.getNumBytes() != row.bytes()) {
          return "Its column " + column.unit() + " cannot be read, as block group " + row.id()
              + " was deleted or written to";
        }
      }
    }
    return null;
  }

  /**
   * Returns whether a node has a block of the column by which a unit is to be rebuilt. The replica
   * may be in any state.
   */
  static boolean isOnColumn(BlockManager bm, Assignment assignment, int unit,
      DatanodeDescriptor node) {
    for (Column column : assignment.columns()) {
      if (column.unit() != unit) {
        continue;
      }
      for (CoreRows.Row row : column.rows()) {
        BlockInfoStriped block = GroupLook.stored(bm, row.id());
        if (block == null) {
          continue;
        }
        for (StorageAndBlockIndex replica : block.getStorageAndIndexInfos()) {
          if (replica.getBlockIndex() == unit
              && replica.getStorage().getDatanodeDescriptor() == node) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
