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
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
import org.hdfsppr.namenode.queue.Grant;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.plan.GroupId;

/**
 * The repairs that this NameNode has under way, each in a declared state. Reports of DataNodes that
 * do not fit are ignored: they may be late, repeated, or meant for another NameNode. Thread-safe;
 * holds no other lock while it holds its own.
 */
@InterfaceAudience.Private
public final class RepairTracker {
  /** A destination that does not fetch its command in that time does not heartbeat. */
  static final long FETCH_MS = 10_000;
  /**
   * Stock reports a replica at once; where the report is lost, the next full block report would
   * bring it, and until then the group is planned anew.
   */
  static final long CONFIRM_MS = 30_000;
  /**
   * Heartbeats in a row that do not name a repair. After these the repair counts as lost there: its
   * command did not arrive, or the DataNode has restarted. The first of them may have been under
   * way before the command came.
   */
  static final int MISSED_MAX = 3;
  /** The least time for that, ms: heartbeats that have waited all come at once. */
  static final long MISSED_MS = 2_000;
  /** Ended repairs that are remembered, because their DataNodes may still carry them out. */
  static final int ENDED_MAX = 20_000;
  /**
   * How long a target may take for one step of its ending, with Hadoop's default timeouts: it syncs
   * the replica to a disk that may be busy, and the destination waits as a stock pipeline does.
   */
  static final long ENDING_MS =
      HdfsConstants.READ_TIMEOUT + HdfsConstants.READ_TIMEOUT_EXTENSION;
  /**
   * The least time that a repair is given. A target ends in two steps: it finishes its replica, and
   * then reads back the checksums. The destination reports no progress meanwhile, so that
   * with less time a repair would be given up though all its bytes are there. The prediction
   * includes neither that nor slow starts.
   */
  static final long DEADLINE_MS_MIN = 2 * ENDING_MS;
  /** Multiple of the predicted time after which a repair is given up (design: at least 3). */
  static final int DEADLINE_FACTOR = 5;
  /** The time doubles with each failure of the group, up to this many times. */
  static final int DOUBLINGS_MAX = 4;
  /** Multiple of its time that a repair gets if it advances fast enough to end within that. */
  static final int ADVANCING_FACTOR = 4;
  /**
   * A repair that just ends in time advances by a per cent in a 25th of its time. A heartbeat may
   * be late; a repair that takes four times as long for a per cent stands still.
   */
  static final int STALLED_ONE_IN = 6;

