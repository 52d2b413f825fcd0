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
package org.hdfsppr.coder.code;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * The dimensions of a code: k data units, m parity units, and s sub-chunks in each unit. Immutable.
 */
@InterfaceAudience.Public
public final class CodeDimensions {
  /** K, the number of data units */
  public final int dataUnits;
  /** M, the number of parity units */
  public final int parityUnits;
  /** S, the number of sub-chunks of a unit */
  public final int subChunks;

  /**
   * @param dataUnits k, the number of data units
   * @param parityUnits m, the number of parity units
   * @param subChunks s, the number of sub-chunks of a unit
   */
  public CodeDimensions(int dataUnits, int parityUnits, int subChunks) {
    this.dataUnits = dataUnits;
    this.parityUnits = parityUnits;
    this.subChunks = subChunks;
  }

  /**
   * Checks that a code may have these dimensions, and that its generator has the right size and
   * begins with the identity.
   *
   * @param name the name of the code
   * @param unitsMost how many units the code may have
   * @param subChunksMost how many sub-chunks a unit may have
   * @throws IllegalArgumentException if the generator does not fit the dimensions, or if one of
   *     them is out of its bounds
   */
  void check(String name, int unitsMost, int subChunksMost, GfMatrix generator) {
    if (dataUnits < 1 || parityUnits < 1 || dataUnits + parityUnits > unitsMost) {
      throw new IllegalArgumentException(name + ": a code has at least one data unit and one parity"
          + " unit and at most " + unitsMost + " units, not " + dataUnits + " + " + parityUnits);
    }
    if (subChunks < 1 || subChunks > subChunksMost) {
      throw new IllegalArgumentException(name + ": a unit has 1 to " + subChunksMost
          + " sub-chunks, not " + subChunks);
    }
    int columns = dataUnits * subChunks;
    int rows = (dataUnits + parityUnits) * subChunks;
    if (generator.rows() != rows || generator.columns() != columns) {
      throw new IllegalArgumentException(name + ": the generator must have " + rows + " rows and "
          + columns + " columns, not " + generator.rows() + " and " + generator.columns());
    }
    for (int r = 0; r < columns; r++) {
      for (int c = 0; c < columns; c++) {
        if (generator.get(r, c) != (r == c ? 1 : 0)) {
          throw new IllegalArgumentException(name + ": the first " + columns + " rows of the"
              + " generator must be the identity, but row " + r + " is not");
        }
      }
    }
  }
}
