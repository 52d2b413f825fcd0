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

import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * The tickets that a caller has sent over a connection and that the DataNode at the other end
 * remembers, see {@link KeptTickets}. A request has its ticket and token once, and asks the
 * DataNode to remember them under a number. When an answer says that the DataNode does so, later
 * requests over the connection only have the number. A DataNode of an old version never says so,
 * and the caller sends it ticket and token each time. Used by one thread at a time.
 */
@InterfaceAudience.Private
public final class ShownTickets {
  /**
   * For the digest of each ticket that the DataNode remembers, the ticket's number. The ticket
   * whose last use is the longest ago comes first.
   */
  private final Map<ByteString, Integer> kept = new LinkedHashMap<>(16, 0.75f, true);
  /** The numbers in {@link #kept}. */
  private final BitSet taken = new BitSet();
  /** The ticket that the last request asked the DataNode to remember; null if it did not ask. */
  private SignedTicket asked;
  private int askedNumber;

  /**
   * Decides how the next request names its ticket.
   *
   * @param ticket the ticket and token of the request
   * @return ticket and token themselves, or the number under which the DataNode remembers both
   */
  public TicketMention mention(SignedTicket ticket) {
    asked = null;
    Integer number = kept.get(ticket.digest());
    if (number != null) {
      return TicketMention.kept(ticket, number);
    }
    if (ticket.size() > KeptTickets.BYTES_MOST) {
      return TicketMention.whole(ticket);
    }
    asked = ticket;
    askedNumber = freeNumber();
    return TicketMention.toBeKept(ticket, askedNumber);
  }

  /**
   * Returns a number for a new ticket: one that is not in use, or else that of the ticket whose
   * last use is the longest ago.
   */
  private int freeNumber() {
    int free = taken.nextClearBit(0);
    if (free < KeptTickets.TICKETS_MOST) {
      return free;
    }
    Iterator<Integer> eldest = kept.values().iterator();
    int number = eldest.next();
    eldest.remove();
    taken.clear(number);
    return number;
  }

  /**
   * Takes note of the answer to the request for which {@link #mention} was called last.
   *
   * @param isKept whether the answer says that the DataNode remembers the ticket
   */
  public void answered(boolean isKept) {
    if (isKept && asked != null) {
      kept.put(asked.digest(), askedNumber);
      taken.set(askedNumber);
    }
    asked = null;
  }
}
