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
package org.hdfsppr.client.spread;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.Time;
import org.hdfsppr.operate.SpreadMove;

/**
 * Moves blocks as HDFS's balancer does: it asks the DataNode that gets a block to fetch it from the
 * one that has it. That DataNode verifies the checksums, and tells the NameNode which replica to
 * delete. DataNodes keep to {@code dfs.datanode.balance.bandwidthPerSec}. Thread-safe.
 */
@InterfaceAudience.Private
public final class DataNodeMover implements BlockMover, Closeable {
  /** How long a move may take, ms: as long as the balancer allows for one round of its moves. */
  private static final long MOVE_MS_MAX = TimeUnit.MINUTES.toMillis(20);
  /** A request and an answer have some hundred bytes. */
  private static final int BUFFER_BYTES = 4 << 10;

  private final DFSClient client;
  private final boolean usesNames;

  private DataNodeMover(DFSClient client, boolean usesNames) {
    this.client = client;
    this.usesNames = usesNames;
  }

  /**
   * Opens a mover for the default file system of a configuration.
   *
   * @param conf the client's configuration
   * @return the mover, which the caller has to close
   * @throws IOException if the file system cannot be opened
   */
  public static DataNodeMover open(Configuration conf) throws IOException {
    return new DataNodeMover(new DFSClient(FileSystem.getDefaultUri(conf), conf),
        conf.getBoolean(HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT));
  }

  @Override
  public void move(SpreadMove move) throws IOException {
    long beginMs = Time.monotonicNow();
    try (Peer peer = client.newConnectedPeer(
            NetUtils.createSocketAddr(move.to().getXferAddr(usesNames)), move.token(), move.to());
        DataOutputStream out = new DataOutputStream(
            new BufferedOutputStream(peer.getOutputStream(), BUFFER_BYTES));
        DataInputStream in = new DataInputStream(
            new BufferedInputStream(peer.getInputStream(), BUFFER_BYTES))) {
      new Sender(out).replaceBlock(move.block(), move.type(), move.token(),
          move.from().getDatanodeUuid(), move.from(), null);
      BlockOpResponseProto answer;
      do {
        answer = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
        if (Time.monotonicNow() - beginMs > MOVE_MS_MAX) {
          throw new SocketTimeoutException("The DataNode has not ended the move within "
              + TimeUnit.MILLISECONDS.toMinutes(MOVE_MS_MAX) + " min");
        }
        // While the move goes on, the DataNode sends this status from time to time.
      } while (answer.getStatus() == Status.IN_PROGRESS);
      DataTransferProtoUtil.checkBlockOpStatus(answer, move.toString(), true);
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
