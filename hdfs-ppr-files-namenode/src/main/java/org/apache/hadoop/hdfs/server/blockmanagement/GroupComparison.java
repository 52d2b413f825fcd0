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

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage.State;

/**
 * Compares a block group with the one whose place it takes, before the older one is deleted. Call
 * with the NameNode's read or write lock held.
 *
 * <p>A unit of the newer group counts only on a storage that has sent a whole block report since
 * its node registered, because after a power cut a node may have lost what it has reported one by
 * one before. The node must have sent a heartbeat of late, too. A unit of the older group counts
 * wherever the NameNode knows of it.
 */
@InterfaceAudience.Private
public final class GroupComparison {
  private GroupComparison() {
  }

  /**
   * Says why the older group may not be deleted yet. Units that both groups lack do not matter, as
   * long as the newer group has as many units as it has data units. The number of units that are
   * missing counts, because the codes may have different numbers of units.
   *
   * <p>A NameNode that has just started may not know yet what both groups lack. While units of the
   * older group may only not be reported, the newer group has to have all of its units.
   *
   * @param bm the NameNode's BlockManager
   * @param older a block group
   * @param newer the block group that takes its place
   * @param areLateDead whether units of which the NameNode does not know are lost
   * @return a sentence without a full stop; null if the older group may be deleted
   */
  public static String lacking(BlockManager bm, BlockInfoStriped older, BlockInfoStriped newer,
      boolean areLateDead) {
    int there = Integer.bitCount(units(bm, newer, true));
    int missing = newer.getRealTotalBlockNum() - there;
    int missingBefore =
        older.getRealTotalBlockNum() - Integer.bitCount(units(bm, older, false));
    if (missing <= (areLateDead ? missingBefore : 0) && there >= newer.getRealDataBlockNum()) {
      return null;
    }
    return newer.getBlockName() + " has " + there + " of " + newer.getRealTotalBlockNum()
        + " units on nodes that have sent a whole block report, and " + older.getBlockName()
        + ", which it replaces, lacks " + missingBefore
        + (areLateDead ? "" : " as far as this NameNode knows, which was started or became active a"
        + " short time ago");
  }

  /**
   * @param bm the NameNode's BlockManager
   * @return how long a DataNode may be silent until the NameNode takes it for dead, ms
   */
  public static long deadMs(BlockManager bm) {
    DatanodeManager nodes = bm.getDatanodeManager();
    return 2 * nodes.getHeartbeatRecheckInterval()
        + 10 * TimeUnit.SECONDS.toMillis(nodes.getHeartbeatInterval());
  }

  private static int units(BlockManager bm, BlockInfoStriped group, boolean isStrict) {
    long staleMs = bm.getDatanodeManager().getStaleInterval();
    Collection<DatanodeDescriptor> corrupt = bm.getCorruptReplicas(group);
    int units = 0;
    for (StorageAndBlockIndex replica : group.getStorageAndIndexInfos()) {
      DatanodeStorageInfo storage = replica.getStorage();
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      boolean isThere = storage.getState() == State.NORMAL
          && (corrupt == null || !corrupt.contains(node));
      boolean isSure = node.isAlive() && !node.isStale(staleMs)
          && storage.getBlockReportCount() > 0;
      if (isThere && (isSure || !isStrict)) {
        units |= 1 << replica.getBlockIndex();
      }
    }
    return units;
  }
}
