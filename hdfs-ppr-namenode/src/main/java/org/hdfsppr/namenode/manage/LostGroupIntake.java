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

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hdfsppr.namenode.manage.endings.DoubtKeeper;
import org.hdfsppr.namenode.manage.endings.RepairCompletion;
import org.hdfsppr.namenode.manage.endings.StockHandOver;
import org.hdfsppr.namenode.manage.launch.WaitingGroups;
import org.hdfsppr.namenode.manage.measure.LossLog;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.QueueChanges;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.UnitHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the NameNode's queue for changes, and decides when each lost group is tried and without
 * which nodes. Used by the manager's thread.
 */
final class LostGroupIntake {
  private static final Logger LOG = LoggerFactory.getLogger(LostGroupIntake.class);
  /**
   * The greatest number of groups that one poll looks at. A poll takes the NameNode's lock several
   * times, each time for a short while.
   */
  private static final int POLL_GROUPS = 2_000;
  /**
   * The greatest number of polls in one cycle. Because of this bound, commands go out even while
   * the manager still polls a large queue.
   */
  private static final int POLLS_MAX = 10;

  private final ManagerKnowledge known;
  private final WaitingGroups waiting;
  private final DoubtKeeper doubts;
  private final StockHandOver handOver;
  private final RepairCompletion endings;
  private final LossLog losses;
  private final MadeGroups made;
  private final IntakeFaults faults;

  LostGroupIntake(ManagerKnowledge known, WaitingGroups waiting, DoubtKeeper doubts,
      StockHandOver handOver,
      RepairCompletion endings, LossLog losses, MadeGroups made) {
    this.known = known;
    this.faults = new IntakeFaults(known.metrics);
    this.waiting = waiting;
    this.doubts = doubts;
    this.handOver = handOver;
    this.endings = endings;
    this.losses = losses;
    this.made = made;
  }

  void takeChanges(long nowMs) {
    QueueChanges changes;
    int polls = 0;
    do {
      changes = known.books.poll(POLL_GROUPS);
      LOG.debug("{}", changes);
      if (known.charge.follow(changes.term)) {
        failUnsent(changes.term);
      }
      if (changes.reset) {
        forgetGroups();
      }
      changes.ended.forEach((grant, end) ->
          faults.takeEnd(grant.group, () -> endings.ended(grant, end)));
      changes.gone.forEach(one -> faults.takeEnd(one, () -> gone(one, nowMs)));
      takeIn(changes.lost, nowMs);
    } while (changes.hasMore() && ++polls < POLLS_MAX);
    List<GroupId> again = faults.takeDue(nowMs, POLL_GROUPS);
    if (!again.isEmpty()) {
      takeIn(known.books.look(again), nowMs);
    }
  }

  private void takeIn(List<LostGroup> lost, long nowMs) {
    lost.forEach(one -> faults.takeIn(one.id, nowMs, () -> admit(one, nowMs)));
  }

  /**
   * Ends the repairs that were ordered in another term and whose commands no DataNode has fetched,
   * because DataNodes get only commands of the present term.
   */
  private void failUnsent(long term) {
    for (TrackedRepair repair : known.tracker.unsent()) {
      if (repair.term() != term) {
        endings.fail(repair, EndReason.TERM_OVER, "its term is over", null, false);
      }
    }
  }

  private void gone(GroupId gone, long nowMs) {
    known.queue.remove(gone);
    known.retries.notes.gone(gone, nowMs);
    doubts.undecided(gone);
    known.retries.forget(gone);
    known.groups.gone(gone);
  }

  /**
   * Forgets all waiting groups, because the NameNode has begun a new queue or another NameNode is
   * in charge.
   */
  void forgetGroups() {
    known.queue.clear();
    losses.reset();
    known.groups.forgetLosses();
    handOver.clear();
    known.core.clear();
    faults.clear();
  }

  private void admit(LostGroup lost, long nowMs) {
    if (made.has(lost.id)) {
      // DataNodes make the units of this group for a new version of its file. If some are missing
      // in the end, a later poll finds the group again.
      known.queue.remove(lost.id);
      return;
    }
    known.groups.lost(lost.id);
    if (handOver.takes(lost, known.cluster.participants())) {
      return;
    }
    losses.lost(lost, viewOf(lost.id));
    known.core.seen(lost);
    place(lost, nowMs);
  }

  /** Asks again what CORE can do for the waiting groups whose rows or columns have changed. */
  void lookAtColumns(long nowMs) {
    known.core.refresh(nowMs, group -> {
      if (known.queue.contains(group.id)) {
        place(group, nowMs);
      }
    });
  }

  private void place(LostGroup lost, long nowMs) {
    // Waiting for lost nodes to come back costs nothing, unless clients read the group now.
    boolean waits = known.settings.delayMs > 0 && lost.spareUnits > known.settings.delaySpareUnits
        && !waiting.isReadDegraded(lost) && !known.retries.isPrioritized(lost.id);
    long notBefore = Math.max(known.retries.notBeforeMs(lost.id),
        waits ? lost.sinceMs + known.settings.delayMs : Long.MIN_VALUE);
    // This view of the group may say nothing new, because most polls only look again at groups that
    // are queued already.
    waiting.renew(withoutFailed(lost), notBefore <= nowMs ? Long.MIN_VALUE : notBefore);
  }

  /** Returns the view of the group that the manager has so far; null if it has none. */
  private LostGroup viewOf(GroupId id) {
    return known.queue.find(id).orElseGet(() -> known.tracker.grant(id)
        .map(record -> record.assignment.group).orElse(null));
  }

  /**
   * Leaves out the nodes that failed in earlier repairs of the group, if the other nodes suffice.
   */
  private LostGroup withoutFailed(LostGroup lost) {
    Set<String> without = known.retries.without(lost.id);
    // If units contradict each other, the repair needs one more unit to check the others with.
    long least = lost.unitsToDecode() + (known.groups.isDoubtOpen(lost.id) ? 1 : 0);
    List<UnitHolder> others = lost.live.stream()
        .filter(holder -> !without.contains(holder.node.uuid)).collect(Collectors.toList());
    return without.isEmpty()
        || others.stream().map(holder -> holder.unit).distinct().count() < least
        ? lost : lost.withLive(others);
  }
}
