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
package org.hdfsppr.namenode.schedule;

import java.util.function.IntToDoubleFunction;

/** Sorts the few units of a group by keys. Units with equal keys keep their order. */
final class UnitSort {
  /** A unit whose key includes this summand comes behind all units whose keys do not include it. */
  static final double LAST = 1e15;

  private UnitSort() {
  }

  static void ascending(int[] units, IntToDoubleFunction key) {
    double[] keys = new double[units.length];
    for (int i = 0; i < units.length; i++) {
      int unit = units[i];
      double its = key.applyAsDouble(unit);
      int at = i;
      for (; at > 0 && keys[at - 1] > its; at--) {
        keys[at] = keys[at - 1];
        units[at] = units[at - 1];
      }
      keys[at] = its;
      units[at] = unit;
    }
  }
}
