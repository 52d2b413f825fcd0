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
 * Creates the block tokens that prove that the NameNode has signed an update ticket. The identifier
 * of such a token has a mark, calculated from the ticket, in its list of storages. No token that
 * HDFS itself creates has such a mark. HDFS accepts a token of a sealed ticket for no operation,
 * see {@link SignedTicket}. {@link BlockManagerAccess#missing} checks the members of Hadoop's
 * classes that this class needs.
 */
@InterfaceAudience.Private
public final class TicketSigner {
  private TicketSigner() {
  }

  /**
   * @param blocks the NameNode's block manager, which has the keys of block tokens
   * @param user short name of the user that gets the ticket
   * @param ticket the ticket
   * @param right what the user may do with the ticket
   * @return the ticket with its token; the token is empty in a cluster without block tokens
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
