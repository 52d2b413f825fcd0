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
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.LogPart;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A group of RS(6,3) is committed whose units are in racks of their own, so that unit 6 collects
 * the changes of four data units for units 7 and 8. Each test decides what the DataNodes answer.
 */
class TestPatchMaking {
  private static final int CELL = 1 << 20;
  private static final long BYTES = 6L * CELL;
  private static final long INODE = 17;
  private static final int UNITS = 9;
  private static final int CHANGED = 4;
  private static final int COLLECTOR = 6;
  private static final FileGroup OLD = new FileGroup(new GroupId("BP-1", -3200, 1001), BYTES, 0);
  private static final FileGroup MADE = new FileGroup(new GroupId("BP-1", -1600, 1002), BYTES, 0);
  /** How long a unit waits after a failure, ms. */
  private static final long REST_MS = 1_000;
  /** The time that an order may take, with a node's rate that makes it the least one, ms. */
  private static final long LATE_MS = 300_000 + 1 + 30_000;

  /** A node that has no unit, unless {@link #extra} is set. */
  private static final int SPARE = UNITS;

  private final FakeDoor door = new FakeDoor(UNITS + 1);
  private final OrderBook desk = new OrderBook();
  private long nowMs = 1_000_000;
  private PatchMaking making;
  /** The NameNode lists a second replica of this unit, on the spare node. Null for no unit. */
  private Integer extra;
  /** A unit that the NameNode does not locate at its own node; none if null. */
  private Integer moved;

  @BeforeEach
  void begin() throws Exception {
    begin("collect");
  }

  private void begin(String strategy) throws Exception {
    Configuration conf = new Configuration(false);
    ClientProtocol namenode = mock(ClientProtocol.class);
    when(namenode.getLocatedFileInfo(anyString(), anyBoolean())).thenAnswer(call -> located());
    VersionGate gate = mock(VersionGate.class);
    when(gate.links()).thenReturn(new LinkLoads());
    when(gate.whyNot()).thenReturn(Optional.empty());
    when(gate.doubt(any(), anyInt())).thenThrow(new AssertionError("nothing is in doubt"));
    EngineParts parts = new EngineParts(
        new EngineParts.Files(mock(VersionNamespace.class), VersionStores.of(() -> namenode)),
        new EngineParts.DataNodes(door, desk),
        new EngineParts.Manager(gate, new MadeGroups()),
        new CodePathCache(policy ->
            Codes.forCodec(conf, policy.codec, policy.dataUnits, policy.parityUnits)),
        new VersionSettings(4, 0, 1L << 40), VersionHook.NONE,
        new EngineParts.Clocks(() -> nowMs, () -> nowMs));
    VersionContext context =
        new VersionContext(parts, new VersionContext.Job("j1", 0), new VersionContext.MadeFile(
            "/f", INODE, new GroupPolicy("rs", 6, 3, CELL)), 3, () -> { });
    List<UnitPatch> patches = new ArrayList<>();
    for (int unit = 0; unit < CHANGED; unit++) {
      UpdateTicket ticket = new UpdateTicket(new UnitId(new UUID(1, 2), 0, unit),
          OLD.id.block(unit, CELL),
          9, 7, 3, List.of(node(unit))).ofVersion(2);
      patches.add(new UnitPatch(ticket, 1, 5, new TreeMap<>(Map.of(0L, 100L))));
    }
    making = new PatchMaking(context, Codes.forCodec(conf, "rs", 6, 3), strategy, patches,
        new PatchMaking.Groups(INODE, OLD, MADE), OldUnits.locate(parts.store, door, INODE));
    making.begin();
  }

  private NodeRef node(int unit) {
    NodeRef node = door.node(unit);
    return new NodeRef(node.uuid, node.ipAddr, node.hostName, node.xferPort,
        node.repairPort, "/rack-" + unit);
  }

