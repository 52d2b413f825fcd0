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

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.Time;
import org.hdfsppr.stream.UnitSink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a new replica on this DataNode, as stock writes a replica that it receives from another
 * DataNode. The replica is temporary until {@link #commit} finalises it and reports it to the
 * NameNode.
 *
 * <p>The replica never has the state "being written", because the NameNode considers a replica in
 * that state corrupt if the block is complete. A DataNode that restarts forgets temporary replicas.
 *
 * <p>All calls come from the thread that opened the sink, because Hadoop interrupts that thread
 * when it removes the volume.
 */
@InterfaceAudience.Private
public final class LocalReplicaSink implements UnitSink {
  private static final Logger LOG = LoggerFactory.getLogger(LocalReplicaSink.class);

  private final DataNode dn;
  private final ExtendedBlock block;
  private final ReplicaHandler handler;
  private final ReplicaInPipeline replica;
  private final OutputFiles out;
  private final ChunkSums sums;
  private final boolean syncOnClose;
  /**
   * Forces the replica's name to the disk before the replica is reported; null if the settings of
   * stock alone decide what is forced to the disk.
   */
  private final ReplicaSync sync;
  /** The most bytes that the sink writes at a time. Their sums fit into {@code sumsBuffer}. */
  private final int batchMax;
  private ByteBuffer sumsBuffer;
  private final byte[] lastSum;
  private final WriteBehind writeBehind;
  private final LongConsumer ownWrites;

  private long written;
  private long writtenMs;
  private boolean streamsClosed;
  private boolean committed;
  private boolean closed;

  private LocalReplicaSink(DataNode dn, ExtendedBlock block, ReplicaHandler handler,
      OutputFiles out, LongConsumer ownWrites, ReplicaSync sync) throws NoBuffersException {
    this.dn = dn;
    this.block = block;
    this.handler = handler;
    this.replica = handler.getReplica();
    this.out = out;
    this.sums = ChunkSums.of(out.streams.getChecksum());
    this.writeBehind = new WriteBehind(dn.getConf(), out.streams, block.getBlockName());
    this.sumsBuffer = ReplicaBuffers.WRITERS.getBuffer(ReplicaBuffers.SUMS_BYTES);
    this.lastSum = new byte[sums.sumSize()];
    this.ownWrites = ownWrites;
    this.sync = sync;
    this.syncOnClose = sync != null
        || dn.getConf().getBoolean(DFSConfigKeys.DFS_DATANODE_SYNCONCLOSE_KEY,
            DFSConfigKeys.DFS_DATANODE_SYNCONCLOSE_DEFAULT);
    // The sums of a full batch leave room for one more sum in the buffer, because the batch may
    // also complete a chunk that an earlier batch began.
    this.batchMax = sums.sumSize() == 0 ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE,
        (ReplicaBuffers.SUMS_BYTES / sums.sumSize() - 1L) * sums.bytesPerChecksum);
  }

  /**
   * Reserves the space and creates the files.
   *
   * @param dn the DataNode that stores the replica
   * @param block the block, with the generation stamp and the length that the replica is to have
   * @param storageType the storage type that the NameNode chose; the DataNode's volume policy has
   *     the final choice
   * @param storageId the storage that the NameNode chose; the DataNode's volume policy may choose
   *     another storage
   * @param checksum type and chunk size of the checksums of the other replicas of the group
   * @return a sink that has taken no data yet
   * @throws org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException if this DataNode
   *     has a replica of the block or is writing one, because another thread is rebuilding or has
   *     rebuilt the same unit
   * @throws IOException if there is no space or no writable volume; nothing is left behind
   */
  public static LocalReplicaSink open(DataNode dn, ExtendedBlock block, StorageType storageType,
      String storageId, DataChecksum checksum) throws IOException {
    return open(dn, block, storageType, storageId, checksum, bytes -> { });
  }

  /**
   * Does the same as {@link #open(DataNode, ExtendedBlock, StorageType, String, DataChecksum,
   * LongConsumer)}, but the replica is on the disk before it is reported, whatever the settings
   * say: its files before it is finalised, and its name after that.
   *
   * @param dn the DataNode that stores the replica
   * @param block the block, with the generation stamp and the length that the replica is to have
   * @param storageType the storage type that is asked for
   * @param storageId the storage that is asked for
   * @param checksum type and chunk size of the checksums
   * @param ownWrites takes the number of bytes of each write
   * @param sync forces the name of the replica to the disk
   * @return a sink that has taken no data yet
   * @throws IOException as {@code open} does
   */
  public static LocalReplicaSink openSynced(DataNode dn, ExtendedBlock block,
      StorageType storageType, String storageId, DataChecksum checksum, LongConsumer ownWrites,
      ReplicaSync sync) throws IOException {
    return open(dn, block, storageType, storageId, checksum, ownWrites,
        Objects.requireNonNull(sync, "sync"));
  }

  /**
   * Reserves the space and creates the files for a repair.
   *
   * @param dn the DataNode that stores the replica
   * @param block the block, with the generation stamp and the length that the replica is to have
   * @param storageType the storage type that the NameNode chose; the DataNode's volume policy has
   *     the final choice
   * @param storageId the storage that the NameNode chose; the DataNode's volume policy may choose
   *     another storage
   * @param checksum type and chunk size of the checksums of the other replicas of the group
   * @param ownWrites takes the number of bytes of each write, before stock's counters count them;
   *     see {@link RepairTraffic}
   * @return a sink that has taken no data yet
   * @throws org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException if this DataNode
   *     has a replica of the block or is writing one, because another thread is rebuilding or has
   *     rebuilt the same unit
   * @throws IOException if there is no space or no writable volume; nothing is left behind
   */
  public static LocalReplicaSink open(DataNode dn, ExtendedBlock block, StorageType storageType,
      String storageId, DataChecksum checksum, LongConsumer ownWrites) throws IOException {
    return open(dn, block, storageType, storageId, checksum, ownWrites, null);
  }

  private static LocalReplicaSink open(DataNode dn, ExtendedBlock block, StorageType storageType,
      String storageId, DataChecksum checksum, LongConsumer ownWrites, ReplicaSync sync)
      throws IOException {
    ExtendedBlock copy = new ExtendedBlock(block);
    ReplicaHandler handler =
        dn.getFSDataset().createTemporary(storageType, storageId, copy, false);
    ReplicaOutputStreams streams = null;
    LocalReplicaSink sink = null;
    try {
      streams = handler.getReplica().createStreams(true, checksum);
      sink = create(dn, copy, handler, streams, ownWrites, sync);
      return sink;
    } finally {
      if (sink == null) {
        if (streams != null) {
          streams.close();
        }
        forget(dn, copy, handler);
      }
    }
  }

  private static LocalReplicaSink create(DataNode dn, ExtendedBlock block, ReplicaHandler handler,
      ReplicaOutputStreams streams, LongConsumer ownWrites, ReplicaSync sync)
      throws IOException {
    FsVolumeSpi volume = handler.getReplica().getReplicaInfo().getVolume();
    OutputFiles out = new OutputFiles(streams, new ReplicaFiles(dn, volume), block);
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    BlockMetadataHeader.writeHeader(new DataOutputStream(header), streams.getChecksum());
    out.files.writeFully(out.meta, ByteBuffer.wrap(header.toByteArray()));
    return new LocalReplicaSink(dn, block, handler, out, ownWrites, sync);
  }

  /** Undoes {@code createTemporary}. */
  private static void forget(DataNode dn, ExtendedBlock block, ReplicaHandler handler)
      throws IOException {
    try {
      handler.getReplica().releaseAllBytesReserved();
      dn.getFSDataset().unfinalizeBlock(block);
    } finally {
      handler.close();
    }
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    if (committed || closed || streamsClosed) {
      throw new IOException("The replica of " + block + " takes no more data");
    }
    if (src.remaining() > block.getNumBytes() - written) {
      throw new IOException(String.format("%d bytes after %d are more than %s is to have (%d)",
          src.remaining(), written, block, block.getNumBytes()));
    }
    long begin = Time.monotonicNow();
    int end = src.limit();
    while (src.position() < end) {
      src.limit(src.position() + Math.min(end - src.position(), batchMax));
      writeBatch(src);
      src.limit(end);
    }
    long tookMs = Time.monotonicNow() - begin;
    writtenMs += tookMs;
    dn.getMetrics().incrTotalWriteTime(tookMs);
  }

  private void writeBatch(ByteBuffer src) throws IOException {
    int start = src.position();
    int length = src.remaining();
    out.files.writeFully(out.data, src);
    src.position(start);
    sumsBuffer.clear();
    sums.update(src, sumsBuffer);
    writeSums();
    written += length;
    replica.setNumBytes(written);
    // This call releases reserved space as the file grows. Otherwise the volume would count written
    // bytes twice.
    replica.setBytesAcked(written);
    ownWrites.accept(length);
    dn.getMetrics().incrBytesWritten(length);
    writeBehind.written(written);
  }

  private void writeSums() throws IOException {
    sumsBuffer.flip();
    if (sumsBuffer.hasRemaining()) {
      int last = sumsBuffer.limit() - lastSum.length;
      for (int i = 0; i < lastSum.length; i++) {
        lastSum[i] = sumsBuffer.get(last + i);
      }
      out.files.writeFully(out.meta, sumsBuffer);
    }
  }

  @Override
  public void commit() throws IOException {
    if (committed || closed) {
      throw new IOException("The replica of " + block + " is committed or closed already");
    }
    if (written != block.getNumBytes()) {
      throw new IOException(String.format("%s is to have %d bytes; %d were written",
          block, block.getNumBytes(), written));
    }
    sumsBuffer.clear();
    sums.finish(sumsBuffer);
    writeSums();
    replica.setLastChecksumAndDataLen(written, written == 0 ? null : lastSum);
    syncAndCloseStreams();
    // Stock's sync of the directory ignores errors of the disk.
    dn.getFSDataset().finalizeBlock(block, syncOnClose && sync == null);
    if (sync != null) {
      forceName();
    }
    committed = true;
    dn.getMetrics().incrBlocksWritten();
    dn.notifyNamenodeReceivedBlock(
        block, null, replica.getStorageUuid(), replica.isOnTransientStorage());
    LOG.info("Wrote replica of {}, {} bytes, on {}, {} ms in writes",
        block, written, out.files.volume, writtenMs);
    close();
  }

  /**
   * Forces the name of the finalised replica to the disk. If this fails, the DataNode deletes the
   * replica. That does no harm, because no result and no report has named the replica yet.
   */
  private void forceName() throws IOException {
    boolean isForced = false;
    try {
      sync.force(block);
      isForced = true;
    } finally {
      if (!isForced) {
        dn.getFSDataset().invalidate(block.getBlockPoolId(),
            new Block[] {block.getLocalBlock()});
      }
    }
  }

  /**
   * Closes the file of the sums and then the data file, as stock does. If the settings say so,
   * forces both files to the disk first.
   */
  private void syncAndCloseStreams() throws IOException {
    if (syncOnClose) {
      dn.getMetrics().incrFsyncCount();
      long begin = System.nanoTime();
      out.streams.syncChecksumOut();
      out.streams.syncDataOut();
      dn.getMetrics().addFsyncNanos(System.nanoTime() - begin);
    }
    streamsClosed = true;
    try {
      out.streams.getChecksumOut().close();
      out.streams.closeDataStream();
    } finally {
      out.streams.close();
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    ReplicaBuffers.WRITERS.returnBuffer(sumsBuffer);
    sumsBuffer = null;
    if (committed) {
      // The replica is finalised and reported, so it stays even if the release of the volume fails.
      IOUtils.cleanupWithLogger(LOG, handler);
      return;
    }
    if (!streamsClosed) {
      out.streams.close();
    }
    LOG.info("Dropping the unfinished replica of {} after {} bytes", block, written);
    // Hadoop does not change its maps on an interrupted thread. This method clears the interrupt
    // before the change, and sets it again afterwards.
    boolean interrupted = Thread.interrupted();
    try {
      forget(dn, block, handler);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The two open files of a replica that is being written. */
  private static final class OutputFiles {
    final ReplicaOutputStreams streams;
    final ReplicaFiles files;
    final FileChannel data;
    final FileChannel meta;

    OutputFiles(ReplicaOutputStreams streams, ReplicaFiles files, ExtendedBlock block)
        throws IOException {
      this.streams = streams;
      this.files = files;
      this.data = ReplicaFiles.channelOf(streams.getDataOut(), "The data of " + block);
      this.meta = ReplicaFiles.channelOf(streams.getChecksumOut(), "The meta file of " + block);
    }
  }
}
