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
package org.hdfsppr.core;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Bounds for the number of lost blocks of a CORE group whose rows have a Reed-Solomon code (CORE
 * paper, section V-B). With fewer lost blocks than {@link #lower}, every pattern is recoverable;
 * with more than {@link #upper}, none is. In between it depends on the pattern.
 */
@InterfaceAudience.Private
public final class RecoverabilityBounds {
  private RecoverabilityBounds() {
  }

  /**
   * @param units n
   * @param dataUnits k
   * @return L, the least number of lost blocks that can be unrecoverable: 2 (n - k + 1). An example
   *     is two rows that have each lost n - k + 1 blocks, one more than they can repair, in the
   *     same columns
   */
  public static int lower(int units, int dataUnits) {
    return 2 * (units - dataUnits + 1);
  }

  /**
   * Returns the upper bound for patterns in which only data blocks of the t member files are lost.
   * The result agrees with the figure in the CORE paper; the formula in that paper gives one less.
   *
   * @param units n
   * @param dataUnits k
   * @param files t
   * @return U, the greatest number of lost blocks that can be recoverable. In such a pattern, each
   *     of the t rows has lost n - k blocks in the same columns, and each other data column has
   *     lost one block. If k is at most n - k, all t k blocks may be lost
   */
  public static int upper(int units, int dataUnits, int files) {
    int perRow = Math.min(dataUnits, units - dataUnits);
    return files * perRow + dataUnits - perRow;
  }

  /**
   * @param units n
   * @param dataUnits k
   * @param files t
   * @return the greatest number of lost blocks that can be recoverable if parity columns and the
   *     parity file count, too: the number of all blocks that are not data, (t + 1) n - t k
   */
  public static int upperOfAll(int units, int dataUnits, int files) {
    return (files + 1) * units - files * dataUnits;
  }
}
