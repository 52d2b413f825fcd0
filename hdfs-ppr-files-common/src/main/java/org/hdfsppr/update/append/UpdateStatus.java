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

/**
 * How a request about a log ended. Messages contain the numbers of these constants, so the numbers
 * never change.
 */
@InterfaceAudience.Private
public enum UpdateStatus {
  /** The request was done. For an update, all holders have it. */
  DONE(0),
  /**
   * A holder knows a later term than that of the ticket. The update of this request is in no
   * history. The caller needs a new ticket.
   */
  STALE_TERM(1),
  /**
   * The term cannot go on, because a holder failed or restarted. It is not known whether the update
   * of this request is in the history. The caller needs a ticket of a new term. The message says
   * what failed.
   */
  TERM_OVER(2),
  /**
   * The leader lacks the history of the previous term, or has less of it than another holder. The
   * caller needs a ticket of a new term, in which a holder with the whole history leads.
   */
  NO_HISTORY(3),
  /** The log of a holder is full. It does not have the update. The caller waits for a commit. */
  LOG_FULL(4),
  /** The DataNode has too many requests at the moment. It has done nothing for this one. */
  OVERLOADED(5),
  /**
   * The token does not prove that the ticket is genuine, or the ticket is not for this DataNode.
   */
  REFUSED(6),
  /**
   * The holder cannot add the updates to its log: earlier updates are missing there, or it already
   * has other updates with the same numbers.
   */
  SEQUENCE(7),
  /** The log, or its disk, has failed. */
  FAILED(8),
  /**
   * It is not known whether the history had this update: the history has a later update of the
   * writer, or the holder has dropped updates since the writer sent this one for the first time.
   * The update was not added now.
   */
  OUT_OF_TURN(9),
  /**
   * The request names a ticket that the DataNode does not remember. The DataNode has done nothing.
   * {@link UpdateFraming#readAnswer} throws an exception instead of returning this status.
   */
  UNKNOWN_TICKET(10);

  /** The number that stands for the status in messages */
  public final int number;

  UpdateStatus(int number) {
    this.number = number;
  }

  /**
   * @param number the number that stands for the status in messages
   * @return the status; {@link #FAILED} for a number that this version does not know, because a
   *     newer version may have added it
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
