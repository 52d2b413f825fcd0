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
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.hdfsppr.datanode.update.log.KnownUpdate;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.LogFailedException;
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.datanode.update.log.UnitState;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.LogSpace;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.OldBytes;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateBounds;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;

/**
 * Leads the history of a unit in one term. An update is acknowledged when the logs of this node and
 * of all followers have it, and readers see it from then on. Requests that wait at the same time go
 * to the followers together: one of the waiting threads takes the turn, which means that it carries
 * out all requests that wait, while the other threads wait for the answers.
 *
 * <p>If a holder fails, this node cannot know which of the last updates that holder has. This node
 * then refuses all further requests of the term, and the NameNode decides which holders begin the
 * next one. After a restart, a node does not go on with a term that it led before, because its log
 * may have lost updates that other holders have. Thread-safe.
 */
final class UnitLead {
  /**
   * How many requests wait at most; further ones are refused. A client with a block device has
   * about 32 requests under way, so that a few such clients can write into the same unit.
   */
  private static final int WAITING_MOST = 128;

  /**
   * How long a request waits at most, as a multiple of the time limit of one call to a follower:
   * requests that are carried out before it, and its own, make a few such calls one after the
   * other.
   */
  static final int CALLS_MOST = 8;

  private static final byte[] NO_DATA = new byte[0];

  /**
   * A waiting request: an update, or the question whether this node still leads. Guarded by the
   * monitor of {@link UnitLead}.
   */
  private static final class Waiting {
    /** The update; null for the question whether this node still leads. */
    private final AppendRequest request;
    private final boolean isDurable;
    private final SignedTicket asPeer;
    private final byte[] data;
    private boolean taken;
    private LogEntry entry;
    private UpdateAnswer answer;

    Waiting(AppendRequest request, boolean isDurable, SignedTicket asPeer, byte[] data) {
      this.request = request;
      this.isDurable = isDurable;
      this.asPeer = asPeer;
      this.data = data;
    }
  }

  private final UpdateTicket ticket;
  private final UpdateLog log;
  private final FollowerCall.Ways ways;
  private final LongSupplier nanoClock;
  private final OverwrittenBytes overwritten;
  private final EpochDeltas deltas;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  /** Whether a thread is carrying out requests at present. Guarded by this. */
  private boolean busy;
  /**
   * Whether this node has begun the term in its log and at the followers, or has tried to. Used by
   * the thread that carries out requests at present.
   */
  private boolean begun;
  /**
   * The ticket with the latest token for the followers. Used by the thread that carries out
   * requests at present.
   */
  private SignedTicket asPeer;
  /**
   * The answer to all requests once the term is over for this node; null before. Used by the thread
   * that carries out requests at present.
   */
  private UpdateAnswer over;

  /**
   * @param ticket the ticket of the term
   * @param log the log of this node
   * @param ways the connections, timer and limits for requests to followers
   * @param nanoClock a monotonic clock, ns
   * @param overwritten finds the bytes that updates of the term overwrite
   * @param deltas makes deltas of updates
   */
  UnitLead(UpdateTicket ticket, UpdateLog log, FollowerCall.Ways ways, LongSupplier nanoClock,
      OverwrittenBytes overwritten, EpochDeltas deltas) {
    this.deltas = deltas;
    this.overwritten = overwritten;
    this.ticket = ticket;
    this.log = log;
    this.ways = ways;
    this.nanoClock = nanoClock;
  }

  long term() {
    return ticket.term;
  }

  /** Returns whether a ticket is of this term, and names the same holders. */
  boolean isOf(UpdateTicket other) {
    return ticket.term == other.term && ticket.holders.equals(other.holders);
  }

  private UnitId unit() {
    return ticket.unit;
  }

  /**
   * Appends an update at all holders.
   *
   * @param request a request whose ticket {@link #isOf} allows
   * @param asPeer the ticket with a token for the followers
   * @param data the data of the update
   * @return the answer for the client
   */
  UpdateAnswer append(AppendRequest request, SignedTicket asPeer, byte[] data) {
    return await(new Waiting(request, request.durable, asPeer, data));
  }

  /**
   * Asks the followers whether this node still leads, which is so if none of them knows a later
   * term. Then this log has all updates that were acknowledged before this call, and shows them to
   * readers. Calls and updates that wait at the same time share one request to each follower.
   *
   * @param asPeer the ticket with a token for the followers
   * @param isDurable whether all holders sync the updates to their disks before the answer
   * @return an answer that is done, if this node still leads; otherwise an answer that says why the
   *     caller must not read at this node
   */
  UpdateAnswer confirm(SignedTicket asPeer, boolean isDurable) {
    return await(new Waiting(null, isDurable, asPeer, NO_DATA));
  }

