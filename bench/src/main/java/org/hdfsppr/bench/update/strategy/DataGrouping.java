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

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.StripeUpdates;

/**
 * Brings the changed units of two racks together in one of them when a stripe has been committed,
 * so that the next commit costs less if the same units change again (paper, section 3.3 and
 * algorithm 1). The units exchange their places with unchanged units of the other rack, so that no
 * rack gets more units than it had.
 */
@InterfaceAudience.Private
public final class DataGrouping {
  private final UpdateStrategy strategy;
  private final long unitBytes;

  /** New places of a stripe's units, and what it costs to bring them there. Immutable. */
  public static final class Regrouped {
    /** Where the units are afterwards */
    public final StripeRacks racks;
    /** How many whole units cross racks */
    public final int moved;

    private Regrouped(StripeRacks racks, int moved) {
      this.racks = racks;
      this.moved = moved;
    }
  }

  /**
   * @param strategy says what a commit costs
   * @param unitBytes the bytes of a whole unit, in the measure of the changed ranges
   */
  public DataGrouping(UpdateStrategy strategy, long unitBytes) {
    this.strategy = strategy;
    this.unitBytes = unitBytes;
  }

  /**
   * Decides where the units of a stripe should be after a commit.
   *
   * @param racks where they are
   * @param updates what the commit has made parity
   * @return the new places, or empty if no exchange gains anything
   */
  public Optional<Regrouped> after(StripeRacks racks, StripeUpdates updates) {
    long changed = updates.units();
    int target = 0;
    for (int rack = 1; rack < racks.racks; rack++) {
      if (changed(racks, changed, rack) > changed(racks, changed, target)) {
        target = rack;
      }
    }
    long before = CrossRackTransfer.bytes(strategy.commit(racks, updates));
    Regrouped best = null;
    long gainMost = 0;
    for (int rack = 0; rack < racks.racks; rack++) {
      int moving = changed(racks, changed, rack);
      if (rack == target || moving == 0 || moving + changed(racks, changed, target)
          > Long.bitCount(racks.dataUnitsIn(target))) {
        continue;
      }
      StripeRacks swapped = swapped(racks, changed, rack, target);
      long gain = before - CrossRackTransfer.bytes(strategy.commit(swapped, updates))
          - 2 * moving * unitBytes;
      if (gain > gainMost) {
        gainMost = gain;
        best = new Regrouped(swapped, 2 * moving);
      }
    }
    return Optional.ofNullable(best);
  }

  private static int changed(StripeRacks racks, long changed, int rack) {
    return Long.bitCount(changed & racks.dataUnitsIn(rack));
  }

  /** Exchanges all changed units of a rack for unchanged ones of the target, lowest ones first. */
  private static StripeRacks swapped(StripeRacks racks, long changed, int rack, int target) {
    StripeRacks swapped = racks;
    long away = racks.dataUnitsIn(target) & ~changed;
    for (long left = changed & racks.dataUnitsIn(rack); left != 0; left &= left - 1) {
      swapped = swapped.swapped(Long.numberOfTrailingZeros(left),
          Long.numberOfTrailingZeros(away));
      away &= away - 1;
    }
    return swapped;
  }
}
