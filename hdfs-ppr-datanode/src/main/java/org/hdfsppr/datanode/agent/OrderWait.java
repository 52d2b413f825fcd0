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
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hdfsppr.manage.RepairManagerProtocol;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.service.Services;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for orders of one NameNode, so that a heartbeat fetches them at once instead of up to an
 * interval later. A commit needs several orders one after the other, and the waits for them would
 * add up. This class always keeps one call open, and the NameNode answers it when it has orders. If
 * the calls fail, the regular heartbeats fetch the orders.
 *
 * <p>The calls have a connection of their own. Hadoop's RPC bounds a call only by giving up a
 * connection on which nothing comes for some time. On a shared connection, the answers to these
 * calls would keep it alive, so that a heartbeat whose answer is lost would wait for ever.
 */
final class OrderWait implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(OrderWait.class);
  /** The pause after a failed call, and while the NameNode takes no such calls, ms. */
  private static final long REST_MS = 1_000;

  private final String namenode;
  private final IntSupplier waitMs;
  private final Supplier<NodeRef> self;
  private final HeartbeatActor.Clients clients;
  private final Runnable wake;
  private final LongSupplier nanos;
  private final Services services;
  private final PeerLog peerLog = new PeerLog(LOG);
  /** Bounds the rate of calls to a NameNode that always has orders. */
  private final CallPace pace;
  private HeartbeatActor.Client client;
  /** Whether the last call was answered; null before the first one. */
  private Boolean isAnswered;
  private volatile boolean closed;

  /**
   * @param namenode the name of the NameNode, for logs
   * @param waitMs returns how long the NameNode's manager keeps a call open if it has no orders,
   *     ms; 0 if it takes no such calls now
   * @param self returns this node; null before its first handshake with a NameNode
   * @param clients makes clients, which connect to the NameNode's manager for these calls only
   * @param wake makes the {@link HeartbeatActor} send a heartbeat soon
   * @param nanos a monotonic clock, ns
   * @param services has an entry that shows whether the thread still takes steps
   */
  OrderWait(String namenode, IntSupplier waitMs, Supplier<NodeRef> self,
      HeartbeatActor.Clients clients, Runnable wake, LongSupplier nanos,
      Services services) {
    this.services = services;
    this.namenode = namenode;
    this.waitMs = waitMs;
    this.nanos = nanos;
    this.pace = new CallPace(nanos);
    this.self = self;
    this.clients = clients;
    this.wake = wake;
  }

  @Override
  public void run() {
    try {
      services.open("ppr-orders", this::stepFailed).run(this::take);
    } finally {
      hangUp();
    }
  }

  private boolean take() throws InterruptedException {
    if (closed) {
      return false;
    }
    NodeRef node = self.get();
    int ms = Math.min(RepairManagerProtocol.KEPT_MS_MAX, waitMs.getAsInt());
    Thread.sleep(node != null && ms > 0 && await(node, ms) ? pace.called() : REST_MS);
    return true;
  }

  private void stepFailed(Throwable e) {
    peerLog.error(e.getClass().getName(), "A step of the wait for orders of {} failed", namenode,
        e);
  }

  /**
   * Makes one call; returns whether to call again soon. It returns false if the manager answers too
   * early that there are no orders: another DataNode may then call with the same UUID, and each of
   * the two calls ends the other.
   */
  private boolean await(NodeRef node, int ms) {
    long beginNanos = nanos.getAsLong();
    try {
      if (client == null) {
        client = clients.open();
      }
      boolean hasOrders = client.awaitOrders(node.uuid, ms);
      note(true, null);
      if (hasOrders) {
        wake.run();
      }
      return hasOrders
          || nanos.getAsLong() - beginNanos >= TimeUnit.MILLISECONDS.toNanos(ms) / 2;
    } catch (IOException | RuntimeException | LinkageError | AssertionError
        | VirtualMachineError e) {
      // As with a heartbeat, the next call may succeed after any of these failures.
      hangUp();
      if (!closed) {
        note(false, e);
      }
      return false;
    }
  }

  /** Logs a line only when calls begin or cease to be answered. */
  private void note(boolean isAnsweredNow, Throwable why) {
    if (isAnswered == null || isAnswered != isAnsweredNow) {
      isAnswered = isAnsweredNow;
      if (isAnsweredNow) {
        LOG.info("{} says when it has orders for this DataNode", namenode);
      } else {
        LOG.info("{} does not say when it has orders for this DataNode; regular heartbeats fetch"
            + " them: {}", namenode, why.toString().split("\n")[0]);
      }
    }
  }

  private void hangUp() {
    if (client != null) {
      client.close();
      client = null;
    }
  }

  /** Makes no more calls. The thread ends soon after the caller has interrupted it. */
  void close() {
    closed = true;
  }
}
