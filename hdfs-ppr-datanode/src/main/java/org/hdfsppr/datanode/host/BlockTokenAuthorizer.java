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

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.Arrays;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.wire.PeerText;

/** Checks block tokens of callers, as stock's data transfer does. Thread-safe. */
final class BlockTokenAuthorizer {
  private final DataNode datanode;

  /** @param datanode the DataNode whose NameNodes have made the tokens */
  BlockTokenAuthorizer(DataNode datanode) {
    this.datanode = datanode;
  }

  /**
   * Returns why a token does not let its bearer read a block, or null if the token does. In a
   * cluster without block tokens, every token does.
   */
  String mayRead(ExtendedBlock block, Token<BlockTokenIdentifier> token) {
    return refusal(block, token, AccessMode.READ);
  }

  /**
   * Returns why the token of a ticket does not speak for it, or null if it does. The identifier of
   * the token, which only a NameNode or a DataNode can make, has to have the block and the mark
   * that the ticket wants. A token that HDFS has made for a block has no such mark. In a cluster
   * without block tokens, a caller must at least name a block pool that this DataNode serves.
   *
   * @param right what the bearer wants to do
   */
  String speaksFor(SignedTicket signed, AccessMode right) {
    ExtendedBlock block = signed.tokenBlock();
    if (!datanode.isBPServiceAlive(block.getBlockPoolId())) {
      return block + ": this DataNode does not serve its block pool";
    }
    if (!hasTokens(block)) {
      return null;
    }
    String refusal = signed.ticket.sealed ? refusal(block, signed.token)
        : refusal(block, signed.token, right);
    if (refusal != null) {
      return refusal;
    }
    try {
      String[] storages = identifier(signed.token).getStorageIds();
      return storages != null && Arrays.asList(storages).contains(signed.mark(right)) ? null
          : block + ": the token is for another purpose";
    } catch (IOException | RuntimeException e) {
      return block + ": " + PeerText.oneLine(e.toString());
    }
  }

  /**
   * Returns why a token without access modes is not a valid one of a block, or null if it is. It
   * checks all that HDFS's own check does, which wants a mode. A token with a mode is none of ours.
   */
  private String refusal(ExtendedBlock block, Token<BlockTokenIdentifier> token) {
    try {
      BlockTokenIdentifier id = identifier(token);
      if (!block.getBlockPoolId().equals(id.getBlockPoolId())
          || block.getBlockId() != id.getBlockId() || !id.getAccessModes().isEmpty()) {
        return block + ": the token is for another purpose";
      }
      // It also finds tokens that have expired.
      byte[] password = datanode.getBlockPoolTokenSecretManager().retrievePassword(id);
      return MessageDigest.isEqual(password, token.getPassword()) ? null
          : block + ": the password of the token is wrong";
    } catch (IOException | RuntimeException e) {
      return block + ": " + PeerText.oneLine(e.toString());
    }
  }

  private static BlockTokenIdentifier identifier(Token<BlockTokenIdentifier> token)
      throws IOException {
    BlockTokenIdentifier id = new BlockTokenIdentifier();
    id.readFields(new DataInputStream(new ByteArrayInputStream(token.getIdentifier())));
    return id;
  }

  private boolean hasTokens(ExtendedBlock block) {
    // At registration, the NameNode says whether its pool has tokens. Only a pool with tokens is
    // registered with the secret manager.
    String poolId = block.getBlockPoolId();
    return datanode.getBlockPoolTokenSecretManager().isBlockPoolRegistered(poolId)
        || datanode.getConf().getBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_DEFAULT);
  }

  private String refusal(ExtendedBlock block, Token<BlockTokenIdentifier> token,
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
