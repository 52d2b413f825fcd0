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
 * The tickets and tokens that a DataNode remembers for one connection, so that the caller need not
 * send them with each request. A later request names a ticket by its number. That gives the caller
 * no further right: the DataNode checks ticket and token at each request. The caller's end of the
 * connection has a {@link ShownTickets}. Used by one thread at a time.
 */
@InterfaceAudience.Private
public final class KeptTickets {
  /**
   * How many tickets a connection remembers at most. A caller uses one connection to a DataNode for
   * all units whose logs this node holds. A busy client writes into some dozens of these units.
   */
  static final int TICKETS_MOST = 32;
  /**
   * How many bytes a remembered ticket and its token have at most together; a caller sends longer
   * ones with each request. A ticket with 8 holders has about 1.3 KiB. With {@link #TICKETS_MOST},
   * all tickets of a connection take no more memory than the longest message.
   */
  static final int BYTES_MOST = 2 << 10;

  private final SignedTicket[] kept = new SignedTicket[TICKETS_MOST];
  /** The ticket that the last request asked the DataNode to remember; null if it did not ask. */
  private SignedTicket shown;
  private int shownNumber;

  /**
   * Finds the ticket of a request. The request either has the ticket, or names one that this node
   * remembers.
   *
   * @param ticket the bytes of the request's ticket; null if the request only names a ticket
   * @param token the request's token; null if the request only names a ticket
   * @param keepAs the number under which this node is to remember the ticket, 0 to 31; null if it
   *     is not to
   * @param named names a ticket that this node remembers; null if the request has the ticket itself
   * @return the ticket with its token; the caller still has to check the token
   * @throws UnknownTicketException if this node remembers no ticket, or another one, under the
   *     number
   * @throws MalformedRequestException if the bytes are no ticket
   * @throws IllegalArgumentException if the request has a ticket without a token or the reverse,
   *     both a ticket and the name of one, or neither
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
      // From now on the caller uses this number for the new ticket, even if the request fails.
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
   * Remembers the ticket of the last request, if the request asked for that. Call this only after
   * the token has been checked.
   *
   * @return whether this node now remembers the ticket, which the answer has to say
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
