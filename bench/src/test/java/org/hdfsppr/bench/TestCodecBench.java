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
package org.hdfsppr.bench;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;

import org.junit.jupiter.api.Test;

/** Tests which cells the benchmark of the codecs accepts. */
class TestCodecBench {
  /** Three sub-chunks divide no cell that is a power of two. */
  @Test
  void allCodesTakeTheCellsOfAFullRun() {
    assertDoesNotThrow(
        () -> CodecBench.checkCells(CodecBench.allCodes(), CodecBench.FULL_CELLS));
  }

  @Test
  void cellsWithoutAByteForEachSubChunkAreRefused() {
    assertThrows(IllegalArgumentException.class,
        () -> CodecBench.checkCells(List.of("less-a4-10-4"), List.of(3L)));
  }
}
