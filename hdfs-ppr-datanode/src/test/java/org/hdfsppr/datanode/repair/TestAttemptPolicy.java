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
package org.hdfsppr.datanode.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.takeover.TaskOutcome;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.Planner;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.Topologies;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.junit.jupiter.api.Test;

/** The nodes that are left out after wrong bytes, and the nodes that are blamed in the end. */
class TestAttemptPolicy {
  private static final NodeRef SELF = node(100);
  private static final PlanOptions OPTIONS =
      new PlanOptions(Topologies.byName("chain"), 1 << 16, 1, 0);

  private final AttemptPolicy attempts = new AttemptPolicy(SELF, false);

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866, 9877, "/r");
  }

  private static GroupSnapshot snapshot() {
    List<Holder> live = new ArrayList<>();
    for (int unit = 1; unit < 9; unit++) {
      live.add(new Holder(unit, node(unit)));
    }
    return new GroupSnapshot(new GroupId("BP-1", -1024, 1001), 6 << 20, 6, 3, 1 << 20, live,
        Arrays.asList(new Holder(0, SELF)), SELF);
  }

  private RepairPlan plan() throws IOException {
    return Planner.plan(attempts.usable(snapshot()), ReedSolomon.hadoop(6, 3),
        new PlanOptions(Topologies.byName("chain"), 1 << 16, 1, 0));
  }

  /** Unit 0 goes to this node, and unit 1 to node 101. */
  private static GroupSnapshot lostTwo(int units) {
    List<Holder> live = new ArrayList<>();
    for (int unit = 2; unit < units; unit++) {
      live.add(new Holder(unit, node(unit)));
    }
    return new GroupSnapshot(snapshot().id(), 6 << 20, 6, units - 6, 1 << 20, live,
        Arrays.asList(new Holder(0, SELF), new Holder(1, node(101))), SELF);
  }

  private static GroupSnapshot snapshotOfTwoLost() {
    return lostTwo(9);
  }

  private static RepairPlan plainPlan(GroupSnapshot snapshot) throws IOException {
    return Planner.plan(snapshot, ReedSolomon.hadoop(6, 3), OPTIONS);
  }

  private static RepairPlan planWithInnerTarget() throws IOException {
    return Planner.plan(snapshotOfTwoLost(), ReedSolomon.hadoop(6, 3),
        OPTIONS.withInnerTargets());
  }

  @Test
  void afterTheFailureOfAnInnerTargetTheLeaderWritesAllUnits() throws IOException {
    RepairPlan plan = planWithInnerTarget();
    assertTrue(AttemptPolicy.isInnerTarget(plan, node(101)));
    assertFalse(AttemptPolicy.isInnerTarget(plan, node(2)));
    for (FailureCause cause : new FailureCause[] {FailureCause.DEAD, FailureCause.INTERNAL,
        FailureCause.OVERLOADED, FailureCause.UNSUPPORTED, FailureCause.UNREACHABLE,
        FailureCause.ACCESS_TOKEN}) {
      AttemptPolicy policy = new AttemptPolicy(SELF, false);
      assertTrue(policy.retryAfter(plan, new RepairException(cause, node(2), "a helper", null)));
      assertTrue(policy.usesInnerTargets(), cause + " of a helper");
      assertTrue(policy.retryAfter(plan, new RepairException(cause, node(101), "it", null)));
      assertFalse(policy.usesInnerTargets(), cause + " of the inner target");
    }
    AttemptPolicy slow = new AttemptPolicy(SELF, false);
    slow.retryAfter(plan, RepairException.slowLink(node(2), node(101), "slow"));
    assertFalse(slow.usesInnerTargets(), "it is at one end of a slow link");
    AttemptPolicy contradiction = new AttemptPolicy(SELF, false);
    assertTrue(contradiction.retryAfter(plan, wrong()));
    assertFalse(contradiction.usesInnerTargets(), "it may have calculated wrongly");
  }

  /** Otherwise an inner target that calculates wrongly would have a good group refused. */
  @Test
  void afterAContradictionTheSameHelpersHaveATurnWithoutInnerTargets() throws IOException {
    RepairPlan inner = planWithInnerTarget();
    AttemptPolicy policy = new AttemptPolicy(SELF, false);
    assertTrue(policy.retryAfter(inner, wrong()));
    assertTrue(policy.doubted(), "every slice is checked from now on");
    assertNull(policy.leftOutSuspect(), "all helpers take part");
    assertEquals(1, policy.suspectsTried(), "the turn is an attempt more");
    GroupSnapshot usable = policy.usable(snapshotOfTwoLost());
    assertEquals(snapshotOfTwoLost().live().toString(), usable.live().toString());
    RepairPlan plain = plainPlan(usable);
    assertTrue(plain.isFullyChecked());
    assertEquals(Collections.singleton(node(101)), policy.doubtedInnerTargets());
    assertEquals(Collections.emptySet(), policy.culprits(plain), "the same helpers");
    // A helper is wrong after all: the suspects have their turns.
    assertTrue(policy.retryAfter(plain, wrong()));
    assertNotNull(policy.leftOutSuspect());
    assertEquals(2, policy.suspectsTried());
    assertEquals(Collections.emptySet(), policy.doubtedInnerTargets());
    int turns = 1;
    while (policy.leaveOutNextSuspect()) {
      turns++;
    }
    assertEquals(7 + 1, turns, "seven helpers, and all of them as stock reads them");
    assertEquals(1 + turns, policy.suspectsTried());
  }

  /** Without the inner target, a wrong unit must still be found. */
  @Test
  void theSuspectsHaveTheirTurnsIfThereIsNoPlanWithoutInnerTargets() throws IOException {
    AttemptPolicy policy = new AttemptPolicy(SELF, false);
    assertTrue(policy.retryAfter(planWithInnerTarget(), wrong()));
    assertTrue(policy.leaveOutNextSuspect());
    assertNotNull(policy.leftOutSuspect());
  }

  /** The target may not have deleted its replica, and would then refuse to write the same unit. */
  @Test
  void afterAFailureThatTheLeaderFoundTheNextPlanWaitsAndHasNoInnerTargets()
      throws IOException {
    RepairPlan inner = planWithInnerTarget();
    RepairException slow = RepairException.slowLink(node(2), node(3), "slow");
    RepairException own = new RepairException(FailureCause.OVERLOADED, SELF, "busy", null);
    RepairException helper = new RepairException(FailureCause.DEAD, node(2), "dead", null);
    for (RepairException failure : new RepairException[] {slow, own, wrong()}) {
      AttemptPolicy policy = new AttemptPolicy(SELF, false);
      assertTrue(policy.retryAfter(inner, failure));
      assertFalse(policy.usesInnerTargets(), failure.toString());
      assertTrue(policy.pauseMs(inner, failure, 1) >= 5_000, failure.toString());
    }
    AttemptPolicy policy = new AttemptPolicy(SELF, false);
    assertTrue(policy.retryAfter(inner, helper));
    assertTrue(policy.usesInnerTargets(), "the inner target deletes its replica and reports this");
    assertEquals(250, policy.pauseMs(inner, helper, 1));
    assertTrue(attempts.retryAfter(plan(), slow));
    assertEquals(0, attempts.pauseMs(plan(), slow, 1), "no inner targets");
    assertEquals(500, attempts.pauseMs(plan(),
        new RepairException(FailureCause.OVERLOADED, node(2), "busy", null), 2));
  }

  /** The ending says that a node has calculated wrongly, and that no unit is wrong. */
  @Test
  void anEndingAfterWrongSumsOfAnInnerTargetIsNoCleanOne() throws IOException {
    AttemptPolicy policy = new AttemptPolicy(SELF, false);
    RepairMetrics metrics = RepairMetrics.register(new Configuration(false), "TestAttemptPolicy");
    try {
      JobFindings findings = new JobFindings(metrics, "a job");
      findings.noteContradiction(wrong());
      assertTrue(policy.retryAfter(planWithInnerTarget(), wrong()));
      RebuiltUnits rebuilt = new RebuiltUnits(Arrays.asList(0, 1),
          TaskOutcome.succeeded(1, 1, 2), null, "");
      findings.rebuilt(plainPlan(snapshotOfTwoLost()), rebuilt, policy);
      JobEnding ending = findings.rebuiltEnding();
      assertTrue(ending.unitsAgree());
      assertEquals(FailureCause.VERIFICATION, ending.failure().failureCause());
      assertEquals(Arrays.asList(2, 3, 4, 5, 6, 7, 8), ending.readUnits());
      // A plan without one of the helpers proves nothing about that helper's unit.
      GroupSnapshot fewer = lostTwo(ReedSolomon.hadoop(6, 4).units());
      AttemptPolicy other = new AttemptPolicy(SELF, false);
      assertTrue(other.retryAfter(planWithInnerTarget(), wrong()));
      findings.rebuilt(Planner.plan(fewer.without(node -> node.equals(node(3))),
          ReedSolomon.hadoop(6, 4), OPTIONS), rebuilt, other);
      assertTrue(findings.isWithoutSuspect());
      assertEquals(Arrays.asList(node(3)), findings.culprits());
    } finally {
      metrics.unregister();
    }
  }

  private static RepairException wrong() {
    return new RepairException(FailureCause.VERIFICATION, SELF, "does not add up", null);
  }

  /** A manager may know of wrong bytes before, but not which node they came from. */
  @Test
  void suspectsHaveTheirTurnsAlsoIfWrongBytesWereSeenBefore() throws IOException {
    AttemptPolicy before = new AttemptPolicy(SELF, true);
    assertTrue(before.doubted());
    assertFalse(before.leaveOutNextSuspect(), "no node is suspected yet");
    assertTrue(before.retryAfter(plan(), wrong()));
    assertTrue(before.leftOutSuspect() != null);
    int suspects = before.suspectsTried();
    while (before.leaveOutNextSuspect()) {
      suspects++;
    }
    // The last turn is that of all nodes together, which are only read.
    assertEquals(8, suspects);
    assertTrue(before.readsOnly());
  }

  @Test
  void eachSuspectHasItsTurnAndThenNothingIsLeft() throws IOException {
    RepairPlan first = plan();
    List<NodeRef> tried = new ArrayList<>();
    boolean again = attempts.retryAfter(first, wrong());
    while (again && !attempts.readsOnly()) {
      tried.add(attempts.leftOutSuspect());
      assertEquals(tried.size(), attempts.suspectsTried());
      RepairPlan next = plan();
      next.root().forEach(node -> assertFalse(node.node().equals(attempts.leftOutSuspect())));
      again = attempts.retryAfter(next, wrong());
    }
    // Six helpers and one for the check; the eighth only replaced nodes that were left out.
    assertEquals(7, tried.size());
    assertEquals(7, new HashSet<>(tried).size());
    assertTrue(attempts.doubted());
    assertNull(attempts.leftOutSuspect());
    assertTrue(again, "they may have calculated wrongly");
    RepairPlan last = plan();
    assertTrue(last.isFullyChecked());
    assertEquals(0, last.root().children().size(), "no other node adds anything up");
    assertFalse(attempts.retryAfter(last, wrong()));
  }

  /** After an attempt that only read the units, no other attempt is possible. */
  @Test
  void nodesWithoutTheExtensionAreNotReadOnceMore() throws IOException {
    GroupSnapshot stock = snapshot().withLive(SuspectCheck::readOnly);
    RepairPlan plan = Planner.plan(stock, ReedSolomon.hadoop(6, 3),
        new PlanOptions(Topologies.byName("chain"), 1 << 16, 1, 0));
    boolean again = attempts.retryAfter(plan, wrong());
    for (int i = 0; i < 7; i++) {
      assertTrue(again);
      again = attempts.retryAfter(plan, wrong());
    }
    assertFalse(again);
    assertFalse(attempts.readsOnly());
  }

  private List<NodeRef> usable() {
    List<NodeRef> usable = new ArrayList<>();
    attempts.usable(snapshot()).live().forEach(holder -> usable.add(holder.node()));
    return usable;
  }

  /** The first child may be silent, or its parent cut off; the second child shows which. */
  @Test
  void aParentThatGetsNoAnswerFromTwoChildrenIsLeftOut() throws IOException {
    RepairException silent =
        new RepairException(FailureCause.OVERLOADED, node(2), "no answer", null);
    assertFalse(attempts.noAnswer(node(1), node(2)));
    assertTrue(attempts.retryAfter(plan(), silent));
    assertFalse(attempts.noAnswer(node(1), node(2)));
    assertTrue(attempts.retryAfter(plan(), silent));
    assertFalse(usable().contains(node(2)));
    assertTrue(usable().contains(node(1)));
    assertTrue(attempts.noAnswer(node(1), node(3)));
    assertFalse(usable().contains(node(1)));
    assertTrue(usable().containsAll(Arrays.asList(node(2), node(3))));
  }

  @Test
  void aChildThatAnswersNoParentIsLeftOut() throws IOException {
    for (int parent = 1; parent < 3; parent++) {
      assertFalse(attempts.noAnswer(node(parent), node(4)));
      assertTrue(attempts.retryAfter(plan(),
          new RepairException(FailureCause.OVERLOADED, node(4), "no answer", null)));
      assertFalse(usable().contains(node(4)));
    }
    assertTrue(usable().containsAll(Arrays.asList(node(1), node(2))));
  }

  @Test
  void blameFallsOnAllWhomTheRightPlanDoesWithout() throws IOException {
    attempts.retryAfter(plan(), wrong());
    NodeRef suspect = attempts.leftOutSuspect();
    assertEquals(new HashSet<>(Arrays.asList(suspect)),
        new HashSet<>(attempts.culprits(plan())), "all others are part of the plan");
    NodeRef other = node(suspect.equals(node(3)) ? 4 : 3);
    attempts.leaveOut(other);
    assertEquals(new HashSet<>(Arrays.asList(suspect, other)),
        new HashSet<>(attempts.culprits(plan())));
  }
}
