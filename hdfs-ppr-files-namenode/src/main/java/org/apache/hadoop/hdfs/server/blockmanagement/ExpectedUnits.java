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

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/**
 * Sets on which DataNodes stock expects the units of a group that is being made.
 *
 * <p>Stock adds the next group of a file when it has seen as many units of the last one as its code
 * has data units. From then on it repairs the last group. It spares the units that are still to be
 * reported, as pending ones, only if it expects exactly as many units as the group has
 * (BlockManager.addExpectedReplicasToPending). A group of a new version has its units on other
 * nodes than stock has drawn, so that stock, after the first reports, expects more. It would then
 * have the late units rebuilt on the nodes of one another, although they are there. Its blocks map
 * knows one unit of a group for each storage, so that it would lose track of the units that were
 * there first.
 */
@InterfaceAudience.Private
public final class ExpectedUnits {
  private ExpectedUnits() {
  }

  /**
   * Lets stock expect each unit where it is or is being made. Does nothing if the group is complete
   * already. The caller holds the namesystem's lock for writing.
   *
   * @param manager the NameNode's block manager
   * @param group the last group of an open file; if there is none with its id, nothing is done
   * @param nodes by index of each unit that the group has, the DataNode that makes it. A unit that
   *     a DataNode has reported counts where it was reported
   */
  public static void set(BlockManager manager, GroupId group, Map<Integer, NodeRef> nodes) {
    BlockInfoStriped striped = GroupInspection.stored(manager, group);
    if (striped == null || striped.isComplete()) {
      return;
    }
    BlockUnderConstructionFeature building = striped.getUnderConstructionFeature();
    DatanodeStorageInfo[] drawn = building.getExpectedStorageLocations();
    DatanodeStorageInfo[] expected = new DatanodeStorageInfo[striped.getTotalBlockNum()];
    nodes.forEach((unit, node) -> expected[unit] = storage(manager, drawn, node));
    Set<DatanodeStorageInfo> reported = new HashSet<>();
    for (StorageAndBlockIndex place : striped.getStorageAndIndexInfos()) {
      expected[place.getBlockIndex()] = place.getStorage();
      reported.add(place.getStorage());
    }
    building.setExpectedLocations(striped, expected, BlockType.STRIPED);
    // Stock counts the blocks that are to come for each DataNode, and counts down with reports.
    DatanodeStorageInfo.decrementBlocksScheduled(rest(drawn, reported, expected));
    DatanodeStorageInfo.incrementBlocksScheduled(rest(expected, reported, drawn));
  }

  /**
   * Lets stock wait for no unit of a group any more. All its units were reported. If the group has
   * lost a unit since then, stock queues it: while stock waited for a unit, it counted that unit as
   * there. The caller holds the namesystem's lock for writing.
   *
   * @param manager the NameNode's block manager
   * @param group the group; if there is none with its id, nothing is done
   */
  public static void forget(BlockManager manager, GroupId group) {
    BlockInfoStriped striped = GroupInspection.stored(manager, group);
    if (striped != null) {
      RepairEnds.takeFromPending(manager, striped, any -> true);
      RepairEnds.queueIfNeeded(manager, striped);
    }
  }

  /**
   * Returns a storage of a node, if possible a drawn one; null if the NameNode does not know the
   * node. A dead node counts: stock waits for late units only if it expects as many units as the
   * group has.
   */
  private static DatanodeStorageInfo storage(BlockManager manager, DatanodeStorageInfo[] drawn,
      NodeRef ref) {
    DatanodeDescriptor node = manager.getDatanodeManager().getDatanode(ref.uuid);
    if (node == null) {
      return null;
    }
    for (DatanodeStorageInfo storage : drawn) {
      if (storage.getDatanodeDescriptor() == node) {
        return storage;
      }
    }
    // Whichever it is: stock compares nodes, and a report corrects the storage.
    DatanodeStorageInfo[] storages = node.getStorageInfos();
    return storages.length == 0 ? null : storages[0];
  }

  /** Returns those of {@code some} that are neither among the reported ones nor in {@code not}. */
  private static DatanodeStorageInfo[] rest(DatanodeStorageInfo[] some,
      Set<DatanodeStorageInfo> reported, DatanodeStorageInfo[] not) {
    Set<DatanodeStorageInfo> rest = new LinkedHashSet<>(Arrays.asList(some));
    rest.removeAll(reported);
    rest.removeAll(Arrays.asList(not));
    rest.remove(null);
    return rest.toArray(new DatanodeStorageInfo[0]);
  }
}
