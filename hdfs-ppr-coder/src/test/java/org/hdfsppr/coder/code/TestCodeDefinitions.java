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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the codes are those of their papers. The test has the papers' formulas too, for single
 * bytes.
 */
@InterfaceAudience.Private
class TestCodeDefinitions {
  private static final long SEED = 20260712;

  /** In the paper's terms, a_i is window[i][0] and b_i is window[i][1]. */
  private static int f(GfMatrix base, int parity, byte[][] window, int half, int... units) {
    return Arrays.stream(units).map(i -> Gf256.mul(base.get(parity, i), window[i][half]))
        .reduce(0, (x, y) -> x ^ y);
  }

  private static int sum(byte[][] window, int half, int from, int to) {
    return IntStream.range(from, to).map(i -> window[i][half] & 0xff).reduce(0, (x, y) -> x ^ y);
  }

  @Test
  void hitchhikerXorOfTenAndFour() {
    LinearCode code = Hitchhiker.xor(10, 4);
    byte[][] w = ShippedCodes.window(code, 2, new Random(SEED));
    GfMatrix base = code.remainderCode().get().parityCoefficients();
    int[] all = IntStream.range(0, 10).toArray();
    assertEquals(sum(w, 0, 0, 10), w[10][0] & 0xff, "the first parity is the XOR");
    // The piggybacking groups have 4, 3 and 3 units.
    int[] piggybacks = {0, sum(w, 0, 0, 4), sum(w, 0, 4, 7), sum(w, 0, 7, 10)};
    for (int p = 0; p < 4; p++) {
      assertEquals(f(base, p, w, 0, all), w[10 + p][0] & 0xff);
      assertEquals(f(base, p, w, 1, all) ^ piggybacks[p], w[10 + p][1] & 0xff);
    }
  }

  @Test
  void hitchhikerXorPlusOfTenAndFour() {
    LinearCode code = Hitchhiker.xorPlus(10, 4);
    byte[][] w = ShippedCodes.window(code, 2, new Random(SEED));
    GfMatrix base = code.remainderCode().get().parityCoefficients();
    int[] all = IntStream.range(0, 10).toArray();
    // The piggybacking groups have 3, 3, 3 and 1 units. All coefficients of the second parity are
    // 1.
    assertEquals(sum(w, 0, 3, 10) ^ sum(w, 1, 0, 10), w[11][0] & 0xff);
    assertEquals(sum(w, 1, 0, 10) ^ sum(w, 0, 0, 3), w[11][1] & 0xff);
    for (int p : new int[] {0, 2, 3}) {
      assertEquals(f(base, p, w, 0, all), w[10 + p][0] & 0xff);
      int piggyback = p == 0 ? 0 : sum(w, 0, 3 * (p - 1), 3 * p);
      assertEquals(f(base, p, w, 1, all) ^ piggyback, w[10 + p][1] & 0xff);
    }
  }

  @Test
  void hitchhikerNonXorOfTenAndFour() {
    LinearCode code = Hitchhiker.nonXor(10, 4);
    byte[][] w = ShippedCodes.window(code, 2, new Random(SEED));
    GfMatrix base = GfMatrix.cauchy(4, 10);
    assertEquals(base, code.remainderCode().get().parityCoefficients());
    int[] all = IntStream.range(0, 10).toArray();
    int secondB = f(base, 1, w, 1, all) ^ f(base, 1, w, 0, 0, 1, 2);
    assertEquals(f(base, 1, w, 0, all) ^ secondB, w[11][0] & 0xff);
    assertEquals(secondB, w[11][1] & 0xff);
    assertEquals(f(base, 2, w, 1, all) ^ f(base, 1, w, 0, 3, 4, 5), w[12][1] & 0xff);
    assertEquals(f(base, 3, w, 1, all) ^ f(base, 1, w, 0, 6, 7, 8), w[13][1] & 0xff);
  }

  @Test
  void rotatedReedSolomonOfTwelveAndFourInFourRows() {
    LinearCode code = RotatedReedSolomon.of(12, 4, 4);
    byte[][] w = ShippedCodes.window(code, 4, new Random(SEED));
    for (int j = 0; j < 4; j++) {
      for (int b = 0; b < 4; b++) {
        int sum = 0;
        for (int i = 0; i < 12; i++) {
          int row = i < 3 * j ? (b + 1) % 4 : b;
          sum ^= Gf256.mul(Gf256.pow(Gf256.pow(2, j), i), w[i][row]);
        }
        assertEquals(sum, w[12 + j][b] & 0xff, "parity " + j + " of row " + b);
      }
    }
  }

