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
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.update.append.proto.UpdateProtos.AppendProto;
import org.hdfsppr.update.append.proto.UpdateProtos.BeginProto;
import org.hdfsppr.update.append.proto.UpdateProtos.BeginTermProto;
import org.hdfsppr.update.append.proto.UpdateProtos.ListLogProto;
import org.hdfsppr.update.append.proto.UpdateProtos.ReadLogProto;
import org.hdfsppr.update.append.proto.UpdateProtos.ReplicateProto;
import org.hdfsppr.update.append.proto.UpdateProtos.TrimProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateAnswerProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PeerText;

/**
 * Converts requests and answers into messages and back. Any process can send a message, so this
 * class checks every field once.
 */
@InterfaceAudience.Private
final class UpdateCodec {
  private UpdateCodec() {
  }

  static UpdateRequestProto toProto(UpdateRequest request) {
    return toProto(request, TicketMention.whole(request.signed()));
  }

  /** @param mention how the message names the ticket of the request */
  static UpdateRequestProto toProto(UpdateRequest request, TicketMention mention) {
    UpdateRequestProto.Builder builder = UpdateRequestProto.newBuilder();
    if (mention.isWhole) {
      builder.setTicket(mention.ticket()).setToken(mention.token());
      mention.keepAs().ifPresent(builder::setKeepAs);
    } else {
      builder.setKept(mention.kept());
    }
    if (request.payload.length > 0) {
      builder.setDataBytes(request.payload.length).setDataSum(request.payload.sum);
    }
    if (request instanceof AppendRequest) {
      AppendRequest append = (AppendRequest) request;
      AppendProto.Builder inner = AppendProto.newBuilder().setOffset(append.offset)
          .setDurable(append.durable);
      if (append.origin.isNumbered()) {
        inner.setWriter(append.origin.writer).setNumber(append.origin.number)
            .setSince(append.since);
      }
      builder.setAppend(inner);
    } else if (request instanceof ReplicateRequest) {
      ReplicateRequest replicate = (ReplicateRequest) request;
      ReplicateProto.Builder inner = ReplicateProto.newBuilder()
          .setDurable(replicate.durable)
          .addAllRecords(RecordList.toProtos(replicate.records));
      replicate.begin().ifPresent(begin -> inner.setBegin(BeginProto.newBuilder()
          .setPreviousTerm(begin.previousTerm)
          .setFirst(begin.first)
          .setLast(begin.last)));
      replicate.old.into(inner);
      if (replicate.hasDeltas()) {
        builder.setReplicateDeltas(inner);
      } else {
        builder.setReplicate(inner);
      }
    } else if (request instanceof TrimRequest) {
      builder.setTrim(TrimProto.newBuilder().setEpoch(((TrimRequest) request).epoch));
    } else if (request instanceof BeginTermRequest) {
      builder.setBeginTerm(BeginTermProto.getDefaultInstance());
    } else if (request instanceof ListLogRequest) {
      builder.setListLog(ListLogProto.newBuilder().setAfter(((ListLogRequest) request).after));
    } else {
      ReadLogRequest read = (ReadLogRequest) request;
      builder.setReadLog(ReadLogProto.newBuilder().setAfter(read.after)
          .setBytesMost(read.bytesMost).setTakesDeltas(read.takesDeltas));
    }
    return builder.build();
  }

  static UpdateRequest request(byte[] bytes) throws MalformedRequestException {
    return request(bytes, new KeptTickets());
  }

  /** @param kept the tickets that the connection keeps */
  static UpdateRequest request(byte[] bytes, KeptTickets kept)
      throws MalformedRequestException {
    try {
      return convert(UpdateRequestProto.parseFrom(bytes), kept);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The request is no UpdateRequestProto: "
          + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The request contradicts itself: " + e.getMessage(), e);
    }
  }

