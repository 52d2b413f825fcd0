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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.Block;

/**
 * The repairs that have begun, and a list of those whose groups stock has changed since the last
 * look. Guarded by the monitor of the {@link SplitLowRedundancyBlocks} that has this object.
 */
@InterfaceAudience.Private
final class Flights {
  private final LinkedHashMap<BlockInfo, Flight> flights = new LinkedHashMap<>();
  private final LinkedHashSet<BlockInfo> touched = new LinkedHashSet<>();

  void add(Flight flight) {
    flights.put(flight.block, flight);
  }

  /** @return false if the repair had been removed before */
  boolean remove(Flight flight) {
    if (!flights.remove(flight.block, flight)) {
      return false;
    }
    touched.remove(flight.block);
    return true;
  }

  /** Returns the repair of the group that has the same id as {@code block}, or null. */
  Flight find(Block block) {
    return flights.get(block);
  }

  /** Notes that stock has changed a group, in case a repair of the group is under way. */
  void touch(BlockInfo block) {
    if (flights.containsKey(block)) {
      touched.add(block);
    }
  }

  void touchAll() {
    touched.addAll(flights.keySet());
  }

  boolean isTouched() {
    return !touched.isEmpty();
  }

  /**
   * Returns up to {@code touchedMax} repairs whose groups stock has changed, and up to {@code
   * othersMax} other repairs.
   */
  List<Flight> takeSome(int touchedMax, int othersMax) {
    Set<BlockInfo> taken = new LinkedHashSet<>();
    Iterator<BlockInfo> next = touched.iterator();
    while (taken.size() < touchedMax && next.hasNext()) {
      taken.add(next.next());
      next.remove();
    }
    taken.addAll(LookList.firstKeys(flights, othersMax));
    List<Flight> result = new ArrayList<>(taken.size());
    for (BlockInfo block : taken) {
      Flight flight = flights.remove(block);
      if (flight != null) {
        flights.put(block, flight);
        result.add(flight);
      }
    }
    return result;
  }

  int size() {
    return flights.size();
  }
}
