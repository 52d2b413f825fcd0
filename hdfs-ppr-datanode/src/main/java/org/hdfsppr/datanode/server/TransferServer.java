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
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.metrics.HelperRejection;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.stream.CallerShares;
import org.hdfsppr.stream.KeptConnections;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.RequestFraming;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a DataNode's port for repairs. The server accepts connections, runs Hadoop's SASL
 * handshake, reads requests, and lets the {@link OpHandler} of their opcode serve them. A caller
 * that has not yet sent a request is a stranger. The server drops a stranger that sends nothing,
 * too little or nonsense, or that sends too slowly. Until then, strangers use a bounded time and
 * memory. If all threads are busy, the server closes a further connection at once. The caller's
 * tree then fails and is planned anew, instead of waiting for a thread that the tree itself may
 * occupy.
 */
@InterfaceAudience.Private
public final class TransferServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TransferServer.class);
  /** The backlog of stock's data transfer server; the kernel refuses connections beyond it. */
  private static final int BACKLOG = 128;
  /**
   * How many open connections may not have sent a request yet. Callers send theirs within
   * milliseconds, so they need far fewer.
   */
  private static final int STRANGERS_MOST = 64;
  /** The pause after {@code accept} fails, for example because too many files are open, ms. */
  private static final long ACCEPT_PAUSE_MS = 100;

  private final DataNode datanode;
  private final ServerSocketChannel listener;
  private final int requestTimeoutMs;
  private final RepairMetrics metrics;
  /** The handlers by opcode. */
  private final Map<Integer, OpHandler> ops = new TreeMap<>();
  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor timer;
  private final Set<PeerConnection> open = ConcurrentHashMap.newKeySet();
  private final PendingConnections<PeerConnection> strangers =
      new PendingConnections<>(STRANGERS_MOST);
  private final HelperSlots places;
  /** Logs the lines that callers can cause, at a bounded rate. */
  private final PeerLog peerLog = new PeerLog(LOG);
  private final Thread acceptor;
  private volatile boolean closed;

  private TransferServer(DataNode datanode, ServerSocketChannel listener, int places,
      int requestTimeoutMs, RepairMetrics metrics, List<OpHandler> handlers,
      ScheduledThreadPoolExecutor timer) {
    this.datanode = datanode;
    this.listener = listener;
    this.requestTimeoutMs = requestTimeoutMs;
    this.metrics = metrics;
    this.places = new HelperSlots(places);
    // The pool has room for the strangers too, and for strangers that the server is just closing.
    this.threads = new ThreadPoolExecutor(0, places + 2 * STRANGERS_MOST, 60, TimeUnit.SECONDS,
        new SynchronousQueue<>(), new Daemon.DaemonFactory());
    this.timer = timer;
    this.acceptor = new Daemon(this::acceptAll);
    for (OpHandler handler : handlers) {
      if (ops.putIfAbsent(handler.opcode(), handler) != null) {
        throw new IllegalArgumentException("Opcode " + handler.opcode() + " has two handlers");
      }
    }
  }

  /** @return a timer for the server and its handlers; {@link #close} ends it */
  public static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, new Daemon.DaemonFactory());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /**
   * Opens the port, and does not accept connections yet.
   *
   * @param address an address of this host, and the port
   * @return the open port; the caller closes it unless a server takes it
   * @throws IOException if the port is not free or the address is not this host's
   */
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
   * @param datanode the DataNode whose SASL server and identity the server uses
   * @param listener an open port; the server closes it
   * @param places the number of requests that the server serves at a time
   * @param requestTimeoutMs the longest time from the connection to the end of the request, ms
   * @param metrics counts refused requests
   * @param handlers one handler for each opcode; the server closes the handlers
   * @param timer a timer from {@link #timer}; the server ends it
   * @return the running server
   * @throws IllegalArgumentException if two handlers have the same opcode
   */
  public static TransferServer start(DataNode datanode, ServerSocketChannel listener, int places,
      int requestTimeoutMs, RepairMetrics metrics, List<OpHandler> handlers,
      ScheduledThreadPoolExecutor timer) {
    TransferServer server = new TransferServer(datanode, listener, places, requestTimeoutMs,
        metrics, handlers, timer);
    server.acceptor.setName("ppr-acceptor-" + server.port());
    server.acceptor.start();
    return server;
  }

  /** @return the port on which this server listens */
  public int port() {
    return listener.socket().getLocalPort();
  }

  private void acceptAll() {
    while (!closed) {
      try {
        accept(listener.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | RuntimeException | LinkageError | AssertionError
          | VirtualMachineError e) {
        // The server goes on, as stock's server does. If the JVM could not make a thread, it may be
        // able to make one in a moment.
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
      threads.execute(() -> handle(channel.socket(), peer, raw));
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
        // Before the first handshake with a NameNode the DataNode has no replicas and no keys.
        return;
      }
      deadline = timer.schedule(raw::abort, requestTimeoutMs, TimeUnit.MILLISECONDS);
      peer.setReadTimeout(requestTimeoutMs);
      peer.setWriteTimeout(requestTimeoutMs);
      IOStreamPair streams = datanode.getSaslServer().receive(peer, peer.getOutputStream(),
          peer.getInputStream(), port(), datanode.getDatanodeId());
      PeerConnection parent = new PeerConnection(peer, socket, streams.in, streams.out);
      ChannelInput in = new ChannelInput(parent.in());
      OpHandler.Op op = read(in, parent);
      strangers.remove(raw);
      deadline.cancel(false);
      String caller = CallerAddress.of(socket.getInetAddress());
      while (serveIfPlace(op, parent, caller) && !closed) {
        // The caller may send another request. Until it does, its connection counts as a stranger.
        addStranger(raw, socket);
        deadline = timer.schedule(raw::abort, KeptConnections.SERVER_WAITS_MS,
            TimeUnit.MILLISECONDS);
        parent.setTimeout(KeptConnections.SERVER_WAITS_MS);
        if (!comes(in, peer)) {
          return;
        }
        op = read(in, parent);
        strangers.remove(raw);
        deadline.cancel(false);
      }
    } catch (MalformedRequestException e) {
      reject(HelperRejection.MALFORMED, peer, e);
    } catch (EOFException e) {
      if (raw.isAborted()) {
        reject(HelperRejection.TIMEOUT, peer, e);
      } else {
        // A caller that only probes whether the port is open connects and leaves.
        LOG.debug("{} left before it sent a request", peer, e);
      }
    } catch (SocketTimeoutException | ClosedChannelException e) {
      reject(HelperRejection.TIMEOUT, peer, e);
    } catch (IOException | RuntimeException e) {
      reject(HelperRejection.OTHER, peer, e);
    } catch (LinkageError | AssertionError | VirtualMachineError e) {
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

  /** Waits for the first byte of another request; returns false if the caller sends none. */
  private static boolean comes(ChannelInput in, Peer peer) {
    try {
      in.await();
      return true;
    } catch (IOException e) {
      LOG.debug("{} sends no other request", peer, e);
      return false;
    }
  }

  private OpHandler.Op read(ChannelInput in, PeerConnection parent) throws IOException {
    int opcode = RequestFraming.readOpcode(in);
    OpHandler handler = ops.get(opcode);
    if (handler == null) {
      throw RequestFraming.unknownOpcode(opcode, ops.keySet());
    }
    return handler.read(in, parent);
  }

  /**
   * Serves a request unless too many requests are under way; returns whether the caller may send
   * another request over the connection.
   */
  private boolean serveIfPlace(OpHandler.Op op, PeerConnection parent, String caller)
      throws IOException {
    if (!places.take(caller)) {
      metrics.helperRejected(HelperRejection.OVERLOADED);
      peerLog.info("no place", "{}: no place is free to serve {}", op, parent);
      op.refuse(parent, FailureCause.OVERLOADED, "no thread is free for a repair");
      return false;
    }
    try {
      return op.serve(parent, caller);
    } finally {
      places.give(caller);
    }
  }

  private void reject(HelperRejection reason, Peer peer, Exception e) {
    metrics.helperRejected(closed ? HelperRejection.STOPPING : reason);
    LOG.debug("Dropped {}", peer, e);
    peerLog.warn("dropped: " + reason, "Dropped {} on the port for repairs: {}",
        peer.getRemoteAddressString(), PeerText.oneLine(e.toString()));
  }

  /**
   * Stops serving, and aborts all connections so that their threads end. A caller may call this
   * twice.
   */
  @Override
  public void close() throws IOException {
    closed = true;
    listener.close();
    open.forEach(PeerConnection::abort);
    ops.values().forEach(OpHandler::close);
    threads.shutdownNow();
    timer.shutdownNow();
  }

  /**
   * Waits for the end of all threads.
   *
   * @param timeoutMs the longest wait for the acceptor, and again for the other threads, ms
   * @return whether all threads have ended
   * @throws InterruptedException if the calling thread is interrupted
   */
  public boolean awaitEnd(long timeoutMs) throws InterruptedException {
    acceptor.join(timeoutMs);
    return threads.awaitTermination(timeoutMs, TimeUnit.MILLISECONDS) && !acceptor.isAlive();
  }

  /**
   * Keeps the connections that have not yet sent a request (strangers), and bounds their number. A
   * usual caller sends its request within milliseconds. If there are too many strangers, this class
   * drops one of them, so that silent strangers cannot keep others out. It drops the oldest
   * stranger of the address with the most strangers. Many connections from one machine therefore
   * displace each other, and not the connection of another machine whose handshake is slow.
   * Thread-safe.
   *
   * @param <C> a connection
   */
  static final class PendingConnections<C> {
    private final int most;
    /** The address for which each connection counts; oldest connection first. Guarded by this. */
    private final Map<C, String> connections = new LinkedHashMap<>();
    /** The number of connections of each address. Guarded by this. */
    private final Map<String, Integer> counts = new HashMap<>();

    /** @param most the most connections at a time */
    PendingConnections(int most) {
      this.most = most;
    }

    /**
     * Adds a connection.
     *
     * @param connection a connection that has not been added yet
     * @param from the address that the connection comes from, or null if the address is not known
     * @return the connection that the caller has to close, and that this class has removed; null if
     *     there was room
     */
    synchronized C add(C connection, InetAddress from) {
      String address = CallerAddress.ofStranger(from);
      connections.put(connection, address);
      counts.merge(address, 1, Integer::sum);
      if (connections.size() <= most) {
        return null;
      }
      int largest = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
      for (Map.Entry<C, String> each : connections.entrySet()) {
        if (counts.get(each.getValue()) == largest) {
          remove(each.getKey());
          return each.getKey();
        }
      }
      throw new IllegalStateException("No address has " + largest + " connections");
    }

    /**
     * Removes a connection that has sent its request or has ended. Does nothing if this object does
     * not hold the connection.
     */
    synchronized void remove(C connection) {
      String address = connections.remove(connection);
      if (address != null) {
        counts.computeIfPresent(address, (any, count) -> count == 1 ? null : count - 1);
      }
    }

    synchronized int size() {
      return connections.size();
    }

    /** Returns the number of addresses from which these connections come. */
    synchronized int addresses() {
      return counts.size();
    }
  }

  /**
   * Bounds how many requests a node serves at a time, both in total and for each caller. A place is
   * the right to serve one request. Without the second bound, a caller that accepts no bytes could
   * occupy all threads. Thread-safe.
   */
  static final class HelperSlots {
    /** A caller may have one place out of this many. */
    private static final int CALLER_ONE_IN = 4;
    /**
     * A caller may always have this many places. A node runs 8 repairs at a time by default, and
     * may need the same helper for all of them.
     */
    private static final int CALLER_LEAST = 8;

    private final int most;
    private final CallerShares callers;
    private int taken;

    /** @param most the most requests at a time */
    HelperSlots(int most) {
      this.most = most;
      this.callers =
          new CallerShares(Math.min(most, Math.max(CALLER_LEAST, most / CALLER_ONE_IN)));
    }

    /**
     * Takes a place for {@code caller}, and returns whether a place was free. The calling thread
     * must give the place back.
     */
    synchronized boolean take(String caller) {
      if (taken == most || !callers.take(caller, 1)) {
        return false;
      }
      taken++;
      return true;
    }

    synchronized void give(String caller) {
      taken--;
      callers.give(caller, 1);
    }
  }
}
