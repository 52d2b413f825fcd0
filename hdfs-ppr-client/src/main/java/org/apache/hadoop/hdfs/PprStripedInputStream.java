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
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSUtilClient.CorruptedBlocks;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.client.read.ComputedChecksum;
import org.hdfsppr.client.read.GroupReader;
import org.hdfsppr.client.read.GroupSource;
import org.hdfsppr.client.read.IoFailures;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.read.LocatedReads;
import org.hdfsppr.client.read.ReadContext;
import org.hdfsppr.client.read.ReplacedFileDetector;
import org.hdfsppr.client.read.SlowGuard;
import org.hdfsppr.client.read.StripeReader;
import org.hdfsppr.client.read.UncountedBytes;
import org.hdfsppr.client.read.UntrustedBytesException;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.wire.PeerLog;

/**
 * A stream of a striped file that rebuilds lost units. Positional reads go through {@link
 * GroupReader}. Stock's code serves stateful reads as long as it can read the file. In addition to
 * the memory of stock's stream, this stream keeps at most {@code dfs.client.ppr.cache.bytes}, and
 * about {@link #CHUNK_BYTES} more during a positional read.
 */
@InterfaceAudience.Private
public class PprStripedInputStream extends DFSStripedInputStream {
  /**
   * A positional read gets its bytes in steps of at most this many bytes, which bounds the memory
   * of the read.
   */
  private static final int CHUNK_BYTES = 8 << 20;
  /** Logs the same message at most once a minute, because an outage may cause it in many reads. */
  private static final PeerLog PEER_LOG = new PeerLog(DFSClient.LOG);

  /** True while the current thread reads as stock does, without giving up slow DataNodes. */
  private static final ThreadLocal<Boolean> PLAIN = ThreadLocal.withInitial(() -> false);

  private final ReadContext context;
  private final ErasureCodingPolicy policy;
  private final GroupSource groups;
  private final WholeFile file = new WholeFile();
  /** Bytes that were read, but not yet added to the file system's statistics. */
  private final UncountedBytes uncounted;

  /** A thread that asks the NameNode again takes this lock before the stream's other locks. */
  private final Object fetching = new Object();
  private final ReplacedFileDetector ownFile;

  private final SlowGuard guard;
  /** Whether the thread that holds this stream's monitor is in stock's code. */
  private boolean inStock;
  /** The id of the last group that stock could not read; stock does not try that group again. */
  private long ownGroup;
  /** Reads whole stripes for stateful reads that stock cannot serve. */
  private final StripeReader stripes;
  private final LocatedReads reads;

  /** A striped file that is to be read, as the NameNode has described it. Immutable. */
  public static final class StripedFile {
    /** The file's path */
    public final String src;
    /** Whether to verify checksums of blocks */
    public final boolean verifyChecksum;
    /** The file's policy */
    public final ErasureCodingPolicy policy;
    /** The file's block groups */
    public final LocatedBlocks located;
    /** The code of the policy */
    public final LinearCode code;

    /**
     * @param conf the configuration, which names the codecs of policies
     * @param src the file's path
     * @param verifyChecksum whether to verify checksums of blocks
     * @param located the file's block groups, which have a policy
     * @throws IOException if the code of the policy is not known
     */
    StripedFile(Configuration conf, String src, boolean verifyChecksum, LocatedBlocks located)
        throws IOException {
      this.src = src;
      this.verifyChecksum = verifyChecksum;
      this.policy = located.getErasureCodingPolicy();
      this.located = located;
      this.code = Codes.forCodec(conf, policy.getCodecName(), policy.getNumDataUnits(),
          policy.getNumParityUnits());
    }
  }

