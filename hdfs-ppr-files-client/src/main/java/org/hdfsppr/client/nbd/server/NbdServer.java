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
package org.hdfsppr.client.nbd.server;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.client.device.BlockDevice;
import org.hdfsppr.client.nbd.NbdExport;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves one device to clients of NBD. Each connection has a thread that reads requests and one
 * that sends replies. All connections share the threads of {@link FairWorkers}, which call the
 * device. These calls block, because calls of Hadoop's client block. A device with asynchronous
 * calls would not help: it would need the same threads for Hadoop's client. Thread-safe.
 */
@InterfaceAudience.Private
public final class NbdServer {
  private static final Logger LOG = LoggerFactory.getLogger(NbdServer.class);
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  /**
   * How often deadlines of clients are checked, ms. A connection that is too slow may end later by
   * this time.
   */
  private static final long LOOK_MS = 250;
  /**
   * The pause after a failure to accept a connection, for example because file descriptors are
   * lacking, ms.
   */
  private static final long ACCEPT_RETRY_MS = 1_000;

  private final BlockDevice device;
  private final NbdListener listener;
  private final ServerLimits limits;
  private final LongSupplier nanoClock;
  private final NbdConnection.Parts parts;
  private final FairWorkers workers;
  private final ByteBudget budget;
  /** All connections, in the order in which they began. Guarded by this, like all fields below. */
  private final Set<NbdConnection> connections = new LinkedHashSet<>();
  private boolean isStopping;
  private boolean isStopped;
  /** Why {@link #stop} has failed; null if it has not. */
  private IOException failure;

  /**
   * @param device the device to serve; the caller closes it after {@link #stop}
   * @param description a text about the device that clients may show to their users
   * @param listener accepts clients; this object closes it
   * @param limits bounds connections, requests, bytes and times
   */
  public NbdServer(BlockDevice device, String description, NbdListener listener,
      ServerLimits limits) {
    this(device, description, listener, limits, System::nanoTime);
  }

  /** @param nanoClock a monotonic clock, ns */
  NbdServer(BlockDevice device, String description, NbdListener listener, ServerLimits limits,
      LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.device = device;
    this.listener = listener;
    this.limits = limits;
    this.parts = new NbdConnection.Parts(
        new NbdExport(device.size(), device.isReadOnly(), description), listener.keys(),
        new RequestRunner(device), limits, nanoClock);
    this.workers = new FairWorkers(ServerLimits.threads(), limits.running());
    this.budget = new ByteBudget(limits.sharedBytes, limits.ownBytes(), limits.shareBytes(),
        limits.requests(), nanoClock);
  }

  /** Begins to accept clients. */
  public void start() {
    daemon("nbd-accept", this::accept);
    daemon("nbd-deadlines", this::watch);
  }

  private static void daemon(String name, Runnable work) {
    Daemon thread = new Daemon(work);
    thread.setName(name);
    thread.start();
  }

  /**
   * Waits until {@link #stop} has ended.
   *
   * @throws IOException if {@link #stop} has failed
   * @throws InterruptedException if the thread is interrupted first
   */
  public synchronized void awaitStop() throws IOException, InterruptedException {
    while (!isStopped) {
      wait();
    }
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
  }

  private void accept() {
    while (isOpen()) {
      try {
        add(listener.accept());
      } catch (IOException | RuntimeException | LinkageError | AssertionError
          | VirtualMachineError e) {
        // When the next client comes, the cause, for example a lack of threads, may be gone. So
        // this goes on.
        if (isOpen()) {
          PEER_LOG.error("accept", "The block device takes no client at the moment", e);
          pause(ACCEPT_RETRY_MS);
        }
      }
    }
  }

  private synchronized boolean isOpen() {
    return !isStopping;
  }

  /** Waits for a time, or until the server is being stopped. */
  private synchronized void pause(long ms) {
    try {
      if (!isStopping) {
        wait(ms);
      }
    } catch (InterruptedException e) {
      LOG.debug("{} does not wait", Thread.currentThread().getName(), e);
    }
  }

  private void add(ClientWire wire) {
    NbdConnection connection = new NbdConnection(parts, wire, workers.lane(), budget.share());
    boolean isServed = false;
    try {
      if (register(connection, wire)) {
        daemon("nbd-client", () -> serve(connection));
        isServed = true;
      }
    } finally {
      if (!isServed) {
        wire.abort();
        remove(connection);
      }
    }
  }

