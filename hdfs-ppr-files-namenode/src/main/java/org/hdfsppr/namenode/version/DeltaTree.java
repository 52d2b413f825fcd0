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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.manage.version.PatchSource;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.update.CommitWays;
import org.hdfsppr.update.RackLogs;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.StripeUpdates;

/**
 * Decides on which way each change of a data unit (a delta) gets to the parity units of its group.
 * That depends on the racks of all units and on the strategy. {@link CommitWays} sorts the changes
 * into three kinds:
 *
 * <pre>
 *   summed      one node of each other rack adds up what its rack has, and sends one sum to each
 *               parity unit; changes in the parity unit's own rack go there directly
 *   forwarded   one parity unit of the rack gets the change, and the others get it from its node
 *   collected   one parity unit of the collecting rack, which forwards the change in its own rack,
 *               sends one sum of all changes to each parity unit of another rack
 * </pre>
 *
 * <p>The one parity unit of a rack that gets changes for the others is the first one. Under the
 * strategy {@code delta-log}, it is the one whose node follows in the most logs of changed data
 * units. That node itself finds out whether its logs have the deltas, and whether these are right.
 * If not, the nodes of the data units send it the changes.
 *
 * <p>Immutable.
 */
final class DeltaTree {
  private final int dataUnits;
  private final Map<Integer, NodeRef> nodes;
  private final Map<Integer, ByteRanges> changed;
  private final List<Integer> made;
  /** By rack, the parity unit whose node keeps changes for the other parity units of the rack. */
  private final Map<String, Integer> keepers = new HashMap<>();
  private final CommitWays ways;
  /** The parity unit whose node collects the changes of all racks; empty if none does. */
  private final Optional<Integer> collector;

  /**
   * @param strategy one of {@link CommitWays#STRATEGIES}
   * @param code the code of the group
   * @param nodes the nodes of all units that have bytes
   * @param changed the data units with updates, and the ranges that they write; the caller does not
   *     change them afterwards
   * @param made all parity units that change, in ascending order, at least one. Local parity units
   *     of LRC may stay as they are, and then get no changes
   * @param followers the nodes that follow in the log of each changed data unit
   */
  DeltaTree(String strategy, LinearCode code, Map<Integer, NodeRef> nodes,
      Map<Integer, ByteRanges> changed, List<Integer> made,
      Map<Integer, List<NodeRef>> followers) {
    this.dataUnits = code.dataUnits();
    this.nodes = new HashMap<>(nodes);
    this.changed = new HashMap<>(changed);
    StripeUpdates updates = new StripeUpdates();
    changed.forEach((unit, ranges) ->
        ranges.ranges().forEach((from, to) -> updates.add(unit, from, to)));
    this.made = new ArrayList<>(made);
    StripeRacks racks = racks();
    Map<Integer, Long> logged = new HashMap<>();
    for (int unit : made) {
      logged.put(unit, CommitWays.isLoggedAtCollector(strategy) ? logged(unit, followers) : 0);
    }
    List<Integer> byLogs = new ArrayList<>(made);
    // The sort is stable: of parity units with equally many logs, the one with the lowest index
    // comes first.
    byLogs.sort(Comparator.comparingInt(unit -> -Long.bitCount(logged.get(unit))));
    Map<Integer, Long> ofRacks = new HashMap<>();
    for (int unit : byLogs) {
      if (keepers.putIfAbsent(nodes.get(unit).rack, unit) == null) {
        ofRacks.put(racks.rack(number(unit)), logged.get(unit));
      }
    }
    this.ways = new CommitWays(strategy, racks, updates, new RackLogs(ofRacks));
    this.collector = ways.collector.isEmpty() ? Optional.empty() : keepers.values().stream()
        .filter(unit -> racks.rack(number(unit)) == ways.collector.getAsInt()).findFirst();
  }

