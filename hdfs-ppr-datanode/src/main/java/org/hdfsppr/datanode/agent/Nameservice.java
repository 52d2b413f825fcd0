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
package org.hdfsppr.datanode.agent;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.hdfsppr.datanode.command.CommandDispatcher;
import org.hdfsppr.datanode.metrics.CommandEvent;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the commands of one nameservice, from whichever of its NameNodes they come. This class
 * keeps the newest term, the running jobs, and the results that no NameNode has acknowledged yet.
 * The {@link CommandDispatcher} starts each job once, even if the command comes several times.
 * Thread-safe.
 */
final class Nameservice {
  private static final Logger LOG = LoggerFactory.getLogger(Nameservice.class);
  /** Logs messages that a manager can cause with each heartbeat, at a bounded rate. */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  /**
   * The greatest number of results that wait for an acknowledgement. A DataNode needs many minutes
   * to produce this many results. Repairs with older results are past their deadlines, so that no
   * manager waits for these results any more.
   */
  private static final int RESULTS_MAX = 4 * HeartbeatRequest.RESULTS_MAX;
  /**
   * The greatest number of results in {@code recent}. Far fewer repairs end while an answer with a
   * repeated command is on its way.
   */
  private static final int RECENT_MAX = RESULTS_MAX;

  private final String name;
  private final CommandDispatcher desk;
  private final RepairMetrics metrics;
  private final Runnable whenEnded;
  private final BiConsumer<Integer, Long> pressure;
  private final Map<String, ManagerCommand> running = new LinkedHashMap<>();
  /** Results that no NameNode has acknowledged, oldest first. */
  private final Map<String, RepairResult> results = new LinkedHashMap<>();
  /**
   * The latest results, acknowledged or not. If the command of an ended job comes again, the next
   * heartbeat sends the result from this map again.
   */
  private final Map<String, RepairResult> recent = new LinkedHashMap<>();
  private long newestTerm;

  /**
   * @param name the name of the nameservice, for logs
   * @param desk starts and cancels jobs
   * @param metrics counts commands and results
   * @param whenEnded wakes the heartbeats when there is a result to send
   * @param pressure receives the pressure of repairs (percent) and the rate of the node's link
   *     (bytes/s) from each answer of an active manager that has them
   */
  Nameservice(String name, CommandDispatcher desk, RepairMetrics metrics, Runnable whenEnded,
      BiConsumer<Integer, Long> pressure) {
    this.pressure = pressure;
    this.name = name;
    this.desk = desk;
    this.metrics = metrics;
    this.whenEnded = whenEnded;
  }

  /** Returns the newest term of an active manager, 0 if there has been none. */
  synchronized long newestTerm() {
    return newestTerm;
  }

  synchronized List<RunningRepair> running() {
    List<RunningRepair> all = new ArrayList<>();
    for (ManagerCommand command : running.values()) {
      RunningRepair repair = desk.running(command);
      if (repair != null) {
        all.add(repair);
      }
    }
    return all;
  }

  /** Returns the oldest results that no NameNode has acknowledged, as many as fit in a message. */
  synchronized List<RepairResult> results() {
    List<RepairResult> oldest = new ArrayList<>(results.values());
    return oldest.subList(0, Math.min(oldest.size(), HeartbeatRequest.RESULTS_MAX));
  }

  synchronized boolean hasResults() {
    return !results.isEmpty();
  }

