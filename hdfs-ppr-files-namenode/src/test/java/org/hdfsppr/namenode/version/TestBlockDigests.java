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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.Test;

/** Many groups ask one DataNode for digests. */
class TestBlockDigests {
  private static final int CELL = 1 << 20;
  private static final GroupId GROUP = new GroupId("BP-1", -1600, 1001);
  private static final String NODE = FakeDoor.uuid(1);
  private static final int PLACES = DigestSlots.AT_A_TIME;

  /** Whether nodes become silent just before they are asked whether they send digests. */
  private boolean becomeSilent;
  private final FakeDoor door = new FakeDoor(3) {
    @Override
    public boolean sendsDigests(String uuid) {
      if (becomeSilent) {
        silent.add(uuid);
      }
      return super.sendsDigests(uuid);
    }
  };
  private final OrderBook desk = new OrderBook();
  private long nowMs = 1_000_000;
  private final EngineParts parts = new EngineParts(
      new EngineParts.Files(mock(VersionNamespace.class),
          VersionStores.of(() -> mock(ClientProtocol.class))),
      new EngineParts.DataNodes(door, desk),
      new EngineParts.Manager(mock(VersionGate.class), new MadeGroups()),
      new CodePathCache(policy ->
          Codes.forCodec(new Configuration(false), policy.codec, policy.dataUnits,
                  policy.parityUnits)),
      new VersionSettings(4, 0, 1L << 25), VersionHook.NONE,
      new EngineParts.Clocks(() -> nowMs, () -> nowMs));
  private final VersionContext context = context("j1", 0);
  private final List<BlockDigests> all = new ArrayList<>();

  private VersionContext context(String job, long jobRate) {
    return new VersionContext(parts, new VersionContext.Job(job, jobRate),
        new VersionContext.MadeFile("/f", 17, new GroupPolicy("rs", 6, 3, CELL)),
        3, () -> { });
  }

  private BlockDigests ask(VersionContext of, String uuid, BlockRef... blocks) {
    BlockDigests asked = new BlockDigests(of, uuid, List.of(blocks),
        new DigestOrders(true, new GroupDigests(GROUP), of.nodeBytesPerSecond()),
        BlockDigests.BUSY_MS_MAX, nowMs);
    all.add(asked);
    asked.advance(nowMs);
    return asked;
  }

  private BlockDigests ask(String uuid) {
    return ask(context, uuid, GROUP.block(0, CELL));
  }

  private void ask(VersionContext of, int count, long bytes) {
    for (int i = 0; i < count; i++) {
      ask(of, NODE, GROUP.block(0, bytes));
    }
  }

  private void ask(int count) {
    for (int i = 0; i < count; i++) {
      ask(NODE);
    }
  }

  private void advance(long ms) {
    nowMs += ms;
    all.forEach(asked -> asked.advance(nowMs));
  }

  private void answer(FakeDoor.Given given, RepairOutcome outcome, FailureCause cause) {
    answer(given, outcome, cause, outcome == RepairOutcome.REBUILT ? Map.of(0, 7) : Map.of());
  }

  private void answer(FakeDoor.Given given, RepairOutcome outcome, FailureCause cause,
      Map<Integer, Integer> digests) {
    desk.tell(given.uuid, new RepairResult(given.command.id(), 3, outcome, List.of(), 0, 1)
        .withFailure(null, cause, "").withVersion(VersionReport.NOTHING.withDigests(digests)));
  }

  private void read(FakeDoor.Given given) {
    answer(given, RepairOutcome.REBUILT, null);
  }

  private void refuse(FakeDoor.Given given) {
    answer(given, RepairOutcome.REFUSED, FailureCause.OVERLOADED);
  }

  private long done() {
    return all.stream().filter(BlockDigests::isDone).count();
  }

  private static LinkCommand command(FakeDoor.Given given) {
    return (LinkCommand) given.command;
  }

  /** Returns after which time an order without a result is late. */
  private static long lateMs(FakeDoor.Given given) {
    return command(given).deadlineMs + 30_000;
  }

