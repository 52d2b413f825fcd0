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
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyShort;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file of one group whose units are all made. DataNodes send the digests that the test says. */
class TestDigestVerification {
  private static final long SEED = 20_261_126;
  private static final int CELL = 1 << 20;
  private static final long BYTES = 6L * CELL;
  private static final long INODE = 17;
  private static final int UNITS = 9;
  private static final GroupPolicy CODE = new GroupPolicy("rs", 6, 3, CELL);
  private static final GroupId GROUP = new GroupId("BP-1", -1600, 1001);

  private final OrderBook desk = new OrderBook();
  /** What each unit's node sends. */
  private final Map<Integer, Integer> digests = new HashMap<>();
  private final Set<Long> seeds = new HashSet<>();
  private final List<ScrubCommand> checks = new ArrayList<>();
  private ScrubOutcome outcome = ScrubOutcome.AGREES;
  /** Further replicas: node 10 has these units, too. */
  private final Set<Integer> twice = new HashSet<>();
  /** Units that have moved to node 10. */
  private final Set<Integer> moved = new HashSet<>();
  /** What happens when all units are read. */
  private Runnable meanwhile = () -> { };
  private int looks;
  private int looksUntilStockDeletes = Integer.MAX_VALUE;
  /** Whether stock then keeps the replica of node 10. */
  private boolean moves;
  private final Set<Integer> linked = new HashSet<>();
  private long nowMs;
  private EngineParts parts;
  private FileMaking making;
  private VersionContext context;

  /** DataNodes that carry out all orders at once. */
  private final FakeDoor door = new FakeDoor(12) {
    @Override
    public boolean link(String uuid, LinkCommand command) {
      command.digestKey.ifPresent(key -> seeds.add(key.seed));
      Map<Integer, Integer> sent = new HashMap<>();
      for (int i = 0; i < command.digested.size(); i++) {
        int unit = (int) (command.digested.get(i).blockId - GROUP.groupId);
        if (digests.containsKey(unit)) {
          sent.put(i, digests.get(unit));
        }
      }
      return desk.tell(uuid, new RepairResult(command.id(), 3, RepairOutcome.REBUILT,
          command.links.isEmpty() ? List.of() : List.of(0), CELL, 1)
          .withVersion(VersionReport.NOTHING.withDigests(sent)));
    }

    @Override
    public boolean make(String uuid, MakeCommand command) {
      command.digestKey.ifPresent(key -> seeds.add(key.seed));
      int unit = (int) (command.work.blocks.get(1).blockId - GROUP.groupId);
      Map<Integer, Integer> sent = digests.containsKey(unit) ? Map.of(1, digests.get(unit))
          : Map.of();
      return desk.tell(uuid, new RepairResult(command.id(), 3, RepairOutcome.REBUILT, List.of(1),
          CELL, 1).withVersion(VersionReport.NOTHING.withDigests(sent)));
    }

    @Override
    public boolean check(String uuid, ScrubCommand command) {
      checks.add(command);
      meanwhile.run();
      return desk.tell(uuid, RepairResult.ofScrub(command.id(), 3, new ScrubFinding(outcome,
          ScrubFinding.NO_UNIT, List.of(), CELL), "as the test says", 1));
    }
  };

