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
package org.hdfsppr.datanode.repair;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.Connection;
import org.hdfsppr.stream.Connector;

/**
 * Connects to the helpers of the repairs that this DataNode runs. Stores in the {@link
 * PeerDirectory} which features each helper announces.
 */
@InterfaceAudience.Private
final class PeerConnector implements Connector {
  private final Connector connector;
  private final PeerDirectory peers;

  PeerConnector(Connector connector, PeerDirectory peers) {
    this.connector = connector;
    this.peers = peers;
  }

  @Override
  public Connection connect(NodeRef node, ExtendedBlock block, Token<BlockTokenIdentifier> token)
      throws IOException {
    return connector.connect(node, block, token);
  }

  @Override
  public Connection connectAnew(NodeRef node, ExtendedBlock block,
      Token<BlockTokenIdentifier> token) throws IOException {
    return connector.connectAnew(node, block, token);
  }

  @Override
  public void answered(NodeRef node, long features) {
    peers.noteFeatures(node, features);
  }
}
