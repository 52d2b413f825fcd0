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
package org.hdfsppr.client.update;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The acknowledged updates of one file that may not be on disks: for each unit and each term, the
 * number of the last one. Its size is bounded by the units of the file. Thread-safe.
 */
@InterfaceAudience.Private
final class UnsyncedUpdates {
  /** By unit, and then by term. Guarded by this. */
  private final Map<Long, Map<Long, Long>> units = new HashMap<>();

  /**
   * Takes note of an update.
   *
   * @return whether the unit has updates of another term as well
   */
  synchronized boolean add(long unit, long term, long number) {
    Map<Long, Long> terms = units.computeIfAbsent(unit, any -> new TreeMap<>());
    terms.merge(term, number, Math::max);
    return terms.size() > 1;
  }

  synchronized boolean isEmpty() {
    return units.isEmpty();
  }

  /** Returns a copy: by unit and term, the number of the last update. */
  synchronized Map<Long, Map<Long, Long>> copy() {
    Map<Long, Map<Long, Long>> copy = new HashMap<>();
    units.forEach((unit, terms) -> copy.put(unit, new TreeMap<>(terms)));
    return copy;
  }

  /** Removes updates of a {@link #copy}, which are on disks now. Later updates stay. */
  synchronized void remove(long unit, Map<Long, Long> synced) {
    Map<Long, Long> terms = units.getOrDefault(unit, Map.of());
    terms.entrySet().removeIf(one ->
        one.getValue() <= synced.getOrDefault(one.getKey(), Long.MIN_VALUE));
    if (terms.isEmpty()) {
      units.remove(unit);
    }
  }
}
