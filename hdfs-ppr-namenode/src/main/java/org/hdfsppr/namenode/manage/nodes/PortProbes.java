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
package org.hdfsppr.namenode.manage.nodes;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.plan.NodeRef;

/**
 * Tries whether the repair ports of DataNodes are open, on threads of its own, and only when it is
 * asked. Each node is tried at most once a minute. Thread-safe.
 */
@InterfaceAudience.Private
public final class PortProbes implements Closeable {
  /**
   * How many attempts run at a time at most. An attempt to reach an open port takes some
   * milliseconds.
   */
  static final int AT_A_TIME = 16;
  /** The longest attempt, ms. Within a data centre a connection takes a few milliseconds. */
  static final int TIMEOUT_MS = 1_000;
  /** The least time between two attempts to one node, ms. */
  static final long AGAIN_MS = 60_000;

  /** Opens and closes a connection. */
  interface Caller {
    /**
     * Connects to a node's repair port, and closes the connection.
     *
     * @throws IOException if this is not possible within the time
     */
    void call(NodeRef node, int timeoutMs) throws IOException;
  }

  /** What an attempt has found. */
  private static final class Answer {
    private final int port;
    private final String whyClosed;
    private final long atMs;

    Answer(int port, String whyClosed, long atMs) {
      this.port = port;
      this.whyClosed = whyClosed;
      this.atMs = atMs;
    }
  }

  private final Caller caller;
  private final LongSupplier clockMs;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final Map<String, Future<?>> underWay = new ConcurrentHashMap<>();
  private final ExecutorService threads;

  /** @param clockMs the time, monotonic, ms */
  public PortProbes(LongSupplier clockMs) {
    this(PortProbes::connect, clockMs);
  }

  PortProbes(Caller caller, LongSupplier clockMs) {
    this.caller = caller;
    this.clockMs = clockMs;
    // The queue needs no bound of its own: each live DataNode is in it at most once.
    ThreadPoolExecutor pool = new ThreadPoolExecutor(AT_A_TIME, AT_A_TIME, 10, TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(), new Daemon.DaemonFactory());
    pool.allowCoreThreadTimeOut(true);
    threads = pool;
  }

  private static void connect(NodeRef node, int timeoutMs) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(node.ipAddr, node.repairPort), timeoutMs);
    }
  }

  /**
   * Tries the nodes that were not tried in the last minute. Forgets all other nodes.
   *
   * @param nodes the DataNodes that serve repairs, with their repair ports
   */
  public synchronized void begin(Collection<NodeRef> nodes) {
    Map<String, NodeRef> wanted = new HashMap<>();
    nodes.forEach(node -> wanted.put(node.uuid, node));
    answers.keySet().retainAll(wanted.keySet());
    long now = clockMs.getAsLong();
    for (NodeRef node : wanted.values()) {
      Answer last = answers.get(node.uuid);
      boolean isFresh = last != null && last.port == node.repairPort
          && now - last.atMs < AGAIN_MS;
      if (!isFresh && !threads.isShutdown()) {
        underWay.computeIfAbsent(node.uuid, uuid -> threads.submit(() -> attempt(node)));
      }
    }
  }

  private void attempt(NodeRef node) {
    try {
      String whyClosed = null;
      try {
        caller.call(node, TIMEOUT_MS);
      } catch (IOException e) {
        whyClosed = e.getMessage() == null ? e.toString() : e.getMessage();
      }
      answers.put(node.uuid, new Answer(node.repairPort, whyClosed, clockMs.getAsLong()));
    } finally {
      underWay.remove(node.uuid);
    }
  }

  /**
   * Waits until all attempts have ended.
   *
   * @param timeoutMs the longest wait, ms
   */
  public void await(long timeoutMs) {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    List<Future<?>> all = new ArrayList<>(underWay.values());
    try {
      for (Future<?> one : all) {
        one.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      // The attempts go on, and the next question finds their answers.
      return;
    } catch (ExecutionException e) {
      throw new IllegalStateException("An attempt to connect failed unexpectedly", e.getCause());
    }
  }

  /**
   * @return why this NameNode cannot connect to a DataNode's repair port, by UUID, for the nodes of
   *     the last {@link #begin}
   */
  public Map<String, String> closed() {
    Map<String, String> closed = new HashMap<>();
    answers.forEach((uuid, answer) -> {
      if (answer.whyClosed != null) {
        closed.put(uuid, answer.whyClosed);
      }
    });
    return closed;
  }

  /**
   * @param nodes DataNodes
   * @return how many of them have not been tried yet
   */
  public int unchecked(Collection<NodeRef> nodes) {
    return (int) nodes.stream().filter(node -> !answers.containsKey(node.uuid)).count();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
