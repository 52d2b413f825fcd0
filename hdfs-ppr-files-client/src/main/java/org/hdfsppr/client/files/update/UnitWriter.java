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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.hdfsppr.client.update.UpdatesInDoubtException;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewRequest;

/**
 * Sends the updates of one writer to one unit, one after the other, in the order in which they were
 * added. It remembers the terms and numbers of updates that may not be on disks yet. If a new term
 * begins before a sync, its leader may have a log whose last updates were lost in a power failure.
 * The sync then fails unless the new term began with all of these updates. They are not sent again,
 * because they could overwrite later updates of other clients. Guarded by the updater, except for
 * {@link #send} and {@link #sync}, which one thread at a time calls.
 */
final class UnitWriter {
  /** An update of a unit. */
  static final class Piece {
    private final long offset;
    private final byte[] data;
    /** The number that the updater has given the update; these numbers ascend over all units. */
    private long order;
    /** The writer, and the number that it has given the update in this unit. */
    private Origin origin;
    /** The term in which the update was first sent; 0 before that. */
    private long since;
    /** How often the update was sent in and after the term {@link #since}. */
    private int sent;
    /** The term in which an interrupt ended the wait for the answer; 0 if none did. */
    private long interrupted;
    /**
     * The term in which the update was acknowledged; {@link #number} is its number in the unit's
     * history. 0 before that.
     */
    private long term;
    private long number;

    Piece(long offset, byte[] data) {
      this.offset = offset;
      this.data = data;
    }

    int length() {
      return data.length;
    }

    long order() {
      return order;
    }

    void order(long now) {
      order = now;
    }

    long term() {
      return term;
    }

    long number() {
      return number;
    }
  }

  private static final class Written implements LeaderRetry.Answer {
    private final UpdateStatus status;
    private final String text;
    private final long term;
    private final long number;
    private final long previousTerm;
    private final NavigableMap<Long, Long> bases;

    /** Makes the answer to an update. Its {@code number} is that of the update in the history. */
    Written(UpdateAnswer answer) {
      status = answer.status;
      text = answer.toString();
      term = answer.position.term;
      number = answer.position.last;
      previousTerm = 0;
      bases = Collections.emptyNavigableMap();
    }

    /**
     * Makes the answer to a sync. Its {@code number} is that of the last update that the history
     * had when the term began.
     */
    Written(ViewAnswer answer, long previousTerm) {
      status = answer.status;
      text = answer.toString();
      term = answer.term;
      number = answer.base;
      this.previousTerm = previousTerm;
      bases = answer.bases;
    }

    /**
     * Returns whether the leader's history certainly has an update of a term. It does if the
     * history goes on from that term to the leader's, and each term after it began with the update.
     */
    boolean has(long updateTerm, long update) {
      return updateTerm == term || updateTerm == previousTerm && update <= number
          || bases.containsKey(updateTerm) && bases.lastKey() == term
          && bases.tailMap(updateTerm, false).values().stream().allMatch(base -> update <= base);
    }

    @Override
    public UpdateStatus status() {
      return status;
    }

    @Override
    public String text() {
      return text;
    }
  }

  private final LeaderCalls calls;
  private final LeaderRetry retry;
  private final GroupId group;
  private final int unit;
  private final long writer;
  /** The number of the last update that was added. */
  private long count;
  private final Deque<Piece> waiting = new ArrayDeque<>();
  /** For each term, the number of the last update that may not be on disks. */
  private final Map<Long, Long> unsynced = new TreeMap<>();
  /** Whether a task of the pool was submitted that has not begun yet. */
  private boolean isAsked;
  private boolean isBusy;

  /** @param writer a random number, by which leaders recognize the updates of this writer */
  UnitWriter(LeaderCalls calls, LeaderRetry retry, GroupId group, int unit, long writer) {
    this(calls, retry, group, unit, writer, 0);
  }

  /** @param count the number of the last update that the writer has sent before */
  UnitWriter(LeaderCalls calls, LeaderRetry retry, GroupId group, int unit, long writer,
      long count) {
    this.count = count;
    this.writer = writer;
    this.calls = calls;
    this.retry = retry;
    this.group = group;
    this.unit = unit;
  }

  /**
   * Adds an update to those that wait. Unless the unit {@link #isBusy}, the caller has to ensure
   * that a thread sends it.
   */
  void add(Piece piece) {
    piece.origin = Origin.of(writer, ++count);
    waiting.add(piece);
  }

