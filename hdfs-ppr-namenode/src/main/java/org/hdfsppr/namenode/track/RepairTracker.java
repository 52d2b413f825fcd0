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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.plan.GroupId;

/**
 * Keeps the repairs that this NameNode has under way, each in a state of {@link RepairState}. It
 * ignores a DataNode's report that does not fit the state of the repair, because a report may be
 * late, repeated, or meant for another NameNode. Thread-safe; holds no other lock while it holds
 * its own.
 */
@InterfaceAudience.Private
public final class RepairTracker {
  /**
   * The time in which a destination has to fetch its command, ms. If the destination does not fetch
   * it, the manager assumes that the destination sends no heartbeats.
   */
  static final long FETCH_MS = 10_000;
  /**
   * The time in which the block report of a rebuilt unit has to come, ms. A DataNode reports a new
   * replica at once. If that report is lost, the group is planned again, unless a full block report
   * shows the replica first.
   */
  static final long CONFIRM_MS = 30_000;
  /**
   * The number of heartbeats in a row that do not name a repair before the repair counts as lost.
   * In that case either the repair's command did not arrive, or its DataNode has restarted. One
   * heartbeat is not enough, because the DataNode may have sent it before the command came.
   */
  static final int MISSED_MAX = 3;
  /**
   * A repair counts as lost only after this time without a heartbeat that names it, ms. The number
   * of heartbeats alone is not enough, because several delayed heartbeats may come at once.
   */
  static final long MISSED_MS = 2_000;
  /**
   * The greatest number of ended repairs that the tracker remembers. It remembers them because
   * their DataNodes may still carry them out.
   */
  static final int ENDED_MAX = 20_000;
  /**
   * How long a target may take for each of its last two steps, ms (see {@link #DEADLINE_MS_MIN}).
   * The target syncs the replica to a disk that may be busy, so the destination waits for it as
   * long as a stock pipeline does with Hadoop's default timeouts.
   */
  static final long ENDING_MS =
      HdfsConstants.READ_TIMEOUT + HdfsConstants.READ_TIMEOUT_EXTENSION;
  /**
   * The least time that a repair is given, ms. The work of a target has two last steps: the target
   * finishes its replica, and then reads the checksums back. Meanwhile the destination reports no
   * progress, so with less time a repair would be given up although all its bytes are written. The
   * predicted time includes neither these steps nor a slow start.
   */
  static final long DEADLINE_MS_MIN = 2 * ENDING_MS;
  /** A repair is given up after this multiple of its predicted time, unless it still advances. */
  static final int DEADLINE_FACTOR = 5;
  /**
   * The time that a repair is given doubles with each failed repair of its group, up to this many
   * times.
   */
  static final int DOUBLINGS_MAX = 4;
  /**
   * A repair gets a time T. If it advances, it may take {@link TrackedRepair#ADVANCING_FACTOR}
   * times T, but it is given up if its progress has not risen for T divided by this number. A
   * repair that needs all of its 4 T advances by one per cent in T / 25. The limit is four times as
   * long, because a heartbeat may be late.
   */
  static final int STALLED_ONE_IN = 6;

