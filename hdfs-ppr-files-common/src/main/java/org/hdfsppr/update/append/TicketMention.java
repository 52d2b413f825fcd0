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

import java.util.OptionalInt;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.update.append.proto.UpdateProtos.KeptTicketProto;
import org.hdfsppr.wire.WireRules;
import org.hdfsppr.wire.proto.PprProtos.TokenProto;

/**
 * How a request names its ticket and token: as a whole, perhaps to be kept under a number, or by
 * such a number. Immutable.
 */
@InterfaceAudience.Private
public final class TicketMention {
  private static final int NO_NUMBER = -1;

  private final SignedTicket ticket;
  /** Whether the request has the ticket and the token, and not what names them */
  public final boolean isWhole;
  private final int number;

  private TicketMention(SignedTicket ticket, boolean isWhole, int number) {
    this.ticket = ticket;
    this.isWhole = isWhole;
    this.number = number;
  }

  /**
   * @param ticket a ticket
   * @return names it as a whole
   */
  public static TicketMention whole(SignedTicket ticket) {
    return new TicketMention(ticket, true, NO_NUMBER);
  }

  static TicketMention toBeKept(SignedTicket ticket, int number) {
    return new TicketMention(ticket, true, number);
  }

  static TicketMention kept(SignedTicket ticket, int number) {
    return new TicketMention(ticket, false, number);
  }

  /** @return the number under which the node is asked to keep both; empty if it is not asked */
  public OptionalInt keepAs() {
    return isWhole && number != NO_NUMBER ? OptionalInt.of(number) : OptionalInt.empty();
  }

  /** @return the ticket, byte by byte as it was signed */
  public ByteString ticket() {
    return ticket.bytes;
  }

  /** @return the token */
  public TokenProto token() {
    return WireRules.toProto(ticket.token);
  }

  /** @return what names both, if the request does not have them */
  public KeptTicketProto kept() {
    return KeptTicketProto.newBuilder().setNumber(number).setDigest(digest(ticket)).build();
  }

  /** Returns the part of a digest that goes over the wire, so that no other ticket is taken. */
  static long digest(SignedTicket ticket) {
    return ticket.digest().asReadOnlyByteBuffer().getLong();
  }
}
