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
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The ranges of a stripe that updates have written since its last commit. A byte that was written
 * several times counts once, because a commit sends only its latest value. Not safe for several
 * threads.
 */
@InterfaceAudience.Private
public final class StripeUpdates {
  private final Map<Integer, ByteRanges> ranges = new TreeMap<>();

  /**
   * Adds a written range.
   *
   * @param unit the data unit
   * @param from the first byte within the unit
   * @param to the byte after the last one
   * @throws IllegalArgumentException if {@code from} is negative, {@code to} is not greater than
   *     {@code from}, or no stripe has such a unit
   */
  public void add(int unit, long from, long to) {
    if (unit < 0 || unit >= StripeRacks.UNITS_MAX) {
      throw new IllegalArgumentException("Unit " + unit + " is not one of 0 to "
          + (StripeRacks.UNITS_MAX - 1));
    }
    ranges.computeIfAbsent(unit, none -> new ByteRanges()).add(from, to);
  }

  /** @return the data units that have changed; bit i stands for unit i */
  public long units() {
    long units = 0;
    for (int unit : ranges.keySet()) {
      units |= 1L << unit;
    }
    return units;
  }

  /**
   * Cuts all units of the stripe at each offset at which a written range of any unit begins or
   * ends.
   *
   * @return the segments in which something has changed, in ascending order
   */
  public List<UpdatedSegment> segments() {
    // Maps an offset to the units whose ranges begin or end there.
    NavigableMap<Long, Long> cuts = new TreeMap<>();
    ranges.forEach((unit, of) -> of.ranges().forEach((from, to) -> {
      cuts.merge(from, 1L << unit, (a, b) -> a ^ b);
      cuts.merge(to, 1L << unit, (a, b) -> a ^ b);
    }));
    List<UpdatedSegment> segments = new ArrayList<>();
    long units = 0;
    long begin = 0;
    for (Map.Entry<Long, Long> cut : cuts.entrySet()) {
      if (units != 0) {
        segments.add(new UpdatedSegment(begin, cut.getKey() - begin, units));
      }
      units ^= cut.getValue();
      begin = cut.getKey();
    }
    return segments;
  }
}
