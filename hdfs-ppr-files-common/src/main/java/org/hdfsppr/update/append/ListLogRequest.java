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
 * Asks a holder for the list of a unit's updates, without the data that they write. Each answer has
 * a part of the list. Immutable.
 */
@InterfaceAudience.Private
public final class ListLogRequest extends UpdateRequest {
  /** The number of an update; the answer begins with the first update after it */
  public final long after;

  /**
   * @param ticket a ticket of the unit, with a token that has COPY
   * @param after the number of an update; the answer begins with the first update after it; 0 to
   *     begin with the first update
   * @throws IllegalArgumentException if the number is negative
   */
  public ListLogRequest(SignedTicket ticket, long after) {
    super(ticket, Payload.NONE);
    if (after < 0) {
      throw new IllegalArgumentException("a list after update " + after);
    }
    this.after = after;
  }

  @Override
  void into(UpdateRequestProto.Builder proto) {
    proto.getListLogBuilder().setAfter(after);
  }
}