  /**
   * Handles a NameNode's answer: forgets acknowledged results, and starts or cancels jobs as the
   * commands say.
   */
  void take(HeartbeatResponse response) {
    List<ManagerCommand> toStart = new ArrayList<>();
    List<ManagerCommand> toCancel = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    synchronized (this) {
      for (String id : response.acknowledged) {
        if (results.remove(id) != null) {
          metrics.commandEvent(CommandEvent.ACKNOWLEDGED);
        }
      }
      if (!response.active) {
        return;
      }
      if (response.term > newestTerm) {
        LOG.info("Repairs of {} are ordered in term {} from now on", name, response.term);
        newestTerm = response.term;
      }
      if (response.saysPressure() && response.term == newestTerm) {
        pressure.accept(response.pressure, response.linkBytesPerSecond);
      }
      for (RepairResult unreadable : response.unreadable) {
        if (isNew(unreadable.repairId)) {
          PEER_LOG.warn("unreadable", "A command is refused: {}", unreadable);
          keep(unreadable);
        }
      }
      for (ManagerCommand command : response.commands) {
        if (command instanceof CancelCommand) {
          ManagerCommand job = running.get(command.id());
          if (job != null && !isStale(command.term(), response)) {
            metrics.commandEvent(CommandEvent.CANCELLED);
            toCancel.add(job);
            reasons.add(((CancelCommand) command).reason);
          }
        } else if (isNew(command.id())) {
          if (isStale(command.term(), response)) {
            keep(stale(command, response));
          } else if (!desk.takes(command)) {
            keep(unknown(command));
          } else {
            running.put(command.id(), command);
            toStart.add(command);
          }
        }
      }
    }
    // Jobs are started and cancelled outside the lock, because a job may report its result at once.
    toStart.forEach(this::start);
    for (int i = 0; i < toCancel.size(); i++) {
      desk.cancel(toCancel.get(i), reasons.get(i));
    }
  }

  private void start(ManagerCommand command) {
    try {
      desk.start(command, this::ended);
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
      LOG.error("The command '{}' {} cannot be started", command.kind(), command.id(), e);
      ended(RepairResult.notTried(command.id(), command.term(), RepairOutcome.REFUSED, null,
          e.toString()));
    }
  }

  private boolean isStale(long term, HeartbeatResponse response) {
    return term < newestTerm || response.term < newestTerm;
  }

  private RepairResult stale(ManagerCommand command, HeartbeatResponse response) {
    PEER_LOG.warn("stale", "The command is of term {}, from a manager in term {}, but {} is in term"
        + " {}: {}", command.term(), response.term, name, newestTerm, command);
    return RepairResult.notTried(command.id(), command.term(), RepairOutcome.STALE, null,
        "the newest term is " + newestTerm);
  }

  private static RepairResult unknown(ManagerCommand command) {
    RepairResult refused = RepairResult.notTried(command.id(), command.term(),
        RepairOutcome.REFUSED, FailureCause.UNSUPPORTED,
        "This DataNode does not carry out the command '" + command.kind() + "'");
    PEER_LOG.warn("unknown", "A command is refused: {}", refused);
    return refused;
  }

  /**
   * Returns whether a command comes for the first time. If it has come before and its job has
   * ended, the next heartbeat sends the result again.
   */
  private boolean isNew(String repairId) {
    RepairResult result = recent.get(repairId);
    if (result == null && !running.containsKey(repairId)) {
      metrics.commandEvent(CommandEvent.RECEIVED);
      return true;
    }
    metrics.commandEvent(CommandEvent.REPEATED);
    if (result != null) {
      results.put(repairId, result);
      dropOldest(results, RESULTS_MAX);
    }
    return false;
  }

  private void ended(RepairResult result) {
    synchronized (this) {
      running.remove(result.repairId);
      keep(result);
    }
    whenEnded.run();
  }

  private void keep(RepairResult result) {
    metrics.commandEvent(event(result));
    results.put(result.repairId, result);
    for (int i = dropOldest(results, RESULTS_MAX); i > 0; i--) {
      metrics.commandEvent(CommandEvent.DROPPED);
    }
    recent.put(result.repairId, result);
    dropOldest(recent, RECENT_MAX);
  }

  private static CommandEvent event(RepairResult result) {
    if (result.scrub != null) {
      return CommandEvent.CHECKED;
    }
    if (result.version != null) {
      return CommandEvent.OF_VERSION;
    }
    switch (result.outcome) {
      case REBUILT:
        return CommandEvent.REBUILT;
      case STALE:
        return CommandEvent.STALE;
      case REFUSED:
        return CommandEvent.REFUSED;
      case FAILED:
      default:
        return CommandEvent.FAILED;
    }
  }

  private static int dropOldest(Map<String, RepairResult> map, int most) {
    int dropped = 0;
    for (Iterator<RepairResult> oldest = map.values().iterator(); map.size() > most; dropped++) {
      oldest.next();
      oldest.remove();
    }
    return dropped;
  }

  @Override
  public String toString() {
    return name;
  }
}
