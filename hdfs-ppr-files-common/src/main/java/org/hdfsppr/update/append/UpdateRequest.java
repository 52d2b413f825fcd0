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
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;

/**
 * A request about the log of a unit, without the data that follow it on the connection. Immutable.
 */
@InterfaceAudience.Private
public abstract class UpdateRequest {
  private final SignedTicket ticket;
  /** Length and checksum of the data that follow the request */
  public final Payload payload;

  UpdateRequest(SignedTicket ticket, Payload payload) {
    this.ticket = Objects.requireNonNull(ticket, "ticket");
    this.payload = Objects.requireNonNull(payload, "payload");
  }

  /** Returns the message, with the ticket and its token themselves. */
  final UpdateRequestProto toProto() {
    return toProto(TicketMention.whole(ticket));
  }

  /** @param mention how the message names the ticket of the request */
  final UpdateRequestProto toProto(TicketMention mention) {
    UpdateRequestProto.Builder proto = UpdateRequestProto.newBuilder();
    if (mention.isWhole) {
      proto.setTicket(mention.ticket()).setToken(mention.token());
      mention.keepAs().ifPresent(proto::setKeepAs);
    } else {
      proto.setKept(mention.kept());
    }
    if (payload.length > 0) {
      proto.setDataBytes(payload.length).setDataSum(payload.sum);
    }
    into(proto);
    return proto.build();
  }

  /** Sets the field of the message that only this kind of request has. */
  abstract void into(UpdateRequestProto.Builder proto);

  /** @return the ticket, with the token that proves that it is genuine */
  public final SignedTicket signed() {
    return ticket;
  }

  /** @return the ticket */
  public final UpdateTicket ticket() {
    return ticket.ticket;
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " for " + ticket();
  }
}
