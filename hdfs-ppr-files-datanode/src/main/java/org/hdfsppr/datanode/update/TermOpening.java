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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.UnitState;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.TermBegin;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateBounds;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;

/**
 * Begins a term at its leader: checks that this node can lead it, and sends each follower the
 * updates of the unit's history that it lacks. Used by one thread.
 */
final class TermOpening {
  private static final byte[] NO_DATA = new byte[0];

  private final SignedTicket asPeer;
  private final UpdateLog log;
  private final FollowerCall.Ways ways;

  /**
   * @param asPeer the ticket of the term, with a token by which the followers accept requests of
   *     this node
   * @param log the log of this node
   * @param ways the connections, timer and limits for requests to followers
   */
  TermOpening(SignedTicket asPeer, UpdateLog log, FollowerCall.Ways ways) {
    this.asPeer = asPeer;
    this.log = log;
    this.ways = ways;
  }

  private UpdateTicket ticket() {
    return asPeer.ticket;
  }

  private UnitId unit() {
    return ticket().unit;
  }

  private UpdateAnswer refused(UpdateStatus status, String message) {
    return UpdateAnswer.refused(status, message, null, LogRefusals.position(log, unit()));
  }

  private FollowerCall send(NodeRef follower, TermBegin begin, List<NumberedUpdate> records,
      byte[] data, boolean durable) {
    return FollowerCall.send(ways, follower,
        new ReplicateRequest(asPeer, begin, records, durable, Payload.of(data)), data);
  }

  /**
   * Begins the term in this log and at all followers; returns why that failed, or null if it did
   * not.
   */
  UpdateAnswer begin() {
    try {
      Optional<UnitState> known = log.state(unit());
      UpdateAnswer whyNot = whyNot(known);
      if (whyNot != null) {
        return whyNot;
      }
      boolean goesOn = ticket().previousTerm > 0;
      long last = goesOn ? known.get().last : 0;
      log.begin(unit(), ticket().term, last, last, !goesOn);
      log.sync(ways.timeoutMs);
      UpdateAnswer failure = beginElsewhere(last);
      if (failure == null) {
        log.show(unit(), last);
      }
      return failure;
    } catch (IOException e) {
      return LogRefusals.of(e, "Begin of " + ticket(), LogRefusals.position(log, unit()));
    }
  }

  /**
   * Begins the term at all followers, and sends them the updates that they lack; returns why that
   * failed, or null if it did not.
   */
  private UpdateAnswer beginElsewhere(long last) throws IOException {
    List<LogEntry> first = log.entries(unit(), 0, 1);
    TermBegin begin = new TermBegin(ticket().previousTerm,
        first.isEmpty() ? last + 1 : first.get(0).sequence, last);
    List<FollowerCall> calls = new ArrayList<>();
    List<UpdateAnswer> answers = new ArrayList<>();
    try {
      for (NodeRef follower : ticket().followers()) {
        calls.add(send(follower, begin, Collections.emptyList(), NO_DATA, true));
      }
      for (FollowerCall call : calls) {
        answers.add(call.answer());
      }
    } finally {
      calls.forEach(FollowerCall::close);
    }
    for (UpdateAnswer answer : answers) {
      if (!answer.isDone()) {
        return answer;
      }
    }
    // Updates are copied only after all followers have answered. A copy may take longer than the
    // time limit of an answer, and the calls to other followers would run out of time meanwhile.
    for (int i = 0; i < answers.size(); i++) {
      UpdateAnswer copied =
          copy(ticket().followers().get(i), answers.get(i).position.last, last);
      if (!copied.isDone()) {
        return copied;
      }
    }
    return null;
  }

  /** Returns why this node cannot lead the term, or null. */
  UpdateAnswer whyNot() {
    return whyNot(log.state(unit()));
  }

  private UpdateAnswer whyNot(Optional<UnitState> known) {
    if (known.isPresent() && known.get().term == ticket().term) {
      return refused(UpdateStatus.TERM_OVER, "this DataNode has led or followed this term before,"
          + " and does not know how far");
    }
    if (!known.isPresent() && ticket().term <= log.floor()) {
      return refused(UpdateStatus.STALE_TERM, "this DataNode has forgotten units of term "
          + log.floor() + ", and perhaps a later one of this unit");
    }
    if (known.isPresent() && known.get().term > ticket().term) {
      return refused(UpdateStatus.STALE_TERM, "term " + known.get().term + " has begun");
    }
    long previous = ticket().previousTerm;
    if (previous > 0 && !(known.isPresent() && known.get().term == previous
        && known.get().isComplete())) {
      return refused(UpdateStatus.NO_HISTORY, "this DataNode does not have the history of term "
          + previous);
    }
    if (previous == 0 && !log.entries(unit(), 0, 1).isEmpty()) {
      return refused(UpdateStatus.NO_HISTORY, "this DataNode has updates of term "
          + known.get().term + ", of which the ticket does not know");
    }
    return null;
  }

  /** Sends a follower the updates after number {@code has}, up to number {@code last}. */
  private UpdateAnswer copy(NodeRef follower, long has, long last) throws IOException {
    UpdateAnswer answer = UpdateAnswer.done(LogPosition.NOTHING);
    long after = has;
    while (answer.isDone() && after < last) {
      EntryData part = EntryData.first(log.entries(unit(), after, UpdateBounds.RECORDS_MAX),
          UpdateBounds.DATA_BYTES_MAX);
      if (part.isEmpty()) {
        // A trim has dropped the remaining updates meanwhile. The follower cannot get them any
        // more, and so cannot take part in this term.
        return refused(UpdateStatus.TERM_OVER, "the history was trimmed while it was copied");
      }
      after = part.last();
      answer = copy(follower, part, after >= last);
    }
    return answer;
  }

  private UpdateAnswer copy(NodeRef follower, EntryData part, boolean durable)
      throws IOException {
    if (part.hasDeltas() && !ways.rooms.keepsDeltas(ticket().poolId(), follower)) {
      return UpdateAnswer.refused(UpdateStatus.TERM_OVER, "updates of " + unit() + " are deltas,"
          + " which a DataNode with an old version of hdfs-ppr does not know", follower,
          LogRefusals.position(log, unit()));
    }
    if (!ways.copyBegins()) {
      return refused(UpdateStatus.TERM_OVER, "too many histories are copied at the moment");
    }
    try (FollowerCall call = send(follower, null, part.records(), part.read(log), durable)) {
      return call.answer();
    } finally {
      ways.copyEnds();
    }
  }
}
