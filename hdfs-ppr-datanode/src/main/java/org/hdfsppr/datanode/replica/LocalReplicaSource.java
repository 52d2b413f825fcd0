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

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.LongConsumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.CorruptMetaHeaderException;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.stream.UnitSource;

/**
 * Reads a finalised replica on this DataNode, and verifies the bytes against the stored checksums.
 *
 * <p>Whole chunks go from the file into the caller's buffer, where this class verifies them. If the
 * caller wants only a part of a chunk, this class reads the whole chunk into a buffer of its own.
 * The buffer also serves the next read of the same chunk.
 *
 * <p>If the DataNode deletes the replica meanwhile, the replica stays readable through the open
 * files, as for stock's readers. This class reports a corrupt replica once. Used by one thread.
 */
@InterfaceAudience.Private
public final class LocalReplicaSource implements UnitSource {
  /**
   * The most bytes that this class reads and then verifies at a time. They are few enough to be in
   * the CPU's cache when they are verified.
   */
  private static final int BATCH_BYTES = 256 * 1024;

  /**
   * The largest chunk that a meta file may claim, bytes; stock's limit. A meta file that claims
   * larger chunks is damaged.
   */
  private static final int BYTES_PER_CHECKSUM_MAX = 10 * 1024 * 1024;

  private final DataNode dn;
  private final BadReplicas badReplicas;
  private final ExtendedBlock block;
  /** The length of the whole replica, bytes. The unit is the beginning of the replica. */
  final long replicaLength;
  private final ReplicaFiles files;
  private final FileChannel data;
  /** Type and chunk size of the stored checksums */
  public final DataChecksum checksum;
  private final StoredSums sums;
  private final PageCache pageCache;
  private final LongConsumer ownReads;
  private ReplicaInputStreams streams;

  /** The chunk that was last read in part: {@code chunkLength} bytes from {@code chunkStart}. */
  private ByteBuffer chunk;
  private long chunkStart;
  private int chunkLength;

  private long bytesRead;
  private boolean reported;

  private LocalReplicaSource(DataNode dn, BadReplicas badReplicas, ExtendedBlock block,
      long replicaLength, InputFiles in, LongConsumer ownReads) {
    this.dn = dn;
    this.badReplicas = badReplicas;
    this.block = block;
    this.replicaLength = replicaLength;
    this.streams = in.streams;
    this.files = in.files;
    this.data = in.data;
    this.checksum = in.checksum;
    this.sums = checksum.getChecksumSize() == 0 ? null
        : new StoredSums(files, in.meta, ChunkSums.of(checksum), replicaLength);
    this.pageCache = new PageCache(dn.getConf(), streams, block.getBlockName(), replicaLength);
    this.ownReads = ownReads;
  }

  /**
   * Opens the replica of {@code block}, and reports corruption to the NameNode.
   *
   * @param dn the DataNode that has the replica
   * @param block the block, with the generation stamp that the replica must have and the length of
   *     the unit; the replica must be at least as long
   * @return the open source
   * @throws IOException as {@link #open(DataNode, ExtendedBlock, BadReplicas)} does
   */
  public static LocalReplicaSource open(DataNode dn, ExtendedBlock block) throws IOException {
    return open(dn, block, new NameNodeReports(dn));
  }

  /**
   * Opens the replica of {@code block}.
   *
   * @param dn the DataNode that has the replica
   * @param block the block, with the generation stamp that the replica must have and the length of
   *     the unit; the replica must be at least as long
   * @param badReplicas takes the report if the replica is corrupt
   * @return the open source
   * @throws ReplicaNotFoundException if there is no replica with that generation stamp and at least
   *     that length
   * @throws org.apache.hadoop.hdfs.server.datanode.UnexpectedReplicaStateException if the replica
   *     is not finalised
   * @throws ChecksumException if a file of the replica is missing or damaged
   * @throws IOException if the replica cannot be read
   */
  public static LocalReplicaSource open(DataNode dn, ExtendedBlock block,
      BadReplicas badReplicas) throws IOException {
    return open(dn, block, badReplicas, bytes -> { });
  }

