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
package org.hdfsppr.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** The slices of a unit cover it, once, and every node of a tree cuts them alike. */
@InterfaceAudience.Private
class TestSliceGeometry {
  private static final int[] SLICES = {512, 513, 1000, 4096, 1 << 20};

  @Test
  void slicesCoverTheStreamOnce() {
    for (int slice : SLICES) {
      for (long stream : new long[] {1, 511, 512, 513, 1023, 1024, 1025, 99_999, 1 << 22}) {
        SliceGeometry geometry = new SliceGeometry(stream, slice, 0, 0);
        long at = 0;
        for (int i = 0; i < geometry.slices(); i++) {
          assertEquals(at, geometry.offset(i));
          int length = geometry.length(i);
          assertTrue(length >= 1 && length <= slice);
          assertTrue(length == slice || i == geometry.slices() - 1);
          at += length;
        }
        assertEquals(stream, at);
      }
    }
  }

  @Test
  void aShorterUnitEndsWithinASlice() {
    for (long unit : new long[] {1, 511, 512, 513, 5_000, 9_999, 10_000, 10_001, 1L << 39}) {
      SliceGeometry geometry = new SliceGeometry(10_000, 512, 0, 0);
      long sum = 0;
      boolean ended = false;
      for (int i = 0; i < geometry.slices(); i++) {
        int within = geometry.lengthWithin(i, unit);
        assertTrue(within >= 0 && within <= geometry.length(i));
        assertTrue(!ended || within == 0, "bytes behind the end");
        ended = within < geometry.length(i);
        sum += within;
      }
      assertEquals(Math.min(unit, 10_000), sum);
    }
  }

  @Test
  void everyNthSliceIsCheckedAndTheLastOne() {
    for (int oneIn = 1; oneIn < 10; oneIn++) {
      for (int phase = 0; phase < oneIn; phase++) {
        for (int slices = 1; slices < 40; slices++) {
          SliceGeometry geometry = new SliceGeometry(slices * 512L - 1, 512, oneIn, phase);
          assertEquals(slices, geometry.slices());
          for (int i = 0; i < slices; i++) {
            assertEquals(i % oneIn == phase || i == slices - 1, geometry.checked(i));
          }
        }
      }
    }
    SliceGeometry none = new SliceGeometry(5_000, 512, 0, 0);
    for (int i = 0; i < none.slices(); i++) {
      assertTrue(!none.checked(i));
    }
  }

  @Test
  void theLargestStreamDoesNotOverflow() {
    SliceGeometry geometry = new SliceGeometry(SliceGeometry.STREAM_BYTES_MAX, 513, 1, 0);
    int last = geometry.slices() - 1;
    assertEquals(SliceGeometry.STREAM_BYTES_MAX,
        geometry.offset(last) + geometry.length(last));
    assertEquals(geometry.length(last), geometry.lengthWithin(last, Long.MAX_VALUE));
    assertEquals(0, geometry.lengthWithin(last, 1));
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    long[][] wrong = {{0, 512, 0, 0}, {-1, 512, 0, 0}, {(1L << 40) + 1, 1 << 20, 0, 0},
        {1000, 511, 0, 0}, {1000, (1 << 20) + 1, 0, 0}, {1000, 0, 0, 0}, {1000, -512, 0, 0},
        {1000, 512, -1, 0}, {1000, 512, 4, 4}, {1000, 512, 4, -1}, {1000, 512, 0, 1},
        // 2^31 slices.
        {1L << 40, 512, 0, 0}, {Long.MAX_VALUE, 512, 0, 0}};
    for (long[] values : wrong) {
      assertThrows(IllegalArgumentException.class, () -> new SliceGeometry(values[0],
          (int) values[1], (int) values[2], (int) values[3]), Arrays.toString(values));
    }
  }

