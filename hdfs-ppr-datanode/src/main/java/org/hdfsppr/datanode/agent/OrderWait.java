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
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the orders of one NameNode, so that a heartbeat fetches them at once, and not up to an
 * interval later. A commit has orders one after the other, and would wait for each. It holds one
 * call, which the NameNode answers when it has orders. If the calls fail, orders come with the
 * regular heartbeats.
 */
@InterfaceAudience.Private
final class OrderWait implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(OrderWait.class);
  /**
   * How long the NameNode may keep a call, ms. Hadoop's RPC gives a connection up on which nothing
   * has come for {@link ManagerAgent#CALL_TIMEOUT_MS}; this is less, so that the wait itself never
   * ends a connection on which a heartbeat may be under way.
   */
  static final int WAIT_MS = 3_000;
  /**
   * The pause after each answer, ms. It bounds how often a NameNode that answers at once is asked.
   */
  private static final long GAP_MS = 20;
  /** The pause after a call that has failed, and while the NameNode takes none, ms. */
  private static final long REST_MS = 1_000;

  private final String namenode;
  private final BooleanSupplier mayWait;
  private final Supplier<NodeRef> self;
  private final ManagerLink.Clients clients;
  private final Runnable wake;
  private ManagerLink.Client client;
  private volatile boolean closed;

  /**
   * @param namenode the name of the NameNode, for logs
   * @param mayWait whether the NameNode's manager is active and takes such calls
   * @param self returns this node, or null while the node does not know its own identity
   * @param clients makes clients, which connect to the NameNode's manager
   * @param wake has a heartbeat sent soon
   */
  OrderWait(String namenode, BooleanSupplier mayWait, Supplier<NodeRef> self,
      ManagerLink.Clients clients, Runnable wake) {
    this.namenode = namenode;
    this.mayWait = mayWait;
    this.self = self;
    this.clients = clients;
    this.wake = wake;
  }

  @Override
  public void run() {
    try {
      while (!closed) {
        NodeRef node = self.get();
        Thread.sleep(node != null && mayWait.getAsBoolean() && await(node) ? GAP_MS : REST_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      hangUp();
    }
  }

  /** Waits once; returns whether the manager has answered. */
  private boolean await(NodeRef node) {
    try {
      if (client == null) {
        client = clients.open();
      }
      if (client.awaitOrders(node.uuid(), WAIT_MS)) {
        wake.run();
      }
      return true;
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      // As for a heartbeat, the next call may succeed after any of these.
      hangUp();
      LOG.debug("{} does not say when it has orders; heartbeats fetch them", namenode, e);
      return false;
    }
  }

  private void hangUp() {
    if (client != null) {
      client.close();
      client = null;
    }
  }

  /** Waits no more. The thread ends soon once the caller has interrupted it. */
  void close() {
    closed = true;
  }
}