  /** Returns the one order for digests that was given since the last call. */
  private FakeDoor.Given only() {
    List<FakeDoor.Given> given = door.digests();
    assertEquals(1, given.size());
    return given.get(0);
  }

  /** Asserts that as many orders as there are places can be given at once, and no more. */
  private void assertAllPlacesAreFree() {
    door.given.clear();
    all.clear();
    ask(PLACES + 1);
    assertEquals(PLACES, door.digests().size());
    all.forEach(BlockDigests::cancel);
    assertEquals(0, desk.size());
  }

  @Test
  void aNodeHasFewOrdersAtATimeAndCarriesAllOut() {
    ask(2_000);
    int read = 0;
    while (read < 2_000) {
      List<FakeDoor.Given> given = door.digests();
      assertFalse(given.isEmpty(), read + " are read");
      assertTrue(given.size() <= PLACES, given.size() + " at a time");
      given.forEach(this::read);
      read += given.size();
      advance(0);
      assertEquals(read, done(), "in the order in which they came");
      all.subList(0, read).forEach(asked -> assertEquals(7, asked.of(0)));
    }
    assertEquals(0, desk.size());
    assertAllPlacesAreFree();
  }

  @Test
  void eachNodeHasItsPlaces() {
    ask(PLACES + 1);
    ask(FakeDoor.uuid(2));
    List<FakeDoor.Given> given = door.digests();
    assertEquals(PLACES + 1, given.size());
    assertEquals(FakeDoor.uuid(2), given.get(PLACES).uuid);
  }

  @Test
  void oneThatIsRefusedIsAskedAgainAfterItsRest() {
    ask(PLACES + 1);
    List<FakeDoor.Given> given = door.digests();
    refuse(given.get(0));
    advance(0);
    assertEquals(1, door.digests().size(), "another one has the place meanwhile");
    advance(NodeLinks.REST_MS);
    assertEquals(0, door.digests().size(), "no place is free");
    read(given.get(1));
    advance(0);
    advance(0);
    List<FakeDoor.Given> again = door.digests();
    assertEquals(1, again.size());
    read(again.get(0));
    advance(0);
    assertTrue(all.get(0).isDone());
  }

  /** It leads repairs all the time, and says at each deadline that it has had no time. */
  private void refuseAllAtTheirDeadlines() {
    List<FakeDoor.Given> given = door.digests();
    nowMs += given.stream().mapToLong(one -> command(one).deadlineMs).max().orElse(0);
    given.forEach(this::refuse);
    advance(0);
    advance(NodeLinks.REST_MS);
  }

  @Test
  void aBusyNodeIsAskedForAllInTurn() {
    Set<BlockRef> asked = new HashSet<>();
    for (int i = 0; i < 5 * PLACES; i++) {
      ask(context, NODE, new GroupId("BP-1", -1600 - 16 * i, 1001).block(0, CELL));
    }
    for (int round = 0; round < 5; round++) {
      assertEquals(0, done());
      door.given.forEach(given -> asked.addAll(command(given).digested));
      refuseAllAtTheirDeadlines();
    }
    assertEquals(5 * PLACES, asked.size());
    all.forEach(BlockDigests::cancel);
    assertAllPlacesAreFree();
  }

  /** None of them is left for the time after, so that all files end their tries together. */
  @Test
  void allThatWaitForABusyNodeGiveItUp() {
    ask(50 * PLACES);
    long sinceMs = nowMs;
    while (nowMs - sinceMs < BlockDigests.BUSY_MS_MAX - 1_000) {
      assertEquals(0, done(), nowMs - sinceMs + " ms");
      refuseAllAtTheirDeadlines();
    }
    advance(10_000);
    refuseAllAtTheirDeadlines();
    assertEquals(50 * PLACES, done());
    assertTrue(nowMs - sinceMs <= BlockDigests.BUSY_MS_MAX + 60_000, nowMs - sinceMs + " ms");
    assertAllPlacesAreFree();
  }

