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
package org.hdfsppr.namenode.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Lists of units, each of them once in a process: when a node dies, a million groups have lost one
 * of a few units. There are at most 2^16 lists. Thread-safe.
 */
@InterfaceAudience.Private
final class UnitLists {
  /** Groups have at most this many units. */
  private static final int UNITS_MAX = 16;
  private static final Map<Integer, List<Integer>> KNOWN = new ConcurrentHashMap<>();

  private UnitLists() {
  }

  /**
   * @param units indices of units
   * @return an unmodifiable list of them; the same object for equal lists that are ascending
   */
  static List<Integer> of(List<Integer> units) {
    int mask = 0;
    int last = -1;
    for (int unit : units) {
      if (unit <= last || unit >= UNITS_MAX) {
        return Collections.unmodifiableList(new ArrayList<>(units));
      }
      mask |= 1 << unit;
      last = unit;
    }
    return KNOWN.computeIfAbsent(mask, none ->
        Collections.unmodifiableList(new ArrayList<>(units)));
  }
}
