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
package org.hdfsppr.namenode.spread;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/** How many units of a block group each rack has. Used by one thread. */
@InterfaceAudience.Private
final class RackCount {
  private final Map<String, Integer> units = new HashMap<>();

  void add(String rack) {
    units.merge(rack, 1, Integer::sum);
  }

  /** Returns how many units a rack has after one has moved to it. */
  int after(String from, String to) {
    return units.getOrDefault(to, 0) + (from.equals(to) ? 0 : 1);
  }

  /**
   * Returns whether a unit may move from a rack to a rack: the group stays on as many racks, and no
   * rack gets more units than the fullest one has.
   */
  boolean allows(String from, String to) {
    boolean isLeft = units.getOrDefault(from, 0) == 1 && !from.equals(to);
    boolean isNew = !units.containsKey(to);
    return (!isLeft || isNew) && after(from, to) <= Collections.max(units.values());
  }
}
