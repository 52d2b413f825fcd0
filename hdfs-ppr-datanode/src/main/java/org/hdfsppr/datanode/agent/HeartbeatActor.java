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

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hdfsppr.datanode.command.HeartbeatNotes;
import org.hdfsppr.datanode.metrics.CommandEvent;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.NodeSelf;
import org.hdfsppr.manage.RepairManagerProtocol;
import org.hdfsppr.manage.SelfReport;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.service.Services;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.RequestFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends heartbeats to the repair manager of one NameNode, on a thread of its own. The actor sends a
 * heartbeat in each interval. If the manager is active, the actor also sends a heartbeat as soon as
 * there is a result to report or an order to fetch. While the manager does not answer, the actor
 * doubles the pause after each heartbeat, up to {@link #BACKOFF_MS_MAX}. The actor logs a line only
 * when the manager's state changes.
 */
final class HeartbeatActor implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatActor.class);
  /**
   * The longest pause between heartbeats, ms. A manager that has started again gets a heartbeat of
   * this node within this time.
   */
  private static final long BACKOFF_MS_MAX = 10_000;

  /** The state of a NameNode's manager, as this DataNode sees it. */
  private enum State { UNKNOWN, ABSENT, INACTIVE, ACTIVE }

  /** Makes clients; each client connects at its first call. */
  interface Clients {
    /**
     * Returns a client, which the caller closes. Throws an IOException if the manager's host name
     * is unknown.
     */
    Client open() throws IOException;
  }

  /** Calls a manager over a connection that can be closed. */
  interface Client extends RepairManagerProtocol {
    void close();
  }

  /** Describes this node for the heartbeats. */
  interface Self {
    /** Returns this node; null before its first handshake with a NameNode. */
    NodeRef node();

    NodeLoad load();

    /** Returns the version of this plugin, which the manager logs. */
    String softwareVersion();

    /** Returns the {@link RequestFeatures} that this node announces. */
    default long requestFeatures() {
      return RequestFeatures.KNOWN;
    }

    /** Returns the {@link CommandFeatures} that this node announces. */
    default long commandFeatures() {
      return CommandFeatures.KNOWN;
    }

    /**
     * Returns the facts about this node that change only with a restart, such as versions and
     * settings; null if there are none to report.
     */
    default NodeSelf about() {
      return null;
    }

    /** Returns this node's wall clock, ms since 1970 (UTC). */
    default long wallClockMs() {
      return SelfReport.NO_CLOCK;
    }

    /** Returns the UUIDs of the DataNodes whose repair port this node lately failed to reach. */
    default List<String> unreachable() {
      return Collections.emptyList();
    }
  }

  private final String namenode;
  private final Nameservice nameservice;
  private final Self self;
  private final Clients clients;
  private final RepairMetrics metrics;
  private final long intervalMs;
  private final Reports reports;
  private final SelfReporter selfNews;
  private final PeerLog peerLog = new PeerLog(LOG);
  private final CallPace pace = new CallPace(System::nanoTime);
  private final Semaphore wake = new Semaphore(0);
  private Client client;
  private int failures;
  private volatile State state = State.UNKNOWN;
  /**
   * How long the manager keeps a call of {@link OrderWait} open if it has no orders, ms, as its
   * last answer said.
   */
  private volatile int orderWaitMs;
  private volatile boolean closed;

  /**
   * @param namenode the name of the NameNode, for logs
   * @param nameservice keeps the commands and results
   * @param self describes this node
   * @param clients makes clients, which connect to the NameNode's manager
   * @param metrics counts heartbeats
   * @param intervalMs the time between heartbeats, ms
   * @param reports what heartbeats report beside this node's state
   */
  HeartbeatActor(String namenode, Nameservice nameservice, Self self, Clients clients,
      RepairMetrics metrics, long intervalMs, Reports reports) {
    this.namenode = namenode;
    this.nameservice = nameservice;
    this.self = self;
    this.clients = clients;
    this.metrics = metrics;
    this.intervalMs = intervalMs;
    this.reports = reports;
    this.selfNews = new SelfReporter(self::about, self::wallClockMs, self::unreachable);
  }

  /**
   * Makes the actor send a heartbeat soon, because there is a result to report or an order to
   * fetch. Does nothing unless the manager is active.
   */
  void wake() {
    if (state == State.ACTIVE) {
      wake.release();
    }
  }

  /** Returns this node; null before its first handshake with a NameNode. */
  NodeRef node() {
    return self.node();
  }

  /**
   * Returns how long the manager keeps a call of {@link OrderWait} open if it has no orders, ms; 0
   * if the manager takes no such calls now.
   */
  int orderWaitMs() {
    return state == State.ACTIVE ? orderWaitMs : 0;
  }

  @Override
  public void run() {
    try {
      metrics.services.open("ppr-heartbeat", this::stepFailed).run(this::take);
    } finally {
      hangUp();
      enter(State.UNKNOWN, "");
    }
  }

  private boolean take() throws InterruptedException {
    if (closed) {
      return false;
    }
    NodeRef node = self.node();
    if (node != null) {
      beat(node);
    }
    Thread.sleep(Math.min(pace.called(), intervalMs));
    wake.tryAcquire(pauseMs(), TimeUnit.MILLISECONDS);
    wake.drainPermits();
    return true;
  }

  private void stepFailed(Throwable e) {
    peerLog.error(e.getClass().getName(), "A step of the heartbeats to {} failed", namenode, e);
  }

  /** Returns the register of the threads of this DataNode's plugin, which metrics show. */
  Services services() {
    return metrics.services;
  }

  private long pauseMs() {
    // The pause doubles with each failure, up to BACKOFF_MS_MAX.
    return failures == 0 ? intervalMs
        : Math.min(BACKOFF_MS_MAX, intervalMs << Math.min(failures, 16));
  }

  private void beat(NodeRef node) {
    try {
      if (client == null) {
        client = clients.open();
      }
      boolean tellsResults = state == State.ACTIVE;
      HeartbeatResponse response = client.heartbeat(reports.addTo(new HeartbeatRequest(
          HeartbeatRequest.PROTOCOL_VERSION, self.softwareVersion(), node,
          nameservice.newestTerm(), self.load(), nameservice.running(),
          tellsResults ? nameservice.results() : Collections.emptyList()))
          .withFeatures(self.requestFeatures(), self.commandFeatures())
          .withSelfReport(selfNews.next()));
      failures = 0;
      metrics.commandEvent(CommandEvent.HEARTBEAT_ANSWERED);
      orderWaitMs = response.orderWaitMs;
      enter(response.active ? State.ACTIVE : State.INACTIVE, "term " + response.term);
      reports.answered(response);
      selfNews.answered(response);
      nameservice.take(response);
      if (!tellsResults && response.active && nameservice.hasResults()) {
        wake.release();
      }
    } catch (IOException | RuntimeException | LinkageError | AssertionError
        | VirtualMachineError e) {
      // Hadoop's RPC throws a RuntimeException for a host name that cannot be resolved, and in
      // other cases. After any exception or Error the actor goes on, because the next heartbeat may
      // succeed.
      reports.lost();
      selfNews.lost();
      hangUp();
      if (!closed) {
        failures++;
        metrics.commandEvent(CommandEvent.HEARTBEAT_FAILED);
        enter(State.ABSENT, e.toString());
        LOG.debug("No answer from the repair manager of {}", namenode, e);
      }
    }
  }

  private void hangUp() {
    if (client != null) {
      client.close();
      client = null;
    }
  }

  private void enter(State next, String detail) {
    State before = state;
    if (before == next) {
      return;
    }
    state = next;
    metrics.managersChanged(answers(next) - answers(before), schedules(next) - schedules(before));
    switch (next) {
      case ACTIVE:
        LOG.info("The repair manager of {} ({}) is active, {}", namenode, nameservice, detail);
        break;
      case INACTIVE:
        LOG.info("The repair manager of {} ({}) is not active", namenode, nameservice);
        break;
      case ABSENT:
        LOG.info("No repair manager answers for {} ({}): {}; stock's tasks are repaired as before",
            namenode, nameservice, firstLine(detail));
        break;
      case UNKNOWN:
      default:
        break;
    }
  }

  private static int answers(State state) {
    return state == State.ACTIVE || state == State.INACTIVE ? 1 : 0;
  }

  private static int schedules(State state) {
    return state == State.ACTIVE ? 1 : 0;
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  /** Sends no more heartbeats. The thread ends soon once the caller has interrupted it. */
  void close() {
    closed = true;
    // A call under way may swallow the caller's interrupt. This permit then ends the thread's next
    // pause.
    wake.release();
  }

  @Override
  public String toString() {
    return namenode;
  }

  /**
   * What the heartbeats to one NameNode report beside this node's state. Used by one thread.
   */
  static final class Reports {
    private final ResidentReport resident;
    private final DegradedReport degraded;
    private final HeartbeatNotes notes;

    /**
     * @param resident reports the blocks in the page cache
     * @param degraded reports the groups that clients read degraded
     * @param notes what a second jar of hdfs-ppr reports, if it is installed
     */
    Reports(ResidentReport resident, DegradedReport degraded, HeartbeatNotes notes) {
      this.resident = resident;
      this.degraded = degraded;
      this.notes = notes;
    }

    /** Returns the request with the reports that are due. */
    HeartbeatRequest addTo(HeartbeatRequest request) {
      return request.withResident(resident.next()).withReadDegraded(degraded.next())
          .withOldReads(notes.next());
    }

    /** Takes the NameNode's answer, which confirms what the last heartbeat reported. */
    void answered(HeartbeatResponse response) {
      resident.answered(response);
      degraded.answered(response);
      notes.answered(response);
    }

    /** Notes that the NameNode did not answer. */
    void lost() {
      resident.lost();
      degraded.lost();
    }
  }

  /**
   * Reports facts about this node to one NameNode. Facts that change only with a restart are sent
   * with the first heartbeat, after a change, and when the NameNode asks for them. Used by one
   * thread.
   */
  static final class SelfReporter {
    private final Supplier<NodeSelf> about;
    private final LongSupplier wallClockMs;
    private final Supplier<List<String>> unreachable;
    /** The facts that the NameNode has confirmed; null if the next heartbeat must send all. */
    private NodeSelf heard;
    /** The facts that the NameNode will know once it answers the heartbeat under way. */
    private NodeSelf telling;

    /**
     * @param about the facts that change only with a restart; null if there are none to report
     * @param wallClockMs this node's wall clock, ms since 1970 (UTC)
     * @param unreachable UUIDs of the DataNodes whose repair port this node lately failed to reach
     */
    SelfReporter(Supplier<NodeSelf> about, LongSupplier wallClockMs,
        Supplier<List<String>> unreachable) {
      this.about = about;
      this.wallClockMs = wallClockMs;
      this.unreachable = unreachable;
    }

    /** Returns the report for the next heartbeat. */
    SelfReport next() {
      NodeSelf now = about.get();
      telling = now;
      return new SelfReport(wallClockMs.getAsLong(),
          now == null || now.equals(heard) ? null : now, unreachable.get());
    }

    /** Notes that the NameNode has received the last report, and whether it asks for all facts. */
    void answered(HeartbeatResponse response) {
      heard = response.wantsSelf ? null : telling;
    }

    /** Notes that the NameNode did not answer, so that the next report has all facts. */
    void lost() {
      heard = null;
    }
  }
}
