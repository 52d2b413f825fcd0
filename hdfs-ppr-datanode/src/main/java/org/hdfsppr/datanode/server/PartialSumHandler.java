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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.datanode.host.AttemptGuard;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.ByteFlow;
import org.hdfsppr.datanode.metrics.HelperRejection;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.users.SharedLink;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.HelperSession;
import org.hdfsppr.stream.KeptConnections;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.stream.RequestLimits;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PartialSumResponse;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestFraming;
import org.hdfsppr.wire.UnsupportedRequestException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves requests for partial sums. A {@link HelperSession} serves each request, and an {@link
 * AttemptGuard} bounds its time. The handler counts the bytes that the session moves, and notes the
 * groups that clients read degraded.
 */
@InterfaceAudience.Private
public final class PartialSumHandler implements OpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(PartialSumHandler.class);

  private final RequestLimits limits;
  private final BiFunction<TransferConnector, String, HelperSession> sessions;
  private final KeptConnections connector;
  private final DataNodeHost host;
  private final RepairMetrics metrics;
  private final Consumer<GroupId> readDegraded;
  private final AttemptGuard.Timing guards;
  private final SharedLink link;
  /** Logs the lines that callers can cause, at a bounded rate. */
  private final PeerLog peerLog = new PeerLog(LOG);

  /**
   * @param limits the limits of a request
   * @param sessions makes the session for a request; takes a connector for this session alone, and
   *     the caller's address
   * @param connector opens the connections to children. After a client's read, the handler keeps
   *     them open for further reads
   * @param host gives access to this DataNode. While users are busy, its link bounds the unsent
   *     bytes in the sockets of repairs. Clients' reads, and repairs of groups without a spare
   *     unit, have no bound
   * @param metrics counts requests and bytes
   * @param readDegraded receives each group whose lost unit a client has read
   * @param guards the timer that ends sessions and kept connections whose time is up
   */
  public PartialSumHandler(RequestLimits limits,
      BiFunction<TransferConnector, String, HelperSession> sessions, TransferConnector connector,
      DataNodeHost host, RepairMetrics metrics, Consumer<GroupId> readDegraded,
      AttemptGuard.Timing guards) {
    this.limits = limits;
    this.sessions = sessions;
    this.connector = new KeptConnections(connector, guards.timer, guards.nanoClock);
    this.host = host;
    this.link = host.link;
    this.metrics = metrics;
    this.readDegraded = readDegraded;
    this.guards = guards;
  }

  @Override
  public int opcode() {
    return RequestFraming.OP_PARTIAL_SUM;
  }

  @Override
  public Op read(ChannelInput in, PeerConnection connection) throws IOException {
    try {
      return new PartialSumOp(limits.admit(
          RequestFraming.readPartialSum(in, host.requestFeatures())));
    } catch (UnsupportedRequestException e) {
      // The caller runs a newer version or has other settings. It can still read this node's
      // replicas as stock does.
      answer(connection, FailureCause.UNSUPPORTED, e.getMessage());
      throw e;
    }
  }

  private void answer(PeerConnection connection, FailureCause cause, String message)
      throws IOException {
    PartialSumResponse.write(connection.out(), PartialSumResponse.withFeatures(
        PartialSumResponse.failed(new RepairException(cause, host.self(), message, null)),
        host.requestFeatures()));
  }

  /** Carries out one request. */
  private final class PartialSumOp implements Op {
    private final PartialSumRequest request;

    PartialSumOp(PartialSumRequest request) {
      this.request = request;
    }

    @Override
    public void refuse(PeerConnection connection, FailureCause cause, String message)
        throws IOException {
      answer(connection, cause, message);
    }

    @Override
    public boolean serve(PeerConnection connection, String caller) {
      SessionConnector toChildren = new SessionConnector(connector);
      HelperSession session = sessions.apply(toChildren, caller);
      AttemptGuard guard = new AttemptGuard(request, 0, session.stats::slicesDone,
          toChildren::abort, connection::abort, guards);
      metrics.helperStarted();
      HelperSession.Outcome outcome;
      boolean yields = !request.forReader && !request.urgent;
      if (yields) {
        link.add(connection);
      }
      if (request.forReader) {
        link.readerBegins();
      }
      try {
        outcome = session.serve(request, connection);
        if (outcome == HelperSession.Outcome.DONE && request.forReader) {
          metrics.degradedReadServed();
          if (!request.readsOtherBlocks()) {
            // Only a request whose blocks are all units of the group proves that this node has a
            // replica of the group, and that the client may read the replica.
            readDegraded.accept(request.group);
          }
        }
      } finally {
        if (yields) {
          link.remove(connection);
        }
        if (request.forReader) {
          link.readerEnds();
        }
        guard.end();
        count(session);
      }
      report(session, outcome, connection);
      // A reader sends its next request over the same connection. Each attempt at a repair opens
      // its own connections.
      return outcome == HelperSession.Outcome.DONE && request.forReader;
    }

    private void report(HelperSession session, HelperSession.Outcome outcome,
        PeerConnection parent) {
      switch (outcome) {
        case DONE:
          LOG.debug("{}: helped {}: {}", this, parent, session.phases);
          break;
        case TOKEN_REFUSED:
          metrics.helperRejected(HelperRejection.ACCESS_TOKEN);
          peerLog.warn("token", "{}: {} has no valid block token: {}", this, parent,
              session.failure().getMessage());
          break;
        case ABANDONED:
          peerLog.info("went away", "{}: {} went away", this, parent);
          break;
        case FAILED:
        default:
          reportFailure(session.failure(), parent);
          break;
      }
    }

    private void reportFailure(RepairException failure, PeerConnection parent) {
      if (failure.node.equals(request.subtree.node)) {
        metrics.helperRejected(reason(failure.failureCause));
        peerLog.warn("cannot help: " + failure.failureCause, "{}: cannot help {}: {}", this,
            parent, failure.toString());
      } else {
        peerLog.info("from below: " + failure.failureCause, "{}: no help for {} from below: {}",
            this, parent, failure.toString());
      }
    }

    @Override
    public String toString() {
      return "Repair " + request.repairId + " of " + request.group;
    }
  }

  private void count(HelperSession session) {
    metrics.addBytes(ByteFlow.HELPER_DISK_READ, session.diskBytes());
    metrics.addBytes(ByteFlow.CHUNK_CACHE_HIT, session.cachedBytes());
    metrics.addBytes(ByteFlow.SENT_TO_PARENTS, session.bytesSent());
    metrics.addBytes(ByteFlow.RECEIVED_FROM_CHILDREN, session.bytesReceived());
    metrics.addBytes(ByteFlow.RECEIVED_ACROSS_RACKS, session.bytesAcrossRacks());
    metrics.addBytes(ByteFlow.RECEIVED_BY_STOCK_READS, session.stockBytes());
    metrics.helperComputed(session.stats.multiplyNanos());
    // This call comes last, so that a thread that waits until no session runs finds all bytes
    // counted.
    metrics.helperFinished();
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

  @Override
  public void close() {
    connector.close();
  }

  /**
   * Opens the connections of one session, and remembers them, so that another thread can abort all
   * of them when the session's time is up. The session closes the connections. Thread-safe.
   */
  static final class SessionConnector implements TransferConnector {
    private final TransferConnector connector;
    private final List<TransferConnection> opened = new ArrayList<>();
    private boolean aborted;

    SessionConnector(TransferConnector connector) {
      this.connector = connector;
    }

    @Override
    public TransferConnection connect(NodeRef node, ExtendedBlock block,
        Token<BlockTokenIdentifier> token)
        throws IOException {
      return remember(connector.connect(node, block, token));
    }

    @Override
    public TransferConnection connectAnew(NodeRef node, ExtendedBlock block,
        Token<BlockTokenIdentifier> token) throws IOException {
      return remember(connector.connectAnew(node, block, token));
    }

    private TransferConnection remember(TransferConnection connection) throws IOException {
      synchronized (this) {
        if (!aborted) {
          opened.add(connection);
          return connection;
        }
      }
      connection.close();
      throw new IOException("The time for the repair is up");
    }

    /**
     * Aborts all connections, so that threads that read from them fail. Any thread may call this,
     * also twice.
     */
    synchronized void abort() {
      aborted = true;
      opened.forEach(TransferConnection::abort);
    }
  }
}
