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
package org.hdfsppr.namenode.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hdfsppr.namenode.schedule.LinkLoads.Booking;
import org.hdfsppr.namenode.schedule.LinkLoads.Cost;
import org.hdfsppr.namenode.schedule.LinkLoads.Work;
import org.junit.jupiter.api.Test;

/** The bounds of links, rates, what goes first, and what is given back. */
class TestLinkLoads {
  private static final long LONG = 64 << 20;

  private final LinkLoads loads = new LinkLoads();
  private long nowMs = 5_000_000;

  private Booking plan(String from, String to, long bytes) {
    return loads.plan(Work.MAKING, List.of(from), List.of(to), bytes);
  }

  private boolean begin(Booking booking, Cost... costs) {
    boolean may = booking.mayBegin(List.of(costs), nowMs);
    assertEquals(may, booking.begin(List.of(costs), nowMs));
    return may;
  }

  private List<Booking> fill(String from, String to) {
    List<Booking> begun = new ArrayList<>();
    for (int i = 0; i < LinkLoads.STREAMS_MAX; i++) {
      begun.add(plan(from, to, LONG));
      assertTrue(begin(begun.get(i)));
    }
    return begun;
  }

  @Test
  void bothDirectionsOfALinkAreBounded() {
    List<Booking> begun = fill("a", "b");
    assertFalse(begin(plan("a", "c", LONG)), "a sends for as many as it may");
    assertFalse(begin(plan("c", "b", LONG)), "b receives for as many as it may");
    assertTrue(begin(plan("b", "a", LONG)), "the other directions are free");
    begun.get(3).end();
    assertTrue(begin(plan("a", "c", LONG)));
    assertTrue(begin(plan("c", "b", LONG)));
  }

  @Test
  void aMakingThatMayNotBeginTakesNoPlaceAnywhere() {
    fill("a", "b");
    for (int i = 0; i < 2 * LinkLoads.STREAMS_MAX; i++) {
      assertFalse(begin(loads.plan(Work.MAKING, List.of("a", "x"), List.of("y"), LONG)));
      assertFalse(begin(loads.plan(Work.MAKING, List.of("x"), List.of("y", "b"), LONG)));
    }
    assertTrue(begin(plan("x", "y", LONG)));
  }

  /** Short units wait for heartbeats for longer than they take the link. */
  @Test
  void shortUnitsMayBeMore() {
    for (long mib = 0; mib < LinkLoads.SHORT_BYTES_MAX >> 20; mib++) {
      assertTrue(begin(plan("a", "b", 1 << 20)), mib + " are under way");
    }
    assertFalse(begin(plan("a", "b", 1 << 20)));
  }

  @Test
  void whatIsGivenBackLeavesNothing() {
    Booking booking = plan("a", "b", LONG);
    assertEquals(LONG, loads.planned("b"));
    assertTrue(begin(booking));
    booking.end();
    booking.end();
    assertEquals(0, loads.planned("b"));
    plan("a", "b", LONG).end();
    fill("a", "b").forEach(Booking::end);
    assertEquals(0, loads.size(), "nothing is left behind");
  }

  @Test
  void plannedBytesAreThoseThatANodeReceives() {
    Booking chain = loads.plan(Work.MAKING, List.of("a", "b"), List.of("b", "c"), LONG);
    Booking other = plan("c", "b", 5);
    assertEquals(0, loads.planned("a"));
    assertEquals(LONG + 5, loads.planned("b"));
    assertEquals(LONG, loads.planned("c"));
    chain.end();
    assertEquals(5, loads.planned("b"));
    other.end();
    assertEquals(0, loads.size());
  }

  @Test
  void repairsGoFirstAtTheirNodes() {
    loads.repairsAt(List.of("a", "b"), nowMs);
    assertFalse(loads.areAllQuiet());
    assertEquals(Optional.empty(), loads.whyNot(Work.MAKING, nowMs), "nothing is held up");
    assertFalse(begin(plan("a", "x", LONG)));
    assertFalse(begin(plan("x", "b", LONG)));
    assertEquals("repairs go first at 2 DataNodes",
        loads.whyNot(Work.MAKING, nowMs).orElseThrow());
    assertTrue(begin(plan("x", "y", LONG)), "other nodes have no repair");
    assertEquals(Optional.empty(), loads.whyNot(Work.MAKING, nowMs), "something begins");
    assertEquals(Optional.empty(), loads.whyNot(Work.CHECK, nowMs), "no check is held up");

    nowMs += LinkLoads.QUIET_MS - 1;
    loads.repairsAt(List.of("a"), nowMs);
    assertFalse(begin(plan("b", "x", LONG)), "the node's next repair may be on its way");
    nowMs++;
    assertTrue(begin(plan("b", "x", LONG)));
    nowMs += 5_000;
    assertFalse(begin(plan("a", "x", LONG)));
    loads.repairsAt(List.of(), nowMs);
    assertEquals("repairs go first at 1 DataNode",
        loads.whyNot(Work.MAKING, nowMs).orElseThrow());

    nowMs += LinkLoads.QUIET_MS;
    loads.repairsAt(List.of(), nowMs);
    assertTrue(loads.areAllQuiet());
    assertTrue(begin(plan("a", "x", LONG)));
    assertEquals(Optional.empty(), loads.whyNot(Work.MAKING, nowMs));
  }

