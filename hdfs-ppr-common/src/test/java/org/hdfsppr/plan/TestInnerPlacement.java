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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.gf.Gf256;
import org.junit.jupiter.api.Test;

/** Where targets stand in a tree, and that all sums of their units pass them. */
@InterfaceAudience.Private
class TestInnerPlacement {
  private static final GroupId GROUP = new GroupId("BP-1", -1024, 1001);
  private static final int UNIT_BYTES = 4096;
  private static final NodeRef ROOT = node(100, true);
  private static final NodeRef INNER = node(101, true);
  private static final NodeRef OTHER = node(102, true);
  private static final NodeRef STOCK = node(103, false);

  private final LinearCode code = ReedSolomon.hadoop(6, 4);

  private static NodeRef node(int number, boolean runsExtension) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866,
        runsExtension ? 9877 : NodeRef.NO_REPAIR_PORT, "/rack" + number % 3);
  }

  /** Units from 0 on are lost, one for each target; unit u is at node u. */
  private GroupSnapshot snapshot(List<NodeRef> targets) {
    List<Holder> lost = new ArrayList<>();
    for (NodeRef target : targets) {
      lost.add(new Holder(lost.size(), target));
    }
    List<Holder> live = new ArrayList<>();
    for (int unit = targets.size(); unit < code.units(); unit++) {
      live.add(new Holder(unit, node(unit, true)));
    }
    return new GroupSnapshot(GROUP, 6 * UNIT_BYTES, 6, 4, UNIT_BYTES, live, lost, ROOT);
  }

  private RepairPlan plan(String topology, NodeRef... targets) throws NoPlanException {
    return plan(topology, snapshot(List.of(targets)));
  }

  private RepairPlan plan(String topology, GroupSnapshot snapshot) throws NoPlanException {
    return Planner.plan(snapshot, code,
        new PlanOptions(Topologies.byName(topology), 1024, 1, 7).withInnerTargets());
  }

  private static void assertPlain(RepairPlan plan) {
    assertFalse(plan.hasInnerTargets(), plan.toString());
  }

  @Test
  void targetsStandBetweenTheRootAndAllHelpers() throws NoPlanException {
    for (Topology topology : Topologies.all()) {
      RepairPlan plan = plan(topology.name(), ROOT, INNER, OTHER);
      PlanNode root = plan.root();
      assertEquals(ROOT, root.node());
      assertEquals(1, root.children().size());
      PlanNode inner = root.children().get(0);
      assertEquals(INNER, inner.node());
      assertEquals(1, inner.innerTarget().get().index());
      assertEquals(GROUP.block(1, UNIT_BYTES), inner.innerTarget().get().block());
      PlanNode other = inner.children().get(0);
      assertEquals(OTHER, other.node());
      assertEquals(2, other.innerTarget().get().unit());
      RepairPlan plain = Planner.plan(snapshot(List.of(ROOT, INNER, OTHER)), code,
          new PlanOptions(topology, 1024, 1, 7));
      assertEquals(plain.root().children().toString(), other.children().toString());
      LinkRows.check(root, 3);
      assertArrayEquals(new int[] {0}, LinkRows.at(root, 3));
      assertArrayEquals(new int[] {0}, LinkRows.above(inner, 3));
      assertArrayEquals(new int[] {0, 1}, LinkRows.at(inner, 3));
      assertArrayEquals(new int[] {0, 1}, LinkRows.above(other, 3));
      assertArrayEquals(new int[] {0, 1, 2}, LinkRows.at(other, 3));
      assertArrayEquals(new int[] {0, 1, 2}, LinkRows.above(other.children().get(0), 3));
    }
  }

  @Test
  void withoutTheSwitchNothingChanges() throws NoPlanException {
    assertPlain(Planner.plan(snapshot(List.of(ROOT, INNER)), code,
        new PlanOptions(Topologies.byName("chain"), 1024, 1, 7)));
  }

  @Test
  void oneTargetStaysAtTheRoot() throws NoPlanException {
    assertPlain(plan("chain", ROOT));
  }

  @Test
  void aTargetWithoutTheExtensionGetsItsUnitFromTheRoot() throws NoPlanException {
    assertPlain(plan("chain", ROOT, STOCK));
    RepairPlan plan = plan("chain", ROOT, STOCK, INNER);
    assertArrayEquals(new int[] {0, 1}, LinkRows.at(plan.root(), 3));
    assertEquals(2, plan.root().innerTargets().get(0).index());
  }

  @Test
  void aNodeEndsOneUnitOnly() throws NoPlanException {
    assertPlain(plan("chain", ROOT, INNER, INNER));
  }

  @Test
  void aHelperIsNoInnerTarget() throws NoPlanException {
    for (int unit = 2; unit < 10; unit++) {
      RepairPlan plan = plan("chain", ROOT, node(unit, true));
      boolean helps = plan.root().children().get(0).involves(node(unit, true))
          && !plan.hasInnerTargets();
      assertTrue(helps || plan.hasInnerTargets(), plan.toString());
      if (plan.hasInnerTargets()) {
        LinkRows.check(plan.root(), 2);
      }
    }
  }

  @Test
  void aRootWithAUnitOfItsOwnEndsAllRows() throws NoPlanException {
    GroupSnapshot snapshot = snapshot(List.of(ROOT, INNER)).withLive(holder ->
        holder.unit() == 5 ? new Holder(5, ROOT) : holder);
    assertPlain(plan("chain", snapshot));
  }

  @Test
  void stockReadsOfTheRootMoveBelowTheTargets() throws NoPlanException {
    GroupSnapshot snapshot = snapshot(List.of(ROOT, INNER)).withLive(holder ->
        new Holder(holder.unit(), node(holder.unit(), holder.unit() > 7)));
    for (Topology topology : Topologies.all()) {
      RepairPlan plan = plan(topology.name(), snapshot);
      assertTrue(plan.hasInnerTargets());
      assertTrue(plan.root().sources().isEmpty());
      LinkRows.check(plan.root(), 2);
    }
  }

  /** The flow of one byte position through a tree, by scalar arithmetic. */
  private final class Flow {
    private final int[] word;
    private final RepairPlan plan;
    private final TreeMap<Integer, Integer> stored = new TreeMap<>();

    Flow(int[] word, RepairPlan plan) {
      this.word = word;
      this.plan = plan;
    }

    /** Lost rows and then the check row; -1 where a row has ended. */
    int[] sums(PlanNode node) {
      int rows = plan.lostRows() + 1;
      int[] sums = new int[rows];
      for (Source source : node.sources()) {
        for (int row = 0; row < rows; row++) {
          sums[row] ^= Gf256.mul(source.coefficient(SliceKind.CHECKED, row, 0) & 0xff,
              word[source.unit()]);
        }
      }
      for (PlanNode child : node.children()) {
        int[] below = sums(child);
        for (int row = 0; row < rows; row++) {
          sums[row] = below[row] < 0 ? -1 : sums[row] ^ below[row];
        }
      }
      node.innerTarget().ifPresent(target -> {
        int row = target.index();
        stored.put(row, sums[row]);
        sums[rows - 1] ^= Gf256.mul(target.weights()[0] & 0xff, sums[row]);
        sums[row] = -1;
      });
      return sums;
    }
  }

  @Test
  void theSumsAreThoseOfTheCodeAndTheCheckStillHolds() throws NoPlanException {
    long seed = Long.getLong("seed", 20261123);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      int[] word = new int[code.units()];
      for (int unit = 0; unit < code.units(); unit++) {
        word[unit] = unit < 6 ? random.nextInt(256) : 0;
        for (int j = 0; unit >= 6 && j < 6; j++) {
          word[unit] ^= Gf256.mul(code.generator().get(unit, j), word[j]);
        }
      }
      List<NodeRef> targets = new ArrayList<>(List.of(ROOT, INNER, OTHER));
      Collections.shuffle(targets, random);
      List<Topology> topologies = new ArrayList<>(Topologies.all());
      RepairPlan plan = plan(topologies.get(random.nextInt(topologies.size())).name(),
          targets.toArray(new NodeRef[0]));
      Flow flow = new Flow(word, plan);
      int[] sums = flow.sums(plan.root());
      int check = sums[3];
      for (int row = 0; row < 3; row++) {
        boolean inner = !targets.get(row).equals(ROOT);
        assertEquals(inner, sums[row] < 0);
        assertEquals(word[row], inner ? flow.stored.get(row) : sums[row]);
        check ^= inner ? 0 : Gf256.mul(plan.check().get().weights()[row] & 0xff, sums[row]);
      }
      assertEquals(0, check, "the check relation holds");
    }
  }

  @Test
  void treesWhoseSumsPassByAreRefused() throws NoPlanException {
    RepairPlan plan = plan("chain", ROOT, INNER);
    PlanNode inner = plan.root().children().get(0);
    PlanNode helper = inner.children().get(0);
    InnerTarget target = inner.innerTarget().get();
    List<PlanNode> none = Collections.emptyList();
    assertSame(plan.root().children().get(0), inner);
    // The helper adds beside the node that ends the rows.
    refused("pass", new PlanNode(ROOT, Collections.emptyList(), List.of(
        new PlanNode(INNER, Collections.emptyList(), helper.children(), target),
        new PlanNode(helper.node(), helper.sources(), none))));
    refused("does not get", new PlanNode(ROOT, Collections.emptyList(), List.of(
        new PlanNode(INNER, Collections.emptyList(), none, target), helper)));
    refused("two nodes", new PlanNode(ROOT, Collections.emptyList(), List.of(
        new PlanNode(OTHER, Collections.emptyList(), List.of(inner), target))));
    refused("of 1", 1, plan.root());
    refused("below the root", new PlanNode(ROOT, Collections.emptyList(), List.of(
        new PlanNode(OTHER, Collections.emptyList(), List.of(inner),
            new InnerTarget(0, 0, target.block(), target.weights(), new byte[0])))));
  }

  /** Each row of a link is added to the row at the same place of the links beside it. */
  @Test
  void siblingsWithOtherRowsAreRefused() {
    List<PlanNode> none = Collections.emptyList();
    PlanNode below = new PlanNode(node(2, true), List.of(new Source(2,
        GROUP.block(2, UNIT_BYTES), node(2, true), new byte[] {1, 1}, 2)), none);
    PlanNode target = new PlanNode(INNER, Collections.emptyList(), List.of(below),
        new InnerTarget(1, 1, GROUP.block(1, UNIT_BYTES), new byte[0], new byte[0]));
    PlanNode beside = new PlanNode(node(3, true), List.of(new Source(3,
        GROUP.block(3, UNIT_BYTES), node(3, true), new byte[] {1, 0}, 2)), none);
    LinkRows.check(new PlanNode(ROOT, Collections.emptyList(), List.of(target)), 2);
    refused("rows of " + node(3, true), new PlanNode(ROOT, Collections.emptyList(),
        List.of(target, beside)));
  }

  /** The root waits for the targets of a chain one after the other. */
  @Test
  void aTreeHasFourInnerTargetsAtMost() throws NoPlanException {
    LinearCode wide = ReedSolomon.hadoop(6, 7);
    List<NodeRef> targets = List.of(ROOT, INNER, OTHER, node(104, true), node(105, true),
        node(106, true));
    List<Holder> lost = new ArrayList<>();
    targets.forEach(target -> lost.add(new Holder(lost.size(), target)));
    List<Holder> live = new ArrayList<>();
    for (int unit = targets.size(); unit < wide.units(); unit++) {
      live.add(new Holder(unit, node(unit, true)));
    }
    RepairPlan plan = Planner.plan(new GroupSnapshot(GROUP, 6 * UNIT_BYTES, 6, 7, UNIT_BYTES,
        live, lost, ROOT), wide,
        new PlanOptions(Topologies.byName("chain"), 1024, 1, 7).withInnerTargets());
    assertEquals(4, plan.root().innerTargets().size());
    assertArrayEquals(new int[] {0, 5}, LinkRows.at(plan.root(), 6));
    LinkRows.check(plan.root(), 6);
    InnerTarget more =
        new InnerTarget(5, 5, GROUP.block(5, UNIT_BYTES), new byte[0], new byte[0]);
    refused("5 nodes end", 6, new PlanNode(ROOT, Collections.emptyList(), List.of(new PlanNode(
        node(106, true), Collections.emptyList(), plan.root().children(), more))));
  }

  private static void refused(String why, PlanNode tree) {
    refused(why, 2, tree);
  }

  private static void refused(String why, int lostUnits, PlanNode tree) {
    String message = assertThrows(IllegalArgumentException.class,
        () -> LinkRows.check(tree, lostUnits)).getMessage();
    assertTrue(message.contains(why), message);
  }
}
