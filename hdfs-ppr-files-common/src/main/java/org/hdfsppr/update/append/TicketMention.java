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
 * How a request gives its ticket and token to the DataNode. Either it has both, and may ask the
 * DataNode to remember them under a number; or it has only such a number. Immutable.
 */
@InterfaceAudience.Private
public final class TicketMention {
  private static final int NO_NUMBER = -1;

  private final SignedTicket ticket;
  /** Whether the request has the ticket and the token themselves, and not only their number */
  public final boolean isWhole;
  private final int number;

  private TicketMention(SignedTicket ticket, boolean isWhole, int number) {
    this.ticket = ticket;
    this.isWhole = isWhole;
    this.number = number;
  }

  /**
   * @param ticket a ticket
   * @return a mention with which the request has ticket and token themselves, and does not ask to
   *     remember them
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

  /**
   * @return the number under which the DataNode is asked to remember both; empty if it is not asked
   */
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

  /**
   * @return the number and a part of the digest, with which a request names ticket and token that
   *     it does not have
   */
  public KeptTicketProto kept() {
    return KeptTicketProto.newBuilder().setNumber(number).setDigest(digest(ticket)).build();
  }

  /**
   * Returns the first 8 bytes of the ticket's digest. A request sends them with the number, so that
   * the DataNode does not use another ticket that it remembers under this number.
   */
  static long digest(SignedTicket ticket) {
    return ticket.digest().asReadOnlyByteBuffer().getLong();
  }
}
