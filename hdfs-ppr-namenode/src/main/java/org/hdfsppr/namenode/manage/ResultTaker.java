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
package org.hdfsppr.namenode.manage;

import java.util.Set;
import java.util.function.Consumer;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.namenode.manage.endings.DoubtKeeper;
import org.hdfsppr.namenode.manage.endings.RepairCompletion;
import org.hdfsppr.namenode.manage.launch.RepairCommandSequencer;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.RelaxedRule;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the results that DataNodes have sent from the inbox, and decides which of them are failures
 * and which node is to blame. Used by the manager's thread.
 */
final class ResultTaker {
  private static final Logger LOG = LoggerFactory.getLogger(ResultTaker.class);

  private final PeerLog peerLog = new PeerLog(LOG);
  private final ResultInbox inbox;
  private final RepairTracker tracker;
  private final GroupBook groups;
  private final DoubtKeeper doubts;
  private final RepairCompletion endings;
  private final RepairCommandSequencer orders;
  private final Consumer<Assignment> rebuilt;

  /** @param rebuilt gets each command that has rebuilt all its units */
  ResultTaker(ResultInbox inbox, RepairTracker tracker, GroupBook groups, DoubtKeeper doubts,
      RepairCompletion endings, RepairCommandSequencer orders, Consumer<Assignment> rebuilt) {
    this.rebuilt = rebuilt;
    this.inbox = inbox;
    this.tracker = tracker;
    this.groups = groups;
    this.doubts = doubts;
    this.endings = endings;
    this.orders = orders;
  }

  void takeAll(long nowMs) {
    for (ResultInbox.Report report = inbox.poll(); report != null; report = inbox.poll()) {
      TrackedRepair repair = tracker.byId(report.result.repairId).orElse(null);
      if (repair != null) {
        take(repair, report.result, nowMs);
      } else {
        takeLate(report);
      }
    }
  }

  private void take(TrackedRepair repair, RepairResult result, long nowMs) {
    String destination = repair.destination().uuid;
    doubts.heard(RepairScope.of(repair.assignment), result);
    if (result.outcome == RepairOutcome.REBUILT) {
      takeRebuilt(repair, result, nowMs);
    } else if (result.cause == FailureCause.VERIFICATION) {
      // The destination is not to blame, because it has noticed the contradiction. But if its
      // arithmetic is wrong, it would find another contradiction where a different node finds none.
      // So the next repair avoids this destination.
      endings.fail(repair, EndReason.CONTRADICTION, result, destination, false);
    } else if (result.outcome == RepairOutcome.FAILED) {
      noteUncheckable(repair, result);
      endings.fail(repair, EndReason.NODE_FAILED, result, culprit(repair, result),
          isToBlame(repair, result));
    } else {
      // The destination refused the repair, but another node may accept it.
      endings.fail(repair, EndReason.NODE_REFUSED, result, destination, false);
    }
  }

  private void takeRebuilt(TrackedRepair repair, RepairResult result, long nowMs) {
    Set<Integer> missing = repair.assignment.unitsWithout(result.rebuiltUnits);
    // A repair is clean if all units are rebuilt and the result leaves no doubt about the units
    // that were read.
    tracker.reported(repair.id, missing.isEmpty() && !result.leavesDoubt(),
        result.readUnits);
    if (!missing.isEmpty()) {
      endings.fail(repair, EndReason.UNITS_MISSING,
          "units " + missing + " are not rebuilt: " + result.message, culprit(repair, result),
          isToBlame(repair, result));
    } else {
      rebuilt.accept(repair.assignment);
      orders.follow(repair, nowMs);
    }
  }

  private void noteUncheckable(TrackedRepair repair, RepairResult result) {
    LostGroup group = repair.assignment.group;
    if (result.saysTooFewHelpers() && repair.assignment.doubted
        && !groups.isDoubtOpen(group.id)
        && groups.concede(group.id, RelaxedRule.UNCHECKED)) {
      // No contradiction is known in this group. To leave the unit lost because it cannot be
      // checked would be worse than to rebuild it without a check.
      peerLog.warn("unchecked",
          "{}, in which a DataNode has a part that seems to calculate wrongly, has no unit"
          + " that all bytes can be checked with: it is repaired without that", group);
    }
  }

  private void takeLate(ResultInbox.Report report) {
    RepairResult result = report.result;
    RepairScope ended = tracker.ended(result.repairId, report.uuid).orElse(null);
    if (ended == null) {
      LOG.debug("The end of an unknown repair, {}, changes nothing", result);
      return;
    }
    // The finding counts even if the group has changed since. A unit that came back, or samples
    // that agreed, prove nothing about the wrong unit.
    doubts.heard(ended, result);
    if (ended.isDoneAsDoubted(result)) {
      doubts.repaired(ended, result.readUnits);
    }
  }

  /**
   * Returns the node that the result blames; null if the result blames no node, or a node that took
   * no part in the repair.
   */
  private static String culprit(TrackedRepair repair, RepairResult result) {
    return result.failedNode != null && repair.involves(result.failedNode)
        ? result.failedNode : null;
  }

  /**
   * Returns whether the blamed node is at fault. If units contradict each other, this is not the
   * fault of the destination, which noticed the contradiction. If a node answers that it has no
   * such replica, or another one, the NameNode's view of the block was old: the node's other units
   * are as good as before. A node without a free thread or buffer has as many repairs as it can
   * take. If it were kept out of all repairs, the other nodes would have to do its work, until they
   * have no free thread either.
   */
  private static boolean isToBlame(TrackedRepair repair, RepairResult result) {
    FailureCause cause = result.cause;
    return cause != FailureCause.NO_SUCH_BLOCK && cause != FailureCause.STALE_REPLICA
        && cause != FailureCause.OVERLOADED
        && (cause != FailureCause.VERIFICATION
        || !repair.destination().uuid.equals(result.failedNode));
  }
}
