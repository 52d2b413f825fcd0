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
package org.hdfsppr.bench.update.strategy;

import java.util.List;
import org.hdfsppr.update.StripeRacks;

/**
 * How the deltas of a rack reach the parity units of another rack (paper, section 3.2). A data
 * delta crosses once, and is forwarded from parity node to parity node. A parity delta is made by
 * one node of the sending rack of all its data deltas.
 */
enum DeltaWay {
  /** Sends data deltas, one for each changed unit. */
  DATA,
  /** Sends parity deltas, one for each parity unit. */
  PARITY,
  /** Sends data deltas if there are no more changed units than parity units (CAU). */
  FEWER;

  /**
   * Adds the transfers from one rack to another one.
   *
   * @param racks where the units of the stripe are
   * @param from the sending rack
   * @param to the receiving rack
   * @param units the changed data units whose deltas the sending rack has; bit i stands for unit i
   * @param length the number of bytes that have changed of each of them
   * @param transfers gets the transfers; none if there is no such unit or no parity unit
   */
  void send(StripeRacks racks, int from, int to, long units, long length,
      List<CrossRackTransfer> transfers) {
    int parities = racks.parities(to);
    if (units == 0 || parities == 0) {
      return;
    }
    if (this == DATA || this == FEWER && Long.bitCount(units) <= parities) {
      for (long left = units; left != 0; left &= left - 1) {
        transfers.add(new CrossRackTransfer(CrossRackTransfer.Kind.DATA_DELTA,
            Long.numberOfTrailingZeros(left), from, to, length));
      }
    } else {
      for (int parity : racks.parityUnitsIn(to)) {
        transfers.add(new CrossRackTransfer(CrossRackTransfer.Kind.PARITY_DELTA, parity, from, to,
            length));
      }
    }
  }
}
