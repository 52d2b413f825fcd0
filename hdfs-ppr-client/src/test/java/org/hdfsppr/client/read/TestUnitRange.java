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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the ranges and copies of reads with a file that is cut into units byte by byte. */
class TestUnitRange {
  @Test
  void rangesPutTogetherAreTheFile() {
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      int k = 1 + random.nextInt(12);
      int cell = 1 + random.nextInt(64);
      byte[] file = new byte[1 + random.nextInt(5 * k * cell)];
      random.nextBytes(file);
      byte[][] units = new byte[k][6 * cell];
      for (int i = 0; i < file.length; i++) {
        units[i / cell % k][i / cell / k * cell + i % cell] = file[i];
      }
      int from = random.nextInt(file.length);
      int to = from + 1 + random.nextInt(file.length - from);
      byte[] read = new byte[to - from];
      List<UnitRange> ranges = UnitRange.of(from, to, k, cell);
      int bytes = 0;
      for (UnitRange range : ranges) {
        bytes += range.length();
        range.copyTo(ByteBuffer.wrap(read), from, ByteBuffer.wrap(Arrays.copyOfRange(
            units[range.unit], (int) range.from, (int) range.to)), k, cell);
      }
      assertEquals(to - from, bytes, "seed " + seed);
      assertArrayEquals(Arrays.copyOfRange(file, from, to), read, "seed " + seed);
      assertEquals(ranges.size(), ranges.stream().mapToInt(range -> range.unit).distinct().count());
    }
  }
}
