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
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
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
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.hdfs.util.IOUtilsClient;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.client.read.GroupReader;
import org.hdfsppr.client.read.GroupView;
import org.hdfsppr.client.read.SlowGuard;
import org.hdfsppr.client.read.StripeAhead;
import org.hdfsppr.client.read.StripedChecksum;
import org.hdfsppr.client.read.UnitReader;
import org.hdfsppr.client.read.UntrustedBytesException;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
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

  /** For what many reads run into at a time in an outage. */
  private static final PeerLog PEER_LOG = new PeerLog(DFSClient.LOG);

  /** Whether the current thread reads as stock does, slow DataNodes included. */
  private static final ThreadLocal<Boolean> PLAIN = ThreadLocal.withInitial(() -> false);

  private final PprDFSClient client;
  private final ErasureCodingPolicy policy;
  private final GroupReader groups;
  /** Bytes read that the file system's statistics do not have yet, by distance. */
  private final AtomicLongArray uncounted = new AtomicLongArray(DISTANCES);

  /** Held by who asks the NameNode anew, before this stream's other locks. */
  private final Object fetching = new Object();
  /** Why this stream is not its file's any more, or null. */
  private volatile UntrustedBytesException replaced;

  private final SlowGuard guard;
  /** Whether the thread that holds this stream's monitor is in stock's code. */
  private boolean inStock;
  /** The last group that stock could not read, for which it is not tried again. */
  private long ownGroup;
  /** What was read for stateful reads without stock, up to its limit, or null. */
  private ByteBuffer stripe;
  private long stripeStart;
  /** What comes behind it, for one who reads on. */
  private final StripeAhead ahead;

  PprStripedInputStream(PprDFSClient client, String src, boolean verifyChecksum,
      ErasureCodingPolicy policy, LocatedBlocks located, LinearCode code) throws IOException {
    super(client, src, verifyChecksum, policy, located);
    this.client = client;
    this.policy = policy;
    this.guard = new SlowGuard(client.readContext());
    this.groups = new GroupReader(client.readContext(), new Units(), code);
    this.ahead = new StripeAhead(client.readContext(), groups);
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
    if (isBeingWritten(position)) {
      return stockRead(position, buf, length);
    }
    requireOwnFile();
    GroupView group = groupAt(position);
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
      // Another thread may just have been told of another file's blocks.
      requireOwnFile();
      buf.position(buf.position() + some);
      return some;
    } catch (UntrustedBytesException e) {
      throw e;
    } catch (IOException e) {
      if (e instanceof InterruptedIOException && Thread.currentThread().isInterrupted()) {
        throw e;
      }
      PEER_LOG.warn("bytes as stock", "{} bytes at {} of {} are read as stock does after all",
          some, position, src, e);
      client.readContext().counters().stock();
      try {
        return stockRead(position, buf, some);
      } catch (IOException stock) {
        stock.addSuppressed(e);
        throw stock;
      }
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

  /**
   * The checksum of the file's first bytes, computed from the bytes themselves.
   *
   * @param length how many, at most the file's length
   */
  FileChecksum checksum(long length, ChecksumCombineMode mode) throws IOException {
    DataChecksum first = replicaChecksum(groupAt(0));
    StripedChecksum checksum =
        new StripedChecksum(first, policy.getNumDataUnits(), policy.getCellSize());
    byte[] bytes = new byte[CHUNK_BYTES];
    long done = 0;
    while (done < length) {
      GroupView group = groupAt(done);
      if (done > 0 && done == group.start()) {
        requireSame(first, replicaChecksum(group), group);
      }
      int some = (int) Math.min(bytes.length,
          Math.min(length, group.start() + group.bytes()) - done);
      readFully(done, bytes, 0, some);
      checksum.update(bytes, some);
      done += some;
      if (done == length || done == group.start() + group.bytes()) {
        checksum.endGroup();
      }
    }
    return mode == ChecksumCombineMode.COMPOSITE_CRC ? checksum.composite() : checksum.md5();
  }

  private void requireSame(DataChecksum first, DataChecksum checksum, GroupView group)
      throws IOException {
    if (checksum.getBytesPerChecksum() != first.getBytesPerChecksum()
        || checksum.getChecksumType() != first.getChecksumType()) {
      throw new IOException("Group " + group.id() + " of " + src + " has " + checksum
          + ", and the first one " + first + ": the file as a whole has no such checksum");
    }
  }

  /** How the replicas of a group are checksummed. */
  private DataChecksum replicaChecksum(GroupView group) throws IOException {
    IOException last = new IOException("No unit of group " + group.id() + " can be read");
    for (int unit = 0; unit < group.units(); unit++) {
      if (group.unit(unit) == null || group.unitBytes(unit) == 0) {
        continue;
      }
      try (BlockReader reader = open(group, unit, 0, 1)) {
        return reader.getDataChecksum();
      } catch (IOException e) {
        last.addSuppressed(e);
      }
    }
    throw last;
  }

  private BlockReader open(GroupView group, int unit, long offset, long length)
      throws IOException {
    LocatedBlock block = group.unit(unit);
    DatanodeInfo node = block.getLocations()[0];
    InetSocketAddress address = NetUtils.createSocketAddr(
        node.getXferAddr(dfsClient.getConf().isConnectToDnViaHostname()));
    StorageType[] types = block.getStorageTypes();
    return super.getBlockReader(block, offset, length, address,
        types == null || types.length == 0 ? null : types[0], node);
  }

  /** The last group of a file that is being written has no length that could be relied on. */
  private boolean isBeingWritten(long position) {
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
   * As stock does, as long as stock can: one lost unit costs a sequential reader of an MDS code
   * nothing, because k units are read either way. Otherwise from a stripe of our own.
   */
  @Override
  protected synchronized int readWithStrategy(ReaderStrategy strategy) throws IOException {
    dfsClient.checkOpen();
    long position = getPos();
    if (closed.get() || position >= getFileLength() || strategy.getTargetLength() == 0
        || isBeingWritten(position)) {
      return super.readWithStrategy(strategy);
    }
    requireOwnFile();
    GroupView group = groupAt(position);
    if (ownGroup == group.id().groupId() || groups.isBeyondStock(group)) {
      try {
        return readStripe(group, position, strategy);
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
      if (PprDFSClient.isInterrupt(e)) {
        // Stock has closed the stream, and cleared the thread's flag.
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
      ownGroup = group.id().groupId();
      try {
        return readStripe(group, position, strategy);
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

  /** The last resort: stock, however long it takes, and with what it does when it fails. */
  private int stockAfterAll(ReaderStrategy strategy, IOException why) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw why;
    }
    client.readContext().counters().stock();
    PEER_LOG.warn("on as stock", "{} is read at {} as stock does after all", src, getPos(), why);
    try {
      PLAIN.set(true);
      return ofOwnFile(super.readWithStrategy(strategy));
    } catch (IOException e) {
      e.addSuppressed(why);
      throw e;
    } finally {
      PLAIN.set(false);
    }
  }

  private GroupView groupAt(long position) throws IOException {
    return view(getBlockAt(position));
  }

  private GroupView view(LocatedBlock located) throws UntrustedBytesException {
    if (!(located instanceof LocatedStripedBlock)) {
      throw new UntrustedBytesException("The NameNode gave " + located + " for " + src
          + ", which was a striped file: open it anew", null);
    }
    return new GroupView((LocatedStripedBlock) located, policy);
  }

  /**
   * The NameNode is asked by path, by us and by stock, and takes what it says for this file's: so
   * if the path has become another file's, that is the end of this stream.
   */
  @Override
  protected LocatedBlock fetchBlockAt(long offset) throws IOException {
    synchronized (fetching) {
      requireOwnFile();
      LocatedBlock before;
      synchronized (infoLock) {
        LocatedBlocks known = getLocatedBlocks();
        int index = known.findBlock(offset);
        before = index < 0 || isBeingWritten(offset) ? null : known.get(index);
      }
      LocatedBlock fresh = super.fetchBlockAt(offset);
      if (before != null) {
        try {
          view(before).requireSame(view(fresh));
        } catch (UntrustedBytesException e) {
          replaced = e;
          throw e;
        }
      }
      return fresh;
    }
  }

  /** Hadoop 3.5 reads on where it was told of another file's blocks, and so may other threads. */
  private int ofOwnFile(int read) throws UntrustedBytesException {
    requireOwnFile();
    return read;
  }

  private void requireOwnFile() throws UntrustedBytesException {
    UntrustedBytesException why = replaced;
    if (why != null) {
      throw new UntrustedBytesException(why.getMessage(), why);
    }
  }

  /** Reads up to the end of the stripe. */
  private int readStripe(GroupView group, long position, ReaderStrategy strategy)
      throws IOException {
    if (stripe == null || position < stripeStart
        || position >= stripeStart + stripe.limit()) {
      boolean readsOn = stripe != null && position == stripeStart + stripe.limit();
      int length = restOfStripe(group, position);
      stripe = null;
      try {
        ByteBuffer bytes = ahead.take(group, position - group.start(), length);
        if (bytes == null) {
          bytes = ByteBuffer.allocate(length);
          groups.read(group, position - group.start(), bytes);
          bytes.flip();
        }
        stripe = bytes;
      } finally {
        countReads();
      }
      stripeStart = position;
      if (readsOn) {
        readAhead(group, position + length);
      }
    }
    ByteBuffer rest = stripe.duplicate();
    rest.position((int) (position - stripeStart));
    int read = strategy.readFromBuffer(rest,
        Math.min(strategy.getTargetLength(), rest.remaining()));
    // Stock's own state follows.
    seek(position + read);
    return read;
  }

  private int restOfStripe(GroupView group, long position) {
    long from = position - group.start();
    long stripeBytes = (long) policy.getCellSize() * policy.getNumDataUnits();
    return (int) (Math.min(group.bytes(), (from / stripeBytes + 1) * stripeBytes) - from);
  }

  /** Has the stripe at {@code position} read while the reader uses the one before. */
  private void readAhead(GroupView group, long position) {
    if (position >= getFileLength() || isBeingWritten(position)) {
      return;
    }
    GroupView next = group;
    if (position >= group.start() + group.bytes()) {
      try {
        next = groupAt(position);
      } catch (IOException e) {
        // It is the reader's to know when it gets there, if it does.
        DFSClient.LOG.debug("{} is not read ahead at {}", src, position, e);
        return;
      }
      if (!groups.isBeyondStock(next)) {
        return;
      }
    }
    ahead.begin(next, position - next.start(), restOfStripe(next, position));
  }

  @Override
  protected BlockReader getBlockReader(LocatedBlock targetBlock, long offsetInBlock, long length,
      InetSocketAddress targetAddr, StorageType storageType, DatanodeInfo datanode)
      throws IOException {
    if (PLAIN.get() || !guard.isOn()) {
      return super.getBlockReader(targetBlock, offsetInBlock, length, targetAddr, storageType,
          datanode);
    }
    AtomicReference<BlockReader> made = new AtomicReference<>();
    try {
      guard.run(datanode.getDatanodeUuid(), 1, nothing -> {
        made.set(super.getBlockReader(targetBlock, offsetInBlock, length, targetAddr, storageType,
            datanode));
        return null;
      }, () -> closeLate(made.get()));
    } catch (SlowGuard.SlowException | SlowGuard.LeftException e) {
      // Whoever opens it closes it.
      throw e;
    } catch (IOException e) {
      closeLate(made.get());
      throw e;
    }
    return new GuardedBlockReader(made.get(), datanode, guard);
  }

  private static void closeLate(BlockReader reader) {
    if (reader == null) {
      return;
    }
    try {
      reader.close();
    } catch (IOException e) {
      DFSClient.LOG.debug("The reader of a slow DataNode did not close cleanly", e);
    }
  }

  @Override
  protected void addToLocalDeadNodes(DatanodeInfo node) {
    super.addToLocalDeadNodes(node);
    if (node != null && client.readContext() != null) {
      client.readContext().health().noteLost(node.getDatanodeUuid());
    }
  }

  @Override
  public synchronized void unbuffer() {
    super.unbuffer();
    stripe = null;
    ahead.clear();
    groups.clear();
  }

  /** Stock closes a stream when a read fails; if we can go on, only its readers. */
  @Override
  public synchronized void close() throws IOException {
    if (inStock) {
      closeCurrentBlockReaders();
      return;
    }
    stripe = null;
    ahead.clear();
    groups.clear();
    super.close();
  }

  /** What degraded reads want of this stream. */
  private final class Units implements UnitReader {
    @Override
    public void readUnit(GroupView group, int unit, long offset, ByteBuffer dst, Reading reading)
        throws IOException {
      LocatedBlock block = group.unit(unit);
      DatanodeInfo node = block.getLocations()[0];
      int length = dst.remaining();
      reading.checkWanted();
      try (BlockReader reader = openWithKey(group, unit, offset, length)) {
        while (dst.hasRemaining()) {
          // The reader is this thread's to close: Hadoop's are not made to be closed by others.
          reading.checkWanted();
          int read = reader.read(dst);
          if (read < 0) {
            throw new EOFException("Unit " + unit + " of " + group.id() + " ends before byte "
                + (offset + length));
          }
          reading.arrived(read);
        }
        IOUtilsClient.updateReadStatistics(readStatistics, length, reader);
        count(length, reader.getNetworkDistance());
      } catch (ChecksumException e) {
        CorruptedBlocks corrupted = new CorruptedBlocks();
        corrupted.addCorruptedBlock(block.getBlock(), node);
        reportCheckSumFailure(corrupted, getCurrentBlockLocationsLength(), true);
        throw e;
      }
    }

    /** Encryption keys grow old, and DataNodes that are restarted forget them. */
    private BlockReader openWithKey(GroupView group, int unit, long offset, int length)
        throws IOException {
      try {
        return open(group, unit, offset, length);
      } catch (InvalidEncryptionKeyException e) {
        DFSClient.LOG.debug("A new encryption key is fetched for {}", src, e);
        dfsClient.clearDataEncryptionKey();
        return open(group, unit, offset, length);
      }
    }

    @Override
    public GroupView refresh(GroupView group) throws IOException {
      return view(fetchBlockAt(group.start()));
    }

    @Override
    public boolean isTokenExpired(IOException e) {
      // The second one is what replicas that are read without their DataNode say.
      return e instanceof InvalidBlockTokenException || e instanceof SecretManager.InvalidToken
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
