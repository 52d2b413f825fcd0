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
package org.hdfsppr.wire;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * Lets a node write a block for a caller. A grant contains the block token that proves the caller's
 * right, and the storage that the NameNode chose for the replica. Stock's WRITE_BLOCK request has
 * the same fields. Immutable.
 */
@InterfaceAudience.Private
public final class WriteGrant {
  private final Token<BlockTokenIdentifier> token;
  private final StorageType storageType;
  private final String storageId;

  /**
   * @param token a block token with the access mode WRITE, for the block, the storage type and the
   *     storage
   * @param storageType the storage type that the NameNode chose
   * @param storageId id of the storage that the NameNode chose; may be empty
   */
  public WriteGrant(Token<BlockTokenIdentifier> token, StorageType storageType,
      String storageId) {
    this.token = Objects.requireNonNull(token, "token");
    this.storageType = Objects.requireNonNull(storageType, "storageType");
    this.storageId = Objects.requireNonNull(storageId, "storageId");
  }

  /** @return a block token with the access mode WRITE */
  public Token<BlockTokenIdentifier> token() {
    return token;
  }

  /** @return the storage type that the NameNode chose */
  public StorageType storageType() {
    return storageType;
  }

  /** @return id of the storage that the NameNode chose; may be empty */
  public String storageId() {
    return storageId;
  }
}