  @BeforeEach
  void parts() throws Exception {
    Configuration conf = new Configuration(false);
    ClientProtocol namenode = mock(ClientProtocol.class);
    HdfsFileStatus created = mock(HdfsFileStatus.class);
    when(created.getFileId()).thenReturn(INODE);
    when(namenode.create(anyString(), any(), anyString(), any(), anyBoolean(), anyShort(),
        anyLong(), any(), any(), any())).thenReturn(created);
    when(namenode.addBlock(anyString(), anyString(), any(), any(), anyLong(), any(), any()))
        .thenReturn(located(DatanodeInfo.EMPTY_ARRAY, new byte[0]));
    when(namenode.complete(anyString(), anyString(), any(), anyLong())).thenReturn(true);
    when(namenode.getLocatedFileInfo(anyString(), anyBoolean())).thenAnswer(call -> status());
    VersionNamespace namespace = mock(VersionNamespace.class);
    when(namespace.target(anyInt(), any(), anyLong(), anyLong())).thenAnswer(call -> Optional.of(
        new CommandTarget(call.getArgument(0), call.getArgument(1), "DS-1", StorageType.DISK)));
    BitSet all = new BitSet();
    all.set(0, UNITS);
    when(namespace.reported(INODE)).thenReturn(List.of()).thenReturn(List.of(all));
    VersionGate gate = mock(VersionGate.class);
    when(gate.links()).thenReturn(new LinkLoads());
    when(gate.whyNot()).thenReturn(Optional.empty());
    VersionStore store = VersionStores.of(() -> namenode);
    parts = new EngineParts(
        new EngineParts.Files(namespace, store),
        new EngineParts.DataNodes(door, desk),
        new EngineParts.Manager(gate, new MadeGroups()),
        new CodePathCache(policy ->
            Codes.forCodec(conf, policy.codec, policy.dataUnits, policy.parityUnits)),
        new VersionSettings(4, 0, 1L << 40), VersionHook.NONE,
        new EngineParts.Clocks(() -> nowMs, () -> nowMs));
    context = new VersionContext(parts, new VersionContext.Job("j1", 0),
        new VersionContext.MadeFile("/f", INODE, CODE), 3, () -> { });
    making = new FileMaking(context, WorkFile.create(store, "/work", FsPermission.getFileDefault(),
        1 << 27, null, "holder", "RS"),
        new MakingGuard(parts, Optional::empty, () -> false, () -> false), "/f");
    LinearCode code = parts.codes.code(CODE);
    Random random = new Random(SEED);
    for (int unit = 0; unit < UNITS; unit++) {
      digests.put(unit, unit < 6 ? random.nextInt() : parity(code, unit));
    }
  }

