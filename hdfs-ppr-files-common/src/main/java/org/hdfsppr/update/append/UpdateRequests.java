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

import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * Parses requests of every kind. No subclass of {@link UpdateRequest} uses this class or another
 * subclass.
 */
final class UpdateRequests {
  private UpdateRequests() {
  }

  /**
   * Parses a request. Any process can send one, so this checks every field.
   *
   * @param kept the tickets that this node remembers for the connection
   * @throws MalformedRequestException whose message says what is wrong
   */
  static UpdateRequest parse(byte[] bytes, KeptTickets kept) throws MalformedRequestException {
    try {
      return parse(UpdateRequestProto.parseFrom(bytes), kept);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The request is no UpdateRequestProto: "
          + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The request contradicts itself: " + e.getMessage(), e);
    }
  }

  private static UpdateRequest parse(UpdateRequestProto proto, KeptTickets kept)
      throws MalformedRequestException {
    int kinds = (proto.hasAppend() ? 1 : 0) + (proto.hasReplicate() ? 1 : 0)
        + (proto.hasTrim() ? 1 : 0) + (proto.hasReadLog() ? 1 : 0)
        + (proto.hasBeginTerm() ? 1 : 0) + (proto.hasListLog() ? 1 : 0)
        + (proto.hasReplicateDeltas() ? 1 : 0);
    if (kinds != 1) {
      throw new IllegalArgumentException("it asks for " + kinds + " things that are known here");
    }
    SignedTicket ticket = kept.ticketOf(proto.hasTicket() ? proto.getTicket() : null,
        proto.hasToken() ? proto.getToken() : null, proto.hasKeepAs() ? proto.getKeepAs() : null,
        proto.hasKept() ? proto.getKept() : null);
    Payload payload = Payload.parse(proto.getDataBytes(), proto.getDataSum());
    if (proto.hasAppend()) {
      return AppendRequest.parse(ticket, proto.getAppend(), payload);
    }
    if (proto.hasReplicate() || proto.hasReplicateDeltas()) {
      ReplicateRequest replicate = ReplicateRequest.parse(ticket, proto.hasReplicate()
          ? proto.getReplicate() : proto.getReplicateDeltas(), payload);
      if (replicate.hasDeltas() != proto.hasReplicateDeltas()) {
        throw new IllegalArgumentException("deltas, and no request that may have them");
      }
      return replicate;
    }
    if (payload.length > 0) {
      throw new IllegalArgumentException("data behind a request that has none");
    }
    if (proto.hasTrim()) {
      return new TrimRequest(ticket, proto.getTrim().getEpoch());
    }
    if (proto.hasBeginTerm()) {
      return new BeginTermRequest(ticket);
    }
    if (proto.hasListLog()) {
      return new ListLogRequest(ticket, proto.getListLog().getAfter());
    }
    return new ReadLogRequest(ticket, proto.getReadLog().getAfter(),
        proto.getReadLog().getBytesMost(), proto.getReadLog().getTakesDeltas());
  }
}
