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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.LostGroupFinder.KnownNodes;
import org.hdfsppr.namenode.manage.measure.LossLog;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/**
 * The memory that the NameNode's heap needs for each group that waits for a repair: in its own
 * queue, in the manager's queue, in the book of states and in the log of losses. Measured as the
 * difference of the used heap after collections of garbage, with RS-6-3 and one lost unit.
 */
class TestQueueMemory {
  private static final ErasureCodingPolicy POLICY = SystemErasureCodingPolicies.getByID(
      SystemErasureCodingPolicies.RS_6_3_POLICY_ID);
  private static final int GROUPS = 150_000;
  private static final int NODES = 500;
  private static final int POLL = 2_000;

  private long nowMs = 1_000_000;

  private static long used() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      Thread.sleep(50);
      least = Math.min(least,
          Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return least;
  }

  @Test
  void aWaitingGroupTakesFewBytes() throws Exception {
    DatanodeDescriptor[] nodes = new DatanodeDescriptor[NODES];
    for (int i = 0; i < NODES; i++) {
      nodes[i] = DFSTestUtil.getDatanodeDescriptor("10.0." + i / 250 + "." + i % 250,
          "/rack" + i % 40, "datanode" + i + ".example.com");
    }
    BlockInfo[] blocks = new BlockInfo[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      blocks[i] = new BlockInfoStriped(new Block(-16L * i - 16, 6L << 27, 1001), POLICY);
    }
    GroupPolicy policy = new GroupPolicy("rs", 6, 3, 1 << 20);
    Object[] kept = new Object[4];
    long before = used();
    SplitLowRedundancyBlocks split = new SplitLowRedundancyBlocks(
        new SplitLowRedundancyBlocks.PolicyClaims() {
          @Override
          public boolean losses(ErasureCodingPolicy of) {
            return true;
          }

          @Override
          public boolean leaving(ErasureCodingPolicy of) {
            return true;
          }
        }, null, null, () -> nowMs, 60_000);
    KnownNodes known = new KnownNodes(uuid -> 9877);
    RepairQueue queue = new RepairQueue();
    GroupBook book = new GroupBook();
    LossLog losses = new LossLog(() -> nowMs);
    losses.look(List.of(new NodeRef("gone", "10.9.9.9", "gone", 1, 2, "/r")));
    nowMs += 1_000;
    losses.look(List.of());
    for (BlockInfo block : blocks) {
      split.add(block, 8, 0, 0, 9);
    }
    int number = 0;
    for (List<BlockInfo> some = split.takeTouched(POLL); !some.isEmpty();
        some = split.takeTouched(POLL)) {
      KnownNodes.Now now = known.now();
      for (BlockInfo block : some) {
        GroupId id = new GroupId("BP-1", block.getBlockId(), block.getGenerationStamp());
        long sinceMs = split.tell(block, id);
        List<UnitHolder> live = new ArrayList<>();
        List<NodeRef> occupied = new ArrayList<>();
        for (int unit = 1; unit < 9; unit++) {
          DatanodeDescriptor node = nodes[(number * 7 + 41 * unit) % NODES];
          live.add(now.holder(unit, node));
          occupied.add(now.ref(node));
        }
        LostGroup lost = new LostGroup(id, block.getNumBytes(), policy, live,
            GroupInspection.unitsOf(1), 2, sinceMs).occupying(occupied);
        book.lost(id);
        losses.lost(lost, null);
        queue.renew(lost, Long.MIN_VALUE, false);
        number++;
      }
    }
    kept[0] = split;
    kept[1] = queue;
    kept[2] = book;
    kept[3] = losses;
    long bytes = (used() - before) / GROUPS;
    System.out.println(bytes + " bytes for each waiting group");
    assertEquals(GROUPS, queue.size());
    assertEquals(GROUPS, split.counts().owned);
    assertTrue(bytes <= 716, bytes + " bytes");
    assertEquals(4, kept.length);
  }
}
