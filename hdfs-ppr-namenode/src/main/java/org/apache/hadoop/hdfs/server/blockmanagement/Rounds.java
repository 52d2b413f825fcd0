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

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A set whose elements are visited in rounds, one at a time. Elements may be added and removed
 * between two visits. A round visits once each element that was in the set when the round began and
 * has not been removed before its visit. All operations take constant time. Not thread-safe.
 *
 * <pre>
 *   not met yet in this round        met, or came since it began
 *   [ a  b  c ]                      [ d  e ]
 *     ^ next                               ^ new elements and met ones go here
 * </pre>
 */
@InterfaceAudience.Private
final class Rounds<E> {
  /**
   * Maps each element to the round in which it was added or visited last. In the order of the map
   * these numbers never decrease.
   */
  private final Map<E, Long> rounds = new LinkedHashMap<>();
  /**
   * The number of the present round. All entries of the round share this object, which saves
   * memory.
   */
  private Long round = 0L;

  /** Adds an element. An element that is in the set already keeps its place. */
  void add(E element) {
    rounds.putIfAbsent(element, round);
  }

  void remove(E element) {
    rounds.remove(element);
  }

  /** Removes all elements, which also ends the round. */
  void clear() {
    rounds.clear();
  }

  int size() {
    return rounds.size();
  }

  /** Begins a new round, which also visits the elements that the last round has not visited. */
  void begin() {
    round++;
  }

  /** Returns the next element of the round, or null if the round is over. */
  E next() {
    Iterator<Map.Entry<E, Long>> first = rounds.entrySet().iterator();
    if (!first.hasNext()) {
      return null;
    }
    Map.Entry<E, Long> entry = first.next();
    if (entry.getValue().equals(round)) {
      return null;
    }
    E element = entry.getKey();
    first.remove();
    rounds.put(element, round);
    return element;
  }
}
