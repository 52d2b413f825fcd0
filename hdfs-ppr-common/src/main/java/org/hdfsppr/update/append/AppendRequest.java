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

/** A client writes into a unit. The node that leads gets this. Immutable. */
@InterfaceAudience.Private
public final class AppendRequest extends UpdateRequest {
  private final long offset;
  private final boolean durable;

  /**
   * @param ticket the ticket, with a token that has WRITE
   * @param offset where in the unit the data belong
   * @param durable whether all holders have the update on their disks before the answer
   * @param payload the data, at least one byte
   * @throws IllegalArgumentException if the data are none, too many, or go past the unit's end
   */
  public AppendRequest(SignedTicket ticket, long offset, boolean durable, Payload payload) {
    super(ticket, payload);
    long unitBytes = ticket.ticket().block().length();
    if (payload.length() < 1 || payload.length() > UpdateBounds.UPDATE_BYTES_MAX || offset < 0
        || offset > unitBytes - payload.length()) {
      throw new IllegalArgumentException("an update of " + payload.length() + " bytes at " + offset
          + " of a unit of " + unitBytes + " bytes; it has 1 to " + UpdateBounds.UPDATE_BYTES_MAX
          + " bytes within the unit");
    }
    this.offset = offset;
    this.durable = durable;
  }

  /** @return where in the unit the data belong */
  public long offset() {
    return offset;
  }

  /** @return whether all holders have the update on their disks before the answer */
  public boolean isDurable() {
    return durable;
  }
}
