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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.proto.UpdateProtos.AppendProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;

/**
 * A client's request to write into a unit. The client sends it to the DataNode that leads the
 * unit's log. Immutable.
 */
@InterfaceAudience.Private
public final class AppendRequest extends UpdateRequest {
  /** The offset in the unit at which the data begin, bytes */
  public final long offset;
  /** Whether the leader answers only when all holders have forced the update to their disks */
  public final boolean durable;
  /** The client that writes, and the number that it gave the update */
  public final Origin origin;
  /** The term of the ticket with which the client sent this update for the first time */
  public final long since;

  /**
   * Makes a request for an update that the client never sends again, and that has no number.
   *
   * @param ticket the ticket, with a token that has WRITE
   * @param offset the offset in the unit at which the data begin, bytes
   * @param durable whether the leader answers only when all holders have forced the update to their
   *     disks
   * @param payload the data, at least one byte
   * @throws IllegalArgumentException if there are no data, more than {@link
   *     UpdateBounds#UPDATE_BYTES_MAX} bytes, or data past the unit's end
   */
  public AppendRequest(SignedTicket ticket, long offset, boolean durable, Payload payload) {
    this(ticket, offset, durable, payload, Origin.NONE, ticket.ticket.term);
  }

  /**
   * @param ticket the ticket, with a token that has WRITE
   * @param offset the offset in the unit at which the data begin, bytes
   * @param durable whether the leader answers only when all holders have forced the update to their
   *     disks
   * @param payload the data, at least one byte
   * @param origin the client that writes, and the number that it gave the update
   * @param since the term of the ticket with which the client sent this update for the first time,
   *     at least 1
   * @throws IllegalArgumentException if there are no data, more than {@link
   *     UpdateBounds#UPDATE_BYTES_MAX} bytes, or data past the unit's end, or if {@code since} is
   *     less than 1 or later than the term of the ticket
   */
  public AppendRequest(SignedTicket ticket, long offset, boolean durable, Payload payload,
      Origin origin, long since) {
    super(ticket, payload);
    long unitBytes = ticket.ticket.block.length;
    if (payload.length < 1 || payload.length > UpdateBounds.UPDATE_BYTES_MAX || offset < 0
        || offset > unitBytes - payload.length) {
      throw new IllegalArgumentException("an update of " + payload.length + " bytes at " + offset
          + " of a unit of " + unitBytes + " bytes; it has 1 to " + UpdateBounds.UPDATE_BYTES_MAX
          + " bytes within the unit");
    }
    if (since < 1 || since > ticket.ticket.term) {
      throw new IllegalArgumentException("an update in term " + ticket.ticket.term
          + " that was sent in term " + since + " first");
    }
    this.origin = Objects.requireNonNull(origin, "origin");
    this.since = since;
    this.offset = offset;
    this.durable = durable;
  }

  static AppendRequest parse(SignedTicket ticket, AppendProto proto, Payload payload) {
    return new AppendRequest(ticket, proto.getOffset(), proto.getDurable(), payload,
        Origin.of(proto.getWriter(), proto.getNumber()),
        proto.hasSince() ? proto.getSince() : ticket.ticket.term);
  }

  @Override
  void into(UpdateRequestProto.Builder proto) {
    AppendProto.Builder append =
        proto.getAppendBuilder().setOffset(offset).setDurable(durable);
    if (origin.isNumbered()) {
      append.setWriter(origin.writer).setNumber(origin.number).setSince(since);
    }
  }
}
