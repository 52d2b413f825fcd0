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
 * What a caller knows of the {@link KeptTickets} of the node at the other end of a connection. A
 * request shows its ticket and token once, and asks the node to keep them under a number. When an
 * answer says that the node does so, later requests over the connection only name the number. A
 * node of an old version never says so, and is always shown the whole. Used by one thread at a
 * time.
 */
@InterfaceAudience.Private
public final class ShownTickets {
  /** The numbers of the tickets that the node keeps by their digests, in the order of their use. */
  private final Map<ByteString, Integer> kept = new LinkedHashMap<>(16, 0.75f, true);
  /** The numbers in {@link #kept}. */
  private final BitSet taken = new BitSet();
  /** The ticket that the last request has asked the node to keep, or null. */
  private SignedTicket asked;
  private int askedNumber;

  /**
   * Says how the next request names its ticket.
   *
   * @param ticket the ticket and token of the request
   * @return the whole, or the number under which the node keeps both
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

  /** Returns a number that names no ticket, if need be that of the one used the longest ago. */
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
   * Takes note of the answer to the request of the last {@link #mention}.
   *
   * @param isKept whether it says that the node keeps the ticket
   */
  public void answered(boolean isKept) {
    if (isKept && asked != null) {
      kept.put(asked.digest(), askedNumber);
      taken.set(askedNumber);
    }
    asked = null;
  }
}
