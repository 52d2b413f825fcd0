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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataEncryptionKeyFactory;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.stream.UnreachableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects a client to the servers that hdfs-ppr's plugins run on DataNodes, each at the DataNode's
 * repair port. It secures the connections as stock secures connections to data transfer ports: it
 * uses SASL or encryption as the cluster is configured, and the block's token as the credential.
 */
@InterfaceAudience.Private
public final class ClientConnector implements TransferConnector {
  private static final Logger LOG = LoggerFactory.getLogger(ClientConnector.class);

  private final SocketFactory sockets;
  private final SaslDataTransferClient sasl;
  private final DataEncryptionKeyFactory keys;
  private final Runnable forgetKey;
  private final boolean viaHostName;
  private final int timeoutMs;

  /**
   * @param sockets makes sockets
   * @param sasl secures connections
   * @param keys returns the key with which connections are encrypted, and caches this key for a
   *     while
   * @param forgetKey makes {@code keys} fetch a new key next time
   * @param viaHostName whether to connect to DataNodes by host name instead of IP address
   * @param timeoutMs the time limit for connecting, and again for each step of the handshake,
   *     milliseconds
   */
  public ClientConnector(SocketFactory sockets, SaslDataTransferClient sasl,
      DataEncryptionKeyFactory keys, Runnable forgetKey, boolean viaHostName, int timeoutMs) {
    this.sockets = sockets;
    this.sasl = sasl;
    this.keys = keys;
    this.forgetKey = forgetKey;
    this.viaHostName = viaHostName;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Connects to a node. Encryption keys expire, and restarted DataNodes forget them. So if the node
   * refuses the key, this method fetches a new key and tries once more.
   */
  @Override
  public TransferConnection connect(NodeRef node, ExtendedBlock block,
      Token<BlockTokenIdentifier> token)
      throws IOException {
    try {
      return connect(node, token);
    } catch (InvalidEncryptionKeyException e) {
      LOG.debug("A new encryption key is fetched for {}", node, e);
      forgetKey.run();
      return connect(node, token);
    }
  }

  private TransferConnection connect(NodeRef node, Token<BlockTokenIdentifier> token)
      throws IOException {
    Socket socket = sockets.createSocket();
    boolean connected = false;
    try {
      socket.setTcpNoDelay(true);
      connect(socket, node);
      // Hadoop uses no SASL on privileged ports. The client finds the port in this id, and the
      // DataNode looks at the port that the client has reached. Both must come to the same result,
      // so the id has the repair port in place of the data transfer port.
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

  private void connect(Socket socket, NodeRef node) throws UnreachableException {
    InetSocketAddress address = NetUtils.createSocketAddrForHost(
        viaHostName ? node.hostName : node.ipAddr, node.repairPort);
    try {
      NetUtils.connect(socket, address, timeoutMs);
    } catch (IOException e) {
      throw new UnreachableException(e);
    }
  }
}
