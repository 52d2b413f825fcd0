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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.util.LightWeightLinkedSet;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.BeginResult.Refusal;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.queue.QueueChanges;
import org.hdfsppr.namenode.queue.QueueFaults;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.queue.SchedulingClaims;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;

/** Tests the plugin's queue in a NameNode with real files, DataNodes and stock's own scheduling. */
public class TestBlockManagerAccess {
  private static final String FILE = "/ec/file";

  @TempDir
  private Path dir;
  private QueueCluster c;

  @AfterEach
  public void stop() {
    if (c != null) {
      c.close();
    }
  }

  private LocatedStripedBlock start(int nodes, String... racks) throws Exception {
    c = QueueCluster.start(dir, nodes, racks);
    c.write(FILE);
    return c.group(FILE);
  }

  private BlockInfoStriped stored(LocatedStripedBlock group) {
    return c.stored(group.getBlock());
  }

  private int pending(LocatedStripedBlock group) {
    return c.bm().pendingReconstruction.getNumReplicas(stored(group));
  }

  private boolean needed(LocatedStripedBlock group) {
    return c.bm().neededReconstruction.contains(stored(group));
  }

  @Test
  public void stockSchedulesEverythingElse() throws Exception {
    LocatedStripedBlock group = start(6);
    byte[] copy = c.write("/copied");
    c.install(QueueCluster.LOSSES);
    c.lose(group, 1);
    ExtendedBlock replica = DFSTestUtil.getAllBlocks(c.fs,
        new org.apache.hadoop.fs.Path("/copied")).get(0).getBlock();
    LocatedBlock located = DFSTestUtil.getAllBlocks(c.fs,
        new org.apache.hadoop.fs.Path("/copied")).get(0);
    c.cluster.getDataNode(located.getLocations()[0].getIpcPort()).getFSDataset()
        .invalidate(replica.getBlockPoolId(), new Block[] {replica.getLocalBlock()});

    LostGroup lost = c.awaitLost(c.id(group));
    assertEquals(List.of(1), lost.lost);
    assertEquals(1, lost.spareUnits);
    assertEquals(Set.of(0, 2, 3, 4),
        lost.live.stream().map(holder -> holder.unit).collect(Collectors.toSet()));
    assertEquals(4, lost.occupied().size());
    assertEquals(QueueCluster.PORT, lost.live.get(0).node.repairPort);
    assertEquals(c.holder(group, lost.live.get(0).unit).getDatanodeUuid(),
        lost.live.get(0).node.uuid);
    assertEquals("rs(3,2)", lost.policy.toString());
    assertEquals(group.getBlockSize(), lost.groupBytes);

    QueueCluster.await("the replicated block being whole", () -> DFSTestUtil.getAllBlocks(c.fs,
        new org.apache.hadoop.fs.Path("/copied")).get(0).getLocations().length == 3);
    c.awaitStocksTurns();
    assertEquals(0, pending(group));
    assertTrue(needed(group));
    assertEquals(1, c.bm().getLowRedundancyECBlockGroups());
    assertEquals(0, c.bm().getLowRedundancyBlocks());
    assertEquals(1, c.bm().numOfUnderReplicatedBlocks());
    assertTrue(c.fsck().contains("Under-erasure-coded block groups:\t1"), c.fsck());
    c.assertWhole("/copied", copy);

    c.queue.release(List.of(c.id(group)), ReconstructionQueue.FOR_GOOD);
    QueueCluster.await("stock repairing it", () -> c.group(FILE).getLocations().length == 5);
    c.poll();
    assertTrue(c.gone.contains(c.id(group)));
    QueueCluster.await("the release being forgotten", () -> {
      c.poll();
      return c.queue.counts().released == 0;
    });
    assertEquals(0, c.bm().getLowRedundancyECBlockGroups());
  }

  @Test
  public void aReleasedGroupWithoutASpareUnitIsCounted() throws Exception {
    LocatedStripedBlock group = start(7);
    c.install(QueueCluster.LOSSES);
    c.lose(group, 1);
    c.lose(group, 4);
    c.awaitLost(c.id(group));
    c.queue.release(List.of(c.id(group)), ReconstructionQueue.FOR_GOOD);
    c.poll();
    assertEquals(1, c.queue.counts().released);
    assertEquals(1, c.queue.counts().releasedAtRisk);
    QueueCluster.await("the release being forgotten", () -> {
      c.poll();
      return c.queue.counts().released == 0;
    });
    assertEquals(0, c.queue.counts().releasedAtRisk);
  }

  @Test
  public void aRepairBeginsAndIsDone() throws Exception {
    LocatedStripedBlock group = start(7);
    byte[] data = c.write("/ec/other");
    LocatedStripedBlock other = c.group("/ec/other");
    c.install(QueueCluster.LOSSES);
    c.lose(other, 0);
    c.lose(other, 4);
    LostGroup lost = c.awaitLost(c.id(other));
    QueueCluster.await("both losses being reported",
        () -> c.queue.look(List.of(c.id(other))).get(0).lost.size() == 2);
    lost = c.queue.look(List.of(c.id(other))).get(0);
    assertEquals(0, lost.spareUnits);
    List<DataNode> targets = c.spares(other);
    Assignment assignment = new Assignment(lost, lost.live, List.of(
        new UnitHolder(0, QueueCluster.ref(targets.get(0))),
        new UnitHolder(4, QueueCluster.ref(targets.get(1)))), "chain");
    RepairGrant grant = c.granted(assignment);
    assertEquals(2, grant.targets.size());
    assertEquals("DISK", grant.targets.get(0).storageType.name());
    assertEquals(2, pending(other));
    assertFalse(needed(other));
    assertEquals(1, c.scheduled(targets.get(0)));
    assertEquals(0, c.bm().getLowRedundancyECBlockGroups());
    assertEquals(1, c.queue.counts().inFlight);
    assertEquals(Optional.of(Refusal.GROUP_CHANGED), c.begin(assignment).refusal());

    c.rebuild(lost, grant);
    assertEquals(RepairEnd.DONE, c.awaitEnd(grant));
    assertEquals(5, c.group("/ec/other").getLocations().length);
    assertEquals(0, pending(other));
    assertEquals(0, c.scheduled(targets.get(0)));
    assertEquals(0, c.queue.counts().inFlight);
    assertFalse(c.queue.abort(grant));
    c.assertWhole("/ec/other", data);
    assertTrue(c.fsck().contains("Status: HEALTHY"));
    assertEquals(1, c.queue.lockTimes().granted);
    assertTrue(c.queue.lockTimes().write.nanosMax > 0);
    assertEquals(5, stored(group).numNodes());
  }

