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

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.client.impl.BlockReaderRemote;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.stream.UnitSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a replica on a DataNode that does not run hdfs-ppr, with stock's READ_BLOCK. Verifies the
 * bytes by the checksums that come with them.
 *
 * <p>The serving DataNode streams from the first byte asked for to the end. Reads can therefore
 * only go forward, and bytes that the reader skips cross the network too.
 */
@InterfaceAudience.Private
public final class StockReadSource implements UnitSource {
  private static final Logger LOG = LoggerFactory.getLogger(StockReadSource.class);

  /**
   * The network distance that this class passes to stock's reader. Stock uses it only to label
   * client statistics.
   */
  private static final int UNKNOWN_DISTANCE = -1;

  private final BadReplicas badReplicas;
  private final DatanodeInfo source;
  private final ExtendedBlock block;
  private final StockConnection connection;
  private final BlockReader reader;
  /** Type and chunk size of the checksums that the source stores */
  public final DataChecksum checksum;
  private long pos;
  private long bytesRead;
  private boolean reported;
  private boolean closed;

  private StockReadSource(BadReplicas badReplicas, DatanodeInfo source, ExtendedBlock block,
      StockConnection connection, BlockReader reader, long startOffset) {
    this.badReplicas = badReplicas;
    this.source = source;
    this.block = block;
    this.connection = connection;
    this.reader = reader;
    this.checksum = reader.getDataChecksum();
    this.pos = startOffset;
  }

  /**
   * Opens a replica with a token that {@code dn} makes, and reports corruption to the NameNode.
   *
   * @param dn the DataNode that reads
   * @param source the DataNode that has the replica
   * @param block the block, with the length of the unit
   * @param startOffset the first byte to read
   * @param socketTimeoutMs the longest wait for the connection, for every read and for every write,
   *     ms
   * @return the open source
   * @throws IOException if {@code source} cannot be reached or refuses
   */
  public static StockReadSource open(DataNode dn, DatanodeInfo source, ExtendedBlock block,
      long startOffset, int socketTimeoutMs) throws IOException {
    return open(dn, source, block, startOffset, socketTimeoutMs, new NameNodeReports(dn));
  }

  /**
   * Opens a replica with a token that {@code dn} makes.
   *
   * @param dn the DataNode that reads
   * @param source the DataNode that has the replica
   * @param block the block, with the length of the unit
   * @param startOffset the first byte to read
   * @param socketTimeoutMs the longest wait for the connection, for every read and for every write,
   *     ms
   * @param badReplicas takes the report if the replica is corrupt
   * @return the open source
   * @throws IOException if {@code source} cannot be reached or refuses
   */
  public static StockReadSource open(DataNode dn, DatanodeInfo source, ExtendedBlock block,
      long startOffset, int socketTimeoutMs, BadReplicas badReplicas) throws IOException {
    Token<BlockTokenIdentifier> token = dn.getBlockAccessToken(block,
        EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]);
    return open(dn, source, block, token, startOffset, socketTimeoutMs, badReplicas);
  }

  /**
   * Connects and asks for the bytes from {@code startOffset} to the end of the unit.
   *
   * @param dn the DataNode that reads
   * @param source the DataNode that has the replica
   * @param block the block, with the length of the unit
   * @param token the token that permits the read. A DataNode that reads for a caller passes on the
   *     caller's token, so that the caller gets no rights from the DataNode.
   * @param startOffset the first byte to read
   * @param socketTimeoutMs the longest wait for the connection, for every read and for every write,
   *     ms
   * @param badReplicas takes the report if the replica is corrupt
   * @return the open source
   * @throws IOException if {@code source} cannot be reached or refuses
   */
  public static StockReadSource open(DataNode dn, DatanodeInfo source, ExtendedBlock block,
      Token<BlockTokenIdentifier> token, long startOffset, int socketTimeoutMs,
      BadReplicas badReplicas) throws IOException {
    ExtendedBlock copy = new ExtendedBlock(block);
    StockConnection connection =
        StockConnection.open(dn, source, copy, token, socketTimeoutMs);
    BlockReader reader = null;
    try {
      reader = BlockReaderRemote.newBlockReader(copy.getBlockName(), copy, token, startOffset,
          copy.getNumBytes() - startOffset, true, "", connection.peer, source, null,
          CachingStrategy.newDefaultStrategy(), UNKNOWN_DISTANCE, dn.getConf());
      return new StockReadSource(badReplicas, source, copy, connection, reader, startOffset);
    } finally {
      if (reader == null) {
        connection.close();
      }
    }
  }

  @Override
  public long length() {
    return block.getNumBytes();
  }

  /** @return the number of bytes received so far, including skipped bytes */
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public void read(long offset, ByteBuffer dst) throws IOException {
    if (closed) {
      throw new IOException("The read of " + block + " from " + source + " is closed");
    }
    if (offset < pos || dst.remaining() > length() - offset) {
      throw new IllegalArgumentException(dst.remaining() + " bytes at " + offset + " of "
          + length() + ", " + pos + " are gone");
    }
    try {
      skipTo(offset);
      while (dst.hasRemaining()) {
        int n = reader.read(dst);
        if (n < 0) {
          throw endsBefore(offset + dst.remaining());
        }
        advance(n);
      }
    } catch (ChecksumException e) {
      if (!reported) {
        reported = true;
        badReplicas.remote(source, new ExtendedBlock(block), e);
      }
      throw e;
    }
  }

  private void skipTo(long offset) throws IOException {
    while (pos < offset) {
      long n = reader.skip(offset - pos);
      if (n <= 0) {
        throw endsBefore(offset);
      }
      advance(n);
    }
  }

  private void advance(long n) {
    pos += n;
    bytesRead += n;
  }

  private EOFException endsBefore(long needed) {
    return new EOFException(source + " sent " + block + " to byte " + pos + " where at least "
        + needed + " are expected");
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      // Closing the reader also closes the connection. If the connection is encrypted and has
      // unread bytes, the failure is logged.
      IOUtils.cleanupWithLogger(LOG, reader);
      connection.close();
    }
  }
}
