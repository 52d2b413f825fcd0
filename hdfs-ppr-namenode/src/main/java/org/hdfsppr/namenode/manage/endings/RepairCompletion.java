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
package org.hdfsppr.namenode.manage.endings;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.track.FailedTry;
import org.hdfsppr.namenode.track.GrantRecord;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends repairs, whether they succeeded or not. For each repair it removes the load, ends the grant,
 * and decides what happens to the group next. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class RepairCompletion {
  private static final Logger LOG = LoggerFactory.getLogger(RepairCompletion.class);

  private final ManagerKnowledge known;
  private final PeerLog peerLog = new PeerLog(LOG);
  private final Fleet fleet;
  private final DoubtKeeper doubts;
  private final StockHandOver handOver;
  private final RepairAborts aborts;

  /**
   * @param known the state and the settings that the manager's parts share
   * @param fleet the load of each DataNode
   * @param doubts the groups whose units may contradict each other
   * @param handOver hands groups to stock
   * @param aborts gives up failed repairs that the NameNode still has as pending
   */
  public RepairCompletion(ManagerKnowledge known, Fleet fleet, DoubtKeeper doubts,
      StockHandOver handOver,
      RepairAborts aborts) {
    this.known = known;
    this.fleet = fleet;
    this.doubts = doubts;
    this.handOver = handOver;
    this.aborts = aborts;
  }

  /**
   * Takes note that a repair has failed. Its group is planned again, or left to stock if repairs of
   * the group have failed too often.
   *
   * @param repair the repair that failed
   * @param reason the reason, as metrics count it
   * @param why the reason, in words for the log
   * @param uuid UUID of the node that the next repair should leave out, or null
   * @param isToBlame true if the failure counts against the node itself, and not only against the
   *     node's part in this repair
   */
  public void fail(TrackedRepair repair, EndReason reason, String why, String uuid,
      boolean isToBlame) {
    fail(repair, reason, why, uuid, isToBlame, null, null);
  }

  /**
   * Takes note that a repair has failed, as its destination reports.
   *
   * @param repair the repair that failed
   * @param reason the kind of failure, for metrics
   * @param result the destination's report
   * @param uuid UUID of the node that the next repair should leave out, or null
   * @param isToBlame true if the failure counts against the node itself, and not only against the
   *     node's part in this repair
   */
  public void fail(TrackedRepair repair, EndReason reason, RepairResult result, String uuid,
      boolean isToBlame) {
    fail(repair, reason, result.toString(), uuid, isToBlame, result.failedNode,
        result.cause);
  }

  private void fail(TrackedRepair repair, EndReason reason, String why, String uuid,
      boolean isToBlame,
      String failedNode, FailureCause cause) {
    GroupId group = repair.assignment.group.id;
    GrantRecord record = known.tracker.grant(group).orElse(null);
    if (record == null || !known.tracker.byId(repair.id).isPresent()) {
      return;
    }
    // If a node is lost, many repairs fail at once, and the log shows only some of them. The notes
    // of each group have its own failures.
    peerLog.warn("failed " + reason + " " + cause + " " + failedNode,
        "Repair {} of {} has failed: {}, {}", repair.id, record.assignment.group,
        RepairLine.of(record, known.clockMs.getAsLong()), why);
    for (TrackedRepair other : known.tracker.commands(record)) {
      if (other != repair && !other.isReported()) {
        cancel(other, "repair " + repair.id + " of the same group has failed");
      }
    }
    known.tracker.end(record, false);
    fleet.remove(record.load);
    known.retries.failed(group, uuid, isToBlame);
    known.retries.notes.failed(group, new FailedTry(known.clockMs.getAsLong(), failedNode, cause,
        "repair " + repair.id + ", led by " + repair.destination() + ", failed: " + why));
    known.groups.failed(group);
    known.metrics.failed(codec(record), reason);
    aborts.add(record.grant);
    if (known.retries.isHopeless(group)) {
      doubts.undecided(group);
      handOver.leave(record.assignment.group, "it has failed too often");
    }
  }

  /**
   * Orders a repair's destination to stop, if the node is live.
   *
   * @param repair the repair
   * @param why the reason, which the destination logs
   */
  public void cancel(TrackedRepair repair, String why) {
    known.agents.live(repair.destination().uuid).ifPresent(agent ->
        agent.cancel(new CancelCommand(repair.id, known.books.term(), why)));
  }

  /**
   * Takes note that a repair is not pending in the NameNode any more.
   *
   * @param grant the repair that ended
   * @param end how it ended
   */
  public void ended(RepairGrant grant, RepairEnd end) {
    GroupId group = grant.group;
    GrantRecord record = known.tracker.grant(group)
        .filter(one -> one.grant.number == grant.number).orElse(null);
    if (record == null) {
      return;
    }
    List<TrackedRepair> commands = known.tracker.commands(record);
    boolean done = end == RepairEnd.DONE;
    known.tracker.end(record, done);
    fleet.remove(record.load);
    long now = known.clockMs.getAsLong();
    String id = record.grant.term + "-" + record.grant.number;
    if (done) {
      known.metrics.rebuilt(codec(record), record.assignment.targets.size(),
          record.bytes, now - record.startedMs);
    } else {
      commands.forEach(repair -> cancel(repair, end.toString()));
    }
    if (end == RepairEnd.GIVEN_UP) {
      peerLog.warn("given up", "Repair {} of {} is given up: {}", id, record.assignment.group,
          RepairLine.of(record, now));
      known.retries.failed(group, null, false);
      known.retries.notes.failed(group, new FailedTry(now, null, null, "repair " + id
          + " was given up, as the NameNode's own timeout ended it"));
      known.groups.failed(group);
      known.metrics.failed(codec(record), EndReason.GIVEN_UP);
    } else {
      LOG.info("Repair {} of {} has ended, {}: {}", id, record.assignment.group,
          inWords(end), RepairLine.of(record, now));
      known.groups.ended(group, done);
      if (!done) {
        known.metrics.dropped(codec(record), end == RepairEnd.RETURNED
            ? EndReason.RETURNED : EndReason.DELETED);
      }
      known.retries.notes.whole(group, now, "repair " + id + " has ended, " + inWords(end));
      if (end == RepairEnd.RETURNED) {
        // No check has read the units that came back with their nodes, so that a doubt about the
        // group stays.
        doubts.undecided(group);
        known.retries.returned(group);
      } else {
        known.retries.forget(group);
      }
    }
    if (end == RepairEnd.DELETED) {
      doubts.end(group);
    } else if (done && record.isSingle()) {
      // Each of several commands has read only some units, so that none of them can end a doubt.
      clearDoubt(commands.get(0));
    }
  }

  private static String inWords(RepairEnd end) {
    switch (end) {
      case DONE:
        return "its units are rebuilt";
      case RETURNED:
        return "as its units came back";
      case DELETED:
        return "as the group was deleted or written to";
      default:
        return end.toString();
    }
  }

  private void clearDoubt(TrackedRepair repair) {
    if (repair.assignment.doubted && repair.isClean()) {
      doubts.repaired(RepairScope.of(repair.assignment), repair.readUnits());
    }
  }

  /**
   * Ends all repairs without further consequences for their groups, because this NameNode is not
   * active or is in safe mode.
   */
  public void endAll() {
    for (GrantRecord record : known.tracker.endAll()) {
      fleet.remove(record.load);
      known.groups.ended(record.grant.group, false);
      known.metrics.dropped(codec(record), EndReason.NOT_ACTIVE);
    }
  }

  private static String codec(GrantRecord record) {
    return record.assignment.group.policy.codec;
  }

  /** Describes a repair for the one log line about its end: what was repaired, where and how. */
  static final class RepairLine {
    private static final double MS_PER_S = 1000;

    private RepairLine() {
    }

    /** Returns bytes, seconds, destinations and topology of a repair that ends now. */
    static String of(GrantRecord record, long nowMs) {
      Assignment all = record.assignment;
      String targets = all.targets.stream().map(target -> target.unit + "@" + target.node)
          .collect(Collectors.joining(", "));
      return String.format(Locale.ROOT, "%d bytes in %.1f s to [%s], %s",
          record.bytes, (nowMs - record.startedMs) / MS_PER_S,
          targets, all.topology);
    }
  }
}
