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
package org.hdfsppr.namenode.schedule;

import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.namenode.model.UnitReads;

/** The units that a repair reads, as bits, and how much of each. Immutable. */
final class ReadSet {
  final int units;
  private final double[] shares;
  final boolean byDecoding;

  /**
   * @param known units whose bytes are known and need not be read, as bits
   * @param byDecoding true if the code has a recipe for the lost unit and this set does not use
   *     that recipe
   */
  ReadSet(RepairEquation equation, int subChunks, int unitCount, int known, boolean byDecoding) {
    this.byDecoding = byDecoding;
    shares = new double[unitCount];
    int mask = 0;
    for (int unit : equation.helperUnits()) {
      if ((known >> unit & 1) == 0) {
        mask |= 1 << unit;
        shares[unit] = (double) equation.helpersOf(unit).size() / subChunks;
      }
    }
    units = mask;
  }

  boolean has(int unit) {
    return (units >> unit & 1) != 0;
  }

  /** Returns the share of the unit's bytes that the repair reads, 0 to 1. */
  double share(int unit) {
    return shares[unit];
  }

  /** Returns how much of each unit the repair reads, in sub-chunks. */
  UnitReads inSubChunks(int subChunks) {
    int[] read = new int[shares.length];
    for (int unit = 0; unit < read.length; unit++) {
      read[unit] = (int) Math.round(shares[unit] * subChunks);
    }
    return new UnitReads(subChunks, read);
  }
}
