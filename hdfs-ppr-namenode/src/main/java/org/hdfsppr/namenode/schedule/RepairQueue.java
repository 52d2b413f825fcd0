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
package org.hdfsppr.namenode.schedule;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.QueuedGroup.Place;
import org.hdfsppr.plan.GroupId;

/**
 * Holds the groups that wait for a repair. Ready groups are tried by priority. A group whose nodes
 * are busy waits at one of these nodes and blocks no other group; groups at the same node are woken
 * by priority. A group that must not be tried yet waits for its time. A group that has lost too
 * many units is not tried until a newer view says that enough units have come back.
 *
 * <pre>
 *   put ---> POSTPONED --release(now)--> READY --peek--> taken for a try --> OUT
 *                ^                         ^                |     |
 *                |                         +--- wake(node)--+---PARKED at a node
 *                +---------------- postpone ----------------+
 * </pre>
 *
 * <p>Every operation costs the logarithm of the number of groups. Not thread-safe.
 */
@InterfaceAudience.Private
public final class RepairQueue {
  private static final Comparator<QueuedGroup> BY_TIME =
      Comparator.comparingLong(QueuedGroup::notBeforeMs)
      .thenComparingLong((QueuedGroup group) -> group.number);

  private final Map<GroupId, QueuedGroup> byId = new HashMap<>();
  private final TreeSet<QueuedGroup> ready = new TreeSet<>();
  private final Map<Integer, TreeSet<QueuedGroup>> parked = new HashMap<>();
  private final TreeSet<QueuedGroup> postponed = new TreeSet<>(BY_TIME);
  /**
   * From the number of units that a group may still lose without loss of data to the number of
   * waiting groups.
   */
  private final SortedMap<Integer, Integer> bySpareUnits = new TreeMap<>();
  private int aside;
  private long lostBytes;
  private int readDegraded;
  private long numbers;

  /** Forgets all groups. */
  public void clear() {
    byId.values().forEach(queued -> queued.setPlace(Place.OUT));
    byId.clear();
    ready.clear();
    parked.clear();
    postponed.clear();
    bySpareUnits.clear();
    aside = 0;
    lostBytes = 0;
    readDegraded = 0;
  }

  /**
   * Adds a group, or replaces an older view of the group by a newer one.
   *
   * @param group the group, as the NameNode describes it
   */
  public void put(LostGroup group) {
    put(group, Long.MIN_VALUE);
  }

  /**
   * Adds a group that should not be repaired at once, because its nodes may come back or its last
   * repair has failed.
   *
   * @param group the group, as the NameNode describes it
   * @param notBeforeMs the time from which the repair may begin, monotonic, ms
   */
  public void put(LostGroup group, long notBeforeMs) {
    put(group, notBeforeMs, false);
  }

  /**
   * Adds a group that clients may already read, see {@link #markReadDegraded}.
   *
   * @param group the group, as the NameNode describes it
   * @param notBeforeMs the time from which the repair may begin, monotonic, ms
   * @param readDegraded whether clients read the lost units; if the queue already has the group
   *     marked as read, it stays marked
   */
  public void put(LostGroup group, long notBeforeMs, boolean readDegraded) {
    QueuedGroup old = byId.get(group.id);
    boolean degraded = readDegraded || old != null && old.readDegraded;
    if (old != null) {
      takeOut(old);
    }
    place(old == null ? new QueuedGroup(group, degraded, false, numbers++)
        : old.with(group, degraded, old.prioritized, numbers++), notBeforeMs);
  }

  /**
   * Puts a group before all groups that are not prioritized. The mark stays until the group leaves
   * this queue. Groups that have lost too many units still wait for units to come back.
   *
   * @param id the group
   * @param notBeforeMs the time from which the repair may begin, monotonic, ms; {@link
   *     Long#MIN_VALUE} lets it begin at once
   * @return whether the group waits in this queue
   */
  public boolean prioritize(GroupId id, long notBeforeMs) {
    QueuedGroup old = byId.get(id);
    if (old == null) {
      return false;
    }
    takeOut(old);
    place(old.with(old.group, old.readDegraded, true, numbers++), notBeforeMs);
    return true;
  }

  /**
   * @param id the group
   * @return the group and its place in this queue, as of now; empty if the group is not in this
   *     queue
   */
  public Optional<QueuedGroup> entry(GroupId id) {
    return Optional.ofNullable(byId.get(id));
  }

