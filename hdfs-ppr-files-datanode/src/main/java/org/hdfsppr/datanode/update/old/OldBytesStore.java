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
package org.hdfsppr.datanode.update.old;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the bytes that updates have overwritten, in files that vanish when the DataNode ends. It
 * writes one file after the other. If there is no more room, it drops the oldest file with all its
 * bytes, so that an update never waits for room here. This is allowed because a commit can do
 * without old bytes. They are found by the number of their update and the term in which this node's
 * log received it, because in another term another update may have the same number. Thread-safe.
 */
@InterfaceAudience.Private
public final class OldBytesStore implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OldBytesStore.class);
  /**
   * Writes into the DataNode's log file at a bounded rate. For failures that each update may cause.
   */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  /** How many files share the room: with 16, dropping the oldest one frees a sixteenth of it. */
  private static final int FILES = 16;
  /** How many ranges of bytes are kept at most; each takes about 200 bytes of the heap. */
  private static final int RANGES_MOST = 1 << 17;

  /** The old bytes of one update. Immutable except for the ranges, which this store guards. */
  private static final class Overwritten {
    private final long term;
    private final long epoch;
    private final BlockRef block;
    private final NavigableMap<Long, Piece> pieces = new TreeMap<>();

    Overwritten(long term, long epoch, BlockRef block) {
      this.term = term;
      this.epoch = epoch;
      this.block = block;
    }
  }

  /** A file with old bytes. The monitor of {@link OldBytesStore} guards its counts. */
  private static final class OldFile {
    private final FileChannel channel;
    private long bytes;
    /**
     * {@code written} counts the ranges that were ever written into the file, and {@code ranges}
     * those of them that can still be found.
     */
    private int written;
    private int ranges;

    OldFile(FileChannel channel) {
      this.channel = channel;
    }
  }

  /** A range of old bytes in a file. Immutable. */
  private static final class Piece {
    private final OldFile file;
    private final long position;
    private final int length;
    private final int crc;

    Piece(OldFile file, long position, int length, int crc) {
      this.file = file;
      this.position = position;
      this.length = length;
      this.crc = crc;
    }
  }

  private final Path directory;
  private final long fileBytes;
  /** The old bytes by file, unit and number of the update. Guarded by this. */
  private final Map<UUID, Map<UnitId, NavigableMap<Long, Overwritten>>> known = new HashMap<>();
  /** The files, the oldest first. Guarded by this, as are the other fields. */
  private final Deque<OldFile> files = new ArrayDeque<>();
  private int ranges;
  private boolean isClosed;

  /**
   * @param directory the directory of the files; it need not exist before the first log does
   * @param bytesMost how many bytes all files have together at most; with 0, the store keeps
   *     nothing
   */
  public OldBytesStore(Path directory, long bytesMost) {
    this.directory = directory;
    this.fileBytes = bytesMost / FILES;
  }

  public boolean isOpen() {
    return fileBytes > 0;
  }

  /**
   * Stores bytes that an update has overwritten, unless there are more than fit into one file.
   *
   * @param unit the unit
   * @param term the term in which the log of this node received the update
   * @param sequence the number of the update
   * @param epoch the commit to which the update belongs
   * @param block the block from which the leader has read the bytes
   * @param offset the offset of the bytes in the unit
   * @param data the bytes, from position to limit
   */
  public void put(UnitId unit, long term, long sequence, long epoch, BlockRef block, long offset,
      ByteBuffer data) {
    if (data.remaining() > fileBytes) {
      return;
    }
    CRC32C crc = new CRC32C();
    crc.update(data.duplicate());
    Piece piece = null;
    try {
      piece = reserve(data.remaining(), (int) crc.getValue());
      if (piece == null) {
        return;
      }
      ByteBuffer left = data.duplicate();
      for (long at = piece.position; left.hasRemaining();) {
        at += piece.file.channel.write(left, at);
      }
      add(unit, term, sequence, epoch, block, offset, piece);
    } catch (IOException e) {
      PEER_LOG.warn("old bytes", "Old bytes of {} are not kept, so that its next commit gets"
          + " changes from other DataNodes: {}", unit, e.toString());
      dropFile(piece);
    }
  }

  private synchronized Piece reserve(int length, int crc) throws IOException {
    if (isClosed) {
      return null;
    }
    if (files.isEmpty() || files.getLast().bytes + length > fileBytes
        || files.getLast().written >= RANGES_MOST / FILES) {
      FileChannel channel = FileChannel.open(directory.resolve("ppr-old-" + UUID.randomUUID()),
          StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE,
          StandardOpenOption.DELETE_ON_CLOSE);
      files.addLast(new OldFile(channel));
    }
    while (files.size() > FILES) {
      drop(files.getFirst());
    }
    OldFile last = files.getLast();
    Piece piece = new Piece(last, last.bytes, length, crc);
    last.bytes += length;
    last.written++;
    return piece;
  }

  private synchronized void add(UnitId unit, long term, long sequence, long epoch, BlockRef block,
      long offset, Piece piece) {
    if (!files.contains(piece.file)) {
      return;
    }
    NavigableMap<Long, Overwritten> ofUnit = known.computeIfAbsent(unit.file,
        none -> new HashMap<>()).computeIfAbsent(unit, none -> new TreeMap<>());
    Overwritten of = ofUnit.get(sequence);
    if (of == null || of.term != term || !of.block.equals(block)) {
      forget(of);
      of = new Overwritten(term, epoch, block);
      ofUnit.put(sequence, of);
    }
    forget(of.pieces.put(offset, piece));
    piece.file.ranges++;
    ranges++;
  }

  /** Subtracts the ranges of an update from the counts of ranges. */
  private void forget(Overwritten of) {
    if (of != null) {
      of.pieces.values().forEach(this::forget);
    }
  }

  private void forget(Piece piece) {
    if (piece != null) {
      piece.file.ranges--;
      ranges--;
    }
  }

  /**
   * Drops a file that cannot be used after an error. For example, its channel is closed if a thread
   * that uses it is interrupted.
   */
  private synchronized void dropFile(Piece piece) {
    if (piece != null && files.contains(piece.file)) {
      drop(piece.file);
    }
  }

  /**
   * Drops a file and all ranges in it. For that, it searches all known ranges, which takes some ten
   * milliseconds for {@link #RANGES_MOST} ranges, and happens once for each file.
   */
  private void drop(OldFile file) {
    files.remove(file);
    ranges -= file.ranges;
    for (Map<UnitId, NavigableMap<Long, Overwritten>> units : known.values()) {
      units.values().forEach(updates -> {
        updates.values().forEach(
            each -> each.pieces.values().removeIf(piece -> piece.file == file));
        updates.values().removeIf(each -> each.pieces.isEmpty());
      });
      units.values().removeIf(Map::isEmpty);
    }
    known.values().removeIf(Map::isEmpty);
    try {
      file.channel.close();
    } catch (IOException e) {
      LOG.debug("A file with old bytes in {} was not closed", directory, e);
    }
  }

  /** Old bytes of one range. Immutable. */
  public static final class Found {
    /** The block from which the leader has read the bytes */
    public final BlockRef block;
    /** Where in the unit the bytes are */
    public final long offset;
    private final Piece piece;

    private Found(BlockRef block, long offset, Piece piece) {
      this.block = block;
      this.offset = offset;
      this.piece = piece;
    }

    /** @return the offset in the unit behind the last byte */
    public long end() {
      return offset + piece.length;
    }

    /**
     * @return the bytes of the range
     * @throws ChecksumException if they are not the bytes that were written
     * @throws IOException if they were dropped meanwhile, or the disk fails
     */
    public byte[] read() throws IOException {
      ByteBuffer data = ByteBuffer.allocate(piece.length);
      while (data.hasRemaining()) {
        if (piece.file.channel.read(data, piece.position + data.position()) < 0) {
          throw new IOException("A file with old bytes is too short");
        }
      }
      CRC32C crc = new CRC32C();
      crc.update(data.array());
      if ((int) crc.getValue() != piece.crc) {
        throw new ChecksumException("Old bytes are not what was written", offset);
      }
      return data.array();
    }
  }

  /**
   * Finds old bytes of an update.
   *
   * @param unit the unit
   * @param term the term in which the log of this node received the update
   * @param sequence the number of the update
   * @param offset the offset of the wanted byte in the unit
   * @return the range that contains the byte; empty if the store does not have it
   */
  public synchronized Optional<Found> find(UnitId unit, long term, long sequence, long offset) {
    Overwritten of = known.getOrDefault(unit.file, Map.of())
        .getOrDefault(unit, Collections.emptyNavigableMap()).get(sequence);
    Map.Entry<Long, Piece> entry = of == null || of.term != term ? null
        : of.pieces.floorEntry(offset);
    // The channel is closed if a thread was interrupted while it read from the file. The bytes are
    // then lost.
    return entry == null || entry.getKey() + entry.getValue().length <= offset
        || !entry.getValue().file.channel.isOpen() ? Optional.empty()
        : Optional.of(new Found(of.block, entry.getKey(), entry.getValue()));
  }

  /**
   * Forgets the old bytes of all updates that the latest version of a file contains.
   *
   * @param file the file
   * @param epoch the last commit that the version has
   */
  public synchronized void trim(UUID file, long epoch) {
    for (NavigableMap<Long, Overwritten> updates
        : List.copyOf(known.getOrDefault(file, Map.of()).values())) {
      updates.values().removeIf(of -> {
        boolean isOver = of.epoch <= epoch;
        if (isOver) {
          forget(of);
        }
        return isOver;
      });
    }
    Map<UnitId, NavigableMap<Long, Overwritten>> left = known.get(file);
    if (left != null) {
      left.values().removeIf(Map::isEmpty);
      if (left.isEmpty()) {
        known.remove(file);
      }
    }
  }

  /** @return the number of ranges that are kept */
  public synchronized int ranges() {
    return ranges;
  }

  /** Drops all old bytes, and keeps no more. */
  @Override
  public synchronized void close() {
    isClosed = true;
    while (!files.isEmpty()) {
      drop(files.getFirst());
    }
  }
}