  /** The book of a CORE group with the two files as rows. */
  private CoreGroupLookup rows(LocatedStripedBlock one, LocatedStripedBlock other) {
    GroupPolicy policy = new GroupPolicy("rs", 3, 2, QueueCluster.POLICY.getCellSize());
    List<CoreRows.Row> rows = new ArrayList<>();
    rows.add(null);
    for (LocatedStripedBlock group : List.of(one, other)) {
      rows.add(new CoreRows.Row(c.id(group), group.getBlockSize(), false));
    }
    return blockGroup -> Optional.of(new CoreRows(1, 0, policy, rows));
  }

  /** The plan does not know the other row, but the record does when the repair begins. */
  @Test
  public void noRepairPutsTwoBlocksOfAColumnOntoOneNode() throws Exception {
    LocatedStripedBlock group = start(12);
    LocatedStripedBlock other = null;
    DataNode beside = null;
    int unit = -1;
    // The NameNode chooses nodes at random, and may seldom choose the same five for both files.
    for (int file = 0; beside == null; file++) {
      c.write("/ec/other" + file);
      other = c.group("/ec/other" + file);
      for (int i = 0; i < 5 && beside == null; i++) {
        unit = i;
        beside = c.spares(group).contains(c.holder(other, i)) ? c.holder(other, i) : null;
      }
    }
    c.install(QueueCluster.LOSSES);
    c.lose(group, unit);
    LostGroup lost = c.awaitLost(c.id(group));
    Assignment onColumn = QueueCluster.assignment(lost, unit, beside);
    c.queue.useColumns(rows(group, other));
    assertEquals(Optional.of(Refusal.TARGET_UNFIT), c.begin(onColumn).refusal());
    c.queue.useColumns(CoreGroupLookup.NONE);
    assertTrue(c.queue.abort(c.granted(onColumn)), "it is in no CORE group");
    c.queue.useColumns(rows(group, other));
    c.awaitLost(c.id(group));
    assertTrue(c.queue.abort(c.granted(onColumn.besideColumn())), "nothing else is left");
  }

  /** The other row's block is not there yet. */
  @Test
  public void noRepairGoesWhereAnotherRowsRepairGoes() throws Exception {
    LocatedStripedBlock group = start(12);
    c.write("/ec/other");
    LocatedStripedBlock other = c.group("/ec/other");
    DataNode free = c.spares(group).stream().filter(c.spares(other)::contains).findFirst().get();
    c.install(QueueCluster.LOSSES);
    c.lose(group, 1);
    c.lose(other, 1);
    c.queue.useColumns(rows(group, other));
    LostGroup one = c.awaitLost(c.id(group));
    LostGroup two = c.queue.look(List.of(c.id(other))).get(0);
    RepairGrant grant = c.granted(QueueCluster.assignment(one, 1, free));
    assertEquals(Optional.of(Refusal.TARGET_UNFIT),
        c.begin(QueueCluster.assignment(two, 1, free)).refusal());
    assertTrue(c.queue.abort(grant));
    c.granted(QueueCluster.assignment(two, 1, free));
  }

  @Test
  public void anAbortedRepairIsBackAtOnce() throws Exception {
    LocatedStripedBlock group = start(7);
    c.install(QueueCluster.LOSSES);
    c.lose(group, 2);
    LostGroup lost = c.awaitLost(c.id(group));
    DataNode target = c.spare(group);
    RepairGrant grant = c.granted(QueueCluster.assignment(lost, 2, target));
    assertEquals(1, c.scheduled(target));
    assertTrue(c.queue.abort(grant));
    assertFalse(c.queue.abort(grant));
    assertEquals(0, pending(group));
    assertEquals(0, c.scheduled(target));
    assertTrue(needed(group));
    assertEquals(1, c.bm().getLowRedundancyECBlockGroups());
    LostGroup again = c.awaitLost(c.id(group));
    assertEquals(lost.sinceMs, again.sinceMs);
    assertEquals(List.of(2), again.lost);
    assertTrue(c.ended.isEmpty());
    c.awaitStocksTurns();
    assertEquals(0, pending(group));
  }

  @Test
  public void whatFailsMidwayHasNotBegun() throws Exception {
    LocatedStripedBlock group = start(6);
    c.install(QueueCluster.LOSSES);
    c.lose(group, 2);
    LostGroup lost = c.awaitLost(c.id(group));
    DataNode target = c.spare(group);
    Assignment good = QueueCluster.assignment(lost, 2, target);
    assertThrows(NullPointerException.class,
        () -> c.queue.begin(c.queue.term(), Arrays.asList(good, null), false));
    assertEquals(0, c.queue.counts().inFlight);
    assertEquals(0, pending(group));
    assertEquals(0, c.scheduled(target));
    assertEquals(lost.sinceMs, c.awaitLost(c.id(group)).sinceMs);
    c.granted(good);
  }

  /**
   * A poll fails. The next one must still report that a group is whole again, and look at all
   * groups that the failed one has taken off the list.
   */
  @Test
  public void whatHasEndedIsReportedThoughLookingFails() throws Exception {
    LocatedStripedBlock group = start(6);
    c.write("/ec/other");
    LocatedStripedBlock other = c.group("/ec/other");
    AtomicBoolean broken = new AtomicBoolean();
    c.install(new SchedulingClaims() {
      @Override
      public boolean losses(GroupPolicy policy) {
        return true;
      }

      @Override
      public int spareUnits(GroupPolicy policy, List<Integer> unreadable) {
        if (broken.get()) {
          // An error at one group only keeps that group from being reported. This one is no error
          // of a group.
          throw new OutOfMemoryError("a test");
        }
        return SchedulingClaims.super.spareUnits(policy, unreadable);
      }
    });
    c.lose(group, 1);
    LostGroup lost = c.awaitLost(c.id(group));
    RepairGrant grant = c.granted(QueueCluster.assignment(lost, 1, c.spare(group)));
    c.rebuild(lost, grant);
    QueueCluster.await("the block report of the rebuilt unit", () -> pending(group) == 0);
    c.lose(other, 0);
    QueueCluster.await("the other group being queued", () -> needed(other));
    broken.set(true);
    assertThrows(OutOfMemoryError.class, c::poll);
    assertTrue(c.ended.isEmpty());
    assertTrue(c.queue.counts().unsorted > 0, "they are on the list again");
    QueueChanges changes = c.poll();
    assertEquals(1, changes.ended.size(),
        "the end is reported before the queue is looked at again");
    assertTrue(changes.ended.containsKey(grant));
    assertTrue(changes.hasMore());
    broken.set(false);
    c.awaitLost(c.id(other));
    assertEquals(1, c.ended.size(), "the end is reported once");
  }