  private DatanodeInfo place(int index) {
    NodeRef node = node(index);
    return new DatanodeInfoBuilder().setNodeID(new DatanodeID(node.ipAddr, node.hostName,
        node.uuid, node.xferPort, 1, 1, 1)).setNetworkLocation(node.rack).build();
  }

  /** Unit u lies at node u, in rack u. */
  private HdfsLocatedFileStatus located() {
    List<DatanodeInfo> nodes = new ArrayList<>();
    ByteArrayOutputStream indices = new ByteArrayOutputStream();
    for (int unit = 0; unit < UNITS; unit++) {
      if (moved == null || unit != moved) {
        nodes.add(place(unit));
        indices.write(unit);
      }
    }
    if (extra != null) {
      nodes.add(place(SPARE));
      indices.write(extra);
    }
    LocatedStripedBlock block = new LocatedStripedBlock(
        new ExtendedBlock("BP-1", OLD.id.groupId, BYTES, 1001),
        nodes.toArray(new DatanodeInfo[0]), null, null, indices.toByteArray(), 0, false,
        DatanodeInfo.EMPTY_ARRAY);
    LocatedBlocks blocks = mock(LocatedBlocks.class);
    when(blocks.getLocatedBlocks()).thenReturn(Collections.singletonList(block));
    HdfsLocatedFileStatus status = mock(HdfsLocatedFileStatus.class);
    when(status.getLocatedBlocks()).thenReturn(blocks);
    return status;
  }

  private void after(long ms) throws VersionStopException, IOException {
    nowMs += ms;
    making.advance(new BitSet());
  }

  private static PatchCommand command(FakeDoor.Given given) {
    return (PatchCommand) given.command;
  }

  private void end(FakeDoor.Given given, RepairOutcome outcome, List<Integer> units, String failed,
      FailureCause cause) {
    desk.tell(given.uuid, new RepairResult(given.command.id(), 3, outcome, units, 0, 1)
        .withFailure(failed, cause, "as the test says").withVersion(VersionReport.NOTHING));
  }

  private void done(FakeDoor.Given given) {
    end(given, RepairOutcome.REBUILT, List.of(command(given).unit), null, null);
  }

  private void failed(FakeDoor.Given given, int node, FailureCause cause) {
    end(given, RepairOutcome.FAILED, List.of(), FakeDoor.uuid(node), cause);
  }

  private static List<Integer> units(List<FakeDoor.Given> given) {
    return given.stream().map(one -> command(one).unit).sorted().collect(Collectors.toList());
  }

  /** Has the patches of these units ordered, and of no others, and returns them by unit. */
  private Map<Integer, FakeDoor.Given> ordered(Integer... units) throws Exception {
    after(1);
    List<FakeDoor.Given> given = door.patches();
    assertEquals(List.of(units), units(given));
    for (FakeDoor.Given one : given) {
      assertEquals(FakeDoor.uuid(command(one).unit), one.uuid);
    }
    assertHurried(given);
    return given.stream().collect(Collectors.toMap(one -> command(one).unit, one -> one));
  }

  /** Nodes fetch these orders before their next regular heartbeat. */
  private void assertHurried(List<FakeDoor.Given> given) {
    for (FakeDoor.Given one : given) {
      assertTrue(door.hurried.contains(one.uuid), one.uuid);
    }
    door.hurried.clear();
  }

  /** All units are done that the collector needs. Returns its order. */
  private FakeDoor.Given collecting() throws Exception {
    assertHurried(new ArrayList<>(door.given));
    door.links().forEach(link -> end(link, RepairOutcome.REBUILT, List.of(0), null, null));
    List<FakeDoor.Given> data = door.patches();
    assertEquals(List.of(0, 1, 2, 3), units(data));
    after(1);
    assertEquals(List.of(), door.patches(), "no parity unit is made before all data units");
    data.forEach(this::done);
    return ordered(COLLECTOR).get(COLLECTOR);
  }

  private void assertEnded() throws Exception {
    after(1);
    assertEquals(List.of(), door.given);
    assertEquals(0, desk.size());
    BitSet reported = new BitSet();
    reported.set(0, UNITS);
    assertTrue(making.isDone(reported));
    reported.clear(COLLECTOR);
    assertFalse(making.isDone(reported));
  }

