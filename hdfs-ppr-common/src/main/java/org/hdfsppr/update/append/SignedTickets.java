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
package org.hdfsppr.update.append;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * Takes tickets apart for messages that carry them, and puts them together again. The bytes stay as
 * they were signed, also if they have fields that this version does not know.
 */
@InterfaceAudience.Private
public final class SignedTickets {
  private SignedTickets() {
  }

  /**
   * @param signed a ticket
   * @return the bytes for which its token speaks
   */
  public static ByteString bytes(SignedTicket signed) {
    return signed.bytes;
  }

  /**
   * @param ticket a ticket
   * @return its bytes, for a message between nodes that need no token
   */
  public static ByteString bytesOf(Ticket ticket) {
    return TicketCodec.toBytes(ticket);
  }

  /**
   * @param bytes the bytes of a ticket, from a node that needs no token
   * @return the ticket
   * @throws IllegalArgumentException if the bytes are no ticket
   */
  public static Ticket ticketOf(ByteString bytes) {
    try {
      return TicketCodec.convert(bytes);
    } catch (MalformedRequestException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * @param bytes the bytes of a ticket
   * @param token the token that speaks for it
   * @return both
   * @throws MalformedRequestException if the bytes are no ticket
   */
  public static SignedTicket parse(ByteString bytes, Token<BlockTokenIdentifier> token)
      throws MalformedRequestException {
    try {
      return new SignedTicket(TicketCodec.convert(bytes), bytes, token);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The ticket contradicts itself: " + e.getMessage(), e);
    }
  }
}
