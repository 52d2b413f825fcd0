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

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;

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

  UpdateAnswer(UpdateStatus status, String message, NodeRef node, LogPosition position,
      List<NumberedUpdate> records, Payload payload, LogSpace room, boolean oldBytes,
      boolean deltas) {
    this.deltas = deltas;
    this.oldBytes = oldBytes;
    this.room = room;
    this.status = Objects.requireNonNull(status, "status");
    this.message = Objects.requireNonNull(message, "message");
    this.node = node;
    this.position = Objects.requireNonNull(position, "position");
    this.records = List.copyOf(records);
    this.payload = Objects.requireNonNull(payload, "payload");
  }

  /**
   * @param position how far the log is now
   * @return the answer that all is done
   */
  public static UpdateAnswer done(LogPosition position) {
    return new UpdateAnswer(UpdateStatus.DONE, "", null, position, Collections.emptyList(),
        Payload.NONE, null, false, false);
  }

  /**
   * @param position how far the log is
   * @param records updates of it
   * @param payload their data
   * @return the answer with the updates
   */
  public static UpdateAnswer read(LogPosition position, List<NumberedUpdate> records,
      Payload payload) {
    return new UpdateAnswer(UpdateStatus.DONE, "", null, position, records, payload, null,
        false, false);
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
    return new UpdateAnswer(status, message, node, position, Collections.emptyList(),
        Payload.NONE, null, false, false);
  }

  /**
   * @param space the room that the log has for new updates
   * @return this answer, which says so
   */
  public UpdateAnswer withRoom(LogSpace space) {
    return new UpdateAnswer(status, message, node, position, records, payload, space, oldBytes,
        deltas);
  }

  /**
   * @param keeps whether the node keeps old bytes that a leader sends
   * @return this answer, which says so
   */
  public UpdateAnswer withOldBytes(boolean keeps) {
    return new UpdateAnswer(status, message, node, position, records, payload, room, keeps,
        deltas);
  }

  /** @return this answer, which says that the node knows deltas */
  public UpdateAnswer withDeltas() {
    return new UpdateAnswer(status, message, node, position, records, payload, room, oldBytes,
        true);
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
