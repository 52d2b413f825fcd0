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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.stream.Stream;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The windows that are checked come from the scalar oracle of the encoders. */
class TestZeroSums {
  private static final long SEED = 20261123;
  private static final int HEALTHY_WINDOWS = 300;

  static Stream<LinearCode> codes() {
    return Stream.concat(ShippedCodes.all(), Stream.of(ReedSolomon.hadoop(6, 3),
        ReedSolomon.hadoop(10, 4), ReedSolomon.hadoop(3, 2), ReedSolomon.hadoop(2, 1)));
  }

  /** Returns the values of relations at one position of each sub-chunk, or of the remainder. */
  private static byte[] sums(GfMatrix relations, LinearCode code, byte[][] units, int position,
      boolean remainder) {
    CodingWindow window = new CodingWindow(code, units[0].length);
    int s = remainder ? 1 : code.subChunks();
    byte[] sums = new byte[relations.rows()];
    for (int row = 0; row < sums.length; row++) {
      for (int unit = 0; unit < units.length; unit++) {
        for (int sub = 0; sub < s; sub++) {
          int at = remainder ? window.remainderOffset() + position
              : window.offsetOf(sub) + position;
          sums[row] ^= (byte) Gf256.mul(relations.get(row, unit * s + sub), units[unit][at]);
        }
      }
    }
    return sums;
  }

  private static boolean isZero(byte[] sums) {
    return Arrays.equals(sums, new byte[sums.length]);
  }

  private static void requireZero(LinearCode code, byte[][] units, int... missing) {
    CodingWindow window = new CodingWindow(code, units[0].length);
    ZeroSums sums = ZeroSums.of(code, missing);
    for (int x = 0; x < window.subChunkLength(); x++) {
      assertTrue(isZero(sums(sums.relations(), code, units, x, false)), code + " at " + x);
      assertTrue(isZero(sums(sums.combined(), code, units, x, false)), code + " at " + x);
    }
    ZeroSums tail = ZeroSums.of(code.remainderCode().get(), missing);
    for (int x = 0; x < window.remainderLength(); x++) {
      assertTrue(isZero(sums(tail.relations(), code, units, x, true)), code + " tail " + x);
      assertTrue(isZero(sums(tail.combined(), code, units, x, true)), code + " tail " + x);
    }
  }

  @ParameterizedTest
  @MethodSource("codes")
  void healthyWindowsOfAnyLengthAreZero(LinearCode code) {
    Random random = new Random(SEED);
    for (int i = 0; i < HEALTHY_WINDOWS; i++) {
      int length = 1 + random.nextInt(16 * code.subChunks());
      requireZero(code, shortGroup(code, length, random));
    }
  }

  /** Returns a window in which the file ends at a random byte, so that some units are zeros. */
  private static byte[][] shortGroup(LinearCode code, int length, Random random) {
    byte[][] data = new byte[code.dataUnits()][length];
    int bytes = 1 + random.nextInt(length * code.dataUnits());
    for (int i = 0; i < bytes; i++) {
      data[i / length][i % length] = (byte) random.nextInt(256);
    }
    return Stream.concat(Arrays.stream(data), Arrays.stream(EncoderVerification.encode(code, data)))
        .toArray(byte[][]::new);
  }

  @ParameterizedTest
  @MethodSource("codes")
  void thereAreAllRelationsAndTheyDifferFromEachOther(LinearCode code) {
    ZeroSums sums = ZeroSums.of(code);
    int rows = code.parityUnits() * code.subChunks();
    assertEquals(rows, sums.relations().rows());
    assertEquals(rows, sums.relations().rank());
    assertEquals(code.subChunks(), sums.combined().rows());
    assertEquals(Collections.emptySet(), sums.uncovered());
    assertEquals(sums.combined(), ZeroSums.of(code).combined(), "the weights are always the same");
  }

