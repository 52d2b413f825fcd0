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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.Test;

/** Many groups ask one DataNode for digests. */
class TestBlockDigests {
  private static final int CELL = 1 << 20;
  private static final GroupId GROUP = new GroupId("BP-1", -1600, 1001);
  private static final String NODE = FakeDoor.uuid(1);
  private static final int PLACES = DigestPlaces.AT_A_TIME;

  private final FakeDoor door = new FakeDoor(3);
  private final OrderDesk desk = new OrderDesk("run");
  private long nowMs = 1_000_000;
  private final EngineParts parts = new EngineParts(mock(VersionNamespace.class),
      new VersionStore(() -> mock(ClientProtocol.class)), door, mock(VersionGate.class),
      desk, new MadeGroups(), new ConversionBook(policy -> Codes.forCodec(
          new Configuration(false), policy.codec(), policy.dataUnits(), policy.parityUnits())),
      new VersionSettings(4, 0, 1L << 25, 0, 0), VersionHook.NONE, () -> nowMs, () -> nowMs);
  private final VersionContext context = new VersionContext(parts, "j1", 0, "/f", 17,
      new GroupPolicy("rs", 6, 3, CELL), 3, new VersionNews());
  private final DigestOrders asking =
      new DigestOrders(true, new GroupDigests(GROUP), context.nodeBytesPerSecond());
  private final List<BlockDigests> all = new ArrayList<>();

  private BlockDigests ask(String uuid) {
    BlockDigests asked =
        new BlockDigests(context, uuid, List.of(GROUP.block(0, CELL)), asking, nowMs);
    all.add(asked);
    asked.advance(nowMs);
    return asked;
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
    desk.tell(given.uuid, new RepairResult(given.command.id(), 3, outcome, List.of(), null, cause,
        "", 0, 1).withVersion(VersionReport.NOTHING.withDigests(
            outcome == RepairOutcome.REBUILT ? Map.of(0, 7) : Map.of())));
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

  /** Returns after which time an order without a result is late. */
  private long lateMs() {
    return asking.of("id", 3, List.of(GROUP.block(0, CELL))).deadlineMs() + 30_000;
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

  /** An order that a node refuses has waited in line already. */
  @Test
  void oneThatIsRefusedIsTheNextOneAfterItsRest() {
    ask(PLACES + 3);
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
    door.digests();
    advance(lateMs());
    advance(0);
    assertEquals(PLACES, done());
    assertEquals(1, door.digests().size(), "its time begins when it has a place");
    advance(lateMs());
    assertEquals(PLACES + 1, done());
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

  @Test
  void oneThatWaitsForHoursKeepsItsTurn() {
    ask(PLACES + 1);
    BlockDigests last = all.get(PLACES);
    List<FakeDoor.Given> given = door.digests();
    for (int hour = 0; hour < 20; hour++) {
      nowMs += 3_600_000;
      last.advance(nowMs);
    }
    assertFalse(last.isDone());
    read(given.get(0));
    advance(0);
    given = door.digests();
    refuse(given.get(given.size() - 1));
    advance(0);
    assertFalse(last.isDone(), "the node is asked again");
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
