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
package org.hdfsppr.bench.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which units of which pairs of codes have other bytes, and wrong names of pairs. */
class TestCodePair {

  /** XOR+ has another matrix than Hadoop's RS, and an LRC over RS has two of RS's parities. */
  @ParameterizedTest
  @CsvSource({"rs-6-3:lrc-rs-l2-6-4, 2", "rs-10-4:lrc-rs-l2-10-4, 2",
      "rs-10-4:hitchhiker-nonxor-10-4, 3", "rs-10-4:hitchhiker-xorplus-10-4, 4"})
  void unitsWithOtherBytesAreMade(String pair, int made) throws Exception {
    assertEquals(made, CodePair.parse(pair).madeUnits());
  }

  @Test
  void goalsAreThoseOfTheCodes() throws Exception {
    CodePair lrc = CodePair.parse("rs-6-3:lrc-rs-l2-6-4");
    assertEquals(6.5, lrc.networkUnitsMost());
    assertEquals(1.8, lrc.speedupLeast());
    CodePair patched = CodePair.parse("rs-10-4:hitchhiker-nonxor-10-4");
    assertEquals(5, patched.networkUnitsMost());
    assertEquals(3, patched.speedupLeast());
    CodePair other = CodePair.parse("rs-10-4:hitchhiker-xorplus-10-4");
    assertEquals(1.05 * (10 + 4 - 1), other.networkUnitsMost(), 1e-9);
    assertEquals(1.3, other.speedupLeast());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "rs-6-3:rs-6-3", "rs-6-3:rs-10-4", "rs-6-3:rs-10-4:rs-12-4"})
  void onlyPairsOfDifferentCodesWithOneShapeAreTaken(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> CodePair.parse(text));
    assertTrue(refused.getMessage().contains(text), refused.getMessage());
  }
}
