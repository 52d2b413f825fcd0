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

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.plan.GroupId;

/**
 * Checks, at the moment at which a repair begins, what its plan assumes about columns of CORE: the
 * columns that the repair is to read, and those in which its rebuilt units are. Compares both with
 * the NameNode's block map. Call with the NameNode's write lock held.
 */
final class ColumnRules {
  private ColumnRules() {
  }

  /**
   * Returns why a column of the assignment cannot be read any more, in words; null if each can. A
   * block group of a column must have the generation stamp and the length with which the parity
   * file was made, and must not be open for writing: otherwise the XOR over the column is not zero.
   */
  static String change(BlockManager bm, Assignment assignment) {
    for (CoreColumn column : assignment.columns()) {
      for (CoreRows.Row row : column.rows) {
        BlockInfoStriped block = GroupInspection.stored(bm, row.id);
        if (row.stale || block == null || block.isDeleted() || !block.isComplete()
            || block.getNumBytes() != row.bytes) {
          return "Its column " + column.unit + " cannot be read, as block group " + row.id
              + " was deleted or written to";
        }
      }
    }
    return null;
  }

  /**
   * Returns the block groups of which the node that gets a unit must have no block with this unit's
   * index. These are the block groups of the column that rebuilds the unit. If the assignment does
   * not allow nodes with other blocks of the column, they are also all those that {@code book}
   * records in the same CORE group; it may be newer than the plan.
   */
  static Set<GroupId> neighbours(CoreGroupLookup book, Assignment assignment, int unit) {
    Set<GroupId> others = new HashSet<>();
    for (CoreColumn column : assignment.columns()) {
      if (column.unit == unit) {
        column.rows.forEach(row -> others.add(row.id));
      }
    }
    if (!assignment.besideColumn) {
      others.addAll(book.recordedBeside(assignment.group.id.groupId));
    }
    return others;
  }

  /**
   * Returns whether a node has another group's block with the unit's index, in any state, or is to
   * get it by a repair that is under way. Call with the queue's monitor held, too.
   */
  static boolean isBeside(BlockManager bm, SplitLowRedundancyBlocks queue, GroupId other,
      int unit, DatanodeDescriptor node) {
    BlockInfoStriped block = GroupInspection.stored(bm, other);
    return block != null && places(bm, queue, block).getOrDefault(unit, Set.of())
        .contains(node.getDatanodeUuid());
  }

  /**
   * Returns for each unit of a group the UUIDs of the nodes that have a replica in any state, or
   * are to get one by a repair that is under way. Call with the queue's monitor held, too.
   */
  static Map<Integer, Set<String>> places(BlockManager bm, SplitLowRedundancyBlocks queue,
      BlockInfoStriped block) {
    Map<Integer, Set<String>> places = new HashMap<>();
    for (StorageAndBlockIndex replica : block.getStorageAndIndexInfos()) {
      add(places, replica.getBlockIndex(),
          replica.getStorage().getDatanodeDescriptor().getDatanodeUuid());
    }
    RepairGrant grant = queue.grantOf(block);
    List<DatanodeStorageInfo> pending = bm.pendingReconstruction.getTargets(block);
    if (grant != null) {
      grant.targets.forEach(target -> add(places, target.unit, target.node.uuid));
    } else if (pending != null) {
      // Stock's own repairs do not say which node gets which unit, so that each unit may be on each
      // node.
      for (int unit : GroupInspection.unreadable(bm, block)) {
        pending.forEach(storage ->
            add(places, unit, storage.getDatanodeDescriptor().getDatanodeUuid()));
      }
    }
    return places;
  }

  private static void add(Map<Integer, Set<String>> places, int unit, String uuid) {
    places.computeIfAbsent(unit, none -> new HashSet<>()).add(uuid);
  }
}
