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
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Decides how a commit brings the changes of data units to the parity units of each rack. For each
 * byte that has changed in a data unit, and each rack with parity units, there are three ways; the
 * strategy chooses one:
 *
 * <pre>
 *   summed      one node of the data unit's rack adds up what its rack has, for each parity unit
 *   forwarded   the change itself crosses once, and parity nodes of the rack pass it on
 *   collected   the change was forwarded to another rack, and a parity node there adds up what it
 *               has got from all racks, for each parity unit
 * </pre>
 *
 * <p>Under {@code parix} and {@code baseline}, the DataNodes of parity units hold the logs, and can
 * calculate changes from what they got with the updates. The changes that they lack come as sums.
 * Under {@code delta-log}, one DataNode of a rack has deltas in its log, and forwards them in its
 * rack. So the rack whose DataNode has the deltas of all other racks collects.
 *
 * <p>If only one unit of a rack has changed, and the other rack has only one parity unit, sending a
 * sum or the change itself takes the same bytes. Such a change counts as summed. Immutable.
 */
@InterfaceAudience.Private
public final class CommitWays {
  /**
   * The names of the strategies under which commits can be carried out; the first one is the
   * default.
   */
  public static final List<String> STRATEGIES =
      List.of("cau", "collect", "parix", "baseline", "delta-log");
  private static final String COLLECT = STRATEGIES.get(1);
  private static final String SPECULATIVE = STRATEGIES.get(2);
  private static final String BASELINE = STRATEGIES.get(3);
  private static final String DELTA_LOG = STRATEGIES.get(4);

  private final StripeRacks racks;
  private final RackLogs logs;
  /**
   * The rack that collects the changes of all other racks, and sends sums of them; empty if no rack
   * does.
   */
  public final OptionalInt collector;
  /**
   * For each data unit, the ranges that have changed. Each of them is on one of the three ways to
   * each rack.
   */
  private final Map<Integer, ByteRanges> changed = new HashMap<>();
  /**
   * For each rack with parity units, and each data unit, the ranges that are forwarded to this
   * rack. The next two maps are alike.
   */
  private final Map<Integer, Map<Integer, ByteRanges>> forwarded = new HashMap<>();
  private final Map<Integer, Map<Integer, ByteRanges>> summed = new HashMap<>();
  private final Map<Integer, Map<Integer, ByteRanges>> collected = new HashMap<>();

  /**
   * @param strategy one of {@link #STRATEGIES}
   * @param racks the rack of each unit of the stripe
   * @param updates the ranges of the stripe that have changed
   * @throws IllegalArgumentException if there is no such strategy
   */
  public CommitWays(String strategy, StripeRacks racks, StripeUpdates updates) {
    this(strategy, racks, updates, RackLogs.NONE);
  }

  /**
   * @param strategy one of {@link #STRATEGIES}
   * @param racks the rack of each unit of the stripe
   * @param updates the ranges of the stripe that have changed
   * @param logs which deltas DataNodes of parity units have in their logs; these changes do not
   *     cross racks again
   * @throws IllegalArgumentException if there is no such strategy
   */
  public CommitWays(String strategy, StripeRacks racks, StripeUpdates updates, RackLogs logs) {
    check(strategy);
    this.racks = racks;
    this.logs = logs;
    List<UpdatedSegment> segments = updates.segments();
    boolean mayCollect = strategy.equals(COLLECT) || isLoggedAtCollector(strategy);
    this.collector = mayCollect ? CollectingRack.cheapest(racks, logs, segments)
        : OptionalInt.empty();
    // Under these strategies, the changes that the nodes of parity units do not know cross racks as
    // sums only.
    boolean mayForward = !isLoggedAtParities(strategy);
    for (UpdatedSegment segment : segments) {
      add(changed, segment, segment.units);
      for (int rack = 0; rack < racks.racks; rack++) {
        long some = mayForward ? forwarded(rack, segment.units & ~logs.units(rack)) : 0;
        // If the rack has other parity units, the node with the log forwards the changes to them.
        long known = racks.parities(rack) > 1 ? segment.units & logs.units(rack) : 0;
        addWay(rack, segment, some | known);
      }
    }
  }

  /**
   * @param strategy the name of a strategy
   * @return whether DataNodes of parity units hold logs under this strategy, so that they may know
   *     changes before the commit
   */
  public static boolean mayKnowChanges(String strategy) {
    return isLoggedAtParities(strategy) || isLoggedAtCollector(strategy);
  }

  /**
   * @param strategy the name of a strategy
   * @return whether the DataNodes of all parity units hold the logs of the data units under this
   *     strategy
   */
  public static boolean isLoggedAtParities(String strategy) {
    return hasOldBytes(strategy) || strategy.equals(BASELINE);
  }