  private final LongSupplier clockMs;
  private final Map<String, Repair> byId = new LinkedHashMap<>();
  private final Map<GroupId, GrantRecord> byGroup = new HashMap<>();
  private final Map<String, Map<String, Repair>> byDestination = new HashMap<>();
  /** The repairs that have ended here, oldest first. */
  private final Map<String, EndedRepair> ended = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, EndedRepair> eldest) {
      return size() > ENDED_MAX;
    }
  };

  /** @param clockMs the time, monotonic, ms */
  public RepairTracker(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /**
   * Adds a repair that the NameNode's books now have as pending. {@link #next} begins its commands.
   *
   * @param assignment what is repaired, by which nodes
   * @param grant the entry in the books
   * @param load the bytes that the repair moves over each link and disk
   * @param predictedMs the predicted duration, ms
   * @param failures failures of the group's repairs in a row: a slow repair that is cut short again
   *     and again would never end
   * @return the grant with its commands
   * @throws IllegalStateException if a repair of this group is under way
   */
  public synchronized GrantRecord open(Assignment assignment, Grant grant, RepairLoad load,
      long predictedMs, int failures) {
    GroupId group = assignment.group().id();
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
  public synchronized List<Repair> next(GrantRecord record) {
    List<Repair> begun = new ArrayList<>();
    if (byGroup.get(record.grant().group()) != record) {
      return begun;
    }
    long now = clockMs.getAsLong();
    long most = Math.min(ADVANCING_FACTOR * record.patienceMs(), RepairCommand.DEADLINE_MS_MAX);
    for (int step : record.ready()) {
      Repair repair = new Repair(record.id(step), record.part(step), record.grant(),
          record.load(), record.rebuiltBefore(step), now, now + record.patienceMs(), now + most);
      record.setCommand(step, repair);
      byId.put(repair.id(), repair);
      byDestination.computeIfAbsent(repair.destination().uuid(), uuid -> new LinkedHashMap<>())
          .put(repair.id(), repair);
      begun.add(repair);
    }
    return begun;
  }

  /**
   * @param group the group
   * @return the grant under which a group is at work
   */
  public synchronized Optional<GrantRecord> grant(GroupId group) {
    return Optional.ofNullable(byGroup.get(group));
  }

  /**
   * @param record the grant with its commands
   * @return the commands under a grant that have been ordered, or are about to be
   */
  public synchronized List<Repair> commands(GrantRecord record) {
    return record.commands();
  }

  /** @return all grants that are under way */
  public synchronized List<GrantRecord> grants() {
    return new ArrayList<>(byGroup.values());
  }

  /**
   * @param id the repair's id
   * @return the repair with this id, if it is under way
   */
  public synchronized Optional<Repair> byId(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /**
   * @param group the group
   * @return the first command for a group that is at work
   */
  public synchronized Optional<Repair> byGroup(GroupId group) {
    return grant(group).flatMap(record -> record.commands().stream().findFirst());
  }

  /** @return all repairs under way, the oldest first */
  public synchronized List<Repair> all() {
    return new ArrayList<>(byId.values());
  }

  /**
   * @param max how many at most
   * @return how far the repairs are that began first, at most {@code max}
   */
  public synchronized List<RepairProgress> progress(int max) {
    return byId.values().stream().limit(max).map(RepairProgress::new)
        .collect(Collectors.toList());
  }

  /** @return the repairs whose commands no DataNode has fetched yet */
  public synchronized List<Repair> unsent() {
    List<Repair> unsent = all();
    unsent.removeIf(repair -> repair.state() != RepairState.PLANNED);
    return unsent;
  }

  /** @return how many commands are under way */
  public synchronized int size() {
    return byId.size();
  }

  /**
   * A DataNode fetches the repair's command.
   *
   * @param id the repair's id
   * @return false if the repair has ended or its command has been fetched before; it must not go
   *     out
   */
  public synchronized boolean sent(String id) {
    return become(id, RepairState.SENT);
  }

  /**
   * The destination reports that it is at work on the repair.
   *
   * @param id the repair's id
   * @param donePercent how much is done, 0 to 100
   * @return whether the repair's state changes by that, as with the first such report
   */
  public synchronized boolean running(String id, int donePercent) {
    byId(id).ifPresent(repair -> repair.done(donePercent, clockMs.getAsLong()));
    return become(id, RepairState.RUNNING);
  }

  /**
   * @param repair the repair
   * @return how much is done of all that a repair's grant is for, 0 to 1
   */
  public synchronized double doneShare(Repair repair) {
    return grant(repair.assignment().group().id()).map(GrantRecord::doneShare).orElse(1.0);
  }

  /** @return the repairs that got on since the last call, and how much of each is done, per cent */
  public synchronized Map<Repair, Integer> takeProgress() {
    Map<Repair, Integer> progress = new LinkedHashMap<>();
    for (Repair repair : byId.values()) {
      int percent = repair.takeDonePercent();
      if (percent >= 0) {
        progress.put(repair, percent);
      }
    }
    return progress;
  }

  /**
   * The destination reports that its units are rebuilt.
   *
   * @param id the repair's id
   * @param isClean whether all units are rebuilt, and nothing that was read contradicted the rest
   * @param readUnits units that agree in every byte, as the destination reports
   * @return whether the repair's state changes by that; false if it has ended or was reported
   *     before
   */
  public synchronized boolean reported(String id, boolean isClean, List<Integer> readUnits) {
    byId(id).ifPresent(repair -> repair.setRead(isClean, readUnits));
    return become(id, RepairState.REPORTED);
  }

  /**
   * A heartbeat has come. The repairs that it names, and those that it should name and does not,
   * take note of the time; nothing is decided yet.
   *
   * @param uuid UUID of the DataNode that sent it
   * @param named ids of the repairs that it names, as running or as ended
   * @param isAll whether it names all that it should; messages are bounded
   */
  public synchronized void heard(String uuid, Set<String> named, boolean isAll) {
    long now = clockMs.getAsLong();
    for (Repair repair : byDestination.getOrDefault(uuid, Collections.emptyMap()).values()) {
      boolean isNamed = named.contains(repair.id());
      if (isNamed || isAll) {
        repair.heard(isNamed, now);
      }
    }
  }

  /**
   * The destination has reported how the repair ended. The next cycle takes note of it.
   *
   * @param id the repair's id
   */
  public synchronized void told(String id) {
    byId(id).ifPresent(Repair::told);
  }

  /**
   * Whether a node can be at work on a repair of a group because this NameNode ordered it: until
   * the deadline of the repair, at which the node gives up by itself.
   *
   * @param id the repair's id
   * @param uuid UUID of the node that claims to lead it
   * @param groupId the group's id, without its generation stamp
   * @return whether the claim can be true
   */
  public synchronized boolean isOrdered(String id, String uuid, long groupId) {
    Repair repair = byId.get(id);
    if (repair != null) {
      return repair.destination().uuid().equals(uuid)
          && repair.assignment().group().id().groupId() == groupId
          && clockMs.getAsLong() <= repair.deadlineMs();
    }
    EndedRepair order = ended.get(id);
    return order != null && order.uuid().equals(uuid) && order.group().groupId() == groupId
        && clockMs.getAsLong() <= order.deadlineMs();
  }

  /**
   * @param id the repair's id
   * @param uuid UUID of the node that led it
   * @return the repair, if it has ended here not long ago
   */
  public synchronized Optional<EndedRepair> ended(String id, String uuid) {
    return Optional.ofNullable(ended.get(id)).filter(one -> one.uuid().equals(uuid));
  }

  private boolean become(String id, RepairState next) {
    Repair repair = byId.get(id);
    if (repair == null || !repair.mayBecome(next)) {
      return false;
    }
    repair.become(next, clockMs.getAsLong());
    return true;
  }

  /**
   * Ends a repair, with all commands under its grant.
   *
   * @param id the repair's id
   * @param done whether its units are rebuilt
   * @return the repair, if it was under way
   */
  public synchronized Optional<Repair> end(String id, boolean done) {
    Repair repair = byId.get(id);
    if (repair != null) {
      end(byGroup.get(repair.assignment().group().id()), done);
    }
    return Optional.ofNullable(repair);
  }

  /**
   * Ends all commands under a grant, also if none has begun.
   *
   * @param record the grant with its commands
   * @param done whether all units of the grant are rebuilt
   */
  public synchronized void end(GrantRecord record, boolean done) {
    if (!byGroup.remove(record.grant().group(), record)) {
      return;
    }
    for (Repair repair : record.commands()) {
      byId.remove(repair.id());
      String destination = repair.destination().uuid();
      Map<String, Repair> there = byDestination.get(destination);
      there.remove(repair.id());
      if (there.isEmpty()) {
        byDestination.remove(destination);
      }
      if (repair.state() != RepairState.PLANNED) {
        // Each of several commands has read only a part, so that none of them ends a doubt.
        ended.put(repair.id(), new EndedRepair(repair, done && record.isSingle()));
      }
      repair.become(done ? RepairState.DONE : RepairState.FAILED, clockMs.getAsLong());
    }
  }

  /**
   * Ends all repairs, because another NameNode is in charge from now on, or none.
   *
   * @return the repairs that were under way
   */
  public synchronized Collection<Repair> endAll() {
    List<Repair> all = all();
    grants().forEach(record -> end(record, false));
    return all;
  }

  /**
   * Finds the repairs whose next step takes longer than it may.
   *
   * @return the repairs, and what each waits for
   */
  public synchronized Map<Repair, String> overdue() {
    long now = clockMs.getAsLong();
    Map<Repair, String> overdue = new LinkedHashMap<>();
    for (Repair repair : byId.values()) {
      long waited = now - repair.stateSinceMs();
      if (repair.state() == RepairState.PLANNED && waited > FETCH_MS) {
        overdue.put(repair, "its destination has not fetched the command for " + waited + " ms");
      } else if (reportedForMs(repair, now) > CONFIRM_MS) {
        overdue.put(repair, "no block report has come for " + reportedForMs(repair, now) + " ms");
      } else if (repair.missed() >= MISSED_MAX && now - repair.namedMs() >= MISSED_MS) {
        overdue.put(repair, "its destination has not named it in " + repair.missed()
            + " heartbeats: it has restarted, or the command was lost");
      } else if (repair.state() != RepairState.REPORTED && now > repair.dueMs()
          && !endsInTime(repair, now)) {
        overdue.put(repair, "it is not finished after " + (now - repair.startedMs()) + " ms");
      }
    }
    return overdue;
  }

  private long reportedForMs(Repair repair, long now) {
    return byGroup.get(repair.assignment().group().id()).reportedForMs(now);
  }

  /** To give up a repair that advances would only waste its work and slow the next one down. */
  private static boolean endsInTime(Repair repair, long now) {
    long patience = repair.dueMs() - repair.startedMs();
    return now <= repair.deadlineMs() && repair.endMs(now) <= repair.deadlineMs()
        && now - repair.risenMs() <= patience / STALLED_ONE_IN;
  }

  /**
   * @param uuid the DataNode's UUID
   * @return the repairs under way in which the node has a part
   */
  public synchronized List<Repair> involving(String uuid) {
    List<Repair> involving = new ArrayList<>();
    for (Repair repair : byId.values()) {
      if (repair.involves(uuid)) {
        involving.add(repair);
      }
    }
    return involving;
  }
}
