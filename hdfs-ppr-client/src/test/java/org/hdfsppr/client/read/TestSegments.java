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
import org.junit.jupiter.api.Test;

/** Kept runs, and what is read ahead into them. */
class TestSegments {
  private static ByteBuffer bytes(int first, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    for (int i = 0; i < length; i++) {
      bytes.put((byte) (first + i));
    }
    return bytes.flip();
  }

  @Test
  void aReadMayLieInSeveralRuns() {
    Segments segments = new Segments(100);
    segments.add(1, 10, bytes(10, 5));
    segments.add(1, 15, bytes(15, 10));
    segments.add(2, 25, bytes(0, 10));
    ByteBuffer read = ByteBuffer.allocate(12);
    assertTrue(segments.copy(1, 12, read));
    assertArrayEquals(bytes(12, 12).array(), read.array());
    assertFalse(segments.copy(1, 20, ByteBuffer.allocate(6)), "ends in another unit");
    assertFalse(segments.copy(1, 9, ByteBuffer.allocate(2)));
  }

  @Test
  void whatWasNotUsedForLongestGoes() {
    Segments segments = new Segments(20);
    segments.add(1, 0, bytes(0, 10));
    segments.add(1, 10, bytes(10, 10));
    assertTrue(segments.copy(1, 0, ByteBuffer.allocate(1)));
    segments.add(1, 20, bytes(20, 5));
    assertTrue(segments.copy(1, 0, ByteBuffer.allocate(10)));
    assertFalse(segments.copy(1, 10, ByteBuffer.allocate(1)));
    assertEquals(15, segments.bytes());
    segments.add(1, 0, bytes(0, 4));
    assertEquals(9, segments.bytes(), "the same place counts once");
    segments.add(3, 0, bytes(0, 21));
    assertFalse(segments.copy(3, 0, ByteBuffer.allocate(1)), "more than all that may be kept");
  }

  @Test
  void aReaderThatGoesOnGetsMore() {
    ReadAhead ahead = new ReadAhead(1 << 20);
    assertEquals(64 << 10, ahead.widen(1, new UnitRange(0, 0, 64 << 10), 10 << 20).length());
    UnitRange second = ahead.widen(1, new UnitRange(0, 64 << 10, 128 << 10), 10 << 20);
    assertEquals(256 << 10, second.length());
    UnitRange third = ahead.widen(1, new UnitRange(0, second.to(), second.to() + (1 << 20)),
        10 << 20);
    assertEquals(1 << 20, third.length());
    assertEquals(1000, ahead.widen(1, new UnitRange(0, 5000, 6000), 10 << 20).length(),
        "elsewhere");
    assertEquals(1000, ahead.widen(1, new UnitRange(0, 6000, 7000), 7000).length(),
        "not beyond the unit");
  }
}
