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
package org.hdfsppr.bench.characterize;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;


/** How many bytes had been answered at each moment of a run. */
final class AskedBytes {
  private final NavigableMap<Double, Double> bytes = new TreeMap<>();

  /**
   * Adds a moment. Moments are added in their order.
   *
   * @param seconds the moment, since 1970
   * @param total the bytes until then
   */
  void put(double seconds, double total) {
    bytes.put(seconds, total);
  }

  /** {@return the bytes until the last moment; 0 without any} */
  double total() {
    return bytes.isEmpty() ? 0 : bytes.lastEntry().getValue();
  }

  /** {@return the bytes until a moment, in proportion between two that were added} */
  double until(double seconds) {
    Map.Entry<Double, Double> before = bytes.floorEntry(seconds);
    Map.Entry<Double, Double> after = bytes.ceilingEntry(seconds);
    if (before == null) {
      return 0;
    }
    if (after == null || after.getKey().equals(before.getKey())) {
      return before.getValue();
    }
    double share = (seconds - before.getKey()) / (after.getKey() - before.getKey());
    return before.getValue() + share * (after.getValue() - before.getValue());
  }
}
