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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyShort;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file of three groups that are read once more. Units get other nodes in the middle of it. */
class TestVerificationRounds {
  private static final int CELL = 1 << 20;
  private static final long BYTES = 6L * CELL;
  private static final long INODE = 17;
  private static final int UNITS = 9;
  private static final GroupPolicy CODE = new GroupPolicy("rs", 6, 3, CELL);
  private static final int GROUPS = 3;
  /** The node that gets units. */
  private static final int OTHER = 10;

  private final OrderBook desk = new OrderBook();
  private final List<GroupId> added = new ArrayList<>();
  /** The groups in the order in which they are checked. */
  private final List<Integer> checked = new ArrayList<>();
  /** What happens during a check, by its number. */
  private final Map<Integer, Runnable> events = new HashMap<>();
  /** By group, the units that node 10 has, and not the one with the unit's number. */
  private final Map<Integer, BitSet> moved = new HashMap<>();
  private final AtomicBoolean isCancelled = new AtomicBoolean();
  private boolean areAnswered = true;
  private EngineParts parts;
  private FileMaking making;

  private final FakeDoor door = new FakeDoor(12) {
    @Override
    public boolean check(String uuid, ScrubCommand command) {
      super.check(uuid, command);
      checked.add(added.indexOf(command.groupId()));
      events.getOrDefault(checked.size(), () -> { }).run();
      return !areAnswered || desk.tell(uuid, RepairResult.ofScrub(command.id(), 3,
          new ScrubFinding(ScrubOutcome.AGREES, ScrubFinding.NO_UNIT, List.of(), CELL), "", 1));
    }
  };

  @BeforeEach
  void make() throws Exception {
    Configuration conf = new Configuration(false);
    ClientProtocol namenode = mock(ClientProtocol.class);
    HdfsFileStatus created = mock(HdfsFileStatus.class);
    when(created.getFileId()).thenReturn(INODE);
    when(namenode.create(anyString(), any(), anyString(), any(), anyBoolean(), anyShort(),
        anyLong(), any(), any(), any())).thenReturn(created);
    when(namenode.addBlock(anyString(), anyString(), any(), any(), anyLong(), any(), any()))
        .thenAnswer(call -> {
          added.add(new GroupId("BP-1", -1600 - 16 * added.size(), 1001));
          return located(added.size() - 1, DatanodeInfo.EMPTY_ARRAY, new byte[0]);
        });
    when(namenode.complete(anyString(), anyString(), any(), anyLong())).thenReturn(true);
    when(namenode.getLocatedFileInfo(anyString(), anyBoolean())).thenAnswer(call -> status());
    VersionNamespace namespace = mock(VersionNamespace.class);
    when(namespace.reported(INODE)).thenAnswer(call -> added.stream().map(group -> all())
        .collect(Collectors.toList()));
    VersionStore store = VersionStores.of(() -> namenode);
    VersionGate gate = mock(VersionGate.class);
    when(gate.links()).thenReturn(new LinkLoads());
    parts = new EngineParts(
        new EngineParts.Files(namespace, store),
        new EngineParts.DataNodes(door, desk),
        new EngineParts.Manager(gate, new MadeGroups()),
        new CodePathCache(policy ->
            Codes.forCodec(conf, policy.codec, policy.dataUnits, policy.parityUnits)),
        new VersionSettings(4, 0, 1L << 40), VersionHook.NONE,
        new EngineParts.Clocks(() -> 0, () -> 0));
    making = new FileMaking(new VersionContext(parts, new VersionContext.Job("j1", 0),
        new VersionContext.MadeFile("/f", INODE, CODE), 3, () -> { }), WorkFile.create(
        store, "/work", FsPermission.getFileDefault(), 1 << 27, null, "holder", "RS"),
        new MakingGuard(parts, Optional::empty, () -> false, isCancelled::get), "/f");
    FileMaking.Recipes recipes = new FileMaking.Recipes() {
      @Override
      public int count() {
        return GROUPS;
      }

      @Override
      public long bytes(int index) {
        return BYTES;
      }

      @Override
      public GroupWork of(int index, FileGroup group) {
        GroupWork made = mock(GroupWork.class);
        when(made.isDone(any())).thenReturn(true);
        when(made.made()).thenReturn(all());
        return made;
      }
    };
    PhaseSteps.takeAll(() -> making.makeGroups(recipes));
    PhaseSteps.takeAll(making::complete);
  }

  private void checkAll() throws Exception {
    PhaseSteps.takeAll(() -> making.checkAll(false));
  }

