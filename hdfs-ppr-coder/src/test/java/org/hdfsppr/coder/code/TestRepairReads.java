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

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Repairs read what the papers say, to the sub-chunk and to the machine. */
@InterfaceAudience.Private
class TestRepairReads {
  private static RepairEquation repair(LinearCode code, int unit) {
    int[] lost = {unit};
    int[] others = IntStream.range(0, code.units()).filter(u -> u != unit).toArray();
    return code.solve(lost, code.helperOrder(lost, others)).get();
  }

  private static int[] reads(LinearCode code) {
    return IntStream.range(0, code.units()).map(u -> repair(code, u).helpers().size()).toArray();
  }

  @Test
  void hitchhikerXorPlusOfTenAndFourIsThePapers() {
    for (LinearCode code : new LinearCode[] {Hitchhiker.xorPlus(10, 4),
        Hitchhiker.nonXor(10, 4)}) {
      for (int unit = 0; unit < 10; unit++) {
        RepairEquation equation = repair(code, unit);
        assertEquals(13, equation.helpers().size(), code + " unit " + unit);
        assertEquals(unit < 9 ? 11 : 13, equation.helperUnits().length, code + " unit " + unit);
      }
      for (int unit = 10; unit < 14; unit++) {
        assertEquals(20, repair(code, unit).helpers().size(), code + " unit " + unit);
        assertEquals(10, repair(code, unit).helperUnits().length, code + " unit " + unit);
      }
    }
  }

  @ParameterizedTest(name = "{0}({1},{2})")
  @CsvSource({
    "hitchhiker-xor,     6, 3,  9  9  9  9  9  9",
    "hitchhiker-xor,     10, 4, 14 14 14 14 13 13 13 13 13 13",
    "hitchhiker-xor,     12, 4, 16 16 16 16 16 16 16 16 16 16 16 16",
    "hitchhiker-xorplus, 6, 3,  8 8 8 8 9 9",
    "hitchhiker-xorplus, 12, 4, 16 16 16 16 15 15 15 15 15 15 16 16",
    "hitchhiker-nonxor,  6, 3,  8 8 8 8 9 9",
    "hitchhiker-nonxor,  12, 4, 16 16 16 16 15 15 15 15 15 15 16 16",
    "lrc-l2,             6, 4,  3 3 3 3 3 3",
    "lrc-l2,             12, 4, 6 6 6 6 6 6 6 6 6 6 6 6",
    "lrc-l2,             10, 6, 5 5 5 5 5 5 5 5 5 5",
    "core-t3,            6, 3,  6 6 6 6 6 6"})
  void subChunksReadForEveryDataUnit(String codec, int k, int m, String expected)
      throws UnsupportedCodeException {
    int[] reads = reads(PprCodec.byName(codec).get().code(k, m));
    StringBuilder data = new StringBuilder();
    for (int unit = 0; unit < k; unit++) {
      data.append(unit == 0 ? "" : " ").append(reads[unit]);
    }
    assertEquals(expected.replaceAll(" +", " "), data.toString());
  }

  @ParameterizedTest(name = "LRC({0},2,{1})")
  @CsvSource({"6, 2", "12, 2", "10, 4"})
  void aLocalParityIsReadFromItsGroupAndAGlobalOneFromTheData(int k, int r) {
    LinearCode code = LocalReconstruction.of(k, 2, r);
    for (int unit = k; unit < code.units(); unit++) {
      assertEquals(unit < k + r ? k : k / 2, repair(code, unit).helpers().size());
    }
  }

  /** r/2 * (k + ceil(k/m)), section 4.2 of the paper. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("org.hdfsppr.coder.code.ShippedCodes#divided")
  void rotatedReedSolomonFollowsItsFormula(LinearCode code) {
    if (!code.name().startsWith("rotated")) {
      return;
    }
    int k = code.dataUnits();
    int m = code.parityUnits();
    int formula = code.subChunks() / 2 * (k + (k + m - 1) / m);
    int[] reads = reads(code);
    System.out.println(code.name() + ": " + Arrays.toString(reads) + ", formula "
        + formula);
    for (int unit = 0; unit < k; unit++) {
      assertTrue(reads[unit] <= formula, code + " unit " + unit + ": " + reads[unit]);
    }
    for (int unit = k; unit < code.units(); unit++) {
      assertEquals(k * code.subChunks(), reads[unit], code + " unit " + unit);
    }
  }

  /** Without its recipe's units a data unit is still repaired, from k whole ones. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("org.hdfsppr.coder.code.ShippedCodes#divided")
  void withoutTheRecipeKUnitsAreEnough(LinearCode code) {
    int[] lost = {0};
    int[] others = IntStream.range(2, code.units()).toArray();
    RepairEquation equation = code.solve(lost, code.helperOrder(lost, others)).get();
    assertTrue(equation.helperUnits().length <= code.dataUnits());
    assertTrue(equation.helpers().size() <= code.dataUnits() * code.subChunks());
  }
}