  boolean isBusy() {
    return isBusy;
  }

  /**
   * Returns whether the caller has to submit a task to the pool, because none waits there for this
   * unit. The caller must then do so.
   */
  boolean ask() {
    boolean wasAsked = isAsked;
    isAsked = true;
    return !wasAsked;
  }

  /** Takes note that the task of the pool has begun. */
  void come() {
    isAsked = false;
  }

  /** Takes note that a thread sends the unit's updates from now on. */
  void begin() {
    isBusy = true;
  }

  /**
   * Takes note that the thread which has sent updates does not go on, although some may be left.
   */
  void leave() {
    isBusy = false;
  }

  /**
   * Returns the next update to send. If there is none, returns null, and the unit is no longer
   * busy.
   */
  Piece next() {
    Piece next = waiting.peek();
    isBusy = next != null;
    return next;
  }

  /** Returns whether an update waits that the updater has numbered with {@code upTo} or less. */
  boolean waits(long upTo) {
    return !waiting.isEmpty() && waiting.peek().order() <= upTo;
  }

  /** Takes note that the first of the waiting updates was acknowledged. */
  void done() {
    Piece piece = waiting.remove();
    unsynced.put(piece.term, piece.number);
  }

  /** Drops the updates that wait, after a failure, and returns them. */
  List<Piece> drop() {
    List<Piece> dropped = new ArrayList<>(waiting);
    waiting.clear();
    isBusy = false;
    return dropped;
  }

  boolean isSynced() {
    return unsynced.isEmpty();
  }

  /** Takes note that all acknowledged updates are on the disks of all holders. */
  void synced() {
    unsynced.clear();
  }

  void send(Piece piece) throws IOException {
    Written written = require(retry.ask(group, unit, ticket -> new Written(send(piece, ticket))));
    piece.term = written.term;
    piece.number = written.number;
  }

  private UpdateAnswer send(Piece piece, SignedTicket ticket) throws IOException {
    long term = ticket.ticket.term;
    if (term <= piece.interrupted) {
      // The leader of this term may still carry out the update, which must not be sent to it a
      // second time meanwhile.
      return UpdateAnswer.refused(UpdateStatus.TERM_OVER, "an interrupt came before the answer",
          null, LogPosition.NOTHING);
    }
    if (piece.since == 0) {
      piece.since = term;
    }
    int before = piece.sent;
    UpdateAnswer answer;
    try {
      answer = calls.append(ticket, piece.offset, piece.data, piece.origin, piece.since,
          () -> piece.sent++);
    } catch (IOException e) {
      if (piece.sent == 0) {
        // The update was never sent, so that no log can have it.
        piece.since = 0;
      }
      if (piece.sent > before && Thread.currentThread().isInterrupted()) {
        piece.interrupted = term;
      }
      throw e;
    }
    if (piece.sent == 1 && (answer.status == UpdateStatus.LOG_FULL
        || answer.status == UpdateStatus.STALE_TERM)) {
      // The leader says that no log has the update. So it counts as not sent: updates that commits
      // have dropped from the logs until now cannot include it.
      piece.since = 0;
      piece.sent = 0;
    }
    return answer;
  }

  private Written require(Optional<Written> written) throws IOException {
    return written.orElseThrow(() ->
        new IOException("Unit " + unit + " of " + group + " has no log"));
  }

  /**
   * Syncs all acknowledged updates to the disks of all holders. No update of this writer may be
   * under way.
   *
   * @throws UpdatesInDoubtException if some of them may be lost
   */
  void sync() throws IOException {
    sync(unsynced);
  }

  /**
   * Like {@link #sync()}, but for given updates, which several writers have sent into the unit.
   *
   * @param acknowledged for each term, the number of the last update that may not be on disks
   */
  void sync(Map<Long, Long> acknowledged) throws IOException {
    Written now = require(retry.ask(group, unit, ticket -> new Written(
        calls.view(ViewRequest.sync(ticket)), ticket.ticket.previousTerm)));
    for (Map.Entry<Long, Long> one : acknowledged.entrySet()) {
      if (!now.has(one.getKey(), one.getValue())) {
        throw new UpdatesInDoubtException("It is not known whether update " + one.getValue()
            + " of term " + one.getKey() + " of unit " + unit + " of " + group + " survived the"
            + " failures of holders since; open the file anew, and write again what was not"
            + " synced");
      }
    }
  }
}
