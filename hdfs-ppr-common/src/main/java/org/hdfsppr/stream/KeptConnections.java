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
package org.hdfsppr.stream;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.NodeRef;

/**
 * Keeps each connection on which a request was answered completely, for the next request to the
 * same node. For a sum of a few KiB, a new connection with its handshake would take longer than the
 * sum itself. The handshake of a kept connection may have used the token of another block. That is
 * safe, because each request carries its own tokens, and these alone decide which blocks it may
 * read. Stock's clients keep connections in the same way. The number of kept connections is
 * bounded. The cache closes each connection after a few idle seconds, before the peer stops waiting
 * for the next request. Thread-safe.
 */
@InterfaceAudience.Private
public final class KeptConnections implements TransferConnector, Closeable {
  /**
   * The longest idle time of a kept connection, 3 s in nanoseconds. Stock's clients use the same
   * time, and stock's DataNodes wait a second longer for the next request.
   */
  private static final long IDLE_NANOS_MOST = TimeUnit.SECONDS.toNanos(3);
  /**
   * Milliseconds within which the next request on a kept connection must arrive completely; then
   * the peer closes the connection.
   */
  public static final int SERVER_WAITS_MS = 5_000;
  /**
   * How many idle connections are kept at most. If there are more, the cache closes the connection
   * that has been idle longest.
   */
  private static final int IDLE_MOST = 64;

  private final TransferConnector connector;
  private final ScheduledExecutorService timer;
  private final LongSupplier nanoClock;
  /**
   * The idle connections in the order of their last use. The connection that was used last is at
   * the end.
   */
  private final Deque<Idle> idle = new ArrayDeque<>();
  private final LongAdder reused = new LongAdder();
  private boolean sweeping;
  private boolean closed;

  /**
   * @param connector makes new connections
   * @param timer runs the sweep that closes connections which are idle for too long
   * @param nanoClock a monotonic clock, nanoseconds
   */
  public KeptConnections(TransferConnector connector, ScheduledExecutorService timer,
      LongSupplier nanoClock) {
    this.connector = connector;
    this.timer = timer;
    this.nanoClock = nanoClock;
  }

  /**
   * A kept connection that serves no request at present, and the time until which the cache keeps
   * it.
   */
  private static final class Idle {
    private final NodeRef node;
    private final String pool;
    private final TransferConnection connection;
    private final long untilNanos;

    Idle(NodeRef node, String pool, TransferConnection connection, long untilNanos) {
      this.node = node;
      this.pool = pool;
      this.connection = connection;
      this.untilNanos = untilNanos;
    }

    boolean isTo(NodeRef wanted, String wantedPool) {
      return node.equals(wanted) && node.ipAddr.equals(wanted.ipAddr)
          && node.hostName.equals(wanted.hostName)
          && node.repairPort == wanted.repairPort && pool.equals(wantedPool);
    }
  }

  @Override
  public TransferConnection connect(NodeRef node, ExtendedBlock block,
      Token<BlockTokenIdentifier> token)
      throws IOException {
    // The pool matters because the key of an encrypted connection belongs to a block pool.
    TransferConnection kept = take(node, block.getBlockPoolId());
    if (kept == null) {
      return connectAnew(node, block, token);
    }
    reused.increment();
    return new Lent(node, block.getBlockPoolId(), kept, true);
  }

  @Override
  public TransferConnection connectAnew(NodeRef node, ExtendedBlock block,
      Token<BlockTokenIdentifier> token) throws IOException {
    return new Lent(node, block.getBlockPoolId(), connector.connect(node, block, token), false);
  }

  @Override
  public void answered(NodeRef node, long features) {
    connector.answered(node, features);
  }

  private TransferConnection take(NodeRef node, String pool) {
    List<Idle> old = new ArrayList<>();
    TransferConnection found = null;
    synchronized (this) {
      long now = nanoClock.getAsLong();
      removeOld(now, old);
      // Of all idle connections, the peer is least likely to have closed the connection that was
      // used last.
      for (Iterator<Idle> it = idle.descendingIterator(); it.hasNext() && found == null;) {
        Idle candidate = it.next();
        if (candidate.isTo(node, pool)) {
          it.remove();
          found = candidate.connection;
        }
      }
    }
    old.forEach(one -> one.connection.close());
    return found;
  }

