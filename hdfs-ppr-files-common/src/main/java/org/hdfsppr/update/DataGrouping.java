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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Decides which data units exchange their racks when a stripe has been committed, so that the next
 * commit sends less if it changes the same units again (CAU, section 3.3). Each rule looks at one
 * commit alone:
 *
 * <pre>
 *   PAPER   algorithm 1: the changed units of one rack come to the rack with the most changed
 *           units. It is the rack with which the next commit saves the most beyond the units that
 *           are moved, and it has to save something.
 *   EAGER   the analysis program of CAU's authors: the changed units of the rack with the fewest
 *           of them come to the rack with the most. The next commit need not save anything, but
 *           must not cost more. If a single unit of the stripe has changed, and its rack has no
 *           parity unit, the unit comes to the rack with the most parity units. The program does
 *           not look at the costs of that.
 * </pre>
 *
 * <p>A rack is only brought if the other one has an unchanged data unit for each unit that comes.
 * Not safe for several threads if the cost of a commit is not.
 */
@InterfaceAudience.Private
public final class DataGrouping {
  /** How to decide. */
  public enum Rule {
    /** Algorithm 1 of CAU's paper. */
    PAPER,
    /** The analysis program of CAU's authors. */
    EAGER
  }

  private final Rule rule;
  private final ToLongBiFunction<StripeRacks, StripeUpdates> commitBytes;
  private final long unitBytes;

  /**
   * @param rule how to decide
   * @param commitBytes says what crosses racks when a stripe is committed, by the racks of its
   *     units and by what has changed
   * @param unitBytes the bytes of a whole unit, in the measure of the changed ranges
   */
  public DataGrouping(Rule rule, ToLongBiFunction<StripeRacks, StripeUpdates> commitBytes,
      long unitBytes) {
    this.rule = rule;
    this.commitBytes = commitBytes;
    this.unitBytes = unitBytes;
  }

  /**
   * Decides where the units of a stripe should be after a commit.
   *
   * @param racks where they are
   * @param updates what the commit has made parity
   * @return the exchanges, or empty if the units stay where they are
   */
  public Optional<UnitExchanges> after(StripeRacks racks, StripeUpdates updates) {
    long changed = updates.units();
    if (changed == 0) {
      return Optional.empty();
    }
    int target = 0;
    for (int rack = 1; rack < racks.racks; rack++) {
      if (changedIn(racks, rack, changed) > changedIn(racks, target, changed)) {
        target = rack;
      }
    }
    return rule == Rule.PAPER ? byPaper(racks, updates, target) : eagerly(racks, updates, target);
  }

  private Optional<UnitExchanges> byPaper(StripeRacks racks, StripeUpdates updates, int target) {
    long changed = updates.units();
    List<Integer> unchanged = IntStream.range(0, racks.dataUnits)
        .filter(unit -> (changed >> unit & 1) == 0).boxed().collect(Collectors.toList());
    UnitExchanges best = null;
    long gainMost = 0;
    for (int rack = 0; rack < racks.racks; rack++) {
      if (rack != target && fits(racks, rack, target, changed)) {
        UnitExchanges brought = brought(racks, rack, target, changed, unchanged);
        long gain = gain(brought, racks, updates);
        if (gain > gainMost) {
          gainMost = gain;
          best = brought;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private Optional<UnitExchanges> eagerly(StripeRacks racks, StripeUpdates updates, int target) {
    long changed = updates.units();
    List<Integer> unchanged = unchangedInProgramOrder(racks.dataUnits, changed);
    OptionalInt fewest = IntStream.range(0, racks.racks)
        .filter(rack -> rack != target && changedIn(racks, rack, changed) > 0)
        .reduce((first, next) ->
            changedIn(racks, next, changed) < changedIn(racks, first, changed) ? next : first);
    if (fewest.isPresent()) {
      if (!fits(racks, fewest.getAsInt(), target, changed)) {
        return Optional.empty();
      }
      UnitExchanges brought = brought(racks, fewest.getAsInt(), target, changed, unchanged);
      return gain(brought, racks, updates) < 0 ? Optional.empty() : Optional.of(brought);
    }
    int mostParities = racks.logRacks().get(0);
    boolean isAlone = Long.bitCount(changed) == 1 && racks.parities(target) == 0;
    return isAlone && fits(racks, target, mostParities, changed)
        ? Optional.of(brought(racks, target, mostParities, changed, unchanged)) : Optional.empty();
  }

  private static int changedIn(StripeRacks racks, int rack, long changed) {
    return Long.bitCount(changed & racks.dataUnitsIn(rack));
  }

  /** Says whether a rack has changed units, and the target an unchanged one for each of them. */
  private static boolean fits(StripeRacks racks, int rack, int target, long changed) {
    int moving = changedIn(racks, rack, changed);
    return moving > 0
        && moving <= Long.bitCount(racks.dataUnitsIn(target) & ~changed);
  }

  /** Exchanges all changed units of a rack for the first unchanged ones of the target. */
  private static UnitExchanges brought(StripeRacks racks, int rack, int target, long changed,
      List<Integer> unchanged) {
    UnitExchanges brought = UnitExchanges.none(racks);
    List<Integer> away = unchanged.stream().filter(unit -> racks.rack(unit) == target)
        .collect(Collectors.toList());
    int next = 0;
    for (long left = changed & racks.dataUnitsIn(rack); left != 0; left &= left - 1) {
      brought = brought.with(Long.numberOfTrailingZeros(left), away.get(next));
      next++;
    }
    return brought;
  }

  private long gain(UnitExchanges exchanges, StripeRacks racks, StripeUpdates updates) {
    return commitBytes.applyAsLong(racks, updates)
        - commitBytes.applyAsLong(exchanges.racks, updates)
        - exchanges.unitsMoved() * unitBytes;
  }

  /**
   * Lists the unchanged units in the order in which the program of CAU's authors takes them. It
   * puts the changed units first: it exchanges the first unchanged unit with the last changed one
   * behind it, until there is none. Its counts depend on this order, because the unit that makes
   * room may be changed later.
   */
  private static List<Integer> unchangedInProgramOrder(int dataUnits, long changed) {
    List<Integer> units =
        IntStream.range(0, dataUnits).boxed().collect(Collectors.toCollection(ArrayList::new));
    int last = dataUnits - 1;
    for (int first = 0; first < last; first++) {
      if ((changed >> units.get(first) & 1) == 0) {
        while (last > first && (changed >> units.get(last) & 1) == 0) {
          last--;
        }
        Integer moved = units.get(first);
        units.set(first, units.get(last));
        units.set(last, moved);
      }
    }
    return units.subList(Long.bitCount(changed), dataUnits);
  }
}