  /** One group cannot be looked at, again and again. */
  @Test
  public void anErrorAtOneGroupKeepsNoOtherFromBeingReported() throws Exception {
    LocatedStripedBlock group = start(6);
    c.write("/ec/other");
    LocatedStripedBlock other = c.group("/ec/other");
    AtomicBoolean broken = new AtomicBoolean(true);
    AtomicLong nowMs = new AtomicLong();
    AtomicInteger counted = new AtomicInteger();
    BlockManagerAccess access = BlockManagerAccess.install(c.namesystem(), new SchedulingClaims() {
      @Override
      public boolean losses(GroupPolicy policy) {
        return true;
      }

      @Override
      public int spareUnits(GroupPolicy policy, List<Integer> unreadable) {
        if (broken.get() && unreadable.contains(1)) {
          throw new IllegalStateException("broken by the test");
        }
        return SchedulingClaims.super.spareUnits(policy, unreadable);
      }
    }, uuid -> QueueCluster.PORT, counting(counted), BlockManagerMembers.ofThisHadoop(), nowMs::get,
        Long.MAX_VALUE);
    c.queue = access;
    c.lose(group, 1);
    c.lose(other, 0);
    QueueCluster.await("both groups being queued", () -> needed(group) && needed(other));
    assertEquals(c.id(other), c.awaitLost(c.id(other)).id);
    QueueCluster.await("the error being counted", () -> {
      c.poll();
      return counted.get() > 0;
    });
    assertFalse(c.lost.stream().anyMatch(one -> one.id.equals(c.id(group))));
    assertEquals(0, c.queue.counts().unsorted, "it is not looked at without a rest");
    broken.set(false);
    nowMs.addAndGet(FailedInspections.AGAIN_MS);
    c.awaitLost(c.id(group));
  }

  /** A group that is not in the owned part, so that no walk over that part finds it again. */
  @Test
  public void aGroupThatCannotBeLookedAtIsLookedAtAgainAfterARest() throws Exception {
    LocatedStripedBlock whole = start(6);
    c.write("/ec/other");
    LocatedStripedBlock other = c.group("/ec/other");
    AtomicLong nowMs = new AtomicLong();
    AtomicInteger counted = new AtomicInteger();
    c.queue = BlockManagerAccess.install(c.namesystem(), QueueCluster.LOSSES,
        uuid -> QueueCluster.PORT, counting(counted), BlockManagerMembers.ofThisHadoop(),
        nowMs::get, Long.MAX_VALUE);
    c.lose(other, 0);
    QueueCluster.await("the other group being queued", () -> needed(other));
    ((SplitLowRedundancyBlocks) c.bm().neededReconstruction).retouch(
        new BlockInfoStriped(whole.getBlock().getLocalBlock(), QueueCluster.POLICY) {
          @Override
          public boolean isDeleted() {
            throw new IllegalStateException("broken by the test");
          }
        });
    c.awaitLost(c.id(other));
    for (int i = 0; i < 5; i++) {
      c.poll();
    }
    assertEquals(1, counted.get(), "it is not looked at without a rest");
    nowMs.addAndGet(FailedInspections.AGAIN_MS);
    c.poll();
    assertEquals(2, counted.get());
  }

  /**
   * Groups that stock has queued move to the owned part at a second look, under the write lock. One
   * of these looks fails.
   */
  @Test
  public void anErrorAtTheSecondLookKeepsNoOtherGroupFromMoving() throws Exception {
    LocatedStripedBlock group = start(5);
    c.write("/ec/other");
    LocatedStripedBlock other = c.group("/ec/other");
    // Each node holds a unit of both groups, so that stock queues both and finds no destination.
    c.cluster.stopDataNode(c.cluster.getDataNodes().indexOf(c.holder(group, 0)));
    QueueCluster.await("both groups being queued", () -> needed(group) && needed(other));
    AtomicLong nowMs = new AtomicLong();
    AtomicInteger counted = new AtomicInteger();
    c.queue = BlockManagerAccess.install(c.namesystem(), QueueCluster.LOSSES,
        uuid -> QueueCluster.PORT, counting(counted), BlockManagerMembers.ofThisHadoop(),
        nowMs::get, Long.MAX_VALUE);
    AtomicBoolean broken = new AtomicBoolean(true);
    BlockManager spy = Mockito.spy(c.bm());
    BlockInfo broke = stored(group);
    Mockito.doAnswer(call -> {
      if (broken.get() && call.getArgument(0).equals(broke)) {
        throw new AssertionError("broken by the test");
      }
      return call.callRealMethod();
    }).when(spy).countNodes(Mockito.any());
    c.namesystem().setBlockManagerForTesting(spy);
    c.awaitLost(c.id(other));
    for (int i = 0; i < 5; i++) {
      c.poll();
    }
    assertEquals(1, counted.get(), "it is not looked at without a rest");
    assertFalse(c.lost.stream().anyMatch(one -> one.id.equals(c.id(group))));
    assertEquals(1, c.queue.counts().owned);
    broken.set(false);
    nowMs.addAndGet(FailedInspections.AGAIN_MS);
    c.awaitLost(c.id(group));
    assertEquals(2, c.queue.counts().owned);
  }

  private static QueueFaults counting(AtomicInteger counted) {
    return new QueueFaults() {
      @Override
      public void rescueFailed() {
        throw new IllegalStateException("no rescue in this test");
      }

      @Override
      public void lookFailed() {
        counted.incrementAndGet();
      }
    };
  }

