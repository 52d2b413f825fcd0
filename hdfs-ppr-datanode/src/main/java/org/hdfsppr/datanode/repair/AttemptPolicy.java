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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;

/**
 * Decides, from the failures of earlier attempts at one repair, what the next attempt does: which
 * nodes it leaves out, whether it accepts slow nodes, and whether it checks every slice. The {@link
 * RepairJob} acts on the decisions. A suspect is a node whose bytes may be wrong, because units
 * contradicted each other in an attempt that used it. Used by one thread.
 */
final class AttemptPolicy {
  /**
   * A job that finds a node busy waits this many milliseconds, times the number of the attempt,
   * before it asks the node again.
   */
  private static final long PAUSE_MS = 250;

  private final NodeRef self;
  /** Nodes that have failed. The next attempt leaves them out. */
  private final Set<NodeRef> failed = new HashSet<>();
  /** Nodes at one end of a slow link; a repair uses them if too few others remain. */
  private final SlowSuspects slow;
  /** Nodes that were busy in the last attempt. */
  private final Set<NodeRef> busy = new HashSet<>();
  /** Nodes that were busy in any attempt so far. */
  private final Set<NodeRef> wasBusy = new HashSet<>();
  /**
   * For each parent, the children that did not answer the parent, although they answered this node.
   */
  private final Map<NodeRef, Set<NodeRef>> unanswered = new HashMap<>();
  /** Suspects that no attempt has left out yet. */
  private final List<NodeRef> suspects = new ArrayList<>();
  /** All suspects, including those that attempts have left out already. */
  private final Set<NodeRef> allSuspects = new LinkedHashSet<>();
  private NodeRef leftOutSuspect;
  /**
   * Whether any suspect runs hdfs-ppr. Such a suspect calculates sums, so its arithmetic may be
   * wrong instead of its unit.
   */
  private boolean suspectsCalculate;
  private boolean readsOnly;
  private boolean doubted;
  /**
   * Whether the next plan may have narrow links: links that carry fewer rows than the parent needs,
   * so that the parent calculates the others. False after a node has refused such a link.
   */
  private boolean narrowLinks = true;

  /**
   * @param self this node, which leads the repair
   * @param doubted whether an earlier repair of the group has seen wrong bytes
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
    return readsOnly ? snapshot.withLive(SuspectReadingPlanner::readOnly) : snapshot;
  }

  /**
   * Returns the part of {@code snapshot} that the next attempt may use after {@link #relax} has
   * taken back all busy and slow nodes.
   */
  GroupSnapshot usableAtMost(GroupSnapshot snapshot) {
    return asRead(snapshot.without(node ->
        failed.contains(node) || node.equals(leftOutSuspect)));
  }

  /**
   * Lets the next attempt use some busy or slow nodes again, because too few helpers remain without
   * them. Takes back the busy nodes first, because they may be free by then, and the slow nodes
   * last. If too few helpers remain even so, the caller calls this method again.
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
   * @param plan the plan of the attempt
   * @param failure the failure that ended the attempt
   * @return whether another attempt may succeed
   */
  boolean retryAfter(RepairPlan plan, RepairException failure) {
    busy.clear();
    switch (failure.failureCause) {
      case OVERLOADED:
        if (!failure.node.equals(self)) {
          // A node that is busy for the second time counts as failed, because it may stay busy.
          (wasBusy.add(failure.node) ? busy : failed).add(failure.node);
        }
        return true;
      case SLOW:
        slow.slow(failure);
        return true;
      case UNREACHABLE:
      case UNSUPPORTED:
        // The next plan reads the node with stock reads. If that fails as well, the policy leaves
        // the node out.
        return true;
      case VERIFICATION:
        return leaveOutNextSuspect(plan);
      case WRITE:
        return false;
      default:
        // If this node itself failed, it would fail again.
        return !failure.node.equals(self) && failed.add(failure.node);
    }
  }

  /** Makes all further plans use wide links only, which carry all rows that the parent needs. */
  void widenLinks() {
    narrowLinks = false;
  }

  /** Returns whether the next plan may have narrow links. */
  boolean usesNarrowLinks() {
    return narrowLinks;
  }

  /**
   * Leaves out the next suspect, because the bytes of some node are wrong although their checksums
   * are right. With one spare unit, the policy can leave out one suspect after another. In the
   * attempt that leaves out the node with the wrong bytes, the units agree.
   */
  private boolean leaveOutNextSuspect(RepairPlan plan) {
    doubted = true;
    if (allSuspects.isEmpty()) {
      noteSuspects(plan);
    }
    return leaveOutNextSuspect();
  }

  private void noteSuspects(RepairPlan plan) {
    plan.root.forEach(node -> {
      for (RepairSource share : node.sources) {
        if (!share.holder.equals(self) && allSuspects.add(share.holder)) {
          suspects.add(share.holder);
          suspectsCalculate |= share.holder.runsExtension();
        }
      }
    });
  }