  private static BitSet all() {
    BitSet units = new BitSet();
    units.set(0, UNITS);
    return units;
  }

  private LocatedStripedBlock located(int group, DatanodeInfo[] nodes, byte[] indices) {
    return new LocatedStripedBlock(new ExtendedBlock("BP-1", added.get(group).groupId, BYTES,
        1001), nodes, null, null, indices, 0, false, DatanodeInfo.EMPTY_ARRAY);
  }

  private HdfsLocatedFileStatus status() {
    List<LocatedBlock> groups = new ArrayList<>();
    for (int group = 0; group < GROUPS; group++) {
      DatanodeInfo[] nodes = new DatanodeInfo[UNITS];
      byte[] indices = new byte[UNITS];
      for (int unit = 0; unit < UNITS; unit++) {
        NodeRef node = door.node(
            moved.getOrDefault(group, new BitSet()).get(unit) ? OTHER : unit);
        nodes[unit] = new DatanodeInfoBuilder().setNodeID(new DatanodeID(node.ipAddr,
            node.hostName, node.uuid, node.xferPort, 1, 1, 1))
            .setNetworkLocation(node.rack).build();
        indices[unit] = (byte) unit;
      }
      groups.add(located(group, nodes, indices));
    }
    LocatedBlocks blocks = mock(LocatedBlocks.class);
    when(blocks.getLocatedBlocks()).thenReturn(groups);
    HdfsLocatedFileStatus status = mock(HdfsLocatedFileStatus.class);
    when(status.getLocatedBlocks()).thenReturn(blocks);
    return status;
  }

  /** Lets stock keep the replica of another node during a check. */
  private void moveDuring(int check, int group, int unit) {
    events.put(check, () -> moved.computeIfAbsent(group, one -> new BitSet()).flip(unit));
  }

  @Test
  void eachGroupIsCheckedOnce() throws Exception {
    checkAll();
    assertEquals(List.of(0, 1, 2), checked);
  }

  @Test
  void groupsWithUnitsElsewhereAreCheckedAgain() throws Exception {
    moveDuring(2, 0, 3);
    moveDuring(3, 2, 8);
    checkAll();
    assertEquals(List.of(0, 1, 2, 0, 2), checked);
  }

  /** The first group takes hours, and another one was right where its units were before. */
  @Test
  void aGroupThatWasRightIsCheckedAgainIfALaterRoundFindsItsUnitElsewhere() throws Exception {
    moveDuring(3, 0, 3);
    moveDuring(4, 1, 5);
    checkAll();
    assertEquals(List.of(0, 1, 2, 0, 1), checked);
  }

  /** What counts is where they were at the last check of the group, and not at the first one. */
  @Test
  void aUnitThatComesBackToItsFirstNodeIsCheckedThere() throws Exception {
    moveDuring(3, 1, 5);
    moveDuring(4, 1, 5);
    checkAll();
    assertEquals(List.of(0, 1, 2, 1, 1), checked);
  }

  /** Each of them is right in the end, however many rounds that takes. */
  @Test
  void groupsWhoseUnitsMoveOnceInDifferentRoundsDoNotEndTheMaking() throws Exception {
    moveDuring(3, 0, 3);
    moveDuring(4, 1, 5);
    moveDuring(5, 2, 7);
    checkAll();
    assertEquals(List.of(0, 1, 2, 0, 1, 2), checked);
  }

  @Test
  void aGroupWhoseUnitsMoveDuringEachOfItsChecksEndsTheMaking() {
    moveDuring(2, 1, 5);
    moveDuring(4, 1, 6);
    moveDuring(5, 1, 7);
    VersionStopException e =
        assertThrows(VersionStopException.class, this::checkAll);
    assertTrue(e.getMessage().contains("other DataNodes after each of 3 checks"), e.toString());
    assertFalse(e.isForGood);
    assertEquals(List.of(0, 1, 2, 1, 1), checked);
  }

  /** Others of the node would wait for a check that nothing needs any more. */
  @Test
  void aMakingThatEndsTakesItsCheckBack() {
    areAnswered = false;
    events.put(1, () -> isCancelled.set(true));
    VersionStopException e =
        assertThrows(VersionStopException.class, this::checkAll);
    assertEquals("the job was cancelled", e.getMessage());
    making.cancel();
    assertEquals(List.of(door.given.get(0).command.id()), door.cancelled);
    for (int unit = 0; unit < UNITS; unit++) {
      NodeRef node = door.node(unit);
      assertEquals(Optional.of(node), parts.checks.take(List.of(node)), "its place is free");
    }
  }
}