  /**
   * Opens the replica of {@code block} for a repair.
   *
   * @param dn the DataNode that has the replica
   * @param block the block, with the generation stamp that the replica must have and the length of
   *     the unit; the replica must be at least as long
   * @param badReplicas takes the report if the replica is corrupt
   * @param ownReads takes the number of bytes of each read, before stock's counters count them; see
   *     {@link RepairTraffic}
   * @return the open source
   * @throws IOException as {@link #open(DataNode, ExtendedBlock, BadReplicas)} does
   */
  public static LocalReplicaSource open(DataNode dn, ExtendedBlock block,
      BadReplicas badReplicas, LongConsumer ownReads) throws IOException {
    ExtendedBlock copy = new ExtendedBlock(block);
    FsDatasetSpi<?> dataset = dn.getFSDataset();
    try {
      return open(dn, dataset, copy, badReplicas, ownReads);
    } catch (IOException e) {
      throw judge(dataset, copy, badReplicas, e);
    }
  }

  /**
   * Makes the checks of {@link #open(DataNode, ExtendedBlock)} that need no open file.
   *
   * @param dn the DataNode that should have the replica
   * @param block as for {@link #open(DataNode, ExtendedBlock, BadReplicas)}
   * @throws IOException as {@link #open(DataNode, ExtendedBlock, BadReplicas)} does
   */
  public static void check(DataNode dn, ExtendedBlock block) throws IOException {
    checkedLength(dn, block, new NameNodeReports(dn));
  }

  /**
   * Makes all checks of {@link #open(DataNode, ExtendedBlock, BadReplicas)} that need no open file,
   * and fails as that method does.
   *
   * @return the length of the replica of {@code block}, bytes
   */
  static long checkedLength(DataNode dn, ExtendedBlock block, BadReplicas badReplicas)
      throws IOException {
    ExtendedBlock copy = new ExtendedBlock(block);
    FsDatasetSpi<?> dataset = dn.getFSDataset();
    try {
      return checkedLength(dataset, copy);
    } catch (IOException e) {
      throw judge(dataset, copy, badReplicas, e);
    }
  }

  /**
   * Returns the exception that says what a failure to open the replica means. Reports the replica
   * if the failure shows that it is damaged.
   */
  private static IOException judge(FsDatasetSpi<?> dataset, ExtendedBlock block,
      BadReplicas badReplicas, IOException e) throws IOException {
    boolean damaged = e instanceof CorruptMetaHeaderException || e instanceof EOFException
        || e instanceof FileNotFoundException && isMissingFile(dataset, block);
    return damaged ? corrupt(badReplicas, block, 0, e) : e;
  }

  private static long checkedLength(FsDatasetSpi<?> dataset, ExtendedBlock block)
      throws IOException {
    dataset.checkBlock(block, 0, ReplicaState.FINALIZED);
    long replicaLength = dataset.getReplicaVisibleLength(block);
    // This call fails if the file is shorter than the replica, which is then corrupt.
    dataset.checkBlock(block, replicaLength, ReplicaState.FINALIZED);
    // A replica that is shorter than the caller expects is not corrupt, because the expected length
    // may only be a peer's claim.
    if (replicaLength < block.getNumBytes()) {
      throw new ReplicaNotFoundException("The replica of " + block + " has " + replicaLength
          + " bytes where " + block.getNumBytes() + " are expected");
    }
    return replicaLength;
  }

  private static LocalReplicaSource open(DataNode dn, FsDatasetSpi<?> dataset,
      ExtendedBlock block, BadReplicas badReplicas, LongConsumer ownReads) throws IOException {
    long replicaLength = checkedLength(dataset, block);
    ReplicaInputStreams streams = dataset.getTmpInputStreams(block, 0, 0);
    boolean opened = false;
    try {
      InputFiles in = InputFiles.of(streams,
          new ReplicaFiles(dn, streams.getVolumeRef().getVolume()), block);
      LocalReplicaSource source =
          new LocalReplicaSource(dn, badReplicas, block, replicaLength, in, ownReads);
      opened = true;
      return source;
    } finally {
      if (!opened) {
        streams.close();
      }
    }
  }

