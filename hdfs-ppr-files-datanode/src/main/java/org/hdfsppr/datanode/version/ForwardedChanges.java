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
package org.hdfsppr.datanode.version;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hdfsppr.datanode.host.LocalUnits;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.service.ServiceSteps;
import org.hdfsppr.service.Services;
import org.hdfsppr.stream.UnitSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps changes of data units for a commit. Each crosses into this rack once, to this node, and the
 * nodes of other parity units of the rack read it here. A change has the id of the block that the
 * unit has in the new version, and a generation stamp that no block has (see {@link #name}). The
 * block itself may come to this node meanwhile, and with a name of its own the change is never
 * given to readers of the block. Only bytes that were written into a change can be read. They are
 * in a file without a name, which vanishes when the process ends.
 *
 * <p>Thread-safe.
 */
@InterfaceAudience.Private
public final class ForwardedChanges implements LocalUnits, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ForwardedChanges.class);
  /** How many changes are kept at a time at most. */
  static final int CHANGES_MAX = 1024;
  /** How many bytes all kept changes have together at most. */
  static final long BYTES_MAX = 4L << 30;
  /** How many pieces all changes have together at most; each takes about 100 bytes of the heap. */
  static final int PIECES_MAX = 1 << 20;
  /**
   * Up to this length, adjacent bytes become one piece. A longer piece would make reads slower,
   * because each reads a whole piece to verify its checksum.
   */
  private static final int JOINED_BYTES_MAX = 4 << 10;
  /** How often this class looks for changes that need not be kept any longer, ms. */
  private static final long LOOK_MS = 30_000;

  /**
   * A bit that no block's generation stamp has: HDFS counts generation stamps from 1000, and never
   * gets that far.
   */
  private static final long NAME_BIT = 1L << 62;

  private final LongSupplier nanoClock;
  private final Map<String, Change> changes = new HashMap<>();
  private long bytes;
  private int pieceCount;
  private boolean isClosed;

  /** @param nanoClock a monotonic clock, nanoseconds */
  public ForwardedChanges(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Makes a timer drop changes that need not be kept any longer. Without it, they would be dropped
   * only when another change begins.
   *
   * @param timer the timer, which its owner ends
   * @param services the metrics that show whether this service still runs
   */
  public void watch(ScheduledExecutorService timer, Services services) {
    ServiceSteps steps = services.open("ppr-forwarded-changes", e -> LOG.error(
        "Old changes of updates could not be dropped, and take memory until they are", e));
    timer.scheduleWithFixedDelay(steps.guarded(this::dropOld), LOOK_MS, LOOK_MS,
        TimeUnit.MILLISECONDS);
  }

  /** There is no room for another change at the moment. The NameNode may order it again later. */
  public static final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1L;

    NoRoomException(String message) {
      super(message);
    }
  }

  /** Adjacent bytes of a change. Immutable. */
  private static final class Piece {
    private final long from;
    private final int length;
    private final long inFile;
    private final int crc;

    Piece(long from, int length, long inFile, int crc) {
      this.from = from;
      this.length = length;
      this.inFile = inFile;
      this.crc = crc;
    }
  }

  /**
   * The change of one data unit. One thread writes all of it and calls {@link #keep}. After that,
   * any thread may read it.
   */
  public final class Change implements Closeable {
    private final String key;
    private final long length;
    private final FileChannel file;
    private final NavigableMap<Long, Piece> pieces = new TreeMap<>();
    private long written;
    /**
     * The piece that was written last; it grows while adjacent bytes follow. {@link #lastCrc} is
     * its checksum so far.
     */
    private Piece last;
    private CRC32C lastCrc;
    /**
     * Until when the change is kept, ns. This and {@link #isDropped} are guarded by the monitor of
     * {@link ForwardedChanges}.
     */
    private long untilNanos;
    private boolean isDropped;

    private Change(String key, long length, FileChannel file) {
      this.key = key;
      this.length = length;
      this.file = file;
    }

    /**
     * Adds bytes that have changed.
     *
     * @param offset where in the unit the bytes are; none of them was written before
     * @param data the bytes, from position to limit
     * @throws NoRoomException if there is no room for them
     * @throws IOException if the file cannot be written
     */
    public void write(long offset, ByteBuffer data) throws IOException {
      int size = data.remaining();
      boolean isNext = last != null && last.from + last.length == offset
          && last.length + size <= JOINED_BYTES_MAX;
      take(size, isNext ? 0 : 1);
      if (!isNext) {
        last = new Piece(offset, 0, written, 0);
        lastCrc = new CRC32C();
      }
      lastCrc.update(data.duplicate());
      long at = written;
      written += size;
      last = new Piece(last.from, last.length + size, last.inFile, (int) lastCrc.getValue());
      pieces.put(last.from, last);
      while (data.hasRemaining()) {
        at += file.write(data, at);
      }
    }

    /**
     * Lets other nodes read this change. If there is an earlier change of the same unit, this one
     * replaces it.
     *
     * @param keepMs how long to keep the change from now on, ms
     */
    public void keep(long keepMs) {
      Change before;
      synchronized (ForwardedChanges.this) {
        untilNanos = until(keepMs);
        before = isClosed ? this : changes.put(key, this);
      }
      if (before != null) {
        before.close();
      }
    }

    /** Drops the change unless {@link #keep} has been called. */
    public void closeUnlessKept() {
      boolean isKept;
      synchronized (ForwardedChanges.this) {
        isKept = changes.get(key) == this;
      }
      if (!isKept) {
        close();
      }
    }

    @Override
    public void close() {
      synchronized (ForwardedChanges.this) {
        if (isDropped) {
          return;
        }
        // This flag is needed because an open file would not tell: an interrupt of a thread that
        // reads the file closes it.
        isDropped = true;
        changes.remove(key, this);
        give(written, pieces.size());
      }
      try {
        file.close();
      } catch (IOException e) {
        LOG.warn("The file of the change of {} cannot be closed", key, e);
      }
    }

    private void read(long offset, ByteBuffer into) throws IOException {
      int base = into.position();
      long end = offset + into.remaining();
      long missing = into.remaining();
      for (Piece piece : from(offset)) {
        long from = Math.max(offset, piece.from);
        long to = Math.min(end, piece.from + piece.length);
        if (piece.from >= end) {
          break;
        }
        if (from < to) {
          ByteBuffer data = read(piece);
          data.position((int) (from - piece.from)).limit((int) (to - piece.from));
          ByteBuffer at = into.duplicate();
          at.position(base + (int) (from - offset));
          at.put(data);
          missing -= to - from;
        }
      }
      if (missing > 0) {
        // Zeros in their place would make the parity unit wrong, so the read fails.
        throw new IOException(missing + " bytes from " + offset + " on are not among those of the"
            + " change of " + key);
      }
      into.position(into.limit());
    }

    /**
     * Returns, in ascending order, the pieces that begin after an offset, and before them the last
     * one that begins at or before it.
     */
    private Collection<Piece> from(long offset) {
      Long first = pieces.floorKey(offset);
      return pieces.tailMap(first == null ? offset : first, true).values();
    }

    private boolean has(long offset, long end) {
      long at = offset;
      for (Piece piece : from(offset)) {
        if (at >= end || piece.from > at) {
          break;
        }
        at = Math.max(at, piece.from + piece.length);
      }
      return at >= end;
    }

    private ByteBuffer read(Piece piece) throws IOException {
      try {
        return readChecked(piece);
      } catch (IOException e) {
        // The NameNode orders the change again. As long as this broken one is here, renew
        // would find it and keep it.
        close();
        throw e;
      }
    }

    private ByteBuffer readChecked(Piece piece) throws IOException {
      ByteBuffer data = ByteBuffer.allocate(piece.length);
      while (data.hasRemaining()) {
        if (file.read(data, piece.inFile + data.position()) < 0) {
          throw new EOFException("The change of " + key + " ends early");
        }
      }
      data.flip();
      CRC32C crc = new CRC32C();
      crc.update(data.duplicate());
      if ((int) crc.getValue() != piece.crc) {
        throw new ChecksumException("The change of " + key + " is not what was written",
            piece.from);
      }
      return data;
    }
  }

  /**
   * Returns the name by which other nodes read the change of a data unit.
   *
   * @param block the block of the data unit in the new version
   * @return a name that no replica has
   */
  public static BlockRef name(BlockRef block) {
    return new BlockRef(block.poolId, block.blockId, block.generationStamp | NAME_BIT,
        block.length);
  }

  private static String key(ExtendedBlock block) {
    return block.getBlockPoolId() + ":" + block.getBlockId() + "_" + block.getGenerationStamp();
  }

  /**
   * Begins to write a change.
   *
   * @param block the block of the data unit in the new version; other nodes ask for its
   *     {@link #name}
   * @param directory the directory in which the change's file is made, on a disk
   * @return the change; the caller calls {@link Change#closeUnlessKept} in the end
   * @throws NoRoomException if {@link #CHANGES_MAX} changes are kept already
   * @throws IOException if the file cannot be made
   */
  public Change begin(BlockRef block, Path directory) throws IOException {
    dropOld();
    synchronized (this) {
      if (changes.size() >= CHANGES_MAX) {
        throw new NoRoomException(CHANGES_MAX + " changes of data units are kept already");
      }
    }
    FileChannel file = FileChannel.open(directory.resolve("ppr-change-" + UUID.randomUUID()),
        StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
    return new Change(key(name(block).toExtendedBlock()), block.length, file);
  }

  /**
   * If a change is here already, keeps it for longer. The caller then need not write it again: the
   * old and the new version of a data unit always give the same change. Other nodes may be reading
   * it.
   *
   * @param block the block of the data unit in the new version
   * @param ranges the first byte of each range that the change must have, and the byte after its
   *     last one
   * @param keepMs how long to keep the change from now on, ms
   * @return whether a change with all bytes of these ranges is here
   */
  public synchronized boolean renew(BlockRef block, Map<Long, Long> ranges, long keepMs) {
    Change change = changes.get(key(name(block).toExtendedBlock()));
    if (change == null || !change.file.isOpen() || !ranges.entrySet().stream()
        .allMatch(range -> change.has(range.getKey(), range.getValue()))) {
      return false;
    }
    change.untilNanos = until(keepMs);
    return true;
  }

  private long until(long keepMs) {
    return nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(keepMs);
  }

  /** Drops the changes that need not be kept any longer. */
  private void dropOld() {
    long now = nanoClock.getAsLong();
    List<Change> old = new ArrayList<>();
    synchronized (this) {
      for (Change change : changes.values()) {
        if (now - change.untilNanos >= 0) {
          old.add(change);
        }
      }
    }
    old.forEach(Change::close);
  }

  private synchronized void take(long more, int morePieces) throws NoRoomException {
    if (bytes + more > BYTES_MAX || pieceCount + morePieces > PIECES_MAX) {
      throw new NoRoomException(bytes + " bytes of changes of data units are kept already, in "
          + pieceCount + " pieces");
    }
    bytes += more;
    pieceCount += morePieces;
  }

  private synchronized void give(long less, int lessPieces) {
    bytes -= less;
    pieceCount -= lessPieces;
  }

  /** Finds a change by its {@link #name}. */
  @Override
  public synchronized UnitSource open(ExtendedBlock name) {
    Change change = changes.get(key(name));
    if (change == null) {
      return null;
    }
    return new UnitSource() {
      @Override
      public long length() {
        return change.length;
      }

      @Override
      public void read(long offset, ByteBuffer into) throws IOException {
        change.read(offset, into);
      }

      @Override
      public void close() {
        // The change stays open, because other nodes read it as well.
      }
    };
  }

  /** @return how many bytes all changes have together */
  public synchronized long bytes() {
    return bytes;
  }

  /** Drops all changes, and keeps no further one. */
  @Override
  public void close() {
    List<Change> all;
    synchronized (this) {
      isClosed = true;
      all = new ArrayList<>(changes.values());
    }
    all.forEach(Change::close);
  }
}
