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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.UnitId;

/**
 * The part of a log that belongs to one unit. Guarded by the log's lock. The history of a unit is a
 * sequence of updates with consecutive numbers. In each term one node leads the history, and the
 * others follow it.
 */
final class UnitLog {
  final UnitId unit;
  private long term;
  private long base;
  private long last;
  private long epoch;
  /** The number of the last segment with a record of the unit. */
  private long newest;
  private final Deque<LogEntry> entries = new ArrayDeque<>();
  /** The last entries, which readers do not see yet. */
  private final Deque<LogEntry> hidden = new ArrayDeque<>();
  final RangeOverlay overlay = new RangeOverlay();
  /** How many of the entries are deltas. */
  private int deltas;
  /** The entries that readers see, by epoch, while there are deltas; null before the first use. */
  private EpochLayers layers;
  /** The terms that have begun since this log was opened. */
  final TermBases bases = new TermBases();
  /** The last entry of each writer that has entries. */
  private final Map<Long, LogEntry> writers = new HashMap<>();
  /** The writers whose last updates the log has dropped. */
  private final DroppedWriters droppedWriters = new DroppedWriters();
  /** The latest term of which this log may have dropped updates. */
  private long droppedTerm;
  /** The same, but without updates of the writers in {@link #droppedWriters}. */
  private long forgottenTerm;
  /** The value of {@link #droppedEpoch} if the epochs of dropped updates are unknown. */
  static final long UNKNOWN = Long.MAX_VALUE;
  /** The greatest epoch of the dropped updates; 0 if there are none; or {@link #UNKNOWN}. */
  private long droppedEpoch;

  UnitLog(UnitId unit) {
    this.unit = unit;
  }

  long term() {
    return term;
  }

  long base() {
    return base;
  }

  long last() {
    return last;
  }

  long epoch() {
    return epoch;
  }

  long newest() {
    return newest;
  }

  /** Returns whether some of the entries are deltas. */
  boolean hasDeltas() {
    return deltas > 0;
  }

  /** Returns the entries that readers see, by epoch; for units with deltas. */
  EpochLayers layers() {
    if (layers == null) {
      layers = new EpochLayers();
      for (LogEntry entry : entries) {
        if (entry.sequence <= shown()) {
          layers.add(entry);
        }
      }
    }
    return layers;
  }

  /** Returns the last entry of a writer, or null. */
  LogEntry lastOf(long writer) {
    return writers.get(writer);
  }

  /**
   * Returns whether the log may have dropped an update that its writer now sends again.
   *
   * @param number the number that the writer has given its update
   * @param since the term in which the writer has first sent it
   */
  boolean mayHaveDropped(long writer, long number, long since) {
    OptionalLong last = droppedWriters.lastOf(writer);
    return last.isPresent() ? number <= last.getAsLong() : since <= forgottenTerm;
  }

  /** Notes that this log may lack updates of terms up to this one. */
  void lacks(long upToTerm) {
    droppedTerm = Math.max(droppedTerm, upToTerm);
    forgottenTerm = Math.max(forgottenTerm, upToTerm);
  }

  /** Notes that this log lacks earlier updates, whose epochs are unknown. */
  void lacksUnknown() {
    droppedEpoch = UNKNOWN;
  }

  /** Returns the greatest epoch of the updates that were dropped, or {@link #UNKNOWN}. */
  long droppedEpoch() {
    return droppedEpoch;
  }

  /** Returns the number of the last update that was dropped; 0 if none was. */
  long dropped() {
    return entries.isEmpty() ? last : entries.getFirst().sequence - 1;
  }

  /** Returns the number of the last update that readers see. */
  long shown() {
    return hidden.isEmpty() ? last : hidden.getFirst().sequence - 1;
  }

  void begin(long newTerm, long newBase, long after, long segment) {
    term = newTerm;
    base = newBase;
    last = after;
    newest = segment;
  }

  /** Returns a mark with the position of the unit. */
  RecordHeader toMark() {
    return new RecordHeader(
        RecordKind.MARK, unit, term, base, new NumberedUpdate(last, epoch, droppedTerm, 0));
  }

  /** Applies a mark, which becomes the unit's last record. */
  void mark(RecordHeader record, long segment) {
    begin(record.term, record.base, record.sequence, segment);
    epoch = Math.max(epoch, record.epoch);
    lacks(record.offset);
  }

  void add(LogEntry entry) {
    entries.add(entry);
    hidden.add(entry);
    deltas += entry.isDelta ? 1 : 0;
    if (entry.origin().isNumbered()) {
      writers.put(entry.origin().writer, entry);
    }
    last = entry.sequence;
    epoch = entry.epoch;
    newest = entry.segment.number();
  }

  /** Lets readers see the entries up to a number. */
  void show(long sequence) {
    while (!hidden.isEmpty() && hidden.getFirst().sequence <= sequence) {
      LogEntry entry = hidden.removeFirst();
      overlay.add(entry);
      if (layers != null) {
        layers.add(entry);
      }
    }
  }

  /** Returns whether an entry has at most this epoch. */
  boolean hasTo(long epochMost) {
    return !entries.isEmpty() && entries.getFirst().epoch <= epochMost;
  }

