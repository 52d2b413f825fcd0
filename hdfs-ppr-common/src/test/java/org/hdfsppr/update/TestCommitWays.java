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
package org.hdfsppr.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ways of commits are what the strategies of simulations say. */
class TestCommitWays {
  /** Data units 0 and 1 in rack 0, 2 and 3 in rack 1; parity unit 4 in rack 1, 5 and 6 in 2. */
  private static final StripeRacks RACKS = new StripeRacks(4, 3, 0, 0, 1, 1, 1, 2, 2);

  private static StripeUpdates updates() {
    StripeUpdates updates = new StripeUpdates();
    updates.add(0, 0, 100);
    updates.add(1, 50, 150);
    updates.add(2, 60, 70);
    return updates;
  }

  @Test
  void asManyChangesAsParityUnitsAreForwarded() {
    CommitWays ways = new CommitWays("cau", RACKS, updates());
    // To rack 2 with two parity units, one or two changes are no more.
    assertEquals(Map.of(0L, 100L), ways.forwarded(0, 5));
    assertEquals(Map.of(50L, 150L), ways.forwarded(1, 6));
    assertEquals(Map.of(), ways.summed(0, 6));
    assertEquals(Map.of(60L, 70L), ways.forwarded(2, 5));
    // To rack 1 with one parity unit, two changes are more, and one is the same on both ways.
    assertEquals(Map.of(), ways.forwarded(0, 4));
    assertEquals(Map.of(0L, 100L), ways.summed(0, 4));
    assertEquals(Map.of(50L, 150L), ways.summed(1, 4));
    // It is in the rack.
    assertEquals(Map.of(60L, 70L), ways.summed(2, 4));
  }

  @Test
  void whatParityNodesDoNotKnowIsSummed() {
    for (String name : new String[] {"parix", "baseline"}) {
      CommitWays sums = new CommitWays(name, RACKS, updates());
      for (int parity = 4; parity < 7; parity++) {
        assertEquals(Map.of(), sums.forwarded(0, parity), name);
        assertEquals(Map.of(0L, 100L), sums.summed(0, parity), name);
      }
    }
  }

  @Test
  void oneRackCollects() {
    // Data units 0 to 5 in racks 0 to 5, parity units 6 and 7 in rack 6, 8 in rack 7.
    StripeRacks spread = new StripeRacks(6, 8, 0, 1, 2, 3, 4, 5, 6, 6, 7);
    StripeUpdates updates = new StripeUpdates();
    for (int unit = 0; unit < 5; unit++) {
      updates.add(unit, 100, 200);
    }
    updates.add(5, 300, 310);
    assertEquals(5 * 100 * 2 + 2 * 10, new CommitWays("cau", spread, updates).crossRackBytes());
    CommitWays ways = new CommitWays("collect", spread, updates);
    // Rack 7 could as well, but rack 6 would get two sums then.
    assertEquals(OptionalInt.of(6), ways.collector());
    assertEquals(5 * 100 + 10 + 100 + 10, ways.crossRackBytes());
    for (int unit = 0; unit < 5; unit++) {
      for (int parity : new int[] {6, 7}) {
        assertEquals(Map.of(100L, 200L), ways.forwarded(unit, parity));
        assertEquals(Map.of(), ways.summed(unit, parity));
        assertEquals(Map.of(), ways.collected(unit, parity));
      }
      assertEquals(Map.of(100L, 200L), ways.collected(unit, 8));
      assertEquals(Map.of(), ways.summed(unit, 8));
    }
    // The collector keeps it as well. To rack 7, it is as short from its own node.
    assertEquals(Map.of(300L, 310L), ways.forwarded(5, 6));
    assertEquals(Map.of(300L, 310L), ways.summed(5, 8));
    assertEquals(Map.of(), ways.collected(5, 8));
  }

  @Test
  void noRackCollectsInVain() {
    CommitWays cau = new CommitWays("cau", RACKS, updates());
    CommitWays ways = new CommitWays("collect", RACKS, updates());
    assertEquals(OptionalInt.empty(), ways.collector());
    assertEquals(cau.crossRackBytes(), ways.crossRackBytes());
    for (int unit = 0; unit < 3; unit++) {
      for (int parity = 4; parity < 7; parity++) {
        assertEquals(cau.forwarded(unit, parity), ways.forwarded(unit, parity));
        assertEquals(cau.summed(unit, parity), ways.summed(unit, parity));
      }
    }
  }

