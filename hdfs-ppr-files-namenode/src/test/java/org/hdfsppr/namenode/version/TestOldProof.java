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
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.namenode.version.VerificationRounds.FullVerification;
import org.hdfsppr.namenode.version.VersionMaker.ProvenMaking;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A group from RS to an LRC under a full check. DataNodes send the digests that the test says. */
class TestOldProof {
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
  private final Set<Integer> lost = new HashSet<>();
  private final BitSet reported = new BitSet();
  private long nowMs = 1_000_000;
  private boolean readsOld;
  /** Runs after each plan, before its orders. */
  private Runnable whenPlanned = () -> { };
  /** Added to the digests of units that are made. */
  private int error;
  private VerificationMode check = VerificationMode.FULL;
  private EngineParts parts;
  private GroupWork making;
  private VersionContext context;
  /** What the old units are, as digests, which satisfy the old code. */
  private final Map<Integer, Integer> old = new HashMap<>();
  /** The old unit that no unit of the new version has the bytes of. */
  private int witness;

  @BeforeEach
  void parts() throws IOException {
    Configuration conf = new Configuration(false);
    VersionNamespace namespace = mock(VersionNamespace.class);
    when(namespace.target(anyInt(), any(), anyLong(), anyLong())).thenAnswer(call -> {
      whenPlanned.run();
      return Optional.of(new CommandTarget(call.getArgument(0), call.getArgument(1), "DS-1",
          StorageType.DISK));
    });
    ClientProtocol namenode = mock(ClientProtocol.class);
    when(namenode.getLocatedFileInfo(anyString(), anyBoolean())).thenAnswer(call -> located());
    VersionGate gate = mock(VersionGate.class);
    when(gate.links()).thenReturn(new LinkLoads());
    when(gate.whyNot()).thenReturn(Optional.empty());
    when(gate.doubt(any(), anyInt())).thenAnswer(call -> doubted.add(call.getArgument(0)));
    when(gate.isDoubted(any())).thenAnswer(call -> doubted.contains(call.getArgument(0)));
    parts = new EngineParts(
        new EngineParts.Files(namespace, VersionStores.of(() -> namenode)),
        new EngineParts.DataNodes(door, desk),
        new EngineParts.Manager(gate, new MadeGroups()),
        new CodePathCache(policy ->
            Codes.forCodec(conf, policy.codec, policy.dataUnits, policy.parityUnits)),
        new VersionSettings(4, 0, 1L << 40), VersionHook.NONE,
        new EngineParts.Clocks(() -> nowMs, () -> nowMs));
    LinearCode code = parts.codes.code(RS);
    for (int unit = 0; unit < 6; unit++) {
      old.put(unit, 0x01020304 * (unit + 1));
    }
    for (int unit = 6; unit < 9; unit++) {
      old.put(unit, parity(code, unit, old));
    }
    witness = IntStream.range(6, 9).filter(unit -> IntStream.range(0, 10).noneMatch(other ->
        parts.codes.conversion(RS, LRC).linkedFrom(other) == unit)).findFirst().orElseThrow();
  }

