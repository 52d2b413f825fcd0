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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;

import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.DestinationRank;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.NodeReport;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * A simulated cluster of nodes in racks. It places the units of block groups on random nodes, in
 * the same way as HDFS. With a code of CORE, each square of t + 1 block groups has no two blocks of
 * a column on one node, as the NameNode's plugin places them.
 */
final class SimulatedCluster {
  private static final int CELL_BYTES = 1 << 20;
  private static final int REPAIR_PORT = 9877;
  /**
   * After this many failed draws for a unit, this class assumes that all free nodes are in full
   * racks, and ignores the limit per rack.
   */
  private static final int DRAWS = 1000;
  /**
   * After this many draws of one block group of a square, this class gives up. The nodes are then
   * too few to keep the blocks of all columns apart.
   */
  private static final int ROW_DRAWS = 1_000_000;

  final SimulatedSpec spec;
  private final NodeRef[] nodes;
  final List<LostGroup> lost = new ArrayList<>();

  SimulatedCluster(SimulatedSpec spec) {
    this.spec = spec;
    nodes = new NodeRef[spec.nodes];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new NodeRef("node" + i, "n" + i, "n" + i, 1, REPAIR_PORT,
          "/rack" + i % spec.racks);
    }
    place();
  }

  /**
   * Returns true for the nodes with the lowest numbers. If there are enough racks, each lost node
   * is in a different rack.
   */
  private boolean isLost(int node) {
    return node < spec.lostNodes;
  }

  private void place() {
    Random random = new Random(spec.seed);
    EcCode code = spec.code;
    int[][] rows = new int[rowsOfSquare()][code.units()];
    int[] inRack = new int[spec.racks];
    int blocks = 0;
    for (long group = 0; spec.lostBlocks > 0 ? blocks < spec.lostBlocks
        : group < spec.groups; group += rows.length) {
      draw(random, rows, inRack);
      for (int row = 0; row < rows.length; row++) {
        int gone = (int) Arrays.stream(rows[row]).filter(this::isLost).count();
        if (gone > 0 && gone <= code.parityUnits()) {
          lost.add(group(group, rows, row, this::isLost, gone));
          blocks += gone;
        }
      }
    }
  }

  /** Returns how many block groups protect each other: t + 1 with CORE, otherwise 1. */
  private int rowsOfSquare() {
    return spec.code.filesPerGroup().orElse(0) + 1;
  }

  /**
   * Creates {@code count} groups in this cluster, each with one lost unit. All nodes count as live,
   * but each group lacks the node of its lost unit.
   */
  List<LostGroup> sample(int count) {
    Random random = new Random(spec.seed);
    int[][] rows = new int[rowsOfSquare()][spec.code.units()];
    int[] inRack = new int[spec.racks];
    List<LostGroup> sample = new ArrayList<>();
    for (int group = 0; group < count; group++) {
      draw(random, rows, inRack);
      int row = rows.length == 1 ? 0 : random.nextInt(rows.length);
      int node = rows[row][random.nextInt(rows[row].length)];
      sample.add(group((long) group * rows.length, rows, row, any -> any == node, 1));
    }
    return sample;
  }

  /** Draws a random node for each unit of each group of a square. */
  private void draw(Random random, int[][] rows, int[] inRack) {
    for (int row = 0; row < rows.length; row++) {
      int draws = 0;
      do {
        if (draws++ == ROW_DRAWS) {
          throw new IllegalArgumentException("--nodes is " + spec.nodes + ", which is too few to"
              + " keep the blocks of each column of " + spec.code + " apart; take more");
        }
        draw(random, rows[row], inRack);
      } while (sharesColumn(rows, row));
    }
  }

  /** Returns whether a row has a unit on the node of the same unit of an earlier row. */
  private static boolean sharesColumn(int[][] rows, int row) {
    for (int unit = 0; unit < rows[row].length; unit++) {
      for (int other = 0; other < row; other++) {
        if (rows[other][unit] == rows[row][unit]) {
          return true;
        }
      }
    }
    return false;
  }

  /** Draws a random node for each unit of a group. */
  private void draw(Random random, int[] units, int[] inRack) {
    int inRackMax = (units.length + spec.racks - 1) / spec.racks;
    for (int unit = 0; unit < units.length; unit++) {
      int node = random.nextInt(nodes.length);
      for (int draws = 0; isTaken(units, unit, node)
          || inRack[node % spec.racks] >= inRackMax && draws < DRAWS; draws++) {
        node = random.nextInt(nodes.length);
      }
      units[unit] = node;
      inRack[node % spec.racks]++;
    }
    for (int node : units) {
      inRack[node % spec.racks] = 0;
    }
    rackAfterRack(units);
  }

  /**
   * Orders the nodes as BlockPlacementPolicyDefault.getPipeline does, where each node is followed
   * by the nearest of the remaining nodes. So successive units, such as those of a local group, are
   * mostly in the same rack.
   */
  private void rackAfterRack(int[] units) {
    for (int next = 1; next < units.length; next++) {
      for (int i = next; i < units.length; i++) {
        if (units[i] % spec.racks == units[next - 1] % spec.racks) {
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

  /**
   * Creates a lost group.
   *
   * @param first number of the first block group of the square
   * @param rows the node of each unit of each block group of the square
   * @param row which block group is lost
   * @param without true for the nodes that are gone
   * @param gone how many of the group's units are on such nodes
   */
  private LostGroup group(long first, int[][] rows, int row, IntPredicate without, int gone) {
    EcCode code = spec.code;
    GroupPolicy policy =
        new GroupPolicy(code.label(), code.dataUnits(), code.parityUnits(), CELL_BYTES);
    List<UnitHolder> live = new ArrayList<>();
    List<Integer> lostUnits = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    for (int unit = 0; unit < rows[row].length; unit++) {
      NodeRef node = nodes[rows[row][unit]];
      if (without.test(rows[row][unit])) {
        lostUnits.add(unit);
      } else {
        live.add(new UnitHolder(unit, node));
        occupied.add(node);
      }
    }
    LostGroup group = new LostGroup(id(first + row), spec.blockBytes * policy.dataUnits, policy,
        live, lostUnits, policy.parityUnits - gone, 0).occupying(occupied);
    return rows.length == 1 ? group : group.withCore(columns(group, first, rows, row));
  }

  /** HDFS reserves sixteen block ids for each group. */
  private static GroupId id(long number) {
    return new GroupId("pool", number * 16, 1);
  }

  /**
   * Returns the columns that rebuild the lost units of a row. All their blocks can be read, because
   * one node is lost, which has no other block of these columns.
   */
  private CoreWork columns(LostGroup group, long first, int[][] rows, int row) {
    Map<Integer, CoreColumn> columns = new HashMap<>();
    Map<Integer, Set<String>> beside = new HashMap<>();
    for (int unit : group.lost) {
      List<CoreRows.Row> others = new ArrayList<>();
      List<UnitHolder> holders = new ArrayList<>();
      Set<String> uuids = new HashSet<>();
      for (int other = 0; other < rows.length; other++) {
        if (other != row) {
          NodeRef node = nodes[rows[other][unit]];
          holders.add(new UnitHolder(others.size(), node));
          others.add(new CoreRows.Row(id(first + other), group.groupBytes, false));
          uuids.add(node.uuid);
        }
      }
      columns.put(unit, new CoreColumn(group.policy, unit, others, holders));
      beside.put(unit, uuids);
    }
    return new CoreWork(CoreWork.State.ALONE, columns, beside, List.of());
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
        fleet.report(nodes[i], report(Integer.MAX_VALUE));
      }
    }
    return fleet;
  }

  /** Returns the report of a node that has no users and can lead this many further repairs. */
  static NodeReport report(int freeSlots) {
    return new NodeReport(0, 0, 0, freeSlots, true, Set.of()).withNarrowLinks(true)
        .withColumns(true);
  }
}
