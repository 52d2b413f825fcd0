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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests which units have changed at which bytes. */
class TestStripeUpdates {
  private static List<String> segments(StripeUpdates updates) {
    List<String> texts = new ArrayList<>();
    for (UpdatedSegment segment : updates.segments()) {
      texts.add(segment.offset + "+" + segment.length + " "
          + Long.toBinaryString(segment.units));
    }
    return texts;
  }

  @Test
  void segmentsAreCutWhereRangesBeginAndEnd() {
    StripeUpdates updates = new StripeUpdates();
    assertEquals(List.of(), segments(updates));
    updates.add(0, 100, 200);
    updates.add(2, 150, 300);
    updates.add(0, 300, 310);
    updates.add(1, 400, 401);
    assertEquals(0b111, updates.units());
    assertEquals(List.of("100+50 1", "150+50 101", "200+100 100", "300+10 1", "400+1 10"),
        segments(updates));
  }

  @Test
  void bytesWrittenTwiceCountOnce() {
    StripeUpdates updates = new StripeUpdates();
    updates.add(3, 0, 10);
    updates.add(3, 5, 10);
    updates.add(3, 10, 12);
    assertEquals(List.of("0+12 1000"), segments(updates));
  }

  @Test
  void unitsThatNoStripeHasAreRefused() {
    StripeUpdates updates = new StripeUpdates();
    assertThrows(IllegalArgumentException.class, () -> updates.add(-1, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> updates.add(64, 0, 1));
    updates.add(63, 0, 1);
    assertEquals(1L << 63, updates.units());
  }

  /** Compares the segments of random writes with a mask of units for each byte. */
  @Test
  void randomSegmentsCoverEachWrittenByteOnce() {
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed);
      StripeUpdates updates = new StripeUpdates();
      long[] expected = new long[100];
      for (int i = 0; i < 15; i++) {
        int unit = random.nextInt(6);
        int from = random.nextInt(80);
        int to = from + 1 + random.nextInt(20);
        updates.add(unit, from, to);
        for (int at = from; at < to; at++) {
          expected[at] |= 1L << unit;
        }
      }
      long last = 0;
      for (UpdatedSegment segment : updates.segments()) {
        assertEquals(true, segment.offset >= last && segment.units != 0, "seed " + seed);
        last = segment.offset + segment.length;
        for (long at = segment.offset; at < last; at++) {
          assertEquals(expected[(int) at], segment.units, "seed " + seed);
          expected[(int) at] = 0;
        }
      }
      for (long left : expected) {
        assertEquals(0, left, "seed " + seed);
      }
    }
  }
}
