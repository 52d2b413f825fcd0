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
package org.hdfsppr.update.view;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.Ticket;
import org.hdfsppr.update.append.UpdateBounds;

/** Asks the node that leads a unit for the bytes of updates, or to sync them. Immutable. */
@InterfaceAudience.Private
public final class ViewRequest {
  private final SignedTicket ticket;
  /** Where in the unit the range begins */
  public final long offset;
  /** Bytes of the range; 0 if no bytes are wanted */
  public final int length;
  /** Whether all holders have all updates on their disks before the answer */
  public final boolean isSync;
  /** Whether the caller knows deltas; one of an old version does not */
  public final boolean takesDeltas;

  private ViewRequest(SignedTicket ticket, long offset, int length, boolean isSync,
      boolean takesDeltas) {
    this.takesDeltas = takesDeltas;
    this.ticket = Objects.requireNonNull(ticket, "ticket");
    long unitBytes = ticket.ticket.block.length;
    if (offset < 0 || length < 0 || length > UpdateBounds.DATA_BYTES_MAX
        || offset > unitBytes - length || length == 0 != isSync) {
      throw new IllegalArgumentException("a view of " + length + " bytes at " + offset
          + " of a unit of " + unitBytes + " bytes" + (isSync ? ", with a sync" : ""));
    }
    this.offset = offset;
    this.length = length;
    this.isSync = isSync;
  }

  static ViewRequest of(SignedTicket ticket, long offset, int length, boolean isSync,
      boolean takesDeltas) {
    return new ViewRequest(ticket, offset, length, isSync, takesDeltas);
  }

  /**
   * @param ticket the ticket, with a token that has READ
   * @param offset where in the unit the range begins
   * @param length bytes of the range, at least 1 and at most {@link UpdateBounds#DATA_BYTES_MAX}
   * @return asks for the bytes in the range that acknowledged updates have written
   * @throws IllegalArgumentException if the range is not within the unit
   */
  public static ViewRequest range(SignedTicket ticket, long offset, int length) {
    return new ViewRequest(ticket, offset, length, false, true);
  }

  /**
   * @param ticket the ticket, with a token that has WRITE
   * @return asks that all holders have all updates of the unit on their disks
   */
  public static ViewRequest sync(SignedTicket ticket) {
    return new ViewRequest(ticket, 0, 0, true, true);
  }

  /** @return the ticket and the token that speaks for it */
  public SignedTicket signed() {
    return ticket;
  }

  /** @return the ticket */
  public Ticket ticket() {
    return ticket.ticket;
  }

  @Override
  public String toString() {
    return (isSync ? "Sync" : "View") + " for " + ticket();
  }
}
