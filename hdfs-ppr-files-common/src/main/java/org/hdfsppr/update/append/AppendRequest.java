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

/** A client writes into a unit. The node that leads gets this. Immutable. */
@InterfaceAudience.Private
public final class AppendRequest extends UpdateRequest {
  /** Where in the unit the data belong */
  public final long offset;
  /** Whether all holders have the update on their disks before the answer */
  public final boolean durable;
  /** The writer, and its number of the update */
  public final Origin origin;
  /** The term in which the writer has sent the update first */
  public final long since;

  /**
   * Makes a request whose update is sent once.
   *
   * @param ticket the ticket, with a token that has WRITE
   * @param offset where in the unit the data belong
   * @param durable whether all holders have the update on their disks before the answer
   * @param payload the data, at least one byte
   * @throws IllegalArgumentException if the data are none, too many, or go past the unit's end
   */
  public AppendRequest(SignedTicket ticket, long offset, boolean durable, Payload payload) {
    this(ticket, offset, durable, payload, Origin.NONE, ticket.ticket.term);
  }

  /**
   * @param ticket the ticket, with a token that has WRITE
   * @param offset where in the unit the data belong
   * @param durable whether all holders have the update on their disks before the answer
   * @param payload the data, at least one byte
   * @param origin the writer, and its number of the update
   * @param since the term in which the writer has sent the update first
   * @throws IllegalArgumentException if the data are none, too many, or go past the unit's end, or
   *     {@code since} is no term up to that of the ticket
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
