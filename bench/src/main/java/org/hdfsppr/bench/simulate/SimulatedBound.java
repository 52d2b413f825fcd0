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
package org.hdfsppr.bench.simulate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

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
 *
 * <p>With CORE, the column of a lost unit is one more way to rebuild the unit: t blocks.
 */
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
      bytes += unitsSent(group) * spec.blockBytes;
      demand(group);
      crossBytes += racksNeeded(group) * (double) spec.blockBytes;
    }
  }

  private double unitsSent(LostGroup group) {
    return unitsSent(group, null);
  }

  /**
   * Returns how many units' worth of bytes helpers send for the repair of a group if they do not
   * read from the node {@code without}. Infinite if the group cannot be repaired without that node.
   */
  private double unitsSent(LostGroup group, NodeRef without) {
    // Each destination receives a whole unit, so helpers send at least one unit for each lost unit,
    // even if the recipe reads less.
    return Math.max(group.lost.size(),
        Math.min(rowUnits(group, without), columnUnits(group, without)));
  }

  private double rowUnits(LostGroup group, NodeRef without) {
    int unit = group.live.stream().filter(holder -> holder.node.equals(without))
        .mapToInt(holder -> holder.unit).findFirst().orElse(-1);
    return cheapest(group, unit)
        .map(found -> (double) found.helpers().size() / spec.code.code.subChunks())
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** Returns how many blocks the columns of all lost units have; infinite if one is not known. */
  private static double columnUnits(LostGroup group, NodeRef without) {
    double units = 0;
    for (int unit : group.lost) {
      List<UnitHolder> column =
          group.core.column(unit).map(found -> found.holders).orElse(List.of());
      if (column.isEmpty() || column.stream().anyMatch(it -> it.node.equals(without))) {
        return Double.POSITIVE_INFINITY;
      }
      units += column.size();
    }
    return units;
  }

  /** Returns the cheapest recipe without one unit; empty if there is none. */
  private Optional<RepairEquation> cheapest(LostGroup group, int without) {
    int pattern = without + 1;
    for (int unit : group.lost) {
      pattern |= 1 << UNIT_BITS + unit;
    }
    LinearCode code = spec.code.code;
    int[] lost = group.lost.stream().mapToInt(Integer::intValue).toArray();
    return equations.computeIfAbsent(pattern, key -> {
      int[] live = group.live.stream().mapToInt(holder -> holder.unit)
          .filter(unit -> unit != without)
          .toArray();
      return code.solve(lost, code.helperOrder(lost, live));
    });
  }

  /** Adds this group to the demand on each node whose block makes the group's repair cheaper. */
  private void demand(LostGroup group) {
    if (columnUnits(group, null) < rowUnits(group, null)) {
      group.lost.forEach(unit -> group.core.column(unit).get().holders
          .forEach(holder -> demand(group, holder.node, 1)));
      return;
    }
    for (UnitHolder holder : group.live) {
      demand(group, holder.node, (double) cheapest(group, -1).get()
          .helpersOf(holder.unit).size() / spec.code.code.subChunks());
    }
  }

  private void demand(LostGroup group, NodeRef node, double share) {
    double more = unitsSent(group, node) - unitsSent(group);
    if (more > 0) {
      demands.computeIfAbsent(node.uuid, uuid -> new Demand()).add(share, more);
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
   * group, by its row or by its columns.
   */
  private int racksNeeded(LostGroup group) {
    double byRow = rowUnits(group, null);
    double byColumn = columnUnits(group, null);
    int row = byRow < Double.POSITIVE_INFINITY ? racksNeeded(group.live, byRow)
        : Integer.MAX_VALUE;
    int column = Integer.MAX_VALUE;
    if (byColumn < Double.POSITIVE_INFINITY) {
      column = 0;
      for (int unit : group.lost) {
        List<UnitHolder> holders = group.core.column(unit).get().holders;
        column += racksNeeded(holders, holders.size());
      }
    }
    return Math.min(row, column);
  }

  /**
   * Returns how many other racks must at least send if helpers send {@code needed} units' worth of
   * bytes. The racks that hold the most units count first, and one of them is the destination's
   * rack.
   */
  private int racksNeeded(List<UnitHolder> holders, double needed) {
    int[] inRack = new int[spec.racks];
    Map<String, Integer> numbers = new HashMap<>();
    for (UnitHolder holder : holders) {
      inRack[numbers.computeIfAbsent(holder.node.rack, rack -> numbers.size())]++;
    }
    Arrays.sort(inRack);
    double left = needed;
    int racks = 0;
    for (int i = inRack.length - 1; i >= 0 && left > 0 && inRack[i] > 0; i--) {
      left -= inRack[i];
      racks++;
    }
    return Math.max(0, racks - 1);
  }

  double seconds() {
    int nodes = spec.nodes - spec.lostNodes;
    double blockS = spec.blockBytes / spec.linkBytesPerS();
    double meanBlocks = bytes / spec.blockBytes / nodes;
    double blocks = meanBlocks;
    for (Demand demand : demands.values()) {
      blocks = Math.max(blocks, demand.blocks(meanBlocks, nodes));
    }
    double single = bytes == 0 ? 0 : blockS;
    double racks = crossBytes / spec.crossRackBytesPerS() / spec.racks;
    return Math.max(blocks * blockS, Math.max(single, racks));
  }
}
