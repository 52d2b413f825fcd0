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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.metrics.CommandEvent;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.RepairManagerProtocol;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.RequestFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heartbeats to one NameNode, on a thread of their own: one each interval, at once when there
 * is a result and the NameNode's manager is active, ever more rarely while no manager answers. Logs
 * a line when something changes, and else nothing.
 */
@InterfaceAudience.Private
final class ManagerLink implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerLink.class);
  /** How long a manager that has come back may wait for this node. */
  private static final long BACKOFF_MS_MAX = 10_000;
  /** Results that come together go together. */
  private static final long GAP_MS_LEAST = 20;

  /** How a NameNode's manager looks from here. */
  private enum State { UNKNOWN, ABSENT, INACTIVE, ACTIVE }

  /** Makes clients; each connects when it is first used. */
  interface Clients {
    /** A client, to be closed; throws IOException if the NameNode's name is unknown. */
    Client open() throws IOException;
  }

  /** A manager that can be hung up on. */
  interface Client extends RepairManagerProtocol {
    void close();
  }

  /** What a node knows of itself. */
  interface Self {
    /** This node, or null as long as it is unknown. */
    NodeRef node();

    /** What it has to do. */
    NodeLoad load();

    /** The {@link RequestFeatures} that it admits to know. */
    default long requestFeatures() {
      return RequestFeatures.KNOWN;
    }
  }

  private final String namenode;
  private final Nameservice nameservice;
  private final Self self;
  private final Clients clients;
  private final RepairMetrics metrics;
  private final String softwareVersion;
  private final long intervalMs;
  private final ResidentReport resident;
  private final DegradedReport degraded;
  private final Semaphore wake = new Semaphore(0);
  private Client client;
  private int failures;
  private volatile State state = State.UNKNOWN;
  private volatile boolean closed;

  /**
   * @param namenode for logs
   * @param resident tells what is in the page cache
   * @param degraded tells what clients read of what is lost
   */
  ManagerLink(String namenode, Nameservice nameservice, Self self, Clients clients,
      RepairMetrics metrics, String softwareVersion, long intervalMs, ResidentReport resident,
      DegradedReport degraded) {
    this.namenode = namenode;
    this.nameservice = nameservice;
    this.self = self;
    this.clients = clients;
    this.metrics = metrics;
    this.softwareVersion = softwareVersion;
    this.intervalMs = intervalMs;
    this.resident = resident;
    this.degraded = degraded;
  }

  /** There is a result to tell. */
  void wake() {
    if (state == State.ACTIVE) {
      wake.release();
    }
  }

  @Override
  public void run() {
    try {
      while (!closed) {
        NodeRef node = self.node();
        if (node != null) {
          beat(node);
        }
        Thread.sleep(Math.min(GAP_MS_LEAST, intervalMs));
        wake.tryAcquire(pauseMs(), TimeUnit.MILLISECONDS);
        wake.drainPermits();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      hangUp();
      enter(State.UNKNOWN, "");
    }
  }

  private long pauseMs() {
    // Doubles with each failure, up to the most.
    return failures == 0 ? intervalMs
        : Math.min(BACKOFF_MS_MAX, intervalMs << Math.min(failures, 16));
  }

  private void beat(NodeRef node) {
    try {
      if (client == null) {
        client = clients.open();
      }
      boolean tellsResults = state == State.ACTIVE;
      HeartbeatResponse response = client.heartbeat(new HeartbeatRequest(
          HeartbeatRequest.PROTOCOL_VERSION, softwareVersion, node, nameservice.newestTerm(),
          self.load(), nameservice.running(),
          tellsResults ? nameservice.results() : Collections.emptyList(), resident.next())
          .withReadDegraded(degraded.next())
          .withFeatures(self.requestFeatures(), CommandFeatures.KNOWN));
      failures = 0;
      metrics.commandEvent(CommandEvent.HEARTBEAT_ANSWERED);
      enter(response.isActive() ? State.ACTIVE : State.INACTIVE, "term " + response.term());
      resident.answered(response);
      degraded.answered(response);
      nameservice.take(response);
      if (!tellsResults && response.isActive() && nameservice.hasResults()) {
        wake.release();
      }
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      // A RuntimeException: what Hadoop's RPC throws for a name that cannot be resolved, among
      // others. The next heartbeat may fare better, after an error as well.
      resident.lost();
      degraded.lost();
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

  /** Sends no more heartbeats. The thread ends soon, once it is interrupted. */
  void close() {
    closed = true;
    // An interrupt may get lost in a call under way.
    wake.release();
  }

  @Override
  public String toString() {
    return namenode;
  }
}
