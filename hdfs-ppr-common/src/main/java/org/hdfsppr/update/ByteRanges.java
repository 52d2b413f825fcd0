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

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A set of bytes of a unit, kept as ranges. Ranges that overlap or touch become one. Not safe for
 * several threads.
 */
@InterfaceAudience.Private
public final class ByteRanges {
  /** Maps the first byte of each range to the byte after its last one. */
  private final NavigableMap<Long, Long> ends = new TreeMap<>();

  /**
   * Adds the bytes of a range.
   *
   * @param from the first byte, at least 0
   * @param to the byte after the last one, greater than {@code from}
   * @return the number of these bytes that the set did not have before
   * @throws IllegalArgumentException if this is no range
   */
  public long add(long from, long to) {
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException("No range: bytes from " + from + " to " + to);
    }
    long fresh = to - from;
    long first = from;
    long end = to;
    Map.Entry<Long, Long> before = ends.floorEntry(to);
    while (before != null && before.getValue() >= from) {
      long overlap = Math.min(to, before.getValue()) - Math.max(from, before.getKey());
      fresh -= overlap;
      first = Math.min(first, before.getKey());
      end = Math.max(end, before.getValue());
      ends.remove(before.getKey());
      before = ends.floorEntry(to);
    }
    ends.put(first, end);
    return fresh;
  }

  /** @return the first byte of each range, and the byte after its last one, in ascending order */
  public NavigableMap<Long, Long> ranges() {
    return Collections.unmodifiableNavigableMap(ends);
  }
}
