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
package org.hdfsppr.namenode.manage.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.StatusLists;
import org.hdfsppr.namenode.manage.status.WaitReason;
import org.hdfsppr.namenode.manage.status.WaitingGroup;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.schedule.NoPlanReason;
import org.hdfsppr.namenode.schedule.QueuedGroup;
import org.hdfsppr.namenode.schedule.QueuedGroup.Place;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.RetryPolicy;
import org.hdfsppr.plan.GroupId;

/**
 * Says why groups wait, and lists first those whose obstacle does not pass by itself. It reads each
 * waiting group, so that it is called at most once a second. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class WaitingList {
  /** Stuck groups come first, and among equals the oldest. */
  private static final Comparator<WaitingGroup> ORDER = Comparator.comparing(WaitingList::passes)
      .thenComparingLong((WaitingGroup one) -> one.group.sinceMs)
      .thenComparing(one -> one.group.id.groupId, Comparator.reverseOrder());

  private final RepairQueue queue;
  private final GroupBook groups;
  private final RetryPolicy retries;
  private final long delayMs;

  /**
   * @param queue the groups that wait
   * @param groups the state of each group
   * @param retries the failures of each group
   * @param delayMs how long a group waits for its nodes to come back, ms
   */
  public WaitingList(RepairQueue queue, GroupBook groups, RetryPolicy retries, long delayMs) {
    this.queue = queue;
    this.groups = groups;
    this.retries = retries;
    this.delayMs = delayMs;
  }

  /**
   * Adds the waiting groups to lists.
   *
   * @param lists gets the groups and the reasons
   * @param withStock how many groups stock has or is about to get; they are not in the queue
   * @param isPaused whether an operator has paused all repairs
   * @param nowMs the time now, monotonic, ms
   */
  public void addTo(StatusLists.Builder lists, int withStock, boolean isPaused, long nowMs) {
    Map<WaitReason, Integer> counts = new EnumMap<>(WaitReason.class);
    PriorityQueue<WaitingGroup> first =
        new PriorityQueue<>(StatusLists.ENTRIES_MAX + 1, ORDER.reversed());
    queue.forEach(queued -> {
      WaitingGroup one = describe(queued, reason(queued, isPaused, nowMs));
      counts.merge(one.reason, 1, Integer::sum);
      if (first.size() < StatusLists.ENTRIES_MAX) {
        first.add(one);
      } else if (ORDER.compare(one, first.peek()) < 0) {
        first.poll();
        first.add(one);
      }
    });
    counts.put(WaitReason.STOCK, withStock);
    List<WaitingGroup> list = new ArrayList<>(first);
    list.sort(ORDER);
    // Failures are looked up only now: a million groups may wait, and few are listed.
    list.replaceAll(one -> one.withFailures(retries.failures(one.group.id)));
    lists.groups(list, queue.size(), counts);
  }

  private static boolean passes(WaitingGroup one) {
    return one.reason == WaitReason.QUEUED || one.reason == WaitReason.DELAY
        || one.reason == WaitReason.PAUSED;
  }

  /** Describes a waiting group, without its failures. */
  private static WaitingGroup describe(QueuedGroup queued, WaitReason reason) {
    long next = queued.place() == Place.POSTPONED ? queued.notBeforeMs() : Long.MIN_VALUE;
    return new WaitingGroup(queued.group, reason, 0, next, queued.readDegraded,
        queued.prioritized);
  }

  private WaitReason reason(QueuedGroup queued, boolean isPaused, long nowMs) {
    GroupId id = queued.group.id;
    if (queued.group.core.state == CoreWork.State.WAITS) {
      // It waits for its turn among the rows of its CORE group.
      return isPaused ? WaitReason.PAUSED : WaitReason.QUEUED;
    } else if (queued.place() == Place.ASIDE) {
      return WaitReason.TOO_FEW_SOURCES;
    } else if (groups.isDoubtOpen(id)) {
      return WaitReason.DOUBT;
    } else if (queued.isDelayed(delayMs)) {
      return WaitReason.DELAY;
    } else if (queued.place() == Place.POSTPONED && queued.notBeforeMs() > nowMs) {
      Optional<WaitReason> noPlan = retries.notes.noPlan(id).flatMap(WaitingList::ofRefusal);
      if (noPlan.isPresent()) {
        return noPlan.get();
      }
      return retries.hasFailed(id) ? WaitReason.BACKOFF : WaitReason.HELD;
    }
    return isPaused ? WaitReason.PAUSED : WaitReason.QUEUED;
  }

  private static Optional<WaitReason> ofRefusal(NoPlanReason why) {
    switch (why) {
      case NO_DESTINATION:
        return Optional.of(WaitReason.NO_DESTINATION);
      case TOO_FEW_SOURCES:
        return Optional.of(WaitReason.TOO_FEW_SOURCES);
      case UNKNOWN_CODE:
        return Optional.of(WaitReason.UNKNOWN_CODE);
      default:
        return Optional.empty();
    }
  }
}
