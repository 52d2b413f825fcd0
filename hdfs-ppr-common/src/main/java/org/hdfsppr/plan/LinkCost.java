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
package org.hdfsppr.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;

/**
 * The cost of the repair of one lost unit, in bytes on the links of the tree. All other units are
 * available, each on a node of its own. The class makes the plan that such a repair would follow,
 * without checks, and counts the bytes. Immutable.
 */
@InterfaceAudience.Private
public final class LinkCost {
  private static final GroupId GROUP = new GroupId("", -16, 0);
  /**
   * A cell length that each number of sub-chunks from 1 to 8 divides: the least common multiple of
   * these numbers, times 1 KiB.
   */
  private static final int CELL_BYTES = 840 << 10;

  /** Bytes that all links together carry, divided by the length of a unit */
  public final double sent;
  /** Bytes that the busiest node receives, divided by the length of a unit */
  public final double busiest;

  private LinkCost(double sent, double busiest) {
    this.sent = sent;
    this.busiest = busiest;
  }

  /**
   * Computes the cost of a repair.
   *
   * @param code the code
   * @param unit index of the lost unit
   * @param topology the shape of the tree
   * @return the cost
   * @throws NoPlanException if the other units do not determine the lost unit
   */
  public static LinkCost of(LinearCode code, int unit, TreeTopology topology)
      throws NoPlanException {
    List<UnitHolder> live = new ArrayList<>();
    // A chain keeps the order of this list for helpers that read equally much: the last of them
    // stands farthest from the destination.
    for (int other = code.units() - 1; other >= 0; other--) {
      if (other != unit) {
        live.add(new UnitHolder(other, node(other)));
      }
    }
    NodeRef destination = node(code.units());
    GroupSnapshot snapshot = new GroupSnapshot(new StripedLayout(GROUP,
        (long) CELL_BYTES * code.dataUnits(), code.dataUnits(), code.parityUnits(), CELL_BYTES),
        live, Collections.singletonList(new UnitHolder(unit, destination)), destination);
    RepairPlan plan = RepairPlanner.plan(snapshot, code,
        new PlanOptions(topology, SliceGeometry.SLICE_BYTES_MAX, 0, 0)
            .withNarrowLinks(node -> true));
    int[] rows = {0, 0};
    plan.root.forEach(node -> {
      int received = node.children.stream().mapToInt(child ->
          NarrowLinks.rowsAbove(child, 1, code.subChunks(), SliceKind.PLAIN)).sum();
      rows[0] += received;
      rows[1] = Math.max(rows[1], received);
    });
    return new LinkCost((double) rows[0] / code.subChunks(),
        (double) rows[1] / code.subChunks());
  }

  /**
   * Computes the mean cost over all units of a code.
   *
   * @param code the code
   * @param topology the shape of the trees
   * @return the cost
   * @throws NoPlanException if the code does not survive the loss of a unit
   */
  public static LinkCost mean(LinearCode code, TreeTopology topology) throws NoPlanException {
    LinkCost[] costs = new LinkCost[code.units()];
    for (int unit = 0; unit < costs.length; unit++) {
      costs[unit] = of(code, unit, topology);
    }
    return new LinkCost(Arrays.stream(costs).mapToDouble(cost -> cost.sent).average().orElse(0),
        Arrays.stream(costs).mapToDouble(cost -> cost.busiest).average().orElse(0));
  }

  private static NodeRef node(int number) {
    return new NodeRef("node-" + number, "10.0.0." + number, "node-" + number, 1, 1, "/rack");
  }
}