  /** It has memory for small units only, or is not what it seems. */
  @Test
  void oneThatANodeRefusesAgainAndAgainIsGivenUpThoughItReadsOthers() {
    ask(2);
    BlockDigests refused = all.get(0);
    long sinceMs = nowMs;
    while (!refused.isDone()) {
      assertTrue(nowMs - sinceMs <= 2 * BlockDigests.BUSY_MS_MAX, nowMs - sinceMs + " ms");
      ask(1);
      List<FakeDoor.Given> given = door.digests();
      given.subList(1, given.size()).forEach(this::read);
      refuse(given.get(0));
      advance(0);
      all.removeIf(asked -> asked != refused && asked.isDone());
      ask(1);
      door.digests().forEach(this::read);
      advance(NodeLinks.REST_MS);
    }
    assertTrue(nowMs - sinceMs >= BlockDigests.BUSY_MS_MAX - 60_000, nowMs - sinceMs + " ms");
    assertNull(refused.of(0));
  }

  /** Those that are refused rest, and the others wait for their turn. */
  @Test
  void aNodeThatRefusesAllIsNotFlooded() {
    ask(2_000);
    for (int round = 0; round < 100; round++) {
      List<FakeDoor.Given> given = door.digests();
      assertTrue(given.size() <= PLACES, given.size() + " at a time");
      given.forEach(this::refuse);
      advance(100);
    }
    assertEquals(0, done());
    all.forEach(BlockDigests::cancel);
    assertAllPlacesAreFree();
  }

  @Test
  void placesAreGivenBackOnceWhateverEndsAnOrder() {
    ask(PLACES);
    List<FakeDoor.Given> given = door.digests();
    read(given.get(0));
    refuse(given.get(1));
    answer(given.get(2), RepairOutcome.FAILED, FailureCause.CORRUPT_REPLICA);
    advance(0);
    for (int i = 0; i < 6; i++) {
      all.get(i).cancel();
      all.get(i).cancel();
    }
    all.subList(0, 6).clear();
    ask(10);
    assertEquals(6, door.digests().size());
    all.forEach(BlockDigests::cancel);
    assertAllPlacesAreFree();
  }

  @Test
  void placesOfOrdersThatAreLateAreGivenBack() {
    ask(PLACES + 1);
    FakeDoor.Given given = door.digests().get(0);
    advance(lateMs(given));
    advance(0);
    assertEquals(1, door.digests().size(), "its time begins when it has a place");
    all.forEach(BlockDigests::cancel);
    assertAllPlacesAreFree();
  }

  /** Its node may have repairs to do for hours, and reads nothing for digests meanwhile. */
  @Test
  void oneThatIsLateIsAskedForAgain() {
    BlockDigests late = ask(NODE);
    FakeDoor.Given first = only();
    advance(lateMs(first));
    assertEquals(List.of(first.command.id()), door.cancelled);
    assertFalse(late.isDone());
    advance(NodeLinks.REST_MS - 1);
    assertEquals(List.of(), door.digests());
    advance(1);
    FakeDoor.Given again = only();
    assertNotEquals(first.command.id(), again.command.id());
    read(first);
    advance(0);
    assertFalse(late.isDone(), "the first order was taken back");
    read(again);
    advance(0);
    assertEquals(7, late.of(0));
    assertAllPlacesAreFree();
  }

  /** A node says that it had no time; it has the block. */
  @Test
  void oneThatTheNodeHasEndedIsAskedForAgain() {
    BlockDigests ended = ask(NODE);
    answer(only(), RepairOutcome.FAILED, FailureCause.OVERLOADED);
    advance(0);
    advance(NodeLinks.REST_MS);
    assertFalse(ended.isDone());
    read(only());
    advance(0);
    assertEquals(7, ended.of(0));
  }

