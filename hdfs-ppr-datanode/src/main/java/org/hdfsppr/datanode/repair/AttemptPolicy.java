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
 * Decides from the failures of the attempts at one repair which nodes the next attempt leaves out,
 * and how strict it is. The job acts on the decisions. Used by one thread.
 */
@InterfaceAudience.Private
final class AttemptPolicy {
  private final NodeRef self;
  /** Nodes that failed. */
  private final Set<NodeRef> failed = new HashSet<>();
  /** Nodes at one end of a slow link; a repair uses them if too few others remain. */
  private final SlowSuspects slow;
  /** Nodes that were busy in the last attempt. */
  private final Set<NodeRef> busy = new HashSet<>();
  /** Nodes that have been busy before. */
  private final Set<NodeRef> wasBusy = new HashSet<>();
  /** By parent, the children that did not answer it though they answer this node. */
  private final Map<NodeRef, Set<NodeRef>> unanswered = new HashMap<>();
  /** Nodes whose bytes may have been wrong, still to be left out one at a time. */
  private final List<NodeRef> suspects = new ArrayList<>();
  /** All suspects, as the first failure had them. */
  private final Set<NodeRef> allSuspects = new LinkedHashSet<>();
  private NodeRef leftOutSuspect;
  /** Whether any suspect adds something up, so that its arithmetic may be the fault. */
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

  /** Returns the part of {@code snapshot} that the next attempt may use. */
  GroupSnapshot usable(GroupSnapshot snapshot) {
    return asRead(snapshot.without(node -> failed.contains(node) || slow.isLeftOut(node)
        || busy.contains(node) || node.equals(leftOutSuspect)));
  }

  private GroupSnapshot asRead(GroupSnapshot snapshot) {
    return readsOnly ? snapshot.withLive(SuspectCheck::readOnly) : snapshot;
  }

  /** Returns the part that it may use after {@link #relax} has taken back all it can. */
  GroupSnapshot usableAtMost(GroupSnapshot snapshot) {
    return asRead(snapshot.without(node ->
        failed.contains(node) || node.equals(leftOutSuspect)));
  }

  /**
   * Takes back some nodes that could be used after all, because too few helpers remain: a busy node
   * is worth waiting for, and a slow one is better than none. The caller calls this again if that
   * is not enough.
   *
   * @return whether there was a node to take back
   */
  boolean relax() {
    if (!busy.isEmpty()) {
      busy.clear();
      return true;
    }
    return slow.relax();
  }

  /**
   * Notes a failed attempt.
   *
   * @param plan of the attempt
   * @param failure how it ended
   * @return whether another attempt makes sense
   */
  boolean retryAfter(RepairPlan plan, RepairException failure) {
    busy.clear();
    switch (failure.failureCause()) {
      case OVERLOADED:
        if (!failure.node().equals(self)) {
          // A node that was busy twice in a row may as well be dead.
          (wasBusy.add(failure.node()) ? busy : failed).add(failure.node());
        }
        return true;
      case SLOW:
        slow.slow(failure);
        return true;
      case UNREACHABLE:
      case UNSUPPORTED:
        // The next plan reads the node with stock reads, and leaves it out if that fails as well.
        return true;
      case VERIFICATION:
        return leaveOutNextSuspect(plan);
      case WRITE:
        return false;
      default:
        // This node would fail again at its own part.
        return !failure.node().equals(self) && failed.add(failure.node());
    }
  }

  /**
   * Leaves out the next suspect: the bytes of some node are wrong although their checksums are
   * right. With one spare unit the policy can leave out each in turn; the attempt without the
   * culprit adds up.
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
   * last suspect, no other node adds anything up, and this node reads all units as stock does:
   * several nodes may calculate wrongly, or one that the repair needs.
   */
  boolean leaveOutNextSuspect() {
    leftOutSuspect = suspects.isEmpty() ? null : suspects.remove(0);
    if (leftOutSuspect == null && suspectsCalculate && !readsOnly) {
      readsOnly = true;
      return true;
    }
    return leftOutSuspect != null;
  }

  /** Returns the number of suspects that have had their turn; all together have one turn more. */
  int suspectsTried() {
    return allSuspects.size() - suspects.size() + (readsOnly ? 1 : 0);
  }

  /** Returns whether the last attempt read all units as stock reads them. */
  boolean readsOnly() {
    return readsOnly;
  }

  /**
   * Returns the nodes that may be the source of the wrong bytes: the suspect, and the nodes that a
   * plan without it leaves out as well.
   *
   * @param right a plan without the suspect that has added up
   */
  Set<NodeRef> culprits(RepairPlan right) {
    Set<NodeRef> culprits = new LinkedHashSet<>(allSuspects);
    right.root().forEach(node -> node.sources().forEach(share -> culprits.remove(share.holder())));
    return culprits;
  }

  /** Leaves out a node that is of no use to this repair. */
  void leaveOut(NodeRef node) {
    failed.add(node);
  }

  /**
   * Notes that a node got no answer from a child that answers this node. Either may be at fault.
   * The policy first blames the child, as if it were busy. It leaves out a parent that gets no
   * answer from a second child, and then forgets what that parent said of the first child.
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
   * Returns whether wrong bytes have been seen, here or in an earlier repair. From then on every
   * slice is checked, and nothing is rebuilt that cannot be checked.
   */
  boolean doubted() {
    return doubted;
  }

  /** Returns the node that the last attempt left out because its bytes may be wrong, or null. */
  NodeRef leftOutSuspect() {
    return leftOutSuspect;
  }

  /** Returns whether the next attempt must accept a slow node. */
  boolean toleratesSlow() {
    return slow.tolerated();
  }

  /** Returns whether a short wait may help. */
  static boolean shouldPause(RepairException failure) {
    return failure.failureCause() == FailureCause.OVERLOADED;
  }
}
