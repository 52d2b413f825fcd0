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
package org.hdfsppr.update.view;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.update.append.KeptTickets;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.TicketMention;
import org.hdfsppr.update.append.UpdateBounds;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.update.view.proto.ViewProtos.ViewRequestProto;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * Asks the DataNode that leads a unit's log for the bytes that updates have written, or to force
 * all updates to the disks of all holders. Immutable.
 */
@InterfaceAudience.Private
public final class ViewRequest {
  private final SignedTicket ticket;
  /** The offset in the unit at which the range begins */
  public final long offset;
  /** How many bytes the range has; 0 in a request to sync */
  public final int length;
  /**
   * Whether this is a request to sync: the leader answers when all holders have forced all updates
   * of the unit to their disks
   */
  public final boolean isSync;
  /** Whether the caller understands deltas; callers of old versions do not */
  public final boolean takesDeltas;

  ViewRequest(SignedTicket ticket, long offset, int length, boolean isSync,
      boolean takesDeltas) {
    this.takesDeltas = takesDeltas;
    this.ticket = Objects.requireNonNull(ticket, "ticket");
    long unitBytes = ticket.ticket.block.length;
    if (offset < 0 || length < 0 || length > UpdateBounds.DATA_BYTES_MAX
        || offset > unitBytes - length || length == 0 != isSync) {
      throw new IllegalArgumentException("a view of " + length + " bytes at " + offset
          + " of a unit of " + unitBytes + " bytes" + (isSync ? ", with a sync" : ""));
    }
    this.offset = offset;
    this.length = length;
    this.isSync = isSync;
  }

  /**
   * @param ticket the ticket, with a token that has READ
   * @param offset the offset in the unit at which the range begins
   * @param length bytes of the range, at least 1 and at most {@link UpdateBounds#DATA_BYTES_MAX}
   * @return a request for the bytes of the range that acknowledged updates have written
   * @throws IllegalArgumentException if the range is not within the unit
   */
  public static ViewRequest range(SignedTicket ticket, long offset, int length) {
    return new ViewRequest(ticket, offset, length, false, true);
  }

  /**
   * @param ticket the ticket, with a token that has WRITE
   * @return a request to force all updates of the unit to the disks of all holders
   */
  public static ViewRequest sync(SignedTicket ticket) {
    return new ViewRequest(ticket, 0, 0, true, true);
  }

  /**
   * Parses a request that this node has received.
   *
   * @param kept the tickets that this node remembers for the connection
   * @throws MalformedRequestException whose message says what is wrong
   */
  static ViewRequest parse(byte[] bytes, KeptTickets kept) throws MalformedRequestException {
    try {
      ViewRequestProto proto = ViewRequestProto.parseFrom(bytes);
      SignedTicket ticket = kept.ticketOf(proto.hasTicket() ? proto.getTicket() : null,
          proto.hasToken() ? proto.getToken() : null,
          proto.hasKeepAs() ? proto.getKeepAs() : null, proto.hasKept() ? proto.getKept() : null);
      return new ViewRequest(ticket, proto.getOffset(), proto.getLength(), proto.getSync(),
          proto.getTakesDeltas());
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The request is no ViewRequestProto: "
          + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The request contradicts itself: " + e.getMessage(), e);
    }
  }

  /** @param mention how the message names the ticket of the request */
  ViewRequestProto toProto(TicketMention mention) {
    ViewRequestProto.Builder proto = ViewRequestProto.newBuilder().setOffset(offset)
        .setLength(length).setSync(isSync).setTakesDeltas(takesDeltas);
    if (mention.isWhole) {
      proto.setTicket(mention.ticket()).setToken(mention.token());
      mention.keepAs().ifPresent(proto::setKeepAs);
    } else {
      proto.setKept(mention.kept());
    }
    return proto.build();
  }

  /** @return the ticket, with the token that proves that it is genuine */
  public SignedTicket signed() {
    return ticket;
  }

  /** @return the ticket */
  public UpdateTicket ticket() {
    return ticket.ticket;
  }

  @Override
  public String toString() {
    return (isSync ? "Sync" : "View") + " for " + ticket();
  }
}
