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

import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockChecksumOptions;
import org.apache.hadoop.hdfs.protocol.BlockChecksumType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.stream.UnitSink;

/**
 * Sends a rebuilt unit to another DataNode with stock's WRITE_BLOCK, as stock's own reconstruction
 * does. The receiver keeps the replica temporary until the last packet arrives. If the connection
 * ends before that, the receiver drops the bytes that it has.
 *
 * <pre>
 *   packet  | lengths, header | sums of the chunks | data: up to packetData's capacity |
 *   ...
 *   packet  | lengths, header |  an empty one: the end
 * </pre>
 *
 * <p>A receiver acknowledges nothing to another DataNode, neither the packets nor the finished
 * replica, so stock's writer does not know whether its block arrived. {@link #commit} finds out. It
 * waits until the receiver closes the connection, which the receiver does after success and after
 * failure. It then asks the receiver for the checksums of the finalised replica, which must equal
 * the checksums that the sink sent.
 */
@InterfaceAudience.Private
public final class StockWriteSink implements UnitSink {
  /** Stock's packet size for reconstruction, header included. */
  private static final int PACKET_BYTES = 64 * 1024;

  private final DataNode dn;
  private final DatanodeInfo target;
  private final ExtendedBlock block;
  private final Timeouts timeouts;
  private final StockConnection connection;
  private final DataOutputStream out;
  private final ChunkSums sums;
  // The sink has its own digest. Hadoop's MD5Hash shares one digest among all its users in a
  // thread, and a repair may have several of these sinks.
  private final MessageDigest md5OfSums = newMd5();
  private final ByteBuffer packetData;
  private final ByteBuffer packetSums;
  private final boolean synced;
  private long sequence;
  private long sent;
  private boolean ended;
  private boolean closed;

  private StockWriteSink(DataNode dn, DatanodeInfo target, ExtendedBlock block,
      Timeouts timeouts, StockConnection connection, ChunkSums sums, boolean synced) {
    this.synced = synced;
    this.dn = dn;
    this.target = target;
    this.block = block;
    this.timeouts = timeouts;
    this.connection = connection;
    this.out = connection.out;
    this.sums = sums;
    int chunksPerPacket = Math.max(1, (PACKET_BYTES - PacketHeader.PKT_MAX_HEADER_LEN)
        / (sums.bytesPerChecksum + sums.sumSize()));
    this.packetData = ByteBuffer.allocate(chunksPerPacket * sums.bytesPerChecksum);
    this.packetSums = ByteBuffer.allocate(chunksPerPacket * sums.sumSize());
  }

  private static MessageDigest newMd5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  /**
   * Connects and asks {@code target} to receive the replica.
   *
   * @param dn the DataNode that sends the unit
   * @param target the DataNode that is to store the replica
   * @param block the block, with the generation stamp and the length that the replica is to have
   * @param storageType the kind of storage that the NameNode chose
   * @param storageId the storage that the NameNode chose
   * @param checksum type and chunk size of the checksums of the other replicas of the group
   * @param timeouts how long this node waits for the target
   * @param synced whether the target is to force the replica's files to its disk before it
   *     finalises the replica. The target then also forces the directory, but ignores errors of
   *     that. It reports neither success nor failure of these steps
   * @return a sink that has taken no data yet
   * @throws IOException if the target cannot be reached. A refusal shows only in a later call.
   */
  public static StockWriteSink open(DataNode dn, DatanodeInfo target, ExtendedBlock block,
      StorageType storageType, String storageId, DataChecksum checksum, Timeouts timeouts,
      boolean synced) throws IOException {
    ExtendedBlock copy = new ExtendedBlock(block);
    ChunkSums sums = ChunkSums.of(checksum);
    Token<BlockTokenIdentifier> token = dn.getBlockAccessToken(copy,
        EnumSet.of(AccessMode.WRITE), new StorageType[] {storageType}, new String[] {storageId});
    StockConnection connection = StockConnection.open(dn, target, copy, token, timeouts.socketMs);
    boolean asked = false;
    try {
      DatanodeInfo self = new DatanodeInfoBuilder().setNodeID(dn.getDatanodeId()).build();
      new Sender(connection.out).writeBlock(copy, storageType, token, "",
          new DatanodeInfo[] {target}, new StorageType[] {storageType}, self,
          BlockConstructionStage.PIPELINE_SETUP_CREATE, 0, 0, 0, 0, checksum,
          CachingStrategy.newDefaultStrategy(), false, false, null, storageId,
          new String[] {storageId});
      asked = true;
      return new StockWriteSink(dn, target, copy, timeouts, connection, sums, synced);
    } finally {
      if (!asked) {
        connection.close();
      }
    }
  }