  /**
   * When a unit comes back, the queue ends its repair. The pending entry of that repair must not
   * keep the next loss from being repaired.
   */
  @Test
  public void aUnitThatComesBackEndsItsRepair() throws Exception {
    LocatedStripedBlock group = start(7);
    c.install(QueueCluster.LOSSES);
    DataNode holder = c.holder(group, 0);
    DatanodeDescriptor dead = c.descriptor(holder);
    DataNode target = c.spare(group);
    MiniDFSCluster.DataNodeProperties stopped =
        c.cluster.stopDataNode(c.cluster.getDataNodes().indexOf(holder));
    QueueCluster.await("the death of the holder", () -> !dead.isAlive() && dead.numBlocks() == 0);
    LostGroup lost = c.awaitLost(c.id(group));
    assertEquals(List.of(0), lost.lost);
    RepairGrant grant = c.granted(QueueCluster.assignment(lost, 0, target));
    assertEquals(1, pending(group));
    c.cluster.restartDataNode(stopped);
    assertEquals(RepairEnd.RETURNED, c.awaitEnd(grant));
    assertEquals(0, pending(group));
    assertEquals(0, c.scheduled(target));
    assertEquals(0, c.queue.counts().inFlight);
    c.lose(c.group(FILE), 1);
    LostGroup next = c.awaitLost(c.id(group));
    assertEquals(List.of(1), next.lost);
    c.granted(QueueCluster.assignment(next, 1, target));
  }

  /**
   * A node was ordered to delete its unit and has not done it yet. Stock no longer counts this
   * unit, so it has not come back.
   */
  @Test
  public void aUnitThatIsToBeDeletedHasNotComeBack() throws Exception {
    Configuration conf = QueueCluster.conf();
    // The NameNode delays deletions, so excess replicas stay.
    conf.setInt("dfs.namenode.startup.delay.block.deletion.sec", 36_000);
    c = new QueueCluster(new MiniDFSCluster.Builder(conf, dir.toFile()).numDataNodes(7));
    byte[] data = c.write(FILE);
    LocatedStripedBlock group = c.group(FILE);
    c.install(QueueCluster.LOSSES);
    DataNode first = c.holder(group, 0);
    DatanodeDescriptor dead = c.descriptor(first);
    MiniDFSCluster.DataNodeProperties stopped =
        c.cluster.stopDataNode(c.cluster.getDataNodes().indexOf(first));
    QueueCluster.await("the death of the holder", () -> !dead.isAlive() && dead.numBlocks() == 0);
    LostGroup lost = c.awaitLost(c.id(group));
    DataNode second = c.spare(group);
    RepairGrant grant = c.granted(QueueCluster.assignment(lost, 0, second));
    c.rebuild(lost, grant);
    assertEquals(RepairEnd.DONE, c.awaitEnd(grant));
    c.cluster.restartDataNode(stopped);
    QueueCluster.await("one of both units being in excess", () ->
        excess(group, first.getDatanodeUuid()) || excess(group, second.getDatanodeUuid()));

    String stays = excess(group, first.getDatanodeUuid())
        ? second.getDatanodeUuid() : first.getDatanodeUuid();
    String inExcess = stays.equals(first.getDatanodeUuid())
        ? second.getDatanodeUuid() : first.getDatanodeUuid();
    DatanodeDescriptor other = c.bm().getDatanodeManager().getDatanode(stays);
    c.cluster.stopDataNode(indexOf(stays));
    QueueCluster.await(
        "the death of the other node", () -> !other.isAlive() && other.numBlocks() == 0);
    assertTrue(excess(group, inExcess), "without an excess unit the test proves nothing");
    LostGroup again = c.awaitLost(c.id(group));
    assertEquals(List.of(0), again.lost);
    c.ended.clear();
    DataNode target = c.cluster.getDataNodes().stream().filter(dn -> again.occupied().stream()
        .noneMatch(node -> node.uuid.equals(dn.getDatanodeUuid()))).findFirst().get();
    RepairGrant next = c.granted(QueueCluster.assignment(again, 0, target));
    for (int i = 0; i < 3; i++) {
      c.poll();
    }
    assertEquals(Map.of(), c.ended);
    assertEquals(1, pending(group));
    c.rebuild(again, next);
    assertEquals(RepairEnd.DONE, c.awaitEnd(next));
    assertTrue(excess(group, inExcess));
    assertEquals(0, c.bm().getLowRedundancyECBlockGroups());
    c.assertWhole(FILE, data);
  }

  @Test
  public void whatStockDoesNotCountIsNotThere() throws Exception {
    LocatedStripedBlock group = start(5);
    BlockInfoStriped block = stored(group);
    DatanodeDescriptor node = c.descriptor(c.holder(group, 0));
    DatanodeStorageInfo storage = block.findStorageInfo(node);
    c.namesystem().writeLock();
    try {
      assertEquals(5, c.bm().countNodes(block).liveReplicas());
      assertTrue(GroupInspection.isLive(c.bm(), block, storage, null));
      assertFalse(GroupInspection.isLive(c.bm(), block, storage, Set.of(node)));
      storage.setState(DatanodeStorage.State.FAILED);
      assertEquals(4, c.bm().countNodes(block).liveReplicas());
      assertFalse(GroupInspection.isLive(c.bm(), block, storage, null));
      storage.setState(DatanodeStorage.State.NORMAL);
      node.startDecommission();
      assertEquals(4, c.bm().countNodes(block).liveReplicas());
      assertFalse(GroupInspection.isLive(c.bm(), block, storage, null));
      node.stopDecommission();
    } finally {
      c.namesystem().writeUnlock("test");
    }
  }

