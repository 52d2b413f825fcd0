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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests which update has written a byte last. */
class TestLatestUpdates {
  private static final int BYTES = 80;

  /** Compares with an array that has the latest update of each byte. */
  @Test
  void eachByteHasItsLatestUpdate() {
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      LatestUpdates latest = new LatestUpdates();
      int[] wanted = new int[BYTES];
      Arrays.fill(wanted, -1);
      for (int update = 0; update < 12; update++) {
        int from = random.nextInt(BYTES);
        int to = from + 1 + random.nextInt(BYTES - from);
        latest.add(from, to, update);
        Arrays.fill(wanted, from, to, update);
      }
      int begin = random.nextInt(BYTES);
      int end = begin + random.nextInt(BYTES - begin + 1);
      int[] found = new int[BYTES];
      Arrays.fill(found, -1);
      long last = begin;
      for (LatestUpdates.Piece piece : latest.within(begin, end)) {
        assertTrue(piece.from >= last && piece.to > piece.from && piece.to <= end,
            "seed " + seed);
        Arrays.fill(found, (int) piece.from, (int) piece.to, piece.update);
        last = piece.to;
      }
      assertArrayEquals(Arrays.copyOfRange(wanted, begin, end),
          Arrays.copyOfRange(found, begin, end), "seed " + seed);
    }
  }

  @Test
  void aRangeHasAByte() {
    LatestUpdates latest = new LatestUpdates();
    assertThrows(IllegalArgumentException.class, () -> latest.add(3, 3, 0));
    assertThrows(IllegalArgumentException.class, () -> latest.add(-1, 3, 0));
    assertEquals(List.of(), latest.within(0, 10));
  }
}
