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
 * Decides how the changes of data units get to the parity units of a group, by the racks of all
 * units and a strategy (see {@link CommitWays}):
 *
 * <pre>
 *   summed      one node of each other rack adds up what its rack has, and sends one sum to each
 *               parity unit; changes in the parity unit's own rack go there directly
 *   forwarded   one parity unit of the rack gets the change, and the others get it there
 *   collected   one parity unit of the collecting rack, which forwards the change in its own rack,
 *               sends one sum of all changes to each parity unit of another rack
 * </pre>
 *
 * <p>Under {@code delta-log}, this one parity unit is the one whose node follows in the most logs.
 * The node itself finds out whether it has the deltas and whether they are right; if not, it gets
 * changes.
 *
 * <p>Immutable.
 */
final class DeltaTree {
  private final int dataUnits;
  private final Map<Integer, NodeRef> nodes;
  private final Map<Integer, ByteRanges> changed;
  private final List<Integer> made;
  /** By rack, the parity unit whose node keeps changes for the rack's other parity units. */
  private final Map<String, Integer> keepers = new HashMap<>();
  private final CommitWays ways;
  /** The parity unit that collects; empty if none does. */
  private final Optional<Integer> collector;

  /**
   * @param strategy one of {@link CommitWays#STRATEGIES}
   * @param code the code of the group
   * @param nodes the nodes of all units that have bytes
   * @param changed the data units with updates, and the ranges that they write; the caller does not
   *     change them afterwards
   * @param made all parity units that change, in ascending order, at least one. Local parity units
   *     of LRC may stay as they are, and then get no changes
   * @param followers by changed data unit, the nodes that follow in its log
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
    // The sort is stable: of equal ones, the first one comes first.
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

  /** Returns, as bits, the changed data units in whose logs the node of a parity unit follows. */
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

  /** Returns the racks of the data units, and after them of the parity units that change. */
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
   * Returns the number of a parity unit for {@link CommitWays}, which counts only those that
   * change.
   */
  private int number(int parity) {
    return dataUnits + made.indexOf(parity);
  }

  /**
   * Lists the sources of a parity unit.
   *
   * @param parity the parity unit
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
   * Returns the parity unit whose node sends a parity unit single changes, not sums.
   *
   * @param parity the parity unit
   * @return one in the same rack, which may be the unit itself; empty if no change comes as it is,
   *     or if the unit stays
   */
  Optional<Integer> forwarder(int parity) {
    if (!made.contains(parity) || changed.keySet().stream()
        .allMatch(unit -> ways.forwarded(unit, number(parity)).isEmpty())) {
      return Optional.empty();
    }
    return Optional.of(keepers.get(nodes.get(parity).rack));
  }

  /**
   * Returns the parity unit whose node sends a parity unit one sum of the changes of all racks.
   *
   * @param parity the parity unit
   * @return a parity unit of another rack, which also forwards all changes in its own rack; empty
   *     if no change comes through it, or if the unit stays
   */
  Optional<Integer> collector(int parity) {
    return collector.filter(any -> made.contains(parity) && changed.keySet().stream()
        .anyMatch(unit -> !ways.collected(unit, number(parity)).isEmpty()));
  }

  /**
   * Lists the parity units whose nodes have to have changes before a parity unit is made.
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
