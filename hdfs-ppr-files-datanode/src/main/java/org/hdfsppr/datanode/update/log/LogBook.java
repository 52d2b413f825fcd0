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
package org.hdfsppr.datanode.update.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.hdfsppr.datanode.update.log.RecordRefusedException.Reason;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UnitId;

/**
 * The state in memory that results from all records of a log. {@link #check} says whether a record
 * may be appended, and {@link #apply} changes the state accordingly. Opening a log applies the same
 * records in the same order as writing it did. Guarded by the log's lock.
 *
 * <p>Before a segment with a unit's last record is dropped, the log writes a mark, a record with
 * the unit's term, so that the node still refuses earlier tickets of the unit. The number of marks
 * is bounded. If there are more units, the book forgets some, with their terms. It must still
 * refuse records of old leaders for these units. For this it keeps one number, the floor: the
 * greatest term of all forgotten units. A unit that the book does not know can begin only in a term
 * later than the floor. The NameNode can always give such a term, because it counts terms over all
 * units of a block pool. The book need not remember epochs, because the leader of a new term gets
 * its epoch from the NameNode.
 */
final class LogBook {
  /** What the log knows of one file: its units, and how far they are trimmed. */
  private static final class FileLog {
    private final Map<UnitId, UnitLog> units = new HashMap<>();
    /**
     * The last commit that is known to be in the file's version. The log drops its updates and
     * those of earlier commits.
     */
    private long trimmed;
    /** The number of the last segment with a trim record of the file. */
    private long newest;
  }

  private final Map<UUID, FileLog> files = new HashMap<>();
  private int records;
  private long floor;
  /** The number of the first segment that is not dropped. */
  private long firstSegment = 1;

  /** Returns how many updates, units and files together the book has in memory. */
  int records() {
    return records;
  }

  long floor() {
    return floor;
  }

  /** Returns the number of the first segment that is not dropped. */
  long firstSegment() {
    return firstSegment;
  }

  /** Returns what the log has of a unit; null if it does not know the unit. */
  UnitLog unit(UnitId id) {
    FileLog file = files.get(id.file);
    return file == null ? null : file.units.get(id);
  }

  /** See {@link UpdateLog#find}. */
  KnownUpdate find(UnitId id, Origin origin, long since) {
    UnitLog known = unit(id);
    if (known == null || !origin.isNumbered()) {
      return KnownUpdate.NEW;
    }
    LogEntry last = known.lastOf(origin.writer);
    if (last != null) {
      return origin.number > last.origin().number ? KnownUpdate.NEW
          : origin.number == last.origin().number ? KnownUpdate.of(last) : KnownUpdate.OLDER;
    }
    return known.mayHaveDropped(origin.writer, origin.number, since) ? KnownUpdate.FORGOTTEN
        : KnownUpdate.NEW;
  }

  /** Returns the first commit to which the next update of a unit may belong. */
  long epochLeast(UnitLog unit) {
    long trimmed = files.get(unit.unit.file).trimmed;
    return Math.max(Math.max(1, unit.epoch()),
        trimmed == TrimRequest.ALL ? trimmed : trimmed + 1);
  }

  /**
   * Checks that a record may follow the records that were applied before.
   *
   * @param isRead whether the record was read from a segment when the log was opened. Then earlier
   *     records of its unit may have been dropped, so the record may refer to what the book does
   *     not know
   * @throws RecordRefusedException if the record breaks a rule of the unit's history
   */
  void check(RecordHeader record, boolean isRead) throws RecordRefusedException {
    UnitLog unit = unit(record.unit);
    switch (record.kind) {
      case UPDATE:
      case DELTA:
        checkUpdate(record, unit, isRead);
        break;
      case TERM:
      case ANEW:
        long known = unit != null ? unit.term() : isRead ? 0 : floor;
        if (record.term <= known) {
          throw refused(Reason.STALE_TERM, record, "term " + record.term + " is not later than "
              + known);
        }
        if (record.kind == RecordKind.TERM
            && (unit == null ? !isRead : record.sequence != unit.last())) {
          throw refused(Reason.SEQUENCE, record, "the history goes on after update "
              + record.sequence + ", and this log has "
              + (unit == null ? "none" : "updates up to " + unit.last()));
        }
        break;
      case MARK:
        if (unit == null ? !isRead : record.term != unit.term()
            || record.sequence != unit.last() || record.base != unit.base()) {
          throw refused(Reason.SEQUENCE, record, "a mark of term " + record.term + " after "
              + record.sequence + " for "
              + (unit == null ? "nothing" : "term " + unit.term() + " after " + unit.last()));
        }
        break;
      case TRIM:
      case FLOOR:
      default:
        break;
    }
  }