  @Test
  void aNodeIsAskedAgainOnlyForWhatItHasNotRead() {
    BlockDigests asked = ask(context, NODE, GROUP.block(3, CELL), GROUP.block(5, CELL));
    answer(only(), RepairOutcome.FAILED, FailureCause.OVERLOADED, Map.of(0, 11));
    advance(0);
    advance(NodeLinks.REST_MS);
    FakeDoor.Given again = only();
    assertEquals(List.of(GROUP.block(5, CELL)), command(again).digested);
    answer(again, RepairOutcome.REBUILT, null, Map.of(0, 13));
    advance(0);
    assertTrue(asked.isDone());
    assertEquals(11, asked.of(0));
    assertEquals(13, asked.of(1));
  }

  /** A node that knows no other answer says nothing of why it has no digest. */
  @Test
  void aNodeThatCannotReadABlockIsNotAskedAgain() {
    for (FailureCause cause : new FailureCause[] {null, FailureCause.CORRUPT_REPLICA,
        FailureCause.INTERNAL}) {
      for (RepairOutcome outcome : new RepairOutcome[] {RepairOutcome.REBUILT,
          RepairOutcome.FAILED, RepairOutcome.REFUSED}) {
        BlockDigests asked = ask(NODE);
        answer(only(), outcome, cause, Map.of());
        advance(0);
        assertTrue(asked.isDone(), outcome + " " + cause);
        assertNull(asked.of(0));
        advance(NodeLinks.REST_MS);
        assertEquals(List.of(), door.digests());
      }
    }
    assertAllPlacesAreFree();
  }

  /** The next try has as much time, and reads. */
  @Test
  void oneThatIsAlwaysLateIsGivenUp() {
    BlockDigests late = ask(NODE);
    long sinceMs = nowMs;
    while (!late.isDone()) {
      assertTrue(nowMs - sinceMs <= BlockDigests.BUSY_MS_MAX + 60_000, nowMs - sinceMs + " ms");
      advance(lateMs(only()));
      advance(NodeLinks.REST_MS);
    }
    assertTrue(nowMs - sinceMs >= BlockDigests.BUSY_MS_MAX, nowMs - sinceMs + " ms");
    assertNull(late.of(0));
    assertAllPlacesAreFree();
  }

  /** After a pause of the NameNode, all nodes seem silent until their heartbeats come. */
  @Test
  void aNodeThatIsSilentJustNowIsAskedLater() {
    door.silent.add(NODE);
    BlockDigests asked = ask(NODE);
    advance(BlockDigests.SILENT_MS_MAX - 1);
    assertFalse(asked.isDone());
    door.silent.clear();
    door.digests();
    advance(OrderBook.REPEAT_MS);
    read(only());
    advance(0);
    assertEquals(7, asked.of(0));
    assertAllPlacesAreFree();
  }

  @Test
  void aNodeThatBecomesSilentAtThisMomentIsAskedLater() {
    becomeSilent = true;
    BlockDigests asked = ask(NODE);
    assertFalse(asked.isDone());
    becomeSilent = false;
    door.silent.clear();
    advance(100);
    advance(OrderBook.REPEAT_MS);
    read(door.digests().get(0));
    advance(0);
    assertEquals(7, asked.of(0));
  }

  /** One of the two units is made anew, and the other one is still there. */
  @Test
  void theOtherUnitsOfANodeAreAskedForAgain() {
    GroupDigests digests = new GroupDigests(GROUP);
    LinkDigests links = new LinkDigests(context, mock(GroupRecipe.class),
        new FileGroup(GROUP, 6L * CELL, 0),
        new DigestOrders(true, digests, context.nodeBytesPerSecond()), digests);
    links.ask(NODE, List.of(2, 4));
    FakeDoor.Given first = only();
    links.forget(Set.of(4));
    assertEquals(List.of(first.command.id()), door.cancelled);
    FakeDoor.Given again = only();
    assertEquals(List.of(GROUP.block(2, CELL)), command(again).digested);
    read(again);
    links.advance(nowMs);
    assertEquals(7, digests.of(2));
    assertTrue(links.isDone());
    links.ask(NODE, List.of(4));
    links.forget(Set.of(4));
    assertTrue(links.isDone());
    assertEquals(0, desk.size());
  }