  /**
   * Leaves out the next suspect instead of the present one. After the last suspect, lets this node
   * read all units as stock does, so that no other node calculates. That helps if several nodes
   * calculate wrongly, or one that the repair cannot do without. Returns false if there is nothing
   * left to try.
   */
  boolean leaveOutNextSuspect() {
    leftOutSuspect = suspects.isEmpty() ? null : suspects.remove(0);
    if (leftOutSuspect == null && suspectsCalculate && !readsOnly) {
      readsOnly = true;
      return true;
    }
    return leftOutSuspect != null;
  }

  /**
   * Returns how many attempts the search for a wrong unit or node has used: one for each suspect
   * that was left out, and one in which this node reads all units as stock does.
   */
  int suspectsTried() {
    return allSuspects.size() - suspects.size() + (readsOnly ? 1 : 0);
  }

  /** Returns whether the last attempt read all units as stock reads them. */
  boolean readsOnly() {
    return readsOnly;
  }

  /**
   * Returns the suspects that {@code right} does not use. The wrong bytes may come from any of
   * them.
   *
   * @param right a plan whose units agree
   */
  Set<NodeRef> culprits(RepairPlan right) {
    Set<NodeRef> culprits = new LinkedHashSet<>(allSuspects);
    right.root.forEach(node -> node.sources.forEach(share -> culprits.remove(share.holder)));
    return culprits;
  }

  /** Leaves out a node that this repair cannot use. */
  void leaveOut(NodeRef node) {
    failed.add(node);
  }

  /**
   * Notes that a node got no answer from a child that answers this node. Either may be at fault.
   * The policy first blames the child, as if it were busy. If a parent gets no answer from a second
   * child, the policy leaves out the parent and lets the next attempts use these children again.
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
   * Returns whether this repair or an earlier repair of the group has seen wrong bytes. If so, each
   * further attempt checks every slice, and rebuilds nothing that it cannot check.
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

  /**
   * Returns how long to wait before the next attempt, milliseconds; 0 for no wait. The caller has
   * noted the failure by {@link #retryAfter}.
   *
   * @param failure the failure that ended the attempt
   * @param attempt the number of that attempt, from 1
   */
  long pauseMs(RepairException failure, int attempt) {
    return failure.failureCause == FailureCause.OVERLOADED ? PAUSE_MS * attempt : 0;
  }

  /**
   * Works out from slow attempts which node causes them. A slow attempt names a slow link, and
   * either end of the link may be the cause. A node that two attempts name is the likelier cause.
   * If an attempt is slow although a node was left out, that node is not the only cause. Used by
   * one thread.
   */
  static final class SlowSuspects {
    /**
     * After this many slow attempts, the repair accepts any speed. One attempt finds the slow link,
     * a second finds the slow end of the link, and two more find a second slow node. Each attempt
     * takes at least the time over which rates are measured, so a further search would cost more
     * than a slow repair.
     */
    static final int ATTEMPTS_MAX = 4;
    /**
     * The destination counts as slow only after this many slow attempts have named it. In a star,
     * each link ends at the destination, so an attempt names it even if only a helper is slow.
     */
    private static final int DESTINATION_DOUBTS = 3;

    private final NodeRef self;
    private final Map<NodeRef, Integer> timesNamed = new LinkedHashMap<>();
    private final Set<NodeRef> leftOut = new LinkedHashSet<>();
    /** Nodes that were left out of an attempt that was slow nonetheless. */
    private final Set<NodeRef> cleared = new HashSet<>();
    private int slowAttempts;
    private boolean tolerated;

    /** @param self the destination, which no attempt can do without */
    SlowSuspects(NodeRef self) {
      this.self = self;
    }

    /** Notes that the last attempt, which left out the nodes in {@code leftOut}, was slow. */
    void slow(RepairException failure) {
      slowAttempts++;
      cleared.addAll(leftOut);
      NodeRef lower = failure.node;
      NodeRef upper = failure.otherSuspect == null ? self : failure.otherSuspect;
      timesNamed.merge(lower, 1, Integer::sum);
      timesNamed.merge(upper, 1, Integer::sum);
      NodeRef suspect = weight(upper) > weight(lower) ? upper : lower;
      if (weight(suspect) == 0 || suspect.equals(self) || slowAttempts >= ATTEMPTS_MAX) {
        tolerated = true;
      }
      if (weight(suspect) > 0 && !suspect.equals(self)) {
        leftOut.add(suspect);
      }
    }

    private int weight(NodeRef node) {
      int times = timesNamed.get(node);
      if (node.equals(self)) {
        return times >= DESTINATION_DOUBTS ? times : 0;
      }
      return cleared.contains(node) ? 0 : times;
    }

    boolean isLeftOut(NodeRef node) {
      return leftOut.contains(node);
    }

    /**
     * Takes back nodes that were left out, because too few helpers remain without them. The first
     * call takes back the nodes whose absence did not help, because an attempt without them was
     * slow as well. A later call takes back all nodes, and the repair then accepts any speed.
     *
     * @return whether any node was left out
     */
    boolean relax() {
      if (leftOut.isEmpty()) {
        return false;
      }
      if (!leftOut.removeAll(cleared)) {
        leftOut.clear();
        tolerated = true;
      }
      return true;
    }

    /** Returns whether the next attempt may take as long as it needs. */
    boolean tolerated() {
      return tolerated;
    }
  }
}
