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
package org.hdfsppr.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.RepairEquation;

/**
 * Finds the sets of units that can rebuild one lost unit, for codes with which not every set of k
 * units can.
 */
final class HelperSets {
  private HelperSets() {
  }

  /**
   * Returns the minimal sets of units that can rebuild a lost unit. A set is minimal if it needs
   * all its units for that.
   *
   * @return sets of unit indices. The list is empty for a code without recipes, because any k units
   *     suffice. It is also empty for a code with sub-chunks, because its recipes read only parts
   *     of units
   */
  static List<int[]> of(LinearCode code, int lost) {
    if (code.recipes().isEmpty() || code.subChunks() > 1) {
      return Collections.emptyList();
    }
    List<int[]> sets = new ArrayList<>();
    for (int mask = 1; mask < 1 << code.units(); mask++) {
      if ((mask >> lost & 1) == 0 && Integer.bitCount(mask) <= code.dataUnits()) {
        int[] units = units(mask);
        Optional<RepairEquation> equation =
            code.solve(new int[] {lost}, code.subChunksOf(units));
        // The set is minimal if the solver needs a coefficient other than 0 for each of its units.
        if (equation.isPresent() && equation.get().helperUnits().length == units.length) {
          sets.add(units);
        }
      }
    }
    return sets;
  }

  private static int[] units(int mask) {
    int[] units = new int[Integer.bitCount(mask)];
    int size = 0;
    for (int unit = 0; size < units.length; unit++) {
      if ((mask >> unit & 1) != 0) {
        units[size++] = unit;
      }
    }
    return units;
  }
}
