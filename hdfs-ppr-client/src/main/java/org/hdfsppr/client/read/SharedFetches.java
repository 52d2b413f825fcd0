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
package org.hdfsppr.client.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The fetches with which one read gets the units from which its lost units are decoded. Several
 * lost units may be decoded from the same fetches. A fetch that was too late for one unit may still
 * be in time for another unit. A caller that looks for a fetch and then adds one has to hold this
 * object's monitor, so that two threads do not add the same fetch.
 */
final class SharedFetches {
  private final List<UnitFetch> begun = new ArrayList<>();

  /**
   * Returns the units of which a fetch reads bytes at offsets within {@code range}. Fetches that
   * were too late do not count.
   */
  synchronized Set<Integer> units(LocatedGroup view, UnitRange range) {
    return begun.stream().filter(fetch -> fetch.view == view && !fetch.isLate())
        .map(fetch -> fetch.part)
        .filter(part -> part.from < range.to && part.to > range.from)
        .map(held -> held.unit).collect(Collectors.toSet());
  }

  /** Returns a fetch that brings all bytes of {@code part}; empty if there is none. */
  synchronized Optional<UnitFetch> find(LocatedGroup view, UnitRange part,
      List<? extends PendingUnitRead> underway) {
    for (PendingUnitRead other : underway) {
      if (other.unit() == part.unit && other.covers(part)) {
        return Optional.of(
            new UnitFetch(view, part, other.bytes(), other.from(), other.flow()));
      }
    }
    return begun.stream()
        .filter(before -> before.view == view && before.part.covers(part)).findFirst();
  }

  synchronized void add(UnitFetch fetch) {
    begun.add(fetch);
  }

  /** Removes a fetch that has failed, so that its unit can be read again. */
  synchronized void remove(UnitFetch fetch) {
    begun.remove(fetch);
  }
}
