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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateTicket;

/**
 * Makes the tokens that speak for tickets of updates. Their identifiers have the mark of the ticket
 * among the storages, which no token has that HDFS makes by itself. HDFS accepts those of sealed
 * tickets for nothing, see {@link SignedTicket}. {@link
 * BlockManagerAccess#missing} checks the members that this class needs.
 */
@InterfaceAudience.Private
public final class TicketSigner {
  private TicketSigner() {
  }

  /**
   * @param blocks has the keys
   * @param user short name of the user that bears the ticket
   * @param ticket the ticket
   * @param right what the bearer may do
   * @return the ticket with a token; it is empty in a cluster without block tokens
   * @throws IOException if no token can be made
   */
  public static SignedTicket sign(BlockManager blocks, String user, UpdateTicket ticket,
      AccessMode right)
      throws IOException {
    SignedTicket unsigned = SignedTicket.of(ticket, new Token<BlockTokenIdentifier>());
    BlockTokenSecretManager tokens = blocks.getBlockTokenSecretManager();
    return tokens == null ? unsigned : unsigned.with(tokens.generateToken(user,
        unsigned.tokenBlock(), unsigned.tokenModes(right), StorageType.EMPTY_ARRAY,
        new String[] {unsigned.mark(right)}));
  }
}
