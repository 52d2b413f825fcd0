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

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.update.SharedUpdater;
import org.hdfsppr.client.update.UpdatesInDoubtException;
import org.hdfsppr.operate.GroupReplacedException;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into a closed erasure-coded file in place, for many callers at the same time, through the
 * update logs of its units. A write returns when it is acknowledged.
 *
 * <p>For each unit, the updater remembers the last acknowledged update of each term that may not be
 * on disks. If a sync finds that the holders of a log may have lost some of these updates, the
 * updater takes no more writes. Thread-safe.
 */
@InterfaceAudience.Private
public final class LogSharedUpdater extends SharedUpdater {
  private static final Logger LOG = LoggerFactory.getLogger(LogSharedUpdater.class);
  /**
   * How many writes are under way at most; further ones wait. A leader lets 128 updates of a unit
   * wait, from all clients together.
   */
  private static final int WRITES_MOST = 32;
  /**
   * How many further threads one write or one sync uses at most; each sends to one unit at a time.
   */
  private static final int HELPERS_MOST = 15;
  /**
   * How often a write is tried at most if a leader cannot know whether the history has an update of
   * it.
   */
  private static final int WRITE_TRIES = 3;

  private final UpdateContext context;
  private final String path;
  private final List<LocatedGroup> groups;
  private final long length;
  private final UpdateTickets tickets;
  private final LeaderRetry retry;
  private final FileLogs logs;
  private final WriterPlaces places;
  private final RangesUnderWay ranges = new RangesUnderWay();
  private final UnsyncedUpdates unsynced = new UnsyncedUpdates();
  /**
   * Whether a sync of this updater has synced all units of the file, also those with writes of
   * other clients before.
   */
  private volatile boolean isPastSynced;
  /**
   * Whether there are unsynced updates of several terms of a unit. Then the next sync should come
   * soon: after further changes of the term, it may not be possible to find out whether these
   * updates are lost.
   */
  private volatile boolean isSyncUrgent;
  private volatile IOException failure;

