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
package org.hdfsppr.client.files.update;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.client.update.UpdateLogFullException;
import org.hdfsppr.client.update.UpdatesInDoubtException;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to the DataNode that leads a unit. If that node can no longer lead in the ticket's
 * term, this class asks the NameNode for a ticket of a later term, and sends the request again. If
 * the log already has an update that is sent again, the leader recognizes it by its {@link Origin}.
 * Thread-safe.
 */
final class LeaderRetry {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderRetry.class);
  /** How long a request is tried at most, ns: long enough for a failover of the NameNode. */
  private static final long TRY_NANOS_MOST = TimeUnit.SECONDS.toNanos(90);
  /**
   * How long a request waits at most for room in a full log, ns. The NameNode may commit other
   * files before the one that makes room.
   */
  private static final long FULL_NANOS_MOST = TimeUnit.MINUTES.toNanos(5);
  /** The first pause before a request is sent again, ms; each further pause is twice as long. */
  private static final long PAUSE_MS_FIRST = 10;
  private static final long PAUSE_MS_MOST = 1_000;
  /** The pause before the NameNode is asked again for a ticket, ms. */
  private static final long PAUSE_MS_LATER = 100;
  /**
   * How often in a row a ticket may be refused. After a refusal the request is sent with a new
   * token, which usually helps. It does not help if another DataNode has taken over the leader's
   * address; then a later term with other holders is needed.
   */
  private static final int REFUSALS_MOST = 6;

  /** The answer of a leader. */
  interface Answer {
    UpdateStatus status();

    String text();
  }

  /** Sends one request with a ticket. */
  interface Request<T extends Answer> {
    T send(SignedTicket ticket) throws IOException;
  }

  /** Asks the NameNode for a ticket. */
  private interface Question {
    Optional<SignedTicket> ask() throws IOException;
  }

  private final UpdateTickets tickets;
  private final LongSupplier nanoClock;
  private final BooleanSupplier isClosed;

  /**
   * @param tickets the tickets of the file
   * @param nanoClock a monotonic clock, ns
   * @param isClosed returns whether all requests have to fail from now on
   */
  LeaderRetry(UpdateTickets tickets, LongSupplier nanoClock, BooleanSupplier isClosed) {
    this.tickets = tickets;
    this.nanoClock = nanoClock;
    this.isClosed = isClosed;
  }

  /**
   * Sends a request again and again, until a leader has carried it out.
   *
   * @return the answer; empty if the unit has no log
   * @throws UpdateLogFullException if a log is full and commits do not empty it in time
   * @throws UpdatesInDoubtException if the leader cannot know whether the history has the update
   * @throws IOException if no leader carries it out in time, or the NameNode refuses a ticket
   */
  <T extends Answer> Optional<T> ask(GroupId group, int unit, Request<T> request)
      throws IOException {
    return ask(group, unit, tickets.moment(group), request);
  }

  /**
   * Returns a moment, see {@link UpdateTickets#moment}, for a caller that asks for several units of
   * a group: one request to the NameNode then gets the tickets of all of them.
   */
  long moment(GroupId group) {
    return tickets.moment(group);
  }

  /**
   * Like {@link #ask(GroupId, int, Request)}, with a {@link #moment} that the caller has taken
   * before.
   */
  <T extends Answer> Optional<T> ask(GroupId group, int unit, long moment, Request<T> request)
      throws IOException {
    long until = nanoClock.getAsLong() + TRY_NANOS_MOST;
    long pauseMs = PAUSE_MS_FIRST;
    int refusals = 0;
    long fullSince = 0;
    Optional<SignedTicket> ticket = ticket(group, unit, until, moment);
    while (ticket.isPresent()) {
      checkOpen();
      SignedTicket used = ticket.get();
      UpdateStatus status = UpdateStatus.TERM_OVER;
      String text;
      try {
        T answer = request.send(used);
        if (answer.status() == UpdateStatus.DONE) {
          return Optional.of(answer);
        }
        status = answer.status();
        text = answer.text();
      } catch (InvalidBlockTokenException | InvalidEncryptionKeyException e) {
        // The node has refused the block token or the encryption key in the handshake. It may still
        // lead the unit.
        status = UpdateStatus.REFUSED;
        text = e.toString();
      } catch (IOException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw interrupted(e);
        }
        text = e.toString();
      }
      String what = used.ticket + " at " + used.ticket.leader() + ": " + text;
      LOG.debug("{} ({})", what, status);
      if (status == UpdateStatus.LOG_FULL) {
        awaitCommit(fullSince == 0 ? fullSince = nanoClock.getAsLong() | 1 : fullSince, what);
        until = nanoClock.getAsLong() + TRY_NANOS_MOST;
        ticket = ticket(group, unit);
        continue;
      }
      if (status == UpdateStatus.OUT_OF_TURN) {
        throw new UpdatesInDoubtException("It is not known whether an update is in the file: "
            + what + "; open the file anew, and write again what was not synced");
      }
      refusals = status == UpdateStatus.REFUSED ? refusals + 1 : 0;
      if (refusals > REFUSALS_MOST || nanoClock.getAsLong() - until >= 0) {
        if (status != UpdateStatus.REFUSED && status != UpdateStatus.OVERLOADED) {
          endTerm(group, unit, used);
        }
        throw new IOException("The holders of the log could not be used: " + what);
      }
      UpdateStatus last = refusals > 1 ? UpdateStatus.TERM_OVER : status;
      ticket = patiently(until, () -> next(group, unit, used, last));
      boolean isLater = ticket.isPresent()
          && ticket.get().ticket.term > used.ticket.term;
      if (!isLater || pauseMs > PAUSE_MS_FIRST) {
        pause(pauseMs);
      }
      pauseMs = Math.min(PAUSE_MS_MOST, 2 * pauseMs);
    }
    return Optional.empty();
  }

  /**
   * Returns the ticket of a unit. Asks the NameNode again as long as it says that it may answer
   * later.
   *
   * @return the ticket; empty if the unit has no log
   */
  Optional<SignedTicket> ticket(GroupId group, int unit) throws IOException {
    return ticket(group, unit, tickets.moment(group));
  }

  /**
   * Like {@link #ticket(GroupId, int)}, with a {@link #moment} that the caller has taken before.
   */
  Optional<SignedTicket> ticket(GroupId group, int unit, long moment) throws IOException {
    return ticket(group, unit, nanoClock.getAsLong() + TRY_NANOS_MOST, moment);
  }

  private Optional<SignedTicket> ticket(GroupId group, int unit, long until, long moment)
      throws IOException {
    try {
      return tickets.ticket(group, unit, moment);
    } catch (RetriableException e) {
      // The new moment is after the answer that has failed here, so that this answer is not used
      // again.
      return patiently(until, () -> tickets.ticket(group, unit, tickets.moment(group)));
    }
  }

  /**
   * Asks the NameNode again and again, while it says that it may answer later, until the time is
   * up.
   */
  private Optional<SignedTicket> patiently(long until, Question question) throws IOException {
    while (true) {
      checkOpen();
      try {
        return question.ask();
      } catch (RetriableException e) {
        if (nanoClock.getAsLong() - until >= 0) {
          throw e;
        }
        pause(PAUSE_MS_LATER);
      }
    }
  }

  /**
   * Asks the NameNode for a commit, which makes room in the log, and pauses. Fails if the log has
   * been full for {@link #FULL_NANOS_MOST}.
   */
  private void awaitCommit(long since, String what) throws IOException {
    if (nanoClock.getAsLong() - since > FULL_NANOS_MOST) {
      throw new UpdateLogFullException("The update log is full, and commits have not emptied it"
          + " for " + TimeUnit.NANOSECONDS.toSeconds(FULL_NANOS_MOST) + " s: " + what);
    }
    tickets.wantCommit();
    pause(PAUSE_MS_MOST);
  }

  private Optional<SignedTicket> next(GroupId group, int unit, SignedTicket used,
      UpdateStatus status) throws IOException {
    if (status == UpdateStatus.OVERLOADED) {
      return Optional.of(used);
    }
    boolean mayBeKnown = status == UpdateStatus.STALE_TERM || status == UpdateStatus.REFUSED;
    Optional<SignedTicket> next = tickets.another(group, unit, used, !mayBeKnown);
    boolean isSame = next.isPresent() && next.get().ticket.term == used.ticket.term;
    // The DataNode knows a later term than the NameNode, which may have lost its record of that
    // term. So the NameNode has to begin a still later one.
    return isSame && status == UpdateStatus.STALE_TERM
        ? tickets.another(group, unit, used, true) : next;
  }

  /**
   * Asks the NameNode to begin a later term, after all tries have failed. The last request may
   * still arrive at its DataNode. With the caller's next request, the holders learn of the later
   * term, and then refuse the old request. The caller gets the same failure whether the NameNode
   * answers or not.
   */
  private void endTerm(GroupId group, int unit, SignedTicket used) {
    try {
      tickets.another(group, unit, used, true);
    } catch (IOException e) {
      LOG.debug("{} may not be over", used.ticket, e);
    }
  }

  private void checkOpen() throws IOException {
    if (isClosed.getAsBoolean()) {
      throw new IOException("The file system is closed, or another update has failed");
    }
  }

  private static void pause(long ms) throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    }
  }

  private static InterruptedIOException interrupted(Exception why) {
    InterruptedIOException interrupted =
        new InterruptedIOException("The caller does not wait for the log any more");
    interrupted.initCause(why);
    return interrupted;
  }
}
