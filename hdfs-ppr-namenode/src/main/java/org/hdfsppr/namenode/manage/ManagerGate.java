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

import java.util.Optional;
import java.util.function.LongSupplier;
import org.hdfsppr.namenode.convert.ConvertGate;
import org.hdfsppr.namenode.manage.operator.BlockNames;
import org.hdfsppr.namenode.manage.operator.Outcome;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.scrub.ScrubGate;
import org.hdfsppr.namenode.version.VersionGate;
import org.hdfsppr.operate.UnseenReads;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers for the repair manager to the background checks, the engine of versions and the
 * conversions. Thread-safe.
 */
final class ManagerGate implements ScrubGate, VersionGate, ConvertGate {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerGate.class);

  private final PeerLog peerLog = new PeerLog(LOG);
  private final RepairManager manager;
  private final LongSupplier clockMs;
  private final RepairsFirst repairs = new RepairsFirst();

  /** @param clockMs the time, monotonic, ms */
  ManagerGate(RepairManager manager, LongSupplier clockMs) {
    this.manager = manager;
    this.clockMs = clockMs;
  }

  @Override
  public boolean isActive() {
    ManagerStatus status = manager.lastStatus();
    return status.state() != ManagerState.STANDBY
        && (status.state() != ManagerState.STARTING || status.isListening());
  }

  @Override
  public long term() {
    return manager.lastStatus().term();
  }

  @Override
  public synchronized Optional<String> whyNot() {
    return repairs.whyNot(manager.lastStatus(), clockMs.getAsLong());
  }

  @Override
  public Optional<String> whyNoCommit() {
    // A commit refuses files that have lost a unit. So it need not wait for repairs, nor for the
    // end of their pause.
    ManagerStatus status = manager.lastStatus();
    return !status.isInCharge() || status.isListening()
        ? Optional.of("the repair manager of this NameNode is not in charge: " + status.why())
        : Optional.empty();
  }

  @Override
  public Optional<String> whyNoJobs() {
    ManagerStatus status = manager.lastStatus();
    // A paused manager, or one that starts, goes on by itself, and a job waits for that.
    return status.state() == ManagerState.NOT_IN_CHARGE
        ? Optional.of("hdfs-ppr is not in charge of repairs here: " + status.why()
            + " ('hdfs ppr -status', 'hdfs ppr -doctor')")
        : Optional.empty();
  }

  @Override
  public Optional<UnseenReads> unseenReads() {
    int dataNodes = manager.lastStatus().dataNodes();
    // DataNodes may have registered, or died, since the manager's last cycle.
    return dataNodes == 0 ? Optional.empty()
        : Optional.of(new UnseenReads(Math.max(0, dataNodes - manager.seeingReads()), dataNodes));
  }

  @Override
  public boolean isDoubted(GroupId group) {
    return manager.isDoubted(group);
  }

  @Override
  public boolean doubt(GroupId group, int wrongUnit) {
    return manager.submit(() -> {
      String why;
      try {
        Outcome outcome = manager.operations().doubt(group.groupId, wrongUnit);
        if (outcome.done) {
          return;
        }
        why = outcome.sentence;
      } catch (RuntimeException | LinkageError e) {
        // This runs on the thread of the repairs, whose cycle has to go on.
        LOG.error("The doubt of {} fails", group, e);
        why = e.toString();
      }
      peerLog.warn("no doubt " + why.replace(BlockNames.nameOf(group.groupId), ""),
          "No doubt of {} begins by a background check: {}", group, why);
    });
  }

  /**
   * Decides whether checks in the background have to wait for repairs. Groups that wait in vain,
   * for instance because too much is lost or units contradict each other, must not end all checks
   * for ever. So waiting groups count only for a while after a repair was under way or a group
   * came. Not thread-safe.
   */
  static final class RepairsFirst {
    /** For how long groups may wait without a repair until checks may run beside them, ms. */
    static final long QUIET_MS = 60_000;

    private long busyMs = Long.MIN_VALUE / 2;
    private int waiting;

    /**
     * Looks at the repairs. Call it often, as it notices only what it sees.
     *
     * @param nowMs the time now, monotonic, ms
     * @return why checks have to wait, as a sentence without a full stop; empty if they need not
     */
    Optional<String> whyNot(ManagerStatus status, long nowMs) {
      if (status.inFlight() > 0 || status.waiting() > waiting) {
        busyMs = nowMs;
      }
      waiting = status.waiting();
      if (!status.isInCharge() || status.isListening() || status.pause().isPresent()) {
        return Optional.of("the repair manager of this NameNode does not begin repairs: "
            + status.why());
      }
      return status.inFlight() > 0 || waiting > 0 && nowMs - busyMs < QUIET_MS
          ? Optional.of("repairs go first: " + waiting + " groups wait, " + status.inFlight()
              + " repairs are under way")
          : Optional.empty();
    }
  }
}
