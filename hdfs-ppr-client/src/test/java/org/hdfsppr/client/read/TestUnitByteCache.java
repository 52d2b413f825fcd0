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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.hdfsppr.client.read.RangeRebuilder.ReadAhead;
import org.junit.jupiter.api.Test;

/** Tests the rebuilt runs that a stream keeps, and the runs that it reads ahead. */
class TestUnitByteCache {
  private static final int K = UnitByteCache.RUN_BYTES_LEAST;

  private static ByteBuffer bytes(int first, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    for (int i = 0; i < length; i++) {
      bytes.put((byte) (first + i));
    }
    return bytes.flip();
  }

  @Test
  void aReadMayLieInSeveralRuns() {
    UnitByteCache segments = new UnitByteCache(100 * K);
    segments.add(1, 10, bytes(10, 5));
    segments.add(1, 15, bytes(15, 10));
    segments.add(2, 25, bytes(0, 10));
    ByteBuffer read = ByteBuffer.allocate(12);
    assertTrue(segments.copy(1, 12, read));
    assertArrayEquals(bytes(12, 12).array(), read.array());
    assertTrue(segments.has(1, 12, 24));
    assertFalse(segments.copy(1, 20, ByteBuffer.allocate(6)), "ends in another unit");
    assertFalse(segments.has(1, 20, 26));
    assertFalse(segments.copy(1, 9, ByteBuffer.allocate(2)));
    assertFalse(segments.has(1, 9, 11));
  }

  @Test
  void whatWasNotUsedForLongestGoes() {
    UnitByteCache segments = new UnitByteCache(20 * K);
    segments.add(1, 0, bytes(0, 10 * K));
    segments.add(1, 10 * K, bytes(10, 10 * K));
    assertTrue(segments.copy(1, 0, ByteBuffer.allocate(1)));
    segments.add(1, 20 * K, bytes(20, 5 * K));
    assertTrue(segments.copy(1, 0, ByteBuffer.allocate(10 * K)));
    assertFalse(segments.copy(1, 10 * K, ByteBuffer.allocate(1)));
    assertEquals(15 * K, segments.bytes());
    segments.add(1, 0, bytes(0, 4 * K));
    assertEquals(15 * K, segments.bytes(), "the same place counts once");
    segments.add(3, 0, bytes(0, 21 * K));
    assertFalse(segments.copy(3, 0, ByteBuffer.allocate(1)),
        "this run is beyond the size that may be kept");
    segments.clear();
    assertEquals(0, segments.bytes());
    assertFalse(segments.has(1, 0, 1));
  }

  /** Each kept run counts with its overhead, so that runs of four bytes cannot fill the heap. */
  @Test
  void shortRunsCountAsMore() {
    UnitByteCache segments = new UnitByteCache(2 * K);
    for (int i = 0; i < 100; i++) {
      segments.add(1, 10L * i, bytes(i, 4));
      assertTrue(segments.bytes() <= 2 * K);
    }
    assertTrue(segments.has(1, 10 * 98, 10 * 98 + 4));
    assertFalse(segments.has(1, 10 * 97, 10 * 97 + 4));
  }

  /**
   * Runs are added at random, in any order. The kept bytes must be right, and their size must stay
   * within the bound.
   */
  @Test
  void randomRunsAreWhatTheyWere() {
    Random random = new Random(4711);
    UnitByteCache all = new UnitByteCache(Long.MAX_VALUE);
    UnitByteCache some = new UnitByteCache(12 * K);
    byte[] unit = new byte[64 * K];
    random.nextBytes(unit);
    boolean[] added = new boolean[unit.length];
    int found = 0;
    for (int i = 0; i < 2000; i++) {
      int from = random.nextInt(unit.length - 1);
      int to = Math.min(unit.length, from + 1 + random.nextInt(2 * K));
      if (i % 3 != 0) {
        from = from / 500 * 500;
      }
      ByteBuffer read = ByteBuffer.allocate(to - from);
      boolean whole = true;
      for (int at = from; at < to; at++) {
        whole &= added[at];
      }
      assertEquals(whole, all.has(7, from, to));
      assertEquals(whole, all.copy(7, from, read));
      if (whole) {
        assertArrayEquals(Arrays.copyOfRange(unit, from, to), read.array());
      }
      ByteBuffer kept = ByteBuffer.allocate(to - from);
      if (some.copy(7, from, kept)) {
        found++;
        assertArrayEquals(Arrays.copyOfRange(unit, from, to), kept.array());
      }
      ByteBuffer run = ByteBuffer.wrap(unit, from, to - from);
      all.add(7, from, run);
      some.add(7, from, run);
      Arrays.fill(added, from, to, true);
      assertTrue(some.bytes() <= 12 * K);
    }
    assertTrue(found > 20, found + " ranges were still kept");
  }

  @Test
  void aReaderThatGoesOnGetsMore() {
    ReadAhead ahead = new ReadAhead(1 << 20);
    assertEquals(64 << 10, ahead.widen(1, new UnitRange(0, 0, 64 << 10), 10 << 20).length());
    UnitRange second = ahead.widen(1, new UnitRange(0, 64 << 10, 128 << 10), 10 << 20);
    assertEquals(256 << 10, second.length());
    UnitRange third = ahead.widen(1, new UnitRange(0, second.to, second.to + (1 << 20)),
        10 << 20);
    assertEquals(1 << 20, third.length());
    assertEquals(1000, ahead.widen(1, new UnitRange(0, 5000, 6000), 10 << 20).length(),
        "elsewhere");
    assertEquals(1000, ahead.widen(1, new UnitRange(0, 6000, 7000), 7000).length(),
        "the range ends with the unit");
  }
}
