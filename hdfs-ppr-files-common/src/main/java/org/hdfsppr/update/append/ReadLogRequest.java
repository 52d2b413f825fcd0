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

/** Asks a holder how far its log of a unit is, and for updates. Immutable. */
@InterfaceAudience.Private
public final class ReadLogRequest extends UpdateRequest {
  /** The answer begins with the first update that has a larger number */
  public final long after;
  /** The most bytes of data */
  public final int bytesMost;
  /** Whether the caller knows deltas; one of an old version does not */
  public final boolean takesDeltas;

  /**
   * @param ticket a ticket of the unit, with a token that has COPY
   * @param after the answer begins with the first update that has a larger number
   * @param bytesMost the most bytes of data; the answer has one update at least, unless this is 0
   * @throws IllegalArgumentException if a number is negative, or there are too many bytes
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
