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
package org.hdfsppr.datanode.replica;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.stream.UnitSource;

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
public final class ForwardedChanges implements Closeable {
  /** The most changes that are kept at a time. */
  static final int CHANGES_MAX = 1024;
  /** The most bytes of all changes that are kept at a time. */
  static final long BYTES_MAX = 4L << 30;

  /** A bit of generation stamps, which count from 1000 and never get that far. */
  private static final long NAME_BIT = 1L << 62;

  private final LongSupplier nanoClock;
  private final Map<String, Change> changes = new HashMap<>();
  private long bytes;
  private boolean isClosed;

  /** @param nanoClock a monotonic clock, nanoseconds */
  public ForwardedChanges(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Says that no more changes can be kept for the moment. */
  @InterfaceAudience.Private
  public static final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1L;

    NoRoomException(String message) {
      super(message);
    }
  }

  /** Bytes of a change that are written at once. Immutable. */
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
  @InterfaceAudience.Private
  public final class Change implements Closeable {
    private final String key;
    private final long length;
    private final long untilNanos;
    private final FileChannel file;
    private final NavigableMap<Long, Piece> pieces = new TreeMap<>();
    private long written;

    private Change(String key, long length, long untilNanos, FileChannel file) {
      this.key = key;
      this.length = length;
      this.untilNanos = untilNanos;
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
      take(size);
      CRC32C crc = new CRC32C();
      crc.update(data.duplicate());
      long inFile = written;
      written += size;
      for (long at = inFile; data.hasRemaining();) {
        at += file.write(data, at);
      }
      pieces.put(offset, new Piece(offset, size, inFile, (int) crc.getValue()));
    }

    /** Lets others read this change until its time has come, instead of an earlier one. */
    public void keep() {
      Change before;
      synchronized (ForwardedChanges.this) {
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
      if (file.isOpen()) {
        give(written);
        try {
          file.close();
        } catch (IOException e) {
          throw new IllegalStateException("A file without a name cannot be closed", e);
        }
      }
    }

    private void read(long offset, ByteBuffer into) throws IOException {
      int base = into.position();
      long end = offset + into.remaining();
      long missing = into.remaining();
      Long first = pieces.floorKey(offset);
      for (Piece piece : pieces.tailMap(first == null ? offset : first, true).values()) {
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

    private ByteBuffer read(Piece piece) throws IOException {
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
    return new BlockRef(block.poolId(), block.blockId(), block.generationStamp() | NAME_BIT,
        block.length());
  }

  private static String key(ExtendedBlock block) {
    return block.getBlockPoolId() + ":" + block.getBlockId() + "_" + block.getGenerationStamp();
  }

  /**
   * Begins to write a change.
   *
   * @param block the block of the data unit in the new version; others ask for its {@link #name}
   * @param directory the directory of the file, on a disk
   * @param keepMs how long the change is kept from now on, ms
   * @return the change; the caller closes it unless it is kept
   * @throws NoRoomException if too many are kept
   * @throws IOException if there is no file
   */
  public Change begin(BlockRef block, Path directory, long keepMs) throws IOException {
    long now = nanoClock.getAsLong();
    synchronized (this) {
      Iterator<Change> all = changes.values().iterator();
      while (all.hasNext()) {
        Change one = all.next();
        if (now - one.untilNanos >= 0) {
          all.remove();
          one.close();
        }
      }
      if (changes.size() >= CHANGES_MAX) {
        throw new NoRoomException(CHANGES_MAX + " changes of data units are kept already");
      }
    }
    FileChannel file = FileChannel.open(directory.resolve("ppr-change-" + UUID.randomUUID()),
        StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
    return new Change(key(name(block).toExtendedBlock()), block.length(),
        now + TimeUnit.MILLISECONDS.toNanos(keepMs), file);
  }

  private synchronized void take(long more) throws NoRoomException {
    if (bytes + more > BYTES_MAX) {
      throw new NoRoomException(bytes + " bytes of changes of data units are kept already");
    }
    bytes += more;
  }

  private synchronized void give(long less) {
    bytes -= less;
  }

  /**
   * Finds a change.
   *
   * @param name its {@link #name}
   * @return reads it; null if no change of this name is here, or if this names a replica
   */
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
  public synchronized void close() {
    isClosed = true;
    changes.values().forEach(Change::close);
    changes.clear();
  }
}
