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
 * The state that results from all records of a log. {@link #check} says whether a record may
 * follow, and {@link #apply} applies it. Opening a log applies the same records in the same order
 * as writing it. Guarded by the log's lock.
 *
 * <p>When the segments with a unit's records are dropped, a mark keeps the unit's term, so that the
 * node refuses earlier tickets of the unit. The number of marks is bounded; beyond it, the book
 * forgets units and their terms. It must still refuse records of old leaders for these units. It
 * therefore keeps one number, the floor: the greatest term of all forgotten units. An unknown unit
 * can only begin in a later term. Terms increase over all units of a block pool, so that the
 * NameNode can always give such a term. Epochs may be forgotten, because the leader of a new term
 * gets its epoch from the NameNode.
 */
final class LogBook {
  /** The units of a file, and the state that they share. */
  private static final class FileLog {
    private final Map<UnitId, UnitLog> units = new HashMap<>();
    /** Updates up to this epoch are in the file's version. */
    private long trimmed;
    /** The number of the last segment with a trim of the file. */
    private long newest;
  }

  private final Map<UUID, FileLog> files = new HashMap<>();
  private int records;
  private long floor;
  /** The number of the segment before which all are dropped. */
  private long firstSegment = 1;

  /** Returns the number of updates, units and files. */
  int records() {
    return records;
  }

  long floor() {
    return floor;
  }

  /** Returns the number of the segment before which all are dropped. */
  long firstSegment() {
    return firstSegment;
  }

  /** Returns what the log has of a unit, or null. */
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

  /** Returns the least epoch that the next update of a unit may have. */
  long epochLeast(UnitLog unit) {
    long trimmed = files.get(unit.unit.file).trimmed;
    return Math.max(Math.max(1, unit.epoch()),
        trimmed == TrimRequest.ALL ? trimmed : trimmed + 1);
  }

  /**
   * Checks that a record may follow those that were applied.
   *
   * @param isRead whether the record was read from a segment when the log was opened; the records
   *     of its unit before it may have been dropped
   * @throws RecordRefusedException if it may not
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
   * @param position where the record begins
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
          // The leader, from which the history comes, has trimmed the updates before these.
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
      // If the first record of a unit continues others, the earlier part of the history was
      // dropped.
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

  /** Returns whether a trim would drop an update, or a unit of a file that is gone. */
  boolean hasTo(UUID id, long epoch) {
    FileLog file = files.get(id);
    return file != null && epoch == TrimRequest.ALL ? !file.units.isEmpty()
        : file != null && file.units.values().stream().anyMatch(unit -> unit.hasTo(epoch));
  }

  /**
   * Notes a commit that drops no update. It needs no record, because the NameNode knows the commit.
   */
  void committed(UUID id, long epoch) {
    FileLog file = files.get(id);
    if (file != null) {
      trimmed(file, epoch);
    }
  }

  /**
   * Returns the units that need a mark when the segments up to one are dropped: those whose last
   * record is in these segments. If there are too many, those with the latest terms.
   *
   * @param most the most units that the log remembers
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

  /** Returns the floor that has to be on record before the segments up to one are dropped. */
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
   * Forgets units and files whose last record is in the segments up to one, which have no live
   * update.
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