  @Test
  void aNodeThatIsBackWithoutDigestsIsNotWaitedFor() {
    door.silent.add(NODE);
    BlockDigests asked = ask(NODE);
    door.withoutDigests.add(NODE);
    advance(100);
    assertFalse(asked.isDone());
    door.silent.clear();
    advance(100);
    assertTrue(asked.isDone());
    assertNull(asked.of(0));
    assertEquals(0, desk.size());
    door.withoutDigests.clear();
    assertAllPlacesAreFree();
  }

  /** Its orders would take 36 hours, and each of the node's threads 34 minutes. */
  @Test
  void aSlowJobThatIsThereFirstHoldsNoOtherOneUp() {
    long unit = 128 << 20;
    ask(context("slow", 64 << 10), 1_000, unit);
    List<FakeDoor.Given> slow = door.digests();
    assertFalse(slow.isEmpty());
    slow.forEach(given -> assertTrue(
        unit / command(given).digestBytesPerSecond <= 30, given.command.toString()));
    assertTrue(slow.size() <= 2, slow.size() + " of the four threads of the node are taken");
    ask(context("other", 0), 1, unit);
    assertEquals(1 << 25, command(only()).digestBytesPerSecond, "it is asked for at once");
  }

  /** The bytes of all orders of a job, as those of each of them, keep to its rate. */
  @Test
  void aSlowJobKeepsToItsRateOnANode() {
    long rate = 1 << 20;
    for (long unit : new long[] {64 << 10, 128 << 20}) {
      VersionContext slow = context("slow " + unit, rate);
      ask(slow, 5_000, unit);
      long bytes = 0;
      long sinceMs = nowMs;
      while (nowMs - sinceMs < 200_000) {
        List<FakeDoor.Given> given = door.digests();
        given.forEach(this::read);
        bytes += unit * given.size();
        long most = rate * (nowMs - sinceMs + 1_000) / 1_000 + unit;
        assertTrue(bytes <= most, bytes + " bytes of at most " + most);
        advance(100);
      }
      assertTrue(bytes >= rate * 190, bytes + " bytes");
      door.given.clear();
      all.forEach(BlockDigests::cancel);
      all.clear();
    }
  }