  private final LongSupplier clockMs;
  private final Map<String, TrackedRepair> byId = new LinkedHashMap<>();
  private final Map<GroupId, GrantRecord> byGroup = new HashMap<>();
  private final RepairTotals totals = new RepairTotals();
  private final Map<String, Set<TrackedRepair>> byDestination = new HashMap<>();
  /** The repairs that have ended for this NameNode, the oldest first. */
  private final Map<String, RepairScope> ended = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, RepairScope> eldest) {
      return size() > ENDED_MAX;
    }
  };

  /** @param clockMs the time, monotonic, ms */
  public RepairTracker(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /**
   * Adds a repair that the NameNode now has as pending. The caller begins its commands with {@link
   * #next}.
   *
   * @param assignment which units are repaired by which nodes
   * @param grant the grant, which identifies the repair in the NameNode
   * @param load the bytes that the repair moves over each link and disk
   * @param predictedMs the predicted duration, ms
   * @param failures how many repairs of the group have failed in a row; the repair gets more time
   *     with each failure, because a slow repair that is always cut short would never be complete
   * @return the grant with its commands
   * @throws IllegalStateException if a repair of this group is under way
   */
  public synchronized GrantRecord open(Assignment assignment, RepairGrant grant, RepairLoad load,
      long predictedMs, int failures) {
    GroupId group = assignment.group.id;
    if (byGroup.containsKey(group)) {
      throw new IllegalStateException("A repair of " + group + " is under way: "
          + byGroup.get(group));
    }
    long most = RepairCommand.DEADLINE_MS_MAX;
    long patience = Math.max(DEADLINE_MS_MIN, DEADLINE_FACTOR * Math.min(predictedMs, most));
    patience = Math.min(patience << Math.min(failures, DOUBLINGS_MAX), most);
    GrantRecord record = new GrantRecord(grant, assignment, load, clockMs.getAsLong(), patience);
    byGroup.put(group, record);
    return record;
  }

  /**
   * Begins the commands under a grant that wait for no other command any more.
   *
   * @param record the grant with its commands
   * @return the commands that have begun
   */
  public synchronized List<TrackedRepair> next(GrantRecord record) {
    List<TrackedRepair> begun = new ArrayList<>();
    if (byGroup.get(record.grant.group) != record) {
      return begun;
    }
    long now = clockMs.getAsLong();
    for (int part : record.ready()) {
      TrackedRepair repair = new TrackedRepair(record.id(part), record.part(part), record.grant,
          record.load, record.rebuiltBefore(part), now, record.patienceMs);
      record.setCommand(part, repair);
      byId.put(repair.id, repair);
      byDestination.computeIfAbsent(repair.destination().uuid, uuid -> new LinkedHashSet<>())
          .add(repair);
      begun.add(repair);
    }
    return begun;
  }

  /**
   * @param group the group
   * @return the grant under which the group is being repaired; empty if it is not
   */
  public synchronized Optional<GrantRecord> grant(GroupId group) {
    return Optional.ofNullable(byGroup.get(group));
  }

  /**
   * @param record the grant with its commands
   * @return the commands under the grant that have been ordered, or are about to be
   */
  public synchronized List<TrackedRepair> commands(GrantRecord record) {
    return record.commands();
  }

  /** @return the grants of all repairs under way */
  public synchronized List<GrantRecord> grants() {
    return new ArrayList<>(byGroup.values());
  }

  /**
   * @param id the repair's id
   * @return the repair with this id, if it is under way
   */
  public synchronized Optional<TrackedRepair> byId(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /**
   * @param group the group
   * @return the first command of the group's repair; empty if no repair is under way
   */
  public synchronized Optional<TrackedRepair> byGroup(GroupId group) {
    return grant(group).flatMap(record -> record.commands().stream().findFirst());
  }

  /** @return all commands under way, the oldest first */
  public synchronized List<TrackedRepair> all() {
    return new ArrayList<>(byId.values());
  }

  /**
   * @param max greatest number of repairs
   * @return the progress of the repairs that began first, at most {@code max}
   */
  public synchronized List<RepairProgress> progress(int max) {
    return byId.values().stream().limit(max).map(RepairProgress::new)
        .collect(Collectors.toList());
  }

  /** @return how far all repairs together are, and what is done since the start */
  public synchronized RepairWork work() {
    return totals.with(byGroup.values());
  }

  /** @return the repairs whose commands no DataNode has fetched yet */
  public synchronized List<TrackedRepair> unsent() {
    List<TrackedRepair> unsent = all();
    unsent.removeIf(repair -> repair.state() != RepairState.PLANNED);
    return unsent;
  }

  /** @return how many commands are under way */
  public synchronized int size() {
    return byId.size();
  }

  /**
   * Takes note that a DataNode fetches the repair's command.
   *
   * @param id the repair's id
   * @return false if the repair has ended or its command has been fetched before; then the command
   *     must not be sent
   */
  public synchronized boolean sent(String id) {
    return become(id, RepairState.SENT);
  }

  /**
   * Takes note that the destination reports the repair as running.
   *
   * @param id the repair's id
   * @param donePercent how much is done, 0 to 100
   * @return true if the repair's state changes, which happens with the first such report
   */
  public synchronized boolean running(String id, int donePercent) {
    byId(id).ifPresent(repair -> repair.done(donePercent, clockMs.getAsLong()));
    return become(id, RepairState.RUNNING);
  }

  /**
   * @param repair the repair
   * @return how much of all commands under this command's grant is done, 0 to 1; 1 if the grant has
   *     ended
   */
  public synchronized double doneShare(TrackedRepair repair) {
    return grant(repair.assignment.group.id).map(GrantRecord::doneShare).orElse(1.0);
  }

  /**
   * @return the repairs whose progress has changed since the last call, and how much of each is
   *     done, per cent
   */
  public synchronized Map<TrackedRepair, Integer> takeProgress() {
    Map<TrackedRepair, Integer> progress = new LinkedHashMap<>();
    for (TrackedRepair repair : byId.values()) {
      int percent = repair.takeDonePercent();
      if (percent >= 0) {
        progress.put(repair, percent);
      }
    }
    return progress;
  }

  /**
   * Takes note that the destination reports its units as rebuilt.
   *
   * @param id the repair's id
   * @param isClean true if all units are rebuilt, and the destination has found no contradiction
   *     between the units that it read
   * @param readUnits units that agree in every byte, as the destination reports
   * @return whether the repair's state changes; false if the repair has ended or was reported
   *     before
   */
  public synchronized boolean reported(String id, boolean isClean, List<Integer> readUnits) {
    byId(id).ifPresent(repair -> repair.setRead(isClean, readUnits));
    return become(id, RepairState.REPORTED);
  }

  /**
   * Takes note of a heartbeat. For each repair that the heartbeat names, this method notes the
   * time. For each repair that the heartbeat should name and does not, this method counts a miss.
   * {@link #overdue} decides later what the misses mean.
   *
   * @param uuid UUID of the DataNode that sent the heartbeat
   * @param named ids of the repairs that the heartbeat names, as running or as ended
   * @param isAll true if the heartbeat names all repairs that it should, false if it may have had
   *     no room for some of them
   */
  public synchronized void heard(String uuid, Set<String> named, boolean isAll) {
    long now = clockMs.getAsLong();
    for (TrackedRepair repair : byDestination.getOrDefault(uuid, Set.of())) {
      boolean isNamed = named.contains(repair.id);
      if (isNamed || isAll) {
        repair.heard(isNamed, now);
      }
    }
  }

  /**
   * Notes that the destination has reported how the repair ended. The manager's next cycle takes
   * note of the result.
   *
   * @param id the repair's id
   */
  public synchronized void noteResult(String id) {
    byId(id).ifPresent(TrackedRepair::noteResult);
  }

  /**
   * Checks a node's claim that it runs a repair of a group on the order of this NameNode. The claim
   * cannot be true after the deadline of the repair, because the node gives up by itself at that
   * time.
   *
   * @param id the repair's id
   * @param uuid UUID of the node that claims to be the repair's destination
   * @param groupId the group's id, without its generation stamp
   * @return whether the claim can be true
   */
  public synchronized boolean isOrdered(String id, String uuid, long groupId) {
    TrackedRepair repair = byId.get(id);
    if (repair != null) {
      return repair.destination().uuid.equals(uuid)
          && repair.assignment.group.id.groupId == groupId
          && clockMs.getAsLong() <= repair.deadlineMs;
    }
    RepairScope order = ended.get(id);
    return order != null && order.destination.equals(uuid) && order.group.groupId == groupId
        && clockMs.getAsLong() <= order.deadlineMs;
  }

  /**
   * @param id the repair's id
   * @param uuid UUID of the repair's destination
   * @return the repair, if it has ended for this NameNode and is still remembered
   */
  public synchronized Optional<RepairScope> ended(String id, String uuid) {
    return Optional.ofNullable(ended.get(id)).filter(one -> one.destination.equals(uuid));
  }

  private boolean become(String id, RepairState next) {
    TrackedRepair repair = byId.get(id);
    if (repair == null || !repair.mayBecome(next)) {
      return false;
    }
    repair.become(next, clockMs.getAsLong());
    return true;
  }

  /**
   * Ends a repair with all commands under its grant.
   *
   * @param id the repair's id
   * @param done whether all units of the grant are rebuilt
   * @return the repair, if it was under way
   */
  public synchronized Optional<TrackedRepair> end(String id, boolean done) {
    TrackedRepair repair = byId.get(id);
    if (repair != null) {
      end(byGroup.get(repair.assignment.group.id), done);
    }
    return Optional.ofNullable(repair);
  }

  /**
   * Ends all commands under a grant. The grant ends even if no command has begun.
   *
   * @param record the grant with its commands
   * @param done whether all units of the grant are rebuilt
   */
  public synchronized void end(GrantRecord record, boolean done) {
    if (!byGroup.remove(record.grant.group, record)) {
      return;
    }
    if (done) {
      totals.done(record);
    }
    for (TrackedRepair repair : record.commands()) {
      byId.remove(repair.id);
      String destination = repair.destination().uuid;
      Set<TrackedRepair> there = byDestination.get(destination);
      there.remove(repair);
      if (there.isEmpty()) {
        byDestination.remove(destination);
      }
      if (repair.state() != RepairState.PLANNED) {
        // Each of several commands has read only a part of the units, so that none of them can end
        // a doubt.
        ended.put(repair.id, RepairScope.ofEnded(repair.assignment, repair.deadlineMs,
            done && record.isSingle()));
      }
      repair.become(done ? RepairState.DONE : RepairState.FAILED, clockMs.getAsLong());
    }
  }

  /**
   * Ends all repairs, because from now on another NameNode is in charge, or none is.
   *
   * @return the grants of the repairs that were under way
   */
  public synchronized List<GrantRecord> endAll() {
    List<GrantRecord> all = grants();
    all.forEach(record -> end(record, false));
    return all;
  }

  /**
   * Finds the repairs whose next step takes longer than allowed.
   *
   * @return the repairs, each with the step that it waits for, as text
   */
  public synchronized Map<TrackedRepair, String> overdue() {
    long now = clockMs.getAsLong();
    Map<TrackedRepair, String> overdue = new LinkedHashMap<>();
    for (TrackedRepair repair : byId.values()) {
      long waited = now - repair.stateSinceMs();
      if (repair.state() == RepairState.PLANNED && waited > FETCH_MS) {
        overdue.put(repair, "its destination has not fetched the command for " + waited + " ms");
      } else if (reportedForMs(repair, now) > CONFIRM_MS) {
        overdue.put(repair, "no block report has come for " + reportedForMs(repair, now) + " ms");
      } else if (repair.missed() >= MISSED_MAX && now - repair.namedMs() >= MISSED_MS) {
        overdue.put(repair, "its destination has not named it in " + repair.missed()
            + " heartbeats: it has restarted, or the command was lost");
      } else if (repair.state() != RepairState.REPORTED && now > repair.dueMs
          && !endsInTime(repair, now)) {
        overdue.put(repair, "it is not finished after " + (now - repair.startedMs) + " ms");
      }
    }
    return overdue;
  }

  private long reportedForMs(TrackedRepair repair, long now) {
    return byGroup.get(repair.assignment.group.id).reportedForMs(now);
  }

  /**
   * Returns whether a repair that is overdue advances fast enough to be complete before its
   * deadline. If it does, giving it up would only waste its work and delay the next repair.
   */
  private static boolean endsInTime(TrackedRepair repair, long now) {
    long patience = repair.dueMs - repair.startedMs;
    return now <= repair.deadlineMs && repair.endMs(now) <= repair.deadlineMs
        && now - repair.risenMs() <= patience / STALLED_ONE_IN;
  }

  /**
   * @param uuid the DataNode's UUID
   * @return the repairs under way in which the node takes part
   */
  public synchronized List<TrackedRepair> involving(String uuid) {
    List<TrackedRepair> involving = new ArrayList<>();
    for (TrackedRepair repair : byId.values()) {
      if (repair.involves(uuid)) {
        involving.add(repair);
      }
    }
    return involving;
  }

  /** Adds up the work of repairs. Guarded by its {@link RepairTracker}. */
  static final class RepairTotals {
    private long done;
    private long bytesDone;

    void done(GrantRecord record) {
      done++;
      bytesDone += record.bytes;
    }

    RepairWork with(Collection<GrantRecord> underWay) {
      RepairWork.Builder work = new RepairWork.Builder().done(done, bytesDone);
      for (GrantRecord record : underWay) {
        work.add(record.bytes, record.doneShare(),
            record.assignment.group.spareUnits == 0);
      }
      return work.build();
    }
  }
}
