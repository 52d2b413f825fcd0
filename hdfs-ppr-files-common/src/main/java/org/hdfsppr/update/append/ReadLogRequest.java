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
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;

/**
 * Asks a holder for its {@link LogPosition} in the history of a unit, and for updates with their
 * data. Immutable.
 */
@InterfaceAudience.Private
public final class ReadLogRequest extends UpdateRequest {
  /** The number of an update; the answer begins with the first update after it */
  public final long after;
  /** How many bytes of data the answer may have; 0 to ask only for the position */
  public final int bytesMost;
  /**
   * Whether the caller understands {@link NumberedUpdate deltas}; callers of old versions do not
   */
  public final boolean takesDeltas;

  /**
   * @param ticket a ticket of the unit, with a token that has COPY
   * @param after the number of an update; the answer begins with the first update after it; 0 to
   *     begin with the first update
   * @param bytesMost how many bytes of data the answer may have. With 0 the answer has no updates;
   *     otherwise it has at least one, if there is one
   * @throws IllegalArgumentException if an argument is negative, or {@code bytesMost} is more than
   *     {@link UpdateBounds#DATA_BYTES_MAX}
   */
  public ReadLogRequest(SignedTicket ticket, long after, int bytesMost) {
    this(ticket, after, bytesMost, true);
  }

  ReadLogRequest(SignedTicket ticket, long after, int bytesMost, boolean takesDeltas) {
    super(ticket, Payload.NONE);
    if (after < 0 || bytesMost < 0 || bytesMost > UpdateBounds.DATA_BYTES_MAX) {
      throw new IllegalArgumentException(bytesMost + " bytes (0 to "
          + UpdateBounds.DATA_BYTES_MAX + ") after update " + after);
    }
    this.takesDeltas = takesDeltas;
    this.after = after;
    this.bytesMost = bytesMost;
  }

  @Override
  void into(UpdateRequestProto.Builder proto) {
    proto.getReadLogBuilder().setAfter(after).setBytesMost(bytesMost).setTakesDeltas(takesDeltas);
  }
}