  /**
   * Returns how long a target may take, after all bytes have been sent, to sync the replica to its
   * disk and to read back its checksums, milliseconds. A stock pipeline waits for the next DataNode
   * for the same time. This bound is far longer than the bound for a pause while the sink sends
   * bytes, because at the end the target may have to write all cached bytes of the replica to a
   * busy disk.
   *
   * @param dn the DataNode that sends the unit, whose settings apply
   * @return the time, more than 0 ms
   */
  public static int endTimeoutMs(DataNode dn) {
    int configured = dn.getDnConf().getSocketTimeout();
    // For stock, 0 means no bound. In hdfs-ppr every wait has a bound.
    return Math.min(Integer.MAX_VALUE - HdfsConstants.READ_TIMEOUT_EXTENSION,
        configured > 0 ? configured : HdfsConstants.READ_TIMEOUT)
        + HdfsConstants.READ_TIMEOUT_EXTENSION;
  }

  /** @return the number of bytes of data sent so far */
  public long bytesWritten() {
    return sent;
  }

  @Override
  public void write(ByteBuffer data) throws IOException {
    if (ended || closed) {
      throw new IOException("The replica of " + block + " takes no more data");
    }
    long before = sent + packetData.position();
    if (data.remaining() > block.getNumBytes() - before) {
      throw new IOException(String.format("%d bytes after %d are more than %s is to have (%d)",
          data.remaining(), before, block, block.getNumBytes()));
    }
    int end = data.limit();
    while (data.position() < end) {
      data.limit(data.position() + Math.min(end - data.position(), packetData.remaining()));
      packetData.put(data);
      data.limit(end);
      if (!packetData.hasRemaining()) {
        sendPacket();
      }
    }
  }

  private void sendPacket() throws IOException {
    packetData.flip();
    int length = packetData.remaining();
    packetSums.clear();
    sums.update(packetData, packetSums);
    sums.finish(packetSums);
    packetSums.flip();
    md5OfSums.update(packetSums.array(), 0, packetSums.limit());
    try {
      header(packetSums.limit(), length, false).write(out);
      out.write(packetSums.array(), 0, packetSums.limit());
      out.write(packetData.array(), 0, length);
    } catch (IOException e) {
      throw notSent(e);
    }
    sent += length;
    packetData.clear();
  }

  private PacketHeader header(int sumsLength, int dataLength, boolean last) {
    return new PacketHeader(
        Integer.BYTES + sumsLength + dataLength, sent, sequence++, last, dataLength,
        last && synced);
  }

  private IOException notSent(IOException e) {
    return new IOException("Could not send " + block + " to " + target + " after " + sent
        + " bytes; it may have refused them", e);
  }

