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

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to another DataNode's stock transfer port. This class opens the connection as stock
 * does for erasure coding: with this DataNode's socket factory, with SASL by the block's token or
 * encryption key, and with one timeout for connecting, for a read and for a write.
 */
final class StockConnection implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(StockConnection.class);

  final Peer peer;
  final DataOutputStream out;
  final DataInputStream in;

  private StockConnection(Peer peer, DataOutputStream out, DataInputStream in) {
    this.peer = peer;
    this.out = out;
    this.in = in;
  }

  static StockConnection open(DataNode dn, DatanodeInfo node, ExtendedBlock block,
      Token<BlockTokenIdentifier> token, int timeoutMs) throws IOException {
    InetSocketAddress address = NetUtils.createSocketAddr(
        node.getXferAddr(dn.getDnConf().getConnectToDnViaHostname()));
    Socket socket = null;
    Peer peer = null;
    StockConnection connection = null;
    try {
      socket = dn.newSocket();
      NetUtils.connect(socket, address, timeoutMs);
      socket.setTcpNoDelay(dn.getDnConf().getDataTransferServerTcpNoDelay());
      peer = DFSUtilClient.peerFromSocketAndKey(dn.getSaslClient(), socket,
          dn.getDataEncryptionKeyFactoryForBlock(block), token, node, timeoutMs);
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(
          peer.getOutputStream(), DFSUtilClient.getSmallBufferSize(dn.getConf())));
      connection = new StockConnection(peer, out, new DataInputStream(peer.getInputStream()));
      return connection;
    } finally {
      if (connection == null) {
        IOUtils.cleanupWithLogger(null, peer);
        IOUtils.closeSocket(socket);
      }
    }
  }

  /**
   * Closes the socket, and drops bytes that are still in the output buffer. An encrypted stream
   * then finds the socket closed and fails to flush its bytes, as intended.
   */
  @Override
  public void close() {
    IOUtils.cleanupWithLogger(LOG, peer);
  }
}
