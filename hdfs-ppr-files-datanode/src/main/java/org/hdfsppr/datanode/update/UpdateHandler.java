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
package org.hdfsppr.datanode.update;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.host.AttemptGuard;
import org.hdfsppr.datanode.metrics.HelperRejection;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.server.OpHandler;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.stream.KeptConnections;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.BeginTermRequest;
import org.hdfsppr.update.append.KeptTickets;
import org.hdfsppr.update.append.ListLogRequest;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UnknownTicketException;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateBounds;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the requests of clients, NameNodes and DataNodes about the update logs of this node. A
 * caller has to prove its right before this node reads the data of its request. How much data is in
 * memory is bounded, in total and for each caller.
 */
@InterfaceAudience.Private
public final class UpdateHandler implements OpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateHandler.class);
  private static final byte[] NO_DATA = new byte[0];

  /** Serves the log of one block pool, and knows the pool's units that this node leads. */
  private static final class Pool {
    private final LogHolder holder;
    private final UnitLeads leads;

    Pool(LogHolder holder, UnitLeads leads) {
      this.holder = holder;
      this.leads = leads;
    }
  }

  /** Bounds the requests about update logs in number, time and memory. Immutable. */
  public static final class Limits {
    private final int followerTimeoutMs;
    private final int requestTimeoutMs;
    private final int appendsMost;
    private final int peersMost;
    private final long memoryBytes;

    /**
     * @param followerTimeoutMs how long a request to a follower may take, ms
     * @param requestTimeoutMs how long the data of a request may take to arrive, and the answer to
     *     leave, ms
     * @param appendsMost how many appends of clients run at the same time at most
     * @param peersMost how many requests of other nodes run at the same time at most. Together with
     *     {@code appendsMost} this is less than what the server runs at the same time. So appends,
     *     which wait for other nodes, cannot keep out the requests for which these nodes wait, and
     *     a slow log disk leaves room for repairs
     * @param memoryBytes how many bytes of data are in memory at most; clients have half of it
     */
    public Limits(int followerTimeoutMs, int requestTimeoutMs, int appendsMost, int peersMost,
        long memoryBytes) {
      this.followerTimeoutMs = followerTimeoutMs;
      this.requestTimeoutMs = requestTimeoutMs;
      this.appendsMost = appendsMost;
      this.peersMost = peersMost;
      this.memoryBytes = memoryBytes;
    }
  }

  private final UpdateRights rights;
  private final UpdateLogs logs;
  private final OwnBlocks blocks;
  private final KeptConnections connector;
  private final FollowerCall.Ways ways;
  private final int requestTimeoutMs;
  /** Bounds the requests of clients, which wait for other nodes. */
  private final RequestBudget clients;
  /** Bounds the requests of other nodes, which wait for no further node. */
  private final RequestBudget peers;
  private final RepairMetrics metrics;
  private final ScheduledExecutorService timer;
  private final LongSupplier nanoClock;
  /** The open pools, by the id of the block pool. Guarded by itself. */
  private final Map<String, Pool> pools = new HashMap<>();
  /**
   * Writes into the DataNode's log file at a bounded rate. For messages that each request may
   * cause.
   */
  private final PeerLog peerLog = new PeerLog(LOG);

  /**
   * @param rights says what callers may do
   * @param logs the logs; the handler closes them
   * @param blocks the blocks of this node
   * @param connector connects to other holders
   * @param limits bounds requests in number, time and memory
   * @param metrics counts refused requests
   * @param timing the timer that ends connections that take too long, and its clock
   */
  public UpdateHandler(UpdateRights rights, UpdateLogs logs, OwnBlocks blocks,
      TransferConnector connector, Limits limits, RepairMetrics metrics,
      AttemptGuard.Timing timing) {
    this.rights = rights;
    this.logs = logs;
    this.blocks = blocks;
    this.timer = timing.timer;
    this.nanoClock = timing.nanoClock;
    this.connector = new KeptConnections(connector, timer, nanoClock);
    this.ways =
        new FollowerCall.Ways(this.connector, timer, nanoClock, limits.followerTimeoutMs);
    this.requestTimeoutMs = limits.requestTimeoutMs;
    this.clients = RequestBudget.halfForEach(limits.appendsMost, limits.memoryBytes / 2);
    // One caller may use all of it, because only nodes of the cluster have tokens for these
    // requests.
    this.peers = new RequestBudget(limits.peersMost, limits.peersMost, limits.memoryBytes / 2,
        limits.memoryBytes / 2);
    this.metrics = metrics;
  }

  @Override
  public int opcode() {
    return UpdateFraming.OP_UPDATE;
  }

  @Override
  public Op read(ChannelInput in, PeerConnection connection) throws IOException {
    KeptTickets kept = connection.memory(KeptTickets.class, KeptTickets::new);
    try {
      return new UpdateOp(UpdateFraming.readRequest(in, kept), in, kept);
    } catch (UnknownTicketException e) {
      UpdateFraming.write(connection.out(), UpdateAnswer.refused(UpdateStatus.UNKNOWN_TICKET,
          e.getMessage(), null, LogPosition.NOTHING), NO_DATA);
      throw e;
    }
  }

  private Pool pool(String poolId) throws IOException {
    UpdateLog log = logs.log(poolId);
    synchronized (pools) {
      return pools.computeIfAbsent(poolId, id -> new Pool(
          new LogHolder(log, ways.timeoutMs, logs.oldBytes),
          new UnitLeads(log, ways, nanoClock, blocks, logs.lineage)));
    }
  }

  /**
   * Returns the object by which this node leads the ticket's unit. The term is that of the ticket,
   * or a later term if this node already leads the unit in one.
   */
  UnitLead lead(UpdateTicket ticket) throws IOException {
    return pool(ticket.poolId()).leads.lead(ticket);
  }

  UpdateLog log(String poolId) throws IOException {
    return logs.log(poolId);
  }

  /** Carries out one request. */
  private final class UpdateOp implements Op {
    private final UpdateRequest request;
    private final ChannelInput in;
    private final KeptTickets kept;

    UpdateOp(UpdateRequest request, ChannelInput in, KeptTickets kept) {
      this.request = request;
      this.in = in;
      this.kept = kept;
    }

    @Override
    public void refuse(PeerConnection connection, FailureCause cause, String message)
        throws IOException {
      UpdateFraming.write(connection.out(), refusal(UpdateStatus.OVERLOADED, message), NO_DATA);
    }

    @Override
    public boolean serve(PeerConnection connection, String caller) {
      try {
        connection.setTimeout(requestTimeoutMs);
        String why = whyNot();
        if (why != null) {
          metrics.helperRejected(HelperRejection.ACCESS_TOKEN);
          peerLog.warn("right", "{}: {} may not ask this: {}", request, connection, why);
          // The answer does not say why, because a caller without a right gets no further
          // information.
          UpdateFraming.write(connection.out(), refusal(UpdateStatus.REFUSED, "no right to ask"),
              NO_DATA);
          return false;
        }
        // Appends and begins of terms wait for other nodes, and so have a budget of their own.
        RequestBudget budget = request instanceof AppendRequest
            || request instanceof BeginTermRequest ? clients : peers;
        if (!budget.take(caller, memoryBytes())) {
          metrics.helperRejected(HelperRejection.OVERLOADED);
          refuse(connection, FailureCause.OVERLOADED, "too many updates are under way");
          return false;
        }
        boolean given = false;
        try {
          LogHolder.Reply reply = carryOut(readData(connection));
          if (reply.data.length == 0) {
            // The room is given back before the answer is sent. Otherwise the caller's next request
            // could come before this thread goes on, and find no room.
            budget.give(caller, memoryBytes());
            given = true;
          }
          write(connection, reply, kept.keep());
          return true;
        } finally {
          if (!given) {
            budget.give(caller, memoryBytes());
          }
        }
      } catch (MalformedRequestException e) {
        metrics.helperRejected(HelperRejection.MALFORMED);
        peerLog.warn("malformed", "{}: dropped {}: {}", request, connection, e.getMessage());
        return false;
      } catch (IOException e) {
        peerLog.info("went away", "{}: {} went away: {}", request, connection, e.toString());
        return false;
      }
    }

    private byte[] readData(PeerConnection connection) throws IOException {
      if (request.payload.length == 0) {
        return NO_DATA;
      }
      // The timeout of reads begins anew with each byte. So a timer closes the connection of a
      // caller that sends its data too slowly.
      ScheduledFuture<?> deadline = deadline(connection);
      try {
        return UpdateFraming.readData(in, request.payload);
      } finally {
        deadline.cancel(false);
      }
    }

    private void write(PeerConnection connection, LogHolder.Reply reply, boolean keepsTicket)
        throws IOException {
      // The timeout of writes begins anew with each write that proceeds. So a timer closes the
      // connection of a caller that takes the answer too slowly.
      ScheduledFuture<?> deadline = deadline(connection);
      try {
        UpdateFraming.write(connection.out(), reply.answer, reply.data, keepsTicket);
      } finally {
        deadline.cancel(false);
      }
    }

    private ScheduledFuture<?> deadline(PeerConnection connection) throws IOException {
      try {
        return timer.schedule(connection::abort, requestTimeoutMs, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        throw new IOException("This DataNode stops", e);
      }
    }

    /** Returns why the caller may not make this request; null if it may. */
    private String whyNot() {
      UpdateTicket ticket = request.ticket();
      if ((request instanceof AppendRequest || request instanceof BeginTermRequest)
          && !ticket.leader().equals(rights.self())) {
        return "the ticket names " + ticket.leader() + " as the leader, not " + rights.self();
      }
      if (request instanceof ReplicateRequest && !ticket.followers().contains(rights.self())) {
        return "the ticket does not name " + rights.self() + " as a follower";
      }
      if (request instanceof BeginTermRequest) {
        return rights.mayBegin(request.signed());
      }
      return request instanceof AppendRequest ? rights.mayWrite(request.signed())
          : rights.isPeer(request.signed());
    }

    /**
     * Returns how many bytes of data the request has in memory at most. A leader has the data of an
     * append twice: as they came, and in the message to the followers, which joins several appends.
     * Overwritten bytes, or deltas, need as much again.
     */
    private long memoryBytes() {
      if (request instanceof AppendRequest) {
        return (request.ticket().hasOldBytes() || request.ticket().hasDeltas() ? 4L : 2L)
            * request.payload.length;
      }
      return request instanceof ReadLogRequest
          ? ((ReadLogRequest) request).bytesMost == 0 ? 0 : UpdateBounds.DATA_BYTES_MAX
          : request.payload.length;
    }

    private LogHolder.Reply carryOut(byte[] data) {
      Pool pool;
      try {
        pool = pool(request.ticket().poolId());
      } catch (IOException e) {
        return new LogHolder.Reply(LogRefusals.of(e, request.toString(), LogPosition.NOTHING),
            NO_DATA);
      }
      if (request instanceof ReadLogRequest) {
        return pool.holder.read((ReadLogRequest) request);
      }
      if (request instanceof ListLogRequest) {
        return pool.holder.list((ListLogRequest) request);
      }
      UpdateAnswer answer;
      if (request instanceof AppendRequest) {
        answer = append(pool, (AppendRequest) request, data);
      } else if (request instanceof BeginTermRequest) {
        answer = begin(pool);
      } else if (request instanceof ReplicateRequest) {
        answer = pool.holder.replicate((ReplicateRequest) request, data);
      } else {
        answer = pool.holder.trim((TrimRequest) request);
      }
      return new LogHolder.Reply(answer, NO_DATA);
    }

    private UpdateAnswer append(Pool pool, AppendRequest append, byte[] data) {
      SignedTicket asPeer;
      try {
        asPeer = rights.asPeer(append.signed());
      } catch (IOException e) {
        return LogRefusals.of(e, request.toString(), LogPosition.NOTHING);
      }
      UnitLead lead = pool.leads.lead(append.ticket());
      if (lead.term() > append.ticket().term) {
        return refusal(UpdateStatus.STALE_TERM, "this DataNode leads term " + lead.term());
      }
      return lead.isOf(append.ticket()) ? lead.append(append, asPeer, data)
          : refusal(UpdateStatus.REFUSED, "the term has other holders");
    }

    private UpdateAnswer begin(Pool pool) {
      SignedTicket asPeer;
      try {
        asPeer = rights.asPeer(request.signed());
      } catch (IOException e) {
        return LogRefusals.of(e, request.toString(), LogPosition.NOTHING);
      }
      UnitLead lead = pool.leads.lead(request.ticket());
      if (lead.term() > request.ticket().term) {
        return refusal(UpdateStatus.STALE_TERM, "this DataNode leads term " + lead.term());
      }
      return lead.isOf(request.ticket()) ? lead.confirm(asPeer, true)
          : refusal(UpdateStatus.REFUSED, "the term has other holders");
    }

    private UpdateAnswer refusal(UpdateStatus status, String message) {
      return UpdateAnswer.refused(status, message, null, LogPosition.NOTHING);
    }

    @Override
    public String toString() {
      return request.toString();
    }
  }

  @Override
  public void close() {
    connector.close();
    logs.close();
  }

  /** The units that this node leads in one block pool. Thread-safe. */
  static final class UnitLeads {
    /**
     * How many units are remembered at most. If there are more, the least recently used one is
     * forgotten, and needs a new term for its next update. Each takes a few hundred bytes.
     */
    private static final int LEADS_MOST = 1 << 14;

    private final UpdateLog log;
    private final FollowerCall.Ways ways;
    private final LongSupplier nanoClock;
    private final OwnBlocks blocks;
    private final BlockLineage lineage;
    /** The units that this node leads, in the order of their last use. Guarded by this. */
    private final Map<UnitId, UnitLead> leads =
        new LinkedHashMap<UnitId, UnitLead>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<UnitId, UnitLead> eldest) {
            return size() > LEADS_MOST;
          }
        };

    /**
     * @param log the log of the pool
     * @param ways the connections, timer and limits for requests to followers
     * @param nanoClock a monotonic clock, ns
     * @param blocks the blocks of this node
     * @param lineage knows which blocks of later versions this node has made from which others
     */
    UnitLeads(UpdateLog log, FollowerCall.Ways ways, LongSupplier nanoClock, OwnBlocks blocks,
        BlockLineage lineage) {
      this.blocks = blocks;
      this.lineage = lineage;
      this.log = log;
      this.ways = ways;
      this.nanoClock = nanoClock;
    }

    /**
     * Returns the object by which this node leads the ticket's unit. It leads in the term that the
     * ticket names, or in a later term that has begun on this node.
     *
     * @param ticket the ticket
     * @return the object that leads the unit
     */
    synchronized UnitLead lead(UpdateTicket ticket) {
      UnitLead known = leads.get(ticket.unit);
      if (known == null || known.term() < ticket.term) {
        known = new UnitLead(ticket, log, ways, nanoClock,
            new OverwrittenBytes(log, blocks, lineage), new EpochDeltas(log, blocks, lineage));
        leads.put(ticket.unit, known);
      }
      return known;
    }
  }
}
