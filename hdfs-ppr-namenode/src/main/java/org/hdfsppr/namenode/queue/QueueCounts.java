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
package org.hdfsppr.namenode.queue;

import org.apache.hadoop.classification.InterfaceAudience;

/** Sizes of the queue and of its parts, at one moment. Immutable. */
@InterfaceAudience.Private
public final class QueueCounts {
  /** Groups that wait for the repair manager and that stock does not schedule */
  public final int owned;
  /** Blocks and groups that wait for stock */
  public final int stocks;
  /**
   * How many groups wait for a first look, which decides whether the repair manager or stock gets
   * them
   */
  public final int unsorted;
  /** Repairs that have begun and have not ended */
  public final int inFlight;
  /** Groups that were handed to stock */
  public final int released;
  /** Groups that were handed to stock and had no spare unit at the last look */
  public final int releasedAtRisk;
  /** Groups that stock must not decode, whether they are queued now or not */
  public final int heldBack;

  /**
   * Makes a snapshot of the sizes.
   *
   * @param owned groups that wait for the repair manager
   * @param stocks blocks and groups that wait for stock
   * @param unsorted groups that wait for a first look
   * @param inFlight repairs under way
   * @param released groups that were handed to stock for a time
   * @param releasedAtRisk those of them that have no spare unit
   * @param heldBack groups that stock must not decode
   */
  public QueueCounts(int owned, int stocks, int unsorted, int inFlight, int released,
      int releasedAtRisk, int heldBack) {
    this.owned = owned;
    this.stocks = stocks;
    this.unsorted = unsorted;
    this.inFlight = inFlight;
    this.released = released;
    this.releasedAtRisk = releasedAtRisk;
    this.heldBack = heldBack;
  }

  @Override
  public String toString() {
    return owned + " owned, " + stocks + " stock's, " + unsorted + " to look at, " + inFlight
        + " in flight, " + released + " released, " + heldBack + " held back";
  }
}
