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
 * Writes into one unit, one update after the other, in the order in which they came. It remembers
 * the terms and numbers of updates that may not be on disks yet. If the holders of the log change
 * before a sync, the new ones may have begun with a log whose end was lost with the power. The sync
 * then fails unless the new term began with all of these updates. They are not sent again, because
 * they would overwrite later updates of other clients. Guarded by the updater, but for
 * {@link #send} and {@link #sync}, which one thread calls at a time.
 */
final class UnitWriter {
  /** An update of a unit. */
  static final class Piece {
    private final long offset;
    private final byte[] data;
    /** The updater's number of the update, ascending over all units. */
    private long order;
    /** The writer's number of the update. */
    private Origin origin;
    /** The term in which it was first sent; 0 before that. */
    private long since;
    /** How often it was sent since then. */
    private int sent;
    /** The term in which an interrupt ended the wait for the answer; 0 if none did. */
    private long interrupted;
    /** The term in which it was acknowledged, and its number in the history; 0 before that. */
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

    /** The number is that of the update. */
    Written(UpdateAnswer answer) {
      status = answer.status;
      text = answer.toString();
      term = answer.position.term;
      number = answer.position.last;
      previousTerm = 0;
      bases = Collections.emptyNavigableMap();
    }

    /** The number is that of the last update with which the term began. */
    Written(ViewAnswer answer, long previousTerm) {
      status = answer.status;
      text = answer.toString();
      term = answer.term;
      number = answer.base;
      this.previousTerm = previousTerm;
      bases = answer.bases;
    }

    /**
     * Returns whether the leader's history has an update: the leader's term continues the update's
     * term, and each later term began with the update.
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
  /** Whether a task of the pool was started that has not run yet. */
  private boolean isAsked;
  private boolean isBusy;

  /** @param writer the random number of the updater, by which leaders know it */
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
   * Adds an update. The caller has to see to a thread that sends it, unless the unit
   * {@link #isBusy}.
   */
  void add(Piece piece) {
    piece.origin = Origin.of(writer, ++count);
    waiting.add(piece);
  }

  boolean isBusy() {
    return isBusy;
  }

  /** Returns whether the caller has to start a task of the pool, because none was started. */
  boolean ask() {
    boolean wasAsked = isAsked;
    isAsked = true;
    return !wasAsked;
  }

  /** Takes note that the task of the pool runs. */
  void come() {
    isAsked = false;
  }

  /** Takes note that a thread sends from now on. */
  void begin() {
    isBusy = true;
  }

  /** Takes note that a thread sends no more, although updates may be left. */
  void leave() {
    isBusy = false;
  }

  /** Returns the next update to send; null if there is none, and the unit is no longer busy. */
  Piece next() {
    Piece next = waiting.peek();
    isBusy = next != null;
    return next;
  }

  /** Returns whether an update waits whose number, among all of the updater, is at most this. */
  boolean waits(long upTo) {
    return !waiting.isEmpty() && waiting.peek().order() <= upTo;
  }

  /** Takes note that the next update was acknowledged. */
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

  /** Takes note that all acknowledged updates are on disks. */
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
      // The leader may still be at work on the update, and would carry it out twice at the same
      // time.
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
        // It was never sent, so that no log can have it.
        piece.since = 0;
      }
      if (piece.sent > before && Thread.currentThread().isInterrupted()) {
        piece.interrupted = term;
      }
      throw e;
    }
    if (piece.sent == 1 && (answer.status == UpdateStatus.LOG_FULL
        || answer.status == UpdateStatus.STALE_TERM)) {
      // No log has the update. An update that a commit drops from now on cannot be this one.
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
   * Brings all acknowledged updates onto the disks of all holders. No update may be under way.
   *
   * @throws UpdatesInDoubtException if some of them may be lost
   */
  void sync() throws IOException {
    sync(unsynced);
  }

  /**
   * As {@link #sync()}, for updates of several writers.
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