  /** Three sub-chunks leave a byte of each cell of 4 KiB, which is a slice of its own. */
  @Test
  void everyCellHasATailIfItsLengthIsNotDivisible() {
    for (int stream : new int[] {4095, 4096, 4097, 4099, 8192, 10_000, 12_288}) {
      SliceGeometry geometry = new SliceGeometry(stream, 1000, 3, 4096, 0, 0);
      boolean[] covered = new boolean[stream];
      int tails = 0;
      for (int slice = 0; slice < geometry.slices(); slice++) {
        assertEquals(slice == 0
            || geometry.offset(slice) / 4096 > geometry.offset(slice - 1) / 4096,
            geometry.beginsStretch(slice));
        assertEquals(geometry.kind(slice).tail ? 1 : 3, geometry.runs(slice));
        tails += geometry.kind(slice).tail ? 1 : 0;
        for (int run = 0; run < geometry.runs(slice); run++) {
          for (int x = 0; x < geometry.length(slice); x++) {
            int at = (int) geometry.offset(slice, run) + x;
            assertTrue(!covered[at], "byte " + at + " is in two slices");
            covered[at] = true;
          }
        }
      }
      for (int at = 0; at < stream; at++) {
        assertTrue(covered[at], "byte " + at + " of " + stream);
      }
      assertEquals(stream / 4096 + (stream % 4096 % 3 > 0 ? 1 : 0), tails);
      assertEquals(tails > 0, geometry.hasTail());
    }
  }

  /** Picked slices lie where they lie in the stream, and their ranges are the same slices again. */
  @Test
  void pickedSlicesKeepTheirPlaces() {
    for (long seed = 1; seed <= 2000; seed++) {
      Random random = new Random(seed);
      int sub = 1 + random.nextInt(4);
      int stream = 5_000 + random.nextInt(20_000);
      SliceGeometry whole = new SliceGeometry(stream, 512 + random.nextInt(200), sub,
          sub == 1 ? 0 : 4096, random.nextInt(4), 0);
      int share = 1 + random.nextInt(4);
      int[] numbers = IntStream.range(0, whole.slices())
          .filter(slice -> slice == 0 || random.nextInt(4) < share).toArray();
      SliceGeometry some = random.nextBoolean() ? whole : whole.withSlices(0, 1);
      SliceGeometry picked = some.withPicked(numbers);
      boolean isGapless = numbers[numbers.length - 1] - numbers[0] == numbers.length - 1;
      assertEquals(!isGapless, picked.isPicked(), "seed " + seed);
      assertEquals(numbers.length < whole.slices(), picked.isRange());
      assertEquals(numbers.length, picked.slices() - picked.firstSlice);
      for (int i = 0; i < numbers.length; i++) {
        int slice = picked.firstSlice + i;
        // Which slices are checked goes by their new numbers, as in a whole stream.
        assertEquals(whole.kind(numbers[i]).tail, picked.kind(slice).tail);
        boolean isLast = i == numbers.length - 1;
        assertEquals(whole.checkOneIn > 0 && (isLast || slice % whole.checkOneIn == 0),
            picked.kind(slice).checked);
        assertEquals(isLast || whole.cellStart(numbers[i]) < whole.cellStart(numbers[i + 1]),
            picked.endsCell(slice));
        assertEquals(whole.length(numbers[i]), picked.length(slice));
        assertEquals(whole.cellStart(numbers[i]), picked.cellStart(slice));
        for (int run = 0; run < whole.runs(numbers[i]); run++) {
          assertEquals(whole.offset(numbers[i], run), picked.offset(slice, run));
          assertEquals(whole.lengthWithin(numbers[i], run, stream - 700),
              picked.lengthWithin(slice, run, stream - 700));
        }
        boolean begins = i == 0 || numbers[i - 1] + 1 < numbers[i]
            || whole.cellStart(numbers[i - 1]) < whole.cellStart(numbers[i]);
        assertEquals(begins, picked.beginsStretch(slice), "seed " + seed + ", slice " + slice);
        int end = i;
        while (end + 1 < numbers.length && numbers[end + 1] == numbers[end] + 1) {
          end++;
        }
        assertEquals(whole.withSlices(numbers[i], numbers[end] + 1).runLength(numbers[i]),
            picked.runLength(slice), "seed " + seed + ", slice " + slice);
      }
      int[] again = picked.ranges().stream()
          .flatMapToInt(range -> IntStream.range(range.firstSlice, range.slices())).toArray();
      assertArrayEquals(numbers, again, "seed " + seed);
    }
  }

