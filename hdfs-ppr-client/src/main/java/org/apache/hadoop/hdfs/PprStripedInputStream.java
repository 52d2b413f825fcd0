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
package org.apache.hadoop.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtilClient.CorruptedBlocks;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.hdfs.util.IOUtilsClient;
import org.apache.hadoop.net.NetUtils;
import org.hdfsppr.client.read.GroupReader;
import org.hdfsppr.client.read.GroupView;
import org.hdfsppr.client.read.UnitReader;
import org.hdfsppr.client.read.UntrustedBytesException;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;

/**
 * A striped file's stream that fetches what is lost in the cheapest way: positional reads through
 * {@link GroupReader}, and stateful reads as stock does as long as stock can. Holds, beyond what
 * stock's stream holds, {@code dfs.client.ppr.cache.bytes} at most, and during a positional read
 * some {@link #CHUNK_BYTES} for it.
 */
@InterfaceAudience.Private
public class PprStripedInputStream extends DFSStripedInputStream {
  /** A positional read goes in runs of that length, so that its memory is bounded. */
  private static final int CHUNK_BYTES = 8 << 20;
  /** Hadoop's statistics do not tell larger distances apart. */
  private static final int DISTANCES = 6;

  private final PprDFSClient client;
  private final ErasureCodingPolicy policy;
  private final GroupReader groups;
  /** Bytes read that the file system's statistics do not have yet, by distance. */
  private final AtomicLongArray uncounted = new AtomicLongArray(DISTANCES);

  PprStripedInputStream(PprDFSClient client, String src, boolean verifyChecksum,
      ErasureCodingPolicy policy, LocatedBlocks located, LinearCode code) throws IOException {
    super(client, src, verifyChecksum, policy, located);
    this.client = client;
    this.policy = policy;
    this.groups = new GroupReader(client.readContext(), new Units(), code);
  }

  @Override
  public int read(long position, byte[] buffer, int offset, int length) throws IOException {
    validatePositionedReadArgs(position, buffer, offset, length);
    if (length == 0) {
      return 0;
    }
    return pread(position, ByteBuffer.wrap(buffer, offset, length));
  }

  @Override
  public int read(long position, ByteBuffer buf) throws IOException {
    if (!buf.hasRemaining()) {
      return 0;
    }
    return pread(position, buf);
  }

  private int pread(long position, ByteBuffer buf) throws IOException {
    dfsClient.checkOpen();
    if (closed.get()) {
      throw new IOException("Stream closed");
    }
    long fileLength = getFileLength();
    if (position < 0 || position >= fileLength) {
      return -1;
    }
    int length = (int) Math.min(buf.remaining(), fileLength - position);
    int done = 0;
    while (done < length) {
      done += preadSome(position + done, buf, length - done);
    }
    return length;
  }

  /** Reads a run within one block group, and moves the buffer's position. */
  private int preadSome(long position, ByteBuffer buf, int length) throws IOException {
    LocatedBlock located = getBlockAt(position);
    if (!(located instanceof LocatedStripedBlock)) {
      throw new IOException("The NameNode gave " + located + " for a striped file");
    }
    GroupView group = new GroupView((LocatedStripedBlock) located, policy);
    long from = position - group.start();
    int some = (int) Math.min(Math.min(length, CHUNK_BYTES), group.bytes() - from);
    ByteBuffer dst = buf.duplicate();
    dst.limit(dst.position() + some);
    try {
      try {
        groups.read(group, from, dst);
      } finally {
        countReads();
      }
      buf.position(buf.position() + some);
      return some;
    } catch (UntrustedBytesException e) {
      throw e;
    } catch (IOException e) {
      if (e instanceof InterruptedIOException && Thread.currentThread().isInterrupted()) {
        throw e;
      }
      DFSClient.LOG.debug("{} bytes at {} of {} go to stock", some, position, src, e);
      return stockRead(position, buf, some, e);
    }
  }

  /** Hadoop counts by thread, so that the reader's own has to do it. */
  private void countReads() {
    FileSystem.Statistics statistics = client.statistics();
    for (int distance = 0; distance < DISTANCES; distance++) {
      long bytes = uncounted.getAndSet(distance, 0);
      if (statistics != null && bytes > 0) {
        statistics.incrementBytesRead(bytes);
        statistics.incrementBytesReadByDistance(distance, bytes);
        statistics.incrementBytesReadErasureCoded(bytes);
      }
    }
  }

  private int stockRead(long position, ByteBuffer buf, int length, IOException why)
      throws IOException {
    ByteBuffer dst = buf.duplicate();
    dst.limit(dst.position() + length);
    try {
      int read = super.read(position, dst);
      if (read <= 0) {
        throw new EOFException("The file ends at " + position);
      }
      buf.position(buf.position() + read);
      return read;
    } catch (IOException e) {
      e.addSuppressed(why);
      throw e;
    }
  }

  @Override
  public synchronized void unbuffer() {
    super.unbuffer();
    groups.clear();
  }

  @Override
  public synchronized void close() throws IOException {
    groups.clear();
    super.close();
  }

  /** What degraded reads want of this stream. */
  private final class Units implements UnitReader {
    @Override
    public void readUnit(GroupView group, int unit, long offset, ByteBuffer dst, Cancel cancel)
        throws IOException {
      LocatedBlock block = group.unit(unit);
      DatanodeInfo node = block.getLocations()[0];
      InetSocketAddress address = NetUtils.createSocketAddr(
          node.getXferAddr(dfsClient.getConf().isConnectToDnViaHostname()));
      int length = dst.remaining();
      long start = System.nanoTime();
      try (BlockReader reader = getBlockReader(block, offset, length, address,
          block.getStorageTypes() == null || block.getStorageTypes().length == 0 ? null
              : block.getStorageTypes()[0], node)) {
        cancel.onCancel(reader);
        while (dst.hasRemaining()) {
          if (reader.read(dst) < 0) {
            throw new EOFException("Unit " + unit + " of " + group.id() + " ends before byte "
                + (offset + length));
          }
        }
        IOUtilsClient.updateReadStatistics(readStatistics, length, reader);
        count(length, reader.getNetworkDistance());
      } catch (ChecksumException e) {
        CorruptedBlocks corrupted = new CorruptedBlocks();
        corrupted.addCorruptedBlock(block.getBlock(), node);
        reportCheckSumFailure(corrupted, getCurrentBlockLocationsLength(), true);
        throw e;
      }
      DFSClient.LOG.trace("Unit {} of {}: {} bytes in {} ns", unit, group.id(), length,
          System.nanoTime() - start);
    }

    @Override
    public GroupView refresh(GroupView group) throws IOException {
      return new GroupView((LocatedStripedBlock) fetchBlockAt(group.start()), policy);
    }

    @Override
    public boolean isTokenExpired(IOException e) {
      return e instanceof InvalidBlockTokenException
          || e instanceof RepairException
              && ((RepairException) e).failureCause() == FailureCause.ACCESS_TOKEN;
    }

    @Override
    public void received(long bytes) {
      readStatistics.addRemoteBytes(bytes);
      count(bytes, Integer.MAX_VALUE);
    }

    private void count(long bytes, int distance) {
      uncounted.addAndGet(Math.min(distance, DISTANCES - 1), bytes);
    }
  }
}
