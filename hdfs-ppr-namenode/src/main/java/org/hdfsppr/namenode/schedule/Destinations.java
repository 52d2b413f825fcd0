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
package org.hdfsppr.namenode.schedule;

import java.util.function.IntPredicate;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Finds nodes that store the rebuilt units of one group. It never chooses a node that has a unit of
 * the group. It chooses a rack that would then hold more than its share of units only if no other
 * rack has a suitable node.
 */
@InterfaceAudience.Private
final class Destinations {
  private static final int[] NONE = {};

  private final Fleet fleet;
  private final GroupView view;
  private final DestinationFilter filter;

  Destinations(Fleet fleet, GroupView view, DestinationFilter filter) {
    this.fleet = fleet;
    this.view = view;
    this.filter = filter;
  }

  /**
   * Chooses one node for each lost unit.
   *
   * @param first index of the node for the first unit, or -1 to take the first node of the ranking
   * @return the indices of the nodes; empty if there are not enough nodes
   */
  int[] choose(int first) {
    int[] chosen = new int[Integer.bitCount(view.lost())];
    int size = 0;
    if (first >= 0) {
      chosen[size++] = first;
    }
    while (size < chosen.length) {
      int taken = size;
      IntPredicate accepted = node -> accepts(node, chosen, taken);
      int found = fleet.findDestination(rack -> hasRoom(rack, chosen, taken), accepted);
      if (found < 0) {
        // A rack with one unit too many is better than a missing unit. If no rack with room has a
        // suitable node, the rack with the fewest units takes the unit.
        found = inEmptiestRack(accepted, chosen, taken);
      }
      if (found < 0) {
        return NONE;
      }
      chosen[size++] = found;
    }
    return chosen;
  }

  private int inEmptiestRack(IntPredicate accepted, int[] chosen, int taken) {
    for (int units = view.inRackMax(); units <= view.code().units(); units++) {
      int most = units;
      int found = fleet.findDestination(rack -> inRack(rack, chosen, taken) <= most, accepted);
      if (found >= 0) {
        return found;
      }
    }
    return -1;
  }

  /**
   * Returns the first node of the ranking in one rack; -1 if the rack has no room for a unit or no
   * suitable node.
   */
  int inRack(int rack) {
    return hasRoom(rack, NONE, 0) ? fleet.findDestination(rack, node -> accepts(node, NONE, 0))
        : -1;
  }

  /** Returns whether the node could store the first rebuilt unit. */
  boolean accepts(int node) {
    return fleet.node(node).isDestination() && hasRoom(fleet.node(node).rack().index(), NONE, 0)
        && accepts(node, NONE, 0);
  }

  private boolean accepts(int node, int[] chosen, int size) {
    for (int i = 0; i < size; i++) {
      if (chosen[i] == node) {
        return false;
      }
    }
    return !view.isOccupied(node) && filter.accepts(view.group(), fleet.node(node).ref());
  }

  private boolean hasRoom(int rack, int[] chosen, int size) {
    return inRack(rack, chosen, size) < view.inRackMax();
  }

  private int inRack(int rack, int[] chosen, int size) {
    int units = view.inRack(rack);
    for (int i = 0; i < size; i++) {
      if (fleet.node(chosen[i]).rack().index() == rack) {
        units++;
      }
    }
    return units;
  }
}
