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
package org.hdfsppr.namenode.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.FreeSumTopology;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.SliceKind;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.TreeTopologies;
import org.junit.jupiter.api.Test;

/** Compares the load of a tree with what the destination's plan of the same tree moves. */
class TestTree {
  private static final List<GroupPolicy> POLICIES = List.of(
      new GroupPolicy("rs", 6, 3, Clusters.MIB),
      new GroupPolicy("hitchhiker-xorplus", 10, 4, Clusters.MIB),
      new GroupPolicy("less-a2", 10, 4, Clusters.MIB),
      new GroupPolicy("less-a4", 10, 4, Clusters.MIB));

  private long exactNodes;
  private long allNodes;

  /**
   * For each link, a tree counts the sub-chunks that are read below it, or the lost rows if these
   * are fewer. The plan's link carries less if what is read below depends on each other, which is
   * rare.
   */
  @Test
  void aTreeMovesWhatItsPlanMoves() throws IOException, NoPlanException {
    long seed = Long.getLong("seed", 20261127);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (GroupPolicy policy : POLICIES) {
      LinearCode code = Clusters.code(policy);
      for (int unit = 0; unit < code.units(); unit++) {
        for (String topology : TreeTopologies.names()) {
          // Where a plan crosses racks, a rack chain has an order of its own.
          if (!topology.equals("rack")) {
            check(policy, code, unit, topology, random, "seed " + seed);
          }
        }
      }
    }
    System.out.println(exactNodes + " of " + allNodes + " nodes receive as much as predicted");
    assertTrue(exactNodes > allNodes * 0.99, exactNodes + " of " + allNodes);
  }

  private static int runsRead(PlanNode subtree) {
    int[] runs = {0};
    subtree.forEach(node -> node.sources.forEach(source -> runs[0] += source.runsRead()));
    return runs[0];
  }

  private void check(GroupPolicy policy, LinearCode code, int lost, String topology,
      Random random, String where) throws IOException, NoPlanException {
    List<NodeRef> nodes = Clusters.nodes(20, 20);
    Fleet fleet = Clusters.fleet(Clusters.scheduler("balanced"), nodes);
    LostGroup group =
        Clusters.group(1, policy, nodes.subList(0, code.units()), List.of(lost), 0);
    GroupView view = new GroupView(fleet, group, new CodeReads(Clusters::code));
    List<Integer> shuffled = new ArrayList<>();
    for (int unit : view.readable()) {
      shuffled.add(unit);
    }
    Collections.shuffle(shuffled, random);
    int[] order = shuffled.stream().mapToInt(Integer::intValue).toArray();
    ReadSet reads =
        view.reads.choose(view.lost(), view.zeros(), order, order.length).get();
    RepairProposal proposal =
        new Tree(fleet, view, 0, reads, order, new int[] {19}, topology).propose();
    Assignment assignment = proposal.assignment().get();
    PlanNode root = RepairPlanner.plan(new GroupSnapshot(
        new StripedLayout(group.id, group.groupBytes, policy.dataUnits, policy.parityUnits,
        policy.cellBytes), assignment.helpers, assignment.targets, assignment.targets.get(0).node),
        code, new PlanOptions(TreeTopologies.byName(topology), 1 << 16, 0, 1)
        .inGivenOrder().withNarrowLinks(node -> true)).root;
    long row = view.streamBytes() / code.subChunks();
    long[] most = new long[fleet.size()];
    long[] down = new long[fleet.size()];
    root.forEach(node -> node.children.forEach(child -> {
      int parent = fleet.find(node.node).index;
      most[parent] += row * Math.min(code.subChunks(), runsRead(child));
      down[parent] += row * NarrowLinks.rowsAbove(child, 1, code.subChunks(), SliceKind.PLAIN);
    }));
    long[] predicted = new long[fleet.size()];
    RepairLoad load = proposal.load;
    for (int i = 0; i < load.size(); i++) {
      if (LinkOrDisk.kind(load.resource(i)) == LinkOrDisk.Kind.DOWN) {
        predicted[LinkOrDisk.place(load.resource(i))] = load.bytes(i);
      }
    }
    for (int node = 0; node < down.length; node++) {
      String what = where + " " + topology + " node " + node + " of " + assignment + ": " + root;
      assertEquals(most[node], predicted[node], what);
      assertTrue(down[node] <= predicted[node], what);
      exactNodes += down[node] == predicted[node] ? 1 : 0;
      allNodes++;
    }
  }

  /** Where a node does not know narrow links, the destination plans a chain. */
  @Test
  void aFreeSumTreeOfOldNodesIsAChain() throws IOException {
    List<NodeRef> nodes = Clusters.nodes(20, 20);
    Fleet fleet = Clusters.fleet(Clusters.scheduler("balanced"), nodes);
    fleet.report(nodes.get(5), NodeReport.NONE);
    LostGroup group =
        Clusters.group(1, POLICIES.get(3), nodes.subList(0, 14), List.of(0), 0);
    GroupView view = new GroupView(fleet, group, new CodeReads(Clusters::code));
    int[] order = view.readable();
    ReadSet reads =
        view.reads.choose(view.lost(), view.zeros(), order, order.length).get();
    Tree tree =
        new Tree(fleet, view, 0, reads, order, new int[] {19}, FreeSumTopology.NAME);
    assertTrue(!tree.narrow);
    RepairLoad load = tree.propose().load;
    for (int i = 0; i < load.size(); i++) {
      assertTrue(load.bytes(i) <= view.streamBytes());
    }
  }
}