  @Test
  void theCollectorIsDoneBeforeOthersReadFromIt() throws Exception {
    FakeDoor.Given collecting = collecting();
    assertTrue(command(collecting).isForwarder());
    assertEquals(Optional.empty(), command(collecting).collector());
    for (int unit = 0; unit < CHANGED; unit++) {
      assertEquals(Map.of(0L, 100L), command(collecting).sources.get(unit).forwarded);
    }
    ordered();
    done(collecting);
    Map<Integer, FakeDoor.Given> others = ordered(7, 8);
    for (FakeDoor.Given other : others.values()) {
      assertEquals(COLLECTOR, command(other).collector().orElseThrow().unit);
      assertEquals(FakeDoor.uuid(COLLECTOR),
          command(other).collector().orElseThrow().node.uuid);
      assertEquals(Optional.empty(), command(other).forwarder());
      for (int unit = 0; unit < CHANGED; unit++) {
        assertEquals(Map.of(0L, 100L), command(other).sources.get(unit).collected);
      }
      done(other);
    }
    assertEnded();
  }

  /** A process that began anew has nothing for those that read from it. */
  @Test
  void whatTheCollectorHasLostIsCollectedOnceMore() throws Exception {
    done(collecting());
    Map<Integer, FakeDoor.Given> others = ordered(7, 8);
    failed(others.get(7), COLLECTOR, FailureCause.NO_SUCH_BLOCK);
    FakeDoor.Given again = ordered(COLLECTOR).get(COLLECTOR);
    failed(others.get(8), COLLECTOR, FailureCause.NO_SUCH_BLOCK);
    ordered();
    done(again);
    ordered();
    nowMs += REST_MS;
    ordered(7, 8).values().forEach(this::done);
    assertEnded();
  }

  /** One that reads at that moment, and is not disturbed, is not made twice. */
  @Test
  void aReaderThatGoesOnCounts() throws Exception {
    done(collecting());
    Map<Integer, FakeDoor.Given> others = ordered(7, 8);
    failed(others.get(7), COLLECTOR, FailureCause.STALLED);
    FakeDoor.Given again = ordered(COLLECTOR).get(COLLECTOR);
    done(others.get(8));
    ordered();
    done(again);
    nowMs += REST_MS;
    ordered(7).values().forEach(this::done);
    assertEnded();
  }

  @Test
  void aCommitEndsWithItsCollector() throws Exception {
    done(collecting());
    Map<Integer, FakeDoor.Given> others = ordered(7, 8);
    door.silent.add(FakeDoor.uuid(COLLECTOR));
    failed(others.get(7), COLLECTOR, FailureCause.DEAD);
    VersionStopException stop = assertThrows(VersionStopException.class, () -> after(1));
    assertTrue(stop.getMessage().contains("unit " + COLLECTOR + " of"), stop.getMessage());
    making.cancel();
    assertEquals(List.of(others.get(8).command.id()), door.cancelled);
    assertEquals(0, desk.size());
  }

  @Test
  void aCollectorThatBecomesSilentEndsTheCommit() throws Exception {
    collecting();
    door.silent.add(FakeDoor.uuid(COLLECTOR));
    after(NodeNotes.SILENT_MS_EXTRA);
    assertThrows(VersionStopException.class, () -> after(NodeNotes.SILENT_MS_EXTRA));
    making.cancel();
    assertEquals(0, desk.size());
  }

  /** The wait for a collector has an end, and its late answers begin nothing. */
  @Test
  void aCollectorThatAnswersTooLate() throws Exception {
    List<FakeDoor.Given> late = new ArrayList<>();
    late.add(collecting());
    for (int tries = 2; tries <= PatchMaking.TRIES_MAX; tries++) {
      nowMs += LATE_MS;
      late.add(ordered(COLLECTOR).get(COLLECTOR));
      assertEquals(late.get(tries - 2).command.id(), door.cancelled.get(tries - 2));
      done(late.get(tries - 2));
      ordered();
    }
    VersionStopException stop =
        assertThrows(VersionStopException.class, () -> after(LATE_MS));
    assertTrue(stop.getMessage().contains("in vain"), stop.getMessage());
    late.forEach(this::done);
    assertEquals(List.of(), door.patches());
    making.cancel();
    assertEquals(0, desk.size());
  }