  private int indexOf(String uuid) {
    List<DataNode> nodes = c.cluster.getDataNodes();
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).getDatanodeUuid().equals(uuid)) {
        return i;
      }
    }
    throw new AssertionError("No DataNode is " + uuid);
  }

  private boolean excess(LocatedStripedBlock group, String uuid) {
    return c.bm().isExcess(c.bm().getDatanodeManager().getDatanode(uuid), stored(group));
  }

  @Test
  public void aPartialRepairLeavesTheRestOfTheGroupQueued() throws Exception {
    LocatedStripedBlock group = start(7);
    c.install(QueueCluster.LOSSES);
    c.lose(group, 0);
    c.lose(group, 3);
    LostGroup lost = c.awaitLost(c.id(group));
    RepairGrant grant = c.granted(QueueCluster.assignment(lost, 0, c.spare(group)));
    assertTrue(needed(group));
    assertEquals(List.of(), c.queue.look(List.of(c.id(group))));
    assertEquals(Optional.of(Refusal.AT_WORK),
        c.begin(QueueCluster.assignment(lost, 3, c.spares(group).get(1))).refusal());
    assertTrue(c.queue.abort(grant));
    LostGroup again = c.awaitLost(c.id(group));
    assertEquals(lost.sinceMs, again.sinceMs);
    assertEquals(List.of(0, 3), again.lost);
  }

  @Test
  public void stocksSweepGivesUpWhatIsNotKeptAlive() throws Exception {
    LocatedStripedBlock group = start(6);
    c.write("/ec/other");
    LocatedStripedBlock other = c.group("/ec/other");
    c.install(QueueCluster.LOSSES);
    c.lose(group, 2);
    LostGroup lost = c.awaitLost(c.id(group));
    RepairGrant grant = c.granted(QueueCluster.assignment(lost, 2, c.spare(group)));
    c.lose(other, 2);
    RepairGrant forgotten = c.granted(
        QueueCluster.assignment(c.awaitLost(c.id(other)), 2, c.spare(other)));
    c.setPendingTimeout(2000);
    // The sweep that gives up a later repair would give up this one as well.
    QueueCluster.await("the sweep giving up the other repair", () -> {
      c.queue.keepAlive(List.of(grant));
      c.poll();
      return c.ended.containsKey(forgotten);
    });
    assertEquals(1, pending(group));
    assertEquals(1, c.ended.size());
    c.lost.clear();
    assertEquals(RepairEnd.GIVEN_UP, c.awaitEnd(grant));
    LostGroup again = c.lost.stream().filter(one -> one.id.equals(lost.id)).findFirst()
        .orElse(null);
    again = again == null ? c.awaitLost(c.id(group)) : again;
    assertEquals(lost.sinceMs, again.sinceMs);
    c.granted(QueueCluster.assignment(again, 2, c.spare(group)));
  }

  @Test
  public void deletedFilesEndQuietly() throws Exception {
    LocatedStripedBlock first = start(6);
    c.write("/ec/second");
    LocatedStripedBlock second = c.group("/ec/second");
    c.install(QueueCluster.LOSSES);
    c.lose(first, 0);
    c.lose(second, 0);
    LostGroup lostFirst = c.awaitLost(c.id(first));
    LostGroup lostSecond = c.lost.stream().filter(g -> g.id.equals(c.id(second))).findFirst()
        .orElse(null);
    if (lostSecond == null) {
      lostSecond = c.awaitLost(c.id(second));
    }
    DataNode target = c.spare(first);
    RepairGrant grant = c.granted(QueueCluster.assignment(lostFirst, 0, target));
    c.fs.delete(new org.apache.hadoop.fs.Path("/ec"), true);
    assertEquals(RepairEnd.DELETED, c.awaitEnd(grant));
    QueueCluster.await("the other group being gone", () -> {
      c.poll();
      return c.gone.contains(c.id(second));
    });
    assertEquals(Optional.of(Refusal.GROUP_CHANGED),
        c.begin(QueueCluster.assignment(lostSecond, 0, c.spare(second))).refusal());
    QueueCluster.await("the books being empty", () -> c.bm().pendingReconstruction.size() == 0
        && c.bm().numOfUnderReplicatedBlocks() == 0 && c.scheduled(target) == 0);
    assertEquals(0, c.queue.counts().owned);
    assertEquals(0, c.queue.counts().inFlight);
  }

  @Test
  public void refusesWhatWouldNotBeRight() throws Exception {
    LocatedStripedBlock group = start(7);
    c.install(QueueCluster.LOSSES);
    c.lose(group, 1);
    LostGroup lost = c.awaitLost(c.id(group));
    DataNode good = c.spare(group);
    DataNode other = c.spares(group).get(1);

    assertEquals(Optional.of(Refusal.TARGET_UNFIT),
        c.begin(QueueCluster.assignment(lost, 1, c.holder(group, 0))).refusal());
    assertEquals(Optional.of(Refusal.GROUP_CHANGED),
        c.begin(QueueCluster.assignment(lost, 2, good)).refusal());
    assertEquals(Optional.of(Refusal.TARGET_UNFIT), c.begin(new Assignment(lost, lost.live,
        List.of(new UnitHolder(1, new NodeRef("unknown", "1.2.3.4", "x", 1, 2, "/r"))), "chain"))
        .refusal());
    assertEquals(Optional.of(Refusal.NOT_ACTIVE), c.queue.begin(c.queue.term() - 1,
        List.of(QueueCluster.assignment(lost, 1, good)), false).get(0).refusal());
    LostGroup older = new LostGroup(new GroupId(lost.id.poolId, lost.id.groupId,
        lost.id.generationStamp - 1), lost.groupBytes, lost.policy, lost.live, lost.lost, 1, 0)
        .occupying(lost.occupied());
    assertEquals(Optional.of(Refusal.GROUP_CHANGED),
        c.begin(QueueCluster.assignment(older, 1, good)).refusal());

    c.namesystem().writeLock();
    c.descriptor(other).startDecommission();
    c.namesystem().writeUnlock("test");
    BeginResult leaving = c.begin(QueueCluster.assignment(lost, 1, other));
    assertEquals(Optional.of(Refusal.TARGET_UNFIT), leaving.refusal());
    assertTrue(leaving.detail.contains("Decommission"), leaving.detail);

    DatanodeStorageInfo unreported = c.descriptor(good).getStorageInfos()[0];
    int reports = unreported.getBlockReportCount();
    unreported.setBlockReportCount(0);
    BeginResult unknown = c.begin(QueueCluster.assignment(lost, 1, good));
    assertEquals(Optional.of(Refusal.TARGET_UNFIT), unknown.refusal());
    assertTrue(unknown.detail.contains("has not reported"), unknown.detail);
    unreported.setBlockReportCount(reports);

    for (DatanodeStorageInfo storage : c.descriptor(good).getStorageInfos()) {
      storage.setUtilizationForTesting(1 << 30, 1 << 30, 1000, 1 << 30);
    }
    BeginResult full = c.begin(QueueCluster.assignment(lost, 1, good));
    if (!full.grant().isPresent()) {
      // A heartbeat may have come before the grant, so both outcomes are possible.
      assertEquals(Optional.of(Refusal.NO_STORAGE), full.refusal());
      assertEquals(good.getDatanodeUuid(), full.withoutStorage().get().uuid);
      c.cluster.triggerHeartbeats();
    } else {
      c.queue.abort(full.grant().get());
    }
    assertEquals(0, pending(group));
    assertEquals(0, c.scheduled(good));

    c.fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.ENTER);
    assertFalse(c.queue.isActive());
    assertTrue(c.poll().lost.isEmpty());
    assertEquals(Optional.of(Refusal.NOT_ACTIVE),
        c.begin(QueueCluster.assignment(lost, 1, good)).refusal());
    c.fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.LEAVE);
    QueueCluster.await("the target having room again", () ->
        c.begin(QueueCluster.assignment(lost, 1, good)).grant().isPresent());
  }

  @Test
  public void keepsTheRackSpread() throws Exception {
    LocatedStripedBlock group = start(7, "/a", "/b", "/c", "/d", "/e", "/f", "/a");
    c.install(QueueCluster.LOSSES);
    // The unit is the only one on its rack, so that the group lacks a rack after the loss.
    int unit = -1;
    String used = null;
    for (int i = 0; i < 5; i++) {
      String rack = c.descriptor(c.holder(group, i)).getNetworkLocation();
      if (!rack.equals("/a")) {
        unit = i;
      } else {
        used = rack;
      }
    }
    List<DataNode> spares = c.spares(group);
    c.lose(group, unit);
    LostGroup lost = c.awaitLost(c.id(group));
    for (DataNode spare : spares) {
      String rack = c.descriptor(spare).getNetworkLocation();
      boolean worse = rack.equals(used);
      BeginResult result = c.begin(QueueCluster.assignment(lost, unit, spare));
      assertEquals(worse ? Optional.of(Refusal.TOO_FEW_RACKS) : Optional.empty(),
          result.refusal(), "used " + used + ", spare " + rack);
      if (worse) {
        result = c.queue.begin(c.queue.term(),
            List.of(QueueCluster.assignment(lost, unit, spare)), true).get(0);
      }
      assertTrue(c.queue.abort(result.grant().get()));
    }
  }

  @Test
  public void takesOverAndHandsBackAQueueThatIsNotEmpty() throws Exception {
    LocatedStripedBlock group = start(5);
    byte[] data = c.write("/ec/other");
    // Every other node holds a unit of the group, so stock finds no destination.
    DataNode holder = c.holder(group, 0);
    DatanodeDescriptor dead = c.descriptor(holder);
    MiniDFSCluster.DataNodeProperties stopped =
        c.cluster.stopDataNode(c.cluster.getDataNodes().indexOf(holder));
    QueueCluster.await("the death of the holder", () -> !dead.isAlive() && dead.numBlocks() == 0);
    QueueCluster.await("stock knowing", () -> needed(group));
    long groups = c.bm().getLowRedundancyECBlockGroups();
    LowRedundancyBlocks stock = c.bm().neededReconstruction;
    int size = stock.size();
    BlockManagerAccess access = c.install(QueueCluster.LOSSES);
    assertThrows(IOException.class, () -> c.install(QueueCluster.LOSSES));
    assertEquals(size, c.bm().numOfUnderReplicatedBlocks());
    LostGroup lost = c.awaitLost(c.id(group));
    assertTrue(lost.lost.contains(0));
    assertTrue(c.queue.counts().owned > 0);
    assertEquals(size, c.bm().numOfUnderReplicatedBlocks());

    access.uninstall();
    access.uninstall();
    assertSame(LowRedundancyBlocks.class, c.bm().neededReconstruction.getClass());
    assertEquals(size, c.bm().numOfUnderReplicatedBlocks());
    assertEquals(groups, c.bm().getLowRedundancyECBlockGroups());
    assertTrue(needed(group));
    assertFalse(access.isActive());
    assertTrue(c.poll().lost.isEmpty());
    c.cluster.restartDataNode(stopped);
    QueueCluster.await("the return of the holder", () -> c.group(FILE).getLocations().length == 5);
    c.lose(c.group(FILE), 1);
    QueueCluster.await("stock repairing it", () -> c.group(FILE).getLocations().length == 5);
    c.assertWhole("/ec/other", data);
    // The queue is installed a second time.
    c.install(QueueCluster.LOSSES);
    assertTrue(c.queue.isActive());
  }

  @Test
  public void stockTakesOverFromASilentOwner() throws Exception {
    LocatedStripedBlock group = start(6);
    AtomicLong clock = new AtomicLong(1);
    BlockManagerAccess access = BlockManagerAccess.install(c.namesystem(), QueueCluster.LOSSES,
        uuid -> QueueCluster.PORT, () -> { }, BlockManagerMembers.ofThisHadoop(), clock::get,
        1000);
    c.queue = access;
    c.lose(group, 0);
    c.awaitLost(c.id(group));
    c.awaitStocksTurns();
    assertEquals(4, c.group(FILE).getLocations().length);
    clock.addAndGet(1001);
    QueueCluster.await("stock repairing it", () -> c.group(FILE).getLocations().length == 5);
    c.poll();
    assertTrue(c.gone.contains(c.id(group)));
    c.lose(c.group(FILE), 1);
    c.awaitLost(c.id(group));
  }

  @Test
  public void unclaimedPoliciesAreStocks() throws Exception {
    LocatedStripedBlock group = start(6);
    AtomicBoolean claimed = new AtomicBoolean();
    c.install(policy -> claimed.get());
    c.lose(group, 0);
    QueueCluster.await("stock repairing it", () -> c.group(FILE).getLocations().length == 5);
    assertEquals(0, c.queue.counts().owned);
    claimed.set(true);
    c.queue.claimsChanged();
    c.lose(c.group(FILE), 1);
    c.awaitLost(c.id(group));
    claimed.set(false);
    c.queue.claimsChanged();
    QueueCluster.await("stock repairing it again", () -> {
      c.poll();
      return c.group(FILE).getLocations().length == 5;
    });
    assertTrue(c.gone.contains(c.id(group)));
  }

  @Test
  public void aReplacedBlockManagerIsUsed() throws Exception {
    LocatedStripedBlock group = start(6);
    c.install(QueueCluster.LOSSES);
    BlockManager spy = Mockito.spy(c.bm());
    c.namesystem().setBlockManagerForTesting(spy);
    c.lose(group, 1);
    LostGroup lost = c.awaitLost(c.id(group));
    c.granted(QueueCluster.assignment(lost, 1, c.spare(group)));
    Mockito.verify(spy, Mockito.atLeastOnce()).isPopulatingReplQueues();
  }

  @Test
  public void stockEndsADecommissionThatIsNotClaimed() throws Exception {
    decommission(false);
  }

  @Test
  public void aClaimedDecommissionEndsByRepair() throws Exception {
    decommission(true);
  }

  private void decommission(boolean claimed) throws Exception {
    LocatedStripedBlock group = start(7);
    c.install(claimed ? QueueCluster.LOSSES_AND_LEAVING : QueueCluster.LOSSES);
    DataNode leaving = c.holder(group, 0);
    DatanodeDescriptor node = c.descriptor(leaving);
    c.bm().getDatanodeManager().getDatanodeAdminManager();
    c.namesystem().writeLock();
    c.bm().getDatanodeManager().getDatanodeAdminManager().startDecommission(node);
    c.namesystem().writeUnlock("test");
    if (claimed) {
      LostGroup lost = c.awaitLost(c.id(group));
      assertEquals(List.of(0), lost.lost);
      assertEquals(2, lost.spareUnits);
      assertEquals(5, lost.live.size(), "the unit on the leaving node can be read");
      c.awaitStocksTurns();
      assertEquals(0, pending(group));
      assertTrue(node.isDecommissionInProgress());
      RepairGrant grant = c.granted(QueueCluster.assignment(lost, 0, c.spare(group)));
      c.rebuild(lost, grant);
      assertEquals(RepairEnd.DONE, c.awaitEnd(grant));
    }
    QueueCluster.await("the decommission's end", () -> {
      c.poll();
      return node.isDecommissioned();
    });
    assertEquals(claimed, c.lost.stream().anyMatch(g -> g.id.equals(c.id(group))));
  }

  @Test
  public void aLossAndALeavingNodeAreToldApart() throws Exception {
    LocatedStripedBlock group = start(7);
    c.install(QueueCluster.LOSSES);
    c.lose(group, 1);
    c.awaitLost(c.id(group));
    DatanodeDescriptor node = c.descriptor(c.holder(group, 0));
    c.namesystem().writeLock();
    c.bm().getDatanodeManager().getDatanodeAdminManager().startDecommission(node);
    c.namesystem().writeUnlock("test");
    LostGroup lost = c.queue.look(List.of(c.id(group))).get(0);
    assertEquals(List.of(1), lost.lost);
    assertEquals(4, lost.live.size());
    c.awaitStocksTurns();
    assertEquals(0, pending(group));
    RepairGrant grant = c.granted(QueueCluster.assignment(lost, 1, c.spare(group)));
    c.rebuild(lost, grant);
    assertEquals(RepairEnd.DONE, c.awaitEnd(grant));
    QueueCluster.await("stock's end of the decommission", () -> {
      c.poll();
      return node.isDecommissioned();
    });
    assertEquals(0, c.queue.counts().owned);
  }

  @Test
  public void aUnitInMaintenanceIsNeitherLostNorReadable() throws Exception {
    LocatedStripedBlock group = start(6);
    c.install(QueueCluster.LOSSES);
    DatanodeDescriptor node = c.descriptor(c.holder(group, 0));
    c.namesystem().writeLock();
    c.bm().getDatanodeManager().getDatanodeAdminManager().startMaintenance(node, Long.MAX_VALUE);
    c.namesystem().writeUnlock("test");
    QueueCluster.await("the maintenance", node::isInMaintenance);
    c.poll();
    assertTrue(c.lost.isEmpty());
    c.lose(group, 1);
    LostGroup lost = c.awaitLost(c.id(group));
    assertEquals(List.of(1), lost.lost);
    assertEquals(3, lost.live.size());
    assertEquals(4, lost.occupied().size());
    assertEquals(0, lost.spareUnits);
    RepairGrant grant = c.granted(QueueCluster.assignment(lost, 1, c.spare(group)));
    assertFalse(needed(group));
    c.rebuild(lost, grant);
    assertEquals(RepairEnd.DONE, c.awaitEnd(grant));
    assertEquals(0, c.bm().getLowRedundancyECBlockGroups());
  }

  /**
   * Without a second NameNode, this one is certainly active, so it may take a term above any term
   * that it has heard of.
   */
  @Test
  public void outgrowsTheTermsOfATimeThatWasRolledBack() throws Exception {
    LocatedStripedBlock group = start(6);
    c.install(QueueCluster.LOSSES);
    c.lose(group, 1);
    c.queue.heardOfTerm(1L << 40);
    LostGroup lost = c.awaitLost(c.id(group));
    long before = c.queue.term();
    c.queue.heardOfTerm(before);
    c.queue.heardOfTerm(Long.MAX_VALUE);
    c.poll();
    assertEquals(before, c.queue.term(), "a lie");
    c.queue.heardOfTerm(before + (1L << 40));
    c.poll();
    assertEquals(before + (1L << 40) + 1, c.queue.term());
    assertEquals(Optional.of(Refusal.NOT_ACTIVE), c.queue.begin(before,
        List.of(QueueCluster.assignment(lost, 1, c.spare(group))), false).get(0).refusal());
    RepairGrant grant = c.granted(QueueCluster.assignment(lost, 1, c.spare(group)));
    assertEquals(c.queue.term(), grant.term);
    c.queue.heardOfTerm(c.queue.term() + 1);
    c.poll();
    assertEquals(grant.term, c.queue.term(),
        "a liar must not be able to raise the term again at once");
  }

  @Test
  public void worksFromARestartOn() throws Exception {
    LocatedStripedBlock group = start(6);
    c.install(QueueCluster.LOSSES);
    c.poll();
    long before = c.queue.term();
    int stopped = c.cluster.getDataNodes().indexOf(c.holder(group, 3));
    c.cluster.stopDataNode(stopped);
    c.cluster.restartNameNode(false);
    c.install(QueueCluster.LOSSES);
    c.awaitLost(c.id(group));
    assertTrue(c.queue.term() > before, before + " < " + c.queue.term());
    // The file has a single block, so safe mode ends before the DataNodes have reported.
    QueueCluster.await("the DataNodes' reports", () -> {
      c.poll();
      List<LostGroup> now = c.queue.look(List.of(c.id(group)));
      return !now.isEmpty() && now.get(0).lost.equals(List.of(3));
    });
    LostGroup lost = c.queue.look(List.of(c.id(group))).get(0);
    c.awaitStocksTurns();
    assertEquals(0, pending(group));
    assertEquals(1, c.bm().getLowRedundancyECBlockGroups());
    RepairGrant grant = c.granted(QueueCluster.assignment(lost, 3, c.spare(group)));
    c.rebuild(lost, grant);
    assertEquals(RepairEnd.DONE, c.awaitEnd(grant));
  }

  /**
   * When the claims close, for example because too few DataNodes take part, stock gets all groups
   * except those that it must not decode.
   */
  @Test
  public void whatIsHeldBackIsNotDecodedWhenTheClaimsClose() throws Exception {
    LocatedStripedBlock group = start(6);
    byte[] data = c.write("/ec/sound");
    LocatedStripedBlock sound = c.group("/ec/sound");
    AtomicBoolean open = new AtomicBoolean(true);
    c.install(policy -> open.get());
    c.lose(group, 1);
    c.lose(sound, 2);
    c.awaitLost(c.id(group));
    assertTrue(c.queue.holdBack(c.id(group)));
    open.set(false);
    c.queue.claimsChanged();
    QueueCluster.await("all being stock's", () -> {
      c.poll();
      return c.queue.counts().owned == 0;
    });
    QueueCluster.await("stock repairing the other one",
        () -> c.group("/ec/sound").getLocations().length == 5);
    c.assertWhole("/ec/sound", data);
    c.awaitStocksTurns();
    assertEquals(0, pending(group));
    assertTrue(needed(group));
    assertEquals(4, c.group(FILE).getLocations().length);
    assertEquals(1, c.queue.counts().heldBack);
    // A second loss of the group changes nothing.
    c.lose(group, 2);
    c.awaitStocksTurns();
    assertEquals(0, pending(group));
    c.queue.letGo(c.id(group));
    QueueCluster.await("stock repairing it", () -> c.group(FILE).getLocations().length == 5);
  }

  @Test
  public void whatIsHeldBackIsCopiedAndNotDecoded() throws Exception {
    LocatedStripedBlock group = start(7);
    c.install(QueueCluster.LOSSES);
    assertTrue(c.queue.holdBack(c.id(group)));
    DatanodeDescriptor node = c.descriptor(c.holder(group, 0));
    c.namesystem().writeLock();
    c.bm().getDatanodeManager().getDatanodeAdminManager().startDecommission(node);
    c.namesystem().writeUnlock("test");
    QueueCluster.await("the decommission's end", () -> {
      c.poll();
      return node.isDecommissioned();
    });

    LocatedStripedBlock now = c.group(FILE);
    DatanodeDescriptor next = c.descriptor(c.holder(now, 1));
    c.lose(now, 3);
    c.namesystem().writeLock();
    c.bm().getDatanodeManager().getDatanodeAdminManager().startDecommission(next);
    c.namesystem().writeUnlock("test");
    // The caller believes that the group's unit only leaves and will be copied.
    c.queue.release(List.of(c.id(group)), 300_000);
    assertEquals(0, c.queue.counts().owned);
    c.awaitStocksTurns();
    assertEquals(0, pending(group), "with a unit lost, stock would decode the group");
    assertTrue(next.isDecommissionInProgress());
  }

  @Test
  public void aGroupIsFoundWhetherItIsWholeOrNot() throws Exception {
    LocatedStripedBlock group = start(6);
    c.install(QueueCluster.LOSSES);
    long number = c.id(group).groupId;
    LostGroup whole = c.queue.find(number).get();
    assertEquals(c.id(group), whole.id);
    assertEquals(List.of(), whole.lost);
    assertEquals(5, whole.live.size());
    c.lose(group, 1);
    c.awaitLost(c.id(group));
    LostGroup lost = c.queue.find(number).get();
    assertEquals(List.of(1), lost.lost);
    assertEquals(4, lost.live.size());
    assertFalse(c.queue.find(number - 16).isPresent());
    c.fs.delete(new org.apache.hadoop.fs.Path(FILE), false);
    assertFalse(c.queue.find(number).isPresent());
  }

  @Test
  public void whatIsDeletedIsNotHeldBack() throws Exception {
    LocatedStripedBlock group = start(6);
    c.install(QueueCluster.LOSSES);
    assertTrue(c.queue.holdBack(c.id(group)));
    c.fs.delete(new org.apache.hadoop.fs.Path(FILE), false);
    QueueCluster.await("the group being forgotten", () -> {
      c.poll();
      return c.queue.counts().heldBack == 0;
    });
    assertFalse(c.queue.holdBack(c.id(group)));
  }

  /**
   * When a fifth of their capacity is used, stock's sets shrink. This takes 10 ms with 50,000
   * groups.
   */
  @Test
  public void theQueueGetsSmallerWhenThatTakesNoTime() throws Exception {
    LocatedStripedBlock written = start(6);
    c.install(QueueCluster.LOSSES);
    LowRedundancyBlocks owned = ((SplitLowRedundancyBlocks) c.bm().neededReconstruction)
        .owned;
    ErasureCodingPolicy policy = c.stored(written.getBlock()).getErasureCodingPolicy();
    List<BlockInfo> groups = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      BlockInfo group = new BlockInfoStriped(new Block(-16L * i - 16, 1, 1001), policy);
      group.setBlockCollectionId(7);
      groups.add(group);
      assertTrue(owned.add(group, 4, 0, 0, 5));
    }
    LightWeightLinkedSet<?> set = setOf(owned, groups.get(0));
    int capacity = set.getCapacity();
    assertTrue(capacity >= groups.size(), "capacity " + capacity);
    groups.subList(60, 3_000).forEach(group -> assertTrue(owned.remove(group, 4, 0, 0, 5)));
    assertEquals(capacity, set.getCapacity());
    groups.subList(0, 60).forEach(group -> assertTrue(owned.remove(group, 4, 0, 0, 5)));
    assertTrue(set.getCapacity() < capacity, "the set has shrunk");
  }

  private static LightWeightLinkedSet<?> setOf(LowRedundancyBlocks queue, BlockInfo group)
      throws ReflectiveOperationException {
    Field sets = LowRedundancyBlocks.class.getDeclaredField("priorityQueues");
    sets.setAccessible(true);
    return ((List<?>) sets.get(queue)).stream().map(set -> (LightWeightLinkedSet<?>) set)
        .filter(set -> ((Collection<?>) set).contains(group)).findFirst().get();
  }

  @Test
  public void saysWhatAHadoopLacks() {
    BlockManagerMembers members = new BlockManagerMembers(name -> {
      if (name.equals("PendingReconstructionBlocks")) {
        throw new ClassNotFoundException(name);
      }
      return Class.forName("org.apache.hadoop.hdfs.server.blockmanagement." + name);
    });
    assertTrue(members.missing().contains("class PendingReconstructionBlocks"),
        members.missing()::toString);
    assertThrows(IOException.class, () -> BlockManagerAccess.install(null, QueueCluster.LOSSES,
        uuid -> 0, () -> { }, members, () -> 0, 1));
  }
}