  /**
   * Adds a view of a group that may be the same as the view that the queue already has. In this
   * case the group keeps its place and its state. Without this rule, each look at the group would
   * move it to another place, or would cause a try before its time.
   *
   * @param group the group, as the NameNode describes it
   * @param notBeforeMs the time from which the repair may begin, monotonic, ms
   * @param readDegraded whether clients read lost units of the group
   */
  public void renew(LostGroup group, long notBeforeMs, boolean readDegraded) {
    QueuedGroup old = byId.get(group.id);
    if (old == null || readDegraded && !old.readDegraded
        || !old.group.isSameView(group)) {
      put(group, notBeforeMs, readDegraded);
    }
  }

  private void place(QueuedGroup queued, long notBeforeMs) {
    byId.put(queued.group.id, queued);
    bySpareUnits.merge(queued.group.spareUnits, 1, Integer::sum);
    readDegraded += queued.readDegraded ? 1 : 0;
    if (queued.group.isToWait()) {
      queued.setPlace(Place.ASIDE);
      countAside(queued, 1);
      return;
    }
    lostBytes += queued.group.lostBytes();
    if (notBeforeMs == Long.MIN_VALUE) {
      queued.setPlace(Place.READY);
      ready.add(queued);
    } else {
      queued.setNotBeforeMs(notBeforeMs);
      queued.setPlace(Place.POSTPONED);
      postponed.add(queued);
    }
  }

  /**
   * Marks a group because a client had to rebuild a lost unit of the group in order to read it. The
   * group becomes ready at once and goes before other groups of the same redundancy. A second mark
   * changes nothing: a group that cannot be repaired now and was postponed after the first mark is
   * not tried again with every read.
   *
   * @param id the group
   * @return whether the group waits in this queue and was not marked before
   */
  public boolean markReadDegraded(GroupId id) {
    return markReadDegraded(id, Long.MIN_VALUE);
  }

  /**
   * Marks a group that must not be tried before a certain time, however often clients read it.
   *
   * @param id the group
   * @param notBeforeMs the time from which the repair may begin, monotonic, ms
   * @return whether the group waits in this queue and was not marked before
   */
  public boolean markReadDegraded(GroupId id, long notBeforeMs) {
    QueuedGroup old = byId.get(id);
    if (old == null || old.readDegraded) {
      return false;
    }
    takeOut(old);
    place(old.with(old.group, true, old.prioritized, numbers++), notBeforeMs);
    return true;
  }

  /**
   * @param id the group
   * @return whether the group waits in this queue and is marked as read by clients
   */
  public boolean isReadDegraded(GroupId id) {
    QueuedGroup queued = byId.get(id);
    return queued != null && queued.readDegraded;
  }

  /** @return how many of the waiting groups are marked as read by clients */
  public int readDegraded() {
    return readDegraded;
  }

  /**
   * @param id the group
   * @return the view of the group; empty if the group is not in this queue
   */
  public Optional<LostGroup> find(GroupId id) {
    return Optional.ofNullable(byId.get(id)).map(group -> group.group);
  }

  /**
   * @param id the group
   * @return false if the group is not in this queue
   */
  public boolean remove(GroupId id) {
    QueuedGroup old = byId.get(id);
    if (old != null) {
      takeOut(old);
    }
    return old != null;
  }

  private void takeOut(QueuedGroup queued) {
    leavePlace(queued);
    lostBytes -= queued.group.isToWait() ? 0 : queued.group.lostBytes();
    queued.setPlace(Place.OUT);
    byId.remove(queued.group.id);
    bySpareUnits.computeIfPresent(queued.group.spareUnits,
        (spare, count) -> count == 1 ? null : count - 1);
    readDegraded -= queued.readDegraded ? 1 : 0;
    Integer wokenAt = queued.wokenAt();
    if (wokenAt != null) {
      // The node or rack that woke this group has room, which another group may now use.
      queued.setWokenAt(null, 0);
      wake(wokenAt, 1);
    }
  }

  private void leavePlace(QueuedGroup queued) {
    switch (queued.place()) {
      case READY:
        ready.remove(queued);
        break;
      case PARKED:
        TreeSet<QueuedGroup> there = parked.get(queued.parkedAt());
        there.remove(queued);
        if (there.isEmpty()) {
          parked.remove(queued.parkedAt());
        }
        break;
      case POSTPONED:
        postponed.remove(queued);
        break;
      case ASIDE:
        countAside(queued, -1);
        break;
      default:
        // The group has left the queue already.
    }
  }