  /**
   * @param context the state that all streams of the client share
   * @param statistics of the file system; null if the file system has no statistics
   * @param of the file to read
   */
  PprStripedInputStream(DFSClient client, ReadContext context, FileSystem.Statistics statistics,
      StripedFile of) throws IOException {
    super(client, of.src, of.verifyChecksum, of.policy, of.located);
    this.context = context;
    this.policy = of.policy;
    this.ownFile = new ReplacedFileDetector(of.src, policy, of.located);
    this.guard = new SlowGuard(context);
    this.uncounted = new UncountedBytes(statistics);
    this.groups = new GroupReader(context,
        new StreamUnitReader(client, new UnitHost(), readStatistics, uncounted), of.code);
    this.reads = new LocatedReads(position -> view(fetchBlockAt(position)));
    this.stripes = new StripeReader(context, groups, file,
        (long) policy.getCellSize() * policy.getNumDataUnits());
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
      // Stock closes a stream when one of its own reads fails. If the path now belongs to another
      // file, the read has failed for this reason, and require() throws it.
      ownFile.require();
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

  /** Reads at most {@link #CHUNK_BYTES} within one block group, and moves the buffer's position. */
  private int preadSome(long position, ByteBuffer buf, int length) throws IOException {
    if (isBeingWritten(position)) {
      return stockRead(position, buf, length);
    }
    ownFile.require();
    LocatedGroup group = groupAt(position);
    long from = position - group.start();
    int some = (int) Math.min(Math.min(length, CHUNK_BYTES), group.bytes() - from);
    try {
      reads.read(group, known -> {
        ByteBuffer dst = buf.duplicate();
        dst.limit(dst.position() + some);
        try {
          groups.read(known, from, dst);
        } finally {
          uncounted.count();
        }
        return some;
      });
      // Another thread may have found out during this read that the path now belongs to another
      // file.
      ownFile.require();
      buf.position(buf.position() + some);
      return some;
    } catch (UntrustedBytesException e) {
      throw e;
    } catch (IOException e) {
      if (IoFailures.isOwnInterrupt(e)) {
        throw e;
      }
      PEER_LOG.warn("bytes as stock", "{} bytes at {} of {} are read as stock does after all",
          some, position, src, e);
      context.counters.stock();
      try {
        return stockRead(position, buf, some);
      } catch (IOException stock) {
        stock.addSuppressed(e);
        throw stock;
      }
    }
  }

  /**
   * Computes the checksum of the file's first {@code length} bytes from the bytes themselves.
   *
   * @param length how many bytes, at most the file's length
   */
  FileChecksum checksum(long length, ChecksumCombineMode mode) throws IOException {
    return new ComputedChecksum(file, src, policy.getNumDataUnits(), policy.getCellSize(),
        CHUNK_BYTES).of(length, mode);
  }

  /** Opens stock's reader, which waits for a slow DataNode as long as stock does. */
  private BlockReader openPlain(LocatedGroup group, int unit, long offset, long length)
      throws IOException {
    LocatedBlock block = group.unit(unit);
    DatanodeInfo node = block.getLocations()[0];
    InetSocketAddress address = NetUtils.createSocketAddr(
        node.getXferAddr(dfsClient.getConf().isConnectToDnViaHostname()));
    StorageType[] types = block.getStorageTypes();
    return super.getBlockReader(block, offset, length, address,
        types == null || types.length == 0 ? null : types[0], node);
  }

  /**
   * Whether a position is in the last group of a file that is being written. The length of this
   * group changes.
   */
  final boolean isBeingWritten(long position) {
    LocatedBlocks located = getLocatedBlocks();
    return !located.isLastBlockComplete() && position >= located.getFileLength();
  }

  private int stockRead(long position, ByteBuffer buf, int length) throws IOException {
    ByteBuffer dst = buf.duplicate();
    dst.limit(dst.position() + length);
    try {
      PLAIN.set(true);
      int read = ofOwnFile(super.read(position, dst));
      if (read <= 0) {
        throw new EOFException("The file ends at " + position);
      }
      buf.position(buf.position() + read);
      return read;
    } finally {
      PLAIN.set(false);
    }
  }

  /**
   * Reads as stock does as long as stock can. With an MDS code, a sequential reader needs k units
   * of each stripe in any case, so a tree would save nothing. When stock cannot read, this class
   * reads the stripe itself.
   */
  @Override
  protected synchronized int readWithStrategy(ReaderStrategy strategy) throws IOException {
    dfsClient.checkOpen();
    if (closed.get()) {
      ownFile.require();
    }
    long position = getPos();
    if (closed.get() || position >= getFileLength() || strategy.getTargetLength() == 0
        || isBeingWritten(position)) {
      return super.readWithStrategy(strategy);
    }
    ownFile.require();
    LocatedGroup group = groupAt(position);
    if (ownGroup == group.id().groupId || groups.isBeyondStock(group)) {
      try {
        return reads.read(group, known -> readStripe(known, position, strategy));
      } catch (UntrustedBytesException e) {
        throw e;
      } catch (IOException e) {
        return stockAfterAll(strategy, e);
      }
    }
    try {
      inStock = true;
      return ofOwnFile(super.readWithStrategy(strategy));
    } catch (UntrustedBytesException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      if (IoFailures.isInterrupt(e)) {
        // Stock has closed its readers, and has cleared the thread's interrupt flag.
        inStock = false;
        close();
        throw e;
      }
      int done = (int) (getPos() - position);
      if (done > 0) {
        return done;
      }
      if (closed.get() || Thread.currentThread().isInterrupted()) {
        throw e;
      }
      DFSClient.LOG.debug("Stock cannot read {} at {}", src, position, e);
      ownGroup = group.id().groupId;
      try {
        return reads.read(group, known -> readStripe(known, position, strategy));
      } catch (UntrustedBytesException own) {
        throw own;
      } catch (IOException own) {
        own.addSuppressed(e);
        inStock = false;
        return stockAfterAll(strategy, own);
      }
    } finally {
      inStock = false;
    }
  }

  /** Reads as stock does, without giving up slow DataNodes, after this class has failed to read. */
  private int stockAfterAll(ReaderStrategy strategy, IOException why) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw why;
    }
    context.counters.stock();
    PEER_LOG.warn("on as stock", "{} is read at {} as stock does after all", src, getPos(), why);
    try {
      PLAIN.set(true);
      inStock = true;
      return ofOwnFile(super.readWithStrategy(strategy));
    } catch (IOException e) {
      e.addSuppressed(why);
      throw e;
    } finally {
      inStock = false;
      PLAIN.set(false);
    }
  }

  final LocatedGroup groupAt(long position) throws IOException {
    return ofOwnFile(getBlockAt(position));
  }

  /**
   * Returns a group of this stream's file. Stock asks the NameNode by path for groups that it does
   * not know yet. After a conversion, the NameNode answers with groups of the new version, and this
   * stream would decode them with the old code. So for a group that it does not know, this method
   * checks that the path still belongs to this stream's file.
   */
  private LocatedGroup ofOwnFile(LocatedBlock located) throws IOException {
    LocatedGroup group = view(located);
    if (!ownFile.has(group.id().groupId)) {
      synchronized (fetching) {
        ownFile.require();
        synchronized (infoLock) {
          ownFile.named(getLocatedBlocks(), located);
        }
        ownFile.confirm(dfsClient.getLocatedBlocks(src, 0, 1));
      }
    }
    return group;
  }

  private LocatedGroup view(LocatedBlock located) throws UntrustedBytesException {
    if (!(located instanceof LocatedStripedBlock)) {
      throw new UntrustedBytesException("The NameNode gave " + located + " for " + src
          + ", which was a striped file: open it anew", null);
    }
    return new LocatedGroup((LocatedStripedBlock) located, policy);
  }

  /**
   * Stock and this class ask the NameNode by path. If the path now belongs to another file, the
   * NameNode's answer is about that file, and this stream must not read on.
   */
  @Override
  protected LocatedBlock fetchBlockAt(long offset) throws IOException {
    synchronized (fetching) {
      ownFile.require();
      LocatedBlock before;
      synchronized (infoLock) {
        LocatedBlocks known = getLocatedBlocks();
        int index = known.findBlock(offset);
        before = index < 0 || isBeingWritten(offset) ? null : known.get(index);
      }
      LocatedBlock fresh = super.fetchBlockAt(offset);
      if (before != null) {
        // An answer that is no striped group belongs to another file as well. So view() runs inside
        // check(), which then sees its exception.
        ownFile.check(() -> view(before).requireSame(view(fresh)));
      }
      ofOwnFile(fresh);
      return fresh;
    }
  }

  /**
   * Returns {@code read}, or fails if the path now belongs to another file. This check is necessary
   * because Hadoop 3.5 repeats a failed stateful read by itself, and could then return bytes of the
   * other file. If another thread uses this stream at the same time, its calls can have the same
   * effect.
   */
  private int ofOwnFile(int read) throws UntrustedBytesException {
    ownFile.require();
    return read;
  }

  /** Reads from {@code position} at most to the end of the stripe. */
  private int readStripe(LocatedGroup group, long position, ReaderStrategy strategy)
      throws IOException {
    ByteBuffer rest = stripes.at(group, position);
    int read = strategy.readFromBuffer(rest,
        Math.min(strategy.getTargetLength(), rest.remaining()));
    // Stock's stream has a position of its own, which this seek moves.
    seek(position + read);
    return read;
  }

  /**
   * Only stock's stateful reader calls this method: once for each parity unit from which it
   * decodes. So a call shows that stock decodes.
   */
  @Override
  protected synchronized ByteBuffer getParityBuffer() {
    if (!isBeingWritten(getPos())) {
      groups.decodedByStock(new LocatedGroup((LocatedStripedBlock) currentLocatedBlock, policy));
    }
    return super.getParityBuffer();
  }

  @Override
  protected BlockReader getBlockReader(LocatedBlock targetBlock, long offsetInBlock, long length,
      InetSocketAddress targetAddr, StorageType storageType, DatanodeInfo datanode)
      throws IOException {
    if (PLAIN.get() || !guard.isOn()) {
      return super.getBlockReader(targetBlock, offsetInBlock, length, targetAddr, storageType,
          datanode);
    }
    return GuardedBlockReader.open(guard, datanode, () -> super.getBlockReader(targetBlock,
        offsetInBlock, length, targetAddr, storageType, datanode));
  }

  @Override
  protected void addToLocalDeadNodes(DatanodeInfo node) {
    super.addToLocalDeadNodes(node);
    if (node != null) {
      context.health.noteLost(node.getDatanodeUuid());
    }
  }

  @Override
  public synchronized void unbuffer() {
    super.unbuffer();
    stripes.clear();
    groups.clear();
  }

  /**
   * Stock closes a stream when one of its reads fails. But this class may still be able to read,
   * now or when DataNodes have come back. So a close that comes from stock's code closes only
   * stock's readers.
   */
  @Override
  public synchronized void close() throws IOException {
    if (inStock) {
      closeCurrentBlockReaders();
      return;
    }
    if (PLAIN.get()) {
      // A positional read of stock has failed in this thread, and has closed its readers itself.
      return;
    }
    stripes.clear();
    groups.clear();
    super.close();
  }

  /** Gives degraded reads access to package-private methods of Hadoop's stream. */
  private final class UnitHost implements StreamUnitReader.Host {
    @Override
    public BlockReader open(LocatedGroup group, int unit, long offset, long length)
        throws IOException {
      return openPlain(group, unit, offset, length);
    }

    @Override
    public void reportCorrupt(CorruptedBlocks corrupted) {
      reportCheckSumFailure(corrupted, getCurrentBlockLocationsLength(), true);
    }

    @Override
    public LocatedGroup fetch(long offset) throws IOException {
      return view(fetchBlockAt(offset));
    }
  }

  /** Gives classes outside Hadoop's package access to the file. */
  private final class WholeFile
      implements ComputedChecksum.ChecksummedFile, StripeReader.StripedFile {
    @Override
    public LocatedGroup groupAt(long position) throws IOException {
      return PprStripedInputStream.this.groupAt(position);
    }

    @Override
    public boolean isReadable(long position) {
      return position < getFileLength() && !isBeingWritten(position);
    }

    @Override
    public void stripeRead() {
      uncounted.count();
    }

    @Override
    public void readFully(long position, byte[] buffer, int length) throws IOException {
      // pread() returns the bytes of the file's version, without updates that are not committed
      // yet, also in a stream that shows such updates to its readers.
      if (pread(position, ByteBuffer.wrap(buffer, 0, length)) < length) {
        throw new EOFException("The file ends before " + (position + length));
      }
    }

    @Override
    public DataChecksum replicaChecksum(LocatedGroup group, int unit) throws IOException {
      try (BlockReader reader = openPlain(group, unit, 0, 1)) {
        return reader.getDataChecksum();
      }
    }
  }
}
