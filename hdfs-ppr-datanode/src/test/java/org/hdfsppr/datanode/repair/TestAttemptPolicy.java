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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.junit.jupiter.api.Test;

/** The nodes that are left out after wrong bytes, and the nodes that are blamed in the end. */
class TestAttemptPolicy {
  private static final NodeRef SELF = node(100);

  private final AttemptPolicy attempts = new AttemptPolicy(SELF, false);

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866, 9877, "/r");
  }

  private static GroupSnapshot snapshot() {
    List<UnitHolder> live = new ArrayList<>();
    for (int unit = 1; unit < 9; unit++) {
      live.add(new UnitHolder(unit, node(unit)));
    }
    return new GroupSnapshot(new StripedLayout(new GroupId("BP-1", -1024, 1001),
        6 << 20, 6, 3, 1 << 20), live, Arrays.asList(new UnitHolder(0, SELF)), SELF);
  }

  private RepairPlan plan() throws IOException {
    return RepairPlanner.plan(attempts.usable(snapshot()), ReedSolomon.hadoop(6, 3),
        new PlanOptions(TreeTopologies.byName("chain"), 1 << 16, 1, 0));
  }

  @Test
  void onlyABusyNodeIsWaitedFor() {
    assertEquals(0, attempts.pauseMs(RepairException.slowLink(node(2), node(3), "slow"), 1));
    assertEquals(0, attempts.pauseMs(wrong(), 1));
    assertEquals(500, attempts.pauseMs(
        new RepairException(FailureCause.OVERLOADED, node(2), "busy", null), 2));
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
      next.root.forEach(node -> assertFalse(node.node.equals(attempts.leftOutSuspect())));
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
    assertEquals(0, last.root.children.size(), "no other node adds anything up");
    assertFalse(attempts.retryAfter(last, wrong()));
  }

  /** After an attempt that only read the units, no other attempt is possible. */
  @Test
  void nodesWithoutTheExtensionAreNotReadOnceMore() throws IOException {
    GroupSnapshot stock = snapshot().withLive(SuspectReadingPlanner::readOnly);
    RepairPlan plan = RepairPlanner.plan(stock, ReedSolomon.hadoop(6, 3),
        new PlanOptions(TreeTopologies.byName("chain"), 1 << 16, 1, 0));
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
    attempts.usable(snapshot()).live.forEach(holder -> usable.add(holder.node));
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
