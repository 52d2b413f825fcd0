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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.DestinationRank;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.NodeReport;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;

/**
 * A simulated cluster of nodes in racks. It places the units of block groups on random nodes, in
 * the same way as HDFS.
 */
@InterfaceAudience.Private
final class SimulatedCluster {
  private static final int CELL_BYTES = 1 << 20;
  private static final int REPAIR_PORT = 9877;
  /**
   * After this many failed draws for a unit, this class assumes that all free nodes are in full
   * racks, and ignores the limit per rack.
   */
  private static final int DRAWS = 1000;

  private final SimulatedSpec spec;
  private final NodeRef[] nodes;
  private final List<LostGroup> lost = new ArrayList<>();

  SimulatedCluster(SimulatedSpec spec) {
    this.spec = spec;
    nodes = new NodeRef[spec.nodes()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new NodeRef("node" + i, "n" + i, "n" + i, 1, REPAIR_PORT,
          "/rack" + i % spec.racks());
    }
    place();
  }

  /**
   * Returns true for the nodes with the lowest numbers. If there are enough racks, each lost node
   * is in a different rack.
   */
  private boolean isLost(int node) {
    return node < spec.lostNodes();
  }

  private void place() {
    Random random = new Random(spec.seed());
    EcCode code = spec.code();
    GroupPolicy policy =
        new GroupPolicy(code.label(), code.dataUnits(), code.parityUnits(), CELL_BYTES);
    int[] units = new int[code.units()];
    int[] inRack = new int[spec.racks()];
    int blocks = 0;
    for (long group = 0; spec.lostBlocks() > 0 ? blocks < spec.lostBlocks()
        : group < spec.groups(); group++) {
      int gone = draw(random, units, inRack);
      if (gone > 0 && gone <= code.parityUnits()) {
        lost.add(group(group, policy, units, this::isLost, gone));
        blocks += gone;
      }
    }
  }

  /**
   * Creates {@code count} groups in this cluster, each with one lost unit. All nodes count as live,
   * but each group lacks the node of its lost unit.
   */
  List<LostGroup> sample(int count) {
    Random random = new Random(spec.seed());
    EcCode code = spec.code();
    GroupPolicy policy =
        new GroupPolicy(code.label(), code.dataUnits(), code.parityUnits(), CELL_BYTES);
    int[] units = new int[code.units()];
    int[] inRack = new int[spec.racks()];
    List<LostGroup> sample = new ArrayList<>();
    for (int group = 0; group < count; group++) {
      draw(random, units, inRack);
      int unit = random.nextInt(units.length);
      sample.add(group(group, policy, units, node -> node == units[unit], 1));
    }
    return sample;
  }

  /**
   * Draws a random node for each unit of a group.
   *
   * @return the number of the group's units that are on lost nodes
   */
  private int draw(Random random, int[] units, int[] inRack) {
    int inRackMax = (units.length + spec.racks() - 1) / spec.racks();
    int gone = 0;
    for (int unit = 0; unit < units.length; unit++) {
      int node = random.nextInt(nodes.length);
      for (int draws = 0; isTaken(units, unit, node)
          || inRack[node % spec.racks()] >= inRackMax && draws < DRAWS; draws++) {
        node = random.nextInt(nodes.length);
      }
      units[unit] = node;
      inRack[node % spec.racks()]++;
      gone += isLost(node) ? 1 : 0;
    }
    for (int node : units) {
      inRack[node % spec.racks()] = 0;
    }
    rackAfterRack(units);
    return gone;
  }

  /**
   * Orders the nodes as BlockPlacementPolicyDefault.getPipeline does, where each node is followed
   * by the nearest of the remaining nodes. So successive units, such as those of a local group, are
   * mostly in the same rack.
   */
  private void rackAfterRack(int[] units) {
    for (int next = 1; next < units.length; next++) {
      for (int i = next; i < units.length; i++) {
        if (units[i] % spec.racks() == units[next - 1] % spec.racks()) {
          int nearest = units[i];
          units[i] = units[next];
          units[next] = nearest;
          break;
        }
      }
    }
  }

  private static boolean isTaken(int[] units, int size, int node) {
    for (int i = 0; i < size; i++) {
      if (units[i] == node) {
        return true;
      }
    }
    return false;
  }

  private LostGroup group(long number, GroupPolicy policy, int[] units, IntPredicate without,
      int gone) {
    List<Holder> live = new ArrayList<>();
    List<Integer> lostUnits = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    for (int unit = 0; unit < units.length; unit++) {
      if (without.test(units[unit])) {
        lostUnits.add(unit);
      } else {
        live.add(new Holder(unit, nodes[units[unit]]));
        occupied.add(nodes[units[unit]]);
      }
    }
    // HDFS reserves sixteen block ids for each group.
    return new LostGroup(new GroupId("pool", number * 16, 1),
        spec.blockBytes() * policy.dataUnits(), policy, live, lostUnits, occupied,
        policy.parityUnits() - gone, 0);
  }

  SimulatedSpec spec() {
    return spec;
  }

  List<LostGroup> lost() {
    return lost;
  }

  /** Returns a fleet of the live nodes. All of them are idle. */
  Fleet fleet(DestinationRank rank) {
    return fleet(rank, false);
  }

  /**
   * Returns a fleet of idle nodes: of all nodes if {@code all} is true, and otherwise of the live
   * nodes.
   */
  Fleet fleet(DestinationRank rank, boolean all) {
    Fleet fleet = new Fleet(rank, spec.crossRackBytesPerS());
    for (int i = 0; i < nodes.length; i++) {
      if (all || !isLost(i)) {
        fleet.join(nodes[i], NodeCapacity.ofLink(spec.linkBytesPerS()));
        fleet.report(nodes[i], NodeReport.NONE.withNarrowLinks(true));
      }
    }
    return fleet;
  }
}