  @Test
  void localParitiesAreTheXorOfTheirGroupsAndComeLast() {
    LinearCode code = LocalReconstruction.of(12, 2, 2);
    byte[][] w = ShippedCodes.window(code, 1, new Random(SEED));
    assertEquals(sum(w, 0, 0, 6), w[14][0] & 0xff);
    assertEquals(sum(w, 0, 6, 12), w[15][0] & 0xff);
    for (int unit : new int[] {12, 13}) {
      for (int c = 0; c < 12; c++) {
        assertTrue(code.generator().get(unit, c) != 0,
            "a global parity unit depends on all data units");
      }
    }
  }

  @Test
  void aRowOfCoreIsHadoopsReedSolomonByAnotherName() {
    LinearCode code = CoreRow.of(5, 12, 2);
    assertEquals("core-t5-12-2", code.name());
    assertEquals(ReedSolomon.hadoop(12, 2).generator(), code.generator());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("org.hdfsppr.coder.code.ShippedCodes#divided")
  void theFirstParityIsCleanAndNoOther(LinearCode code) {
    // LESS has no clean parity at all.
    int clean = code.dataUnits() + (code.name().startsWith("less") ? 0 : 1);
    for (int unit = 0; unit < code.units(); unit++) {
      assertEquals(unit < clean, code.isPositionWise(unit), code + " unit " + unit);
    }
    assertThrows(IllegalArgumentException.class, () -> code.isPositionWise(code.units()));
  }

  @Test
  void withoutARemainderCodeNoParityIsTakenForClean() {
    LinearCode toy = ToyCodes.coupled();
    assertTrue(toy.isPositionWise(1));
    assertFalse(toy.isPositionWise(2));
    assertTrue(ToyCodes.local().isPositionWise(6));
  }

  @ParameterizedTest(name = "({0},{1})")
  @CsvSource({"10, 4, 3 3 3 1", "6, 3, 2 2 2", "12, 4, 4 3 3 2"})
  void groupsAreChosenForTheLeastReads(int k, int m, String sizes) {
    LinearCode code = Hitchhiker.xorPlus(k, m);
    // The recipe of a unit reads the a halves of the other data units of its piggybacking group.
    StringBuilder found = new StringBuilder();
    int unit = 0;
    while (unit < k) {
      int lost = unit;
      long size = 1 + code.recipes().stream().filter(recipe -> recipe.isFor(1 << lost))
          .findFirst().get().helpers().stream().filter(h -> h.unit() < k && h.sub() == 0).count();
      found.append(found.length() == 0 ? "" : " ").append(size);
      unit += (int) size;
    }
    assertEquals(sizes, found.toString());
  }

  @ParameterizedTest(name = "length {0}: {1} + {2}")
  @CsvSource({"0, 0, 0", "1, 0, 1", "3, 0, 3", "4, 1, 0", "1007, 251, 3", "1048576, 262144, 0"})
  void aWindowIsDividedEvenlyAndTheRestStandsApart(int length, int h, int rest) {
    CodingWindow window = new CodingWindow(RotatedReedSolomon.of(12, 4, 4), length);
    assertEquals(h, window.subChunkLength());
    assertEquals(rest, window.remainderLength());
    assertEquals(length - rest, window.remainderOffset());
    assertArrayEquals(new int[] {0, h, 2 * h, 3 * h},
        IntStream.range(0, 4).map(window::offsetOf).toArray());
  }

  @Test
  void whatIsNotProvenIsRefusedWithTheReason() {
    refused("no maximally recoverable coefficients are known for LRC(8,2,2); known are (k,l,r) ="
        + " [10,2,4, 12,2,2, 6,2,2]", () -> LocalReconstruction.of(8, 2, 2));
    refused("for which every pattern", () -> RotatedReedSolomon.of(12, 4, 3));
    refused("at least two parity units", () -> Hitchhiker.xor(10, 1));
    refused("at most 16 units", () -> Hitchhiker.nonXor(14, 3));
    refused("at least two files", () -> CoreRow.of(1, 6, 3));
    refused("at most 16 units", () -> CoreRow.of(3, 14, 3));
    refused("cannot code a window of 3 bytes", () -> new CodingWindow(ToyCodes.coupled(), 3));
    refused("a window of -1 bytes", () -> new CodingWindow(Hitchhiker.xor(6, 3), -1));
    refused("the code of the remainder must have 2 + 2 undivided units",
        () -> new LinearCode("x", new CodeDimensions(2, 2, 2), ToyCodes.coupled().generator(),
            List.of(), ReedSolomon.hadoop(3, 2)));
  }

  private static void refused(String why, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains(why), message);
  }
}
