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
package org.hdfsppr.update;

import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * For each rack, the data units whose deltas the DataNode of a parity unit there has in its log. A
 * commit need not send the changes of these units to that rack. Immutable.
 */
@InterfaceAudience.Private
public final class RackLogs {
  /** No rack has deltas. */
  public static final RackLogs NONE = new RackLogs(Map.of());

  private final Map<Integer, Long> units;

  /**
   * @param units for each rack, the data units whose deltas are in a log there; bit i stands for
   *     unit i
   */
  public RackLogs(Map<Integer, Long> units) {
    this.units = Map.copyOf(units);
  }

  /**
   * @param rack a rack
   * @return the data units whose deltas are in a log in this rack; bit i stands for unit i
   */
  public long units(int rack) {
    return units.getOrDefault(rack, 0L);
  }
}
