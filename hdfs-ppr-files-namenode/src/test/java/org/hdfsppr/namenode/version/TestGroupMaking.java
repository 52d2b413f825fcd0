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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.digest.DigestKey;
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
import org.hdfsppr.namenode.version.VerificationRounds.FullVerification;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the making of one group. Each test decides what the DataNodes answer. */
class TestGroupMaking {
  private static final int CELL = 1 << 20;
  private static final long BYTES = 6L * CELL;
  private static final long INODE = 17;
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, CELL);
  private static final GroupPolicy LRC = new GroupPolicy("lrc-rs-l2", 6, 4, CELL);
  private static final GroupPolicy XOR = new GroupPolicy("hitchhiker-xor", 6, 3, CELL);
  private static final FileGroup OLD = new FileGroup(new GroupId("BP-1", -3200, 1001), BYTES, 0);
  private static final FileGroup MADE = new FileGroup(new GroupId("BP-1", -1600, 1002), BYTES, 0);

  private final FakeDoor door = new FakeDoor(12);
  private final OrderBook desk = new OrderBook();
  private final Set<GroupId> doubted = new HashSet<>();
  private final Set<String> full = new HashSet<>();
  private final BitSet reported = new BitSet();
  private long nowMs = 1_000_000;
  private EngineParts parts;
  private VersionContext context;
  private GroupMaking making;

  /** What the settings allow each node, and the job in all, bytes/s. */
  private long nodeRate = 1L << 40;
  private long jobRate;

  @BeforeEach
  void parts() throws IOException {
    Configuration conf = new Configuration(false);
    VersionNamespace namespace = mock(VersionNamespace.class);
    when(namespace.target(anyInt(), any(), anyLong(), anyLong())).thenAnswer(call -> {
      NodeRef node = call.getArgument(1);
      return full.contains(node.uuid) ? Optional.empty() : Optional.of(
          new CommandTarget(call.getArgument(0), node, "DS-1", StorageType.DISK));
    });
    ClientProtocol namenode = mock(ClientProtocol.class);
    when(namenode.getLocatedFileInfo(anyString(), anyBoolean())).thenAnswer(call -> located());
    VersionGate gate = mock(VersionGate.class);
    when(gate.links()).thenReturn(new LinkLoads());
    when(gate.whyNot()).thenReturn(Optional.empty());
    when(gate.doubt(any(), anyInt())).thenAnswer(call -> doubted.add(call.getArgument(0)));
    parts = new EngineParts(
        new EngineParts.Files(namespace, VersionStores.of(() -> namenode)),
        new EngineParts.DataNodes(door, desk),
        new EngineParts.Manager(gate, new MadeGroups()),
        new CodePathCache(policy ->
            Codes.forCodec(conf, policy.codec, policy.dataUnits, policy.parityUnits)),
        new VersionSettings(4, 0, nodeRate), VersionHook.NONE,
        new EngineParts.Clocks(() -> nowMs, () -> nowMs));
  }

  /** Whether node 9 has a replica of unit 2, too. */
  private boolean isTwice;

  /** Unit u lies at node u; nodes 9 to 11 hold none, unless the test says so. */
  private HdfsLocatedFileStatus located() {
    DatanodeInfo[] nodes = new DatanodeInfo[isTwice ? 10 : 9];
    byte[] indices = new byte[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      NodeRef node = door.node(i);
      nodes[i] = new DatanodeInfoBuilder().setNodeID(new DatanodeID(node.ipAddr,
          node.hostName, node.uuid, node.xferPort, 1, 1, 1))
          .setNetworkLocation(node.rack).build();
      indices[i] = (byte) (i < 9 ? i : 2);
    }
    LocatedStripedBlock block = new LocatedStripedBlock(
        new ExtendedBlock("BP-1", OLD.id.groupId, BYTES, 1001), nodes, null, null, indices, 0,
        false, DatanodeInfo.EMPTY_ARRAY);
    LocatedBlocks blocks = mock(LocatedBlocks.class);
    when(blocks.getLocatedBlocks()).thenReturn(Collections.singletonList(block));
    HdfsLocatedFileStatus status = mock(HdfsLocatedFileStatus.class);
    when(status.getLocatedBlocks()).thenReturn(blocks);
    return status;
  }

  /** So long that the nodes need not say that units are durable. */
  private long graceMs = PowerCutDurability.UNSAID_MS;

  private VerificationMode check = VerificationMode.SAMPLED;

  private void begin(GroupPolicy to) throws Exception {
    FileFacts facts = FileFacts.of("/f", FileFacts.Kind.FILE, INODE).with(f -> {
      f.groups = List.of(OLD);
      f.policy = new PolicyFacts("RS", RS, true);
    }).build();
    TargetFile file =
        new TargetFile(facts, 16, "f", FsPermission.getFileDefault(), 1 << 27, null);
    context = new VersionContext(parts, new VersionContext.Job("j1", jobRate),
        new VersionContext.MadeFile("/f", INODE, to), 3, () -> { });
    VersionRequest request = VersionRequest.of("j1", "/f", INODE).user("alice").policy("P")
        .graceMs(graceMs).check(check).build();
    making = new GroupMaking(context, new VersionRecipe(context, parts.codes.code(to), request,
        file, OLD, MADE, OldUnits.locate(parts.store, door, INODE)), MADE);
    making.begin();
  }

  private void after(long ms) throws Exception {
    nowMs += ms;
    making.advance(reported);
  }

  private static List<Integer> names(FakeDoor.Given given) {
    List<Integer> names = new ArrayList<>();
    if (given.command instanceof LinkCommand) {
      for (int i = 0; i < ((LinkCommand) given.command).links.size(); i++) {
        names.add(i);
      }
    } else {
      ((MakeCommand) given.command).work.targets.forEach(target -> names.add(target.unit));
    }
    return names;
  }

  private void end(FakeDoor.Given given, RepairOutcome outcome, List<Integer> names,
      String failedNode, FailureCause cause) {
    desk.tell(given.uuid, new RepairResult(given.command.id(), 3, outcome, names, 0, 1)
        .withFailure(failedNode, cause, "as the test says").withVersion(VersionReport.NOTHING));
  }

  private void done(FakeDoor.Given given) {
    end(given, RepairOutcome.REBUILT, names(given), null, null);
  }

  private static Set<String> uuids(List<FakeDoor.Given> given) {
    return given.stream().map(one -> one.uuid).collect(Collectors.toSet());
  }

  private static Set<String> targets(FakeDoor.Given make) {
    return ((MakeCommand) make.command).work.targets.stream()
        .map(target -> target.node.uuid).collect(Collectors.toSet());
  }

  private static Set<String> helpers(FakeDoor.Given make) {
    return ((MakeCommand) make.command).work.group.live.stream()
        .map(helper -> helper.node.uuid).collect(Collectors.toSet());
  }

  @Test
  void repairsAtANodeHoldUpItsMakingsAlone() throws Exception {
    begin(XOR);
    parts.links.repairsAt(List.of(door.node(0).uuid), nowMs);
    after(0);
    assertEquals(List.of(), door.makes(), "node 0 has a data unit that each making reads");
    assertTrue(parts.links.whyNot(LinkLoads.Work.MAKING, nowMs).isPresent());
    after(LinkLoads.QUIET_MS);
    assertFalse(door.makes().isEmpty());
    making.cancel();
  }

  @Test
  void makingsKeepToTheRatesOfTheirNodes() throws Exception {
    nodeRate = CELL / 10;
    parts();
    begin(XOR);
    after(0);
    assertFalse(door.makes().isEmpty());
    making.cancel();
    begin(XOR);
    after(9_000);
    assertEquals(List.of(), door.makes(), "the nodes still pay for the first making");
    after(1_001 * CELL / nodeRate - 9_000);
    assertFalse(door.makes().isEmpty());
    making.cancel();
  }

  /** Linked units have no digests, so that those of the others would be read for nothing. */
  @Test
  void noDigestsAreWantedWhereUnitsAreLinked() throws Exception {
    for (GroupPolicy to : List.of(XOR, LRC)) {
      begin(to);
      after(0);
      List<FakeDoor.Given> makes = door.makes();
      assertFalse(makes.isEmpty());
      makes.forEach(make ->
          assertTrue(((MakeCommand) make.command).digestKey.isEmpty(), to.toString()));
      making.cancel();
    }
    assertEquals(List.of(), door.hurried, "many conversions share a heartbeat");
  }

  private void durable(FakeDoor.Given given) {
    desk.tell(given.uuid, new RepairResult(given.command.id(), 3, RepairOutcome.REBUILT,
        names(given), 0, 1).withVersion(VersionReport.NOTHING.asDurable()));
  }

  private void digests(FakeDoor.Given given, Integer... names) {
    Map<Integer, Integer> digests = new HashMap<>();
    for (int name : names) {
      digests.put(name, 0);
    }
    desk.tell(given.uuid, new RepairResult(given.command.id(), 3, RepairOutcome.REBUILT,
        names(given), 0, 1).withVersion(VersionReport.NOTHING.asDurable()
            .withDigests(digests)));
  }

  /** All units are read where they lie, and nothing crosses a link for that. */
  @Test
  void aFullCheckHasDigestsOfLinkedAndMadeUnits() throws Exception {
    check = VerificationMode.FULL;
    begin(LRC);
    assertTrue(making.hasDigests());
    DigestKey key = making.digests().key();
    assertTrue(key.isFolded);
    List<UnitHolder> holders = new ArrayList<>();
    List<UnitHolder> made = new ArrayList<>();
    for (FakeDoor.Given given : door.links()) {
      LinkCommand links = (LinkCommand) given.command;
      assertEquals(Optional.empty(), links.digestKey);
      assertTrue(links.watchesOld);
      durable(given);
      assertEquals(1, links.links.size());
      int unit = (int) (links.links.get(0).to.blockId - MADE.id.groupId);
      int from = (int) (links.links.get(0).from.blockId - OLD.id.groupId);
      assertEquals(door.node(from).uuid, given.uuid);
      holders.add(new UnitHolder(unit, door.node(from)));
    }
    after(0);
    assertEquals(2, making.made().cardinality());
    List<FakeDoor.Given> asked = door.digests();
    assertEquals(8, asked.size());
    for (FakeDoor.Given given : asked) {
      assertEquals(Optional.of(key), ((LinkCommand) given.command).digestKey);
      desk.tell(given.uuid, new RepairResult(given.command.id(), 3, RepairOutcome.REBUILT,
          List.of(), 0, 1).withVersion(VersionReport.NOTHING.withDigests(
              Map.of(0, 0))));
    }
    int makes = 0;
    for (FakeDoor.Given given : door.makes()) {
      makes++;
      MakeCommand make = (MakeCommand) given.command;
      assertEquals(Optional.of(key), make.digestKey);
      make.work.targets.forEach(target -> made.add(new UnitHolder(
          (int) (make.work.group.block(target.unit).blockId - MADE.id.groupId),
          target.node)));
      // The node has the first unit; others have the others.
      digests(given, make.work.targets.get(0).unit);
    }
    after(0);
    assertEquals(List.of(), door.makes());
    asked = door.digests();
    assertEquals(made.size() - makes, asked.size());
    for (FakeDoor.Given given : asked) {
      UnitHolder holder = made.stream().filter(one -> one.node.uuid.equals(given.uuid)).findFirst()
          .orElseThrow();
      assertEquals(List.of(MADE.id.block(holder.unit, CELL)),
          ((LinkCommand) given.command).digested);
      desk.tell(given.uuid, new RepairResult(given.command.id(), 3, RepairOutcome.REBUILT,
          List.of(), 0, 1).withVersion(VersionReport.NOTHING.withDigests(
              Map.of(0, 0))));
    }
    after(0);
    reported.set(0, 10);
    after(0);
    assertTrue(making.isDone(reported));
    LinearCode code = parts.codes.code(LRC);
    assertTrue(making.digests().agree(code), "all are zero");
    assertEquals(8, holders.size(), "six data units and two parity units are linked");
    assertTrue(making.digests().suffice(code, Stream.concat(holders.stream(), made.stream())
        .collect(Collectors.toList())));
  }

  /** It would send digests of the plain form, which fit no others of the folded one. */
  @Test
  void aGroupWithANodeOfAnOlderVersionHasPlainDigests() throws Exception {
    check = VerificationMode.FULL;
    door.withoutDigests.add(FakeDoor.uuid(0));
    begin(LRC);
    after(0);
    DigestKey key = DigestKey.plain(making.digests().seed());
    assertEquals(key, making.digests().key());
    List<FakeDoor.Given> makes = door.makes();
    assertFalse(makes.isEmpty());
    makes.forEach(make -> assertEquals(Optional.of(key), ((MakeCommand) make.command).digestKey));
  }

  @Test
  void aNodeThatHasBecomeAnOlderOneIsAskedForNoFoldedDigest() throws Exception {
    check = VerificationMode.FULL;
    begin(LRC);
    assertTrue(making.digests().key().isFolded);
    door.workers().forEach(node -> door.withoutDigests.add(node.uuid));
    after(0);
    List<FakeDoor.Given> makes = door.makes();
    assertFalse(makes.isEmpty());
    makes.forEach(make ->
        assertEquals(Optional.empty(), ((MakeCommand) make.command).digestKey));
  }

  /** A node reports a large unit before it reads it. */
  @Test
  void digestsThatAMakingHasNotSentAreAskedFor() throws Exception {
    check = VerificationMode.FULL;
    begin(LRC);
    after(0);
    List<FakeDoor.Given> makes = door.makes();
    assertFalse(makes.isEmpty());
    int units = 0;
    for (FakeDoor.Given given : makes) {
      units += ((MakeCommand) given.command).work.targets.size();
      durable(given);
    }
    after(0);
    assertEquals(List.of(), door.makes(), "the units are there");
    assertEquals(units, door.digests().size());
  }

  /** Codes with sub-chunks are checked by reading the units once more. */
  @Test
  void aFullCheckOfACodeWithSubChunksHasNoDigests() throws Exception {
    check = VerificationMode.FULL;
    begin(XOR);
    assertFalse(making.hasDigests());
    door.links().forEach(given ->
        assertEquals(Optional.empty(), ((LinkCommand) given.command).digestKey));
  }

  /** A node cannot vouch for what another one has stored, which then says it itself. */
  @Test
  void theNodeOfEachUnitSaysThatItIsDurable() throws Exception {
    graceMs = PowerCutDurability.UNSAID_MS - 1;
    begin(XOR);
    door.links().forEach(this::durable);
    after(0);
    List<FakeDoor.Given> makes = door.makes();
    assertEquals(1, makes.size(), "one node makes all parity units");
    List<CommandTarget> targets = ((MakeCommand) makes.get(0).command).work.targets;
    assertTrue(targets.size() > 1, targets.toString());
    done(makes.get(0));
    after(1);
    List<FakeDoor.Given> confirmed = door.makes();
    assertEquals(targets.size(), confirmed.size());
    for (int i = 0; i < confirmed.size(); i++) {
      List<CommandTarget> one = ((MakeCommand) confirmed.get(i).command).work.targets;
      assertEquals(1, one.size());
      assertEquals(targets.get(i).unit, one.get(0).unit);
      assertEquals(targets.get(i).node.uuid, confirmed.get(i).uuid);
    }
    reported.set(0, 9);
    after(PowerCutDurability.UNSAID_MS);
    assertFalse(making.isDone(reported), "the group waits for these nodes");
    confirmed.forEach(this::durable);
    after(0);
    assertTrue(making.isDone(reported));
    assertEquals(0, making.durableInMs());
  }

  @Test
  void nothingIsConfirmedThatIsKeptForLong() throws Exception {
    begin(XOR);
    door.links().forEach(this::durable);
    after(0);
    door.makes().forEach(this::done);
    after(1);
    assertEquals(List.of(), door.makes());
    reported.set(0, 9);
    assertTrue(making.isDone(reported));
    assertEquals(PowerCutDurability.UNSAID_MS, making.durableInMs());
  }

  /** A node of 0.2.0 does not say that its units are durable. */
  @Test
  void unitsThatMayBeLostCountAsDurableLater() throws Exception {
    begin(XOR);
    List<FakeDoor.Given> links = door.links();
    after(0);
    List<FakeDoor.Given> makes = door.makes();
    links.subList(1, links.size()).forEach(this::durable);
    makes.forEach(this::durable);
    after(1);
    assertEquals(0, making.durableInMs());
    done(links.get(0));
    after(1);
    assertEquals(PowerCutDurability.UNSAID_MS, making.durableInMs());
    after(PowerCutDurability.UNSAID_MS - 1);
    assertEquals(1, making.durableInMs());
    after(1);
    assertEquals(0, making.durableInMs());
  }

  /** All other units stay where they are; no node gets a second one. */
  @Test
  void theUnitOfANodeThatHasBecomeSilentIsMadeElsewhere() throws Exception {
    begin(XOR);
    List<FakeDoor.Given> links = door.links();
    assertEquals(6, links.size());
    after(0);
    List<FakeDoor.Given> makes = door.makes();
    links.stream().filter(link -> !link.uuid.equals(FakeDoor.uuid(2))).forEach(this::done);
    makes.forEach(this::done);
    door.silent.add(FakeDoor.uuid(2));
    after(0);
    after(NodeNotes.SILENT_MS_EXTRA);
    assertEquals(List.of(), door.links());
    // The making begins with the next look.
    after(0);
    List<FakeDoor.Given> again = door.makes();
    assertEquals(1, again.size());
    Set<String> spare = Set.of(FakeDoor.uuid(9), FakeDoor.uuid(10), FakeDoor.uuid(11));
    assertTrue(spare.containsAll(targets(again.get(0))), targets(again.get(0)).toString());
    assertFalse(helpers(again.get(0)).contains(FakeDoor.uuid(2)));
    done(again.get(0));
    reported.set(0, 9);
    after(0);
    assertTrue(making.isDone(reported));
  }

  /** Lets a node be silent until its orders count as lost. */
  private void giveUp(String uuid) throws Exception {
    door.silent.add(uuid);
    after(0);
    after(NodeNotes.SILENT_MS_EXTRA);
  }

  /** The node that has made it comes back, and its replica may be the one that stock keeps. */
  @Test
  void aUnitThatIsLinkedAfterItsMakingWasGivenUpCountsAsMade() throws Exception {
    door.silent.add(FakeDoor.uuid(2));
    begin(XOR);
    door.links().forEach(this::done);
    after(0);
    FakeDoor.Given copy = door.makes().stream().filter(make -> targets(make).size() == 1
        && helpers(make).equals(Set.of(FakeDoor.uuid(2)))).findFirst().orElseThrow();
    door.silent.clear();
    giveUp(copy.uuid);
    List<FakeDoor.Given> again = door.links();
    assertEquals(Set.of(FakeDoor.uuid(2)), uuids(again), "the node of the old unit links it");
    done(again.get(0));
    after(0);
    assertTrue(making.made().get(2), making.made().toString());
    assertFalse(making.made().get(3), making.made().toString());
  }

  /** Both nodes may have a link, and the digest is that of one of them. */
  @Test
  void aUnitThatIsLinkedOnASecondNodeCountsAsMade() throws Exception {
    isTwice = true;
    begin(XOR);
    List<FakeDoor.Given> links = door.links();
    links.stream().filter(link -> !link.uuid.equals(FakeDoor.uuid(2))).forEach(this::done);
    after(0);
    door.makes();
    assertFalse(making.made().get(2), making.made().toString());
    giveUp(FakeDoor.uuid(2));
    assertEquals(Set.of(FakeDoor.uuid(9)), uuids(door.links()));
    assertTrue(making.made().get(2), making.made().toString());
    assertFalse(making.made().get(3), making.made().toString());
  }

  /** The node makes a link once. */
  @Test
  void aLinkThatIsOrderedAgainOnItsNodeIsNoMaking() throws Exception {
    begin(XOR);
    FakeDoor.Given link = allDoneButALink();
    refuse(link, FailureCause.OVERLOADED);
    after(0);
    after(NodeLinks.REST_MS);
    assertEquals(Set.of(FakeDoor.uuid(3)), uuids(door.links()));
    assertFalse(making.made().get(3), making.made().toString());
  }

  @Test
  void aPauseOfTheNameNodeLosesNoOrder() throws Exception {
    begin(XOR);
    door.links();
    after(0);
    door.makes();
    for (int node = 0; node < 12; node++) {
      door.silent.add(FakeDoor.uuid(node));
    }
    after(0);
    after(NodeNotes.SILENT_MS_EXTRA - 1);
    door.silent.clear();
    after(1);
    after(NodeNotes.SILENT_MS_EXTRA);
    assertEquals(List.of(), door.given);
    assertEquals(List.of(), door.cancelled);
  }

  /** A DataNode that has started again does not know its orders any more. */
  @Test
  void anOrderWithoutAResultIsRepeated() throws Exception {
    begin(XOR);
    List<FakeDoor.Given> links = door.links();
    links.stream().filter(link -> !link.uuid.equals(FakeDoor.uuid(3))).forEach(this::done);
    after(0);
    door.makes().forEach(this::done);
    after(OrderBook.REPEAT_MS - 1);
    assertEquals(List.of(), door.given);
    after(1);
    assertEquals(Set.of(FakeDoor.uuid(3)), uuids(door.given));
    assertTrue(links.stream().anyMatch(link -> link.command == door.given.get(0).command));
  }

  /** Returns the link that node 3 has to make. */
  private FakeDoor.Given allDoneButALink() throws Exception {
    List<FakeDoor.Given> links = door.links();
    FakeDoor.Given link = links.stream().filter(one -> one.uuid.equals(FakeDoor.uuid(3)))
        .findFirst().orElseThrow();
    links.stream().filter(one -> one != link).forEach(this::done);
    after(0);
    door.makes().forEach(this::done);
    return link;
  }

  private void refuse(FakeDoor.Given link, FailureCause cause) {
    end(link, RepairOutcome.REFUSED, List.of(), null, cause);
  }

  /** Elsewhere, the unit would have to be copied, although a link takes a millisecond. */
  @Test
  void anOverloadedLinkerIsAskedAgain() throws Exception {
    begin(XOR);
    FakeDoor.Given link = allDoneButALink();
    for (int tries = 0; tries < 2 * GroupMaking.TRIES_MAX; tries++) {
      refuse(link, FailureCause.OVERLOADED);
      after(0);
      after(NodeLinks.REST_MS - 1);
      assertEquals(List.of(), door.given);
      after(1);
      FakeDoor.Given again = door.links().get(0);
      assertEquals(FakeDoor.uuid(3), again.uuid);
      assertEquals(((LinkCommand) link.command).links.toString(),
          ((LinkCommand) again.command).links.toString());
      assertNotEquals(link.command.id(), again.command.id(), "nodes know commands by their ids");
      link = again;
    }
    done(link);
    after(OrderBook.REPEAT_MS);
    assertEquals(List.of(), door.links(), "it is done");
  }

  @Test
  void anOverloadedLinkerIsNotAskedForEver() throws Exception {
    begin(XOR);
    long firstMs = nowMs;
    FakeDoor.Given link = allDoneButALink();
    while (nowMs - firstMs < NodeLinks.MS_MAX) {
      refuse(link, FailureCause.OVERLOADED);
      after(0);
      after(NodeLinks.REST_MS);
      link = door.links().get(0);
    }
    refuse(link, FailureCause.OVERLOADED);
    after(0);
    after(0);
    assertEquals(List.of(FakeDoor.uuid(3)), List.copyOf(helpers(door.makes().get(0))),
        "the unit is copied from there");
  }

  /** A refusal for another reason says nothing about what comes later. */
  @Test
  void aLinkerThatRefusesForGoodIsNotAskedAgain() throws Exception {
    begin(XOR);
    FakeDoor.Given link = door.links().get(0);
    after(0);
    door.makes();
    refuse(link, null);
    after(0);
    after(NodeLinks.REST_MS);
    assertEquals(List.of(), door.links());
    assertEquals(1, door.makes().size());
  }

  /** Links that wait for their node do not outlive the version. */
  @Test
  void aVersionThatEndsAsksNoOverloadedLinker() throws Exception {
    begin(XOR);
    refuse(door.links().get(0), FailureCause.OVERLOADED);
    after(0);
    door.makes();
    making.cancel();
    after(NodeLinks.REST_MS);
    assertEquals(List.of(), door.given);
    assertEquals(0, desk.size());
  }

  /** A source that has failed is left out, so that its unit is made and not copied from it. */
  @Test
  void aSourceThatHasFailedIsLeftOut() throws Exception {
    door.stock.add(FakeDoor.uuid(4));
    begin(XOR);
    door.links().forEach(this::done);
    after(0);
    List<FakeDoor.Given> makes = door.makes();
    FakeDoor.Given copy = makes.stream().filter(make -> helpers(make).size() == 1).findFirst()
        .orElseThrow();
    assertEquals(Set.of(FakeDoor.uuid(4)), helpers(copy));
    makes.stream().filter(make -> make != copy).forEach(this::done);
    end(copy, RepairOutcome.FAILED, List.of(), FakeDoor.uuid(4), FailureCause.DEAD);
    after(0);
    after(0);
    List<FakeDoor.Given> again = door.makes();
    assertEquals(1, again.size());
    assertFalse(helpers(again.get(0)).contains(FakeDoor.uuid(4)));
    assertTrue(helpers(again.get(0)).size() >= 6);
  }

  @Test
  void whatADataNodeHasIsNotOrderedAgain() throws Exception {
    begin(XOR);
    door.links().forEach(this::done);
    after(0);
    FakeDoor.Given joint = door.makes().get(0);
    List<Integer> names = names(joint);
    assertEquals(3, names.size());
    end(joint, RepairOutcome.FAILED, names.subList(0, 2), targets(joint).stream()
        .filter(uuid -> !uuid.equals(joint.uuid)).findFirst().orElseThrow(), FailureCause.WRITE);
    after(0);
    after(0);
    List<FakeDoor.Given> again = door.makes();
    assertEquals(1, again.size());
    assertEquals(names.subList(2, 3), names(again.get(0)));
  }

  @Test
  void unitsThatContradictEachOtherEndTheVersionAndAreDoubted() throws Exception {
    begin(XOR);
    door.links().forEach(this::done);
    after(0);
    FakeDoor.Given joint = door.makes().get(0);
    // It was made all the same, without one of the units.
    end(joint, RepairOutcome.REBUILT, names(joint), null, FailureCause.VERIFICATION);
    VersionStopException e = assertThrows(VersionStopException.class, () -> after(0));
    assertTrue(e.isForGood);
    assertEquals(VersionEnd.FAILED, e.outcome(VersionBytes.NONE).end);
    assertEquals(Set.of(OLD.id), doubted);
  }

  @Test
  void aNodeThatFillsUpWhileItsMakingWaitsIsReplaced() throws Exception {
    begin(LRC);
    full.add(FakeDoor.uuid(8));
    after(0);
    after(0);
    List<FakeDoor.Given> makes = door.makes();
    assertEquals(2, makes.size());
    assertFalse(uuids(makes).contains(FakeDoor.uuid(8)), uuids(makes).toString());
    assertEquals(2, uuids(makes).size());
  }

  /** Without the code's own recipe, the tree would read six units instead of three. */
  @Test
  void anOrderSaysHowThePlannerWantsItDone() throws Exception {
    door.stock.add(FakeDoor.uuid(2));
    door.stock.add(FakeDoor.uuid(8));
    begin(LRC);
    after(0);
    assertTrue(door.makes().stream().map(make -> ((MakeCommand) make.command).work)
        .anyMatch(work -> !work.byDecoding));
  }

  @Test
  void afterThreeTriesAUnitIsGivenUp() throws Exception {
    begin(XOR);
    door.links().stream().filter(link -> !link.uuid.equals(FakeDoor.uuid(0)))
        .forEach(this::done);
    after(0);
    door.makes().forEach(this::done);
    door.silent.add(FakeDoor.uuid(0));
    after(0);
    after(NodeNotes.SILENT_MS_EXTRA);
    for (int tries = 1; tries < GroupMaking.TRIES_MAX - 1; tries++) {
      after(0);
      FakeDoor.Given make = door.makes().get(0);
      end(make, RepairOutcome.FAILED, List.of(), null, null);
      after(0);
    }
    after(0);
    FakeDoor.Given last = door.makes().get(0);
    end(last, RepairOutcome.FAILED, List.of(), null, null);
    VersionStopException e = assertThrows(VersionStopException.class, () -> after(0));
    assertFalse(e.isForGood);
  }

  @Test
  void aFullCheckWantsAllUnits() throws Exception {
    begin(RS);
    FullVerification check = new FullVerification(context, "the new version", false);
    OldUnits units = OldUnits.locate(parts.store, door, INODE);
    check.begin(OLD, units.of(OLD.id));
    assertThrows(VersionStopException.class,
        () -> check.begin(OLD, units.of(OLD.id).subList(0, 8)));
  }

  private FullVerification check() throws Exception {
    begin(RS);
    door.given.clear();
    FullVerification check = new FullVerification(context, "f", true);
    check.begin(OLD, OldUnits.locate(parts.store, door, INODE).of(OLD.id));
    return check;
  }

  private void checked(FakeDoor.Given given, ScrubOutcome outcome) {
    desk.tell(given.uuid, RepairResult.ofScrub(given.command.id(), 3,
        new ScrubFinding(outcome, ScrubFinding.NO_UNIT, List.of(), CELL), "as the test says", 1));
  }

  /** What kept a node from checking may pass until the next order. */
  private void rest(FullVerification check) throws VersionStopException {
    nowMs += FullVerification.REST_MS - 1;
    assertFalse(check.isDone());
    assertEquals(List.of(), door.given);
    nowMs++;
    assertFalse(check.isDone());
  }

  @Test
  void aCheckWithoutAResultIsRepeated() throws Exception {
    FullVerification check = check();
    FakeDoor.Given first = door.given.remove(0);
    assertEquals(List.of(first.uuid), door.hurried, "groups of a commit are checked in a row");
    nowMs += OrderBook.REPEAT_MS - 1;
    assertFalse(check.isDone());
    assertEquals(List.of(), door.given);
    nowMs++;
    assertFalse(check.isDone());
    assertEquals(List.of(first.command), door.given.stream().map(one -> one.command)
        .collect(Collectors.toList()));
    checked(first, ScrubOutcome.AGREES);
    assertTrue(check.isDone());
    assertEquals(List.of(), door.cancelled);
  }

  @Test
  void aCheckOfANodeThatHasBecomeSilentGoesToAnother() throws Exception {
    FullVerification check = check();
    FakeDoor.Given first = door.given.remove(0);
    door.silent.add(first.uuid);
    assertFalse(check.isDone());
    nowMs += NodeNotes.SILENT_MS_EXTRA;
    assertFalse(check.isDone());
    assertEquals(List.of(first.command.id()), door.cancelled);
    check.cancel();
    assertEquals(List.of(first.command.id()), door.cancelled, "there is no order");
    rest(check);
    assertNotEquals(first.uuid, door.given.get(0).uuid);
    check.cancel();
    assertEquals(List.of(first.command.id(), door.given.get(0).command.id()), door.cancelled);
  }

  @Test
  void aContradictionInANewVersionEndsIt() throws Exception {
    FullVerification check = check();
    checked(door.given.get(0), ScrubOutcome.CONTRADICTION);
    assertTrue(assertThrows(VersionStopException.class, check::isDone).isForGood);
  }

  @Test
  void noNodeThatChecksIsAskedForEver() throws Exception {
    FullVerification check = check();
    for (int tries = 1; tries < 5; tries++) {
      checked(door.given.remove(0), ScrubOutcome.NOT_CHECKED);
      assertFalse(check.isDone());
      rest(check);
    }
    checked(door.given.remove(0), ScrubOutcome.NOT_CHECKED);
    VersionStopException e = assertThrows(VersionStopException.class, check::isDone);
    assertTrue(e.getMessage().contains("in 5 tries: as the test says"), e.getMessage());
  }

  /** Repairs, and checks for others, may take minutes. */
  @Test
  void nodesThatHaveNoTimeAreAskedForMinutes() throws Exception {
    FullVerification check = check();
    Set<String> asked = new HashSet<>();
    long endMs = nowMs + FullVerification.PUT_OFF_MS_MAX;
    while (nowMs < endMs) {
      FakeDoor.Given given = door.given.remove(0);
      asked.add(given.uuid);
      desk.tell(given.uuid, RepairResult.ofScrub(given.command.id(), 3,
          new ScrubFinding(ScrubOutcome.NOT_CHECKED, ScrubFinding.NO_UNIT, List.of(), CELL),
          FailureCause.OVERLOADED, "repairs go first", 1));
      assertFalse(check.isDone());
      nowMs += FullVerification.REST_MS_MAX;
      assertFalse(check.isDone());
    }
    assertEquals(9, asked.size(), "each node is asked");
    desk.tell(door.given.get(0).uuid, RepairResult.ofScrub(door.given.get(0).command.id(), 3,
        new ScrubFinding(ScrubOutcome.NOT_CHECKED, ScrubFinding.NO_UNIT, List.of(), CELL),
        FailureCause.OVERLOADED, "repairs go first", 1));
    VersionStopException e = assertThrows(VersionStopException.class, check::isDone);
    assertTrue(e.getMessage().contains("for 600 s: repairs go first"), e.getMessage());
  }

  /** Many files are checked at a time, and a node takes one check. */
  @Test
  void aGroupWaitsForANodeThatHasAPlace() throws Exception {
    FullVerification first = check();
    Deque<FullVerification> others = new ArrayDeque<>();
    for (int i = 0; i < 20; i++) {
      FullVerification other = new FullVerification(context, "f", true);
      other.begin(OLD, OldUnits.locate(parts.store, door, INODE).of(OLD.id));
      others.add(other);
    }
    assertEquals(9, door.given.stream().map(given -> given.uuid).distinct().count());
    assertEquals(9, door.given.size(), "one for each node");
    nowMs += OrderBook.REPEAT_MS / 2;
    int done = 0;
    while (!others.isEmpty()) {
      FullVerification next = others.remove();
      if (!door.given.isEmpty()) {
        checked(door.given.remove(0), ScrubOutcome.AGREES);
      }
      if (next.isDone()) {
        done++;
      } else {
        others.add(next);
      }
    }
    assertEquals(20, done);
    assertTrue(first.isDone());
    FullVerification last = check();
    assertEquals(1, door.given.size(), "all places were given back");
    last.cancel();
  }

  private RepairResult putOff(FakeDoor.Given given, String why) {
    return RepairResult.ofScrub(given.command.id(), 3,
        new ScrubFinding(ScrubOutcome.NOT_CHECKED, ScrubFinding.NO_UNIT, List.of(), CELL),
        FailureCause.OVERLOADED, why, 1);
  }

  /** The checks before it may be those of larger groups. */
  @Test
  void checksThatTheirDeadlinesEndBeforeTheyBeginDoNotEndTheFile() throws Exception {
    FullVerification check = check();
    for (int i = 0; i < 5; i++) {
      FakeDoor.Given given = door.given.remove(0);
      nowMs += ((ScrubCommand) given.command).deadlineMs;
      desk.tell(given.uuid, putOff(given, "it has waited for other checks"));
      assertFalse(check.isDone());
      assertEquals(List.of(), door.given);
      nowMs += FullVerification.REST_MS_MAX;
      assertFalse(check.isDone());
    }
    checked(door.given.remove(0), ScrubOutcome.AGREES);
    assertTrue(check.isDone());
  }

  @Test
  void aCheckWaitsWhileRepairsUseItsNodes() throws Exception {
    FullVerification check = check();
    FakeDoor.Given given = door.given.remove(0);
    parts.links.repairsAt(List.of(door.node(3).uuid), nowMs);
    desk.tell(given.uuid, putOff(given, "repairs on this node go first"));
    assertFalse(check.isDone());
    for (long waitedMs = 0; waitedMs < 2 * FullVerification.PUT_OFF_MS_MAX;
        waitedMs += FullVerification.REST_MS_MAX) {
      nowMs += FullVerification.REST_MS_MAX;
      parts.links.repairsAt(List.of(door.node(3).uuid), nowMs);
      assertFalse(check.isDone());
    }
    assertEquals(List.of(), door.given);
    nowMs += LinkLoads.QUIET_MS;
    assertFalse(check.isDone());
    checked(door.given.remove(0), ScrubOutcome.AGREES);
    assertTrue(check.isDone());
  }

  /** The checks that have the places end some time, and repairs need not be there meanwhile. */
  @Test
  void waitingForAPlaceIsNotBeingPutOff() throws Exception {
    FullVerification check = check();
    FakeDoor.Given given = door.given.remove(0);
    desk.tell(given.uuid, putOff(given, "repairs on this node go first"));
    assertFalse(check.isDone());
    List<NodeRef> taken = new ArrayList<>();
    for (Optional<NodeRef> place = parts.checks.take(door.workers()); place.isPresent();
        place = parts.checks.take(door.workers())) {
      taken.add(place.get());
    }
    nowMs += FullVerification.REST_MS_MAX;
    assertFalse(check.isDone());
    nowMs += FullVerification.PUT_OFF_MS_MAX;
    assertFalse(check.isDone());
    assertEquals(List.of(), door.given);
    taken.forEach(parts.checks::release);
    assertFalse(check.isDone());
    given = door.given.remove(0);
    desk.tell(given.uuid, putOff(given, "repairs on this node go first"));
    assertFalse(check.isDone());
    check.cancel();
  }

  /** A node takes that many checks, and makes them one after the other. */
  @Test
  void theDeadlineOfACheckCountsThoseBeforeIt() throws Exception {
    nodeRate = 1 << 20;
    parts();
    check();
    // Units of a cell, and as much for the slices that are read again.
    assertEquals(600_000 + ScrubCommand.AT_A_TIME * 2_000,
        ((ScrubCommand) door.given.get(0).command).deadlineMs);
  }

  @Test
  void theLargestGroupAtTheLeastRateGivesItsPlaceBack() throws Exception {
    door.checksAtATime = ScrubCommand.AT_A_TIME;
    nodeRate = ScrubCommand.BYTES_PER_SECOND_MIN;
    parts();
    begin(RS);
    door.given.clear();
    List<UnitHolder> holders = OldUnits.locate(parts.store, door, INODE).of(OLD.id);
    FullVerification check = new FullVerification(context, "f", true);
    check.begin(new FileGroup(OLD.id, 40L << 30, 0), holders);
    assertEquals(RepairCommand.DEADLINE_MS_MAX,
        ((ScrubCommand) door.given.get(0).command).deadlineMs);
    check.cancel();
    assertAllPlacesAreFree();
  }

  private void assertAllPlacesAreFree() {
    for (int i = 0; i < ScrubCommand.AT_A_TIME; i++) {
      for (int node = 0; node < 9; node++) {
        assertEquals(Optional.of(door.node(node)), parts.checks.take(List.of(door.node(node))));
      }
    }
  }

  /** The exception is that of a command that cannot be: one unit is named twice. */
  @Test
  void aCheckThatCannotBeOrderedGivesItsPlaceBack() throws Exception {
    door.checksAtATime = ScrubCommand.AT_A_TIME;
    begin(RS);
    List<UnitHolder> holders =
        new ArrayList<>(OldUnits.locate(parts.store, door, INODE).of(OLD.id));
    holders.add(holders.get(0));
    FullVerification check = new FullVerification(context, "f", true);
    assertThrows(IllegalArgumentException.class, () -> check.begin(OLD, holders));
    check.cancel();
    assertAllPlacesAreFree();
  }

  /** All that nodes read for a job goes at the job's rate, if that is lower than theirs. */
  @Test
  void ordersNameTheLowerOfTheTwoRates() throws Exception {
    check = VerificationMode.FULL;
    for (long job : new long[] {0, 1, 300_000, 800_000}) {
      nodeRate = 500_000;
      jobRate = job;
      parts();
      begin(LRC);
      after(0);
      long rate = job == 0 ? nodeRate
          : Math.max(ScrubCommand.BYTES_PER_SECOND_MIN, Math.min(nodeRate, job));
      door.links().forEach(this::durable);
      after(0);
      List<FakeDoor.Given> digests = door.digests();
      assertFalse(digests.isEmpty());
      digests.forEach(one ->
          assertEquals(rate, ((LinkCommand) one.command).digestBytesPerSecond));
      List<FakeDoor.Given> makes = door.makes();
      assertFalse(makes.isEmpty());
      makes.forEach(make -> assertEquals(rate, ((MakeCommand) make.command).bytesPerSecond));
      making.cancel();
      begin(RS);
      door.given.clear();
      FullVerification chain = new FullVerification(context, "f", true);
      chain.begin(OLD, OldUnits.locate(parts.store, door, INODE).of(OLD.id));
      assertEquals(rate, ((ScrubCommand) door.given.remove(0).command).bytesPerSecond);
      chain.cancel();
      making.cancel();
    }
  }

  /** A node reads one after the other what all orders together want, also those that wait. */
  @Test
  void deadlinesOfDigestsCountTheReadingsBeforeThem() throws Exception {
    check = VerificationMode.FULL;
    nodeRate = 1 << 16;
    parts();
    begin(LRC);
    after(0);
    long unitMs = 1_000L * CELL / nodeRate;
    door.links().forEach(this::durable);
    after(0);
    List<FakeDoor.Given> asked = door.digests();
    assertEquals(8, asked.size());
    asked.forEach(one -> assertEquals(
        600_000 + (DigestOrders.READ_AT_A_TIME + DigestSlots.AT_A_TIME) * unitMs,
        ((LinkCommand) one.command).deadlineMs));
    door.makes().forEach(make -> assertEquals(
        1_800_000 + (1 + DigestOrders.READ_AT_A_TIME) * unitMs,
        ((MakeCommand) make.command).work.deadlineMs));
  }
}
