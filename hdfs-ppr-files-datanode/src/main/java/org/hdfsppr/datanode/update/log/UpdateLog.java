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

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.LogSpace;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UnitId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The update log of a DataNode for one block pool. It appends records to its last segment, and
 * knows the history of each unit. When it is opened, it reads all segments, see
 * {@link LogOpening.SegmentScan}. {@link LogFormat} says what the bytes mean, {@link LogBook} which
 * record may follow which.
 *
 * <p>The log frees space by whole segments, the oldest first. So it never drops a trim record
 * before the updates that this record trims. Thread-safe.
 */
@InterfaceAudience.Private
public final class UpdateLog implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateLog.class);
  private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);

  private final LogFolder folder;
  private final LogLimits limits;
  private final GroupCommit commits;
  /** Guarded by this. */
  private final LogSegments segments;
  private final LogBook book;
  private final LogRoom room;
  /** The bytes that were written since the log was opened. Guarded by this. */
  private long written;

  private UpdateLog(LogFolder folder, LogLimits limits, LongSupplier nanoClock,
      LogSegments segments, LogBook book) {
    this.folder = folder;
    this.limits = limits;
    this.segments = segments;
    this.book = book;
    this.room = new LogRoom(limits, segments, book);
    this.commits = new GroupCommit(this::syncLast, nanoClock);
  }

  /**
   * Opens a log, and makes it if the folder is empty.
   *
   * @param folder the folder; the log closes it
   * @param limits how much the log may hold
   * @param boot identifies the machine's last boot, see {@link MachineBoot}
   * @param random makes random numbers for the headers of segments
   * @param nanoClock a monotonic clock, ns
   * @return the log
   * @throws CorruptLogException if bytes are not those that were written; no file has changed then
   * @throws IOException if the disk fails
   */
  static UpdateLog open(LogFolder folder, LogLimits limits, long boot, LongSupplier random,
      LongSupplier nanoClock) throws IOException {
    LogBook book = new LogBook();
    LogOpening opening = new LogOpening(folder, boot, book);
    boolean done = false;
    try {
      opening.read();
      opening.repair();
      LogSegments segments = new LogSegments(folder, boot, random, opening.segments);
      segments.start(opening.nextNumber(), book.floor());
      done = true;
      return new UpdateLog(folder, limits, nanoClock, segments, book);
    } finally {
      if (!done) {
        opening.close();
      }
    }
  }

  /**
   * Begins a term.
   *
   * @param unit the unit
   * @param term the term, later than any that the log knows
   * @param after the number of the update after which this log goes on with the history
   * @param base the number of the last update that the leader's history has when the term begins;
   *     until this log has that update, {@link UnitState#isComplete} is false
   * @param anew whether the log drops its earlier updates of the unit
   * @throws RecordRefusedException if the log knows this term or a later one, or if {@code anew} is
   *     false and {@code after} is not the number of its last update
   * @throws LogFullException if the log has no room
   * @throws IOException if the disk fails
   */
  public synchronized void begin(UnitId unit, long term, long after, long base, boolean anew)
      throws IOException {
    take(RecordHeader.begin(anew, unit, term, base, after), NO_DATA, false);
    book.unit(unit).bases.begin(term, base, anew);
  }

  /**
   * Appends an update on the node that leads the unit. When this method returns, the update is
   * written, but a loss of power may still remove it; {@link #sync} waits until it is on the disk.
   *
   * @param unit the unit
   * @param term the term, which has begun in this log
   * @param epoch the commit to which the update belongs; if the log knows that this commit is over,
   *     it uses a later one
   * @param offset where the data belong in the unit
   * @param data the data, from position to limit; at least one byte
   * @param origin the writer, and the number that the writer has given the update
   * @return the entry, with the next number in the history
   * @throws RecordRefusedException if a term other than {@code term} is the latest one of the unit,
   *     or if none has begun
   * @throws LogFullException if the log has no room
   * @throws IOException if the disk fails
   */
  public synchronized LogEntry append(UnitId unit, long term, long epoch, long offset,
      ByteBuffer data, Origin origin) throws IOException {
    UnitLog known = book.unit(unit);
    long sequence = known == null ? 1 : known.last() + 1;
    long base = known == null ? 0 : known.base();
    long least = known == null ? epoch : book.epochLeast(known);
    return take(new RecordHeader(RecordKind.UPDATE, unit, term, base, new NumberedUpdate(
        sequence, Math.max(epoch, least), offset, data.remaining(), origin)), data, false);
  }

  /** Appends an update without an origin. */
  LogEntry append(UnitId unit, long term, long epoch, long offset, ByteBuffer data)
      throws IOException {
    return append(unit, term, epoch, offset, data, Origin.NONE);
  }

  /**
   * Appends an update on a node that follows the leader of the unit. The leader has numbered the
   * update.
   *
   * @param unit the unit
   * @param term the term, which has begun
   * @param update the update; its number must be one more than that of the last one
   * @param data the data, from position to limit; at least one byte
   * @return the entry
   * @throws RecordRefusedException if the update has another number, or another term than the unit,
   *     or if its commit is over
   * @throws LogFullException if the log has no room
   * @throws IOException if the disk fails
   */
  public synchronized LogEntry copy(UnitId unit, long term, NumberedUpdate update, ByteBuffer data)
      throws IOException {
    UnitLog known = book.unit(unit);
    return take(new RecordHeader(update.isDelta ? RecordKind.DELTA : RecordKind.UPDATE,
        unit, term, known == null ? 0 : known.base(), new NumberedUpdate(update.sequence,
            update.epoch, update.offset, data.remaining(), update.origin)), data, true);
  }

  /**
   * Finds out whether the history has an update that its writer may have sent before.
   *
   * @param unit the unit
   * @param origin the writer, and the number that the writer has given the update
   * @param since the term in which the writer first sent the update
   * @return whether the history has the update, does not have it, or may have had it
   */
  public synchronized KnownUpdate find(UnitId unit, Origin origin, long since) {
    return book.find(unit, origin, since);
  }

  private LogEntry take(RecordHeader record, ByteBuffer data, boolean isFollowed)
      throws IOException {
    commits.check();
    String flaw = record.flaw();
    if (flaw != null) {
      throw new IllegalArgumentException("The update log takes no record of " + flaw);
    }
    book.check(record, false);
    room.check(record, isFollowed);
    return write(record, data);
  }

  private LogEntry write(RecordHeader record, ByteBuffer data) throws IOException {
    LogSegment last = segments.last();
    if (!last.isEmpty()
        && last.length() + LogFormat.recordBytes(record.length) > limits.segmentBytes) {
      endSegment(last);
      // If there are too many units for marks, this may forget the unit of the record, because it
      // has no live update. The record then makes the unit known again, now and when the log is
      // opened.
      dropOldest();
      last = segments.last();
    }
    long position = last.length();
    try {
      last.append(record, data);
    } catch (IOException e) {
      cutOff(last, e);
      throw new UpdateLogException("The update log in " + folder + " could not be written: "
          + e.getMessage(), e);
    }
    long length = last.length() - position;
    segments.wrote(length);
    written += length;
    return book.apply(record, last, position);
  }

  /** Removes the bytes of a failed write, so that the next record does not come after them. */
  private void cutOff(LogSegment last, IOException e) {
    try {
      last.cutOff();
    } catch (IOException again) {
      e.addSuppressed(again);
      commits.fail("The disk of the update log failed in a write that could not be undone", e);
    }
  }

  /**
   * Syncs the last segment and makes the next one. The sync comes first, so that after a loss of
   * power only the last segment can lack records.
   */
  private void endSegment(LogSegment last) throws IOException {
    try {
      last.sync();
      last.synced(last.length());
      commits.reached(written);
      segments.start(last.number() + 1, book.floor());
    } catch (IOException e) {
      commits.fail("The disk of the update log failed when a segment ended", e);
      commits.check();
    }
  }

  /**
   * Waits until all that was written before this call is on the disk. Threads that wait at the same
   * time share one sync.
   *
   * @param timeoutMs how long to wait at most for the syncs of other threads, ms
   * @throws LogFailedException if a sync has failed; the log has to be opened anew
   * @throws IOException if the time is up, or the thread is interrupted; the updates may still get
   *     onto the disk
   */
  public void sync(long timeoutMs) throws IOException {
    long target;
    synchronized (this) {
      target = written;
    }
    commits.await(target, timeoutMs);
  }

  /**
   * Syncs the last segment; the ones before it are on the disk already. Returns how many bytes were
   * written to the log before this sync.
   */
  private long syncLast() throws IOException {
    LogSegment last;
    long length;
    long target;
    synchronized (this) {
      commits.check();
      last = segments.last();
      last.use();
      length = last.length();
      target = written;
    }
    try {
      last.sync();
    } finally {
      last.release();
    }
    synchronized (this) {
      last.synced(length);
    }
    return target;
  }

  /**
   * Makes the updates of a unit up to a number visible to readers. A leader calls this when all
   * holders have these updates.
   *
   * @param unit the unit
   * @param sequence the number of an update
   */
  public synchronized void show(UnitId unit, long sequence) {
    UnitLog known = book.unit(unit);
    if (known != null) {
      known.show(sequence);
    }
  }

  /**
   * Overwrites bytes of a block with those that updates have written, as far as readers may see
   * these updates.
   *
   * @param unit the unit
   * @param offset where in the unit the buffer begins
   * @param block bytes of the block, from position to limit; the position does not move
   * @throws CorruptLogException if the log has wrong bytes; the content of the buffer is then
   *     undefined
   * @throws IOException if the disk fails, or if some of the updates are deltas
   */
  public void overlay(UnitId unit, long offset, ByteBuffer block) throws IOException {
    try (OverlayRead read = shown(unit, offset, block.remaining(), OptionalLong.empty())) {
      read.read(offset, block);
    }
  }

  /**
   * Collects the bytes that updates have written in a range, as far as readers may see these
   * updates.
   *
   * @param unit the unit
   * @param offset where in the unit the range begins
   * @param length bytes of the range
   * @param committed the last commit that is in the version to which the reader adds deltas
   * @return the written bytes, and which of them are deltas
   * @throws IOException if the log cannot give the right bytes
   */
  public LogView view(UnitId unit, long offset, int length, long committed) throws IOException {
    byte[] buffer = new byte[length];
    try (OverlayRead read = shown(unit, offset, length, OptionalLong.of(committed))) {
      return read.view(offset, buffer);
    }
  }

  /**
   * Returns an object that reads the updates in a range that readers may see at this moment. If
   * {@code committed} is empty, the unit must have no deltas.
   */
  private synchronized OverlayRead shown(UnitId unit, long offset, int length,
      OptionalLong committed) throws IOException {
    commits.check();
    UnitLog known = book.unit(unit);
    if (known == null || !known.hasDeltas()) {
      return new OverlayRead(known == null ? Collections.emptyList()
          : known.overlay.within(offset, length));
    }
    return new OverlayRead(known.layers().over(committed.orElseThrow(() -> new UpdateLogException(
        unit + ": the log has deltas, and not what updates write")), offset, length), true);
  }

  /**
   * Returns how far the log has the history of a unit.
   *
   * @param unit the unit
   * @return the state; empty if the log does not know the unit, in which case only a term later
   *     than {@link #floor} can begin
   */
  public synchronized Optional<UnitState> state(UnitId unit) {
    UnitLog known = book.unit(unit);
    return known == null ? Optional.empty()
        : Optional.of(new UnitState(known, book.epochLeast(known)));
  }

  /**
   * @param file a file
   * @return the last commit whose updates this log has dropped; 0 if the log knows none
   */
  public synchronized long trimmed(UUID file) {
    return book.trimmed(file);
  }

  /** @return the greatest of the terms of all units that the log has forgotten */
  public synchronized long floor() {
    return book.floor();
  }

  /**
   * Lists updates of a unit, in the order of their numbers.
   *
   * @param unit the unit
   * @param after a number; the list begins with the first update that has a larger number
   * @param most how many updates to return at most
   * @return the updates; empty if there are none
   */
  public synchronized List<LogEntry> entries(UnitId unit, long after, int most) {
    UnitLog known = book.unit(unit);
    return known == null ? Collections.emptyList() : known.after(after, most);
  }

  /**
   * Reads a part of the data of an update.
   *
   * @param entry an entry of this log
   * @param from where in the update's data the part begins, bytes
   * @param into takes the part, which is as long as this buffer has bytes left
   * @throws CorruptLogException if the bytes are not those that were written
   * @throws IOException if a trim has dropped the update meanwhile, or the disk fails
   */
  public void read(LogEntry entry, int from, ByteBuffer into) throws IOException {
    commits.check();
    if (!entry.segment.use()) {
      throw new UpdateLogException(entry.unit + ": update " + entry.sequence
          + " has been trimmed");
    }
    try {
      entry.read(from, into);
    } finally {
      entry.segment.release();
    }
  }

  /**
   * @param entry an entry of this log
   * @return all its data
   * @throws IOException as {@link #read(LogEntry, int, ByteBuffer)}
   */
  public byte[] read(LogEntry entry) throws IOException {
    byte[] data = new byte[entry.length];
    read(entry, 0, ByteBuffer.wrap(data));
    return data;
  }

  /**
   * Drops the updates of a file that the file's version has now. From now on the log refuses
   * updates for these commits. Each trim record drops at least one update, and is not longer than
   * that. So even a full log takes trim records, and never has more than twice the bytes of its
   * limit.
   *
   * @param file the file
   * @param epoch the last commit that is in the version; {@link TrimRequest#ALL} if the file was
   *     deleted, in which case the log forgets its units
   * @throws IOException if the disk fails
   */
  public synchronized void trim(UUID file, long epoch) throws IOException {
    commits.check();
    RecordHeader record = RecordHeader.trim(file, epoch);
    if (record.flaw() != null) {
      throw new IllegalArgumentException("The update log takes no record of " + record.flaw());
    }
    if (!book.hasTo(file, epoch)) {
      book.committed(file, epoch);
      return;
    }
    write(record, NO_DATA);
    dropOldest();
  }

  /**
   * Drops the oldest segments, before the first one with a live update, which is one that no trim
   * has dropped.
   */
  private void dropOldest() throws IOException {
    OptionalLong until = segments.droppable();
    if (!until.isPresent()) {
      return;
    }
    try {
      for (UnitLog unit : book.toMark(until.getAsLong(), limits.marksMost())) {
        // If a mark has filled a segment, write has called this method again, which has
        // written the other marks already.
        if (unit.newest() <= until.getAsLong()) {
          write(unit.toMark(), NO_DATA);
        }
      }
      write(RecordHeader.floor(book.floorWithout(until.getAsLong()), until.getAsLong() + 1),
          NO_DATA);
      LogSegment last = segments.last();
      last.sync();
      last.synced(last.length());
      commits.reached(written);
      book.forget(until.getAsLong());
      segments.drop(until.getAsLong());
    } catch (IOException e) {
      commits.fail("The disk of the update log failed when a segment was dropped", e);
      commits.check();
    }
  }

  /** @return how much room there is for new updates of units that this node leads */
  public synchronized LogSpace room() {
    return room.forUpdates();
  }

  /** @return the bytes of all segments */
  public synchronized long bytes() {
    return segments.bytes();
  }

  synchronized int segments() {
    return segments.count();
  }

  /**
   * Closes the log. Written records survive the end of the process, but only synced records survive
   * a loss of power, see {@link #sync}.
   */
  @Override
  public void close() throws IOException {
    commits.fail("The update log is closed", null);
    try {
      synchronized (this) {
        segments.close();
      }
    } finally {
      folder.close();
    }
    LOG.debug("Closed the update log in {}", folder);
  }

  /** Decides whether a log has room for a record. Guarded by the log's lock. */
  static final class LogRoom {
    /**
     * How much an update adds at most to the count of records: the first update of a file adds
     * itself, its unit and its file.
     */
    private static final int RECORDS_OF_ONE = 3;

    private final LogLimits limits;
    private final LogSegments segments;
    private final LogBook book;

    LogRoom(LogLimits limits, LogSegments segments, LogBook book) {
      this.limits = limits;
      this.segments = segments;
      this.book = book;
    }

    /**
     * @param isFollowed whether the record comes from a leader on another node, whose log already
     *     has it
     * @throws LogFullException if the log has no room; it names the file whose commit makes room
     */
    void check(RecordHeader record, boolean isFollowed) throws LogFullException {
      boolean isUpdate = record.kind.isUpdate();
      boolean isOfHistory = isUpdate && record.sequence <= record.base;
      long bytesMost = !isUpdate ? limits.bytesMost : isOfHistory ? limits.historyBytesMost()
          : isFollowed ? limits.followBytesMost() : limits.updateBytesMost();
      int recordsMost = !isUpdate ? limits.recordsMost : isOfHistory ? limits.historyRecordsMost()
          : isFollowed ? limits.followRecordsMost() : limits.updateRecordsMost();
      long bytes = segments.bytes();
      if (bytes + LogLimits.need(record.length).bytes > bytesMost) {
        throw full("it has " + bytes + " of " + bytesMost + " bytes");
      }
      if (book.records() + RECORDS_OF_ONE > recordsMost) {
        throw full("it has " + book.records() + " of " + recordsMost + " records");
      }
    }

    /**
     * Returns how much room there is for new updates of units that this node leads, which no log
     * has yet.
     */
    LogSpace forUpdates() {
      return new LogSpace(Math.max(0, limits.updateBytesMost() - segments.bytes()),
          Math.max(0, limits.updateRecordsMost() - book.records() - (RECORDS_OF_ONE - 1)));
    }

    private LogFullException full(String what) {
      return new LogFullException(what, segments.oldestLive());
    }
  }

  /**
   * Reads the bytes that updates have written in a range. The segments with these updates stay open
   * until {@link #close}, even if a trim drops them. Made under the log's lock, and then used by
   * one thread without it.
   */
  static final class OverlayRead implements Closeable {
    /** How many bytes of a delta are read at a time. */
    private static final int PART_BYTES = 64 << 10;

    private final List<RangeOverlay.Piece> pieces;
    private final boolean isLayered;
    private final Set<LogSegment> used = new HashSet<>();

    /**
     * @param pieces which update has written each byte of the range last, as pieces in ascending
     *     order
     */
    OverlayRead(List<RangeOverlay.Piece> pieces) {
      this(pieces, false);
    }

    /**
     * @param pieces the pieces to apply to the range, in this order
     * @param isLayered whether pieces may be deltas and may overlap
     */
    OverlayRead(List<RangeOverlay.Piece> pieces, boolean isLayered) {
      this.isLayered = isLayered;
      this.pieces = pieces;
      for (RangeOverlay.Piece piece : pieces) {
        if (!used.contains(piece.entry.segment) && piece.entry.segment.use()) {
          used.add(piece.entry.segment);
        }
      }
    }

    /**
     * Overwrites the bytes of a buffer that updates have written. Only if there are no deltas.
     *
     * @param offset the offset in the unit of the buffer's position
     */
    void read(long offset, ByteBuffer block) throws IOException {
      for (RangeOverlay.Piece piece : pieces) {
        ByteBuffer part = block.duplicate();
        part.position(block.position() + (int) (piece.offset - offset));
        part.limit(part.position() + piece.length);
        piece.entry.read((int) (piece.offset - piece.entry.offset), part);
      }
    }

    /**
     * Reads the bytes into a buffer.
     *
     * @param offset the offset in the unit of the buffer, which is all zeros
     * @return the bytes, and which of them are written and which are deltas
     */
    LogView view(long offset, byte[] buffer) throws IOException {
      if (isLayered) {
        return readLayers(offset, buffer);
      }
      read(offset, ByteBuffer.wrap(buffer));
      return LogView.of(pieces, offset, buffer);
    }

    /**
     * Applies the pieces to a buffer one after the other: updates replace bytes, deltas are added
     * by XOR.
     */
    private LogView readLayers(long offset, byte[] buffer) throws IOException {
      BitSet written = new BitSet(buffer.length);
      BitSet deltas = new BitSet(buffer.length);
      for (RangeOverlay.Piece piece : pieces) {
        int at = (int) (piece.offset - offset);
        int from = (int) (piece.offset - piece.entry.offset);
        if (!piece.entry.isDelta) {
          piece.entry.read(from, ByteBuffer.wrap(buffer, at, piece.length));
          deltas.clear(at, at + piece.length);
        } else {
          add(piece, from, buffer, at);
          // A delta that is added to bytes which an update has written gives the bytes of the unit.
          // Where no update has written, the result is still a delta to the version.
          for (int i = written.nextClearBit(at); i < at + piece.length;
              i = written.nextClearBit(i + 1)) {
            deltas.set(i);
          }
        }
        written.set(at, at + piece.length);
      }
      return LogView.of(written, deltas, offset, buffer);
    }

    private static void add(RangeOverlay.Piece piece, int from, byte[] buffer, int at)
        throws IOException {
      byte[] part = new byte[Math.min(PART_BYTES, piece.length)];
      for (int done = 0; done < piece.length; done += part.length) {
        int length = Math.min(part.length, piece.length - done);
        piece.entry.read(from + done, ByteBuffer.wrap(part, 0, length));
        for (int i = 0; i < length; i++) {
          buffer[at + done + i] ^= part[i];
        }
      }
    }

    @Override
    public void close() throws IOException {
      LogSegments.release(used);
    }
  }
}