  private void checkUpdate(RecordHeader record, UnitLog unit, boolean isRead)
      throws RecordRefusedException {
    FileLog file = files.get(record.unit.file);
    if (file != null && record.epoch <= file.trimmed) {
      throw refused(Reason.EPOCH, record, "epoch " + record.epoch + " is committed");
    }
    if (unit == null) {
      if (!isRead) {
        throw refused(record.term <= floor ? Reason.STALE_TERM : Reason.UNKNOWN_TERM, record,
            "term " + record.term + " has not begun");
      }
      return;
    }
    if (record.term != unit.term()) {
      throw refused(record.term < unit.term() ? Reason.STALE_TERM : Reason.UNKNOWN_TERM, record,
          "term " + record.term + " instead of " + unit.term());
    }
    if (record.sequence != unit.last() + 1 || record.base != unit.base()) {
      throw refused(Reason.SEQUENCE, record, "update " + record.sequence + " with base "
          + record.base + " after " + unit.last() + " with base " + unit.base());
    }
    LogEntry earlier = record.origin.isNumbered() ? unit.lastOf(record.origin.writer) : null;
    if (earlier != null && record.origin.number <= earlier.origin().number) {
      throw refused(Reason.SEQUENCE, record, record.origin + " after its update "
          + earlier.origin().number);
    }
    if (record.epoch < unit.epoch()) {
      throw refused(Reason.EPOCH, record, "epoch " + record.epoch + " after " + unit.epoch());
    }
  }

  private static RecordRefusedException refused(Reason reason, RecordHeader record, String what) {
    return new RecordRefusedException(reason, record.unit + ": " + what);
  }

  /**
   * Applies a record that {@link #check} allows.
   *
   * @param segment the segment that has the record
   * @param position where in the segment the record begins, bytes
   * @return the entry of an update; null for other records
   */
  LogEntry apply(RecordHeader record, LogSegment segment, long position) {
    switch (record.kind) {
      case UPDATE:
      case DELTA:
        UnitLog updated = unitOf(record, segment);
        LogEntry entry = new LogEntry(record, updated.unit, segment, position);
        updated.add(entry);
        segment.addLive(record.unit.file);
        records++;
        return entry;
      case TERM:
      case ANEW:
        UnitLog begun = unitOf(record, segment);
        if (record.kind == RecordKind.ANEW) {
          records -= begun.dropAll();
        }
        begun.begin(record.term, record.base, record.sequence, segment.number());
        if (record.kind == RecordKind.ANEW && record.sequence > 0) {
          // The leader sends its history from the update after record.sequence on. It has
          // trimmed the updates before that, so this log lacks them.
          begun.lacks(record.term - 1);
          begun.lacksUnknown();
        }
        return null;
      case MARK:
        unitOf(record, segment).mark(record, segment.number());
        return null;
      case TRIM:
        FileLog file = file(record.unit.file);
        file.newest = segment.number();
        trimmed(file, record.epoch);
        return null;
      case FLOOR:
      default:
        raiseFloor(record.term);
        firstSegment = Math.max(firstSegment, record.sequence);
        return null;
    }
  }

