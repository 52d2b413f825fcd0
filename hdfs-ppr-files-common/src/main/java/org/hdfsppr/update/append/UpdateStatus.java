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

/** How a request about a log ended. Messages contain the numbers, so these never change. */
@InterfaceAudience.Private
public enum UpdateStatus {
  /** All holders have what was asked for. */
  DONE(0),
  /**
   * The holder knows a later term, and no history has got an update by this request. The caller
   * needs a new ticket.
   */
  STALE_TERM(1),
  /**
   * The holders cannot go on in this term, because one of them failed or started anew. It is not
   * known whether an update is in the history. The caller needs a ticket of a new term. The message
   * says what failed.
   */
  TERM_OVER(2),
  /**
   * The leader does not have the history of the previous term, or less of it than another holder.
   * The caller needs a ticket of a new term, in which a holder leads that has it all.
   */
  NO_HISTORY(3),
  /** A log is full, and does not have the update. The caller waits for a commit. */
  LOG_FULL(4),
  /** The node has no room for the request now. Nothing was done. */
  OVERLOADED(5),
  /** The token does not speak for the ticket, or the ticket is not for this node. */
  REFUSED(6),
  /** Updates before these are missing, or the log has others in their place. */
  SEQUENCE(7),
  /** The log, or its disk, has failed. */
  FAILED(8),
  /**
   * The history has a later update of the writer, or the holder has dropped updates since the
   * writer sent this one first. It is not known whether this one was among them, and it was not
   * done now.
   */
  OUT_OF_TURN(9),
  /**
   * The request names a ticket that its connection does not keep. Nothing was done. {@link
   * UpdateFraming#readAnswer} throws an exception instead of this.
   */
  UNKNOWN_TICKET(10);

  /** The number on the wire */
  public final int number;

  UpdateStatus(int number) {
    this.number = number;
  }

  /**
   * @param number the number on the wire
   * @return the status; {@link #FAILED} for a number that a newer version may have added
   */
  public static UpdateStatus ofNumber(int number) {
    for (UpdateStatus status : values()) {
      if (status.number == number) {
        return status;
      }
    }
    return FAILED;
  }
}
