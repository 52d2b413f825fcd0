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
package org.hdfsppr.bench.update.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.update.CommitWays;
import org.hdfsppr.update.RackLogs;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.StripeUpdates;
import org.hdfsppr.update.UpdatedSegment;
import org.junit.jupiter.api.Test;

/** Ways of commits are what the strategies of simulations say. */
class TestSimulatedWays {
  /** Returns what racks log under a strategy with interim replicas, beside parity units. */
  private static RackLogs logs(StripeRacks racks, int replicas) {
    Map<Integer, Long> logged = new HashMap<>();
    for (int unit = 0; unit < racks.dataUnits; unit++) {
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
          long lacking = segment.units & ~logs.units(rack) & ~racks.dataUnitsIn(rack);
          expected += rack == first ? 0
              : segment.length * Math.min(Long.bitCount(lacking), racks.parities(rack));
          hasOwn |= !racks.logRacks().subList(0, replicas).contains(rack)
              && racks.parities(rack) > 0 && (segment.units & racks.dataUnitsIn(rack)) != 0;
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
      ways.collector.ifPresent(rack -> assertTrue(
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
    for (int parity = racks.dataUnits; parity < racks.units(); parity++) {
      for (Map.Entry<Integer, ByteRanges> unit : all.entrySet()) {
        ByteRanges both = new ByteRanges();
        ways.summed(unit.getKey(), parity).forEach(both::add);
        ways.forwarded(unit.getKey(), parity).forEach((from, to) ->
            assertEquals(to - from, both.add(from, to), what));
        ways.collected(unit.getKey(), parity).forEach((from, to) ->
            assertEquals(to - from, both.add(from, to), what));
        if (ways.collector.isPresent()
            && racks.rack(parity) == ways.collector.getAsInt()) {
          assertEquals(unit.getValue().ranges(), ways.forwarded(unit.getKey(), parity), what);
        }
        assertEquals(unit.getValue().ranges(), both.ranges(), what);
      }
    }
  }

  /** Returns the fewest bytes with a rack that collects, or without one. */
  private static long collected(StripeRacks racks, List<UpdatedSegment> segments) {
    long least = Long.MAX_VALUE;
    for (int collector = -1; collector < racks.racks; collector++) {
      long bytes = 0;
      for (UpdatedSegment segment : segments) {
        for (int to = 0; to < racks.racks; to++) {
          int parities = racks.parities(to);
          int direct = 0;
          int away = 0;
          for (int from = 0; from < racks.racks; from++) {
            int changed = Long.bitCount(segment.units & racks.dataUnitsIn(from));
            direct += from == to ? 0 : Math.min(changed, parities);
            away += from == to ? 0 : changed;
          }
          bytes += segment.length * (collector < 0 ? direct : collector == to ? away
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
        collecting += ways.collector.isPresent() ? 1 : 0;
        assertWaysAreWhole(ways, racks, all, what);
      }
    }
    assertTrue(collecting > 30, collecting + " stripes were collected, seed " + seed);
  }
}
