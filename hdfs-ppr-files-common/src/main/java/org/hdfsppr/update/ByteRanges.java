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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
   * @throws IllegalArgumentException if {@code from} is negative, or {@code to} not greater than
   *     {@code from}
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

  /**
   * Finds the bytes of a range that the set does not have.
   *
   * @param from the first byte, at least 0
   * @param to the byte after the last one, greater than {@code from}
   * @return the missing bytes as ranges, in ascending order: the first byte of each, and the byte
   *     after its last one
   * @throws IllegalArgumentException if {@code from} is negative, or {@code to} not greater than
   *     {@code from}
   */
  public NavigableMap<Long, Long> missing(long from, long to) {
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException("No range: bytes from " + from + " to " + to);
    }
    NavigableMap<Long, Long> missing = new TreeMap<>();
    Map.Entry<Long, Long> before = ends.floorEntry(from);
    long at = before == null ? from : Math.max(from, before.getValue());
    for (Map.Entry<Long, Long> range : ends.subMap(from, false, to, false).entrySet()) {
      if (range.getKey() > at) {
        missing.put(at, range.getKey());
      }
      at = Math.max(at, range.getValue());
    }
    if (at < to) {
      missing.put(at, to);
    }
    return missing;
  }

  /**
   * Reduces the number of ranges: it fills the shortest gaps between ranges until there are few
   * enough. The set then also has the bytes of these gaps.
   *
   * @param most how many ranges may remain, at least 1
   */
  public void joinTo(int most) {
    if (ends.size() <= most) {
      return;
    }
    List<Long> gaps = new ArrayList<>();
    Map.Entry<Long, Long> before = null;
    for (Map.Entry<Long, Long> range : ends.entrySet()) {
      if (before != null) {
        gaps.add(range.getKey() - before.getValue());
      }
      before = range;
    }
    Collections.sort(gaps);
    // All gaps up to this length are filled. If several have exactly this length, more are filled
    // than necessary.
    long longest = gaps.get(ends.size() - most - 1);
    List<Map.Entry<Long, Long>> all = new ArrayList<>(new TreeMap<>(ends).entrySet());
    for (int i = 1; i < all.size(); i++) {
      long end = all.get(i - 1).getValue();
      if (all.get(i).getKey() - end <= longest) {
        add(end, all.get(i).getKey());
      }
    }
  }

  /** @return the number of bytes in the set */
  public long bytes() {
    return ends.entrySet().stream().mapToLong(range -> range.getValue() - range.getKey()).sum();
  }

  /** @return the first byte of each range, and the byte after its last one, in ascending order */
  public NavigableMap<Long, Long> ranges() {
    return Collections.unmodifiableNavigableMap(ends);
  }
}