  /**
   * Returns whether a file of the replica is gone while the DataNode still counts the replica as
   * present. Java throws the same exception when too many files are open, which says nothing about
   * the replica.
   */
  private static boolean isMissingFile(FsDatasetSpi<?> dataset, ExtendedBlock block)
      throws IOException {
    try {
      dataset.checkBlock(block, 0, ReplicaState.FINALIZED);
    } catch (FileNotFoundException e) {
      return true;
    }
    try (InputStream meta = dataset.getMetaDataInputStream(block)) {
      return meta == null;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  @Override
  public long length() {
    return block.getNumBytes();
  }

  @Override
  public void announce(long offset, long length) {
    if (streams != null) {
      pageCache.announce(offset, length);
    }
  }

  @Override
  public void read(long offset, ByteBuffer dst) throws IOException {
    if (streams == null) {
      throw new IOException("The replica of " + block + " is closed");
    }
    if (offset < 0 || dst.remaining() > length() - offset) {
      throw new IllegalArgumentException(
          dst.remaining() + " bytes at " + offset + " of " + length());
    }
    pageCache.reading(offset, dst.remaining());
    try {
      if (sums == null) {
        fill(dst, offset);
      } else {
        readVerified(offset, dst);
      }
    } catch (ChecksumException e) {
      throw corrupt(e.getPos(), e);
    } catch (EOFException e) {
      throw corrupt(offset, e);
    }
  }

  private void readVerified(long offset, ByteBuffer dst) throws IOException {
    int bytesPerChecksum = sums.bytesPerChecksum();
    int batchMax = (int) Math.min(sums.dataPerBuffer(),
        Math.max(bytesPerChecksum, BATCH_BYTES / bytesPerChecksum * bytesPerChecksum));
    long pos = offset;
    while (dst.hasRemaining()) {
      int whole = wholeChunks(pos, dst.remaining());
      if (whole > 0) {
        pos += readWhole(pos, dst, Math.min(whole, batchMax));
      } else {
        pos += readPart(pos, dst);
      }
    }
  }

  /** Returns how many of the {@code wanted} bytes at {@code pos} make up whole chunks. */
  private int wholeChunks(long pos, int wanted) {
    int bytesPerChecksum = sums.bytesPerChecksum();
    if (pos % bytesPerChecksum != 0) {
      return 0;
    }
    return pos + wanted == replicaLength ? wanted : wanted - wanted % bytesPerChecksum;
  }

  private int readWhole(long pos, ByteBuffer dst, int length) throws IOException {
    int start = dst.position();
    int limit = dst.limit();
    dst.limit(start + length);
    fill(dst, pos);
    dst.position(start);
    sums.verify(dst, block.getBlockName(), pos);
    dst.limit(limit).position(start + length);
    return length;
  }

  private int readPart(long pos, ByteBuffer dst) throws IOException {
    if (chunkLength == 0 || pos < chunkStart || pos >= chunkStart + chunkLength) {
      loadChunk(pos - pos % sums.bytesPerChecksum());
    }
    int from = (int) (pos - chunkStart);
    int length = Math.min(dst.remaining(), chunkLength - from);
    chunk.limit(from + length).position(from);
    dst.put(chunk);
    return length;
  }

  private void loadChunk(long start) throws IOException {
    if (chunk == null) {
      chunk = ReplicaBuffers.READERS.getBuffer(sums.bytesPerChecksum());
    }
    int length = (int) Math.min(sums.bytesPerChecksum(), replicaLength - start);
    chunkLength = 0;
    chunk.clear().limit(length);
    fill(chunk, start);
    chunk.flip();
    sums.verify(chunk, block.getBlockName(), start);
    chunkStart = start;
    chunkLength = length;
  }

  private void fill(ByteBuffer dst, long pos) throws IOException {
    int length = dst.remaining();
    if (!files.readFully(data, dst, pos)) {
      throw new EOFException("The data of " + block + " ends before byte " + (pos + length));
    }
    bytesRead += length;
    ownReads.accept(length);
    dn.getMetrics().incrBytesRead(length);
  }

  private ChecksumException corrupt(long pos, IOException cause) {
    if (reported) {
      return asChecksumException(pos, cause);
    }
    reported = true;
    return corrupt(badReplicas, block, pos, cause);
  }

  private static ChecksumException corrupt(BadReplicas badReplicas, ExtendedBlock block, long pos,
      IOException cause) {
    badReplicas.local(new ExtendedBlock(block), cause);
    return asChecksumException(pos, cause);
  }

  private static ChecksumException asChecksumException(long pos, IOException cause) {
    if (cause instanceof ChecksumException) {
      return (ChecksumException) cause;
    }
    ChecksumException e = new ChecksumException(cause.getMessage(), pos);
    e.initCause(cause);
    return e;
  }

  @Override
  public void close() throws IOException {
    if (streams == null) {
      return;
    }
    ReplicaInputStreams open = streams;
    streams = null;
    pageCache.close();
    if (sums != null) {
      sums.close();
    }
    if (chunk != null) {
      ReplicaBuffers.READERS.returnBuffer(chunk);
      chunk = null;
      chunkLength = 0;
    }
    if (bytesRead > 0) {
      dn.getMetrics().incrBlocksRead();
    }
    open.closeStreams();
  }

  /** The open files of a replica, and the kind of the checksums in its meta file. */
  private static final class InputFiles {
    final ReplicaInputStreams streams;
    final ReplicaFiles files;
    final FileChannel data;
    final DataChecksum checksum;
    /** Null if the replica has no checksums, or none that can be trusted. */
    final FileChannel meta;

    private InputFiles(ReplicaInputStreams streams, ReplicaFiles files, FileChannel data,
        DataChecksum checksum, FileChannel meta) {
      this.streams = streams;
      this.files = files;
      this.data = data;
      this.checksum = checksum;
      this.meta = meta;
    }

    static InputFiles of(ReplicaInputStreams streams, ReplicaFiles files, ExtendedBlock block)
        throws IOException {
      FileChannel data = ReplicaFiles.channelOf(streams.getDataIn(), "The data of " + block);
      DataChecksum checksum = readChecksum(streams, files, block);
      FileChannel meta = checksum.getChecksumSize() == 0 ? null
          : ReplicaFiles.channelOf(streams.getChecksumIn(), "The meta file of " + block);
      return new InputFiles(streams, files, data, checksum, meta);
    }

    /**
     * Returns the type and chunk size of the stored checksums. The stored sums of a replica on
     * transient storage (memory) cannot be trusted, so the type is NULL for such a replica.
     */
    private static DataChecksum readChecksum(ReplicaInputStreams streams, ReplicaFiles files,
        ExtendedBlock block) throws IOException {
      InputStream meta = streams.getChecksumIn();
      DataChecksum stored =
          BlockMetadataHeader.readDataChecksum(new DataInputStream(meta), block);
      if (files.volume.isTransientStorage()) {
        return DataChecksum.newDataChecksum(DataChecksum.Type.NULL, stored.getBytesPerChecksum());
      }
      if (stored.getBytesPerChecksum() > BYTES_PER_CHECKSUM_MAX) {
        throw new EOFException("The meta file of " + block + " names chunks of "
            + stored.getBytesPerChecksum() + " bytes");
      }
      return stored;
    }
  }

  /**
   * Reads the stored sums from a replica's meta file, as many as fit in a buffer at a time, and
   * verifies data by the sums.
   *
   * <pre>
   *   | version, type, bytesPerChecksum | sum 0 | sum 1 | ... |
   *   |&lt;--------- header size ---------&gt;|
   * </pre>
   */
  static final class StoredSums {
    private final ReplicaFiles files;
    private final FileChannel meta;
    private final ChunkSums sums;
    private final long chunks;
    private ByteBuffer buffer;
    /**
     * The first chunk whose sum is in the buffer. {@code to} is the first chunk after those whose
     * sums are in the buffer.
     */
    private long from;
    private long to;

    StoredSums(ReplicaFiles files, FileChannel meta, ChunkSums sums, long replicaLength) {
      this.files = files;
      this.meta = meta;
      this.sums = sums;
      this.chunks = sums.sumsSize(replicaLength) / sums.sumSize();
    }

    int bytesPerChecksum() {
      return sums.bytesPerChecksum;
    }

    /** Returns how many bytes of data the sums of a full buffer cover. */
    long dataPerBuffer() {
      return (long) ReplicaBuffers.SUMS_BYTES / sums.sumSize() * sums.bytesPerChecksum;
    }

    /**
     * Verifies {@code data}, which begins on a chunk boundary and has at most {@link
     * #dataPerBuffer} bytes.
     *
     * @throws ChecksumException if the bytes do not match their sums
     * @throws EOFException if the meta file ends before the sums of the data
     */
    void verify(ByteBuffer data, String name, long basePos) throws IOException {
      long first = basePos / sums.bytesPerChecksum;
      long end = first + sums.sumsSize(data.remaining()) / sums.sumSize();
      if (first < from || end > to) {
        load(first);
      }
      buffer.position((int) (first - from) * sums.sumSize());
      sums.verify(data, buffer, name, basePos);
    }

    private void load(long first) throws IOException {
      if (buffer == null) {
        buffer = ReplicaBuffers.READERS.getBuffer(ReplicaBuffers.SUMS_BYTES);
      }
      long count = Math.min(chunks - first, ReplicaBuffers.SUMS_BYTES / sums.sumSize());
      buffer.clear().limit((int) count * sums.sumSize());
      from = first;
      to = first;
      if (!files.readFully(meta, buffer,
          BlockMetadataHeader.getHeaderSize() + first * sums.sumSize())) {
        throw new EOFException("The meta file ends before the sum of chunk " + (first + count - 1));
      }
      to = first + count;
    }

    void close() {
      if (buffer != null) {
        ReplicaBuffers.READERS.returnBuffer(buffer);
        buffer = null;
        from = 0;
        to = 0;
      }
    }
  }
}
