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
package org.hdfsppr.bench.core;

import java.util.Map;
import java.util.OptionalDouble;


/**
 * The numbers that the paper prints for the code (14,12,5): Esmaili, Pamies-Juarez, Datta, "CORE:
 * Cross-object redundancy for efficient data repair in storage systems", 2013. Its figures 3
 * (clusters) and 5 (costs) have no numbers.
 */
final class PaperFigures {
  private static final String CODE = "core-t5-12-2";

  /** Figure 4: percent of patterns that are recoverable, for 6 to 20 failures. */
  private static final double[] RECOVERABLE = {99.996, 99.969, 99.877, 99.634, 99.102, 98.021,
    96.066, 92.699, 87.253, 78.900, 66.928, 51.237, 33.061, 15.784, 4.125};
  private static final int RECOVERABLE_FROM = 6;

  /** Table II, and L and U of figure 4. */
  private static final Map<String, Double> NUMBERS = Map.of("lower_bound", 6.0,
      "upper_bound", 20.0, "step_row_first", 24.0, "step_column_first", 22.0, "step_rgs", 17.0,
      "plus_row_first", 41.0, "plus_column_first", 39.0, "plus_rgs", 34.0);

  private PaperFigures() {
  }

  /**
   * Returns the paper's number.
   *
   * @param code the code's name
   * @param what what is counted, as in the results
   * @param failures the number of failures
   * @return the number, or empty if the paper prints none
   */
  static OptionalDouble of(String code, String what, int failures) {
    if (!code.equals(CODE)) {
      return OptionalDouble.empty();
    }
    int index = failures - RECOVERABLE_FROM;
    if (what.equals("recoverability") && index >= 0 && index < RECOVERABLE.length) {
      return OptionalDouble.of(RECOVERABLE[index]);
    }
    Double number = NUMBERS.get(what);
    return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
  }
}
