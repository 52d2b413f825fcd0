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
package org.hdfsppr.coder.cost;

import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.gf.GfMatrix;

/** The cost of the repair of one lost unit while all other units are available. Immutable. */
@InterfaceAudience.Public
public final class RepairCost {
  private final double unitsRead;
  private final int helpers;
  private final double unitsAdded;
  private final double unitsMultiplied;

  private RepairCost(double unitsRead, int helpers, double unitsAdded, double unitsMultiplied) {
    this.unitsRead = unitsRead;
    this.helpers = helpers;
    this.unitsAdded = unitsAdded;
    this.unitsMultiplied = unitsMultiplied;
  }

  /**
   * {@return the cost to repair the unit by the code's cheapest recipe, or, if it has no recipe for
   * the unit, from the first units that suffice}
   *
   * @param code the code
   * @param unit index of the unit
   */
  public static RepairCost of(LinearCode code, int unit) {
    int[] lost = {unit};
    int[] others = IntStream.range(0, code.units()).filter(u -> u != unit).toArray();
    RepairEquation equation = code.solve(lost, code.helperOrder(lost, others)).orElseThrow(() ->
        new IllegalArgumentException(code.name() + " does not survive the loss of unit " + unit));
    double sub = code.subChunks();
    GfMatrix coefficients = equation.coefficients();
    int added = 0;
    int multiplied = 0;
    for (int row = 0; row < coefficients.rows(); row++) {
      for (int column = 0; column < coefficients.columns(); column++) {
        added += coefficients.get(row, column) != 0 ? 1 : 0;
        multiplied += (coefficients.get(row, column) & ~1) != 0 ? 1 : 0;
      }
    }
    return new RepairCost(equation.helpers().size() / sub, equation.helperUnits().length,
        added / sub, multiplied / sub);
  }

  /**
   * {@return how many bytes all helpers read together, divided by C, the number of bytes of a unit}
   */
  public double unitsRead() {
    return unitsRead;
  }

  /** {@return the number of units from which the repair reads; each unit is on another machine} */
  public int helpers() {
    return helpers;
  }

  /**
   * {@return how many bytes the repair adds to sums, divided by C, the number of bytes of a unit; a
   * byte that is read counts once for each part of the lost unit that depends on it}
   */
  public double unitsAdded() {
    return unitsAdded;
  }

  /**
   * {@return how many of the added bytes are multiplied by a coefficient other than 1, divided by
   * C, the number of bytes of a unit}
   */
  public double unitsMultiplied() {
    return unitsMultiplied;
  }

  /**
   * {@return the time of the repair as a multiple of C/B, for units of C bytes and links of B bytes
   * per second, if every node sends all bytes that it reads to the destination} The destination's
   * link then carries all these bytes. Stock HDFS repairs in this way.
   */
  public double timeStar() {
    return unitsRead;
  }

  /**
   * {@return the time of the repair as a multiple of C/B, as in {@link #timeStar}, if a PPR tree
   * repairs (Mitra et al., "Partial-parallel-repair (PPR)", EuroSys 2016, section 4)} The tree
   * takes ceil(log2(helpers + 1)) steps. In each step, a node sends a partial sum of at most one
   * unit. If helpers read less than whole units, the repair may take less time than this.
   */
  public int timePpr() {
    return Integer.SIZE - Integer.numberOfLeadingZeros(helpers);
  }
}
