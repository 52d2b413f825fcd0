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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;

/**
 * Chooses the nodes of units of a parity group. No node gets two units of the group, and no node
 * gets a unit if it has another block of the unit's column. As far as possible, the rack of a unit
 * has no other block of its column, and few units of the group. Pure. Used by one thread.
 */
@InterfaceAudience.Private
final class ColumnPlaces {
  private final List<NodeRef> candidates;
  private final Map<Integer, Collection<NodeRef>> columns;
  private final Map<NodeRef, Integer> unitOf = new HashMap<>();
  private final Map<Integer, NodeRef> nodeOf = new TreeMap<>();
  private final Map<String, Integer> unitsInRack = new HashMap<>();

  /**
   * @param candidates nodes that may have a unit, preferred ones first
   * @param columns for each unit to place: the nodes with the other blocks of its column
   * @param taken the nodes of the group's other units
   */
  ColumnPlaces(Collection<NodeRef> candidates, Map<Integer, Collection<NodeRef>> columns,
      Collection<NodeRef> taken) {
    this.candidates = new ArrayList<>(candidates);
    this.candidates.removeIf(taken::contains);
    this.columns = new TreeMap<>(columns);
    taken.forEach(node -> unitsInRack.merge(node.rack, 1, Integer::sum));
  }

  /**
   * Places all units.
   *
   * @return the node of each unit; empty if there are too few nodes
   */
  Optional<Map<Integer, NodeRef>> choose() {
    for (int unit : columns.keySet()) {
      if (!place(unit, new HashSet<>())) {
        return Optional.empty();
      }
    }
    return Optional.of(nodeOf);
  }

  /** Places a unit. If all its possible nodes are taken, moves other units to make room. */
  private boolean place(int unit, Set<NodeRef> tried) {
    List<NodeRef> possible = possible(unit);
    for (NodeRef node : possible) {
      if (!unitOf.containsKey(node)) {
        put(unit, node);
        return true;
      }
    }
    for (NodeRef node : possible) {
      if (tried.add(node) && place(unitOf.get(node), tried)) {
        put(unit, node);
        return true;
      }
    }
    return false;
  }

  private void put(int unit, NodeRef node) {
    NodeRef before = nodeOf.put(unit, node);
    if (before != null) {
      unitsInRack.merge(before.rack, -1, Integer::sum);
      unitOf.remove(before, unit);
    }
    unitOf.put(node, unit);
    unitsInRack.merge(node.rack, 1, Integer::sum);
  }

  private List<NodeRef> possible(int unit) {
    Collection<NodeRef> column = columns.get(unit);
    Map<String, Integer> inColumn = new HashMap<>();
    column.forEach(node -> inColumn.merge(node.rack, 1, Integer::sum));
    List<NodeRef> possible = new ArrayList<>(candidates);
    possible.removeIf(column::contains);
    possible.sort(Comparator
        .<NodeRef>comparingInt(node -> inColumn.getOrDefault(node.rack, 0))
        .thenComparingInt(node -> unitsInRack.getOrDefault(node.rack, 0)));
    return possible;
  }
}