  /**
   * @param strategy the name of a strategy
   * @return whether, under this strategy, one DataNode of a rack with many parity units holds the
   *     logs of the data units of other racks
   */
  public static boolean isLoggedAtCollector(String strategy) {
    return strategy.equals(DELTA_LOG);
  }

  /**
   * @param strategy the name of a strategy
   * @return whether holders of a log also get the bytes that updates overwrite
   */
  public static boolean hasOldBytes(String strategy) {
    return strategy.equals(SPECULATIVE);
  }

  /**
   * @param strategy the name of a strategy
   * @return whether holders of a log get deltas instead of the bytes that updates write
   */
  public static boolean hasDeltas(String strategy) {
    return strategy.equals(BASELINE) || strategy.equals(DELTA_LOG);
  }

  private void addWay(int rack, UpdatedSegment segment, long some) {
    if (collector.isPresent() && rack == collector.getAsInt()) {
      // This includes the changes of the collecting rack itself, because the sums for other racks
      // have them as well.
      add(to(forwarded, rack), segment, segment.units);
    } else if (collector.isPresent() && CollectingRack.isCheaper(racks, logs, rack,
        segment.units)) {
      add(to(collected, rack), segment, segment.units);
    } else {
      add(to(forwarded, rack), segment, some);
      add(to(summed, rack), segment, segment.units & ~some);
    }
  }

  private static Map<Integer, ByteRanges> to(Map<Integer, Map<Integer, ByteRanges>> way,
      int rack) {
    return way.computeIfAbsent(rack, none -> new HashMap<>());
  }

  /**
   * Checks the name of a strategy.
   *
   * @param strategy the name
   * @throws IllegalArgumentException if there is no such strategy; the message names all strategies
   */
  public static void check(String strategy) {
    if (!STRATEGIES.contains(strategy)) {
      throw new IllegalArgumentException("Commits know no strategy '" + strategy + "'; they know "
          + String.join(", ", STRATEGIES));
    }
  }

  /**
   * Returns the changed units whose changes cross to a rack as they are, and not in sums. The
   * changes of a sending rack cross as they are if there are not more of them than parity units in
   * the receiving rack. If the receiving rack has only one parity unit, a sum takes no more bytes
   * than a change, and sums cross.
   */
  private long forwarded(int to, long units) {
    long forwarded = 0;
    int parities = racks.parities(to);
    for (int from = 0; from < racks.racks; from++) {
      long changed = units & racks.dataUnitsIn(from);
      if (from != to && parities > 1 && Long.bitCount(changed) <= parities) {
        forwarded |= changed;
      }
    }
    return forwarded;
  }

  private static void add(Map<Integer, ByteRanges> to, UpdatedSegment segment, long units) {
    for (long left = units; left != 0; left &= left - 1) {
      to.computeIfAbsent(Long.numberOfTrailingZeros(left), none -> new ByteRanges())
          .add(segment.offset, segment.offset + segment.length);
    }
  }

  /**
   * @param unit the index of a data unit
   * @param parity the index of a parity unit
   * @return the ranges of the data unit whose changes come in sums; they are the same for all
   *     parity units of a rack
   */
  public NavigableMap<Long, Long> summed(int unit, int parity) {
    return of(summed, unit, parity);
  }

  /**
   * @param unit the index of a data unit
   * @param parity the index of a parity unit
   * @return the ranges of the data unit whose changes come as they are to a DataNode of the parity
   *     unit's rack
   */
  public NavigableMap<Long, Long> forwarded(int unit, int parity) {
    return of(forwarded, unit, parity);
  }

  /**
   * @param unit the index of a data unit
   * @param parity the index of a parity unit
   * @return the ranges of the data unit whose changes come in sums from the {@link #collector}
   */
  public NavigableMap<Long, Long> collected(int unit, int parity) {
    return of(collected, unit, parity);
  }

  private NavigableMap<Long, Long> of(Map<Integer, Map<Integer, ByteRanges>> all, int unit,
      int parity) {
    ByteRanges ranges = all.getOrDefault(racks.rack(parity), Map.of()).get(unit);
    return ranges == null ? Collections.emptyNavigableMap()
        : Collections.unmodifiableNavigableMap(new TreeMap<>(ranges.ranges()));
  }

