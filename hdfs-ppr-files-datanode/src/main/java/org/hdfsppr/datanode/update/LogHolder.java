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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.UnitState;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.OldBytesStore;
import org.hdfsppr.update.append.ListLogRequest;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.OldBytes;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.TermBegin;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateBounds;
import org.hdfsppr.update.append.UpdateStatus;

/**
 * Serves the requests of other nodes of the cluster to a holder of a log: to take a leader's
 * updates, to drop updates that a commit has put into a version, and to send updates. Thread-safe.
 */
final class LogHolder {
  /** An answer, and the data of updates that are sent after it. Immutable. */
  static final class Reply {
    final UpdateAnswer answer;
    final byte[] data;

    Reply(UpdateAnswer answer, byte[] data) {
      this.answer = answer;
      this.data = data;
    }
  }

  private static final byte[] NO_DATA = new byte[0];

  private final UpdateLog log;
  private final long syncTimeoutMs;
  private final OldBytesStore oldBytes;

  /**
   * @param log the log
   * @param syncTimeoutMs how long a request waits at most for syncs of the log that other requests
   *     have begun, ms
   */
  LogHolder(UpdateLog log, long syncTimeoutMs) {
    this(log, syncTimeoutMs, new OldBytesStore(null, 0));
  }

  /**
   * Like {@link #LogHolder(UpdateLog, long)}, with a store for the bytes that updates overwrite.
   *
   * @param oldBytes keeps the bytes that updates have overwritten
   */
  LogHolder(UpdateLog log, long syncTimeoutMs, OldBytesStore oldBytes) {
    this.oldBytes = oldBytes;
    this.log = log;
    this.syncTimeoutMs = syncTimeoutMs;
  }

  /**
   * Carries out a request of a leader. The answer says how much room for new updates the log has
   * afterwards.
   *
   * @param data the data of the updates
   */
  UpdateAnswer replicate(ReplicateRequest request, byte[] data) {
    return follow(request, data).withRoom(log.room()).withOldBytes(oldBytes.isOpen())
        .withDeltas();
  }

  private UpdateAnswer follow(ReplicateRequest request, byte[] data) {
    UnitId unit = request.ticket().unit;
    long term = request.ticket().term;
    try {
      if (!log.state(unit).isPresent() && term <= log.floor()) {
        // This log no longer knows the unit. Before it forgot the unit, it may have known a later
        // term of it.
        return UpdateAnswer.refused(UpdateStatus.STALE_TERM, "this DataNode has forgotten units of"
            + " term " + log.floor(), null, position(unit));
      }
      if (request.begin().isPresent()) {
        TermBegin begin = request.begin().get();
        Optional<UnitState> known = log.state(unit);
        if (hasMore(known, term, begin)) {
          return UpdateAnswer.refused(UpdateStatus.NO_HISTORY, "this DataNode has updates up to "
              + known.get().last + " of term " + known.get().term + ", and the leader has"
              + " them up to " + begin.last + " of term " + begin.previousTerm, null,
              position(unit));
        }
        begin(unit, term, begin, known);
      }
      int at = 0;
      for (NumberedUpdate record : request.records) {
        ByteBuffer bytes = ByteBuffer.wrap(data, at, record.length);
        if (!has(unit, term, record, bytes)) {
          log.copy(unit, term, record, bytes);
        }
        at += record.length;
      }
      keep(request, data, at);
      if (request.durable) {
        log.sync(syncTimeoutMs);
      }
      return UpdateAnswer.done(position(unit));
    } catch (IOException e) {
      return LogRefusals.of(e, request.toString(), position(unit));
    }
  }

  /**
   * Stores the overwritten bytes that the request has for its updates. The log has these updates
   * already.
   */
  private void keep(ReplicateRequest request, byte[] data, int from) {
    int at = from;
    for (OldBytes.Range range : request.old.ranges) {
      NumberedUpdate record = request.records
          .get((int) (range.sequence - request.records.get(0).sequence));
      oldBytes.put(request.ticket().unit, request.ticket().term, record.sequence,
          record.epoch, request.old.block, range.offset,
          ByteBuffer.wrap(data, at, range.length));
      at += range.length;
    }
  }

