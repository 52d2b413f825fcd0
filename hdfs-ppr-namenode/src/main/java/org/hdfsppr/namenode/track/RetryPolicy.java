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
package org.hdfsppr.namenode.track;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/**
 * Decides what follows the failure of a repair: when its group is tried again and without which
 * nodes, when the group goes back to stock, and which nodes are kept out of all repairs for a
 * while. It changes only the {@link GroupBook} and its own records of nodes. Used by the manager's
 * thread.
 */
@InterfaceAudience.Private
public final class RetryPolicy {
  /**
   * Pause before the next repair of a group after its first failure, ms. It doubles with each
   * further failure.
   */
  static final long BACKOFF_MS = 1_000;
  /** The longest pause, ms. It is short because the group stays at risk during the pause. */
  static final long BACKOFF_MS_MAX = 60_000;
  /** The number of failures in a row after which stock gets the group. */
  static final int ATTEMPTS_MAX = 6;
  /** The number of failures within {@link #WITHIN_MS} after which a node is kept out of repairs. */
  static final int QUARANTINE_AFTER = 3;
  static final long WITHIN_MS = 300_000;
  /** How long a node is kept out of repairs, ms; then it may take part again. */
  static final long QUARANTINE_MS = 300_000;
  /** How long the plans for a group leave out a node that failed in the group's repair, ms. */
  static final long WITHOUT_MS = 300_000;
  /**
   * The pause before the next repair of a group that is in doubt and whose repairs have failed
   * often, ms. It is long because each repair reads all units of the group, and then reads them
   * again several times, each time without another unit.
   */
  static final long DOUBTED_MS = 600_000;

  private final GroupBook book;
  private final LongSupplier clockMs;
  private final Map<String, Deque<Long>> failuresOfNodes = new HashMap<>();
  private final Map<String, Long> quarantinedUntilMs = new HashMap<>();
  /** What was tried for groups, in words; these notes have no effect on what this policy decides */
  public final GroupNotes notes = new GroupNotes();
  private long failedRepairs;

  /**
   * @param book keeps the failures of groups
   * @param clockMs the time, monotonic, ms
   */
  public RetryPolicy(GroupBook book, LongSupplier clockMs) {
    this.book = book;
    this.clockMs = clockMs;
  }

  /**
   * Takes note that a repair failed.
   *
   * @param group the group
   * @param uuid UUID of the node that the next repair should leave out, or null
   * @param isToBlame true if the node may be faulty, so that the failure counts towards its
   *     exclusion from all repairs
   */
  public void failed(GroupId group, String uuid, boolean isToBlame) {
    long now = clockMs.getAsLong();
    failedRepairs++;
    RetryHistory history = book.makeHistory(group);
    history.addFailure();
    pause(history, now);
    if (isHopeless(group) && book.isDoubtOpen(group)) {
      history.setNotBeforeMs(now + DOUBTED_MS);
    }
    if (uuid != null) {
      history.avoid(uuid, now + WITHOUT_MS);
      if (isToBlame) {
        blame(uuid, now);
      }
    }
  }

  /** @return how many repairs have failed since the start */
  public long failedRepairs() {
    return failedRepairs;
  }

  /**
   * Takes note that an operator wants a group before all others, until it is whole. The present
   * pause after a failure ends.
   *
   * @param group the group
   */
  public void prioritize(GroupId group) {
    RetryHistory history = book.makeHistory(group);
    history.setPrioritized();
    history.setNotBeforeMs(Long.MIN_VALUE);
  }

  /**
   * @param group the group
   * @return whether an operator wants the group before all others
   */
  public boolean isPrioritized(GroupId group) {
    RetryHistory history = book.history(group);
    return history != null && history.isPrioritized();
  }

  /**
   * @param group the group
   * @return whether repairs of the group have failed since it was whole
   */
  public boolean hasFailed(GroupId group) {
    return failures(group) > 0;
  }

  /**
   * Takes note that a repair could not begin because a node cannot take its unit. Only this group
   * avoids the node. The event does not count as one of the failures after which stock gets the
   * group.
   *
   * @param group the group
   * @param uuid the DataNode's UUID
   */
  public void unfit(GroupId group, String uuid) {
    long now = clockMs.getAsLong();
    RetryHistory history = book.makeHistory(group);
    history.addUnfit();
    pause(history, now);
    history.avoid(uuid, now + WITHOUT_MS);
  }

  private static void pause(RetryHistory history, long now) {
    history.setNotBeforeMs(now + pauseMs(history.tries()));
  }

  private static long pauseMs(int times) {
    return Math.min(BACKOFF_MS << Math.min(times - 1, 30), BACKOFF_MS_MAX);
  }

