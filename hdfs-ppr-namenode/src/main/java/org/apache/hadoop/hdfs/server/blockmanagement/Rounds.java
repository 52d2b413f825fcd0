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
 * A set that is gone through in rounds, one element at a time, while elements come and go between
 * two of them. A round meets each element that was there when it began and still is when its turn
 * comes, once. All operations take constant time. Not thread-safe.
 *
 * <pre>
 *   not met yet in this round        met, or came since it began
 *   [ a  b  c ]                      [ d  e ]
 *     ^ next                               ^ new elements and met ones go here
 * </pre>
 */
@InterfaceAudience.Private
final class Rounds<E> {
  /** Each element with the round in which it came or was met last; these never decrease. */
  private final Map<E, Long> rounds = new LinkedHashMap<>();
  /** One object, shared by all elements of the round. */
  private Long round = 0L;

  /** An element that is there already keeps its place. */
  void add(E element) {
    rounds.putIfAbsent(element, round);
  }

  void remove(E element) {
    rounds.remove(element);
  }

  /** Also ends the round. */
  void clear() {
    rounds.clear();
  }

  int size() {
    return rounds.size();
  }

  /** Begins a round; elements that are left of the last one belong to it. */
  void begin() {
    round++;
  }

  /** The next element of the round, or null if it is over. */
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