  private synchronized boolean register(NbdConnection connection, ClientWire wire) {
    if (isStopping) {
      return false;
    }
    makeRoom();
    if (connections.size() >= limits.connections) {
      PEER_LOG.warn("connections", "A client of the block device ({}) is refused: there are {}"
          + " connections already", wire, connections.size());
      return false;
    }
    connections.add(connection);
    return true;
  }

  /**
   * If there are too many connections, or too many of them are in the handshake, ends the one whose
   * handshake began first.
   */
  private void makeRoom() {
    List<NbdConnection> handshakes = connections.stream().filter(one -> !one.isServed())
        .collect(Collectors.toList());
    boolean isFull = handshakes.size() >= limits.handshakes()
        || connections.size() >= limits.connections;
    for (NbdConnection oldest : handshakes) {
      // If this handshake has succeeded meanwhile, the connection is not evicted, and the next one
      // is tried.
      if (isFull && oldest.evict()) {
        connections.remove(oldest);
        return;
      }
    }
  }

  private synchronized void remove(NbdConnection connection) {
    connections.remove(connection);
    notifyAll();
  }

  private void serve(NbdConnection connection) {
    try {
      connection.run();
    } finally {
      remove(connection);
    }
  }

  private void watch() {
    while (isOpen() || hasClients()) {
      try {
        everyClient().forEach(NbdConnection::checkTime);
        relieve();
      } catch (Throwable e) {
        // This thread must go on, because no other one ends the connections of slow clients.
        PEER_LOG.error("deadlines", "Deadlines of clients are looked at again later", e);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        LOG.debug("The thread that looks at deadlines was woken", e);
      }
    }
  }

  /**
   * If requests have waited long for memory, ends the connection of the slow client that has most
   * of it.
   */
  private void relieve() {
    if (budget.waitNanos() <= ClientPace.PATIENCE_NANOS) {
      return;
    }
    everyClient().stream().filter(one -> one.heldBytes() > 0)
        .max(Comparator.comparingInt(NbdConnection::heldBytes))
        .ifPresent(NbdConnection::abortSlow);
  }

  private synchronized boolean hasClients() {
    return !connections.isEmpty();
  }

  private synchronized Set<NbdConnection> everyClient() {
    return new HashSet<>(connections);
  }

  synchronized int clients() {
    return connections.size();
  }

  /** Returns how many of the bytes that all connections share are free; for tests. */
  long freeBytes() {
    return budget.free();
  }

  /**
   * Ends the server: accepts no more clients, answers new requests with an error, waits for the
   * requests under way, flushes the device, and closes all connections. A second call waits for the
   * first one, and fails if that one fails.
   *
   * @throws IOException if requests did not end in time, or the flush has failed; writes that
   *     clients take for done may then be lost
   * @throws InterruptedException if the thread is interrupted
   */
  public void stop() throws IOException, InterruptedException {
    synchronized (this) {
      if (isStopping) {
        awaitStop();
        return;
      }
      isStopping = true;
      notifyAll();
    }
    IOUtils.cleanupWithLogger(LOG, listener);
    IOException why = new IOException("The server did not end in order");
    try {
      end();
      why = null;
    } catch (IOException e) {
      why = e;
      throw e;
    } finally {
      everyClient().forEach(NbdConnection::abort);
      workers.stop();
      synchronized (this) {
        failure = why;
        isStopped = true;
        notifyAll();
      }
    }
  }

  private void end() throws IOException, InterruptedException {
    everyClient().forEach(NbdConnection::stop);
    boolean areIdle = awaitIdle(nanoClock.getAsLong() + limits.stopNanos());
    if (!device.isReadOnly()) {
      device.flush();
    }
    if (!areIdle) {
      throw new IOException("Some requests of clients did not end in "
          + TimeUnit.NANOSECONDS.toSeconds(limits.stopNanos()) + " s");
    }
  }

  private boolean awaitIdle(long untilNanos) throws InterruptedException {
    while (!everyClient().stream().allMatch(NbdConnection::isIdle)) {
      if (nanoClock.getAsLong() - untilNanos > 0) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return true;
  }

  @Override
  public String toString() {
    return listener.uri();
  }
}
