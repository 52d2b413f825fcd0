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

import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** On which ways changes get to parity units of other racks. */
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
    assertEquals(OptionalInt.of(6), ways.collector);
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
    assertEquals(OptionalInt.empty(), ways.collector);
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
    RackLogs logs = new RackLogs(Map.of(3, 0b0111L, 4, 0b1000L));
    StripeUpdates updates = new StripeUpdates();
    for (int unit = 0; unit < 4; unit++) {
      updates.add(unit, 0, 100);
    }
    updates.add(3, 200, 210);
    CommitWays ways = new CommitWays("delta-log", spread, updates, logs);
    assertEquals(OptionalInt.of(3), ways.collector);
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
    assertEquals(OptionalInt.empty(), direct.collector);
    assertEquals(100, direct.crossRackBytes());
    // Two parity units share what one of them has logged.
    assertEquals(Map.of(0L, 100L), direct.forwarded(2, 4));
    assertEquals(Map.of(0L, 100L), direct.summed(2, 6));
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
