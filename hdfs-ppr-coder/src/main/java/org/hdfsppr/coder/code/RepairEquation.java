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

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * An equation that computes lost sub-chunks from helpers, which are the sub-chunks that a repair
 * reads:
 *
 * <pre>
 *   lostSubChunks()[r]  =  sum over h of coefficients()[r][h] * helpers()[h]
 * </pre>
 *
 * <p>Every helper is needed: no column of coefficients is all zero. Immutable.
 */
@InterfaceAudience.Public
public final class RepairEquation {
  private final int[] lostUnits;
  private final List<SubChunk> lostSubChunks;
  private final List<SubChunk> helpers;
  private final GfMatrix coefficients;

  RepairEquation(int[] lostUnits, List<SubChunk> lostSubChunks, List<SubChunk> helpers,
      GfMatrix coefficients) {
    this.lostUnits = lostUnits.clone();
    this.lostSubChunks = List.copyOf(lostSubChunks);
    this.helpers = List.copyOf(helpers);
    this.coefficients = coefficients;
  }

  /** {@return the units that are repaired, in ascending order} */
  public int[] lostUnits() {
    return lostUnits.clone();
  }

  /**
   * {@return every sub-chunk of every lost unit, in ascending order; sub-chunk r belongs to row r
   * of the coefficients}
   */
  public List<SubChunk> lostSubChunks() {
    return lostSubChunks;
  }

  /**
   * {@return the sub-chunks to read, in the order of preference; sub-chunk h belongs to column h of
   * the coefficients}
   */
  public List<SubChunk> helpers() {
    return helpers;
  }

  /** {@return one row for each lost sub-chunk, one column for each helper} */
  public GfMatrix coefficients() {
    return coefficients;
  }

  /** {@return the units from which the repair reads, each once, in the order of preference} */
  public int[] helperUnits() {
    return helpers.stream().mapToInt(SubChunk::unit).distinct().toArray();
  }

  /**
   * {@return the sub-chunks to read from one unit, in the order of {@link #coefficientsOf}'s
   * columns}
   *
   * @param unit index of the unit
   */
  public List<SubChunk> helpersOf(int unit) {
    return List.copyOf(Arrays.asList(Arrays.stream(columnsOf(unit)).mapToObj(helpers::get)
        .toArray(SubChunk[]::new)));
  }

  /**
   * {@return the coefficients of one helper unit} If the sub-chunks of each helper unit are
   * multiplied by the coefficients of their unit, all products add up (XOR) to the lost sub-chunks.
   *
   * @param unit index of the unit
   * @throws IllegalArgumentException if the unit is not a helper
   */
  public GfMatrix coefficientsOf(int unit) {
    int[] columns = columnsOf(unit);
    if (columns.length == 0) {
      throw new IllegalArgumentException("unit " + unit + " is not among the helpers " + helpers);
    }
    return coefficients.columns(columns);
  }

  /** Returns whether both equations read the same sub-chunks, in any order. */
  public boolean readsTheSameAs(RepairEquation other) {
    return helpers.size() == other.helpers.size()
        && new HashSet<>(helpers).containsAll(other.helpers);
  }

  private int[] columnsOf(int unit) {
    int[] columns = new int[helpers.size()];
    int count = 0;
    for (int h = 0; h < columns.length; h++) {
      if (helpers.get(h).unit() == unit) {
        columns[count++] = h;
      }
    }
    return Arrays.copyOf(columns, count);
  }

  @Override
  public String toString() {
    return lostSubChunks + " = " + coefficients + " * " + helpers;
  }
}