  private UnitLog unitOf(RecordHeader record, LogSegment segment) {
    UnitLog unit = file(record.unit.file).units.get(record.unit);
    if (unit == null) {
      unit = new UnitLog(record.unit);
      unit.begin(record.term, record.base, record.sequence, segment.number());
      unit.lacks(floor);
      if (record.kind.isUpdate() ? record.sequence > 1 : record.sequence > 0) {
        unit.lacksUnknown();
      }
      // If the first record that the log has of a unit is not the first one of its history, the
      // earlier part was dropped.
      if (record.kind.isUpdate() && record.sequence > 1) {
        unit.lacks(record.term);
      } else if (record.kind == RecordKind.TERM && record.sequence > 0) {
        unit.lacks(record.term - 1);
      }
      file(record.unit.file).units.put(record.unit, unit);
      records++;
    }
    return unit;
  }

  private FileLog file(UUID id) {
    FileLog file = files.get(id);
    if (file == null) {
      file = new FileLog();
      files.put(id, file);
      records++;
    }
    return file;
  }

  private void trimmed(FileLog file, long epoch) {
    file.trimmed = Math.max(file.trimmed, epoch);
    for (UnitLog unit : file.units.values()) {
      records -= unit.dropTo(epoch);
    }
    if (file.trimmed == TrimRequest.ALL) {
      records -= file.units.size();
      file.units.clear();
    }
  }

  /** Returns the last commit whose updates were dropped; 0 if the book knows none. */
  long trimmed(UUID id) {
    FileLog file = files.get(id);
    return file == null ? 0 : file.trimmed;
  }

  void raiseFloor(long term) {
    floor = Math.max(floor, term);
  }

  /**
   * Returns whether a trim up to the commit {@code epoch} would drop any update of a file, or any
   * unit of a file that is gone.
   */
  boolean hasTo(UUID id, long epoch) {
    FileLog file = files.get(id);
    return file != null && epoch == TrimRequest.ALL ? !file.units.isEmpty()
        : file != null && file.units.values().stream().anyMatch(unit -> unit.hasTo(epoch));
  }

  /**
   * Takes note of a commit for which no update has to be dropped. The log writes no record of it,
   * because the NameNode knows the commit.
   */
  void committed(UUID id, long epoch) {
    FileLog file = files.get(id);
    if (file != null) {
      trimmed(file, epoch);
    }
  }

  /**
   * Returns the units that need a mark before the segments up to a number are dropped: those whose
   * last record is in these segments. If there are too many, only those with the latest terms.
   *
   * @param most how many units the log remembers at most
   */
  List<UnitLog> toMark(long segment, int most) {
    int others = 0;
    List<UnitLog> only = new ArrayList<>();
    for (FileLog file : files.values()) {
      for (UnitLog unit : file.units.values()) {
        if (unit.newest() <= segment) {
          only.add(unit);
        } else {
          others++;
        }
      }
    }
    only.sort(Comparator.comparingLong(UnitLog::term).reversed());
    return only.subList(0, Math.max(0, Math.min(only.size(), most - others)));
  }

  /**
   * Returns the floor, see {@link LogBook}, that a record must have before the segments up to a
   * number are dropped.
   */
  long floorWithout(long segment) {
    long needed = floor;
    for (FileLog file : files.values()) {
      for (UnitLog unit : file.units.values()) {
        if (unit.newest() <= segment) {
          needed = Math.max(needed, unit.term());
        }
      }
    }
    return needed;
  }

  /**
   * Forgets the units and files whose last record is in the segments up to a number. These segments
   * have no update that the log still needs.
   */
  void forget(long segment) {
    for (Iterator<FileLog> next = files.values().iterator(); next.hasNext();) {
      FileLog file = next.next();
      int before = file.units.size();
      file.units.values().removeIf(unit -> unit.newest() <= segment);
      records -= before - file.units.size();
      if (file.units.isEmpty() && file.newest <= segment) {
        next.remove();
        records--;
      }
    }
  }
}