  /** The first job has all places. */
  @Test
  void jobsAreServedInTurn() {
    ask(1_000);
    List<FakeDoor.Given> given = door.digests();
    VersionContext second = context("j2", 0);
    VersionContext third = context("j3", 0);
    ask(second, 1_000, 2 * CELL);
    ask(third, 1_000, 3 * CELL);
    assertEquals(List.of(), door.digests());
    List<Long> lengths = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      read(given.get(i));
      advance(0);
      advance(0);
      lengths.add(command(only()).digested.get(0).length / CELL);
    }
    assertEquals(3, lengths.stream().filter(length -> length == 1).count(), lengths.toString());
    assertEquals(3, lengths.stream().filter(length -> length == 2).count(), lengths.toString());
    assertEquals(Set.of(1L, 2L, 3L), Set.copyOf(lengths.subList(0, 3)));
    all.forEach(BlockDigests::cancel);
    assertAllPlacesAreFree();
  }

  /** What is read before the order of another job takes seconds, and not half an hour. */
  @Test
  void aJobWithLargeUnitsFillsNoNodeWithWork() {
    for (long unit : new long[] {128 << 20, 512 << 20, 4L << 30}) {
      ask(context("large " + unit, 0), 500, unit);
      long readMs = unit * 1_000 >> 25;
      int given = door.digests().size();
      assertTrue(given >= 2, given + " orders keep the node busy");
      assertTrue(given == 2 || (given - 1) * readMs < 30_000, given + " of " + unit);
      all.forEach(BlockDigests::cancel);
      all.clear();
    }
    assertAllPlacesAreFree();
  }

  /** All of them have waited for it. */
  @Test
  void oneThatWaitsGivesUpASilentNodeLikeThoseThatHavePlaces() {
    ask(3 * PLACES);
    door.silent.add(NODE);
    advance(BlockDigests.SILENT_MS_MAX - 1);
    assertEquals(0, done());
    advance(1);
    assertEquals(3 * PLACES, done());
    door.silent.clear();
    assertAllPlacesAreFree();
  }

  /** The node reads for others of its job. */
  @Test
  void oneThatWaitsForHoursKeepsItsTurn() {
    ask(PLACES + 11 * 5);
    BlockDigests last = all.get(all.size() - 1);
    List<FakeDoor.Given> given = door.digests();
    for (int hour = 0; hour < 11; hour++) {
      nowMs += 3_600_000;
      given.subList(0, 5).forEach(this::read);
      // Only these, and those that wait.
      all.subList(0, 5).forEach(asked -> asked.advance(nowMs));
      all.subList(0, 5).clear();
      all.subList(PLACES - 5, all.size()).forEach(asked -> asked.advance(nowMs));
      given = new ArrayList<>(given.subList(5, given.size()));
      given.addAll(door.digests());
    }
    assertFalse(last.isDone());
    refuse(given.get(given.size() - 1));
    last.advance(nowMs);
    assertFalse(last.isDone(), "the node is asked again");
  }

  /** The next try of its file, which reads, has as much time. */
  @Test
  void oneThatWaitsForHalfTheTimeOfItsMakingIsGivenUp() {
    ask(PLACES + 1_000);
    BlockDigests last = all.get(all.size() - 1);
    List<FakeDoor.Given> given = door.digests();
    for (int hour = 0; hour < 12; hour++) {
      assertFalse(last.isDone());
      nowMs += 3_600_000;
      read(given.get(hour));
      all.get(hour).advance(nowMs);
      last.advance(nowMs);
    }
    assertTrue(last.isDone());
  }

  /** It has waited for repairs, or has made other groups. */
  @Test
  void oneThatBeginsLateInItsMakingIsGivenUpInTimeForTheNextTry() {
    VersionContext begun = context("j1", 0);
    nowMs += 11 * 3_600_000;
    ask(begun, PLACES + 1_000, CELL);
    BlockDigests last = all.get(all.size() - 1);
    List<FakeDoor.Given> given = door.digests();
    read(given.get(0));
    all.get(0).advance(nowMs);
    nowMs += 3_599_000;
    read(given.get(1));
    all.get(1).advance(nowMs);
    last.advance(nowMs);
    assertFalse(last.isDone());
    nowMs += 1_000;
    last.advance(nowMs);
    assertTrue(last.isDone());
    BlockDigests next = ask(begun, NODE, GROUP.block(1, CELL));
    nowMs += BlockDigests.UNNEEDED_MS_MAX - 1;
    next.advance(nowMs);
    assertFalse(next.isDone(), "it has ten minutes all the same");
    nowMs++;
    next.advance(nowMs);
    assertTrue(next.isDone());
  }

  /** Its rate lets it read one unit in nine hours; the node has nothing to do. */
  @Test
  void aJobThatWaitsForItsOwnRateIsNotInVain() {
    long unit = 2L << 30;
    VersionContext slow = context("slow", 64 << 10);
    ask(slow, 2, unit);
    read(only());
    advance(60_000);
    for (int minute = 0; minute < 9 * 60; minute++) {
      advance(60_000);
      assertFalse(all.get(1).isDone(), minute + " minutes");
    }
    assertEquals(List.of(), door.digests());
    advance(310_000);
    read(only());
    advance(0);
    assertTrue(all.get(1).isDone());
  }

  @Test
  void oneThatLeavesTheLineHoldsNothingUp() {
    ask(PLACES + 2);
    List<FakeDoor.Given> given = door.digests();
    all.get(PLACES).cancel();
    BlockDigests left = all.remove(PLACES);
    read(given.get(0));
    advance(0);
    assertFalse(left.isDone());
    List<FakeDoor.Given> next = door.digests();
    assertEquals(1, next.size());
    read(next.get(0));
    advance(0);
    assertTrue(all.get(PLACES).isDone());
    all.forEach(BlockDigests::cancel);
    assertAllPlacesAreFree();
  }
}
