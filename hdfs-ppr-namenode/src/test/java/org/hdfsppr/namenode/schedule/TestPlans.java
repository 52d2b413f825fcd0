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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/**
 * Checks the rules that hold for every plan of every scheduler, on random clusters, codes and
 * losses.
 */
class TestPlans {
  private static final List<GroupPolicy> POLICIES = Arrays.asList(
      new GroupPolicy("rs", 6, 3, Clusters.MIB),
      new GroupPolicy("rs", 10, 4, Clusters.MIB),
      new GroupPolicy("lrc-l2", 12, 4, Clusters.MIB),
      new GroupPolicy("hitchhiker-xorplus", 10, 4, Clusters.MIB),
      new GroupPolicy("less-a2", 10, 4, Clusters.MIB),
      new GroupPolicy("less-a3", 6, 3, Clusters.MIB),
      new GroupPolicy("less-a4", 10, 4, Clusters.MIB));

  @Test
  void plansKeepTheRules() throws IOException, NoPlanException {
    // With this seed, a plan once named a unit that was only needed in the order of another group.
    plansKeepTheRules(4308243635638L);
    plansKeepTheRules(System.nanoTime());
  }

  private static void plansKeepTheRules(long seed) throws IOException, NoPlanException {
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      int racks = 3 + random.nextInt(8);
      List<NodeRef> nodes = Clusters.nodes(24 + random.nextInt(40), racks);
      for (String name : RepairSchedulers.names()) {
        check(random, nodes, racks, Clusters.scheduler(name),
            random.nextInt(3) == 0 ? Clusters.LINK * 2 : NodeCapacity.UNLIMITED, "seed " + seed);
      }
    }
  }

  private static void check(Random random, List<NodeRef> nodes, int racks,
      RepairScheduler scheduler,
      double crossRack, String where) throws IOException, NoPlanException {
    Fleet fleet = new Fleet(scheduler.rank(), crossRack);
    nodes.forEach(node -> {
      fleet.join(node, NodeCapacity.ofLink(Clusters.LINK));
      fleet.report(node, NodeReport.NONE.withNarrowLinks(random.nextInt(20) > 0));
    });
    List<RepairLoad> inFlight = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      GroupPolicy policy = POLICIES.get(random.nextInt(POLICIES.size()));
      LostGroup group = group(random, i, policy, nodes, racks, 1 + random.nextInt(2));
      RepairProposal proposal = scheduler.plan(fleet, group, DestinationFilter.ANY);
      String text = where + " " + scheduler.name() + " " + group + ": " + proposal;
      assertTrue(proposal.assignment().isPresent(), text);
      check(proposal.assignment().get(), racks, text);
      fleet.add(proposal.load);
      inFlight.add(proposal.load);
      if (random.nextBoolean()) {
        fleet.progress(inFlight.get(random.nextInt(inFlight.size())), random.nextDouble());
      }
    }
    Collections.shuffle(inFlight, random);
    for (RepairLoad load : inFlight) {
      assertTrue(fleet.remove(load));
      assertFalse(fleet.remove(load));
    }
    for (int node = 0; node < fleet.size(); node++) {
      NodeState state = fleet.node(node);
      for (LinkOrDisk.Kind kind : LinkOrDisk.Kind.values()) {
        assertEquals(0, state.pending(kind), where);
      }
      assertEquals(0, state.helping() + state.receiving(), where);
    }
    for (int rack = 0; rack < fleet.rackCount(); rack++) {
      assertEquals(0, fleet.rack(rack).pending(LinkOrDisk.Kind.UP), where);
      assertEquals(0, fleet.rack(rack).pending(LinkOrDisk.Kind.DOWN), where);
    }
  }

  private static LostGroup group(Random random, int number, GroupPolicy policy,
      List<NodeRef> nodes, int racks, int losses) {
    List<NodeRef> shuffled = new ArrayList<>(nodes);
    Collections.shuffle(shuffled, random);
    int units = policy.dataUnits + policy.parityUnits;
    int most = (units + racks - 1) / racks;
    Map<String, Integer> inRack = new HashMap<>();
    List<NodeRef> holders = new ArrayList<>();
    for (NodeRef node : shuffled) {
      if (holders.size() < units && inRack.merge(node.rack, 1, Integer::sum) <= most) {
        holders.add(node);
      }
    }
    // In small clusters there may be no other place.
    for (NodeRef node : shuffled) {
      if (holders.size() < units && !holders.contains(node)) {
        holders.add(node);
      }
    }
    TreeSet<Integer> lost = new TreeSet<>();
    while (lost.size() < losses) {
      lost.add(random.nextInt(units));
    }
    return Clusters.group(number, policy, holders, new ArrayList<>(lost), 0);
  }

  private static void check(Assignment assignment, int racks, String text)
      throws IOException, NoPlanException {
    LostGroup group = assignment.group;
    GroupPolicy policy = group.policy;
    LinearCode code = Clusters.code(policy);
    Set<NodeRef> nodes = new HashSet<>(group.occupied());
    Map<String, Integer> before = new HashMap<>();
    group.occupied().forEach(node -> before.merge(node.rack, 1, Integer::sum));
    Map<String, Integer> after = new HashMap<>(before);
    for (UnitHolder target : assignment.targets) {
      assertTrue(nodes.add(target.node), text + " puts two units on a node");
      after.merge(target.node.rack, 1, Integer::sum);
    }
    assertEquals(group.lost.size(), assignment.targets.size(), text);
    int most = (code.units() + racks - 1) / racks;
    boolean possible = before.values().stream().allMatch(units -> units <= most);
    if (possible) {
      after.forEach((rack, units) -> assertTrue(units <= most || units.equals(before.get(rack)),
          text + " puts " + units + " units in " + rack));
    }
    Set<Integer> helpers = new HashSet<>();
    for (UnitHolder helper : assignment.helpers) {
      assertTrue(helpers.add(helper.unit) && !group.lost.contains(helper.unit), text);
    }
    // A node must be able to carry the plan out with these helpers alone, in this order.
    GroupSnapshot snapshot = new GroupSnapshot(
        new StripedLayout(group.id, group.groupBytes, policy.dataUnits, policy.parityUnits,
        policy.cellBytes), assignment.helpers, assignment.targets, assignment.targets.get(0).node);
    PlanOptions options = new PlanOptions(
        TreeTopologies.byName(assignment.topology), 1 << 16, 64, 1).inGivenOrder();
    RepairPlan plan = RepairPlanner.plan(snapshot, code,
        assignment.byDecoding ? options.byDecoding() : options);
    Set<Integer> planned = new HashSet<>();
    plan.root.forEach(node -> node.sources.forEach(share -> planned.add(share.unit)));
    assertEquals(helpers, planned, text + " names helpers that are not needed: " + plan);
  }

  /** In a short file the last local parity unit covers no bytes, and consists of zeros. */
  @Test
  void aUnitOfNothingButZerosIsPlanned() throws IOException, NoPlanException {
    List<NodeRef> nodes = Clusters.nodes(20, 20);
    GroupPolicy policy = new GroupPolicy("lrc-l2", 12, 4, Clusters.MIB);
    for (String name : RepairSchedulers.names()) {
      RepairScheduler scheduler = Clusters.scheduler(name);
      Fleet fleet = Clusters.fleet(scheduler, nodes);
      LostGroup group = Clusters.group(0, policy, nodes.subList(0, 16), Arrays.asList(15), 0,
          6L * Clusters.MIB);
      RepairProposal proposal = scheduler.plan(fleet, group, DestinationFilter.ANY);
      assertTrue(proposal.assignment().isPresent(), name + ": " + proposal);
      // The helper is a unit with bytes, because the kind of checksum must come from an existing
      // replica.
      assertEquals(1, proposal.assignment().get().helpers.size(), name);
      assertTrue(group.live.containsAll(proposal.assignment().get().helpers), name);
    }
  }

  /** The plan uses the recipe of a code with sub-chunks, however idle all nodes are. */
  @Test
  void recipesOfPartsOfUnitsAreTaken() {
    List<NodeRef> nodes = Clusters.nodes(20, 20);
    for (String name : RepairSchedulers.names()) {
      RepairScheduler scheduler = Clusters.scheduler(name);
      Fleet fleet = Clusters.fleet(scheduler, nodes);
      LostGroup group = Clusters.group(0, POLICIES.get(3), nodes.subList(0, 14),
          Arrays.asList(0), 0);
      assertFalse(scheduler.plan(fleet, group, DestinationFilter.ANY).assignment().get()
          .byDecoding, name);
    }
  }

  @Test
  void theFarEndReceivesNothing() {
    List<NodeRef> nodes = Clusters.nodes(12, 12);
    RepairScheduler scheduler = Clusters.scheduler("balanced");
    Fleet fleet = Clusters.fleet(scheduler, nodes);
    // Node 3 is busy receiving. The plan needs all other units, so node 3 has to be the end of the
    // chain.
    fleet.report(nodes.get(3), new NodeReport(0, Clusters.LINK * 0.9, 0, 100, true,
        Collections.emptySet()));
    LostGroup group = Clusters.group(0, POLICIES.get(0), nodes.subList(0, 9),
        Arrays.asList(0, 1, 2), 0);
    Assignment assignment =
        scheduler.plan(fleet, group, DestinationFilter.ANY).assignment().get();
    List<UnitHolder> helpers = assignment.helpers;
    assertEquals(3, helpers.get(helpers.size() - 1).unit, assignment.toString());
  }

  /** The node has registered with a new address since the group was looked at. */
  @Test
  void nodesAreNamedAsTheFleetKnowsThem() {
    List<NodeRef> nodes = Clusters.nodes(12, 12);
    for (String name : RepairSchedulers.names()) {
      RepairScheduler scheduler = Clusters.scheduler(name);
      Fleet fleet = Clusters.fleet(scheduler, nodes);
      LostGroup group = Clusters.group(0, POLICIES.get(0), nodes.subList(0, 9),
          Arrays.asList(0), 0);
      for (NodeRef node : nodes) {
        fleet.join(new NodeRef(node.uuid, "new", node.hostName, 1, 2, node.rack),
            NodeCapacity.ofLink(Clusters.LINK));
      }
      Assignment assignment =
          scheduler.plan(fleet, group, DestinationFilter.ANY).assignment().get();
      assignment.helpers.forEach(helper ->
          assertEquals("new", helper.node.ipAddr, name + " " + helper));
      assertEquals("new", assignment.targets.get(0).node.ipAddr, name);
    }
  }

  @Test
  void refusalsSayWhy() {
    List<NodeRef> nodes = Clusters.nodes(12, 12);
    for (String name : RepairSchedulers.names()) {
      RepairScheduler scheduler = Clusters.scheduler(name);
      Fleet fleet = Clusters.fleet(scheduler, nodes);
      LostGroup group = Clusters.group(0, POLICIES.get(0), nodes.subList(0, 9),
          Arrays.asList(0, 1, 2), 0);
      assertEquals(NoPlanReason.NO_DESTINATION,
          scheduler.plan(fleet, group, (g, node) -> false).refusal);
      fleet.quarantine(nodes.get(5), true);
      assertEquals(NoPlanReason.TOO_FEW_SOURCES,
          scheduler.plan(fleet, group, DestinationFilter.ANY).refusal);
      fleet.quarantine(nodes.get(5), false);
      fleet.leave(nodes.get(6));
      assertEquals(NoPlanReason.TOO_FEW_SOURCES,
          scheduler.plan(fleet, group, DestinationFilter.ANY).refusal);
      fleet.join(nodes.get(6), NodeCapacity.ofLink(Clusters.LINK));
      assertTrue(scheduler.plan(fleet, group, DestinationFilter.ANY).assignment().isPresent());
    }
  }

  @Test
  void fewRacksTakePartWhereRacksAreNarrow() {
    List<NodeRef> nodes = Clusters.nodes(18, 3);
    RepairScheduler scheduler = Clusters.scheduler("balanced");
    Fleet fleet = new Fleet(scheduler.rank(), Clusters.LINK);
    nodes.forEach(node -> fleet.join(node, NodeCapacity.ofLink(Clusters.LINK)));
    LostGroup group = Clusters.group(0, POLICIES.get(0), nodes.subList(0, 9),
        Collections.singletonList(0), 0);
    Assignment assignment =
        scheduler.plan(fleet, group, DestinationFilter.ANY).assignment().get();
    int crossings = 0;
    String above = assignment.targets.get(0).node.rack;
    for (UnitHolder helper : assignment.helpers.subList(0, 6)) {
      crossings += helper.node.rack.equals(above) ? 0 : 1;
      above = helper.node.rack;
    }
    assertTrue(crossings <= 2, assignment.toString());
  }
}
