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
 * What a log knows of one unit. The history of a unit is its updates, with consecutive numbers. In
 * each term one node leads the history, which means that it numbers the updates, and the others
 * follow it. An entry is an update that the log still has, and its epoch is the number of the
 * commit to which it belongs. Guarded by the log's lock.
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
  /**
   * The last entries, which readers do not see yet, because it is not known that all holders have
   * them.
   */
  private final Deque<LogEntry> hidden = new ArrayDeque<>();
  final RangeOverlay overlay = new RangeOverlay();
  /** How many of the entries are deltas. */
  private int deltas;
  /**
   * The entries that readers see, by epoch. Only used while some entries are deltas; null before
   * the first use.
   */
  private EpochLayers layers;
  /** The terms that have begun since this log was opened. */
  final TermBases bases = new TermBases();
  /** The last entry of each writer that has entries. */
  private final Map<Long, LogEntry> writers = new HashMap<>();
  /** For writers whose last update was dropped, the number of that update. */
  private final DroppedWriters droppedWriters = new DroppedWriters();
  /** The latest term of which this log may have dropped updates. */
  private long droppedTerm;
  /**
   * The latest term of which this log may have dropped updates of writers that are not in
   * {@link #droppedWriters}.
   */
  private long forgottenTerm;
  /**
   * The value of {@link #droppedEpoch} if the log does not know to which commits the dropped
   * updates belong.
   */
  static final long UNKNOWN = Long.MAX_VALUE;
  /**
   * The latest commit to which dropped updates belong; 0 if there are none; or {@link #UNKNOWN}.
   */
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

  /** Returns the entries that readers see, by epoch. For units of which some entries are deltas. */
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
   * @param since the term in which the writer first sent it
   */
  boolean mayHaveDropped(long writer, long number, long since) {
    OptionalLong last = droppedWriters.lastOf(writer);
    return last.isPresent() ? number <= last.getAsLong() : since <= forgottenTerm;
  }

  /** Takes note that this log may lack updates of this term and of all earlier ones. */
  void lacks(long upToTerm) {
    droppedTerm = Math.max(droppedTerm, upToTerm);
    forgottenTerm = Math.max(forgottenTerm, upToTerm);
  }

  /**
   * Takes note that this log lacks earlier updates, and does not know to which commits they belong.
   */
  void lacksUnknown() {
    droppedEpoch = UNKNOWN;
  }

  /**
   * Returns the latest commit to which dropped updates belong, 0 if there are none, or
   * {@link #UNKNOWN}.
   */
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

  /**
   * Returns a record that keeps the term and the last number of the unit when its other records are
   * dropped.
   */
  RecordHeader toMark() {
    return new RecordHeader(
        RecordKind.MARK, unit, term, base, new NumberedUpdate(last, epoch, droppedTerm, 0));
  }

  /** Applies a mark, which is now the last record of the unit. */
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

  /** Returns whether any entry belongs to the commit {@code epochMost} or an earlier one. */
  boolean hasTo(long epochMost) {
    return !entries.isEmpty() && entries.getFirst().epoch <= epochMost;
  }

  /**
   * Drops the entries that belong to the commit {@code epochMost} or an earlier one. Returns how
   * many these are.
   */
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
      // In a history, the numbers of commits never decrease. So this is the latest commit of all
      // dropped updates.
      droppedEpoch = entry.epoch;
      dropped++;
    }
    // If no entry is a delta, overlay alone gives the right bytes.
    layers = deltas > 0 ? layers : null;
    return dropped;
  }

  /**
   * Drops all entries and all that was known of earlier ones. Returns how many entries these are.
   */
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
   * Knows for each epoch which update has written each byte of a unit last. This is needed if some
   * updates are deltas: a delta is relative to the byte at the end of the epoch before, so that the
   * last update alone does not give the byte. Not safe for several threads.
   */
  static final class EpochLayers {
    private final NavigableMap<Long, RangeOverlay> layers = new TreeMap<>();

    /** Adds an update, which is later than all that were added before. */
    void add(LogEntry entry) {
      layers.computeIfAbsent(entry.epoch, none -> new RangeOverlay()).add(entry);
    }

    /** Forgets the updates that belong to the commit {@code epoch} or an earlier one. */
    void dropTo(long epoch) {
      layers.headMap(epoch, true).clear();
    }

    /**
     * Returns the pieces of updates that a reader applies to a version of the file, in this order,
     * to get the present bytes of a range: updates replace bytes, and deltas are added by XOR.
     * Pieces of epochs up to the version's commit are left out, because the version has them, and
     * adding a delta a second time would undo it.
     *
     * @param committed the last commit that the version has
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
   * The latest terms of a unit in which this log has kept the history without a gap, each with the
   * number of the last update that the history had when the term began. From these numbers a writer
   * finds out whether the history still has the updates that it wrote in an earlier term. They are
   * in memory only: a log that is opened anew begins without them. Guarded by the log's lock.
   */
  static final class TermBases {
    /**
     * How many terms are kept at most. That is enough, because a writer asks for these numbers when
     * it syncs, every few seconds.
     */
    private static final int TERMS_MOST = 16;

    private final NavigableMap<Long, Long> bases = new TreeMap<>();

    /**
     * Adds a term.
     *
     * @param anew whether the log has dropped its own history of the unit for that of the leader
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
   * For each writer whose last update a trim has dropped, the number that the writer has given it.
   * The history has the updates of a writer in the order of these numbers, so that no update with a
   * larger number was dropped. This is in memory only: opening the log rebuilds it from the records
   * that the segments still have. Guarded by the log's lock.
   */
  static final class DroppedWriters {
    /**
     * How many writers are remembered at most. Only those matter that write into the unit while a
     * commit ends and the leader dies. If there are more, some may have to open the file anew.
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
