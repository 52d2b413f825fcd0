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
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.DFSUtilClient.CorruptedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.hdfs.util.IOUtilsClient;
import org.apache.hadoop.security.token.SecretManager;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.read.UncountedBytes;
import org.hdfsppr.client.read.UnitReader;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;

/**
 * Reads units with Hadoop's block readers. As Hadoop's stream does for its own reads, this class
 * counts the bytes in the stream's statistics, and reports corrupt replicas. Hadoop's members for
 * statistics and reports are package-private, so this class is in Hadoop's package. Thread-safe.
 */
final class StreamUnitReader implements UnitReader {
  /** The methods of the stream that this class calls. */
  interface Host {
    /** Opens a stock block reader for a range of a unit that has a holder. */
    BlockReader open(LocatedGroup group, int unit, long offset, long length) throws IOException;

    /** Reports to the NameNode a replica whose checksums do not match. */
    void reportCorrupt(CorruptedBlocks corrupted);

    /** Asks the NameNode for the group at an offset of the file. */
    LocatedGroup fetch(long offset) throws IOException;
  }

  private final DFSClient client;
  private final Host host;
  private final ReadStatistics statistics;
  private final UncountedBytes uncounted;

  /** @param statistics the stream's statistics */
  StreamUnitReader(DFSClient client, Host host, ReadStatistics statistics,
      UncountedBytes uncounted) {
    this.client = client;
    this.host = host;
    this.statistics = statistics;
    this.uncounted = uncounted;
  }

  @Override
  public void readUnit(LocatedGroup group, int unit, long offset, ByteBuffer dst, Reading reading)
      throws IOException {
    LocatedBlock block = group.unit(unit);
    int length = dst.remaining();
    reading.checkWanted();
    try (BlockReader reader = openWithKey(group, unit, offset, length)) {
      while (dst.hasRemaining()) {
        // Only this thread may close the reader, because Hadoop's readers must not be closed while
        // they read. So this thread checks before each read whether the bytes are still wanted.
        reading.checkWanted();
        int read = reader.read(dst);
        if (read < 0) {
          throw new EOFException("Unit " + unit + " of " + group.id() + " ends before byte "
              + (offset + length));
        }
        reading.arrived(read);
      }
      IOUtilsClient.updateReadStatistics(statistics, length, reader);
      uncounted.add(length, reader.getNetworkDistance());
    } catch (ChecksumException e) {
      CorruptedBlocks corrupted = new CorruptedBlocks();
      corrupted.addCorruptedBlock(block.getBlock(), block.getLocations()[0]);
      host.reportCorrupt(corrupted);
      throw e;
    }
  }

  /**
   * Opens a reader. Encryption keys expire, and restarted DataNodes forget them. So if the DataNode
   * refuses the key, this method fetches a new key and tries once more.
   */
  private BlockReader openWithKey(LocatedGroup group, int unit, long offset, int length)
      throws IOException {
    try {
      return host.open(group, unit, offset, length);
    } catch (InvalidEncryptionKeyException e) {
      DFSClient.LOG.debug("A new encryption key is fetched for {}", group.id(), e);
      client.clearDataEncryptionKey();
      return host.open(group, unit, offset, length);
    }
  }

  @Override
  public LocatedGroup refresh(LocatedGroup group) throws IOException {
    return host.fetch(group.start());
  }

  @Override
  public boolean isTokenExpired(IOException e) {
    // Short-circuit reads bypass the DataNode's data transfer, and fail with InvalidToken.
    return e instanceof InvalidBlockTokenException || e instanceof SecretManager.InvalidToken
        || e instanceof RepairException
            && ((RepairException) e).failureCause == FailureCause.ACCESS_TOKEN;
  }

  @Override
  public void received(long bytes) {
    statistics.addRemoteBytes(bytes);
    uncounted.add(bytes, Integer.MAX_VALUE);
  }
}
