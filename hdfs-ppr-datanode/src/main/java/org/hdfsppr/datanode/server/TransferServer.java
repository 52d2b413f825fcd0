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
package org.hdfsppr.datanode.server;

import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
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
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.host.AttemptGuard;
import org.hdfsppr.datanode.metrics.ByteFlow;
import org.hdfsppr.datanode.metrics.HelperRejection;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.Connector;
import org.hdfsppr.stream.HelperSession;
import org.hdfsppr.stream.KeptConnections;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.stream.RequestLimits;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PartialSumResponse;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestFraming;
import org.hdfsppr.wire.UnsupportedRequestException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transfer server of a DataNode: takes connections, lets Hadoop's SASL server do its part,
 * reads one request from each and serves it. Strangers that say nothing, too little, too slowly or
 * nonsense are dropped within a bounded time and memory. A connection beyond the thread bound is
 * closed at once, so that its tree fails and is planned anew instead of waiting for itself.
 */
@InterfaceAudience.Private
public final class TransferServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TransferServer.class);
  /** As stock's data transfer server; connections beyond are refused by the kernel. */
  private static final int BACKLOG = 128;
  /** Connections that have not yet said what they want, far more than honest ones need. */
  private static final int STRANGERS_MOST = 64;
  /** After an error of accept itself, such as too many open files. */
  private static final long ACCEPT_PAUSE_MS = 100;

  private final DataNode datanode;
  private final ServerSocketChannel listener;
  private final int requestTimeoutMs;
  private final RepairMetrics metrics;
  /** To the children of those who want a range. */
  private final KeptConnections connector;
  private final Supplier<NodeRef> self;
  private final BiFunction<Connector, String, HelperSession> sessions;
  private final RequestLimits limits;
  private final Consumer<GroupId> readDegraded;
  private final ThreadPoolExecutor handlers;
  private final ScheduledThreadPoolExecutor timer;
  private final Set<PeerConnection> open = ConcurrentHashMap.newKeySet();
  private final Strangers<PeerConnection> strangers = new Strangers<>(STRANGERS_MOST);
  private final HelperPlaces places;
  /** For all that callers can cause. */
  private final PeerLog peerLog = new PeerLog(LOG);
  private final Thread acceptor;
  private volatile boolean closed;

  private TransferServer(DataNode datanode, ServerSocketChannel listener, int threads,
      int requestTimeoutMs, RepairMetrics metrics, Connector connector, Supplier<NodeRef> self,
      BiFunction<Connector, String, HelperSession> sessions, RequestLimits limits,
      Consumer<GroupId> readDegraded) {
    this.datanode = datanode;
    this.self = self;
    this.listener = listener;
    this.requestTimeoutMs = requestTimeoutMs;
    this.metrics = metrics;
    this.sessions = sessions;
    this.limits = limits;
    this.readDegraded = readDegraded;
    this.places = new HelperPlaces(threads);
    // Room for those who are just being closed as well.
    this.handlers = new ThreadPoolExecutor(0, threads + 2 * STRANGERS_MOST, 60, TimeUnit.SECONDS,
        new SynchronousQueue<>(), new Daemon.DaemonFactory());
    this.timer = new ScheduledThreadPoolExecutor(1, new Daemon.DaemonFactory());
    timer.setRemoveOnCancelPolicy(true);
    this.connector = new KeptConnections(connector, timer, System::nanoTime);
    this.acceptor = new Daemon(this::acceptAll);
  }

  /** Opens the port, without serving it yet. */
  public static ServerSocketChannel listen(InetSocketAddress address) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    boolean bound = false;
    try {
      channel.socket().setReuseAddress(true);
      channel.bind(address, BACKLOG);
      bound = true;
      return channel;
    } catch (IOException e) {
      throw new IOException("Cannot listen for repairs on " + address + ", which has to be free and"
          + " an address of this host (" + PprKeys.DATANODE_ADDRESS_KEY + "): " + e.getMessage(),
          e);
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
   * @param self this node
   * @param sessions makes the session for each request, with a connector of its own and the
   *     caller's address
   * @param limits what a request may ask for
   * @param readDegraded hears of each group of which a client has read what is lost
   */
  public static TransferServer start(DataNode datanode, ServerSocketChannel listener, int threads,
      int requestTimeoutMs, RepairMetrics metrics, Connector connector, Supplier<NodeRef> self,
      BiFunction<Connector, String, HelperSession> sessions, RequestLimits limits,
      Consumer<GroupId> readDegraded) {
    TransferServer server = new TransferServer(datanode, listener, threads, requestTimeoutMs, metrics,
        connector, self, sessions, limits, readDegraded);
    server.acceptor.setName("ppr-acceptor-" + server.port());
    server.acceptor.start();
    return server;
  }

  public int port() {
    return listener.socket().getLocalPort();
  }

  private void acceptAll() {
    while (!closed) {
      try {
        accept(listener.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        // As in stock's server: no thread could be made, which may be better in a moment.
        peerLog.warn("accept", "Port {} for repairs could not accept a connection", port(), e);
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
    PeerConnection raw = new PeerConnection(peer, channel.socket(), null, null);
    boolean taken = false;
    try {
      addStranger(raw, channel.socket());
      handlers.execute(() -> handle(channel.socket(), peer, raw));
      taken = true;
    } catch (RejectedExecutionException e) {
      reject(HelperRejection.OVERLOADED, peer, e);
    } finally {
      if (!taken) {
        strangers.remove(raw);
        raw.close();
      }
    }
  }

  private void addStranger(PeerConnection stranger, Socket socket) {
    PeerConnection inItsPlace = strangers.add(stranger, socket.getInetAddress());
    if (inItsPlace != null) {
      inItsPlace.abort();
    }
  }

  private void handle(Socket socket, Peer peer, PeerConnection raw) {
    Thread.currentThread().setName("ppr-helper for " + peer.getRemoteAddressString());
    open.add(raw);
    ScheduledFuture<?> deadline = null;
    try {
      if (closed || datanode.getDatanodeId() == null) {
        // Before the first handshake with a NameNode there is nothing to serve, nor keys to check.
        return;
      }
      deadline = timer.schedule(raw::abort, requestTimeoutMs, TimeUnit.MILLISECONDS);
      peer.setReadTimeout(requestTimeoutMs);
      peer.setWriteTimeout(requestTimeoutMs);
      IOStreamPair streams = datanode.getSaslServer().receive(peer, peer.getOutputStream(),
          peer.getInputStream(), port(), datanode.getDatanodeId());
      PeerConnection parent = new PeerConnection(peer, socket, streams.in, streams.out);
      ChannelInput in = new ChannelInput(parent.in());
      PartialSumRequest request = read(in, parent);
      strangers.remove(raw);
      deadline.cancel(false);
      String caller = CallerAddress.of(socket.getInetAddress());
      while (serveIfPlace(request, parent, caller) && request.isForReader() && !closed) {
        // Readers come back, and who waits for them can be sent away like other strangers.
        addStranger(raw, socket);
        deadline = timer.schedule(raw::abort, KeptConnections.SERVER_WAITS_MS,
            TimeUnit.MILLISECONDS);
        parent.setTimeout(KeptConnections.SERVER_WAITS_MS);
        if (!comes(in, peer)) {
          return;
        }
        request = read(in, parent);
        strangers.remove(raw);
        deadline.cancel(false);
      }
    } catch (MalformedRequestException e) {
      reject(HelperRejection.MALFORMED, peer, e);
    } catch (EOFException e) {
      if (raw.isAborted()) {
        reject(HelperRejection.TIMEOUT, peer, e);
      } else {
        // Whoever only wants to know whether somebody listens here connects and leaves.
        LOG.debug("{} left before it asked for anything", peer, e);
      }
    } catch (SocketTimeoutException | ClosedChannelException e) {
      reject(HelperRejection.TIMEOUT, peer, e);
    } catch (IOException | RuntimeException e) {
      reject(HelperRejection.OTHER, peer, e);
    } catch (LinkageError | OutOfMemoryError e) {
      metrics.helperRejected(HelperRejection.OTHER);
      peerLog.error("error", "Cannot serve {}", peer.getRemoteAddressString(), e);
    } finally {
      strangers.remove(raw);
      if (deadline != null) {
        deadline.cancel(false);
      }
      open.remove(raw);
      raw.close();
      Thread.currentThread().setName("ppr-helper idle");
    }
  }

  /** Waits for the first byte of another request; false if the parent wants nothing more. */
  private static boolean comes(ChannelInput in, Peer peer) {
    try {
      in.await();
      return true;
    } catch (IOException e) {
      LOG.debug("{} wants nothing more", peer, e);
      return false;
    }
  }

  private PartialSumRequest read(ChannelInput in, PeerConnection parent) throws IOException {
    try {
      return limits.admit(RequestFraming.read(in));
    } catch (UnsupportedRequestException e) {
      // The caller is newer, or has other settings; it can read the replicas here the stock way.
      answer(parent, FailureCause.UNSUPPORTED, e.getMessage());
      throw e;
    }
  }

  /** Whether it was served to its end, and all that was said with it. */
  private boolean serveIfPlace(PartialSumRequest request, PeerConnection parent, String caller)
      throws IOException {
    if (!places.take(caller)) {
      metrics.helperRejected(HelperRejection.OVERLOADED);
      peerLog.info("no place", "Repair {} of {}: no place is free to serve {}",
          request.repairId(), request.group(), parent);
      answer(parent, FailureCause.OVERLOADED, "no thread is free for a repair");
      return false;
    }
    try {
      return serve(request, parent, caller) == HelperSession.Outcome.DONE;
    } finally {
      places.give(caller);
    }
  }

  private void answer(PeerConnection parent, FailureCause cause, String message)
      throws IOException {
    DataOutputStream out = new DataOutputStream(parent.out());
    PartialSumResponse.failed(new RepairException(cause, self.get(), message, null))
        .writeDelimitedTo(out);
    out.flush();
  }

  private HelperSession.Outcome serve(PartialSumRequest request, PeerConnection parent,
      String caller) {
    SessionConnector toChildren = new SessionConnector(connector);
    HelperSession session = sessions.apply(toChildren, caller);
    AttemptGuard guard = new AttemptGuard(request, 0, session.stats()::slicesDone,
        toChildren::abort, parent::abort, timer, System::nanoTime);
    metrics.helperStarted();
    HelperSession.Outcome outcome;
    try {
      outcome = session.serve(request, parent);
      if (outcome == HelperSession.Outcome.DONE && request.isForReader()) {
        // Only then it is sure that the group has a replica here, and the client a right to it.
        metrics.degradedReadServed();
        readDegraded.accept(request.group());
      }
    } finally {
      guard.end();
      metrics.addBytes(ByteFlow.HELPER_DISK_READ, session.diskBytes());
      metrics.addBytes(ByteFlow.CHUNK_CACHE_HIT, session.cachedBytes());
      metrics.addBytes(ByteFlow.SENT_TO_PARENTS, session.bytesSent());
      metrics.addBytes(ByteFlow.RECEIVED_FROM_CHILDREN, session.bytesReceived());
      metrics.addBytes(ByteFlow.RECEIVED_ACROSS_RACKS, session.bytesAcrossRacks());
      metrics.addBytes(ByteFlow.RECEIVED_BY_STOCK_READS, session.stockBytes());
      // Last: whoever waits until nobody helps any more finds all bytes counted.
      metrics.helperFinished();
    }
    switch (outcome) {
      case DONE:
        LOG.debug("Repair {} of {}: helped {}: {}", request.repairId(), request.group(), parent,
            session.phases());
        break;
      case TOKEN_REFUSED:
        metrics.helperRejected(HelperRejection.ACCESS_TOKEN);
        peerLog.warn("token", "Repair {} of {}: {} has no valid block token: {}",
            request.repairId(), request.group(), parent, session.failure().getMessage());
        break;
      case ABANDONED:
        peerLog.info("went away", "Repair {} of {}: {} went away", request.repairId(),
            request.group(), parent);
        break;
      case FAILED:
      default:
        if (session.failure().node().equals(request.subtree().node())) {
          metrics.helperRejected(reason(session.failure().failureCause()));
          peerLog.warn("cannot help: " + session.failure().failureCause(),
              "Repair {} of {}: cannot help {}: {}", request.repairId(), request.group(), parent,
              session.failure().toString());
        } else {
          peerLog.info("from below: " + session.failure().failureCause(),
              "Repair {} of {}: no help for {} from below: {}", request.repairId(),
              request.group(), parent, session.failure().toString());
        }
        break;
    }
    return outcome;
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
    LOG.debug("Dropped {}", peer, e);
    peerLog.warn("dropped: " + reason, "Dropped {} on the port for repairs: {}",
        peer.getRemoteAddressString(), PeerText.oneLine(e.toString()));
  }

  /** Stops serving: ends all connections, and with them their threads. May be called twice. */
  @Override
  public void close() throws IOException {
    closed = true;
    listener.close();
    open.forEach(PeerConnection::abort);
    connector.close();
    handlers.shutdownNow();
    timer.shutdownNow();
  }

  /** Whether all threads have ended. */
  public boolean awaitEnd(long timeoutMs) throws InterruptedException {
    acceptor.join(timeoutMs);
    return handlers.awaitTermination(timeoutMs, TimeUnit.MILLISECONDS) && !acceptor.isAlive();
  }
}
