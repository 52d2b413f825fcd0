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
public interface Connector {
  /**
   * Connects and shakes hands within a bounded time.
   *
   * @param node a node that runs the extension
   * @param block the block that the connection is about: its token is the handshake's credential
   * @param token a READ token for it
   * @throws UnreachableException if nobody listens there
   * @throws IOException if the handshake fails
   */
  Connection connect(NodeRef node, ExtendedBlock block, Token<BlockTokenIdentifier> token)
      throws IOException;

  /** The same, and it is a new connection if this connector keeps old ones. */
  default Connection connectAnew(NodeRef node, ExtendedBlock block,
      Token<BlockTokenIdentifier> token) throws IOException {
    return connect(node, block, token);
  }

  /**
   * A node that was connected has answered, and said which {@link RequestFeatures} it knows.
   * A connector on whose side nothing is planned forgets it.
   */
  default void answered(NodeRef node, long features) {
    // There is no planner to tell.
  }
}
