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
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.metrics.HelperRejection;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.server.OpHandler;
import org.hdfsppr.datanode.update.log.LogView;
import org.hdfsppr.datanode.update.log.UnitState;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.update.append.KeptTickets;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.UnknownTicketException;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.update.view.ViewRequest;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends clients the updated bytes of a range of a unit that this node leads, which is a view of the
 * log. Before each view, the node asks its followers whether it still leads. So a node that is cut
 * off from the others shows no outdated bytes. Thread-safe.
 */
@InterfaceAudience.Private
public final class ViewHandler implements OpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ViewHandler.class);

  private final UpdateRights rights;
  private final UpdateHandler updates;
  private final int requestTimeoutMs;
  private final RequestBudget clients;
  private final RepairMetrics metrics;
  private final ScheduledExecutorService timer;
  /**
   * Writes into the DataNode's log file at a bounded rate. For messages that each request may
   * cause.
   */
  private final PeerLog peerLog = new PeerLog(LOG);

  /**
   * @param rights says what callers may do
   * @param updates knows which units this node leads; the server closes it
   * @param requestTimeoutMs how long an answer may take to leave, ms
   * @param viewsMost how many requests run at the same time at most
   * @param memoryBytes how many bytes of answers are in memory at most
   * @param metrics counts refused requests
   * @param timer ends connections that take too long; the caller shuts it down
   */
  public ViewHandler(UpdateRights rights, UpdateHandler updates, int requestTimeoutMs,
      int viewsMost, long memoryBytes, RepairMetrics metrics, ScheduledExecutorService timer) {
    this.timer = timer;
    this.rights = rights;
    this.updates = updates;
    this.requestTimeoutMs = requestTimeoutMs;
    this.clients = RequestBudget.halfForEach(viewsMost, memoryBytes);
    this.metrics = metrics;
  }

  @Override
  public int opcode() {
    return ViewFraming.OP_VIEW;
  }

  @Override
  public Op read(ChannelInput in, PeerConnection connection) throws IOException {
    KeptTickets kept = connection.memory(KeptTickets.class, KeptTickets::new);
    try {
      return new ViewOp(ViewFraming.readRequest(in, kept), kept);
    } catch (UnknownTicketException e) {
      ViewFraming.writeUnknownTicket(connection.out(), e);
      throw e;
    }
  }

  /** Carries out one request. */
  private final class ViewOp implements Op {
    private final ViewRequest request;
    private final KeptTickets kept;

    ViewOp(ViewRequest request, KeptTickets kept) {
      this.request = request;
      this.kept = kept;
    }

    @Override
    public void refuse(PeerConnection connection, FailureCause cause, String message)
        throws IOException {
      ViewFraming.write(connection.out(), request,
          ViewAnswer.refused(UpdateStatus.OVERLOADED, message));
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
          ViewFraming.write(connection.out(), request,
              ViewAnswer.refused(UpdateStatus.REFUSED, "no right to ask"));
          return false;
        }
        // The range, the data of the updated pieces in it, and the list of these pieces are in
        // memory at the same time.
        long bytes = 3L * request.length;
        if (!clients.take(caller, bytes)) {
          metrics.helperRejected(HelperRejection.OVERLOADED);
          refuse(connection, FailureCause.OVERLOADED, "too many views are under way");
          return false;
        }
        boolean given = false;
        try {
          ViewAnswer answer = answer();
          if (answer.data.length == 0) {
            // The room is given back before the answer is sent. Otherwise the caller's next request
            // could come before this thread goes on, and find no room.
            clients.give(caller, bytes);
            given = true;
          }
          write(connection, answer, kept.keep());
          return true;
        } finally {
          if (!given) {
            clients.give(caller, bytes);
          }
        }
      } catch (IOException e) {
        peerLog.info("went away", "{}: {} went away: {}", request, connection, e.toString());
        return false;
      }
    }

    /**
     * Sends an answer. A timer closes the connection if that takes too long, because a timeout of
     * writes would begin anew with each write that proceeds.
     */
    private void write(PeerConnection connection, ViewAnswer answer, boolean keepsTicket)
        throws IOException {
      ScheduledFuture<?> deadline;
      try {
        deadline = timer.schedule(connection::abort, requestTimeoutMs, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        throw new IOException("This DataNode stops", e);
      }
      try {
        ViewFraming.write(connection.out(), request, answer, keepsTicket);
      } finally {
        deadline.cancel(false);
      }
    }

    /** Returns why the caller may not make this request; null if it may. */
    private String whyNot() {
      if (!request.ticket().leader().equals(rights.self())) {
        return "the ticket names " + request.ticket().leader() + " as the leader, not "
            + rights.self();
      }
      return request.isSync ? rights.mayWrite(request.signed())
          : rights.mayRead(request.signed());
    }

    private ViewAnswer answer() {
      try {
        UnitLead lead = updates.lead(request.ticket());
        if (lead.term() > request.ticket().term) {
          return ViewAnswer.refused(UpdateStatus.STALE_TERM,
              "this DataNode leads term " + lead.term());
        }
        if (!lead.isOf(request.ticket())) {
          return ViewAnswer.refused(UpdateStatus.REFUSED, "the term has other holders");
        }
        UpdateAnswer confirmed =
            lead.confirm(rights.asPeer(request.signed()), request.isSync);
        if (!confirmed.isDone()) {
          return ViewAnswer.refused(confirmed.status, confirmed.node().map(node ->
              node + ": ").orElse("") + confirmed.message);
        }
        UpdateLog log = updates.log(request.ticket().poolId());
        LogView view =
            log.view(request.ticket().unit, request.offset, request.length,
                request.ticket().committed);
        long trimmed = log.trimmed(request.ticket().unit.file);
        if (trimmed > request.ticket().committed && request.length > 0) {
          // The caller reads an older version of the file than that of the commit after which the
          // log was trimmed. The version lacks updates that the log has dropped.
          return ViewAnswer.refused(UpdateStatus.STALE_TERM, "commit " + trimmed + " has replaced"
              + " the version of commit " + request.ticket().committed);
        }
        if (view.hasDeltas() && !request.takesDeltas) {
          // The next commit puts these updates into a version. The caller may try again then, so
          // the answer is not final.
          return ViewAnswer.refused(UpdateStatus.OVERLOADED, "updates of " + request.ticket().unit
              + " are deltas since the node with the unit was lost, and a client of an old version"
              + " of hdfs-ppr cannot read these bytes before the next commit");
        }
        return shown(lead.term(), view, log.state(request.ticket().unit));
      } catch (IOException e) {
        UpdateAnswer failure = LogRefusals.of(e, request.toString(), LogPosition.NOTHING);
        return ViewAnswer.refused(failure.status, failure.message);
      }
    }

    @Override
    public String toString() {
      return request.toString();
    }
  }

  /**
   * Returns the answer to a caller.
   *
   * @param term the term in which this node led the unit when the request came
   * @param view the updated pieces of the range, read from the log after that
   * @param state the state of the log, read after the view
   */
  static ViewAnswer shown(long term, LogView view, Optional<UnitState> state) {
    if (state.isPresent() && state.get().term > term) {
      // The log may have changed its term before the view was made. In the later term another node
      // leads, and may have updates that the view lacks.
      return ViewAnswer.refused(UpdateStatus.STALE_TERM,
          "term " + state.get().term + " has begun meanwhile");
    }
    return ViewAnswer.done(term, state.map(found -> found.base).orElse(0L),
        state.map(UnitState::bases).orElse(Collections.emptyNavigableMap()), view.pieces,
        view.data);
  }

  @Override
  public void close() {
    // UpdateHandler closes the logs and connections that both use.
  }
}