  private UpdateAnswer await(Waiting mine) {
    // This request may wait for a turn that is under way, and then for its own. A turn may make
    // three successive calls to followers: to begin the term, to ask for room, and to send updates.
    // So two turns take about six calls; the others are reserve.
    long until = nanoClock.getAsLong()
        + TimeUnit.MILLISECONDS.toNanos((long) CALLS_MOST * ways.timeoutMs);
    synchronized (this) {
      if (waiting.size() >= WAITING_MOST) {
        return refused(UpdateStatus.OVERLOADED, WAITING_MOST + " updates of " + unit()
            + " wait already", null);
      }
      waiting.add(mine);
    }
    try {
      List<Waiting> batch;
      while ((batch = awaitTurn(mine, until)) != null) {
        try {
          carryOut(batch);
        } finally {
          endTurn(batch);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return giveUp(mine, "this DataNode stops");
    }
    return giveUp(mine, "the updates before it took too long");
  }

  /**
   * Waits until this thread's request is answered, or until this thread may carry out all requests
   * that wait.
   *
   * @param until the value of {@link #nanoClock} at which the wait ends
   * @return the requests that this thread has to carry out; null if its own request is answered, or
   *     the time is up
   */
  private synchronized List<Waiting> awaitTurn(Waiting mine, long until)
      throws InterruptedException {
    long left = until - nanoClock.getAsLong();
    while (mine.answer == null && busy && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = until - nanoClock.getAsLong();
    }
    if (mine.answer != null || left <= 0) {
      return null;
    }
    busy = true;
    List<Waiting> batch = new ArrayList<>();
    int bytes = 0;
    // The message also has the bytes that the updates overwrite, at most as many as they write.
    int most = UpdateBounds.DATA_BYTES_MAX / (ticket.hasOldBytes() ? 2 : 1);
    while (!waiting.isEmpty() && batch.size() < UpdateBounds.RECORDS_MAX
        && (batch.isEmpty() || bytes + waiting.getFirst().data.length <= most)) {
      Waiting next = waiting.removeFirst();
      next.taken = true;
      bytes += next.data.length;
      batch.add(next);
    }
    return batch;
  }

  private synchronized void endTurn(List<Waiting> batch) {
    for (Waiting each : batch) {
      if (each.answer == null) {
        // An error or an exception came before this request was answered.
        each.answer = refused(UpdateStatus.TERM_OVER, "the turn has failed", null);
        over = each.answer;
      }
    }
    busy = false;
    notifyAll();
  }

  /** Ends the wait of a request. Returns its answer, or a refusal if it has none. */
  private synchronized UpdateAnswer giveUp(Waiting mine, String why) {
    if (mine.answer != null) {
      return mine.answer;
    }
    if (!mine.taken) {
      waiting.remove(mine);
      return refused(UpdateStatus.OVERLOADED, why, null);
    }
    return refused(UpdateStatus.TERM_OVER, "it is not known whether the history has the update: "
        + why, null);
  }

  private UpdateAnswer refused(UpdateStatus status, String message, NodeRef node) {
    return UpdateAnswer.refused(status, message, node, LogRefusals.position(log, unit()));
  }

  /** Carries out requests, and gives each its answer. */
  private void carryOut(List<Waiting> batch) {
    try (FollowerRooms.Claims claims = ways.rooms.claims(ticket)) {
      carryOut(batch, claims);
    }
  }

  private void carryOut(List<Waiting> batch, FollowerRooms.Claims claims) {
    asPeer = batch.get(batch.size() - 1).asPeer;
    List<Waiting> appended = new ArrayList<>();
    List<Waiting> asking = batch.stream().filter(each -> each.request == null)
        .collect(Collectors.toCollection(ArrayList::new));
    // A read of a unit that was never written needs no record of the term in the logs. Updates do,
    // and so do syncs: after one, no leader of an earlier term can acknowledge an update.
    boolean isNeeded = ticket.previousTerm > 0 || asking.size() < batch.size()
        || asking.stream().anyMatch(each -> each.isDurable);
    UpdateAnswer whyNot = over == null && !begun && isNeeded ? begin() : over;
    whyNot = whyNot == null ? askForRoom(batch, claims) : whyNot;
    for (Waiting each : batch) {
      if (whyNot == null && each.request == null) {
        continue;
      }
      if (whyNot != null) {
        answer(each, whyNot);
      } else if (isKnown(each)) {
        asking.add(each);
      } else if (each.answer == null) {
        appendHere(each, claims);
        whyNot = over;
        if (each.entry != null) {
          appended.add(each);
        }
      }
    }
    if (!appended.isEmpty()) {
      appendElsewhere(appended);
    }
    confirm(asking, !appended.isEmpty());
  }

  /**
   * Finds out whether this node still leads, and answers with that all given requests that have no
   * answer yet.
   *
   * @param isKnown whether this thread has just sent updates to the followers: if they have taken
   *     these, none of them knows a later term, and they need not be asked again
   */
  private void confirm(List<Waiting> asking, boolean isKnown) {
    asking.removeIf(each -> each.answer != null);
    if (asking.isEmpty()) {
      return;
    }
    UpdateAnswer failure = over;
    boolean isDurable = asking.stream().anyMatch(each -> each.isDurable);
    if (failure == null && (isDurable || !isKnown)) {
      failure = begun ? null : new TermOpening(asPeer, log, ways).whyNot();
      failure = failure != null ? failure
          : new LeadConfirmation(asPeer, log, ways, begun).whyNot(isDurable);
      // If a follower is only too busy to answer, the term goes on.
      over = failure == null || failure.status == UpdateStatus.OVERLOADED ? null : over(failure);
    }
    for (Waiting each : asking) {
      answer(each, failure != null ? failure : UpdateAnswer.done(each.entry == null
          ? LogRefusals.position(log, unit()) : positionOf(each.entry)));
    }
  }

  private LogPosition positionOf(LogEntry entry) {
    return new LogPosition(term(), entry.sequence, entry.epoch, true);
  }

  /**
   * Returns whether the history already has this update. Its writer sends an update again if it got
   * no answer. Then all holders have it, unless it is among the requests that are carried out
   * together now. It must not be appended again, because that would overwrite later updates of
   * other writers. If this node cannot know whether the history had the update, this method answers
   * the request with {@link UpdateStatus#OUT_OF_TURN}.
   */
  private boolean isKnown(Waiting each) {
    AppendRequest request = each.request;
    KnownUpdate known = log.find(unit(), request.origin, request.since);
    Optional<String> doubt = known.doubt();
    if (known.entry().isPresent()) {
      LogEntry entry = known.entry().get();
      if (entry.offset == request.offset && entry.length == each.data.length) {
        each.entry = entry;
        return true;
      }
      doubt = Optional.of("the history has another range under this number");
    }
    doubt.ifPresent(why -> answer(each, refused(UpdateStatus.OUT_OF_TURN,
        request.origin + " was not done now: " + why, null)));
    return false;
  }

  /**
   * Asks the followers how much room their logs have, unless it is certain that it is enough for
   * the waiting updates.
   *
   * @return the answer to all requests that wait if a follower cannot be asked; otherwise null
   */
  private UpdateAnswer askForRoom(List<Waiting> batch, FollowerRooms.Claims claims) {
    LogSpace need = LogSpace.NONE;
    for (Waiting each : batch) {
      need = each.request == null ? need : need.plus(LogLimits.need(each.data.length));
    }
    if (need.records == 0 || claims.isCertain(need)) {
      return null;
    }
    UpdateAnswer failure = new LeadConfirmation(asPeer, log, ways, begun).whyNot(false);
    if (failure == null || failure.status == UpdateStatus.OVERLOADED) {
      return failure;
    }
    over = over(failure);
    return failure;
  }

  private void appendHere(Waiting each, FollowerRooms.Claims claims) {
    UpdateTicket own = each.request.ticket();
    Optional<NodeRef> full = claims.claim(LogLimits.need(each.data.length));
    if (full.isPresent()) {
      answer(each, refused(UpdateStatus.LOG_FULL, "the update log of a follower has no room for "
          + each.data.length + " bytes", full.get()));
      return;
    }
    try {
      each.entry = log.append(own.unit, own.term, own.epoch, each.request.offset,
          ByteBuffer.wrap(each.data), each.request.origin);
    } catch (IOException e) {
      UpdateAnswer answer =
          LogRefusals.of(e, each.request.toString(), LogRefusals.position(log, unit()));
      answer(each, answer);
      if (e instanceof LogFailedException || answer.status != UpdateStatus.LOG_FULL
          && answer.status != UpdateStatus.FAILED) {
        over = over(answer);
      }
    }
  }

  /** Returns the answer to all later requests of the term, which this failure has ended. */
  private UpdateAnswer over(UpdateAnswer failure) {
    return failure.status == UpdateStatus.STALE_TERM
        || failure.status == UpdateStatus.NO_HISTORY
        || failure.status == UpdateStatus.TERM_OVER ? failure
        : refused(UpdateStatus.TERM_OVER, failure.status + ": " + failure.message,
            failure.node().orElse(null));
  }

  private void appendElsewhere(List<Waiting> appended) {
    List<NumberedUpdate> records = new ArrayList<>();
    boolean durable = false;
    for (Waiting each : appended) {
      records.add(EntryData.record(each.entry));
      durable |= each.isDurable;
    }
    List<FollowerCall> calls = new ArrayList<>();
    UpdateAnswer failure;
    try {
      byte[] data = dataOf(appended);
      OverwrittenBytes.Found old = overwritten(appended, data.length);
      byte[] both = old.behind(data);
      Optional<byte[]> delta = deltas(appended, data);
      List<NumberedUpdate> asDeltas =
          records.stream().map(NumberedUpdate::asDelta).collect(Collectors.toList());
      for (NodeRef follower : ticket.followers()) {
        if (delta.isPresent() && ways.rooms.keepsDeltas(ticket.poolId(), follower)) {
          calls.add(FollowerCall.send(ways, follower, new ReplicateRequest(asPeer, null, asDeltas,
              durable, Payload.of(delta.get())), delta.get()));
          continue;
        }
        boolean keeps = ways.rooms.keepsOldBytes(ticket.poolId(), follower);
        byte[] sent = keeps ? both : data;
        calls.add(FollowerCall.send(ways, follower, new ReplicateRequest(asPeer, null, records,
            durable, Payload.of(sent), keeps ? old.old : OldBytes.NONE), sent));
      }
      failure = durable ? sync() : null;
      for (FollowerCall call : calls) {
        UpdateAnswer answer = call.answer();
        failure = failure == null && !answer.isDone() ? answer : failure;
      }
    } finally {
      calls.forEach(FollowerCall::close);
    }
    if (failure == null) {
      log.show(unit(), appended.get(appended.size() - 1).entry.sequence);
    } else {
      over = over(failure);
    }
    for (Waiting each : appended) {
      answer(each, failure != null ? over : UpdateAnswer.done(positionOf(each.entry)));
    }
  }

  /**
   * Returns the bytes that these updates overwrite, if any of their tickets asks for them and any
   * follower keeps them.
   */
  private OverwrittenBytes.Found overwritten(List<Waiting> appended, int dataBytes) {
    if (!ways.rooms.anyKeepsOldBytes(ticket)) {
      // No follower is known to keep old bytes, so reading them may be useless. If a follower does
      // keep them, it lacks those of these updates.
      return OverwrittenBytes.Found.NOTHING;
    }
    return latest(appended, UpdateTicket::hasOldBytes)
        .map(latest -> overwritten.of(entries(appended),
        latest, UpdateBounds.DATA_BYTES_MAX - dataBytes)).orElse(OverwrittenBytes.Found.NOTHING);
  }

  /**
   * Returns the deltas of these updates, if any of their tickets asks for deltas and any follower
   * takes them.
   */
  private Optional<byte[]> deltas(List<Waiting> appended, byte[] data) {
    return !ways.rooms.anyKeepsDeltas(ticket) ? Optional.empty()
        : latest(appended, UpdateTicket::hasDeltas).flatMap(latest ->
            deltas.of(entries(appended), latest, data));
  }

  private static List<LogEntry> entries(List<Waiting> appended) {
    return appended.stream().map(each -> each.entry).collect(Collectors.toList());
  }

  /**
   * Returns, of the tickets of these updates that fit, the one with the latest version of the file.
   */
  private static Optional<UpdateTicket> latest(List<Waiting> appended,
      Predicate<UpdateTicket> isFit) {
    return appended.stream().map(each -> each.request.ticket()).filter(isFit)
        .max(Comparator.comparingLong((UpdateTicket ticket) -> ticket.committed));
  }

  private static byte[] dataOf(List<Waiting> updates) {
    if (updates.size() == 1) {
      return updates.get(0).data;
    }
    ByteBuffer all = ByteBuffer.allocate(updates.stream().mapToInt(each -> each.data.length).sum());
    updates.forEach(each -> all.put(each.data));
    return all.array();
  }

  private UpdateAnswer sync() {
    try {
      log.sync(ways.timeoutMs);
      return null;
    } catch (IOException e) {
      return LogRefusals.of(e, "Sync for " + ticket, LogRefusals.position(log, unit()));
    }
  }

  private synchronized void answer(Waiting each, UpdateAnswer answer) {
    // STALE_TERM says that the update was not carried out. But if this log has the update, a later
    // term may take it over, so the answer must leave that open.
    each.answer = each.entry == null || answer.status != UpdateStatus.STALE_TERM ? answer
        : refused(UpdateStatus.TERM_OVER, "it is not known whether the history has the update: "
            + answer.message, answer.node().orElse(null));
  }

  /**
   * Begins the term. If that fails, returns the answer to all requests that wait; otherwise null.
   */
  private UpdateAnswer begin() {
    begun = true;
    UpdateAnswer failure = new TermOpening(asPeer, log, ways).begin();
    over = failure == null ? null : over(failure);
    return failure;
  }

  /**
   * Asks all followers whether a term is still the current one. Each later term includes at least
   * one holder of this term, and an update is acknowledged only when all holders have it. So if no
   * follower knows a later term, this node has all updates that were acknowledged before it asked.
   * Used by one thread.
   */
  static final class LeadConfirmation {
    private static final byte[] NO_DATA = new byte[0];

    private final SignedTicket asPeer;
    private final UpdateLog log;
    private final FollowerCall.Ways ways;
    private final boolean begun;

    /**
     * @param asPeer the ticket of the term with a token for the followers
     * @param log the log of this node
     * @param ways the connections, timer and limits for requests to followers
     * @param begun whether the leader has begun the term in the logs; if not, the term has no
     *     updates
     */
    LeadConfirmation(SignedTicket asPeer, UpdateLog log, FollowerCall.Ways ways, boolean begun) {
      this.asPeer = asPeer;
      this.log = log;
      this.ways = ways;
      this.begun = begun;
    }

    private UpdateTicket ticket() {
      return asPeer.ticket;
    }

    /**
     * Asks the followers. Returns why this node does not lead any more, or cannot know whether it
     * does; null if it leads.
     *
     * @param isDurable whether all holders also sync all updates of the unit to their disks
     */
    UpdateAnswer whyNot(boolean isDurable) {
      Optional<UnitState> known = log.state(ticket().unit);
      if (begun && !(known.isPresent() && known.get().term == ticket().term)) {
        return refused(UpdateStatus.STALE_TERM, "this DataNode follows in another term");
      }
      List<FollowerCall> calls = new ArrayList<>();
      try {
        for (NodeRef follower : ticket().followers()) {
          calls.add(FollowerCall.send(ways, follower, new ReplicateRequest(asPeer, null,
              Collections.emptyList(), isDurable, Payload.of(NO_DATA)), NO_DATA));
        }
        UpdateAnswer failure = isDurable ? sync() : null;
        for (FollowerCall call : calls) {
          UpdateAnswer answer = call.answer();
          failure = failure != null ? failure
              : answer.isDone() ? whyNot(answer.position, known) : answer;
        }
        return failure;
      } finally {
        calls.forEach(FollowerCall::close);
      }
    }

    /**
     * Compares a follower's answer with this node's log. Returns why the follower's log is not in
     * this term with all its updates; null if it is.
     */
    private UpdateAnswer whyNot(LogPosition has, Optional<UnitState> known) {
      if (has.term > ticket().term) {
        return refused(UpdateStatus.STALE_TERM, "term " + has.term + " has begun");
      }
      boolean isInTerm = has.term == ticket().term;
      // A follower that lacks updates of this term must have lost them in a restart.
      boolean isWhole = isInTerm && has.complete && known.isPresent()
          && has.last == known.get().last;
      return begun && isWhole || !begun && !isInTerm ? null
          : refused(UpdateStatus.TERM_OVER, "a follower has the log of term " + has.term
              + " up to update " + has.last);
    }

    private UpdateAnswer sync() {
      try {
        log.sync(ways.timeoutMs);
        return null;
      } catch (IOException e) {
        return LogRefusals.of(e, "Sync for " + ticket(),
            LogRefusals.position(log, ticket().unit));
      }
    }

    private UpdateAnswer refused(UpdateStatus status, String message) {
      return UpdateAnswer.refused(status, message, null,
          LogRefusals.position(log, ticket().unit));
    }
  }
}