  /**
   * Takes note that the units that a repair was to rebuild came back by themselves. The group
   * starts again with no failures, and a repair of its other lost units may begin at once. If units
   * come back again soon after, the NameNode's reports of lost units contradict each other. Each
   * repair that begins on such a report takes the NameNode's lock and rebuilds nothing, so the
   * group then waits for a pause.
   *
   * @param group the group
   */
  public void returned(GroupId group) {
    long now = clockMs.getAsLong();
    RetryHistory before = book.history(group);
    boolean again =
        before != null && before.returns() > 0 && now - before.returnedMs() <= WITHIN_MS;
    RetryHistory after = RetryHistory.returned(again ? before.returns() + 1 : 1, now,
        again ? now + pauseMs(before.returns()) : Long.MIN_VALUE);
    if (before != null && before.isPrioritized()) {
      after.setPrioritized();
    }
    book.setHistory(group, after);
  }

  /**
   * Lets all failed nodes take part in the group's repairs again, because there is no plan without
   * these nodes, and they may have recovered.
   *
   * @param group the group
   */
  public void forgive(GroupId group) {
    RetryHistory history = book.history(group);
    if (history != null) {
      history.forgive();
    }
  }

  private void blame(String uuid, long now) {
    Deque<Long> times = failuresOfNodes.computeIfAbsent(uuid, node -> new ArrayDeque<>());
    times.addLast(now);
    while (now - times.peekFirst() > WITHIN_MS) {
      times.removeFirst();
    }
    if (times.size() >= QUARANTINE_AFTER) {
      quarantinedUntilMs.put(uuid, now + QUARANTINE_MS);
      failuresOfNodes.remove(uuid);
    }
  }

  /**
   * Forgets the failures of a group that is whole, with stock, or gone.
   *
   * @param group the group
   */
  public void forget(GroupId group) {
    book.forgetHistory(group);
    notes.forget(group);
  }

  /**
   * @param group the group
   * @return the time from which a repair of the group may begin, monotonic milliseconds
   */
  public long notBeforeMs(GroupId group) {
    RetryHistory history = book.history(group);
    return history == null ? Long.MIN_VALUE : history.notBeforeMs();
  }

  /**
   * @param group the group
   * @return UUIDs of the nodes that failed lately in repairs of this group, see {@link #forgive}
   */
  public Set<String> without(GroupId group) {
    RetryHistory history = book.history(group);
    return history == null ? Set.of() : history.avoided(clockMs.getAsLong());
  }

  /**
   * @param group the group
   * @return how many repairs of the group have failed in a row
   */
  public int failures(GroupId group) {
    RetryHistory history = book.history(group);
    return history == null ? 0 : history.failures();
  }

  /**
   * @param group the group
   * @return whether repairs of the group have failed so often that stock should try
   */
  public boolean isHopeless(GroupId group) {
    RetryHistory history = book.history(group);
    return history != null && history.failures() >= ATTEMPTS_MAX;
  }

  /**
   * Lets a node take part in repairs again at once.
   *
   * @param uuid the DataNode's UUID
   * @return whether the node was kept out
   */
  public boolean readmit(String uuid) {
    boolean was = isQuarantined(uuid);
    quarantinedUntilMs.remove(uuid);
    failuresOfNodes.remove(uuid);
    return was;
  }

  /**
   * @param uuid the DataNode's UUID
   * @return whether the node is kept out of repairs for now
   */
  public boolean isQuarantined(String uuid) {
    Long until = quarantinedUntilMs.get(uuid);
    return until != null && clockMs.getAsLong() < until;
  }

  /**
   * @return UUIDs of the nodes that should be kept out now; the node that has been kept out for the
   *     longest time comes first
   */
  public List<String> longestFirst() {
    return quarantined().stream().sorted(Comparator.<String, Long>comparing(
        quarantinedUntilMs::get).thenComparing(Comparator.naturalOrder()))
        .collect(Collectors.toList());
  }

  /** @return UUIDs of the nodes that are kept out now */
  public Set<String> quarantined() {
    long now = clockMs.getAsLong();
    quarantinedUntilMs.values().removeIf(until -> now >= until);
    return Set.copyOf(quarantinedUntilMs.keySet());
  }

  /**
   * Forgets failures that are too old to matter. The manager calls this method from time to time.
   */
  public void tidy() {
    long now = clockMs.getAsLong();
    for (Iterator<Deque<Long>> it = failuresOfNodes.values().iterator(); it.hasNext();) {
      Deque<Long> times = it.next();
      times.removeIf(time -> now - time > WITHIN_MS);
      if (times.isEmpty()) {
        it.remove();
      }
    }
    quarantinedUntilMs.values().removeIf(until -> now >= until);
  }
}