  /** Drops the entries up to an epoch; returns how many. */
  int dropTo(long epochMost) {
    overlay.dropTo(epochMost);
    if (layers != null) {
      layers.dropTo(epochMost);
    }
    while (!hidden.isEmpty() && hidden.getFirst().epoch <= epochMost) {
      hidden.removeFirst();
    }
    int dropped = 0;
    while (hasTo(epochMost)) {
      LogEntry entry = entries.removeFirst();
      drop(entry);
      deltas -= entry.isDelta ? 1 : 0;
      if (writers.remove(entry.origin().writer, entry)) {
        forgottenTerm = Math.max(forgottenTerm, droppedWriters.add(entry));
      }
      droppedTerm = Math.max(droppedTerm, entry.term);
      // Epochs never decrease, so that this is the greatest epoch of all dropped updates.
      droppedEpoch = entry.epoch;
      dropped++;
    }
    // Without deltas, the overlay gives the same bytes, so that no layers are needed.
    layers = deltas > 0 ? layers : null;
    return dropped;
  }

  /** Drops all entries, and forgets the epoch; returns how many. */
  int dropAll() {
    int dropped = entries.size();
    entries.forEach(UnitLog::drop);
    entries.clear();
    hidden.clear();
    overlay.clear();
    deltas = 0;
    layers = null;
    writers.clear();
    droppedWriters.clear();
    droppedTerm = 0;
    forgottenTerm = 0;
    droppedEpoch = 0;
    epoch = 0;
    return dropped;
  }

  private static void drop(LogEntry entry) {
    entry.segment.removeLive(entry.unit.file);
  }

  /** Returns how many entries there are. */
  int pending() {
    return entries.size();
  }

  /** Returns the entries with larger numbers than {@code after}, at most {@code most}. */
  List<LogEntry> after(long after, int most) {
    List<LogEntry> found = new ArrayList<>();
    for (LogEntry entry : entries) {
      if (found.size() == most) {
        break;
      }
      if (entry.sequence > after) {
        found.add(entry);
      }
    }
    return found;
  }

  /**
   * For each epoch, the update that has last written each byte of a unit; needed if some updates
   * are deltas. A delta is relative to the state at the end of the epoch before, so that the last
   * update alone does not give the value of a byte. Not safe for several threads.
   */
  static final class EpochLayers {
    private final NavigableMap<Long, RangeOverlay> layers = new TreeMap<>();

    /** Adds an update, which is later than all that were added before. */
    void add(LogEntry entry) {
      layers.computeIfAbsent(entry.epoch, none -> new RangeOverlay()).add(entry);
    }

    /** Forgets the updates up to an epoch. */
    void dropTo(long epoch) {
      layers.headMap(epoch, true).clear();
    }

    /**
     * Returns the pieces to apply to a version in this order: updates replace bytes, and deltas are
     * added. Pieces of epochs up to the version's commit are left out, because the version has
     * them, and a delta must not be added twice.
     *
     * @param committed the commit of the version
     */
    List<RangeOverlay.Piece> over(long committed, long offset, long length) {
      List<RangeOverlay.Piece> pieces = new ArrayList<>();
      for (RangeOverlay layer : layers.tailMap(committed, false).values()) {
        pieces.addAll(layer.within(offset, length));
      }
      return pieces;
    }
  }

  /**
   * The latest terms of a unit in which this log has taken part without a gap, each with the number
   * of the last update that the history had when the term began. From these numbers a writer finds
   * out whether the history still has its updates of an earlier term. They are in memory only, so
   * that a log that is opened anew begins without them. Guarded by the log.
   */
  static final class TermBases {
    /** The most terms: enough, because writers sync every few seconds. */
    private static final int TERMS_MOST = 16;

    private final NavigableMap<Long, Long> bases = new TreeMap<>();

    /**
     * Adds a term.
     *
     * @param anew whether the log has dropped its history
     */
    void begin(long term, long base, boolean anew) {
      if (anew) {
        bases.clear();
      }
      bases.put(term, base);
      if (bases.size() > TERMS_MOST) {
        bases.pollFirstEntry();
      }
    }

    NavigableMap<Long, Long> copy() {
      return new TreeMap<>(bases);
    }
  }

  /**
   * For each writer whose updates a trim has dropped, the number of the last dropped one. The
   * history has the updates of a writer in the order of their numbers, so that an update with a
   * larger number was not dropped. This is in memory only: opening the log rebuilds it from the
   * records that the segments still have. Guarded by the log's lock.
   */
  static final class DroppedWriters {
    /**
     * The most writers. Only writers matter that are at work while a commit ends and a leader dies.
     * If there are more in one unit, some may have to open the file anew.
     */
    static final int MOST = 16;

    private static final class Last {
      private final long number;
      private final long term;

      private Last(long number, long term) {
        this.number = number;
        this.term = term;
      }
    }

    /** The last dropped update of each writer, in the order in which they were dropped. */
    private final Map<Long, Last> lasts = new LinkedHashMap<>();

    /**
     * Adds a dropped update, which becomes the last one of its writer.
     *
     * @return if a writer is forgotten to make room, the term of its last dropped update; otherwise
     *     0
     */
    long add(LogEntry entry) {
      lasts.remove(entry.origin().writer);
      lasts.put(entry.origin().writer, new Last(entry.origin().number, entry.term));
      if (lasts.size() <= MOST) {
        return 0;
      }
      Iterator<Last> oldest = lasts.values().iterator();
      long term = oldest.next().term;
      oldest.remove();
      return term;
    }

    /** Returns the number of a writer's last update that was dropped; empty if none is known. */
    OptionalLong lastOf(long writer) {
      Last last = lasts.get(writer);
      return last == null ? OptionalLong.empty() : OptionalLong.of(last.number);
    }

    void clear() {
      lasts.clear();
    }
  }
}
