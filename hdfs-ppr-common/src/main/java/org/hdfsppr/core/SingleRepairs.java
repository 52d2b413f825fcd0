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

/** The two moves of strategies that always prefer one direction. */
@InterfaceAudience.Private
final class SingleRepairs {
  private SingleRepairs() {
  }

  /**
   * Repairs the row with most losses among those that can be repaired, the first one of equals.
   *
   * @return whether there was such a row
   */
  static boolean fullestRow(ScheduleBuilder open) {
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
   * Repairs the first block that its column can repair, in the first row that has such a block.
   *
   * @return whether there was such a block
   */
  static boolean firstColumn(ScheduleBuilder open) {
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