  /** Returns the digest of a parity unit of those of the data units. */
  private static int parity(LinearCode code, int parity, Map<Integer, Integer> digests) {
    int digest = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      for (int unit = 0; unit < 6; unit++) {
        digest ^= Gf256.mul(code.generator().get(parity, unit),
            digests.get(unit) >>> shift & 0xff) << shift;
      }
    }
    return digest;
  }

  /** Unit u lies at node u; nodes 9 to 11 hold none. */
  private HdfsLocatedFileStatus located() {
    List<Integer> units = IntStream.range(0, 9).filter(unit -> !lost.contains(unit)).boxed()
        .collect(Collectors.toList());
    DatanodeInfo[] nodes = new DatanodeInfo[units.size()];
    byte[] indices = new byte[units.size()];
    for (int i = 0; i < nodes.length; i++) {
      NodeRef node = door.node(units.get(i));
      nodes[i] = new DatanodeInfoBuilder().setNodeID(new DatanodeID(node.ipAddr,
          node.hostName, node.uuid, node.xferPort, 1, 1, 1))
          .setNetworkLocation(node.rack).build();
      indices[i] = (byte) (int) units.get(i);
    }
    LocatedBlocks blocks = mock(LocatedBlocks.class);
    when(blocks.getLocatedBlocks()).thenReturn(Collections.singletonList(new LocatedStripedBlock(
        new ExtendedBlock("BP-1", OLD.id.groupId, BYTES, 1001), nodes, null, null, indices, 0,
        false, DatanodeInfo.EMPTY_ARRAY)));
    HdfsLocatedFileStatus status = mock(HdfsLocatedFileStatus.class);
    when(status.getLocatedBlocks()).thenReturn(blocks);
    return status;
  }

  private void begin(GroupPolicy to) throws Exception {
    FileFacts facts = FileFacts.of("/f", FileFacts.Kind.FILE, INODE).with(f -> {
      f.groups = List.of(OLD);
      f.policy = new PolicyFacts("RS", RS, true);
    }).build();
    TargetFile file =
        new TargetFile(facts, 16, "f", FsPermission.getFileDefault(), 1 << 27, null);
    context = new VersionContext(parts, new VersionContext.Job("j1", 0),
        new VersionContext.MadeFile("/f", INODE, to), 3, () -> { });
    VersionRequest request = VersionRequest.of("j1", "/f", INODE).user("alice").policy("P")
        .graceMs(PowerCutDurability.UNSAID_MS).check(check).build();
    making = ProvenMaking.of(context, new VersionRecipe(context, parts.codes.code(to),
        readsOld ? request.readingOld() : request, file, OLD, MADE,
        OldUnits.locate(parts.store, door, INODE)), MADE);
    making.begin();
    making.advance(reported);
  }

  /** The old units of the test that new blocks were linked from. */
  private final Map<BlockRef, Integer> linkedFrom = new HashMap<>();

  private void after(long ms) throws Exception {
    nowMs += ms;
    making.advance(reported);
  }

  private static LinkCommand link(FakeDoor.Given given) {
    return (LinkCommand) given.command;
  }

  private static MakeCommand make(FakeDoor.Given given) {
    return (MakeCommand) given.command;
  }

  private void answer(FakeDoor.Given given, RepairOutcome outcome, FailureCause cause,
      List<Integer> names, Map<Integer, Integer> digests) {
    desk.tell(given.uuid, new RepairResult(given.command.id(), 3, outcome, names, 0, 1)
        .withFailure(null, cause, "").withVersion(VersionReport.NOTHING.asDurable()
        .withDigests(digests)));
  }

  private void linked(FakeDoor.Given given) {
    assertEquals(Optional.empty(), link(given).digestKey, "links wait for no digests");
    int unit = (int) (link(given).links.get(0).from.blockId - OLD.id.groupId);
    linkedFrom.put(link(given).links.get(0).to, unit);
    answer(given, RepairOutcome.REBUILT, null, List.of(0), Map.of());
  }

  /** Answers as a node that has the old units of the test. */
  private void digested(FakeDoor.Given given) {
    assertEquals(Optional.of(making.digests().key()), link(given).digestKey);
    int unit = linkedFrom.get(link(given).digested.get(0));
    answer(given, RepairOutcome.REBUILT, null, List.of(), Map.of(0, old.get(unit)));
  }

  /** Answers as a node that has made new units of right data units. */
  private void made(FakeDoor.Given given) throws Exception {
    Map<Integer, Integer> digests = new HashMap<>();
    for (CommandTarget target : make(given).work.targets) {
      int unit = (int) (make(given).work.group.block(target.unit).blockId
          - MADE.id.groupId);
      digests.put(target.unit, parity(parts.codes.code(LRC), unit, old) ^ error);
    }
    answer(given, RepairOutcome.REBUILT, null, List.copyOf(digests.keySet()), digests);
  }

  /** Returns the order for a digest of the old unit that is linked nowhere, and forgets it. */
  private FakeDoor.Given asked() {
    List<FakeDoor.Given> asked = door.digests();
    assertEquals(1, asked.size(), door.given.toString());
    return asked.get(0);
  }

  private void assertNothingProven() {
    assertEquals(List.of(), door.digests());
    List<FakeDoor.Given> makes = door.makes();
    assertFalse(makes.isEmpty());
    makes.forEach(given -> assertTrue(make(given).work.doubted, given.command.toString()));
    making.cancel();
  }

  /** Lets all nodes answer; the witness sends this digest, or none. */
  private void allDone(Integer digest) throws Exception {
    answer(asked(), RepairOutcome.REBUILT, null, List.of(),
        digest == null ? Map.of() : Map.of(0, digest));
    door.links().forEach(this::linked);
    for (FakeDoor.Given given : door.makes()) {
      made(given);
    }
    reported.set(0, 10);
    after(0);
    assertFalse(making.isDone(reported), "digests of links are missing");
    door.digests().forEach(this::digested);
    after(0);
    assertTrue(making.isDone(reported));
  }

  @Test
  void nodesThatMakeUnitsReadWhatTheyNeedAndNoMore() throws Exception {
    begin(LRC);
    FakeDoor.Given asked = asked();
    assertEquals(FakeDoor.uuid(witness), asked.uuid);
    assertEquals(List.of(OLD.id.block(witness, CELL)), link(asked).digested);
    assertEquals(Optional.of(making.digests().key()), link(asked).digestKey);
    List<FakeDoor.Given> links = door.links();
    List<FakeDoor.Given> makes = door.makes();
    assertFalse(makes.isEmpty());
    makes.forEach(given -> assertFalse(make(given).work.doubted));
    links.forEach(this::linked);
    for (FakeDoor.Given given : makes) {
      made(given);
    }
    reported.set(0, 10);
    after(0);
    door.digests().forEach(this::digested);
    after(0);
    assertFalse(making.isDone(reported), "a digest is missing");
    answer(asked, RepairOutcome.REBUILT, null, List.of(), Map.of(0, old.get(witness)));
    after(0);
    assertTrue(making.isDone(reported));
    making.checkOld();
    making.checkedByReading(parts.codes.code(LRC));
    assertEquals(Set.of(), doubted);
    assertEquals(0, desk.size());
  }

  /** All new units fit the wrong unit. */
  @Test
  void aWrongDataUnitOfTheOldVersionIsFound() throws Exception {
    int right = old.get(witness);
    old.put(3, old.get(3) ^ 0x100);
    begin(LRC);
    // Linked parity units are as they were.
    allDone(right);
    VersionStopException e = assertThrows(VersionStopException.class, () -> making.checkOld());
    assertTrue(e.isForGood);
    assertTrue(e.getMessage().contains("the units of " + OLD.id + " contradict each other"),
        e.getMessage());
    assertEquals(Set.of(OLD.id), doubted);
  }

  @Test
  void aWrongParityUnitOfTheOldVersionIsFound() throws Exception {
    begin(LRC);
    allDone(old.get(witness) ^ 0x4000);
    assertTrue(assertThrows(VersionStopException.class, () -> making.checkOld()).isForGood);
    assertEquals(Set.of(OLD.id), doubted);
  }

  /** The next try reads the units of the old version. */
  @Test
  void aVersionWhoseDigestsAreNotAllThereIsMadeAnew() throws Exception {
    begin(LRC);
    VersionStopException e = assertThrows(VersionStopException.class, () -> allDone(null));
    making.cancel();
    door.given.clear();
    assertFalse(e.isForGood);
    assertEquals(Set.of(), doubted);
    reported.clear();
    readsOld = true;
    begin(LRC);
    assertNothingProven();
    making.checkOld();
  }

  /** The proof is about what these digests are of, and not about what was read since. */
  @Test
  void newUnitsWhoseDigestsContradictEachOtherAreNotPublishedThoughTheyAgree() throws Exception {
    begin(LRC);
    error = 0x1234;
    allDone(old.get(witness));
    making.checkOld();
    LinearCode code = parts.codes.code(LRC);
    assertFalse(assertThrows(VersionStopException.class,
        () -> making.checkedByReading(code)).isForGood);
    assertEquals(Set.of(), doubted);
  }

  @Test
  void aNodeThatSendsNoDigestsLetsMakingNodesReadAll() throws Exception {
    for (int node : new int[] {witness, 0, 6, 7, 8}) {
      door.withoutDigests.add(FakeDoor.uuid(node));
      begin(LRC);
      assertNothingProven();
      door.withoutDigests.clear();
    }
  }

  /** It has nothing to check the bytes with, and would refuse an order to check them. */
  @Test
  void aNodeThatCopiesAUnitReadsThatUnitOnly() throws Exception {
    door.stock.add(FakeDoor.uuid(2));
    begin(LRC);
    List<FakeDoor.Given> makes = door.makes();
    List<FakeDoor.Given> copies = makes.stream()
        .filter(given -> make(given).work.blocks.size() == 2).collect(Collectors.toList());
    assertEquals(1, copies.size());
    assertEquals(OLD.id.block(2, CELL), make(copies.get(0)).work.blocks.get(0));
    assertFalse(make(copies.get(0)).work.doubted);
    makes.removeAll(copies);
    assertFalse(makes.isEmpty());
    makes.forEach(given -> assertTrue(make(given).work.doubted, given.command.toString()));
    making.cancel();
  }

  @Test
  void withoutAUnitOfTheOldVersionMakingNodesReadAll() throws Exception {
    for (int unit : new int[] {witness, 2, 6, 7, 8}) {
      lost.add(unit);
      begin(LRC);
      assertNothingProven();
      lost.clear();
    }
  }

  @Test
  void digestsSayNothingOfCodesWithSubChunksOrOfDoubtedGroups() throws Exception {
    begin(XOR);
    assertNothingProven();
    doubted.add(OLD.id);
    begin(LRC);
    assertNothingProven();
  }

  @Test
  void samplesNeedNoProof() throws Exception {
    check = VerificationMode.SAMPLED;
    begin(LRC);
    assertEquals(List.of(), door.digests());
    door.makes().forEach(given -> assertFalse(make(given).work.doubted));
    making.checkOld();
  }

  /** The two forms have nothing in common: what differs would look like a wrong unit. */
  @Test
  void digestsOfAnotherFormProveNothing() throws Exception {
    begin(LRC);
    allDone(old.get(witness));
    VersionStopException e = assertThrows(VersionStopException.class, () -> new OldProof(context,
        RS, OLD, MADE).agree(new GroupDigests(MADE.id)));
    assertTrue(e.getMessage().contains("stopped to send digests"), e.getMessage());
    making.checkOld();
  }

  /** It is made of other units, and may be wrong if one of these is. */
  @Test
  void whatIsPlannedAgainIsMadeByReading() throws Exception {
    begin(LRC);
    List<FakeDoor.Given> links = door.links();
    door.makes();
    answer(links.get(2), RepairOutcome.FAILED, FailureCause.CORRUPT_REPLICA, List.of(), Map.of());
    after(0);
    after(0);
    List<FakeDoor.Given> again = door.makes();
    assertEquals(1, again.size());
    assertTrue(make(again.get(0)).work.doubted);
  }

  @Test
  void anOverloadedNodeIsAskedAgain() throws Exception {
    begin(LRC);
    answer(asked(), RepairOutcome.REFUSED, FailureCause.OVERLOADED, List.of(), Map.of());
    door.given.clear();
    after(0);
    after(NodeLinks.REST_MS - 1);
    assertEquals(List.of(), door.given);
    after(1);
    answer(asked(), RepairOutcome.REFUSED, FailureCause.UNSUPPORTED, List.of(), Map.of());
    assertThrows(VersionStopException.class, () -> after(0));
    assertThrows(VersionStopException.class, () -> after(2 * NodeLinks.REST_MS));
    assertEquals(List.of(), door.digests());
  }

  /** Lets all nodes answer but the one that is asked for a digest of an old unit. */
  private FakeDoor.Given allDoneButWitness() throws Exception {
    FakeDoor.Given asked = asked();
    door.links().forEach(this::linked);
    for (FakeDoor.Given given : door.makes()) {
      made(given);
    }
    reported.set(0, 10);
    after(0);
    door.digests().forEach(this::digested);
    after(0);
    assertFalse(making.isDone(reported));
    return asked;
  }

  /** The next try would have all units read, by nodes that are as busy. */
  @Test
  void aNodeThatReadsForOthersForMoreThanAnHourIsWaitedFor() throws Exception {
    begin(LRC);
    FakeDoor.Given asked = allDoneButWitness();
    long untilMs = nowMs + 61 * 60_000;
    while (nowMs < untilMs) {
      answer(asked, RepairOutcome.REFUSED, FailureCause.OVERLOADED, List.of(), Map.of());
      after(0);
      after(NodeLinks.REST_MS);
      asked = asked();
    }
    answer(asked, RepairOutcome.REBUILT, null, List.of(), Map.of(0, old.get(witness)));
    after(0);
    assertTrue(making.isDone(reported));
    making.checkOld();
    making.checkedByReading(parts.codes.code(LRC));
  }

  /** A node that refuses for ever leaves the next try, which reads, as much time. */
  @Test
  void aNodeIsNotWaitedForForEver() throws Exception {
    begin(LRC);
    FakeDoor.Given asked = allDoneButWitness();
    long untilMs = nowMs + BlockDigests.BUSY_MS_MAX - 10_000;
    while (nowMs < untilMs) {
      assertFalse(making.isDone(reported));
      answer(asked, RepairOutcome.REFUSED, FailureCause.OVERLOADED, List.of(), Map.of());
      after(0);
      after(NodeLinks.REST_MS);
      asked = asked();
    }
    nowMs += 20_000;
    answer(asked, RepairOutcome.REFUSED, FailureCause.OVERLOADED, List.of(), Map.of());
    assertFalse(assertThrows(VersionStopException.class, () -> after(0)).isForGood);
  }

  /** The proof then says so, and whatever comes besides is of no use. */
  @Test
  void aVersionEndsAsSoonAsOneOfItsDigestsCannotCome() throws Exception {
    begin(LRC);
    FakeDoor.Given busy = asked();
    door.links().forEach(this::linked);
    after(0);
    List<FakeDoor.Given> digests = door.digests();
    answer(busy, RepairOutcome.REFUSED, FailureCause.OVERLOADED, List.of(), Map.of());
    answer(digests.get(0), RepairOutcome.FAILED, FailureCause.CORRUPT_REPLICA, List.of(),
        Map.of());
    VersionStopException e = assertThrows(VersionStopException.class, () -> after(0));
    assertFalse(e.isForGood, "the next try reads");
    assertTrue(e.getMessage().contains("no DataNode has sent a digest of unit "), e.getMessage());
    making.cancel();
    assertEquals(0, desk.size());
  }

  /** Links, and makes, all units of a group without a proof, and returns orders for digests. */
  private List<FakeDoor.Given> allMade() throws Exception {
    begin(LRC);
    door.links().forEach(this::linked);
    for (FakeDoor.Given given : door.makes()) {
      made(given);
    }
    reported.set(0, 10);
    after(0);
    return door.digests();
  }

  /** The units are read and summed along a chain in any case. */
  @Test
  void withoutAProofOneDigestThatCannotComeEndsTheWaitForTheOthers() throws Exception {
    readsOld = true;
    List<FakeDoor.Given> digests = allMade();
    assertFalse(making.isDone(reported));
    answer(digests.get(0), RepairOutcome.FAILED, FailureCause.CORRUPT_REPLICA, List.of(),
        Map.of());
    after(0);
    assertTrue(making.isDone(reported));
    digests.subList(1, digests.size()).forEach(given ->
        assertTrue(door.cancelled.contains(given.command.id()), given.uuid));
    assertEquals(0, desk.size());
    making.checkOld();
  }

  @Test
  void noDigestsAreWaitedForInAGroupWithANodeThatSendsNone() throws Exception {
    door.withoutDigests.add(FakeDoor.uuid(0));
    allMade();
    after(0);
    assertTrue(making.isDone(reported));
    assertEquals(0, desk.size());
  }

  /** A node of an older version sends digests of what it makes, or none. */
  @Test
  void noDigestsAreWaitedForIfAMakingHasSentNone() throws Exception {
    door.withoutDigests.add(FakeDoor.uuid(10));
    whenPlanned = () -> door.withoutDigests.add(FakeDoor.uuid(9));
    begin(LRC);
    whenPlanned = () -> { };
    door.links().forEach(this::linked);
    after(0);
    assertFalse(making.digests().key().isFolded);
    assertEquals(8, door.digests().size());
    for (FakeDoor.Given given : door.makes()) {
      List<Integer> names = make(given).work.targets.stream().map(target -> target.unit)
          .collect(Collectors.toList());
      answer(given, RepairOutcome.REBUILT, null, names, Map.of());
    }
    reported.set(0, 10);
    after(0);
    after(0);
    assertTrue(making.isDone(reported));
    assertEquals(0, desk.size());
  }

  /** Refuses all digests again and again, and returns for how long they were waited for, ms. */
  private long refused(List<FakeDoor.Given> digests) throws Exception {
    long sinceMs = nowMs;
    while (!making.isDone(reported)) {
      assertTrue(nowMs - sinceMs < MakingGuard.VERSION_MS_MAX / 2);
      digests.forEach(given ->
          answer(given, RepairOutcome.REFUSED, FailureCause.OVERLOADED, List.of(), Map.of()));
      after(0);
      after(NodeLinks.REST_MS);
      digests = door.digests();
    }
    return nowMs - sinceMs;
  }

  /** They only spare a check, which nodes may put off as long. */
  @Test
  void busyNodesAreWaitedForForMinutesWhereNoProofNeedsTheirDigests() throws Exception {
    readsOld = true;
    long ms = refused(allMade());
    assertTrue(ms >= FullVerification.PUT_OFF_MS_MAX && ms <= FullVerification.PUT_OFF_MS_MAX
        + 30_000,
        ms + " ms");
  }

  /** Its deadline has passed at the node, or here. Nothing is made a second time for that. */
  @Test
  void aLateDigestIsWaitedFor() throws Exception {
    begin(LRC);
    FakeDoor.Given late = allDoneButWitness();
    answer(late, RepairOutcome.FAILED, FailureCause.OVERLOADED, List.of(), Map.of());
    after(0);
    after(NodeLinks.REST_MS);
    assertFalse(making.isDone(reported));
    late = asked();
    after(link(late).deadlineMs + 30_000);
    after(NodeLinks.REST_MS);
    assertFalse(making.isDone(reported));
    answer(asked(), RepairOutcome.REBUILT, null, List.of(), Map.of(0, old.get(witness)));
    after(0);
    assertTrue(making.isDone(reported));
    assertEquals(List.of(), door.given, "nothing was linked or made twice");
    making.checkOld();
    making.checkedByReading(parts.codes.code(LRC));
    assertEquals(0, desk.size());
  }

  /** A pause of the NameNode of ten seconds lets all nodes seem silent for a moment. */
  @Test
  void linksThatAreTakenWhileNodesSeemSilentHaveDigests() throws Exception {
    begin(LRC);
    answer(asked(), RepairOutcome.REBUILT, null, List.of(), Map.of(0, old.get(witness)));
    door.links().forEach(this::linked);
    for (FakeDoor.Given given : door.makes()) {
      made(given);
    }
    reported.set(0, 10);
    IntStream.range(0, 12).forEach(node -> door.silent.add(FakeDoor.uuid(node)));
    after(0);
    door.silent.clear();
    door.digests();
    after(OrderBook.REPEAT_MS);
    door.digests().forEach(this::digested);
    after(0);
    assertTrue(making.isDone(reported));
    making.checkOld();
    making.checkedByReading(parts.codes.code(LRC));
  }

  /** Digests of the new version then have another form than those of the old one. */
  @Test
  void aNodeThatSeemsSilentWhenOrdersBeginLetsMakingNodesReadAll() throws Exception {
    whenPlanned = () -> door.withoutDigests.add(FakeDoor.uuid(0));
    begin(LRC);
    whenPlanned = () -> { };
    assertNothingProven();
    making.checkOld();
  }

  /** It may be starting again, and knows nothing of the order then. */
  @Test
  void aNodeThatIsSilentForAWhileIsAskedAgain() throws Exception {
    begin(LRC);
    String id = asked().command.id();
    door.silent.add(FakeDoor.uuid(witness));
    after(BlockDigests.SILENT_MS_MAX - 1);
    assertEquals(id, asked().command.id());
    assertFalse(door.cancelled.contains(id));
    door.silent.clear();
    after(1);
    door.silent.add(FakeDoor.uuid(witness));
    after(BlockDigests.SILENT_MS_MAX - 1);
    assertFalse(door.cancelled.contains(id));
    assertThrows(VersionStopException.class, () -> after(1));
    assertTrue(door.cancelled.contains(id));
    door.given.clear();
    assertThrows(VersionStopException.class, () -> after(OrderBook.REPEAT_MS));
    assertEquals(List.of(), door.digests());
    making.cancel();
    assertEquals(0, desk.size());
  }

  /** A making that waited for digests of links would give the links up with the node. */
  @Test
  void aLinkStaysWhereItIsWhileItsNodeIsSilentOrBusy() throws Exception {
    begin(LRC);
    answer(asked(), RepairOutcome.REBUILT, null, List.of(), Map.of(0, old.get(witness)));
    door.links().forEach(this::linked);
    for (FakeDoor.Given given : door.makes()) {
      made(given);
    }
    reported.set(0, 10);
    after(0);
    List<FakeDoor.Given> digests = door.digests();
    assertEquals(8, digests.size());
    answer(digests.get(0), RepairOutcome.REFUSED, FailureCause.OVERLOADED, List.of(), Map.of());
    digests.subList(2, 8).forEach(this::digested);
    door.silent.add(digests.get(1).uuid);
    after(0);
    after(NodeNotes.SILENT_MS_EXTRA + NodeLinks.REST_MS);
    door.silent.clear();
    after(NodeLinks.MS_MAX);
    List<FakeDoor.Given> again = door.digests();
    again.forEach(this::digested);
    assertEquals(Set.of(digests.get(0).uuid, digests.get(1).uuid),
        again.stream().map(given -> given.uuid).collect(Collectors.toSet()));
    after(0);
    assertTrue(making.isDone(reported));
    assertEquals(List.of(), door.given, "nothing was linked or made twice");
    making.checkOld();
    assertTrue(making.digests().agree(parts.codes.code(LRC)));
  }

  @Test
  void aVersionThatEndsTakesItsOrdersBack() throws Exception {
    begin(LRC);
    String id = asked().command.id();
    making.cancel();
    assertTrue(door.cancelled.contains(id));
    assertEquals(0, desk.size());
  }
}
