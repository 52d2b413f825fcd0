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

import java.util.Optional;
import java.util.Random;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.StripeUpdates;
import org.junit.jupiter.api.Test;

/** Tests which units are brought together after a commit. */
class TestDataGrouping {
  private static final UpdateStrategy CAU = UpdateStrategies.byName("cau", 1);

  private static StripeUpdates changed(long bytes, int... units) {
    StripeUpdates updates = new StripeUpdates();
    for (int unit : units) {
      updates.add(unit, 0, bytes);
    }
    return updates;
  }

  private static Optional<DataGrouping.Regrouped> after(StripeRacks racks, StripeUpdates updates) {
    return new DataGrouping(CAU, 1).after(racks, updates);
  }

  /** The paper's figure 4: rack 0 has three changed units and an unchanged one, rack 1 a fourth. */
  @Test
  void aSwapThatGainsIsMade() {
    StripeRacks racks = new StripeRacks(6, 5, 0, 0, 0, 0, 1, 1, 2, 3, 4);
    StripeUpdates updates = changed(1, 0, 1, 3, 4);
    assertEquals(6, CrossRackTransfer.bytes(CAU.commit(racks, updates)));
    DataGrouping.Regrouped regrouped = after(racks, updates).orElseThrow();
    assertEquals(new StripeRacks(6, 5, 0, 0, 1, 0, 0, 1, 2, 3, 4), regrouped.racks);
    assertEquals(2, regrouped.moved);
    assertEquals(3, CrossRackTransfer.bytes(CAU.commit(regrouped.racks, updates)));
    assertTrue(after(regrouped.racks, updates).isEmpty(), "there is nothing left to bring");
  }

  @Test
  void aRackWithoutPlaceGetsNothing() {
    StripeRacks racks = new StripeRacks(5, 5, 0, 0, 0, 1, 1, 2, 3, 4);
    assertTrue(after(racks, changed(1, 0, 1, 2, 3)).isEmpty());
  }

  @Test
  void aSwapThatGainsNothingIsNotMade() {
    StripeRacks racks = new StripeRacks(6, 4, 0, 0, 0, 0, 1, 1, 2, 3);
    assertTrue(after(racks, changed(1, 0, 1, 3, 4)).isEmpty(), "4 before, 2 and 2 moved after");
  }

  /** Rack 1 has two changed units and rack 2 one: bringing the two would cost more. */
  @Test
  void theBestRackIsBrought() {
    StripeRacks racks =
        new StripeRacks(9, 7, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6);
    StripeUpdates updates = changed(1, 0, 1, 2, 5, 6, 7);
    assertEquals(12, CrossRackTransfer.bytes(CAU.commit(racks, updates)));
    DataGrouping.Regrouped regrouped = after(racks, updates).orElseThrow();
    assertEquals(2, regrouped.moved);
    assertEquals(0, regrouped.racks.rack(7));
    assertEquals(2, regrouped.racks.rack(3));
  }

  @Test
  void aSwapMovesWholeUnitsHoweverLittleHasChanged() {
    StripeRacks racks = new StripeRacks(6, 5, 0, 0, 0, 0, 1, 1, 2, 3, 4);
    DataGrouping grouping = new DataGrouping(CAU, 1000);
    assertTrue(grouping.after(racks, changed(600, 0, 1, 3, 4)).isEmpty(), "1800 against 2000");
    assertTrue(grouping.after(racks, changed(700, 0, 1, 3, 4)).isPresent(), "2100 against 2000");
  }

  /** No rack gets more units, so that the loss of a rack stays as bearable as it was. */
  @Test
  void racksKeepTheNumberOfTheirUnits() {
    int made = 0;
    for (long seed = 1; seed <= 2000; seed++) {
      Random random = new Random(seed);
      int racks = 5 + random.nextInt(4);
      StripeRacks before = new StripeRacks(12, racks, random.ints(16, 0, racks).toArray());
      StripeUpdates updates = changed(1, random.ints(5, 0, 12).toArray());
      Optional<DataGrouping.Regrouped> regrouped = after(before, updates);
      if (regrouped.isEmpty()) {
        continue;
      }
      made++;
      StripeRacks after = regrouped.get().racks;
      for (int rack = 0; rack < racks; rack++) {
        assertEquals(Long.bitCount(before.dataUnitsIn(rack)),
            Long.bitCount(after.dataUnitsIn(rack)), "seed " + seed);
        assertEquals(before.parityUnitsIn(rack), after.parityUnitsIn(rack), "seed " + seed);
      }
      assertTrue(CrossRackTransfer.bytes(CAU.commit(after, updates)) + regrouped.get().moved
          < CrossRackTransfer.bytes(CAU.commit(before, updates)), "seed " + seed);
    }
    assertTrue(made > 20, "only " + made);
  }
}
