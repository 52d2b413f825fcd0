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
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.update.append.proto.UpdateProtos.KeptTicketProto;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.WireRules;
import org.hdfsppr.wire.proto.PprProtos.TokenProto;

/**
 * The tickets and tokens that a node keeps for a connection, so that its caller need not show them
 * with each request. A ticket that is named by its number gives no more right than one that is
 * shown: the node checks ticket and token of each request. {@link ShownTickets} is the other end.
 * Used by one thread at a time.
 */
@InterfaceAudience.Private
public final class KeptTickets {
  /**
   * The most tickets. A connection is used for all units that one node leads, or follows in, and a
   * busy client writes into some dozens of these.
   */
  static final int TICKETS_MOST = 32;
  /**
   * The most bytes of a ticket with its token; a longer one is shown each time. One with 8 holders
   * has about 1.3 KiB. All that a connection keeps is as long as the longest message.
   */
  static final int BYTES_MOST = 2 << 10;

  private final SignedTicket[] kept = new SignedTicket[TICKETS_MOST];
  /** The ticket that the last request has shown to be kept, or null. */
  private SignedTicket shown;
  private int shownNumber;

  /**
   * Finds the ticket of a request. The request shows it, or names one that the node keeps.
   *
   * @param ticket the bytes of a ticket; null if the request has none
   * @param token a token; null if the request has none
   * @param keepAs the number under which the ticket is to be kept; null if it is not
   * @param named names a kept ticket; null if the request does not
   * @return the ticket with its token, whose right is not checked yet
   * @throws UnknownTicketException if no ticket is kept that is named so
   * @throws MalformedRequestException if the bytes are no ticket
   * @throws IllegalArgumentException if the request has a part of this, or too much
   */
  public SignedTicket ticketOf(ByteString ticket, TokenProto token, Integer keepAs,
      KeptTicketProto named) throws MalformedRequestException {
    shown = null;
    if (named == null == (ticket == null) || ticket == null != (token == null)
        || ticket == null && keepAs != null) {
      throw new IllegalArgumentException("it shows a ticket with its token, or names both");
    }
    if (named != null) {
      return named(named);
    }
    SignedTicket signed = SignedTicket.parse(ticket, WireRules.token(token));
    if (keepAs != null) {
      shownNumber = WireRules.within("keep_as", keepAs, 0, TICKETS_MOST - 1);
      // Whatever becomes of the request, the caller means another ticket by this number.
      kept[shownNumber] = null;
      shown = signed.size() > BYTES_MOST ? null : signed;
    }
    return signed;
  }

  private SignedTicket named(KeptTicketProto named) throws UnknownTicketException {
    SignedTicket found =
        kept[WireRules.within("number of a ticket", named.getNumber(), 0, TICKETS_MOST - 1)];
    if (found == null || TicketMention.digest(found) != named.getDigest()) {
      throw new UnknownTicketException("Ticket " + named.getNumber() + " of this connection is "
          + (found == null ? "none" : "another one"));
    }
    return found;
  }

  /**
   * Keeps the ticket of the last request, if its caller wants that. The node has checked the right.
   *
   * @return whether the answer says that the ticket is kept
   */
  public boolean keep() {
    if (shown == null) {
      return false;
    }
    kept[shownNumber] = shown;
    shown = null;
    return true;
  }
}
