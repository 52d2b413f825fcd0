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

import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** All strategies, by name. */
@InterfaceAudience.Private
public final class RepairStrategies {
  /** Reads the fewest blocks: see {@link RecursiveGreedy}. */
  public static final RepairStrategy RGS = new RecursiveGreedy();
  /** Prefers repairs of rows, as a code without vertical parity would. */
  public static final RepairStrategy ROW_FIRST = new FixedOrder("row-first", true);
  /** Prefers repairs of columns. */
  public static final RepairStrategy COLUMN_FIRST = new FixedOrder("column-first", false);

  private static final List<RepairStrategy> ALL = List.of(RGS, ROW_FIRST, COLUMN_FIRST);

  private RepairStrategies() {
  }

  /** @return all strategies, the default one first */
  public static List<RepairStrategy> all() {
    return ALL;
  }

  /**
   * @param label a name as {@link RepairStrategy#label} has it
   * @return the strategy
   * @throws IllegalArgumentException if there is none with this name
   */
  public static RepairStrategy byName(String label) {
    return ALL.stream().filter(strategy -> strategy.label().equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no strategy '" + label
            + "'; there are "
            + ALL.stream().map(RepairStrategy::label).collect(Collectors.joining(", "))));
  }
}