  /**
   * Returns whether this log has more of the unit's history than the leader. This may be so if the
   * leader's machine has lost power, or if a later term began here after the NameNode had compared
   * the logs of the holders. The additional updates may have been acknowledged, and this log would
   * drop them if it followed this leader.
   */
  private static boolean hasMore(Optional<UnitState> known, long term, TermBegin begin) {
    if (!known.isPresent() || !known.get().isComplete() || known.get().term >= term) {
      return false;
    }
    return known.get().term > begin.previousTerm && known.get().isWritten()
        || known.get().term == begin.previousTerm && known.get().last > begin.last;
  }

  /**
   * Begins a term in this log. If this log has the beginning of the leader's history, from the same
   * previous term, this log keeps that beginning, and the leader sends what follows. Otherwise this
   * log drops its history of the unit, and the leader sends all of its own.
   */
  private void begin(UnitId unit, long term, TermBegin begin, Optional<UnitState> known)
      throws IOException {
    if (known.isPresent() && known.get().term == term) {
      // The term has begun here already: the leader did not get the answer to its first request,
      // and has sent it again.
      return;
    }
    boolean goesOn = known.isPresent() && begin.previousTerm > 0
        && known.get().term == begin.previousTerm && known.get().isComplete()
        && known.get().last >= begin.first - 1;
    log.begin(unit, term, goesOn ? known.get().last : begin.first - 1, begin.last, !goesOn);
    // The begin has to be on the disk, so that the log refuses leaders of earlier terms even after
    // a loss of power.
    log.sync(syncTimeoutMs);
  }

  /**
   * Returns whether the log already has an update. The leader sends an update again if it got no
   * answer. If the log has a different update under the same number, the result is false, and the
   * log then refuses the update.
   */
  private boolean has(UnitId unit, long term, NumberedUpdate record, ByteBuffer data)
      throws IOException {
    Optional<UnitState> known = log.state(unit);
    if (!known.isPresent() || known.get().term != term
        || record.sequence > known.get().last) {
      return false;
    }
    List<LogEntry> entries = log.entries(unit, record.sequence - 1, 1);
    if (entries.isEmpty()) {
      return false;
    }
    LogEntry entry = entries.get(0);
    return entry.sequence == record.sequence && entry.epoch == record.epoch
        && entry.offset == record.offset && entry.length == record.length
        && entry.origin().equals(record.origin) && entry.isDelta == record.isDelta
        && ByteBuffer.wrap(log.read(entry)).equals(data);
  }

  UpdateAnswer trim(TrimRequest request) {
    UnitId unit = request.ticket().unit;
    try {
      log.trim(unit.file, request.epoch);
      oldBytes.trim(unit.file, request.epoch);
      return UpdateAnswer.done(position(unit));
    } catch (IOException e) {
      return LogRefusals.of(e, request.toString(), position(unit));
    }
  }

  /**
   * Reads updates with their data, as many as fit into the caller's limit on bytes, but at least
   * one.
   */
  Reply read(ReadLogRequest request) {
    UnitId unit = request.ticket().unit;
    // The position is taken first, so that it does not count updates that arrive after this line.
    LogPosition position = position(unit);
    int most = request.bytesMost == 0 ? 0 : UpdateBounds.RECORDS_MAX;
    try {
      EntryData part =
          EntryData.first(log.entries(unit, request.after, most), request.bytesMost);
      if (!request.takesDeltas && part.records().stream().anyMatch(update -> update.isDelta)) {
        return new Reply(UpdateAnswer.refused(UpdateStatus.FAILED, "updates of " + unit
            + " are deltas here, which a caller of an old version of hdfs-ppr does not know", null,
            position), NO_DATA);
      }
      byte[] data = part.read(log);
      return new Reply(UpdateAnswer.read(position, part.records(), Payload.of(data)), data);
    } catch (IOException e) {
      return new Reply(LogRefusals.of(e, request.toString(), position), NO_DATA);
    }
  }

  /** Lists updates without their data, as many as fit into a message. */
  Reply list(ListLogRequest request) {
    UnitId unit = request.ticket().unit;
    // The position is taken first, so that it does not count updates that arrive after this line.
    LogPosition position = position(unit);
    List<NumberedUpdate> records = new ArrayList<>();
    for (LogEntry entry : log.entries(unit, request.after, UpdateBounds.RECORDS_MAX)) {
      records.add(EntryData.record(entry));
    }
    return new Reply(UpdateAnswer.read(position, records, Payload.NONE), NO_DATA);
  }

  private LogPosition position(UnitId unit) {
    return LogRefusals.position(log, unit);
  }
}
