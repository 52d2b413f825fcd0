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
package org.hdfsppr.coder.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.cost.LossTolerance;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests with real bytes that each code survives every pattern of losses that it promises to
 * survive.
 */
@InterfaceAudience.Private
class TestErasurePatterns {
  private static final long SEED = 20260711;
  private static final int SUB_CHUNK_BYTES = 24;
  /**
   * The number of losses that a code survives in any pattern, for codes for which this is not m.
   */
  private static final Map<String, Integer> GUARANTEES =
      Map.of("lrc-l2-6-4", 3, "lrc-l2-12-4", 3, "lrc-l2-10-6", 5, "lrc-rs-l2-6-4", 3,
          "lrc-rs-l2-10-4", 3);

  private final RegionKernel kernel = Kernels.select("java");

  private static int guarantee(LinearCode code) {
    return GUARANTEES.getOrDefault(code.name(), code.parityUnits());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("org.hdfsppr.coder.code.ShippedCodes#all")
  void everyPatternUpToTheGuaranteeDecodesToTheByte(LinearCode code) {
    byte[][] units = ShippedCodes.window(code, SUB_CHUNK_BYTES * code.subChunks(),
        new Random(SEED));
    assertEquals(guarantee(code), LossTolerance.guaranteed(code), code.name());
    int patterns = 0;
    for (int losses = 1; losses <= guarantee(code); losses++) {
      for (int mask : ShippedCodes.patterns(code, losses).toArray()) {
        assertRepaired(code, units, mask);
        patterns++;
      }
    }
    System.out.println("seed " + SEED + ", " + code.name() + ": " + patterns + " patterns");
  }

  /**
   * If the window cannot be divided evenly, its last bytes must decode in the same patterns as the
   * others.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource("org.hdfsppr.coder.code.ShippedCodes#divided")
  void everyPatternUpToTheGuaranteeDecodesInTheRemainder(LinearCode code) {
    LinearCode remainder = code.remainderCode().get();
    for (int losses = 1; losses <= guarantee(code); losses++) {
      ShippedCodes.patterns(code, losses).forEach(mask ->
          assertTrue(LossTolerance.survives(remainder, mask),
              () -> remainder.name() + " lost " + Arrays.toString(ShippedCodes.units(code, mask))));
    }
  }

  private void assertRepaired(LinearCode code, byte[][] units, int mask) {
    int[] lost = ShippedCodes.units(code, mask);
    assertTrue(LossTolerance.survives(code, mask), () -> code.name() +
        " by the rank of the live units"
        + " left, lost " + Arrays.toString(lost));
    RepairEquation equation = code.solve(lost, code.helperOrder(lost,
        ShippedCodes.others(code, mask))).orElseThrow(() -> new AssertionError(
            code.name() + " does not decode " + Arrays.toString(lost)));
    ByteBuffer[] helpers = equation.helpers().stream()
        .map(h -> ShippedCodes.subChunk(code, units, h)).toArray(ByteBuffer[]::new);
    int h = helpers[0].remaining();
    ByteBuffer[] repaired = equation.lostSubChunks().stream().map(s -> ByteBuffer.allocate(h))
        .toArray(ByteBuffer[]::new);
    kernel.prepare(equation.coefficients()).apply(helpers, repaired, h, false);
    for (int i = 0; i < repaired.length; i++) {
      assertEquals(ShippedCodes.subChunk(code, units, equation.lostSubChunks().get(i)),
          repaired[i], code.name() + " lost " + Arrays.toString(lost));
    }
  }

  /**
   * Maximally recoverable: each group repairs one loss by its local parity. Of the remaining
   * losses, up to r decode. No code with these local parities can decode more.
   */
  @ParameterizedTest(name = "LRC({0},2,{1})")
  @CsvSource({"6, 2", "12, 2", "10, 4"})
  void whateverAnLrcCanDecodeInPrincipleItDecodes(int k, int r) {
    assertMaximallyRecoverable(LocalReconstruction.of(k, 2, r), r, (1 << k / 2) - 1);
  }

  /**
   * @param ofFour how many patterns of four losses any code with these local parities can decode
   */
  @ParameterizedTest(name = "LRC({0},2,2) over RS")
  @CsvSource({"6, 180", "10, 861", "12, 1568"})
  void twoParitiesOfReedSolomonAreEnoughForAnLrc(int k, int ofFour) {
    int even = IntStream.iterate(0, unit -> unit < k, unit -> unit + 2)
        .map(unit -> 1 << unit).sum();
    assertEquals(ofFour,
        assertMaximallyRecoverable(LocalReconstruction.overReedSolomon(k, 4), 2, even));
  }

  /**
   * @param data the data units of the first group, as bits
   * @return how many patterns of r + 2 losses decode
   */
  private int assertMaximallyRecoverable(LinearCode code, int r, int data) {
    int k = code.dataUnits();
    int most = 0;
    byte[][] units = ShippedCodes.window(code, SUB_CHUNK_BYTES, new Random(SEED));
    int decodable = 0;
    int undecodable = 0;
    for (int mask = 1; mask < 1 << code.units(); mask++) {
      if (Integer.bitCount(mask) > 2 + r) {
        continue;
      }
      int firstGroup = data | 1 << k + r;
      int secondGroup = (1 << k) - 1 & ~data | 1 << k + r + 1;
      int globals = (1 << k + r) - (1 << k);
      int beyondLocal = Math.max(0, Integer.bitCount(mask & firstGroup) - 1)
          + Math.max(0, Integer.bitCount(mask & secondGroup) - 1)
          + Integer.bitCount(mask & globals);
      if (beyondLocal <= r) {
        assertRepaired(code, units, mask);
        decodable++;
        most += Integer.bitCount(mask) == 2 + r ? 1 : 0;
      } else {
        int[] lost = ShippedCodes.units(code, mask);
        assertTrue(!code.decodable(lost, ShippedCodes.others(code, mask)));
        undecodable++;
      }
    }
    System.out.println(code.name() + ": " + decodable + " patterns of up to " + (2 + r)
        + " losses decode, " + undecodable + " cannot");
    assertTrue(decodable > 0 && undecodable > 0);
    return most;
  }

  @Test
  void aCodeThatIsNotMdsIsFoundOut() {
    LinearCode weak = ToyCodes.local(); // This code has three parity units.
    assertEquals(2, LossTolerance.guaranteed(weak));
    assertEquals(2, LossTolerance.guaranteed(ToyCodes.coupled()));
    assertEquals(3, LossTolerance.guaranteed(ReedSolomon.hadoop(6, 3)));
  }
}
