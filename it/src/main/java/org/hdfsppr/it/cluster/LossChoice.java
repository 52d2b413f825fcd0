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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Chooses units whose loss the NameNode can repair at once. The NameNode needs a free node in the
 * rack of each lost unit. Without one, its placement falls back to all nodes and forgets which to
 * leave out (BlockPlacementPolicyRackFaultTolerant, 3.3 to 3.5). It may then pick the very node
 * that holds the corrupt replica, and tries again only after five minutes.
 */
@InterfaceAudience.Private
public final class LossChoice {

  private LossChoice() {
  }

  /**
   * {@return the first {@code count} such units from index {@code first} on, which is taken modulo
   * the group's width}
   *
   * @param cluster runs
   * @param group the group
   * @param first index of the first unit
   * @param count how many units
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static List<Unit> choose(ClusterSpec cluster, BlockGroup group, int first, int count)
      throws IOException {
    int[] free = freeNodesByRack(cluster, group);
    List<Unit> units = group.units();
    List<Unit> chosen = new ArrayList<>();
    for (int i = 0; i < units.size() && chosen.size() < count; i++) {
      Unit unit = units.get((first + i) % units.size());
      int rack = cluster.rackOf(unit.node());
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
    int[] free = new int[cluster.racks() + 1];
    for (int node = 1; node <= cluster.nodes(); node++) {
      if (group.on(node).isEmpty()) {
        free[cluster.rackOf(node)]++;
      }
    }
    return free;
  }
}