  /**
   * Counts the bytes that cross racks, so that tests can compare them with what the strategy should
   * need. Changes that a rack has in its logs do not cross.
   *
   * @return the bytes that cross racks
   */
  public long crossRackBytes() {
    long bytes = 0;
    for (int rack = 0; rack < racks.racks; rack++) {
      int parities = racks.parities(rack);
      ByteRanges sumsOfAll = new ByteRanges();
      to(collected, rack).values().forEach(ranges -> ranges.ranges().forEach(sumsOfAll::add));
      bytes += sumsOfAll.bytes() * parities;
      for (int from = 0; from < racks.racks && parities > 0; from++) {
        ByteRanges sums = new ByteRanges();
        for (Map.Entry<Integer, ByteRanges> unit : changed.entrySet()) {
          if (from != rack && racks.rack(unit.getKey()) == from
              && (logs.units(rack) >> unit.getKey() & 1) == 0) {
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

  /**
   * The rack that collects the changes of all data units of a stripe in a commit, as in RackCU. The
   * DataNode of one of its parity units keeps all changes, and sends one sum of them for each
   * parity unit of another rack:
   *
   * <pre>
   *   to the collecting rack   the changes of all other racks
   *   to another rack          a sum for each of its parity units, unless the way of CAU is cheaper
   * </pre>
   *
   * <p>Only a rack with a parity unit collects, because only DataNodes of parity units keep changes
   * for others. This costs little: for random places of RS(6,3), RS(10,4) and RS(12,4) in 3 to 14
   * racks, at most 2 % more bytes cross racks than if any rack could collect.
   *
   * <p>Changes that a rack has in its logs do not cross to it. If a rack has the changes of all
   * other racks in its logs, as under {@code delta-log}, no other rack is cheaper.
   */
  static final class CollectingRack {
    private final StripeRacks racks;
    private final RackLogs logs;
    private final int rack;

    private CollectingRack(StripeRacks racks, RackLogs logs, int rack) {
      this.racks = racks;
      this.logs = logs;
      this.rack = rack;
    }

    /**
     * Finds the rack that has to collect so that the fewest bytes cross racks.
     *
     * @param racks the rack of each unit of the stripe
     * @param logs which changes racks have in their logs
     * @param segments the segments of the stripe that have changed
     * @return the rack; of several equal ones, that to which the fewest bytes cross, and of these
     *     the one with the lowest index; empty if without a collecting rack, as in CAU, no more
     *     bytes cross
     */
    static OptionalInt cheapest(StripeRacks racks, RackLogs logs, List<UpdatedSegment> segments) {
      OptionalInt cheapest = OptionalInt.empty();
      long least = 0;
      for (UpdatedSegment segment : segments) {
        for (int to = 0; to < racks.racks; to++) {
          least += segment.length * direct(racks, logs, to, segment.units);
        }
      }
      long leastCollected = Long.MAX_VALUE;
      for (int rack = 0; rack < racks.racks; rack++) {
        CollectingRack one = new CollectingRack(racks, logs, rack);
        long bytes = segments.stream().mapToLong(segment ->
            segment.length * (one.lacks(segment.units) + one.sends(segment.units))).sum();
        long collected = segments.stream().mapToLong(segment ->
            segment.length * one.lacks(segment.units)).sum();
        boolean isCheaper = bytes < least
            || bytes == least && cheapest.isPresent() && collected < leastCollected;
        if (racks.parities(rack) > 0 && isCheaper) {
          least = bytes;
          leastCollected = collected;
          cheapest = OptionalInt.of(rack);
        }
      }
      return cheapest;
    }

    /**
     * Returns how many bytes cross to this rack, for each byte position at which the units {@code
     * changed} have changed.
     */
    private int lacks(long changed) {
      return Long.bitCount(changed & ~racks.dataUnitsIn(rack) & ~logs.units(rack));
    }

    /** Returns how many bytes then cross from this rack to the others, for each such position. */
    private int sends(long changed) {
      int units = 0;
      for (int to = 0; to < racks.racks; to++) {
        if (to != rack) {
          units += Math.min(racks.parities(to), direct(racks, logs, to, changed));
        }
      }
      return units;
    }

    /**
     * Says whether fewer bytes cross to a rack if the collector sends sums than if each rack sends
     * its own changes or sums, as in CAU.
     *
     * @param racks the rack of each unit of the stripe
     * @param logs which changes racks have in their logs
     * @param to a rack that does not collect
     * @param changed the data units that have changed; bit i stands for unit i
     * @return whether the sums of the collector are fewer bytes
     */
    static boolean isCheaper(StripeRacks racks, RackLogs logs, int to, long changed) {
      return racks.parities(to) < direct(racks, logs, to, changed);
    }

    /**
     * Returns how many bytes cross to a rack, for each position, if each rack sends its changes or
     * sums as in CAU. Changes that the rack has in its logs do not cross.
     */
    private static int direct(StripeRacks racks, RackLogs logs, int to, long changed) {
      int units = 0;
      for (int from = 0; from < racks.racks; from++) {
        if (from != to) {
          long sent = changed & racks.dataUnitsIn(from) & ~logs.units(to);
          units += Math.min(Long.bitCount(sent), racks.parities(to));
        }
      }
      return units;
    }
  }
}