  /** If the repair manager does not say anything any more, work does not wait for ever. */
  @Test
  void repairsThatNothingReportsEnd() {
    loads.repairsAt(List.of("a"), nowMs);
    nowMs += LinkLoads.QUIET_MS;
    assertTrue(begin(plan("a", "b", LONG)));
  }

  /** Writers wait for commits, so that neither repairs nor makings hold up a patch. */
  @Test
  void aPatchBeginsInAnyCaseAndTakesPlacesFromMakings() {
    loads.repairsAt(List.of("a"), nowMs);
    fill("c", "b");
    assertTrue(begin(loads.plan(Work.PATCH, List.of("a", "c"), List.of("b"), LONG)));
    nowMs += LinkLoads.QUIET_MS;
    List<Booking> patches = new ArrayList<>();
    for (int i = 0; i < LinkLoads.STREAMS_MAX; i++) {
      patches.add(loads.plan(Work.PATCH, List.of("x"), List.of("y"), LONG));
      assertTrue(begin(patches.get(i)));
    }
    assertFalse(begin(plan("x", "z", LONG)));
    patches.get(0).end();
    assertTrue(begin(plan("x", "z", LONG)));
  }

  @Test
  void checksAndMakingsHavePlacesOfTheirOwn() {
    fill("a", "b");
    Booking check = loads.plan(Work.CHECK, List.of("a", "b", "c"), List.of(), LONG);
    assertTrue(begin(check));
    assertFalse(begin(loads.plan(Work.CHECK, List.of("c", "d"), List.of(), 1)),
        "a node takes part in one check at a time");
    assertTrue(begin(plan("c", "d", LONG)));
    check.end();
    assertTrue(begin(loads.plan(Work.CHECK, List.of("c", "d"), List.of(), 1)));
  }

  private boolean paid(String job, long jobRate, long moved, long perNode, String... nodes) {
    List<Cost> costs = new ArrayList<>(List.of(new Cost("all", moved, 1_000),
        new Cost("job " + job, moved, jobRate)));
    Arrays.stream(nodes).forEach(node -> costs.add(new Cost("at " + node, perNode, 100)));
    return begin(plan("from " + nowMs + job + moved, "to " + nowMs + job + moved, 1),
        costs.toArray(new Cost[0]));
  }

  @Test
  void ratesHoldForAllAndForEachJobAndNode() {
    final long startMs = nowMs;
    assertTrue(paid("j", 0, 500, 10, "a", "b"));
    nowMs = startMs + 499;
    assertFalse(paid("j", 0, 1, 1, "c"), "500 bytes take 500 ms");
    nowMs = startMs + 500;
    assertTrue(paid("j", 10, 1, 100, "a"));
    nowMs = startMs + 1_499;
    assertFalse(paid("k", 0, 1, 1, "c", "a"), "a is busy");
    assertTrue(paid("k", 0, 1, 1, "c", "b"));
    nowMs = startMs + 1_510;
    assertTrue(paid("k", 0, 1, 1, "a"));
  }

  @Test
  void theRateOfAJobHoldsNoOther() {
    final long startMs = nowMs;
    Cost ten = new Cost("j", 10, 10);
    assertTrue(begin(plan("a", "b", 1), ten));
    nowMs = startMs + 999;
    assertFalse(begin(plan("a", "b", 1), ten));
    assertTrue(begin(plan("a", "b", 1), new Cost("k", 10, 0)));
    nowMs = startMs + 1_000;
    assertTrue(begin(plan("a", "b", 1), ten));
  }

  @Test
  void whatDidNotBeginAfterAllIsNotPaid() {
    Cost cost = new Cost("at a", 1 << 20, 1);
    List<String> nodes = List.of("a");
    Booking check = loads.plan(Work.CHECK, nodes, List.of(), 1 << 20);
    assertTrue(begin(check, cost));
    check.withdraw();
    check = loads.plan(Work.CHECK, nodes, List.of(), 1 << 20);
    assertTrue(begin(check, cost));
    check.end();
    assertFalse(begin(loads.plan(Work.CHECK, nodes, List.of(), 1 << 20), cost),
        "a check that has run is paid");
    assertEquals(0, loads.size());
  }

  @Test
  void ofARefusedMakingNothingIsPaid() {
    fill("a", "b");
    Cost cost = new Cost("all", 1 << 20, 1);
    assertFalse(begin(plan("a", "c", LONG), cost));
    assertTrue(begin(plan("c", "d", LONG), cost));
    assertEquals(1_048_576_000, cost.millis());
  }
}
