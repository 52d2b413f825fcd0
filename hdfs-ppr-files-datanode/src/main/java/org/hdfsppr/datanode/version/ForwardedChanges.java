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
 * Changes of data units that commits have sent to this node once, and that the nodes of other
 * parity units of its rack read here. A change has the id of the block that the unit has in the new
 * version, and a generation stamp that no block has (see {@link #name}): the block itself may come
 * to this node meanwhile, and its readers must never get the change. Only what was written into a
 * change can be read. The bytes are in a file without a name, so that a process that ends leaves
 * none behind.
 *
 * <p>Thread-safe.
 */
@InterfaceAudience.Private
public final class ForwardedChanges implements LocalUnits, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ForwardedChanges.class);
  /** The most changes that are kept at a time. */
  static final int CHANGES_MAX = 1024;
  /** The most bytes of all changes that are kept at a time. */
  static final long BYTES_MAX = 4L << 30;
  /** The most pieces of all changes; each takes about 100 bytes of the heap. */
  static final int PIECES_MAX = 1 << 20;
  /** Bytes that follow each other become one piece up to this length. A read takes all of it. */
  private static final int JOINED_BYTES_MAX = 4 << 10;
  /** The time between two looks for changes whose time has come, ms. */
  private static final long LOOK_MS = 30_000;

  /** A bit of generation stamps, which count from 1000 and never get that far. */
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
   * Drops changes whose time has come, from now on, also if no other one is begun.
   *
   * @param timer runs this; its owner ends it
   * @param services shows whether changes are looked at
   */
  public void watch(ScheduledExecutorService timer, Services services) {
    ServiceSteps steps = services.open("ppr-forwarded-changes", e -> LOG.error(
        "Old changes of updates could not be dropped, and take memory until they are", e));
    timer.scheduleWithFixedDelay(steps.guarded(this::dropOld), LOOK_MS, LOOK_MS,
        TimeUnit.MILLISECONDS);
  }

  /** Says that no more changes can be kept for the moment. */
  public static final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1L;

    NoRoomException(String message) {
      super(message);
    }
  }

  /** Bytes of a change that follow each other. Immutable. */
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
   * The change of one data unit. One thread writes all of it; after {@link #keep} others read it.
   */
  public final class Change implements Closeable {
    private final String key;
    private final long length;
    private final FileChannel file;
    private final NavigableMap<Long, Piece> pieces = new TreeMap<>();
    private long written;
    /** The piece that was written last, and its checksum so far. */
    private Piece last;
    private CRC32C lastCrc;
    /** Guarded by the lock of all changes, as is the next one. */
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
     * @param offset where they are in the unit; no piece has them yet
     * @param data has them from its position to its limit
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
     * Lets others read this change, instead of an earlier one.
     *
     * @param keepMs how long it is kept from now on, ms
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
        // The file may be closed already: it is when a thread that reads it is interrupted.
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
        // The parity unit would be wrong with zeros instead.
        throw new IOException(missing + " bytes from " + offset + " on are not among those of the"
            + " change of " + key);
      }
      into.position(into.limit());
    }

    /** Returns the pieces from the one on that has this byte, or comes before it. */
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
        // The NameNode has it collected once more, which a broken one must not prevent.
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
   * @param block the block of the data unit in the new version; others ask for its {@link #name}
   * @param directory the directory of the file, on a disk
   * @return the change; the caller closes it unless it is kept
   * @throws NoRoomException if too many are kept
   * @throws IOException if there is no file
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
   * Keeps a change for longer that is here already. It is not replaced then: others may be reading
   * it, and old and new version of a data unit always make the same change.
   *
   * @param block the block of the data unit in the new version
   * @param ranges the first byte of each range that the change must have, and the byte after its
   *     last one
   * @param keepMs how long it is kept from now on, ms
   * @return whether a change with all of these bytes is here
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

  /** Drops the changes whose time has come. */
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
        // Others read the change as well.
      }
    };
  }

  /** @return bytes of all changes */
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