  /** Five minutes for a node without room, which begin when it says so. */
  @Test
  void aCollectorWithoutRoomIsAskedForFiveMinutes() throws Exception {
    FakeDoor.Given full = collecting();
    nowMs += 200_000;
    for (int second = 0; second < 300; second++) {
      failed(full, COLLECTOR, FailureCause.OVERLOADED);
      after(0);
      assertEquals(List.of(), door.patches());
      after(1_000);
      List<FakeDoor.Given> next = door.patches();
      assertEquals(List.of(COLLECTOR), units(next));
      full = next.get(0);
    }
    for (int tries = 1; tries < PatchMaking.TRIES_MAX; tries++) {
      failed(full, COLLECTOR, FailureCause.OVERLOADED);
      ordered();
      nowMs += REST_MS;
      full = ordered(COLLECTOR).get(COLLECTOR);
    }
    failed(full, COLLECTOR, FailureCause.OVERLOADED);
    assertThrows(VersionStopException.class, () -> after(1));
  }

  private FakeDoor.Given orderOf(int unit, List<FakeDoor.Given> given) {
    return given.stream().filter(one -> command(one).unit == unit).findFirst().orElseThrow();
  }

  /** The NameNode locates a replica too many until its node has reported the deletion. */
  @Test
  void aNodeThatDeniesAUnitIsNotAskedWhileAnotherHasIt() throws Exception {
    extra = 1;
    FakeDoor.Given denied = orderOf(1, door.patches());
    assertEquals(FakeDoor.uuid(1), denied.uuid);
    failed(denied, 1, FailureCause.NO_SUCH_BLOCK);
    after(1);
    assertEquals(List.of(), door.patches(), "what has failed may change in a rest");
    after(REST_MS);
    FakeDoor.Given other = orderOf(1, door.patches());
    assertEquals(FakeDoor.uuid(SPARE), other.uuid);
    failed(other, SPARE, FailureCause.CORRUPT_REPLICA);
    after(1);
    after(REST_MS);
    assertEquals(FakeDoor.uuid(SPARE), orderOf(1, door.patches()).uuid);
  }

  /** The first node may have changed its replica all the same, which nothing checks then. */
  @Test
  void aUnitThatIsOrderedOnASecondNodeCountsAsMade() throws Exception {
    extra = 1;
    FakeDoor.Given first = orderOf(1, door.patches());
    assertEquals(new BitSet(), making.made());
    door.silent.add(first.uuid);
    after(0);
    after(NodeNotes.SILENT_MS_EXTRA);
    after(REST_MS);
    assertEquals(FakeDoor.uuid(SPARE), orderOf(1, door.patches()).uuid);
    BitSet made = new BitSet();
    made.set(1);
    assertEquals(made, making.made());
  }

  /** A repair has put the unit on another node, which the NameNode learns some seconds later. */
  @Test
  void aUnitThatItsNodeDeniesIsSoughtForTenSeconds() throws Exception {
    FakeDoor.Given denied = orderOf(1, door.patches());
    for (int second = 0; second < 9; second++) {
      failed(denied, 1, FailureCause.NO_SUCH_BLOCK);
      after(1);
      after(REST_MS);
      denied = orderOf(1, door.patches());
      assertEquals(FakeDoor.uuid(1), denied.uuid);
    }
    moved = 1;
    extra = 1;
    failed(denied, 1, FailureCause.NO_SUCH_BLOCK);
    after(1);
    after(REST_MS);
    assertEquals(FakeDoor.uuid(SPARE), orderOf(1, door.patches()).uuid);
  }

