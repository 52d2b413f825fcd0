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
package org.hdfsppr.plan;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What one unit adds to the sums: its bytes times a column of coefficients, one for each output
 * row. The lost rows come first, then the check row if the plan has one.
 */
@InterfaceAudience.Private
public final class Share {
  private final int unit;
  private final long unitBytes;
  private final NodeRef holder;
  private final byte[] coefficients;
  private final int lostRows;

  /**
   * @param unit index of the unit in its group
   * @param unitBytes length of its internal block, bytes
   * @param holder the node that has the replica
   * @param coefficients one per output row, lost rows first; copied
   * @param lostRows how many of them are lost rows, at least 1; the others are check rows
   */
  public Share(int unit, long unitBytes, NodeRef holder, byte[] coefficients, int lostRows) {
    if (unit < 0 || unitBytes < 1 || lostRows < 1 || lostRows > coefficients.length) {
      throw new IllegalArgumentException("No share: unit " + unit + " of " + unitBytes
          + " bytes, " + coefficients.length + " coefficients for " + lostRows + " lost rows");
    }
    this.unit = unit;
    this.unitBytes = unitBytes;
    this.holder = Objects.requireNonNull(holder, "holder");
    this.coefficients = coefficients.clone();
    this.lostRows = lostRows;
  }

  public int unit() {
    return unit;
  }

  public long unitBytes() {
    return unitBytes;
  }

  public NodeRef holder() {
    return holder;
  }

  /** One coefficient per output row, a copy. */
  public byte[] coefficients() {
    return coefficients.clone();
  }

  public byte coefficient(int row) {
    return coefficients[row];
  }

  public int rows() {
    return coefficients.length;
  }

  /** Whether the unit is needed for a slice at all: an extra helper adds to checked slices only. */
  public boolean contributes(boolean checked) {
    int rows = checked ? coefficients.length : lostRows;
    for (int row = 0; row < rows; row++) {
      if (coefficients[row] != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return unit + "@" + holder;
  }
}