  private void removeOld(long now, List<Idle> into) {
    while (!idle.isEmpty()
        && (idle.size() > IDLE_MOST || idle.getFirst().untilNanos - now <= 0)) {
      into.add(idle.removeFirst());
    }
  }

  private void keep(NodeRef node, String pool, TransferConnection connection) {
    List<Idle> old = new ArrayList<>();
    synchronized (this) {
      long now = nanoClock.getAsLong();
      Idle one = new Idle(node, pool, connection, now + IDLE_NANOS_MOST);
      if (closed) {
        old.add(one);
      } else {
        idle.addLast(one);
        removeOld(now, old);
        sweepLater(old);
      }
    }
    old.forEach(other -> other.connection.close());
  }

  /** Schedules a sweep, so that idle connections are closed even if no further request comes. */
  private void sweepLater(List<Idle> old) {
    if (sweeping || idle.isEmpty()) {
      return;
    }
    try {
      timer.schedule(this::sweep, IDLE_NANOS_MOST, TimeUnit.NANOSECONDS);
      sweeping = true;
    } catch (RejectedExecutionException e) {
      // The timer has stopped, so that no sweep would close the idle connections. The caller of
      // this method closes all connections in the list "old".
      old.addAll(idle);
      idle.clear();
    }
  }

  private void sweep() {
    List<Idle> old = new ArrayList<>();
    synchronized (this) {
      sweeping = false;
      removeOld(nanoClock.getAsLong(), old);
      sweepLater(old);
    }
    old.forEach(one -> one.connection.close());
  }

  /** @return number of requests that needed no new connection */
  public long reused() {
    return reused.sum();
  }

  /** Returns the number of kept connections that serve no request. */
  synchronized int idle() {
    return idle.size();
  }

  /** Closes all idle connections, and keeps none from now on. A second call does nothing. */
  @Override
  public void close() {
    List<Idle> all;
    synchronized (this) {
      closed = true;
      all = new ArrayList<>(idle);
      idle.clear();
    }
    all.forEach(one -> one.connection.close());
  }

  /**
   * A connection that serves one request. After a call of {@link #keep} or {@link #close}, further
   * calls of these methods and of {@link #abort} do nothing.
   */
  private final class Lent implements TransferConnection {
    private final NodeRef node;
    private final String pool;
    private final TransferConnection connection;
    private final boolean isReused;
    /**
     * Whether the request has given this connection back or closed it. This object's monitor guards
     * this field and {@link #aborted}.
     */
    private boolean over;
    private boolean aborted;

    Lent(NodeRef node, String pool, TransferConnection connection, boolean isReused) {
      this.node = node;
      this.pool = pool;
      this.connection = connection;
      this.isReused = isReused;
    }

    @Override
    public InputStream in() {
      return connection.in();
    }

    @Override
    public OutputStream out() {
      return connection.out();
    }

    @Override
    public <T> T memory(Class<T> kind, Supplier<T> make) {
      return connection.memory(kind, make);
    }

    @Override
    public void setTimeout(int timeoutMs) throws IOException {
      connection.setTimeout(timeoutMs);
    }

    @Override
    public boolean isReused() {
      return isReused;
    }

    @Override
    public void keep() {
      boolean mayKeep;
      synchronized (this) {
        if (over) {
          return;
        }
        over = true;
        mayKeep = !aborted;
      }
      if (mayKeep) {
        KeptConnections.this.keep(node, pool, connection);
      } else {
        connection.close();
      }
    }

    @Override
    public synchronized void abort() {
      // After keep() another request may use the connection, so that this request must not end it.
      if (!over) {
        aborted = true;
        connection.abort();
      }
    }

    @Override
    public void close() {
      synchronized (this) {
        if (over) {
          return;
        }
        over = true;
      }
      connection.close();
    }

    @Override
    public String toString() {
      return connection.toString();
    }
  }
}