  private static UpdateRequest convert(UpdateRequestProto proto, KeptTickets kept)
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
    Payload payload = payload(proto.getDataBytes(), proto.getDataSum());
    if (proto.hasAppend()) {
      AppendProto inner = proto.getAppend();
      return new AppendRequest(ticket, inner.getOffset(), inner.getDurable(), payload,
          Origin.of(inner.getWriter(), inner.getNumber()),
          inner.hasSince() ? inner.getSince() : ticket.ticket.term);
    }
    if (proto.hasReplicate() || proto.hasReplicateDeltas()) {
      ReplicateRequest replicate = replicate(ticket, proto.hasReplicate() ? proto.getReplicate()
          : proto.getReplicateDeltas(), payload);
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

  private static ReplicateRequest replicate(SignedTicket ticket, ReplicateProto proto,
      Payload payload) {
    BeginProto begin = proto.getBegin();
    return new ReplicateRequest(ticket, proto.hasBegin()
        ? new TermBegin(begin.getPreviousTerm(), begin.getFirst(), begin.getLast()) : null,
        RecordList.convert(proto.getRecordsList()), proto.getDurable(), payload,
        OldBytes.of(proto, ticket.ticket.block));
  }

  private static Payload payload(int length, int sum) {
    return Door.within("data_bytes", length, 0, UpdateBounds.DATA_BYTES_MAX) == 0 ? Payload.NONE
        : new Payload(length, sum);
  }

  static UpdateAnswerProto toProto(UpdateAnswer answer) {
    return toProto(answer, false);
  }

  /** @param keepsTicket whether the node keeps the ticket of the request */
  static UpdateAnswerProto toProto(UpdateAnswer answer, boolean keepsTicket) {
    UpdateAnswerProto.Builder builder = UpdateAnswerProto.newBuilder()
        .setStatus(answer.status.number)
        .setTerm(answer.position.term)
        .setLast(answer.position.last)
        .setEpoch(answer.position.epoch)
        .setComplete(answer.position.complete)
        .addAllRecords(RecordList.toProtos(answer.records));
    if (answer.position.pending != LogPosition.UNKNOWN) {
      builder.setPending(answer.position.pending);
    }
    answer.room().ifPresent(room ->
        builder.setRoomBytes(room.bytes).setRoomRecords(room.records));
    if (answer.keepsOldBytes()) {
      builder.setKeepsOldBytes(true);
    }
    if (answer.keepsDeltas()) {
      builder.setKeepsDeltas(true);
    }
    if (keepsTicket) {
      builder.setKeepsTicket(true);
    }
    if (!answer.message.isEmpty()) {
      builder.setMessage(PeerText.oneLine(answer.message));
    }
    answer.node().ifPresent(node -> builder.setNode(Door.toProto(node)));
    if (answer.payload.length > 0) {
      builder.setDataBytes(answer.payload.length).setDataSum(answer.payload.sum);
    }
    return builder.build();
  }

  /**
   * Reads an answer.
   *
   * @param request the request that it answers
   */
  static UpdateAnswer answer(byte[] bytes, UpdateRequest request)
      throws MalformedRequestException {
    return answer(bytes, request, new ShownTickets());
  }

  /** @param shown takes note whether the node keeps the ticket of the request */
  static UpdateAnswer answer(byte[] bytes, UpdateRequest request, ShownTickets shown)
      throws MalformedRequestException {
    try {
      UpdateAnswerProto proto = UpdateAnswerProto.parseFrom(bytes);
      UpdateAnswer answer = convert(proto, request);
      shown.answered(proto.getKeepsTicket());
      return answer;
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The answer is no UpdateAnswerProto: "
          + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer contradicts itself: " + e.getMessage(), e);
    }
  }

  private static LogSpace room(UpdateAnswerProto proto) {
    return proto.hasRoomBytes() && proto.hasRoomRecords()
        ? new LogSpace(Door.within("room_bytes", proto.getRoomBytes(), 0, Long.MAX_VALUE),
            Door.within("room_records", proto.getRoomRecords(), 0, Integer.MAX_VALUE))
        : null;
  }

  private static UpdateAnswer convert(UpdateAnswerProto proto, UpdateRequest request) {
    Payload payload = payload(proto.getDataBytes(), proto.getDataSum());
    UpdateAnswer answer = new UpdateAnswer(UpdateStatus.ofNumber(proto.getStatus()),
        PeerText.oneLine(proto.getMessage()), proto.hasNode() ? Door.node(proto.getNode()) : null,
        new LogPosition(Door.within("term", proto.getTerm(), 0, Long.MAX_VALUE),
            Door.within("last", proto.getLast(), 0, Long.MAX_VALUE),
            Door.within("epoch", proto.getEpoch(), 0, Long.MAX_VALUE), proto.getComplete(),
            proto.hasPending() ? Door.within("pending", proto.getPending(), 0, Integer.MAX_VALUE)
                : LogPosition.UNKNOWN),
        RecordList.convert(proto.getRecordsList()), payload, room(proto),
        proto.getKeepsOldBytes(), proto.getKeepsDeltas());
    boolean isList = request instanceof ListLogRequest;
    RecordList.check(answer.records, request.ticket().block.length, payload, !isList);
    long after = request instanceof ReadLogRequest ? ((ReadLogRequest) request).after
        : isList ? ((ListLogRequest) request).after : Long.MAX_VALUE;
    if (!answer.records.isEmpty() && answer.records.get(0).sequence <= after) {
      throw new IllegalArgumentException("updates that were not asked for");
    }
    return answer;
  }
}
