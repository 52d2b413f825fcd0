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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.wire.PeerText;

/** Checks block tokens of callers, as stock's data transfer does. Thread-safe. */
@InterfaceAudience.Private
public final class BlockTokenAuthorizer {
  private final DataNode datanode;

  /** @param datanode the DataNode whose NameNodes have made the tokens */
  public BlockTokenAuthorizer(DataNode datanode) {
    this.datanode = datanode;
  }

  /**
   * Returns why a token does not let its bearer read a block, or null if the token permits it.
   * Without block tokens in the cluster, returns null for every token.
   */
  String mayRead(ExtendedBlock block, Token<BlockTokenIdentifier> token) {
    return refusal(block, token, AccessMode.READ);
  }

  /**
   * @param block a block
   * @return whether a caller that names this block has to show a token
   */
  public boolean hasTokens(ExtendedBlock block) {
    // At registration, the NameNode says whether its pool has tokens. Only a pool with tokens is
    // registered with the secret manager.
    String poolId = block.getBlockPoolId();
    return datanode.getBlockPoolTokenSecretManager().isBlockPoolRegistered(poolId)
        || datanode.getConf().getBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_DEFAULT);
  }

  /**
   * @param block a block
   * @param token the token of a caller
   * @param mode what the caller wants to do
   * @return why the token does not permit this; null if it does, or if the cluster has no block
   *     tokens
   */
  public String refusal(ExtendedBlock block, Token<BlockTokenIdentifier> token,
      AccessMode mode) {
    if (!hasTokens(block)) {
      return null;
    }
    try {
      datanode.getBlockPoolTokenSecretManager().checkAccess(token, null, block, mode, null,
          null);
      return null;
    } catch (InvalidToken | RuntimeException e) {
      // Hadoop's check may throw a RuntimeException, such as a NullPointerException, if the
      // identifier is malformed. For the caller this is the same as an invalid token.
      return block + ": " + PeerText.oneLine(e.toString());
    }
  }
}
