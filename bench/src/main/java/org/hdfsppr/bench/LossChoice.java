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
package org.hdfsppr.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.Unit;

/**
 * Chooses units whose loss the NameNode can repair at once. A unit qualifies if its rack has a node
 * without a unit of the group. If the rack has no such node, BlockPlacementPolicyRackFaultTolerant
 * (3.3 to 3.5) chooses among all nodes and forgets the nodes that it must exclude. It may then
 * choose the node that holds the corrupt replica, and the NameNode tries again only after five
 * minutes.
 */
@InterfaceAudience.Private
public final class LossChoice {

  private LossChoice() {
  }

  /**
   * {@return {@code count} units whose loss the NameNode can repair at once; the search begins at
   * index {@code first}, modulo the number of live units}
   *
   * @param cluster the cluster's specification
   * @param group a block group
   * @param first the index at which the search begins, from 0
   * @param count the number of units
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static List<Unit> choose(ClusterSpec cluster, BlockGroup group, int first, int count)
      throws IOException {
    int[] free = freeNodesByRack(cluster, group);
    List<Unit> units = group.units;
    List<Unit> chosen = new ArrayList<>();
    for (int i = 0; i < units.size() && chosen.size() < count; i++) {
      Unit unit = units.get((first + i) % units.size());
      int rack = cluster.rackOf(unit.node);
      if (free[rack] > 0) {
        free[rack]--;
        chosen.add(unit);
      }
    }
    if (chosen.size() < count) {
      throw new IOException("No " + count + " units of " + units
          + " have a free node in their rack: the cluster wants more nodes");
    }
    return chosen;
  }

  private static int[] freeNodesByRack(ClusterSpec cluster, BlockGroup group) {
    int[] free = new int[cluster.racks + 1];
    for (int node = 1; node <= cluster.nodes; node++) {
      if (group.on(node).isEmpty()) {
        free[cluster.rackOf(node)]++;
      }
    }
    return free;
  }
}
