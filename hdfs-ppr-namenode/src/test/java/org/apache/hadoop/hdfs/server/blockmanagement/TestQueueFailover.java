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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.BeginResult.Refusal;
import org.hdfsppr.namenode.queue.QueueChanges;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests two NameNodes whose queues are replaced from their start: which of them schedules, and
 * when.
 */
public class TestQueueFailover {
  private static final String FILE = "/ec/file";

  @Test
  public void theActiveOneSchedulesThereAndBack(@TempDir Path dir) throws Exception {
    try (QueueCluster c = new QueueCluster(
        new MiniDFSCluster.Builder(QueueCluster.conf(), dir.toFile())
            .nnTopology(MiniDFSNNTopology.simpleHATopology()).numDataNodes(7))) {
      ReconstructionQueue first = c.install(0, QueueCluster.LOSSES);
      ReconstructionQueue second = c.install(1, QueueCluster.LOSSES);
      assertFalse(second.isActive());
      assertEquals(0, second.poll(10).term);
      c.queue = first;
      c.write(FILE);
      LocatedStripedBlock group = c.group(FILE);
      GroupId id = c.id(group);
      assertTrue(c.poll().reset);
      assertFalse(c.poll().reset);
      c.lose(group, 1);
      LostGroup lost = c.awaitLost(id);
      RepairGrant grant = c.granted(QueueCluster.assignment(lost, 1, c.spare(group)));
      long term1 = first.term();

      c.cluster.transitionToStandby(0);
      c.cluster.transitionToActive(1);
      QueueChanges after = first.poll(10);
      assertTrue(after.reset);
      assertEquals(Map.of(grant, RepairEnd.GIVEN_UP), after.ended);
      assertFalse(first.isActive());
      assertEquals(Optional.of(Refusal.NOT_ACTIVE), first.begin(first.term(),
          List.of(QueueCluster.assignment(lost, 1, c.spare(group))), false).get(0).refusal());
      assertFalse(first.abort(grant));
      assertEquals(0, first.counts().owned);
      assertEquals(0, first.counts().inFlight);

      c.queue = second;
      LostGroup elsewhere = awaitLost(c, id, 1);
      long term2 = second.term();
      assertTrue(term2 > term1, term1 + " < " + term2);
      RepairGrant other = c.granted(QueueCluster.assignment(elsewhere, 1, c.spare(group)));
      assertTrue(second.abort(other));

      c.cluster.transitionToStandby(1);
      c.cluster.transitionToActive(0);
      c.queue = first;
      LostGroup back = awaitLost(c, id, 1);
      assertTrue(first.term() > term2, term2 + " < " + first.term());
      assertFalse(second.isActive());
      c.awaitStocksTurns();
      assertEquals(0, c.bm().pendingReconstruction.size());
      RepairGrant last = c.granted(QueueCluster.assignment(back, 1, c.spare(group)));
      c.rebuild(back, last);
      assertEquals(RepairEnd.DONE, c.awaitEnd(last));
      assertTrue(c.bm().neededReconstruction instanceof SplitLowRedundancyBlocks);
    }
  }

  /**
   * A newer term may belong to the NameNode that has replaced this one. Only a successful write to
   * the edit log proves that this one is active.
   */
  @Test
  public void outgrowsATermOnlyWhenItHasWrittenAnEdit(@TempDir Path dir) throws Exception {
    try (QueueCluster c = new QueueCluster(
        new MiniDFSCluster.Builder(QueueCluster.conf(), dir.toFile())
            .nnTopology(MiniDFSNNTopology.simpleHATopology()).numDataNodes(1))) {
      ReconstructionQueue first = c.install(0, QueueCluster.LOSSES);
      ReconstructionQueue second = c.install(1, QueueCluster.LOSSES);
      first.poll(10);
      second.poll(10);
      long before = first.term();
      long newer = before + (1 << 20);
      first.heardOfTerm(newer);
      second.heardOfTerm(newer);
      for (int i = 0; i < 3; i++) {
        first.poll(10);
        assertEquals(before, first.term());
      }
      c.fs.mkdirs(new org.apache.hadoop.fs.Path("/edit"));
      first.poll(10);
      assertEquals(newer + 1, first.term());
      second.poll(10);
      assertEquals(0, second.term(), "a standby");
      // An edit that was written before it heard of the newer term proves nothing.
      first.heardOfTerm(newer + 100);
      first.poll(10);
      assertEquals(newer + 1, first.term());
    }
  }

  private static LostGroup awaitLost(QueueCluster c, GroupId id, int unit) throws Exception {
    c.awaitLost(id);
    QueueCluster.await("the standby's books being complete", () -> {
      c.poll();
      List<LostGroup> now = c.queue.look(List.of(id));
      return !now.isEmpty() && now.get(0).lost.equals(List.of(unit));
    });
    return c.queue.look(List.of(id)).get(0);
  }
}