  /** Returns the digest of a parity unit of the data units' digests. */
  private int parity(LinearCode code, int parity) {
    int digest = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      for (int unit = 0; unit < 6; unit++) {
        digest ^= Gf256.mul(code.generator().get(parity, unit),
            digests.get(unit) >>> shift & 0xff) << shift;
      }
    }
    return digest;
  }

  private static LocatedStripedBlock located(DatanodeInfo[] nodes, byte[] indices) {
    return new LocatedStripedBlock(new ExtendedBlock("BP-1", GROUP.groupId, BYTES,
        GROUP.generationStamp), nodes, null, null, indices, 0, false, DatanodeInfo.EMPTY_ARRAY);
  }

  /** Node u has unit u. Node 10 has the units that the test has moved, or has twice. */
  private HdfsLocatedFileStatus status() {
    nowMs += 10_000;
    if (++looks > looksUntilStockDeletes) {
      if (moves) {
        moved.addAll(twice);
      }
      twice.clear();
    }
    List<Integer> units = new ArrayList<>();
    for (int unit = 0; unit < UNITS; unit++) {
      units.add(unit);
    }
    units.addAll(twice);
    DatanodeInfo[] nodes = new DatanodeInfo[units.size()];
    byte[] indices = new byte[units.size()];
    for (int i = 0; i < units.size(); i++) {
      int unit = units.get(i);
      NodeRef node = door.node(i >= UNITS || moved.contains(unit) ? 10 : unit);
      nodes[i] = new DatanodeInfoBuilder().setNodeID(new DatanodeID(node.ipAddr,
          node.hostName, node.uuid, node.xferPort, 1, 1, 1))
          .setNetworkLocation(node.rack).build();
      indices[i] = (byte) unit;
    }
    LocatedBlocks blocks = mock(LocatedBlocks.class);
    when(blocks.getLocatedBlocks()).thenReturn(List.of(located(nodes, indices)));
    HdfsLocatedFileStatus status = mock(HdfsLocatedFileStatus.class);
    when(status.getLocatedBlocks()).thenReturn(blocks);
    return status;
  }

  /** Makes each unit at the node with its number, as a copy of a block of node 11. */
  private final class Copies implements FileMaking.Recipes {
    @Override
    public int count() {
      return 1;
    }

    @Override
    public long bytes(int index) {
      return BYTES;
    }

    @Override
    public GroupWork of(int index, FileGroup group) {
      return new GroupMaking(context, new GroupRecipe() {
        @Override
        public MakePlan plan(Set<Integer> wanted, Collection<NodeRef> taken, NodeNotes nodes) {
          List<UnitPlace> places = new ArrayList<>();
          List<Make> makes = new ArrayList<>();
          for (int unit : wanted) {
            if (linked.contains(unit)) {
              places.add(new UnitPlace(unit, door.node(unit), unit));
              continue;
            }
            places.add(new UnitPlace(unit, door.node(unit), UnitPlace.NONE));
            makes.add(new Make("rs", 1, List.of(MakeSlot.old(0), MakeSlot.ofNew(unit)),
                List.of(new UnitHolder(1, door.node(unit))), List.of(new UnitHolder(0,
                door.node(11))), new Make.Route("star", true, 1)));
          }
          return new MakePlan(places, makes);
        }

        @Override
        public void locate() {
          throw new AssertionError("no unit has failed");
        }

        @Override
        public boolean wantsDigests() {
          return true;
        }

        @Override
        public LinkCommand link(String id, List<UnitPlace> places) {
          int unit = places.get(0).unit;
          return new LinkCommand(id, 3, List.of(new LinkCommand.Link(
              new BlockRef("BP-1", -6400 + unit, 1001, CELL), GROUP.block(unit, CELL))), 60_000);
        }

        @Override
        public MakeCommand make(String id, Make make, List<CommandTarget> targets) {
          int unit = make.slots.get(1).unit;
          return new MakeCommand(new RepairCommand(RepairCommand.of(id, 3, group.id, BYTES)
              .setCodec("rs").setDataUnits(1).setParityUnits(1).setCellBytes(CELL)
              .setTopology("star").setDeadlineMs(60_000),
              List.of(new BlockRef("BP-1", -3200, 1001, CELL), group.id.block(unit, CELL)),
              make.helpers, targets), 1 << 20);
        }

        @Override
        public VersionStopException contradiction(RepairResult result) {
          throw new AssertionError("no result has one");
        }

        @Override
        public boolean mustBeDurable() {
          return false;
        }

        @Override
        public String what() {
          return "the group";
        }
      }, group);
    }
  }

  private void make() throws Exception {
    FileMaking.Recipes copies = new Copies();
    PhaseSteps.takeAll(() -> making.makeGroups(copies));
    PhaseSteps.takeAll(making::complete);
    assertEquals(1, seeds.size(),
        "digests with different seeds cannot be compared");
    assertEquals(0, parts.links.size(), "nothing is planned any more");
    PhaseSteps.takeAll(() -> making.checkAll(false));
  }

  @Test
  void unitsWhoseDigestsAgreeAreNotReadOnceMore() throws Exception {
    make();
    assertEquals(List.of(), checks);
  }

  /** Any unit may be the wrong one, and any bit of its digest may show it. */
  @Test
  void aContradictionIsLookedAtUnitByUnit() throws Exception {
    outcome = ScrubOutcome.CONTRADICTION;
    Random random = new Random(SEED);
    int unit = random.nextInt(UNITS);
    digests.merge(unit, 1 << random.nextInt(Integer.SIZE), (digest, bit) -> digest ^ bit);
    VersionStopException e = assertThrows(VersionStopException.class, this::make);
    assertTrue(e.isForGood, "seed " + SEED + ", unit " + unit);
    assertEquals(1, checks.size());
  }

  /** A node that computes a wrong digest accuses no unit. */
  @Test
  void wrongDigestsOfUnitsThatAgreeAreNoContradiction() throws Exception {
    digests.merge(3, 1, (digest, bit) -> digest ^ bit);
    make();
    assertEquals(1, checks.size());
    assertEquals(UNITS, checks.get(0).holders.size());
  }

  /** Older DataNodes send none. */
  @Test
  void withoutADigestOfEachUnitAllAreRead() throws Exception {
    digests.remove(8);
    outcome = ScrubOutcome.CONTRADICTION;
    assertThrows(VersionStopException.class, this::make);
    assertEquals(1, checks.size());
  }

  /** The digest is that of another replica. */
  @Test
  void withAUnitElsewhereAllAreRead() throws Exception {
    moved.add(7);
    outcome = ScrubOutcome.CONTRADICTION;
    assertThrows(VersionStopException.class, this::make);
    assertEquals(1, checks.size());
    assertEquals(door.node(10), checks.get(0).holders.stream()
        .filter(holder -> holder.unit == 7).findFirst().orElseThrow().node);
  }

  /** A node that was silent has made a unit once more. Stock may keep that one. */
  @Test
  void aSecondReplicaIsWaitedFor() throws Exception {
    twice.add(2);
    looksUntilStockDeletes = 3;
    make();
    assertEquals(5, looks, "once more after the check");
    assertEquals(List.of(), checks);
  }

  /** The node of a linked unit is being decommissioned, and another one has a copy. */
  @Test
  void aSecondReplicaOfALinkIsNotWaitedFor() throws Exception {
    linked.add(2);
    twice.add(2);
    make();
    assertEquals(2, looks, "once more after the check");
    assertEquals(List.of(), checks);
  }

  /** It does not matter that others are links. */
  @Test
  void aSecondReplicaOfAMadeUnitIsWaitedForBesideLinks() throws Exception {
    linked.add(2);
    twice.add(8);
    looksUntilStockDeletes = 3;
    make();
    assertEquals(5, looks, "once more after the check");
    assertEquals(List.of(), checks);
  }

  /** Lets a node make a unit once more while all are read the first time. */
  private void secondReplicaDuringTheFirstCheck(int unit, boolean isKept) {
    // Without a digest, all units are read.
    digests.remove(8);
    meanwhile = () -> {
      if (checks.size() == 1) {
        twice.add(unit);
        looksUntilStockDeletes = looks + 3;
        moves = isKept;
      }
    };
  }

  /** Stock deletes the one that was not checked. */
  @Test
  void aSecondReplicaThatAppearsDuringTheCheckIsWaitedFor() throws Exception {
    secondReplicaDuringTheFirstCheck(2, false);
    make();
    assertEquals(5, looks);
    assertEquals(1, checks.size());
  }

  /** Stock deletes the one that was checked. */
  @Test
  void aSecondReplicaThatReplacesTheCheckedOneIsChecked() throws Exception {
    secondReplicaDuringTheFirstCheck(2, true);
    make();
    assertEquals(2, checks.size());
    assertEquals(door.node(10), checks.get(1).holders.stream()
        .filter(holder -> holder.unit == 2).findFirst().orElseThrow().node);
  }

  @Test
  void aWrongSecondReplicaThatReplacesTheCheckedOneIsFound() {
    secondReplicaDuringTheFirstCheck(2, true);
    Runnable appears = meanwhile;
    meanwhile = () -> {
      appears.run();
      outcome = checks.size() == 1 ? ScrubOutcome.AGREES : ScrubOutcome.CONTRADICTION;
    };
    assertTrue(assertThrows(VersionStopException.class, this::make).isForGood);
    assertEquals(2, checks.size());
  }

  @Test
  void aSecondReplicaThatAppearsDuringTheCheckAndStaysEndsTheMaking() {
    secondReplicaDuringTheFirstCheck(2, false);
    Runnable appears = meanwhile;
    meanwhile = () -> {
      appears.run();
      looksUntilStockDeletes = Integer.MAX_VALUE;
    };
    VersionStopException e = assertThrows(VersionStopException.class, this::make);
    assertTrue(e.getMessage().contains("two replicas"), e.toString());
    assertEquals(1, checks.size());
  }

  /** Each check finds another node. */
  @Test
  void unitsThatMoveAgainAndAgainEndTheMaking() {
    digests.remove(8);
    meanwhile = () -> {
      if (!moved.remove(2)) {
        moved.add(2);
      }
    };
    VersionStopException e = assertThrows(VersionStopException.class, this::make);
    assertTrue(e.getMessage().contains("other DataNodes"), e.toString());
    assertFalse(e.isForGood);
  }

  @Test
  void aSecondReplicaThatStaysEndsTheMaking() {
    twice.add(2);
    VersionStopException e = assertThrows(VersionStopException.class, this::make);
    assertTrue(e.getMessage().contains("two replicas"), e.toString());
    assertEquals(List.of(), checks);
  }

  /** Groups that follow each other have nothing in common but the relations. */
  @Test
  void seedsOfNeighboursAreNoStepsOfOneSequence() {
    long golden = 0x9e3779b97f4a7c15L;
    long seed = new GroupDigests(GROUP).seed();
    for (int group = 1; group < 10; group++) {
      for (int stamp = 0; stamp < 10; stamp++) {
        long other = new GroupDigests(new GroupId("BP-1", GROUP.groupId - 16 * group,
            GROUP.generationStamp + stamp)).seed();
        for (int step = -10_000; step < 10_000; step++) {
          assertTrue(seed + step * golden != other, group + ", " + stamp + ", " + step);
        }
      }
    }
  }

  /** An earlier digest says nothing about a unit that was made anew. */
  @Test
  void onlyTheLastMakingOfAUnitCounts() throws IOException {
    LinearCode code = parts.codes.code(CODE);
    GroupDigests made = new GroupDigests(GROUP);
    List<UnitHolder> holders = new ArrayList<>();
    digests.forEach((unit, digest) -> {
      holders.add(new UnitHolder(unit, door.node(unit)));
      made.made(unit, door.node(unit).uuid, digest);
    });
    assertTrue(made.suffice(code, holders) && made.agree(code));
    made.made(4, door.node(4).uuid, null);
    assertFalse(made.suffice(code, holders));
    made.made(4, door.node(4).uuid, digests.get(4) ^ 1);
    assertTrue(made.suffice(code, holders));
    assertFalse(made.agree(code));
  }
}