  /** A wrong byte anywhere shows in the sums of the length of one unit, and names its unit. */
  @ParameterizedTest
  @MethodSource("codes")
  void eachUnitInTurnIsFound(LinearCode code) {
    Random random = new Random(SEED);
    int length = 5 * code.subChunks() + code.subChunks() - 1;
    CodingWindow window = new CodingWindow(code, length);
    ZeroSums whole = ZeroSums.of(code);
    ZeroSums tail = ZeroSums.of(code.remainderCode().get());
    for (int unit = 0; unit < code.units(); unit++) {
      for (int x = 0; x < length; x++) {
        byte[][] units = ShippedCodes.window(code, length, random);
        units[unit][x] ^= (byte) (1 + random.nextInt(255));
        boolean remainder = x >= window.remainderOffset();
        int position = remainder ? x - window.remainderOffset() : x % window.subChunkLength();
        ZeroSums sums = remainder ? tail : whole;
        assertFalse(isZero(sums(sums.combined(), code, units, position, remainder)),
            code + ": byte " + x + " of unit " + unit + " is wrong, and the sum is zero");
        int found = sums.explainedBy(sums(sums.relations(), code, units, position, remainder));
        assertEquals(code.parityUnits() == 1 ? (1 << code.units()) - 1 : 1 << unit, found,
            code + ": byte " + x + " of unit " + unit);
      }
    }
  }

  /** All sub-chunks of a unit are wrong at once, as after a lost write. */
  @ParameterizedTest
  @MethodSource("codes")
  void aUnitThatIsWrongThroughoutIsFound(LinearCode code) {
    Random random = new Random(SEED);
    ZeroSums sums = ZeroSums.of(code);
    for (int unit = 0; unit < code.units(); unit++) {
      byte[][] units = ShippedCodes.window(code, 40 * code.subChunks(), random);
      random.nextBytes(units[unit]);
      int all = (1 << code.units()) - 1;
      for (int x = 0; x < 40; x++) {
        byte[] syndrome = sums(sums.relations(), code, units, x, false);
        assertEquals(isZero(syndrome), isZero(sums(sums.combined(), code, units, x, false)));
        all &= sums.explainedBy(syndrome);
      }
      assertEquals(code.parityUnits() == 1 ? (1 << code.units()) - 1 : 1 << unit, all);
    }
  }

  /** With three parities or more, two wrong units never look like another one. */
  @Test
  void twoWrongUnitsAccuseNoThird() {
    Random random = new Random(SEED);
    for (LinearCode code : new LinearCode[] {ReedSolomon.hadoop(6, 3), ReedSolomon.hadoop(10, 4),
        Hitchhiker.xor(6, 3), RotatedReedSolomon.of(6, 3, 4), Less.of(6, 3, 3)}) {
      ZeroSums sums = ZeroSums.of(code);
      for (int a = 0; a < code.units(); a++) {
        for (int b = 0; b < a; b++) {
          byte[][] units = ShippedCodes.window(code, code.subChunks(), random);
          units[a][0] ^= (byte) (1 + random.nextInt(255));
          units[b][0] ^= (byte) (1 + random.nextInt(255));
          assertEquals(0, sums.explainedBy(sums(sums.relations(), code, units, 0, false)),
              code + " " + a + " and " + b);
        }
      }
    }
  }

  /** Each pattern of missing units that leaves something to check with. */
  @ParameterizedTest
  @MethodSource("codes")
  void theOthersAreCheckedWithoutMissingUnits(LinearCode code) {
    Random random = new Random(SEED);
    int s = code.subChunks();
    for (int losses = 1; losses <= Math.min(2, code.parityUnits()); losses++) {
      ShippedCodes.patterns(code, losses).forEach(mask -> {
        int[] missing = ShippedCodes.units(code, mask);
        ZeroSums sums = ZeroSums.of(code, missing);
        assertTrue(sums.relations().rows() >= (code.parityUnits() - missing.length) * s);
        byte[][] units = ShippedCodes.window(code, s, random);
        for (int unit : missing) {
          Arrays.fill(units[unit], (byte) random.nextInt(256));
        }
        if (sums.relations().rows() == 0) {
          return;
        }
        assertTrue(isZero(sums(sums.relations(), code, units, 0, false)));
        for (int unit : ShippedCodes.others(code, mask)) {
          if (unit < code.units() && !sums.uncovered().contains(unit)) {
            units[unit][0] ^= 1;
            assertFalse(isZero(sums(sums.combined(), code, units, 0, false)),
                code + " without " + Arrays.toString(missing) + ", unit " + unit);
            units[unit][0] ^= 1;
          }
        }
      });
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    assertThrows(IllegalArgumentException.class, () -> ZeroSums.of(code, 9));
    assertThrows(IllegalArgumentException.class,
        () -> ZeroSums.of(code).explainedBy(new byte[2]));
    assertEquals(0, ZeroSums.of(code, 0, 1, 2).relations().rows());
    assertEquals(6, ZeroSums.of(code, 0, 1, 2).uncovered().size());
  }
}
