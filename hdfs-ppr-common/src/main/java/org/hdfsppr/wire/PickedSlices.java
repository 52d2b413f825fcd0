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
package org.hdfsppr.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.SliceGeometry;

/**
 * Converts slices that do not follow each other into the numbers of a message, and back. There are
 * two numbers for each stretch of slices that do follow each other: how many slices of the stream
 * lie between it and the stretch before it, and how many slices it has.
 */
@InterfaceAudience.Private
final class PickedSlices {
  private PickedSlices() {
  }

  static List<Integer> toProto(SliceGeometry geometry) {
    List<Integer> numbers = new ArrayList<>();
    int end = 0;
    for (SliceGeometry stretch : geometry.ranges()) {
      numbers.add(stretch.firstSlice - end);
      numbers.add(stretch.slices() - stretch.firstSlice);
      end = stretch.slices();
    }
    return numbers;
  }

  /**
   * @param numbers the numbers of a message
   * @param whole the geometry of the whole stream
   * @return the geometry of the slices
   * @throws IllegalArgumentException if these are not two or more stretches of slices of the stream
   */
  static SliceGeometry convert(List<Integer> numbers, SliceGeometry whole) {
    if (numbers.size() % 2 != 0 || numbers.size() < 4
        || numbers.size() > 2 * SliceGeometry.PICKED_MAX) {
      throw new IllegalArgumentException(numbers.size() + " numbers of picked slices are not two"
          + " for each of 2 to " + SliceGeometry.PICKED_MAX + " stretches");
    }
    int[] picked = new int[SliceGeometry.PICKED_MAX];
    int picks = 0;
    long end = 0;
    for (int i = 0; i < numbers.size(); i += 2) {
      // A message has numbers of 32 bits without a sign.
      long gap = Integer.toUnsignedLong(numbers.get(i));
      long count = Integer.toUnsignedLong(numbers.get(i + 1));
      if (gap == 0 && i > 0 || count == 0 || count > picked.length - picks
          || end + gap + count > whole.slices()) {
        throw new IllegalArgumentException("a stretch of " + count + " picked slices after a gap"
            + " of " + gap + " behind slice " + end + " of " + whole.slices() + "; at most "
            + SliceGeometry.PICKED_MAX + " can be picked");
      }
      for (int slice = 0; slice < count; slice++) {
        picked[picks++] = (int) (end + gap + slice);
      }
      end += gap + count;
    }
    return whole.withPicked(Arrays.copyOf(picked, picks));
  }
}
