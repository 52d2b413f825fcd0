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
package org.hdfsppr.stream;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.RequestFeatures;

/** Opens connections to the transfer servers of other nodes. Thread-safe. */
@InterfaceAudience.Private
public interface TransferConnector {
  /**
   * Connects and shakes hands within a bounded time.
   *
   * @param node a node that runs hdfs-ppr
   * @param block the block of the request; its token is the credential of the handshake
   * @param token a READ token for the block
   * @return the connection, which the caller has to close
   * @throws UnreachableException if no process listens at the node's address
   * @throws IOException if the handshake fails
   */
  TransferConnection connect(NodeRef node, ExtendedBlock block, Token<BlockTokenIdentifier> token)
      throws IOException;

  /**
   * Like {@link #connect}, but always makes a new connection, even if this connector keeps old
   * ones.
   *
   * @param node a node that runs hdfs-ppr
   * @param block the block of the request; its token is the credential of the handshake
   * @param token a READ token for the block
   * @return the connection, which the caller has to close
   * @throws UnreachableException if no process listens at the node's address
   * @throws IOException if the handshake fails
   */
  default TransferConnection connectAnew(NodeRef node, ExtendedBlock block,
      Token<BlockTokenIdentifier> token) throws IOException {
    return connect(node, block, token);
  }

  /**
   * Receives the {@link RequestFeatures} that an answer announces for its sender. The default
   * ignores the features, because only nodes that plan repairs use them.
   *
   * @param node the node that has answered
   * @param features bits of {@link RequestFeatures}, or {@link RequestFeatures#UNSAID}
   */
  default void answered(NodeRef node, long features) {
    // The default ignores the answer.
  }
}
