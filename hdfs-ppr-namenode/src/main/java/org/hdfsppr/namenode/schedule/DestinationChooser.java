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

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Finds nodes that store the rebuilt units of one group. It never chooses a node that has a unit of
 * the group. A rack should hold at most its share, see {@link GroupView#inRackMax}. A rack that
 * would then hold more is chosen only if no other rack has a suitable node.
 *
 * <p>A node may suit some of the lost units and not others. If all nodes that suit a unit are taken
 * by other lost units, those move to other nodes where they can. So the units get nodes that suit
 * them whenever there is such a choice.
 */
final class DestinationChooser {
  private static final int[] NONE = {};
  private static final int NOT_YET = -1;

  private final Fleet fleet;
  private final GroupView view;
  private final DestinationFilter filter;
  /** The lost units that have bytes, ascending. */
  private final int[] units;

  DestinationChooser(Fleet fleet, GroupView view, DestinationFilter filter) {
    this.fleet = fleet;
    this.view = view;
    this.filter = filter;
    this.units = new int[Integer.bitCount(view.lost())];
    int size = 0;
    for (int rest = view.lost(); rest != 0; rest &= rest - 1) {
      units[size++] = Integer.numberOfTrailingZeros(rest);
    }
  }

  /**
   * Chooses one node for each lost unit.
   *
   * @param first index of the node for the first unit, or -1 to take the first node of the ranking
   * @return the indices of the nodes, in the order of the units; empty if there are too few nodes
   */
  int[] choose(int first) {
    int[] chosen = new int[units.length];
    Arrays.fill(chosen, NOT_YET);
    if (first >= 0) {
      chosen[0] = first;
    }
    boolean areAllPlaced = true;
    for (int i = 0; i < chosen.length; i++) {
      areAllPlaced &= chosen[i] != NOT_YET || place(i, chosen, new HashSet<>());
    }
    if (areAllPlaced) {
      return chosen;
    }
    return filter.yields(view.group) && placeRest(chosen) ? chosen : NONE;
  }

  /**
   * Places a unit on a node that suits it. If other lost units have got all of these nodes, tries
   * to move one of them to another node that suits it.
   */
  private boolean place(int i, int[] chosen, Set<Integer> tried) {
    int found = find(node -> isFree(node, chosen) && suits(i, node), chosen);
    if (found >= 0) {
      chosen[i] = found;
      return true;
    }
    for (int other = 0; other < chosen.length; other++) {
      int node = chosen[other];
      if (other != i && node != NOT_YET && suits(i, node) && tried.add(node)
          && place(other, chosen, tried)) {
        chosen[i] = node;
        return true;
      }
    }
    return false;
  }

  /**
   * Places each unit that has no node yet on any free node, even if the filter refuses the node for
   * this unit.
   */
  private boolean placeRest(int[] chosen) {
    for (int i = 0; i < chosen.length; i++) {
      if (chosen[i] == NOT_YET) {
        chosen[i] = find(node -> isFree(node, chosen), chosen);
        if (chosen[i] < 0) {
          return false;
        }
      }
    }
    return true;
  }

  private int find(IntPredicate accepted, int[] chosen) {
    int found = fleet.findDestination(rack -> hasRoom(rack, chosen), accepted);
    // A rack with one unit too many is better than a missing unit. If no rack with room has a
    // suitable node, the rack with the fewest units takes the unit.
    return found < 0 ? inEmptiestRack(accepted, chosen) : found;
  }

  private int inEmptiestRack(IntPredicate accepted, int[] chosen) {
    for (int most = view.inRackMax(); most <= view.code().units(); most++) {
      int atMost = most;
      int found = fleet.findDestination(rack -> inRack(rack, chosen) <= atMost, accepted);
      if (found >= 0) {
        return found;
      }
    }
    return -1;
  }

  /**
   * Returns the first node of the ranking in one rack that suits the first lost unit; -1 if the
   * rack has no room for a unit or no suitable node.
   */
  int inRack(int rack) {
    return hasRoom(rack, NONE) ? fleet.findDestination(rack, this::suitsFirst) : -1;
  }

  /** Returns whether the node could store the first rebuilt unit. */
  boolean accepts(int node) {
    return fleet.node(node).isDestination() && hasRoom(fleet.node(node).rack().index, NONE)
        && suitsFirst(node);
  }

  private boolean suitsFirst(int node) {
    return isFree(node, NONE) && suits(0, node);
  }

  private boolean isFree(int node, int[] chosen) {
    for (int taken : chosen) {
      if (taken == node) {
        return false;
      }
    }
    return !view.isOccupied(node) && filter.accepts(view.group, fleet.node(node).ref());
  }

  private boolean suits(int i, int node) {
    return filter.acceptsUnit(view.group, units[i], fleet.node(node).ref());
  }

  private boolean hasRoom(int rack, int[] chosen) {
    return inRack(rack, chosen) < view.inRackMax();
  }

  private int inRack(int rack, int[] chosen) {
    int count = view.inRack(rack);
    for (int node : chosen) {
      if (node != NOT_YET && fleet.node(node).rack().index == rack) {
        count++;
      }
    }
    return count;
  }
}
