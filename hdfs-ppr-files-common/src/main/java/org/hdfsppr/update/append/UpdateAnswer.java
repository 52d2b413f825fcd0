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

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateAnswerProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateAnswerProtoOrBuilder;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.WireRules;

/** The answer to an {@link UpdateRequest}, without the data behind it. Immutable. */
@InterfaceAudience.Private
public final class UpdateAnswer {
  /** How the request ended */
  public final UpdateStatus status;
  /** The reason; empty if all is done */
  public final String message;
  /** The node that failed, or null. */
  private final NodeRef node;
  /** How far the log is; {@link LogPosition#NOTHING} if the answer does not say it */
  public final LogPosition position;
  /** The updates whose data follow the answer */
  public final List<NumberedUpdate> records;
  /** The data behind the answer */
  public final Payload payload;
  /** The room for new updates, or null. */
  private final LogSpace room;
  private final boolean oldBytes;
  private final boolean deltas;

  /** @param rest all but the position, the updates and their data */
  private UpdateAnswer(LogPosition position, List<NumberedUpdate> records, Payload payload,
      UpdateAnswerProtoOrBuilder rest) {
    this.position = Objects.requireNonNull(position, "position");
    this.records = List.copyOf(records);
    this.payload = Objects.requireNonNull(payload, "payload");
    status = UpdateStatus.ofNumber(rest.getStatus());
    message = rest.getMessage();
    node = rest.hasNode() ? WireRules.node(rest.getNode()) : null;
    room = rest.hasRoomBytes() && rest.hasRoomRecords()
        ? new LogSpace(WireRules.within("room_bytes", rest.getRoomBytes(), 0, Long.MAX_VALUE),
            WireRules.within("room_records", rest.getRoomRecords(), 0, Integer.MAX_VALUE))
        : null;
    oldBytes = rest.getKeepsOldBytes();
    deltas = rest.getKeepsDeltas();
  }

  /**
   * @param position how far the log is now
   * @return the answer that all is done
   */
  public static UpdateAnswer done(LogPosition position) {
    return read(position, List.of(), Payload.NONE);
  }

  /**
   * @param position how far the log is
   * @param records updates of it
   * @param payload their data
   * @return the answer with the updates
   */
  public static UpdateAnswer read(LogPosition position, List<NumberedUpdate> records,
      Payload payload) {
    return new UpdateAnswer(position, records, payload,
        UpdateAnswerProto.newBuilder().setStatus(UpdateStatus.DONE.number));
  }

  /**
   * @param status how the request ended
   * @param message the reason, for the caller's log
   * @param node the node that failed; null if the node that answers has failed itself
   * @param position how far the log is
   * @return the answer
   */
  public static UpdateAnswer refused(UpdateStatus status, String message, NodeRef node,
      LogPosition position) {
    UpdateAnswerProto.Builder rest =
        UpdateAnswerProto.newBuilder().setStatus(status.number).setMessage(message);
    if (node != null) {
      rest.setNode(WireRules.toProto(node));
    }
    return new UpdateAnswer(position, List.of(), Payload.NONE, rest);
  }

  /**
   * @param space the room that the log has for new updates
   * @return this answer, which says so
   */
  public UpdateAnswer withRoom(LogSpace space) {
    return with(rest().setRoomBytes(space.bytes).setRoomRecords(space.records));
  }

  /**
   * @param keeps whether the node keeps old bytes that a leader sends
   * @return this answer, which says so
   */
  public UpdateAnswer withOldBytes(boolean keeps) {
    return with(rest().setKeepsOldBytes(keeps));
  }

  /** @return this answer, which says that the node knows deltas */
  public UpdateAnswer withDeltas() {
    return with(rest().setKeepsDeltas(true));
  }

  private UpdateAnswer with(UpdateAnswerProto.Builder rest) {
    return new UpdateAnswer(position, records, payload, rest);
  }

  /** Returns all but the position, the updates and their data. */
  private UpdateAnswerProto.Builder rest() {
    UpdateAnswerProto.Builder rest = UpdateAnswerProto.newBuilder().setStatus(status.number);
    if (!message.isEmpty()) {
      rest.setMessage(message);
    }
    if (node != null) {
      rest.setNode(WireRules.toProto(node));
    }
    if (room != null) {
      rest.setRoomBytes(room.bytes).setRoomRecords(room.records);
    }
    if (oldBytes) {
      rest.setKeepsOldBytes(true);
    }
    return deltas ? rest.setKeepsDeltas(true) : rest;
  }

  /** @param keepsTicket whether the node keeps the ticket of the request */
  UpdateAnswerProto toProto(boolean keepsTicket) {
    UpdateAnswerProto.Builder proto = rest().addAllRecords(RecordList.toProtos(records));
    position.into(proto);
    if (keepsTicket) {
      proto.setKeepsTicket(true);
    }
    if (!message.isEmpty()) {
      proto.setMessage(PeerText.oneLine(message));
    }
    if (payload.length > 0) {
      proto.setDataBytes(payload.length).setDataSum(payload.sum);
    }
    return proto.build();
  }

  /**
   * Reads an answer that this node receives. Any process can send one, so this checks every field.
   *
   * @param request the request that it answers
   * @param shown takes note whether the node keeps the ticket of the request
   * @throws MalformedRequestException naming what is wrong
   */
  static UpdateAnswer parse(byte[] bytes, UpdateRequest request, ShownTickets shown)
      throws MalformedRequestException {
    try {
      UpdateAnswerProto proto = UpdateAnswerProto.parseFrom(bytes);
      UpdateAnswer answer = parse(proto, request);
      shown.answered(proto.getKeepsTicket());
      return answer;
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The answer is no UpdateAnswerProto: "
          + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer contradicts itself: " + e.getMessage(), e);
    }
  }

  private static UpdateAnswer parse(UpdateAnswerProto proto, UpdateRequest request) {
    Payload payload = Payload.parse(proto.getDataBytes(), proto.getDataSum());
    UpdateAnswer answer = new UpdateAnswer(LogPosition.parse(proto),
        RecordList.convert(proto.getRecordsList()), payload,
        proto.toBuilder().setMessage(PeerText.oneLine(proto.getMessage())));
    boolean isList = request instanceof ListLogRequest;
    RecordList.check(answer.records, request.ticket().block.length, payload, !isList);
    long after = request instanceof ReadLogRequest ? ((ReadLogRequest) request).after
        : isList ? ((ListLogRequest) request).after : Long.MAX_VALUE;
    if (!answer.records.isEmpty() && answer.records.get(0).sequence <= after) {
      throw new IllegalArgumentException("updates that were not asked for");
    }
    return answer;
  }

  /** @return whether all is done */
  public boolean isDone() {
    return status == UpdateStatus.DONE;
  }

  /** @return the node that failed; empty if the node that answers has failed itself */
  public Optional<NodeRef> node() {
    return Optional.ofNullable(node);
  }

  /** @return whether the node keeps old bytes; one of an old version does not say so */
  public boolean keepsOldBytes() {
    return oldBytes;
  }

  /** @return whether the node knows deltas; one of an old version does not say so */
  public boolean keepsDeltas() {
    return deltas;
  }

  /** @return the room that the log has for new updates; empty if the answer does not say it */
  public Optional<LogSpace> room() {
    return Optional.ofNullable(room);
  }

  @Override
  public String toString() {
    return status + (node == null ? "" : " at " + node) + (message.isEmpty() ? "" : ": " + message);
  }
}
