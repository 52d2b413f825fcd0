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
package org.hdfsppr.namenode.update;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.TrustedChannelResolver;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataEncryptionKeyFactory;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataTransferSaslUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.stream.UnreachableException;

/**
 * Connects the NameNode to the ports of this software on DataNodes, with the SASL handshake that
 * stock's balancer uses. Thread-safe.
 */
@InterfaceAudience.Private
public final class NodeConnector implements TransferConnector {
  private final SaslDataTransferClient sasl;
  private final DataEncryptionKeyFactory keys;
  private final boolean viaHostName;
  private final int timeoutMs;

  /**
   * @param conf the NameNode's configuration
   * @param keys makes the key by which a connection is encrypted
   * @param timeoutMs how long connecting may take, and then each step of the handshake, ms
   */
  public NodeConnector(Configuration conf, DataEncryptionKeyFactory keys, int timeoutMs) {
    this.sasl = new SaslDataTransferClient(conf,
        DataTransferSaslUtil.getSaslPropertiesResolver(conf),
        TrustedChannelResolver.getInstance(conf), new AtomicBoolean());
    this.keys = keys;
    this.viaHostName = conf.getBoolean(HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
        HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    this.timeoutMs = timeoutMs;
  }

  @Override
  public TransferConnection connect(NodeRef node, ExtendedBlock block,
      Token<BlockTokenIdentifier> token)
      throws IOException {
    Socket socket = new Socket();
    boolean connected = false;
    try {
      socket.setTcpNoDelay(true);
      InetSocketAddress address = NetUtils.createSocketAddrForHost(
          viaHostName ? node.hostName : node.ipAddr, node.repairPort);
      try {
        NetUtils.connect(socket, address, timeoutMs);
      } catch (IOException e) {
        throw new UnreachableException(e);
      }
      // Hadoop needs no SASL if the data transfer port is privileged. Here, both ends have to apply
      // this rule to the repair port. So the repair port is given as the data transfer port.
      DatanodeID id = new DatanodeID(node.ipAddr, node.hostName, node.uuid,
          node.repairPort, 0, 0, 0);
      Peer peer = DFSUtilClient.peerFromSocketAndKey(sasl, socket, keys, token, id, timeoutMs);
      connected = true;
      return new PeerConnection(peer, socket, peer.getInputStream(), peer.getOutputStream());
    } finally {
      if (!connected) {
        socket.close();
      }
    }
  }
}
