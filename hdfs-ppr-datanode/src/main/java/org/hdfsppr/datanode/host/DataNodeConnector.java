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
package org.hdfsppr.datanode.host;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.stream.UnreachableException;

/**
 * Connects to the transfer servers of other DataNodes as stock connects to their data transfer
 * ports: with the DataNode's socket factory, the cluster's SASL or encryption, and the block's
 * token as the credential. Thread-safe.
 */
@InterfaceAudience.Private
public final class DataNodeConnector implements TransferConnector {
  private final DataNode datanode;
  private final int timeoutMs;

  /**
   * @param datanode the DataNode that opens the connections
   * @param timeoutMs the longest wait for the connection, and for each step of the handshake, ms
   */
  public DataNodeConnector(DataNode datanode, int timeoutMs) {
    this.datanode = datanode;
    this.timeoutMs = timeoutMs;
  }

  @Override
  public TransferConnection connect(NodeRef node, ExtendedBlock block,
      Token<BlockTokenIdentifier> token)
      throws IOException {
    Socket socket = datanode.newSocket();
    Peer peer = null;
    boolean connected = false;
    try {
      connect(socket, node);
      peer = DFSUtilClient.peerFromSocket(socket);
      peer.setReadTimeout(timeoutMs);
      peer.setWriteTimeout(timeoutMs);
      // A privileged port needs no SASL. Both ends must apply that rule to the same port, so the id
      // names the port for repairs instead of stock's.
      DatanodeID id = new DatanodeID(node.ipAddr, node.hostName, node.uuid,
          node.repairPort, 0, 0, 0);
      peer = datanode.getSaslClient().peerSend(peer,
          datanode.getDataEncryptionKeyFactoryForBlock(block), token, id);
      connected = true;
      return new PeerConnection(peer, socket, peer.getInputStream(), peer.getOutputStream());
    } finally {
      if (!connected) {
        if (peer != null) {
          peer.close();
        }
        socket.close();
      }
    }
  }

  private void connect(Socket socket, NodeRef node) throws UnreachableException {
    try {
      NetUtils.connect(socket, address(node), timeoutMs);
    } catch (IOException e) {
      throw new UnreachableException(e);
    }
  }

  private InetSocketAddress address(NodeRef node) {
    String host = datanode.getDnConf().getConnectToDnViaHostname()
        ? node.hostName : node.ipAddr;
    return NetUtils.createSocketAddrForHost(host, node.repairPort);
  }
}