  /** The first rack of logs collects what it has; what another one has does not cross to it. */
  @Test
  void theRackOfTheLogsCollects() {
    // Data units 0 to 2 in racks 0 to 2, 3 beside the parity units 4 and 5 in rack 3; 6 in rack 4.
    StripeRacks spread = new StripeRacks(4, 5, 0, 1, 2, 3, 3, 3, 4);
    RackLogs logs = logs(spread, 1);
    StripeUpdates updates = new StripeUpdates();
    for (int unit = 0; unit < 4; unit++) {
      updates.add(unit, 0, 100);
    }
    updates.add(3, 200, 210);
    CommitWays ways = new CommitWays("delta-log", spread, updates, logs);
    assertEquals(OptionalInt.of(3), ways.collector());
    // One sum for unit 6. Rack 4 has logged what rack 3 has of its own.
    assertEquals(100, ways.crossRackBytes());
    for (int unit = 0; unit < 3; unit++) {
      assertEquals(Map.of(0L, 100L), ways.forwarded(unit, 5));
      assertEquals(Map.of(0L, 100L), ways.collected(unit, 6));
    }
    assertEquals(Map.of(0L, 100L, 200L, 210L), ways.forwarded(3, 4));
    assertEquals(Map.of(200L, 210L), ways.summed(3, 6));
    // Without logs, all that rack 3 does not have crosses to it.
    assertEquals(100 + 300 + 10, new CommitWays("delta-log", spread, updates).crossRackBytes());
    // With no more changes than parity units, each goes straight to the rack that lacks it.
    StripeUpdates few = new StripeUpdates();
    few.add(2, 0, 100);
    CommitWays direct = new CommitWays("delta-log", spread, few, logs);
    assertEquals(OptionalInt.empty(), direct.collector());
    assertEquals(100, direct.crossRackBytes());
    // Two parity units share what one of them has logged.
    assertEquals(Map.of(0L, 100L), direct.forwarded(2, 4));
    assertEquals(Map.of(0L, 100L), direct.summed(2, 6));
  }

  /** Returns what racks log under a strategy with interim replicas, beside parity units. */
  private static RackLogs logs(StripeRacks racks, int replicas) {
    Map<Integer, Long> logged = new HashMap<>();
    for (int unit = 0; unit < racks.dataUnits(); unit++) {
      for (int rack : InterimReplicas.racks(racks, unit, replicas)) {
        if (racks.parities(rack) > 0) {
          logged.merge(rack, 1L << unit, (a, b) -> a | b);
        }
      }
    }
    return new RackLogs(logged);
  }

  /**
   * As many bytes cross as the simulated delta log sends, without what it sends to a rack of that
   * rack's own data units: their changes are there.
   */
  @Test
  void deltaLogsSaveAsMuchAsInSimulations() {
    long seed = Long.getLong("seed", 20261128);
    Random random = new Random(seed);
    int same = 0;
    int less = 0;
    for (int run = 0; run < 2_000; run++) {
      int k = 1 + random.nextInt(10);
      int n = k + 1 + random.nextInt(5);
      int rackCount = 2 + random.nextInt(8);
      int replicas = 1 + random.nextInt(Math.min(2, rackCount - 1));
      StripeRacks racks = new StripeRacks(k, rackCount,
          random.ints(n, 0, rackCount).toArray());
      RackLogs logs = logs(racks, replicas);
      StripeUpdates updates = new StripeUpdates();
      Map<Integer, ByteRanges> all = new HashMap<>();
      add(updates, all, k, random);
      String what = "seed " + seed + ", run " + run + ", " + racks;
      CommitWays ways = new CommitWays("delta-log", racks, updates, logs);
      assertWaysAreWhole(ways, racks, all, what);
      int first = racks.logRacks().get(0);
      long expected = 0;
      boolean hasOwn = false;
      for (UpdatedSegment segment : updates.segments()) {
        for (int rack = 0; rack < rackCount; rack++) {
          long lacking = segment.units() & ~logs.units(rack) & ~racks.dataUnitsIn(rack);
          expected += rack == first ? 0
              : segment.length() * Math.min(Long.bitCount(lacking), racks.parities(rack));
          hasOwn |= !racks.logRacks().subList(0, replicas).contains(rack)
              && racks.parities(rack) > 0 && (segment.units() & racks.dataUnitsIn(rack)) != 0;
        }
      }
      assertEquals(expected, ways.crossRackBytes(), what);
      long simulated = CrossRackTransfer.bytes(
          UpdateStrategies.byName("delta-log", replicas).commit(racks, updates));
      assertTrue(hasOwn ? ways.crossRackBytes() <= simulated
          : ways.crossRackBytes() == simulated, what + ": " + ways.crossRackBytes()
          + " bytes, simulated " + simulated);
      same += !hasOwn && simulated > 0 ? 1 : 0;
      less += ways.crossRackBytes() < simulated ? 1 : 0;
      // With changes in the first rack and the next one only, both have all.
      ways.collector().ifPresent(rack -> assertTrue(
          racks.logRacks().subList(0, Math.min(replicas + 1, rackCount)).contains(rack), what));
    }
    assertTrue(same > 200 && less > 200, same + " and " + less + " stripes, seed " + seed);
  }

