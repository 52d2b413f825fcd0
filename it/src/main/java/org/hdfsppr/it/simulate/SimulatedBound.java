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
package org.hdfsppr.it.simulate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.Holder;

/**
 * Computes a lower bound of the seconds that any schedule needs. The bound is the greatest of these
 * times:
 *
 * <ul>
 * <li>work: if every repair uses its cheapest recipe, all helpers together send some number of
 * bytes. This is the time that all nodes' links together need for these bytes;
 * <li>one block: the time that the link of a destination needs for a rebuilt block;
 * <li>one node: the time that the link of a node needs for the bytes that the cheapest recipes read
 * from the node. If it is faster to use recipes that spare the node but read more bytes in all,
 * their time counts;
 * <li>racks: no rack holds enough units of a group, so sums must come from other racks. This is the
 * time that all racks' links together need for these sums.
 * </ul>
 */
@InterfaceAudience.Private
final class SimulatedBound {
  private static final int UNIT_BITS = 8;

  private final SimulatedSpec spec;
  private final Map<Integer, Optional<RepairEquation>> equations = new HashMap<>();
  private final Map<String, Demand> demands = new HashMap<>();
  private double bytes;
  private double crossBytes;

  SimulatedBound(SimulatedSpec spec, List<LostGroup> groups) {
    this.spec = spec;
    for (LostGroup group : groups) {
      bytes += unitsSent(group) * spec.blockBytes();
      demand(group);
      crossBytes += racksNeeded(group) * (double) spec.blockBytes();
    }
  }

  private double unitsSent(LostGroup group) {
    return unitsSent(group, -1);
  }

  /**
   * Returns how many units' worth of bytes helpers send for the repair of a group if they do not
   * read the live unit {@code without}. Infinite if the group cannot be repaired without that unit.
   */
  private double unitsSent(LostGroup group, int without) {
    // Each destination receives a whole unit, so helpers send at least one unit for each lost unit,
    // even if the recipe reads less.
    return cheapest(group, without).map(found -> Math.max(group.lost().size(),
        (double) found.helpers().size() / spec.code().code().subChunks()))
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** Returns the cheapest recipe without one unit; empty if there is none. */
  private Optional<RepairEquation> cheapest(LostGroup group, int without) {
    int pattern = without + 1;
    for (int unit : group.lost()) {
      pattern |= 1 << UNIT_BITS + unit;
    }
    LinearCode code = spec.code().code();
    int[] lost = group.lost().stream().mapToInt(Integer::intValue).toArray();
    return equations.computeIfAbsent(pattern, key -> {
      int[] live = group.live().stream().mapToInt(Holder::unit).filter(unit -> unit != without)
          .toArray();
      return code.solve(lost, code.helperOrder(lost, live));
    });
  }

  /** Adds this group to the demand on each node whose unit makes the group's repair cheaper. */
  private void demand(LostGroup group) {
    for (Holder holder : group.live()) {
      double more = unitsSent(group, holder.unit()) - unitsSent(group);
      if (more > 0) {
        double share = (double) cheapest(group, -1).get().helpersOf(holder.unit()).size()
            / spec.code().code().subChunks();
        demands.computeIfAbsent(holder.node().uuid(), uuid -> new Demand()).add(share, more);
      }
    }
  }

  /**
   * The demand on one node: the repairs for which helpers send more bytes if they do not read from
   * the node.
   */
  private static final class Demand {
    private double blocks;
    private double leastMore = Double.POSITIVE_INFINITY;

    /**
     * @param share the share of a block that the cheapest recipe reads from the node
     * @param more how many more blocks helpers send if they do not read from the node
     */
    void add(double share, double more) {
      blocks += share;
      leastMore = Math.min(leastMore, more / share);
    }

    /**
     * Returns the least possible number of blocks on the busiest link. With the cheapest recipes, a
     * link carries {@code mean} blocks on average, and this node's link carries {@code blocks}. If
     * repairs spare the node y of them, the average grows to at least {@code mean + leastMore * y /
     * nodes}. The result is the value at which both are equal. If no repair can spare the node, or
     * the average is the higher value from the start, the result is {@code blocks}.
     */
    double blocks(double mean, int nodes) {
      double spared = leastMore == Double.POSITIVE_INFINITY ? 0
          : Math.max(0, (blocks - mean) / (1 + leastMore / nodes));
      return blocks - spared;
    }
  }

  /**
   * Returns how many other racks must at least send to the destination's rack for the repair of a
   * group. The racks that hold the most units count first, and one of them is the destination's
   * rack.
   */
  private int racksNeeded(LostGroup group) {
    int[] inRack = new int[spec.racks()];
    Map<String, Integer> numbers = new HashMap<>();
    for (Holder holder : group.live()) {
      inRack[numbers.computeIfAbsent(holder.node().rack(), rack -> numbers.size())]++;
    }
    Arrays.sort(inRack);
    double needed = unitsSent(group);
    int racks = 0;
    for (int i = inRack.length - 1; i >= 0 && needed > 0 && inRack[i] > 0; i--) {
      needed -= inRack[i];
      racks++;
    }
    return Math.max(0, racks - 1);
  }

  double seconds() {
    int nodes = spec.nodes() - spec.lostNodes();
    double blockS = spec.blockBytes() / spec.linkBytesPerS();
    double meanBlocks = bytes / spec.blockBytes() / nodes;
    double blocks = meanBlocks;
    for (Demand demand : demands.values()) {
      blocks = Math.max(blocks, demand.blocks(meanBlocks, nodes));
    }
    double single = bytes == 0 ? 0 : blockS;
    double racks = crossBytes / spec.crossRackBytesPerS() / spec.racks();
    return Math.max(blocks * blockS, Math.max(single, racks));
  }
}
