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
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;

/**
 * A simulated cluster: nodes in racks, and groups whose units are placed on random nodes as HDFS
 * does.
 */
@InterfaceAudience.Private
final class SimulatedCluster {
  private static final int CELL_BYTES = 1 << 20;
  private static final int REPAIR_PORT = 9877;
  /** After this many failed draws, the cluster assumes that only full racks are left. */
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

  /** The first nodes are the lost ones, each in another rack as long as there are enough. */
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

  /** Makes groups that have lost one unit each, in the same cluster but without lost nodes. */
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

  /** @return how many of the units are on lost nodes */
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
   * As BlockPlacementPolicyDefault.getPipeline orders what was chosen: next is always the nearest.
   * So units that follow each other, those of a local group for one, are in one rack or two.
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
    // Sixteen block ids belong to a group.
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

  /** Returns the fleet of the live nodes, all of them idle. */
  Fleet fleet(DestinationRank rank) {
    return fleet(rank, false);
  }

  /** As the other method, but the fleet includes the lost nodes if {@code all} is true. */
  Fleet fleet(DestinationRank rank, boolean all) {
    Fleet fleet = new Fleet(rank, spec.crossRackBytesPerS());
    for (int i = 0; i < nodes.length; i++) {
      if (all || !isLost(i)) {
        fleet.join(nodes[i], NodeCapacity.ofLink(spec.linkBytesPerS()));
      }
    }
    return fleet;
  }
}