  /**
   * Returns a bit set of the changed data units in whose logs the node of this parity unit follows.
   */
  private long logged(int parity, Map<Integer, List<NodeRef>> followers) {
    String uuid = nodes.get(parity).uuid;
    long logged = 0;
    for (int unit : changed.keySet()) {
      if (followers.getOrDefault(unit, List.of()).stream()
          .anyMatch(node -> node.uuid.equals(uuid))) {
        logged |= 1L << unit;
      }
    }
    return logged;
  }

  /** Returns the rack of each data unit, and behind them of each parity unit that changes. */
  private StripeRacks racks() {
    Map<String, Integer> numbers = new HashMap<>();
    int[] rackOf = new int[dataUnits + made.size()];
    for (int number = 0; number < rackOf.length; number++) {
      NodeRef node = nodes.get(number < dataUnits ? number : made.get(number - dataUnits));
      if (node != null) {
        Integer known = numbers.putIfAbsent(node.rack, numbers.size());
        rackOf[number] = known == null ? numbers.size() - 1 : known;
      }
    }
    return new StripeRacks(dataUnits, numbers.size(), rackOf);
  }

  /**
   * Returns the index of a parity unit for {@link CommitWays}: there, the parity units that change
   * follow the data units, without the parity units that stay as they are.
   */
  private int number(int parity) {
    return dataUnits + made.indexOf(parity);
  }

  /**
   * Lists the data units from which a parity unit is changed, and on which way their changes come.
   *
   * @param parity index of the parity unit
   * @return all data units that have bytes
   */
  List<PatchSource> sources(int parity) {
    List<PatchSource> sources = new ArrayList<>();
    Map<String, Integer> collectors = new HashMap<>();
    for (int unit = 0; unit < dataUnits; unit++) {
      NodeRef node = nodes.get(unit);
      if (node != null && changed.containsKey(unit)) {
        int via = PatchSource.DIRECT;
        if (!node.rack.equals(nodes.get(parity).rack)) {
          Integer collector = collectors.putIfAbsent(node.rack, unit);
          via = collector == null ? PatchSource.DIRECT : collector;
        }
        sources.add(PatchSource.changed(unit, node, via, ways.summed(unit, number(parity)),
            ways.forwarded(unit, number(parity)), ways.collected(unit, number(parity))));
      } else if (node != null) {
        sources.add(PatchSource.unchanged(unit, node));
      }
    }
    return sources;
  }

  /**
   * Returns the parity unit whose node sends single changes, and not their sums, to the node of
   * this parity unit.
   *
   * @param parity index of this parity unit
   * @return index of a parity unit in the same rack, which may be this one itself; empty if no
   *     change comes that way, or if this unit does not change
   */
  Optional<Integer> forwarder(int parity) {
    if (!made.contains(parity) || changed.keySet().stream()
        .allMatch(unit -> ways.forwarded(unit, number(parity)).isEmpty())) {
      return Optional.empty();
    }
    return Optional.of(keepers.get(nodes.get(parity).rack));
  }

  /**
   * Returns the parity unit whose node sends one sum of the changes of all racks to the node of
   * this parity unit.
   *
   * @param parity index of this parity unit
   * @return index of a parity unit of another rack, whose node also forwards all changes in its own
   *     rack; empty if no change comes that way, or if this unit does not change
   */
  Optional<Integer> collector(int parity) {
    return collector.filter(any -> made.contains(parity) && changed.keySet().stream()
        .anyMatch(unit -> !ways.collected(unit, number(parity)).isEmpty()));
  }

  /**
   * Lists the parity units whose nodes must have the changes before this parity unit can be made.
   *
   * @param parity the parity unit
   * @return its {@link #forwarder} and its {@link #collector}, without the unit itself
   */
  List<Integer> before(int parity) {
    List<Integer> before = new ArrayList<>();
    forwarder(parity).filter(by -> by != parity).ifPresent(before::add);
    collector(parity).ifPresent(before::add);
    return before;
  }
}
