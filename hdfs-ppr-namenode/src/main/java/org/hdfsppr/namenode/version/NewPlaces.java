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
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;

/**
 * Chooses the nodes of the units that are made: the node of the old parity unit with the same
 * index, which then reads that unit locally, and for further units nodes that have no unit of the
 * group, in the rack with the fewest units. Pure.
 */
@InterfaceAudience.Private
final class NewPlaces {
  private NewPlaces() {
  }

  /**
   * @param conversion the way from the old code to the new one
   * @param holders the old units and their nodes
   * @param units the units to place, as indices of the new code
   * @param others the nodes of made units that stay where they are
   * @param workers the nodes that can make units, in the order in which they are taken
   * @param fits whether a node has room for a unit
   * @return the units and their nodes; empty if there are too few nodes
   */
  static Optional<List<Holder>> choose(Conversion conversion, List<Holder> holders,
      Collection<Integer> units, Collection<NodeRef> others, List<NodeRef> workers,
      Predicate<NodeRef> fits) {
    Map<Integer, NodeRef> old = new HashMap<>();
    holders.forEach(holder -> old.put(holder.unit(), holder.node()));
    // The nodes of the new version. A node of an old parity that is not linked is free again.
    Set<NodeRef> taken = new HashSet<>(others);
    for (int unit = 0; unit < conversion.to().units(); unit++) {
      // Units without bytes have no node.
      NodeRef node = old.get(conversion.linkedFrom(unit));
      if (node != null) {
        taken.add(node);
      }
    }
    int shift = conversion.from().dataUnits() - conversion.to().dataUnits();
    List<Holder> places = new ArrayList<>();
    List<Integer> homeless = new ArrayList<>();
    for (int unit : units) {
      NodeRef own = old.get(unit + shift);
      if (own != null && workers.contains(own) && !taken.contains(own) && fits.test(own)) {
        taken.add(own);
        places.add(new Holder(unit, own));
      } else {
        homeless.add(unit);
      }
    }
    for (int unit : homeless) {
      NodeRef node = next(workers, taken, old, fits);
      if (node == null) {
        return Optional.empty();
      }
      taken.add(node);
      places.add(new Holder(unit, node));
    }
    return Optional.of(places);
  }

  private static NodeRef next(List<NodeRef> workers, Set<NodeRef> taken,
      Map<Integer, NodeRef> old, Predicate<NodeRef> fits) {
    Map<String, Integer> unitsOfRack = new HashMap<>();
    taken.forEach(node -> unitsOfRack.merge(node.rack(), 1, Integer::sum));
    NodeRef best = null;
    for (NodeRef node : workers) {
      if (!taken.contains(node) && (best == null || isBetter(node, best, unitsOfRack, old))
          && fits.test(node)) {
        best = node;
      }
    }
    return best;
  }

  /** Returns whether a node is in a rack with fewer units, or has no old unit in the same case. */
  private static boolean isBetter(NodeRef node, NodeRef than, Map<String, Integer> unitsOfRack,
      Map<Integer, NodeRef> old) {
    int units = unitsOfRack.getOrDefault(node.rack(), 0);
    int other = unitsOfRack.getOrDefault(than.rack(), 0);
    return units < other || units == other && old.containsValue(than)
        && !old.containsValue(node);
  }
}
