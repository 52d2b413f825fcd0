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

/**
 * The answer to an {@link UpdateRequest}, without the data that follow it on the connection.
 * Immutable.
 */
@InterfaceAudience.Private
public final class UpdateAnswer {
  /** How the request ended */
  public final UpdateStatus status;
  /** The reason why the request was not done; empty if it was done */
  public final String message;
  /**
   * The other DataNode that failed; null if none did, or if the one that answers has failed itself.
   */
  private final NodeRef node;
  /**
   * How much of the unit's history the log has; {@link LogPosition#NOTHING} if the answer does not
   * say it
   */
  public final LogPosition position;
  /** The updates whose data follow the answer */
  public final List<NumberedUpdate> records;
  /** Length and checksum of the data that follow the answer */
  public final Payload payload;
  /** The room that the log has for new updates; null if the answer does not say it. */
  private final LogSpace room;
  private final boolean oldBytes;
  private final boolean deltas;

  /** @param rest all other fields, the updates and their data */
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
   * @param position how much of the unit's history the log has now
   * @return an answer without updates that says that the request was done
   */
  public static UpdateAnswer done(LogPosition position) {
    return read(position, List.of(), Payload.NONE);
  }

  /**
   * @param position how much of the unit's history the log has
   * @param records updates from the log
   * @param payload the data of these updates; none if the request is a {@link ListLogRequest}
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
   * @param position how much of the unit's history the log has
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
   * @return this answer with this field
   */
  public UpdateAnswer withRoom(LogSpace space) {
    return with(rest().setRoomBytes(space.bytes).setRoomRecords(space.records));
  }

  /**
   * @param keeps whether the DataNode stores the old bytes that a leader sends
   * @return this answer with this field
   */
  public UpdateAnswer withOldBytes(boolean keeps) {
    return with(rest().setKeepsOldBytes(keeps));
  }

  /** @return this answer, with the field that says that the DataNode understands deltas */
  public UpdateAnswer withDeltas() {
    return with(rest().setKeepsDeltas(true));
  }

  private UpdateAnswer with(UpdateAnswerProto.Builder rest) {
    return new UpdateAnswer(position, records, payload, rest);
  }

  /** Returns all fields except the position, the updates and their data. */
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

  /** @param keepsTicket whether the DataNode remembers the ticket of the request */
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
   * Parses an answer. Any process can send one, so this checks every field.
   *
   * @param request the request to which the answer belongs
   * @param shown takes note whether the DataNode remembers the ticket of the request
   * @throws MalformedRequestException whose message says what is wrong
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

  /** @return whether the request was done */
  public boolean isDone() {
    return status == UpdateStatus.DONE;
  }

  /**
   * @return the other DataNode that failed; empty if none did, or if the one that answers has
   *     failed itself
   */
  public Optional<NodeRef> node() {
    return Optional.ofNullable(node);
  }

  /**
   * @return whether the DataNode stores old bytes; false from a DataNode of an old version, which
   *     does not say it
   */
  public boolean keepsOldBytes() {
    return oldBytes;
  }

  /**
   * @return whether the DataNode understands deltas; false from a DataNode of an old version, which
   *     does not say it
   */
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
