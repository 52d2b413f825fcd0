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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests sets of bytes. */
class TestByteRanges {
  private static final int BYTES = 60;

  @Test
  void overlappingAndTouchingRangesBecomeOne() {
    ByteRanges ranges = new ByteRanges();
    assertEquals(10, ranges.add(10, 20));
    assertEquals(10, ranges.add(30, 40));
    assertEquals(0, ranges.add(12, 15));
    assertEquals(Map.of(10L, 20L, 30L, 40L), ranges.ranges());
    assertEquals(5, ranges.add(20, 25));
    assertEquals(Map.of(10L, 25L, 30L, 40L), ranges.ranges());
    assertEquals(5, ranges.add(24, 31));
    assertEquals(Map.of(10L, 40L), ranges.ranges());
    assertEquals(20, ranges.add(0, 50));
    assertEquals(Map.of(0L, 50L), ranges.ranges());
  }

  @Test
  void whatIsMissingIsInOrder() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      ByteRanges ranges = new ByteRanges();
      BitSet bits = new BitSet();
      for (int i = 0; i < random.nextInt(20); i++) {
        int from = random.nextInt(100);
        int to = from + 1 + random.nextInt(10);
        ranges.add(from, to);
        bits.set(from, to);
      }
      int from = random.nextInt(100);
      int to = from + 1 + random.nextInt(40);
      BitSet missing = new BitSet();
      long before = -1;
      for (Map.Entry<Long, Long> range : ranges.missing(from, to).entrySet()) {
        assertTrue(range.getKey() > before && range.getKey() < range.getValue(), "seed " + seed);
        before = range.getValue();
        missing.set(range.getKey().intValue(), range.getValue().intValue());
      }
      BitSet expected = new BitSet();
      expected.set(from, to);
      expected.andNot(bits);
      assertEquals(expected, missing, "seed " + seed);
    }
    assertThrows(IllegalArgumentException.class, () -> new ByteRanges().missing(5, 5));
  }

  @Test
  void aRangeHasAByte() {
    ByteRanges ranges = new ByteRanges();
    assertThrows(IllegalArgumentException.class, () -> ranges.add(5, 5));
    assertThrows(IllegalArgumentException.class, () -> ranges.add(6, 5));
    assertThrows(IllegalArgumentException.class, () -> ranges.add(-1, 5));
    assertEquals(Map.of(), ranges.ranges());
  }

  @Test
  void theNearestRangesAreJoinedFirst() {
    ByteRanges ranges = new ByteRanges();
    ranges.add(0, 10);
    ranges.add(15, 20);
    ranges.add(100, 110);
    ranges.add(112, 120);
    assertEquals(33, ranges.bytes());
    ranges.joinTo(4);
    assertEquals(Map.of(0L, 10L, 15L, 20L, 100L, 110L, 112L, 120L), ranges.ranges());
    ranges.joinTo(3);
    assertEquals(Map.of(0L, 10L, 15L, 20L, 100L, 120L), ranges.ranges());
    ranges.joinTo(2);
    assertEquals(Map.of(0L, 20L, 100L, 120L), ranges.ranges());
    ranges.joinTo(1);
    assertEquals(Map.of(0L, 120L), ranges.ranges());
  }

  /** Joined ranges have all bytes that the set had. */
  @Test
  void joiningLosesNoByte() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      ByteRanges ranges = new ByteRanges();
      BitSet bits = new BitSet();
      for (int i = 0; i < 20; i++) {
        int from = random.nextInt(400);
        int to = from + 1 + random.nextInt(12);
        ranges.add(from, to);
        bits.set(from, to);
      }
      int most = 1 + random.nextInt(12);
      ranges.joinTo(most);
      assertTrue(ranges.ranges().size() <= most, "seed " + seed);
      BitSet joined = new BitSet();
      ranges.ranges().forEach((from, to) -> joined.set(from.intValue(), to.intValue()));
      bits.andNot(joined);
      assertTrue(bits.isEmpty(), "seed " + seed);
    }
  }

  /** Compares random sets with one bit for each byte. */
  @Test
  void randomRangesAreWhatBitsSay() {
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      ByteRanges ranges = new ByteRanges();
      BitSet bits = new BitSet();
      for (int i = 0; i < 12; i++) {
        int from = random.nextInt(BYTES);
        int to = from + 1 + random.nextInt(10);
        int before = bits.cardinality();
        bits.set(from, to);
        assertEquals(bits.cardinality() - before, ranges.add(from, to), "seed " + seed);
        Map<Long, Long> expected = new TreeMap<>();
        for (int bit = bits.nextSetBit(0); bit >= 0; bit = bits.nextSetBit(bit)) {
          int end = bits.nextClearBit(bit);
          expected.put((long) bit, (long) end);
          bit = end;
        }
        assertEquals(expected, ranges.ranges(), "seed " + seed);
      }
    }
  }
}
