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

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says, for each byte that has changed, on which of two ways the change of a data unit reaches the
 * parity units of a rack, as an {@link UpdateStrategy} decides:
 *
 * <pre>
 *   summed      one node of the data unit's rack adds up what its rack has, for each parity unit
 *   forwarded   the change itself crosses once, and parity nodes of the rack pass it on
 * </pre>
 *
 * <p>A change that is alone in its rack, for a parity unit that is alone in its own, is the same on
 * both ways, and counts as summed. Immutable.
 */
@InterfaceAudience.Private
public final class CommitWays {
  /** The strategies whose commits are made of these two ways, by name; the first is the default. */
  public static final List<String> STRATEGIES = List.of("cau", "parity-delta", "data-delta");

  private final StripeRacks racks;
  /** By data unit; what has changed is on one of the two ways to each rack. */
  private final Map<Integer, ByteRanges> changed = new HashMap<>();
  /** By rack of the parity units, by data unit. */
  private final Map<Integer, Map<Integer, ByteRanges>> forwarded = new HashMap<>();
  private final Map<Integer, Map<Integer, ByteRanges>> summed = new HashMap<>();

  /**
   * @param strategy one of {@link #STRATEGIES}
   * @param racks where the units of the stripe are
   * @param updates what has changed
   * @throws IllegalArgumentException if the strategy is none of these
   */
  public CommitWays(String strategy, StripeRacks racks, StripeUpdates updates) {
    check(strategy);
    this.racks = racks;
    // What the logs keep does not matter here.
    UpdateStrategy decides = UpdateStrategies.byName(strategy, 0);
    Map<Long, Map<Integer, Long>> known = new HashMap<>();
    for (UpdatedSegment segment : updates.segments()) {
      Map<Integer, Long> toRacks =
          known.computeIfAbsent(segment.units(), units -> forwarded(decides, units));
      add(changed, segment, segment.units());
      for (int rack = 0; rack < racks.racks(); rack++) {
        long some = toRacks.getOrDefault(rack, 0L);
        add(forwarded.computeIfAbsent(rack, none -> new HashMap<>()), segment, some);
        add(summed.computeIfAbsent(rack, none -> new HashMap<>()), segment,
            segment.units() & ~some);
      }
    }
  }

  /**
   * Checks the name of a strategy.
   *
   * @param strategy the name
   * @throws IllegalArgumentException if commits cannot be carried out under it; the message says
   *     under which they can
   */
  public static void check(String strategy) {
    if (!STRATEGIES.contains(strategy)) {
      throw new IllegalArgumentException("Commits know no strategy '" + strategy + "'; they know "
          + String.join(", ", STRATEGIES) + (UpdateStrategies.LABELS.contains(strategy)
          ? ". '" + strategy + "' is simulated only" : ""));
    }
  }

  /** Returns, by rack, the changed units whose changes cross to it as they are. */
  private Map<Integer, Long> forwarded(UpdateStrategy decides, long units) {
    StripeUpdates one = new StripeUpdates();
    for (long left = units; left != 0; left &= left - 1) {
      one.add(Long.numberOfTrailingZeros(left), 0, 1);
    }
    Map<Integer, Long> toRacks = new HashMap<>();
    for (CrossRackTransfer transfer : decides.commit(racks, one)) {
      long fromRack = units & racks.dataUnitsIn(transfer.fromRack());
      if (transfer.kind() == CrossRackTransfer.Kind.DATA_DELTA
          && (Long.bitCount(fromRack) > 1 || racks.parities(transfer.toRack()) > 1)) {
        toRacks.merge(transfer.toRack(), 1L << transfer.unit(), (a, b) -> a | b);
      }
    }
    return toRacks;
  }

  private static void add(Map<Integer, ByteRanges> to, UpdatedSegment segment, long units) {
    for (long left = units; left != 0; left &= left - 1) {
      to.computeIfAbsent(Long.numberOfTrailingZeros(left), none -> new ByteRanges())
          .add(segment.offset(), segment.offset() + segment.length());
    }
  }

  /**
   * @param unit a data unit
   * @param parity a parity unit
   * @return the ranges whose changes are in sums for the parity unit: all in the same rack
   */
  public NavigableMap<Long, Long> summed(int unit, int parity) {
    return of(summed, unit, parity);
  }

  /**
   * @param unit a data unit
   * @param parity a parity unit
   * @return the ranges whose changes come to a node of the parity unit's rack as they are
   */
  public NavigableMap<Long, Long> forwarded(int unit, int parity) {
    return of(forwarded, unit, parity);
  }

  private NavigableMap<Long, Long> of(Map<Integer, Map<Integer, ByteRanges>> all, int unit,
      int parity) {
    ByteRanges ranges = all.getOrDefault(racks.rack(parity), Map.of()).get(unit);
    return ranges == null ? Collections.emptyNavigableMap()
        : Collections.unmodifiableNavigableMap(new TreeMap<>(ranges.ranges()));
  }

  /**
   * Counts what crosses racks, so that it can be compared with what the strategy says.
   *
   * @return bytes
   */
  public long crossRackBytes() {
    long bytes = 0;
    for (int rack = 0; rack < racks.racks(); rack++) {
      int parities = racks.parities(rack);
      for (int from = 0; from < racks.racks() && parities > 0; from++) {
        ByteRanges sums = new ByteRanges();
        for (Map.Entry<Integer, ByteRanges> unit : changed.entrySet()) {
          if (from != rack && racks.rack(unit.getKey()) == from) {
            int parity = racks.parityUnitsIn(rack).get(0);
            summed(unit.getKey(), parity).forEach(sums::add);
            for (Map.Entry<Long, Long> one : forwarded(unit.getKey(), parity).entrySet()) {
              bytes += one.getValue() - one.getKey();
            }
          }
        }
        bytes += sums.bytes() * parities;
      }
    }
    return bytes;
  }
}
