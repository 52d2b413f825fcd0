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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.Source;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;

/**
 * Decides, from how the attempts at one repair have failed, which nodes the next one does without,
 * and how strict it is. Does nothing itself. Used by one thread.
 */
@InterfaceAudience.Private
final class AttemptPolicy {
  private final NodeRef self;
  /** Nodes that failed. */
  private final Set<NodeRef> failed = new HashSet<>();
  /** Nodes that are at one end of a slow link: better than none. */
  private final SlowSuspects slow;
  /** Nodes that were busy in the last attempt. */
  private final Set<NodeRef> busy = new HashSet<>();
  /** Nodes that have been busy before. */
  private final Set<NodeRef> wasBusy = new HashSet<>();
  /** By the nodes that got no answer from them, the children that are reached from here. */
  private final Map<NodeRef, Set<NodeRef>> unanswered = new HashMap<>();
  /** Nodes whose bytes may have been wrong, still to be left out, one at a time. */
  private final List<NodeRef> suspects = new ArrayList<>();
  /** All of them, as the first failure had them. */
  private final Set<NodeRef> allSuspects = new LinkedHashSet<>();
  private NodeRef leftOutSuspect;
  /** Whether any suspect adds something up, so that its arithmetic may be what is wrong. */
  private boolean suspectsCalculate;
  private boolean readsOnly;
  private boolean doubted;

  /**
   * @param self the node that leads
   * @param doubted whether wrong bytes have been seen in an earlier repair of the group
   */
  AttemptPolicy(NodeRef self, boolean doubted) {
    this.self = self;
    this.doubted = doubted;
    this.slow = new SlowSuspects(self);
  }

  /** What the next attempt may use of {@code snapshot}. */
  GroupSnapshot usable(GroupSnapshot snapshot) {
    return asRead(snapshot.without(node -> failed.contains(node) || slow.isLeftOut(node)
        || busy.contains(node) || node.equals(leftOutSuspect)));
  }

  private GroupSnapshot asRead(GroupSnapshot snapshot) {
    return readsOnly ? snapshot.withLive(SuspectCheck::readOnly) : snapshot;
  }

  /** What it may use when all is taken back that can be. */
  GroupSnapshot usableAtMost(GroupSnapshot snapshot) {
    return asRead(snapshot.without(node ->
        failed.contains(node) || node.equals(leftOutSuspect)));
  }

  /**
   * Takes back some of what was left out without need, because too few helpers remain: a busy node
   * is worth waiting for, and a slow one better than none. To be called again where that is not
   * enough.
   *
   * @return whether there was anything to take back
   */
  boolean relax() {
    if (!busy.isEmpty()) {
      busy.clear();
      return true;
    }
    return slow.relax();
  }

  /**
   * Takes note of a failed attempt.
   *
   * @param plan what was tried
   * @param failure how it ended
   * @return whether another attempt makes sense
   */
  boolean retryAfter(RepairPlan plan, RepairException failure) {
    busy.clear();
    switch (failure.failureCause()) {
      case OVERLOADED:
        if (!failure.node().equals(self)) {
          // Busy twice in a row may as well be dead.
          (wasBusy.add(failure.node()) ? busy : failed).add(failure.node());
        }
        return true;
      case SLOW:
        slow.slow(failure);
        return true;
      case UNREACHABLE:
      case UNSUPPORTED:
        // The next plan reads it with stock reads, and leaves it out if that fails as well.
        return true;
      case VERIFICATION:
        return leaveOutNextSuspect(plan);
      case WRITE:
        return false;
      default:
        // What this node itself fails at, it would fail at again.
        return !failure.node().equals(self) && failed.add(failure.node());
    }
  }

  /**
   * Some node's bytes are wrong although their checksums are right. With one spare unit each can be
   * left out in turn: the attempt without the culprit adds up.
   */
  private boolean leaveOutNextSuspect(RepairPlan plan) {
    doubted = true;
    if (allSuspects.isEmpty()) {
      plan.root().forEach(node -> {
        for (Source share : node.sources()) {
          if (!share.holder().equals(self)) {
            allSuspects.add(share.holder());
            suspectsCalculate |= share.holder().runsExtension();
          }
        }
      });
      suspects.addAll(allSuspects);
    }
    return leaveOutNextSuspect();
  }

  /**
   * Goes on to the next suspect, because without the present one nothing can be planned. After the
   * last one nothing is left but that no other node adds anything up, and all are read as stock
   * reads them: several may calculate wrongly, or one that cannot be done without.
   */
  boolean leaveOutNextSuspect() {
    leftOutSuspect = suspects.isEmpty() ? null : suspects.remove(0);
    if (leftOutSuspect == null && suspectsCalculate && !readsOnly) {
      readsOnly = true;
      return true;
    }
    return leftOutSuspect != null;
  }

  /** How many suspects have had their turn, and all of them together. */
  int suspectsTried() {
    return allSuspects.size() - suspects.size() + (readsOnly ? 1 : 0);
  }

  /** Whether the last attempt had all units read as stock reads them. */
  boolean readsOnly() {
    return readsOnly;
  }

  /**
   * Who may be the source of the wrong bytes, given a plan without the suspect that adds up: that
   * one, and those that this plan does without as well.
   */
  Set<NodeRef> culprits(RepairPlan right) {
    Set<NodeRef> culprits = new LinkedHashSet<>(allSuspects);
    right.root().forEach(node -> node.sources().forEach(share -> culprits.remove(share.holder())));
    return culprits;
  }

  /** A node is of no use to this repair: it does without. */
  void leaveOut(NodeRef node) {
    failed.add(node);
  }

  /**
   * Takes note that a node got no answer from a child that is reached from here. Either may be at
   * fault. At first it is the child, as if it were busy; a node that gets none from a second child
   * is left out itself, and what it said of the first one does not count any more.
   *
   * @return whether the parent is left out
   */
  boolean noAnswer(NodeRef parent, NodeRef child) {
    Set<NodeRef> children = unanswered.computeIfAbsent(parent, any -> new LinkedHashSet<>());
    children.add(child);
    if (children.size() == 1) {
      return false;
    }
    children.retainAll(wasBusy);
    failed.removeAll(children);
    failed.add(parent);
    return true;
  }

  /**
   * Whether wrong bytes have been seen, here or in an earlier repair: from then on every slice is
   * checked, and what cannot be checked is not rebuilt.
   */
  boolean doubted() {
    return doubted;
  }

  /** The node without which the last attempt was made because its bytes may be wrong, or null. */
  NodeRef leftOutSuspect() {
    return leftOutSuspect;
  }

  /** Whether the next attempt has to make do with a slow node. */
  boolean toleratesSlow() {
    return slow.tolerated();
  }

  /** Whether waiting a little may help. */
  static boolean shouldPause(RepairException failure) {
    return failure.failureCause() == FailureCause.OVERLOADED;
  }
}