  /** What is read to check a parity unit may have been a replica too many, too. */
  @Test
  void anotherReplicaIsReadIfANodeDeniesAUnitThatStays() throws Exception {
    FakeDoor.Given denied = collecting();
    assertEquals(FakeDoor.uuid(4), command(denied).sources.get(4).node.uuid);
    extra = 4;
    failed(denied, 4, FailureCause.NO_SUCH_BLOCK);
    after(1);
    assertEquals(List.of(), door.patches());
    nowMs += REST_MS;
    FakeDoor.Given again = ordered(COLLECTOR).get(COLLECTOR);
    assertEquals(FakeDoor.uuid(SPARE), command(again).sources.get(4).node.uuid);
    done(again);
    ordered(7, 8).values().forEach(other -> {
      assertEquals(FakeDoor.uuid(SPARE), command(other).sources.get(4).node.uuid);
      done(other);
    });
    assertEnded();
  }

  @Test
  void aCommitEndsIfAUnitIsDeniedForLonger() throws Exception {
    FakeDoor.Given denied = orderOf(1, door.patches());
    failed(denied, 1, FailureCause.NO_SUCH_BLOCK);
    after(1);
    nowMs += SoughtUnits.SOUGHT_MS_MAX;
    after(0);
    failed(orderOf(1, door.patches()), 1, FailureCause.NO_SUCH_BLOCK);
    VersionStopException stop = assertThrows(VersionStopException.class, () -> after(1));
    assertTrue(stop.getMessage().contains("unit 1 of " + OLD.id + " is on no DataNode"),
        stop.getMessage());
  }

  /** A node without places for helpers serves repairs meanwhile. */
  @Test
  void aUnitWhoseHelpersAreOverloadedIsOrderedAgainAfterARest() throws Exception {
    done(collecting());
    Map<Integer, FakeDoor.Given> others = ordered(7, 8);
    done(others.get(8));
    FakeDoor.Given reader = others.get(7);
    for (int tries = 0; tries < 2 * PatchMaking.TRIES_MAX; tries++) {
      failed(reader, 3, FailureCause.OVERLOADED);
      ordered();
      after(1_000);
      List<FakeDoor.Given> next = door.patches();
      assertEquals(List.of(7), units(next));
      reader = next.get(0);
    }
    done(reader);
    assertEnded();
  }

  /** Nodes of parity units may use what they know if it can be compared with what is stored. */
  @Test
  void changesAreKnownByTheirDigests() throws Exception {
    assertTrue(command(door.patches().get(0)).log().orElseThrow().digestSeed.isEmpty());
    making.cancel();
    door.links();
    begin("parix");
    List<FakeDoor.Given> data = door.patches();
    assertEquals(List.of(0, 1, 2, 3), units(data));
    long seed = command(data.get(0)).log().orElseThrow().digestSeed.orElseThrow();
    for (FakeDoor.Given given : data) {
      int unit = command(given).unit;
      assertEquals(seed, command(given).log().orElseThrow().digestSeed.orElseThrow());
      // The node of unit 2 is of an old version.
      VersionReport report = unit == 2 ? VersionReport.NOTHING
          : VersionReport.NOTHING.withDigests(Map.of(unit, 100 + unit));
      desk.tell(given.uuid, new RepairResult(given.command.id(), 3, RepairOutcome.REBUILT,
          List.of(unit), 0, 1).withVersion(report));
    }
    for (FakeDoor.Given parity : ordered(6, 7, 8).values()) {
      for (int unit = 0; unit < 6; unit++) {
        Optional<LogPart> log = command(parity).sources.get(unit).log();
        assertEquals(unit < CHANGED && unit != 2, log.isPresent(), "unit " + unit);
        log.ifPresent(part -> {
          assertEquals(seed, part.digestSeed.orElseThrow());
          assertEquals(100 + part.ticket.unit.unit, part.digest.orElseThrow());
          assertEquals(5, part.last);
        });
      }
    }
  }
}