  private static void add(StripeUpdates updates, Map<Integer, ByteRanges> all, int k,
      Random random) {
    for (int i = 0; i < 1 + random.nextInt(12); i++) {
      int unit = random.nextInt(k);
      long from = random.nextInt(1_000);
      long to = from + 1 + random.nextInt(300);
      updates.add(unit, from, to);
      all.computeIfAbsent(unit, none -> new ByteRanges()).add(from, to);
    }
  }

  /** Each byte is on one way to each parity unit, and a collector has all. */
  private static void assertWaysAreWhole(CommitWays ways, StripeRacks racks,
      Map<Integer, ByteRanges> all, String what) {
    for (int parity = racks.dataUnits(); parity < racks.units(); parity++) {
      for (Map.Entry<Integer, ByteRanges> unit : all.entrySet()) {
        ByteRanges both = new ByteRanges();
        ways.summed(unit.getKey(), parity).forEach(both::add);
        ways.forwarded(unit.getKey(), parity).forEach((from, to) ->
            assertEquals(to - from, both.add(from, to), what));
        ways.collected(unit.getKey(), parity).forEach((from, to) ->
            assertEquals(to - from, both.add(from, to), what));
        if (ways.collector().isPresent()
            && racks.rack(parity) == ways.collector().getAsInt()) {
          assertEquals(unit.getValue().ranges(), ways.forwarded(unit.getKey(), parity), what);
        }
        assertEquals(unit.getValue().ranges(), both.ranges(), what);
      }
    }
  }

  /** Returns the fewest bytes with a rack that collects, or without one. */
  private static long collected(StripeRacks racks, List<UpdatedSegment> segments) {
    long least = Long.MAX_VALUE;
    for (int collector = -1; collector < racks.racks(); collector++) {
      long bytes = 0;
      for (UpdatedSegment segment : segments) {
        for (int to = 0; to < racks.racks(); to++) {
          int parities = racks.parities(to);
          int direct = 0;
          int away = 0;
          for (int from = 0; from < racks.racks(); from++) {
            int changed = Long.bitCount(segment.units() & racks.dataUnitsIn(from));
            direct += from == to ? 0 : Math.min(changed, parities);
            away += from == to ? 0 : changed;
          }
          bytes += segment.length() * (collector < 0 ? direct : collector == to ? away
              : Math.min(direct, parities));
        }
      }
      if (collector < 0 || racks.parities(collector) > 0) {
        least = Math.min(least, bytes);
      }
    }
    return least;
  }

  /** Each byte is on one way to each parity unit, and as many cross as the strategy says. */
  @Test
  void theSameBytesCrossAsInSimulations() {
    long seed = Long.getLong("seed", 20261127);
    Random random = new Random(seed);
    int collecting = 0;
    for (int run = 0; run < 300; run++) {
      int k = 1 + random.nextInt(8);
      int n = k + 1 + random.nextInt(5);
      int rackCount = 1 + random.nextInt(5);
      StripeRacks racks = new StripeRacks(k, rackCount,
          random.ints(n, 0, rackCount).toArray());
      StripeUpdates updates = new StripeUpdates();
      Map<Integer, ByteRanges> all = new HashMap<>();
      add(updates, all, k, random);
      for (String name : CommitWays.STRATEGIES) {
        String what = "seed " + seed + ", run " + run + ", " + name;
        CommitWays ways = new CommitWays(name, racks, updates);
        // What parity nodes do not know otherwise crosses as sums.
        String sameAs = CommitWays.isLoggedAtParities(name) ? "parity-delta" : name;
        // Without logs, racks collect under delta-log as well.
        boolean collects = name.equals("collect") || name.equals("delta-log");
        assertEquals(collects ? collected(racks, updates.segments())
            : CrossRackTransfer.bytes(UpdateStrategies.byName(sameAs, 0).commit(racks, updates)),
            ways.crossRackBytes(), what);
        collecting += ways.collector().isPresent() ? 1 : 0;
        assertWaysAreWhole(ways, racks, all, what);
      }
    }
    assertTrue(collecting > 30, collecting + " stripes were collected, seed " + seed);
  }

  @Test
  void aStrategyThatCommitsDoNotKnowIsRefused() {
    for (String name : new String[] {"cau-2", "CAU", "", "parity-delta", "data-delta"}) {
      IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () ->
          new CommitWays(name, RACKS, updates()));
      assertTrue(refused.getMessage().contains("collect, parix, baseline, delta-log"),
          refused.getMessage());
    }
  }
}
