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
 * Repairs blocks by their columns as long as a column can, and the row with most losses where no
 * column can (paper, section V-C).
 */
@InterfaceAudience.Private
final class ColumnFirst implements RepairStrategy {
  @Override
  public String label() {
    return "column-first";
  }

  @Override
  public RepairSchedule schedule(FailureMatrix matrix) {
    ScheduleBuilder open = new ScheduleBuilder(matrix);
    boolean more = true;
    while (more) {
      more = SingleRepairs.firstColumn(open) || SingleRepairs.fullestRow(open);
    }
    return open.build();
  }
}
