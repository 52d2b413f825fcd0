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
 * Compares a block group of a new version with the group of the old version that it replaces,
 * before the old one is deleted. The caller holds the namesystem's lock, at least for reading.
 *
 * <p>A unit of the newer group counts only if its storage has sent a full block report since its
 * node registered, because a power cut may have lost blocks that the node had reported one by one
 * before. Its node must also have sent a heartbeat a short time ago. A unit of the older group
 * counts on any storage on which the NameNode knows it.
 */
@InterfaceAudience.Private
public final class GroupComparison {
  private GroupComparison() {
  }

  /**
   * Returns why the older group may not be deleted yet. The numbers of missing units are compared,
   * and not the numbers of units, because the two codes may have different numbers of units. If the
   * newer group lacks no more units than the older one, the older one may be deleted, as long as
   * the newer one can be decoded: it must have as many units as its code has data units.
   *
   * <p>A NameNode that has just started may not know of units that exist, because no DataNode has
   * reported them yet. As long as that may be so for units of the older group, the newer group must
   * have all of its units.
   *
   * @param bm the NameNode's BlockManager
   * @param older a block group
   * @param newer the block group that takes its place
   * @param areLateDead whether units that no DataNode has reported count as lost
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
   * @return how long a DataNode must be silent until the NameNode considers it dead, ms
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
