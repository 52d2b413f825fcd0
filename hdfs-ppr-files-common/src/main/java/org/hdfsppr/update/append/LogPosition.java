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
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateAnswerProto;
import org.hdfsppr.wire.WireRules;

/** How much of the history of a unit a holder has in its log. Immutable. */
@InterfaceAudience.Private
public final class LogPosition {
  /**
   * The value of {@link #pending} if the holder does not say how many updates are in no version.
   */
  public static final int UNKNOWN = -1;
  /** The holder has nothing of the unit. */
  public static final LogPosition NOTHING = new LogPosition(0, 0, 1, true, 0);

  /** The latest term of the unit that the holder knows; 0 if it has nothing of the unit */
  public final long term;
  /** The number of the last update in the unit's history that the holder has; 0 if there is none */
  public final long last;
  /** The epoch of the last update, or the least epoch that the next update may have */
  public final long epoch;
  /** Whether the holder already has the whole history with which the term began */
  public final boolean complete;
  /** How many of the holder's updates are in no version of the file, or {@link #UNKNOWN} */
  public final int pending;

  /**
   * Makes a position in which {@link #pending} is {@link #UNKNOWN}.
   *
   * @param term the latest term of the unit that the holder knows; 0 if it has nothing of the unit
   * @param last the number of the last update; 0 if there is none
   * @param epoch the epoch of the last update, or the least epoch that the next update may have,
   *     from 1
   * @param complete whether the holder already has the whole history with which the term began
   */
  public LogPosition(long term, long last, long epoch, boolean complete) {
    this(term, last, epoch, complete, UNKNOWN);
  }

  /**
   * @param term the latest term of the unit that the holder knows; 0 if it has nothing of the unit
   * @param last the number of the last update; 0 if there is none
   * @param epoch the epoch of the last update, or the least epoch that the next update may have,
   *     from 1
   * @param complete whether the holder already has the whole history with which the term began
   * @param pending how many of the holder's updates are in no version of the file, or {@link
   *     #UNKNOWN}
   */
  public LogPosition(long term, long last, long epoch, boolean complete, int pending) {
    this.pending = pending;
    this.term = term;
    this.last = last;
    this.epoch = epoch;
    this.complete = complete;
  }

  /**
   * Reads the position that an answer has.
   *
   * @throws IllegalArgumentException whose message says what is wrong
   */
  static LogPosition parse(UpdateAnswerProto proto) {
    return new LogPosition(WireRules.within("term", proto.getTerm(), 0, Long.MAX_VALUE),
        WireRules.within("last", proto.getLast(), 0, Long.MAX_VALUE),
        WireRules.within("epoch", proto.getEpoch(), 0, Long.MAX_VALUE), proto.getComplete(),
        proto.hasPending() ? WireRules.within("pending", proto.getPending(), 0, Integer.MAX_VALUE)
            : UNKNOWN);
  }

  void into(UpdateAnswerProto.Builder proto) {
    proto.setTerm(term).setLast(last).setEpoch(epoch).setComplete(complete);
    if (pending != UNKNOWN) {
      proto.setPending(pending);
    }
  }
}
