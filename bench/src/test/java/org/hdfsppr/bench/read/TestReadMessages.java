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
package org.hdfsppr.bench.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.hdfsppr.it.read.ReadOracle;
import org.junit.jupiter.api.Test;

/** Tests what client processes are asked, and what they answer. */
class TestReadMessages {
  @Test
  void requestsAndResultsPassAsLines() throws Exception {
    ReadRequest request = ReadRequest.parse(new ReadRequest("/a b", -5,
        List.of(new ReadRequest.Range(1L << 40, 9))).toLine());
    assertEquals("/a b", request.file);
    assertEquals(1L << 40, request.ranges.get(0).offset);
    assertEquals(9, request.ranges.get(0).length);
    assertArrayEquals(new ReadOracle(-5).bytes(0, 9), request.oracle().bytes(0, 9));
    ReadResult result = ReadResult.parse(
        new ReadResult(4_000_000, 500_000_000L, List.of(1_000_000_000L, 500_000_000L), "")
            .toLine());
    assertEquals(2.0, result.megabytesPerSecond());
    assertEquals(500, result.percentileMs(0.5));
    assertEquals(1000, result.percentileMs(0.99));
    assertTrue(result.ok());
    assertEquals(1, request.readers);
    assertEquals(3, ReadRequest.parse(request.withReaders(3).toLine()).readers);
    assertThrows(IllegalArgumentException.class, () -> request.withReaders(0));
  }

  @Test
  void readersAtTheSameTimeAreAsFastAsAllOfThem() throws Exception {
    ReadResult fast = new ReadResult(2_000_000, 0, List.of(500_000_000L), "");
    ReadResult slow = new ReadResult(2_000_000, 0, List.of(400_000_000L, 600_000_000L), "");
    ReadResult both = ReadResult.parse(ReadResult.together(List.of(fast, slow)).toLine());
    assertEquals(4.0, both.megabytesPerSecond(), "4 MB in the second of the slower reader");
    assertEquals(600, both.percentileMs(1));
    assertTrue(both.ok());
    ReadResult wrong = new ReadResult(0, 0, List.of(), "WRONG BYTE");
    assertFalse(ReadResult.together(List.of(fast, wrong)).ok());
  }
}
