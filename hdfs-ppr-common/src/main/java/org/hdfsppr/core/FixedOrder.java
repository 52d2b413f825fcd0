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
 * Repairs rows, or single blocks by their columns, as far as either is possible. Always tries the
 * same direction first (paper, section V-C). A row repair takes the row with the most losses.
 */
@InterfaceAudience.Private
final class FixedOrder implements RepairStrategy {
  private final String label;
  private final boolean rowsFirst;

  FixedOrder(String label, boolean rowsFirst) {
    this.label = label;
    this.rowsFirst = rowsFirst;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public RepairSchedule schedule(FailureMatrix matrix) {
    ScheduleBuilder open = new ScheduleBuilder(matrix);
    boolean more = true;
    while (more) {
      more = rowsFirst ? fullestRow(open) || firstColumn(open)
          : firstColumn(open) || fullestRow(open);
    }
    return open.build();
  }

  /**
   * Repairs the row with the most losses among those that can be repaired; of equal rows the first.
   *
   * @return whether there was such a row
   */
  private static boolean fullestRow(ScheduleBuilder open) {
    int best = -1;
    int most = 0;
    for (int row = 0; row < open.rows(); row++) {
      int failures = Long.bitCount(open.lost(row));
      if (failures > most && open.repairable(row)) {
        best = row;
        most = failures;
      }
    }
    if (best < 0) {
      return false;
    }
    open.horizontal(best);
    return true;
  }

  /**
   * Repairs one block by its column: the first such block of the first row that has one.
   *
   * @return whether there was such a block
   */
  private static boolean firstColumn(ScheduleBuilder open) {
    for (int row = 0; row < open.rows(); row++) {
      long columns = open.repairableVertically(row);
      if (columns != 0) {
        open.vertical(row, Long.numberOfTrailingZeros(columns));
        return true;
      }
    }
    return false;
  }
}
