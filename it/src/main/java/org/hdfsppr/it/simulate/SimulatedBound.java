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
 * Seconds that no schedule can be faster than: the greatest of
 *
 * <ul>
 *   <li>work: what the cheapest recipes have helpers send, over all links together;
 *   <li>a single block, which has to pass its destination's link;
 *   <li>a node: what the cheapest recipes want from it, as far as it does not pay to spare it by
 *       others that read more;
 * <li>racks: a rack holds few of a group's units, so that the others' sums have to come from other
 * racks, over all racks' links together.
 * </ul>
 */
@InterfaceAudience.Private
final class SimulatedBound {
  private static final int UNIT_BITS = 8;

  private final SimulatedSpec spec;
  private final Map<Integer, Double> unitsByPattern = new HashMap<>();
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

  /** The same if one unit is left alone; infinite if it cannot be. */
  private double unitsSent(LostGroup group, int without) {
    int pattern = without + 1;
    for (int unit : group.lost()) {
      pattern |= 1 << UNIT_BITS + unit;
    }
    return unitsByPattern.computeIfAbsent(pattern, key -> {
      LinearCode code = spec.code().code();
      int[] lost = group.lost().stream().mapToInt(Integer::intValue).toArray();
      int[] live = group.live().stream().mapToInt(Holder::unit).filter(unit -> unit != without)
          .toArray();
      Optional<RepairEquation> equation = code.solve(lost, code.helperOrder(lost, live));
      // Each destination gets a whole unit, however few bytes it is summed up from.
      return equation.map(found ->
          Math.max(lost.length, (double) found.helpers().size() / code.subChunks()))
          .orElse(Double.POSITIVE_INFINITY);
    });
  }

  /** Counts the repairs that cost more if they leave a node alone. */
  private void demand(LostGroup group) {
    for (Holder holder : group.live()) {
      double more = unitsSent(group, holder.unit()) - unitsSent(group);
      if (more > 0) {
        demands.computeIfAbsent(holder.node().uuid(), uuid -> new Demand()).add(more);
      }
    }
  }

  /** Repairs for which a node is hard to spare. */
  private static final class Demand {
    private int repairs;
    private double leastMore = Double.POSITIVE_INFINITY;

    void add(double more) {
      repairs++;
      leastMore = Math.min(leastMore, more);
    }

    /**
     * Blocks over the node's link at least, if all links carry {@code mean} anyway: with y repairs
     * that spare it, repairs - y over its own, and over all {@code leastMore * y / nodes} more.
     */
    double blocks(double mean, int nodes) {
      double spared = leastMore == Double.POSITIVE_INFINITY ? 0
          : Math.max(0, (repairs - mean) / (1 + leastMore / nodes));
      return repairs - spared;
    }
  }

  /** Racks besides the destination's, for the fewest that have k units or a recipe's. */
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