  @Test
  void picksThatMakeNoSenseAreRefused() {
    SliceGeometry whole = new SliceGeometry(10_000_000, 512, 0, 0);
    int[][] wrong = {{}, {-1, 5}, {3, 3}, {4, 3}, {0, whole.slices()}, {whole.slices()},
        {0, Integer.MAX_VALUE}, IntStream.rangeClosed(0, SliceGeometry.PICKED_MAX)
            .map(i -> 2 * i).toArray()};
    for (int[] numbers : wrong) {
      assertThrows(IllegalArgumentException.class, () -> whole.withPicked(numbers),
          numbers.length + " picks");
    }
    assertEquals(SliceGeometry.PICKED_MAX, whole.withPicked(
        IntStream.range(0, SliceGeometry.PICKED_MAX).map(i -> 2 * i).toArray()).slices());
    assertEquals(SliceGeometry.PICKED_MAX + 1, whole.withPicked(
        IntStream.rangeClosed(0, SliceGeometry.PICKED_MAX).toArray()).slices());
  }

  /** Every byte of the range is in a wanted slice, and the first and last slice have some of it. */
  @Test
  void aRangeCoversItsBytesAndLittleMore() {
    for (long seed = 1; seed <= 2000; seed++) {
      Random random = new Random(seed);
      int sub = 1 + random.nextInt(4);
      int stream = 1 + random.nextInt(20_000);
      SliceGeometry whole = new SliceGeometry(stream, 512 + random.nextInt(1000), sub,
          sub == 1 ? 0 : 4096, 1, 0);
      int from = random.nextInt(stream);
      int to = from + 1 + random.nextInt(stream - from);
      SliceGeometry range = whole.covering(from, to);
      boolean[] covered = new boolean[stream];
      for (int slice = range.firstSlice; slice < range.slices(); slice++) {
        assertEquals(whole.length(slice), range.length(slice));
        for (int run = 0; run < range.runs(slice); run++) {
          assertEquals(whole.offset(slice, run), range.offset(slice, run));
          int at = (int) range.offset(slice, run);
          Arrays.fill(covered, at, at + range.length(slice), true);
        }
      }
      for (int i = from; i < to; i++) {
        assertTrue(covered[i], "byte " + i + " of " + from + " to " + to + ", seed " + seed);
      }
      assertEquals(range.firstSlice > 0 || range.slices() < whole.slices(), range.isRange());
      if (sub == 1) {
        assertTrue(range.offset(range.firstSlice) + range.length(range.firstSlice) > from);
        assertTrue(range.offset(range.slices() - 1) < to);
      } else if (from / 4096 == (to - 1) / 4096 && to - from <= 100 && stream / 4096 > from / 4096
          && from % 4096 / (4096 / sub) == (to - 1) % 4096 / (4096 / sub)) {
        assertTrue(range.slices() - range.firstSlice <= 2, "seed " + seed);
      }
    }
  }

  @Test
  void aSliceLastsNoLongerThanASecond() {
    assertEquals(64 << 10, SliceGeometry.sliceBytesAtRate(64 << 10, 1L << 40, 1));
    assertEquals(64 << 10, SliceGeometry.sliceBytesAtRate(64 << 10, 100_000, 1));
    assertEquals(8 << 10, SliceGeometry.sliceBytesAtRate(64 << 10, 100_000, 8));
    assertEquals(64 << 10, SliceGeometry.sliceBytesAtRate(1 << 20, 64 << 10, 1));
    assertEquals(512, SliceGeometry.sliceBytesAtRate(512, 64 << 10, 8));
  }
}
