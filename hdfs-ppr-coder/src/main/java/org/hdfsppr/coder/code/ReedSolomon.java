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

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/** Reed-Solomon codes: any k of the k + m units determine all of them. */
@InterfaceAudience.Public
public final class ReedSolomon {
  private ReedSolomon() {
  }

  /**
   * {@return the code of Hadoop's codec {@code rs}, to the byte: row i &gt;= k, column j of its
   * generator is the inverse of i XOR j ({@code RSUtil.genCauchyMatrix})} It has no recipes,
   * because no choice of helpers is cheaper than another.
   *
   * @param dataUnits k, the number of data units
   * @param parityUnits m, the number of parity units
   */
  public static LinearCode hadoop(int dataUnits, int parityUnits) {
    return new LinearCode(
        "rs-" + dataUnits + "-" + parityUnits, new CodeDimensions(dataUnits, parityUnits, 1),
        GfMatrix.identity(dataUnits).stack(GfMatrix.cauchy(parityUnits, dataUnits)), List.of());
  }

  /**
   * Returns the parity rows of an MDS code in which all elements of the row {@code ones} are 1.
   * They are Hadoop's Cauchy matrix, with each column divided by its element in that row. The code
   * is still MDS, because a square matrix that is regular stays regular when its columns are
   * scaled.
   *
   * @return {@code parityUnits} rows, {@code dataUnits} columns
   * @throws IndexOutOfBoundsException if {@code ones} is not the index of a parity row
   */
  static GfMatrix cauchyWithOnes(int dataUnits, int parityUnits, int ones) {
    GfMatrix cauchy = GfMatrix.cauchy(parityUnits, dataUnits);
    return GfMatrix.generate(parityUnits, dataUnits,
        (r, c) -> Gf256.div(cauchy.get(r, c), cauchy.get(ones, c)));
  }
}