  /**
   * Opens a file. This does not call the NameNode.
   *
   * @param context what all writers of the client share
   * @param path the file
   * @param groups all its block groups
   * @param now looks the groups up again; this is needed because each commit replaces groups
   * @throws IOException if the file is empty
   */
  public LogSharedUpdater(UpdateContext context, String path, List<LocatedGroup> groups,
      LogFileUpdater.GroupLook now) throws IOException {
    if (groups.isEmpty()) {
      throw new IOException(path + " has no bytes that could be updated");
    }
    this.context = context;
    this.path = path;
    this.groups = List.copyOf(groups);
    LocatedGroup last = groups.get(groups.size() - 1);
    this.length = last.start() + last.bytes();
    this.tickets = new UpdateTickets(context.nameNode, path, true, context.nanoClock,
        group -> LocatedGroup.inPlaceOf(group, this.groups, now.groups()));
    this.retry = context.retry(tickets);
    this.logs = new FileLogs(context, path, now);
    this.places = new WriterPlaces(WRITES_MOST, context::newWriter);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean knowsFile() {
    return tickets.knowsFile();
  }

  @Override
  public void requireRight() throws IOException {
    GroupId group = groups.get(0).id();
    IOException refusal = null;
    for (int unit = 0; unit < groups.get(0).dataUnits(); unit++) {
      try {
        retry.ticket(group, unit);
        return;
      } catch (IOException e) {
        // A failure may only mean that this unit is lost. The right is the same for all units, so
        // the next one is tried.
        refusal = refusal == null ? e : refusal;
      }
    }
    throw refusal;
  }

  @Override
  public void write(long position, ByteBuffer from) throws IOException {
    if (position < 0 || position > length - from.remaining()) {
      throw new EOFException("An update of " + from.remaining() + " bytes at " + position
          + " goes past the end of " + path + ", which has " + length + " bytes");
    }
    check();
    try (RangesUnderWay.Range range = ranges.begin(position, from.remaining())) {
      for (int tries = 1; ; tries++) {
        try {
          writeOnce(UnitParts.of(groups, position, from.duplicate()));
          from.position(from.limit());
          return;
        } catch (UpdatesInDoubtException e) {
          // The logs may have the write or not. Writing it again gives the same bytes, unless
          // another write of these bytes came between the two.
          if (tries == WRITE_TRIES || range.isOverlapped()) {
            throw e;
          }
          LOG.info("{} bytes at {} of {} are written once more: {}", from.remaining(), position,
              PeerText.oneLine(path), PeerText.oneLine(String.valueOf(e.getMessage())));
        }
      }
    }
  }

  private void writeOnce(Map<Long, List<UnitWriter.Piece>> parts) throws IOException {
    WriterPlaces.Writer writer = places.take();
    boolean isDone = false;
    try {
      List<SharedTasks.Task> tasks = new ArrayList<>();
      long before = writer.count();
      parts.forEach((key, pieces) -> {
        UnitWriter unit = unit(key, writer.name, before);
        pieces.forEach(unit::add);
        writer.advance(before + pieces.size());
        tasks.add(() -> send(key, unit, pieces));
      });
      SharedTasks.run(tasks, context.helpers(), HELPERS_MOST);
      isDone = true;
    } finally {
      places.give(writer, isDone);
    }
  }

  private UnitWriter unit(long key, long writer, long count) {
    return new UnitWriter(context.calls, retry, groups.get(UnitKey.group(key)).id(),
        UnitKey.unit(key), writer, count);
  }

  private void send(long key, UnitWriter unit, List<UnitWriter.Piece> pieces)
      throws IOException {
    for (UnitWriter.Piece piece : pieces) {
      check();
      unit.send(piece);
      if (unsynced.add(key, piece.term(), piece.number())) {
        isSyncUrgent = true;
      }
    }
  }

  private void check() throws IOException {
    if (failure != null) {
      throw new IOException("Writes to " + path + " may be lost after a failure, and it takes no"
          + " more of them until it is opened anew: " + failure.getMessage(), failure);
    }
    if (context.isClosed()) {
      throw new IOException("The file system is closed");
    }
  }

  @Override
  public void sync() throws IOException {
    check();
    isSyncUrgent = false;
    Map<Long, Map<Long, Long>> covered = unsynced.copy();
    boolean isFirst = !isPastSynced;
    if (isFirst) {
      logs.units().forEach(key -> covered.putIfAbsent(key, Map.of()));
    }
    List<SharedTasks.Task> tasks = new ArrayList<>();
    covered.forEach((key, updates) -> tasks.add(() -> sync(key, updates)));
    SharedTasks.run(tasks, context.helpers(), HELPERS_MOST);
    isPastSynced |= isFirst;
  }

  private void sync(long key, Map<Long, Long> updates) throws IOException {
    try {
      unit(key, 0, 0).sync(updates);
    } catch (UpdatesInDoubtException e) {
      if (failure == null) {
        failure = e;
        LOG.error("Writes to {} may be lost, and it takes no more of them until it is opened"
            + " anew: {}", PeerText.oneLine(path),
            PeerText.oneLine(String.valueOf(e.getMessage())));
      }
      throw e;
    }
    unsynced.remove(key, updates);
  }

  @Override
  public boolean isDirty() {
    return !unsynced.isEmpty();
  }

  @Override
  public boolean isSyncUrgent() {
    return isSyncUrgent;
  }

  @Override
  public String toString() {
    return "shared updater of " + path;
  }

  /**
   * Finds the units of a file that have an update log. A unit gets one with the first write into
   * it.
   */
  static final class FileLogs {
    /**
     * How often the search is tried at most if commits replace the file's block groups meanwhile.
     */
    private static final int TRIES_MOST = 5;
    /** How many threads ask the NameNode at the same time at most, in addition to the caller's. */
    private static final int HELPERS_MOST = 7;

    private final UpdateContext context;
    private final String path;
    private final LogFileUpdater.GroupLook look;

    /**
     * @param path the file
     * @param look looks up its groups
     */
    FileLogs(UpdateContext context, String path, LogFileUpdater.GroupLook look) {
      this.context = context;
      this.path = path;
      this.look = look;
    }

    /** Returns the units that have an update log, as numbers of {@link UnitKey}. */
    Set<Long> units() throws IOException {
      for (int tries = 1; ; tries++) {
        try {
          return units(look.groups());
        } catch (GroupReplacedException e) {
          if (tries == TRIES_MOST) {
            throw e;
          }
        }
      }
    }

    private Set<Long> units(List<LocatedGroup> groups) throws IOException {
      LeaderRetry retry = context.retry(new UpdateTickets(context.nameNode, path, false,
          context.nanoClock));
      Collection<Long> found = new ConcurrentSkipListSet<>();
      List<SharedTasks.Task> tasks = new ArrayList<>();
      for (int i = 0; i < groups.size(); i++) {
        int index = i;
        tasks.add(() -> {
          LocatedGroup group = groups.get(index);
          long moment = retry.moment(group.id());
          for (int unit = 0; unit < group.dataUnits(); unit++) {
            // Because of the common moment, only the first of these calls asks the NameNode, which
            // answers for all units of the group.
            if (group.unitBytes(unit) > 0 && retry.ticket(group.id(), unit, moment).isPresent()) {
              found.add(UnitKey.of(index, unit));
            }
          }
        });
      }
      SharedTasks.run(tasks, context.helpers(), HELPERS_MOST);
      return new TreeSet<>(found);
    }
  }

  /**
   * The writers of a file. Leaders recognize a writer by a random number, and its updates by
   * consecutive numbers. Each writer serves one write at a time. The next write goes on with the
   * numbers of the one before. After a write has failed, its writer is not used again, because it
   * is not known which of its updates the logs have. Thread-safe.
   */
  static final class WriterPlaces {
    /** A writer. Used by one thread. */
    static final class Writer {
      final long name;
      private long count;

      private Writer(long name) {
        this.name = name;
      }

      /** Returns the number of the writer's last update. */
      long count() {
        return count;
      }

      /** Takes note that updates with numbers up to this one may have been sent. */
      void advance(long to) {
        count = Math.max(count, to);
      }
    }

    private final Semaphore places;
    private final LongSupplier names;
    /** The writers that no write uses at present. Guarded by itself. */
    private final Deque<Writer> idle = new ArrayDeque<>();

    /**
     * @param most how many writes are under way at most
     * @param names makes random numbers, by which leaders recognize writers
     */
    WriterPlaces(int most, LongSupplier names) {
      this.places = new Semaphore(most, true);
      this.names = names;
    }

    /**
     * Waits until fewer than the allowed writes are under way, and returns a writer. The caller
     * gives it back by {@link #give}. The wait is bounded, because each write ends in bounded time.
     */
    Writer take() throws InterruptedIOException {
      try {
        places.acquire();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("The caller does not wait for a write any more");
      }
      synchronized (idle) {
        return idle.isEmpty() ? new Writer(names.getAsLong()) : idle.pop();
      }
    }

    /**
     * @param isDone whether all updates of the writer were acknowledged, so that it can be used
     *     again
     */
    void give(Writer writer, boolean isDone) {
      if (isDone) {
        synchronized (idle) {
          idle.push(writer);
        }
      }
      places.release();
    }
  }

  /**
   * The ranges of a file into which writes are under way. They show whether two writes may have
   * changed the same bytes at the same time. Thread-safe.
   */
  static final class RangesUnderWay {
    /** A range of one write. */
    final class Range implements AutoCloseable {
      private final long from;
      private final long to;
      /** Guarded by the monitor of {@link RangesUnderWay}. */
      private boolean isOverlapped;

      private Range(long from, long to) {
        this.from = from;
        this.to = to;
      }

      /** Returns whether another write of some of these bytes was under way at the same time. */
      boolean isOverlapped() {
        synchronized (RangesUnderWay.this) {
          return isOverlapped;
        }
      }

      @Override
      public void close() {
        synchronized (RangesUnderWay.this) {
          ranges.remove(this);
        }
      }
    }

    /** One range for each write under way. Guarded by this. */
    private final List<Range> ranges = new ArrayList<>();

    /** Begins a write; the caller closes the range when the write has ended. */
    synchronized Range begin(long position, int length) {
      Range range = new Range(position, position + length);
      for (Range other : ranges) {
        if (other.from < range.to && range.from < other.to) {
          other.isOverlapped = true;
          range.isOverlapped = true;
        }
      }
      ranges.add(range);
      return range;
    }
  }

  /**
   * The acknowledged updates of one file that may not be on disks. For each unit and each term,
   * only the number of the last one is kept. Thread-safe.
   */
  static final class UnsyncedUpdates {
    /**
     * The number of the last update, by the unit's {@link UnitKey}, and then by term. Guarded by
     * this.
     */
    private final Map<Long, Map<Long, Long>> units = new HashMap<>();

    /**
     * Takes note of an update.
     *
     * @return whether the unit has unsynced updates of another term as well
     */
    synchronized boolean add(long unit, long term, long number) {
      Map<Long, Long> terms = units.computeIfAbsent(unit, any -> new TreeMap<>());
      terms.merge(term, number, Math::max);
      return terms.size() > 1;
    }

    synchronized boolean isEmpty() {
      return units.isEmpty();
    }

    /** Returns a copy: by unit and term, the number of the last update. */
    synchronized Map<Long, Map<Long, Long>> copy() {
      Map<Long, Map<Long, Long>> copy = new HashMap<>();
      units.forEach((unit, terms) -> copy.put(unit, new TreeMap<>(terms)));
      return copy;
    }

    /**
     * Removes the updates of a unit that a {@link #copy} has, because they are on disks now. Later
     * updates stay.
     */
    synchronized void remove(long unit, Map<Long, Long> synced) {
      Map<Long, Long> terms = units.getOrDefault(unit, Map.of());
      terms.entrySet().removeIf(one ->
          one.getValue() <= synced.getOrDefault(one.getKey(), Long.MIN_VALUE));
      if (terms.isEmpty()) {
        units.remove(unit);
      }
    }
  }

  /**
   * Cuts a write into parts, one for each unit. All cells of the write that are in a unit form one
   * part, because they are adjacent there.
   */
  static final class UnitParts {
    /** How many bytes one update has at most; a longer part becomes several updates. */
    private static final int PIECE_BYTES_MOST = 1 << 20;

    /** A range of a unit. */
    private static final class Part {
      private final long offset;
      private int length;
      private ByteBuffer data;

      Part(long offset) {
        this.offset = offset;
      }
    }

    /** Takes each piece of a write that lies within one cell. */
    private interface CellVisitor {
      void visit(long key, long offsetInUnit, int length);
    }

    private UnitParts() {
    }

    /**
     * @param groups the block groups of the file
     * @param position where in the file the write begins
     * @param from the bytes, from position to limit
     * @return the updates of each unit, by its {@link UnitKey}, in the order in which they have to
     *     be sent
     */
    static Map<Long, List<UnitWriter.Piece>> of(List<LocatedGroup> groups, long position,
        ByteBuffer from) {
      Map<Long, Part> parts = new LinkedHashMap<>();
      walk(groups, position, from.remaining(), (key, offset, length) ->
          parts.computeIfAbsent(key, any -> new Part(offset)).length += length);
      parts.values().forEach(part -> part.data = ByteBuffer.allocate(part.length));
      ByteBuffer source = from.duplicate();
      walk(groups, position, from.remaining(), (key, offset, length) -> {
        ByteBuffer cell = source.duplicate();
        cell.limit(cell.position() + length);
        parts.get(key).data.put(cell);
        source.position(source.position() + length);
      });
      from.position(from.limit());
      Map<Long, List<UnitWriter.Piece>> pieces = new LinkedHashMap<>();
      parts.forEach((key, part) -> pieces.put(key, pieces(part)));
      return pieces;
    }

    private static List<UnitWriter.Piece> pieces(Part part) {
      List<UnitWriter.Piece> pieces = new ArrayList<>();
      part.data.flip();
      while (part.data.hasRemaining()) {
        long offset = part.offset + part.data.position();
        byte[] data = new byte[Math.min(PIECE_BYTES_MOST, part.data.remaining())];
        part.data.get(data);
        pieces.add(new UnitWriter.Piece(offset, data));
      }
      return pieces;
    }

    private static void walk(List<LocatedGroup> groups, long position, int length,
        CellVisitor visitor) {
      int index = indexOf(groups, position);
      long at = position;
      for (int left = length; left > 0;) {
        LocatedGroup group = groups.get(index);
        long inGroup = at - group.start();
        if (inGroup >= group.bytes()) {
          index++;
          continue;
        }
        int cellBytes = group.cellBytes();
        long cell = inGroup / cellBytes;
        int inCell = (int) (inGroup % cellBytes);
        int part = (int) Math.min(Math.min(left, cellBytes - inCell), group.bytes() - inGroup);
        visitor.visit(UnitKey.of(index, (int) (cell % group.dataUnits())),
            cell / group.dataUnits() * cellBytes + inCell, part);
        at += part;
        left -= part;
      }
    }

    /** Returns the index of the last group that begins at or before a position of the file. */
    private static int indexOf(List<LocatedGroup> groups, long position) {
      int low = 0;
      int high = groups.size() - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (groups.get(middle).start() <= position) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }
  }
}
