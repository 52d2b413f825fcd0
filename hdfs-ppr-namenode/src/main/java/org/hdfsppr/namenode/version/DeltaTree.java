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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.manage.PatchSource;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.update.CommitWays;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.StripeUpdates;

/**
 * Says on which ways the changes of data units go to the parity units of a group, by the racks of
 * all units and a strategy (see {@link CommitWays}):
 *
 * <pre>
 *   summed      one node of each other rack adds up what its rack has, and sends one sum to each
 *               parity unit; changes in the parity unit's own rack go there directly
 *   forwarded   the first parity unit of the rack gets the change, and the others get it there
 * </pre>
 *
 * <p>Immutable.
 */
@InterfaceAudience.Private
final class DeltaTree {
  private final int dataUnits;
  private final Map<Integer, NodeRef> nodes;
  private final Map<Integer, ByteRanges> changed;
  private final CommitWays ways;

  /**
   * @param strategy one of {@link CommitWays#STRATEGIES}
   * @param code the code of the group
   * @param nodes the nodes of all units that have bytes
   * @param changed the data units with updates, and what they write; not changed afterwards
   */
  DeltaTree(String strategy, LinearCode code, Map<Integer, NodeRef> nodes,
      Map<Integer, ByteRanges> changed) {
    this.dataUnits = code.dataUnits();
    this.nodes = new HashMap<>(nodes);
    this.changed = new HashMap<>(changed);
    StripeUpdates updates = new StripeUpdates();
    changed.forEach((unit, ranges) ->
        ranges.ranges().forEach((from, to) -> updates.add(unit, from, to)));
    this.ways = new CommitWays(strategy, racks(code.units()), updates);
  }

  private StripeRacks racks(int units) {
    Map<String, Integer> numbers = new HashMap<>();
    int[] rackOf = new int[units];
    for (int unit = 0; unit < units; unit++) {
      NodeRef node = nodes.get(unit);
      if (node != null) {
        Integer known = numbers.putIfAbsent(node.rack(), numbers.size());
        rackOf[unit] = known == null ? numbers.size() - 1 : known;
      }
    }
    return new StripeRacks(dataUnits, Math.max(1, numbers.size()), rackOf);
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
        if (!node.rack().equals(nodes.get(parity).rack())) {
          Integer collector = collectors.putIfAbsent(node.rack(), unit);
          via = collector == null ? PatchSource.DIRECT : collector;
        }
        sources.add(PatchSource.changed(unit, node, via, ways.summed(unit, parity),
            ways.forwarded(unit, parity)));
      } else if (node != null) {
        sources.add(PatchSource.unchanged(unit, node));
      }
    }
    return sources;
  }

  /**
   * Returns the parity unit from whose node a parity unit gets changes as they are.
   *
   * @param parity the parity unit
   * @param made all parity units that change, in ascending order
   * @return the first one in the same rack, which may be the unit itself; empty if no change comes
   *     as it is
   */
  Optional<Integer> forwarder(int parity, List<Integer> made) {
    if (changed.keySet().stream().allMatch(unit -> ways.forwarded(unit, parity).isEmpty())) {
      return Optional.empty();
    }
    String rack = nodes.get(parity).rack();
    return made.stream().filter(unit -> nodes.get(unit).rack().equals(rack)).findFirst();
  }
}