  @Override
  public void commit() throws IOException {
    if (ended || closed) {
      throw new IOException("The replica of " + block + " is committed or closed already");
    }
    ended = true;
    if (packetData.position() > 0) {
      sendPacket();
    }
    if (sent != block.getNumBytes()) {
      throw new IOException(String.format("%s is to have %d bytes; %d were written",
          block, block.getNumBytes(), sent));
    }
    try {
      header(0, 0, true).write(out);
      out.flush();
    } catch (IOException e) {
      throw notSent(e);
    }
    awaitReceiver();
    close();
    RemoteSums stored = RemoteSums.ask(dn, target, block, timeouts);
    if (!stored.matches(sums.bytesPerChecksum, sumsSent(), md5OfSums.digest())) {
      throw new IOException(target + " has " + stored + " for " + block
          + "; they are not the ones that were sent");
    }
  }

  private long sumsSent() {
    return sums.sumSize() == 0 ? 0 : sums.sumsSize(sent) / sums.sumSize();
  }

  /**
   * Waits until the receiver closes the connection. The receiver does so when it has finished,
   * whether it has kept the replica or not.
   */
  private void awaitReceiver() throws IOException {
    try {
      connection.peer.setReadTimeout(timeouts.endMs);
      int answer = connection.in.read();
      if (answer >= 0) {
        throw new IOException(target + " answers a write that has no answer: byte " + answer);
      }
    } catch (EOFException e) {
      // An encrypted stream ends with this exception; any other stream ends with -1.
      return;
    } catch (SocketTimeoutException e) {
      throw new IOException(target + " did not finish " + block + " within " + timeouts.endMs
          + " ms; whether it keeps it is not known", e);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      connection.close();
    }
  }

  /** How long this node waits for the DataNode that is to store a replica. Immutable. */
  public static final class Timeouts {
    final int socketMs;
    final int endMs;

    /**
     * @param socketMs the longest wait for the connection, and for every write, ms
     * @param endMs how long the target may take after the sink has sent all bytes, ms; see {@link
     *     StockWriteSink#endTimeoutMs}
     */
    public Timeouts(int socketMs, int endMs) {
      this.socketMs = socketMs;
      this.endMs = endMs;
    }
  }

  /**
   * The number and the MD5 of the checksums that another DataNode has stored for a replica. Stock's
   * BLOCK_CHECKSUM fetches them.
   */
  static final class RemoteSums {
    private final int bytesPerChecksum;
    private final long count;
    private final byte[] md5;

    private RemoteSums(int bytesPerChecksum, long count, byte[] md5) {
      this.bytesPerChecksum = bytesPerChecksum;
      this.count = count;
      this.md5 = md5;
    }

    /**
     * Asks {@code node} for the checksums of a replica.
     *
     * @param timeouts how long this node waits; the other node first reads the sums from its disk
     * @throws IOException if the node has no readable replica of {@code block} or does not answer
     */
    static RemoteSums ask(DataNode dn, DatanodeInfo node, ExtendedBlock block, Timeouts timeouts)
        throws IOException {
      Token<BlockTokenIdentifier> token = dn.getBlockAccessToken(block,
          EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]);
      try (StockConnection connection =
          StockConnection.open(dn, node, block, token, timeouts.socketMs)) {
        new Sender(connection.out).blockChecksum(
            block, token, new BlockChecksumOptions(BlockChecksumType.MD5CRC));
        connection.peer.setReadTimeout(timeouts.endMs);
        BlockOpResponseProto reply =
            BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(connection.in));
        DataTransferProtoUtil.checkBlockOpStatus(reply, "checksum of " + block + " at " + node);
        OpBlockChecksumResponseProto sums = reply.getChecksumResponse();
        return new RemoteSums(
            sums.getBytesPerCrc(), sums.getCrcPerBlock(), sums.getBlockChecksum().toByteArray());
      }
    }

    boolean matches(int expectedBytesPerChecksum, long expectedCount, byte[] expectedMd5) {
      return bytesPerChecksum == expectedBytesPerChecksum && count == expectedCount
          && Arrays.equals(md5, expectedMd5);
    }

    @Override
    public String toString() {
      return count + " sums of " + bytesPerChecksum + " bytes each";
    }
  }
}