  /**
   * @param id the group
   * @return whether the group waits
   */
  public boolean contains(GroupId id) {
    return byId.containsKey(id);
  }

  /**
   * @return how many groups wait, for any reason
   */
  public int size() {
    return byId.size();
  }

  /**
   * @return the number of waiting groups for each number of units that a group may still lose
   *     without loss of data; the map is a view that changes with the queue
   */
  public SortedMap<Integer, Integer> bySpareUnits() {
    return Collections.unmodifiableSortedMap(bySpareUnits);
  }

  /**
   * @return bytes of the lost units of all waiting groups, without the groups that have lost too
   *     many units
   */
  public long lostBytes() {
    return lostBytes;
  }

  /**
   * Visits each waiting group, in no certain order. The visitor must not change the queue.
   *
   * @param visitor takes a group with its place in the queue
   */
  public void forEach(Consumer<QueuedGroup> visitor) {
    byId.values().forEach(visitor);
  }

  /**
   * Returns the time of the oldest loss among the groups that can be repaired and do not wait for
   * the return of their nodes. Looks at all groups.
   *
   * @param delayMs how long a group waits for its nodes to come back, ms
   * @return the time, monotonic, ms; empty if there is no such group
   */
  public OptionalLong oldestDueMs(long delayMs) {
    return byId.values().stream()
        .filter(queued -> queued.place() != Place.ASIDE && !queued.isDelayed(delayMs))
        .mapToLong(queued -> queued.group.sinceMs).min();
  }

  /**
   * Returns whether some group can be repaired and does not wait for the return of its nodes.
   *
   * @param delayMs how long a group waits for its nodes to come back, ms
   * @return whether there is such a group
   */
  public boolean hasDue(long delayMs) {
    return !ready.isEmpty() || !parked.isEmpty()
        || postponed.stream().anyMatch(queued -> !queued.isDelayed(delayMs));
  }

  private void countAside(QueuedGroup queued, int one) {
    if (queued.group.core.state != CoreWork.State.WAITS) {
      aside += one;
    }
  }

  /**
   * @return how many groups have lost too many units to be repaired, without those that wait for
   *     other rows of their CORE group
   */
  public int aside() {
    return aside;
  }

  /** @return when the next postponed group becomes ready, or {@link Long#MAX_VALUE} */
  public long nextReleaseMs() {
    return postponed.isEmpty() ? Long.MAX_VALUE : postponed.first().notBeforeMs();
  }

  boolean isQueued(QueuedGroup queued) {
    return queued.place() != Place.OUT;
  }

  /** Makes ready the groups whose waiting time has ended. */
  void release(long nowMs) {
    while (!postponed.isEmpty() && postponed.first().notBeforeMs() <= nowMs) {
      QueuedGroup first = postponed.pollFirst();
      first.setPlace(Place.READY);
      ready.add(first);
    }
  }

  /** Returns the first ready group, or null. The group stays ready until it is put elsewhere. */
  QueuedGroup peek() {
    return ready.isEmpty() ? null : ready.first();
  }

  /** Removes the group from the queue, because its repair begins. */
  void start(QueuedGroup queued) {
    takeOut(queued);
  }

  /**
   * Lets the group wait until {@link #wake} is called for the place {@code where} of {@link
   * LinkOrDisk}.
   */
  void park(QueuedGroup queued, int where) {
    leavePlace(queued);
    queued.parkAt(where);
    parked.computeIfAbsent(where, place -> new TreeSet<>()).add(queued);
  }

  /** Lets the group wait until a time, behind other groups that wait for the same time. */
  void postpone(QueuedGroup queued, long notBeforeMs) {
    leavePlace(queued);
    queued.setNotBeforeMs(notBeforeMs);
    queued.setPlace(Place.POSTPONED);
    postponed.add(queued);
  }

  /**
   * Makes ready the first group that waits for a node or rack. Does nothing if no group waits for
   * it.
   *
   * @param where the node or rack, as a place of {@link LinkOrDisk}
   * @param wakes how many groups may be tried there one after the other, including this one
   */
  void wake(int where, int wakes) {
    TreeSet<QueuedGroup> there = parked.get(where);
    if (there != null) {
      QueuedGroup first = there.first();
      leavePlace(first);
      first.setPlace(Place.READY);
      first.setWokenAt(where, wakes);
      ready.add(first);
    }
  }
}
