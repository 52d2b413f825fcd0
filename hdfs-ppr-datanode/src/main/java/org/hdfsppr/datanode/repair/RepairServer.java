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
package org.hdfsppr.datanode.repair;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.datanode.metrics.ByteFlow;
import org.hdfsppr.datanode.metrics.HelperRejection;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.stream.Connector;
import org.hdfsppr.stream.HelperSession;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RequestFraming;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transfer server of a DataNode: takes connections, lets Hadoop's SASL server do its part,
 * reads one request from each and serves it. Strangers that say nothing, too little, too slowly or
 * nonsense are dropped within a bounded time and memory. A connection beyond the thread bound is
 * closed at once, so that its tree fails and is planned anew instead of waiting for itself.
 */
@InterfaceAudience.Private
final class RepairServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RepairServer.class);
  /** As stock's data transfer server; connections beyond are refused by the kernel. */
  private static final int BACKLOG = 128;
  /** After an error of accept itself, such as too many open files. */
  private static final long ACCEPT_PAUSE_MS = 100;

  private final DataNode datanode;
  private final ServerSocketChannel listener;
  private final int requestTimeoutMs;
  private final RepairMetrics metrics;
  private final Connector connector;
  private final Function<Connector, HelperSession> sessions;
  private final ThreadPoolExecutor handlers;
  private final ScheduledThreadPoolExecutor timer;
  private final Set<PeerConnection> open = ConcurrentHashMap.newKeySet();
  private final Thread acceptor;
  private volatile boolean closed;

  private RepairServer(DataNode datanode, ServerSocketChannel listener, int threads,
      int requestTimeoutMs, RepairMetrics metrics, Connector connector,
      Function<Connector, HelperSession> sessions) {
    this.datanode = datanode;
    this.listener = listener;
    this.requestTimeoutMs = requestTimeoutMs;
    this.metrics = metrics;
    this.connector = connector;
    this.sessions = sessions;
    this.handlers = new ThreadPoolExecutor(0, threads, 60, TimeUnit.SECONDS,
        new SynchronousQueue<>(), new Daemon.DaemonFactory());
    this.timer = new ScheduledThreadPoolExecutor(1, new Daemon.DaemonFactory());
    timer.setRemoveOnCancelPolicy(true);
    this.acceptor = new Daemon(this::acceptAll);
  }

  /** Opens the port, without serving it yet. */
  static ServerSocketChannel listen(InetSocketAddress address) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    boolean bound = false;
    try {
      channel.socket().setReuseAddress(true);
      channel.bind(address, BACKLOG);
      bound = true;
      return channel;
    } catch (IOException e) {
      throw new IOException("Cannot listen for repairs on " + address + ": " + e.getMessage(), e);
    } finally {
      if (!bound) {
        channel.close();
      }
    }
  }

  /**
   * Starts to serve {@code listener}.
   *
   * @param threads requests served at a time
   * @param requestTimeoutMs time from the connection to the complete request
   * @param connector opens the connections to children
   * @param sessions makes the session for each request, with a connector of its own
   */
  static RepairServer start(DataNode datanode, ServerSocketChannel listener, int threads,
      int requestTimeoutMs, RepairMetrics metrics, Connector connector,
      Function<Connector, HelperSession> sessions) {
    RepairServer server = new RepairServer(datanode, listener, threads, requestTimeoutMs, metrics,
        connector, sessions);
    server.acceptor.setName("ppr-acceptor-" + server.port());
    server.acceptor.start();
    return server;
  }

  int port() {
    return listener.socket().getLocalPort();
  }

  private void acceptAll() {
    while (!closed) {
      try {
        accept(listener.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | OutOfMemoryError e) {
        // As in stock's server: no thread could be made, which may be better in a moment.
        LOG.warn("Port {} for repairs could not accept a connection", port(), e);
        pause();
      }
    }
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(ACCEPT_PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept(SocketChannel channel) throws IOException {
    Peer peer = DFSUtilClient.peerFromSocket(channel.socket());
    boolean taken = false;
    try {
      handlers.execute(() -> handle(peer));
      taken = true;
    } catch (RejectedExecutionException e) {
      metrics.helperRejected(closed ? HelperRejection.STOPPING : HelperRejection.OVERLOADED);
      LOG.warn("No thread is free to serve repairs for {}, the connection is closed",
          peer.getRemoteAddressString());
    } finally {
      if (!taken) {
        peer.close();
      }
    }
  }

  private void handle(Peer peer) {
    Thread.currentThread().setName("ppr-helper for " + peer.getRemoteAddressString());
    PeerConnection raw = new PeerConnection(peer, null, null);
    open.add(raw);
    ScheduledFuture<?> deadline = null;
    try {
      if (closed || datanode.getDatanodeId() == null) {
        // Before the first handshake with a NameNode there is nothing to serve, nor keys to check.
        return;
      }
      deadline = timer.schedule(raw::close, requestTimeoutMs, TimeUnit.MILLISECONDS);
      peer.setReadTimeout(requestTimeoutMs);
      peer.setWriteTimeout(requestTimeoutMs);
      IOStreamPair streams = datanode.getSaslServer().receive(peer, peer.getOutputStream(),
          peer.getInputStream(), port(), datanode.getDatanodeId());
      PartialSumRequest request = RequestFraming.read(new ChannelInput(streams.in));
      deadline.cancel(false);
      serve(request, new PeerConnection(peer, streams.in, streams.out));
    } catch (MalformedRequestException e) {
      reject(HelperRejection.MALFORMED, peer, e);
    } catch (EOFException e) {
      if (deadline.isDone() && !deadline.isCancelled()) {
        reject(HelperRejection.TIMEOUT, peer, e);
      } else {
        // Whoever only wants to know whether somebody listens here connects and leaves.
        LOG.debug("{} left before it asked for anything", peer, e);
      }
    } catch (SocketTimeoutException | ClosedChannelException e) {
      reject(HelperRejection.TIMEOUT, peer, e);
    } catch (IOException | RuntimeException e) {
      reject(HelperRejection.OTHER, peer, e);
    } finally {
      if (deadline != null) {
        deadline.cancel(false);
      }
      open.remove(raw);
      raw.close();
      Thread.currentThread().setName("ppr-helper idle");
    }
  }

  private void serve(PartialSumRequest request, PeerConnection parent) {
    SessionConnector toChildren = new SessionConnector(connector);
    HelperSession session = sessions.apply(toChildren);
    AttemptGuard guard = new AttemptGuard(request, session.stats()::slicesDone,
        toChildren::close, parent::close, timer, System::nanoTime);
    metrics.helperStarted();
    HelperSession.Outcome outcome;
    try {
      outcome = session.serve(request, parent);
    } finally {
      guard.end();
      metrics.helperFinished();
      metrics.addBytes(ByteFlow.HELPER_DISK_READ, session.diskBytes());
      metrics.addBytes(ByteFlow.SENT_TO_PARENTS, session.bytesSent());
      metrics.addBytes(ByteFlow.RECEIVED_FROM_CHILDREN, session.bytesReceived());
      metrics.addBytes(ByteFlow.RECEIVED_ACROSS_RACKS, session.bytesAcrossRacks());
      metrics.addBytes(ByteFlow.RECEIVED_BY_STOCK_READS, session.stockBytes());
    }
    switch (outcome) {
      case DONE:
        LOG.debug("Repair {} of {}: helped {}", request.repairId(), request.group(), parent);
        break;
      case TOKEN_REFUSED:
        metrics.helperRejected(HelperRejection.ACCESS_TOKEN);
        LOG.warn("Repair {} of {}: {} has no valid block token", request.repairId(),
            request.group(), parent);
        break;
      case ABANDONED:
        LOG.info("Repair {} of {}: {} went away", request.repairId(), request.group(), parent);
        break;
      case FAILED:
      default:
        metrics.helperRejected(reason(session.failure().failureCause()));
        LOG.warn("Repair {} of {}: cannot help {}: {}", request.repairId(), request.group(),
            parent, session.failure().toString());
        break;
    }
  }

  private static HelperRejection reason(FailureCause cause) {
    switch (cause) {
      case OVERLOADED:
        return HelperRejection.OVERLOADED;
      case NO_SUCH_BLOCK:
      case STALE_REPLICA:
        return HelperRejection.NO_SUCH_BLOCK;
      case CORRUPT_REPLICA:
        return HelperRejection.CORRUPT;
      case STALLED:
        return HelperRejection.TIMEOUT;
      default:
        return HelperRejection.OTHER;
    }
  }

  private void reject(HelperRejection reason, Peer peer, Exception e) {
    metrics.helperRejected(closed ? HelperRejection.STOPPING : reason);
    LOG.warn("Dropped {} on the port for repairs: {}", peer.getRemoteAddressString(),
        e.toString());
    LOG.debug("Dropped {}", peer, e);
  }

  /** Stops serving: ends all connections, and with them their threads. May be called twice. */
  @Override
  public void close() throws IOException {
    closed = true;
    listener.close();
    open.forEach(PeerConnection::close);
    handlers.shutdownNow();
    timer.shutdownNow();
  }

  /** Whether all threads have ended. */
  boolean awaitEnd(long timeoutMs) throws InterruptedException {
    acceptor.join(timeoutMs);
    return handlers.awaitTermination(timeoutMs, TimeUnit.MILLISECONDS) && !acceptor.isAlive();
  }
}
