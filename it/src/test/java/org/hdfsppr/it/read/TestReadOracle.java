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
package org.hdfsppr.it.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.junit.jupiter.api.Test;

/** Tests the oracle itself: it must find any wrong byte in any range. */
class TestReadOracle {
  private static final int LENGTH = 100;

  @Test
  void anyRangeIsThatOfTheWhole() {
    ReadOracle oracle = new ReadOracle(7);
    byte[] whole = oracle.bytes(0, LENGTH);
    for (int from = 0; from <= LENGTH; from++) {
      for (int to = from; to <= LENGTH; to++) {
        assertArrayEquals(Arrays.copyOfRange(whole, from, to), oracle.bytes(from, to - from));
      }
    }
  }

  @Test
  void oneWrongByteIsFoundWhereItIs() {
    ReadOracle oracle = new ReadOracle(7);
    for (int at = 0; at < LENGTH; at++) {
      byte[] read = oracle.bytes(3, LENGTH);
      assertEquals(-1, oracle.firstWrong(3, read, LENGTH));
      read[at] ^= 1;
      assertEquals(at, oracle.firstWrong(3, read, LENGTH));
      assertEquals(-1, oracle.firstWrong(3, read, at),
          "bytes behind the requested length do not count");
    }
  }

  @Test
  void seedsAndPlacesDiffer() {
    byte[] bytes = new ReadOracle(7).bytes(0, 1 << 16);
    assertTrue(new ReadOracle(8).firstWrong(0, bytes, bytes.length) >= 0);
    assertTrue(new ReadOracle(7).firstWrong(1 << 16, bytes, bytes.length) >= 0);
    long distinct = new String(bytes, StandardCharsets.ISO_8859_1).chars().distinct().count();
    assertEquals(256, distinct, "all values occur");
  }
}
