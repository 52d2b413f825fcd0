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
package org.hdfsppr.namenode.update;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.UpdateBounds;

/**
 * Chooses the nodes that hold the log of a unit: its leader, and the nodes that follow it. The
 * strategy of commits decides in which of three ways:
 *
 * <ul>
 * <li>{@link #holders}: one node in each of some other racks, as in CAU;</li>
 * <li>{@link #withParities}: all nodes that have parity units of the group, as in PARIX;</li>
 * <li>{@link #inLogRacks}: one node in each of the racks with most parity units of the group, for
 * logs with deltas.</li>
 * </ul>
 *
 * <p>If there are too few racks, a rack gets a second node, because a second copy there is better
 * than none.
 */
@InterfaceAudience.Private
final class HolderChoice {
  private HolderChoice() {
  }

  /**
   * Chooses the leader, and one node in each of some other racks. Nodes that hold the log already
   * come first. Next come nodes with parity units, to which a commit will send anyway.
   *
   * @param leader leads
   * @param earlier nodes that hold the log already
   * @param parity nodes with parity units of the group
   * @param all nodes that may hold a log
   * @param seed spreads units over equal nodes
   * @param replicas how many nodes are to follow
   * @return the leader and the nodes that follow; fewer if there are not enough
   */
  static List<NodeRef> holders(NodeRef leader, List<NodeRef> earlier, List<NodeRef> parity,
      List<NodeRef> all, int seed, int replicas) {
    Set<NodeRef> inOrder = new LinkedHashSet<>(earlier);
    inOrder.addAll(parity);
    return spread(leader, inOrder, all, seed, replicas);
  }

  /**
   * Chooses the leader, and one node with a parity unit in each of the racks with most parity
   * units, other than the leader's. In the first of these racks, one node follows for the units of
   * all other racks, so that a commit finds the changes of these units together. Nodes that already
   * hold the log come after those with parity units.
   *
   * @param leader leads
   * @param earlier nodes that hold the log already
   * @param parity nodes with parity units of the group, in the order of these
   * @param all nodes that may hold a log
   * @param seed spreads units over equal nodes
   * @param replicas how many nodes are to follow
   * @return the leader and the nodes that follow; fewer if there are not enough
   */
  static List<NodeRef> inLogRacks(NodeRef leader, List<NodeRef> earlier, List<NodeRef> parity,
      List<NodeRef> all, int seed, int replicas) {
    Map<String, Long> parities = parity.stream()
        .collect(Collectors.groupingBy(ref -> ref.rack, Collectors.counting()));
    List<NodeRef> byRack = new ArrayList<>(parity);
    // The sort is stable: of equal racks, that of the first parity unit comes first.
    byRack.sort(Comparator.comparingLong(node -> -parities.get(node.rack)));
    Set<NodeRef> inOrder = new LinkedHashSet<>(byRack);
    inOrder.addAll(earlier);
    return spread(leader, inOrder, all, seed, replicas);
  }

  /** Chooses nodes in different racks, and fills up with others if there are too few racks. */
  private static List<NodeRef> spread(NodeRef leader, Set<NodeRef> first, List<NodeRef> all,
      int seed, int replicas) {
    List<NodeRef> others = new ArrayList<>(all);
    others.sort(Comparator.comparingInt((NodeRef node) -> mixed(node.uuid.hashCode() ^ seed))
        .thenComparing((NodeRef ref) -> ref.uuid));
    Set<NodeRef> inOrder = new LinkedHashSet<>(first);
    inOrder.addAll(others);
    inOrder.retainAll(all);
    List<NodeRef> holders = new ArrayList<>(List.of(leader));
    Set<String> racks = new HashSet<>(Set.of(leader.rack));
    for (NodeRef node : inOrder) {
      if (holders.size() <= replicas && !holders.contains(node) && racks.add(node.rack)) {
        holders.add(node);
      }
    }
    for (NodeRef node : inOrder) {
      if (holders.size() <= replicas && !holders.contains(node)) {
        holders.add(node);
      }
    }
    return holders;
  }

  /**
   * Chooses the leader, and all nodes with parity units, whichever racks they are in. If these are
   * fewer than have to follow, {@link #holders} chooses the others.
   *
   * @param leader leads
   * @param earlier nodes that hold the log already
   * @param parity nodes with parity units of the group
   * @param all nodes that may hold a log
   * @param seed spreads units over equal nodes
   * @param replicas how many nodes are to follow at least
   * @return the leader and the nodes that follow; fewer if there are not enough
   */
  static List<NodeRef> withParities(NodeRef leader, List<NodeRef> earlier, List<NodeRef> parity,
      List<NodeRef> all, int seed, int replicas) {
    Set<NodeRef> inOrder = new LinkedHashSet<>(parity);
    inOrder.retainAll(all);
    inOrder.remove(leader);
    List<NodeRef> holders = new ArrayList<>(List.of(leader));
    holders.addAll(inOrder.stream().limit(UpdateBounds.HOLDERS_MAX - 1)
        .collect(Collectors.toList()));
    for (NodeRef node : holders(leader, earlier, parity, all, seed, all.size())) {
      if (holders.size() <= replicas && !holders.contains(node)) {
        holders.add(node);
      }
    }
    return holders;
  }

  /** Spreads the bits of a number over all bits (the last steps of MurmurHash3). */
  private static int mixed(int bits) {
    int once = (bits ^ bits >>> 16) * 0x85ebca6b;
    int twice = (once ^ once >>> 13) * 0xc2b2ae35;
    return twice ^ twice >>> 16;
  }
}
