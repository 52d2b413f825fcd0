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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that repairs read the sub-chunks, and use the number of nodes, that the papers state. */
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
    "lrc-rs-l2,          6, 4,  3 3 3 3 3 3",
    "lrc-rs-l2,          10, 4, 5 5 5 5 5 5 5 5 5 5",
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

  /** The formula r/2 * (k + ceil(k/m)) is in section 4.2 of the paper. */
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

  /** If units of its recipes are gone, a data unit is still repaired, from k whole units. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("org.hdfsppr.coder.code.ShippedCodes#divided")
  void withoutTheRecipeKUnitsAreEnough(LinearCode code) {
    int[] lost = {0};
    int[] others = IntStream.range(code.parityUnits(), code.units()).toArray();
    RepairEquation equation = code.solve(lost, code.helperOrder(lost, others)).get();
    assertTrue(equation.helperUnits().length <= code.dataUnits());
    assertTrue(equation.helpers().size() <= code.dataUnits() * code.subChunks());
  }

  /**
   * Lists the number of sub-chunks that each repair option reads for a unit while other units are
   * gone.
   */
  private static String options(LinearCode code, int unit, Integer... gone) {
    int[] others = IntStream.range(0, code.units())
        .filter(u -> u != unit && !Arrays.asList(gone).contains(u)).toArray();
    return code.repairOptions(new int[] {unit}, others).stream()
        .map(option -> option.name() + " " + option.equation().helpers().size())
        .collect(Collectors.joining(", "));
  }

  @Test
  void anLrcHasItsGroupAndEveryoneElse() {
    LinearCode code = LocalReconstruction.of(12, 2, 2);
    assertEquals("local 6, decode 12", options(code, 0));
    // For a local parity unit, decoding from the first helpers is the same as its recipe.
    assertEquals("local 6", options(code, 14));
    assertEquals("decode 12", options(code, 14, 3));
    assertEquals("decode 12", options(code, 12));
    assertEquals("decode 12", options(code, 0, 14));
    assertEquals("local 6", options(code, 0, 6, 7, 8, 9));
  }

  @Test
  void reedSolomonHasNoChoice() {
    assertEquals("decode 6", options(ReedSolomon.hadoop(6, 3), 0));
    assertEquals("", options(ReedSolomon.hadoop(6, 3), 0, 1, 2, 3));
  }

  /**
   * If the parity unit of the paper's recipe is gone, another parity unit still allows a recipe
   * with fewer reads than k units.
   */
  @Test
  void hitchhikerHasOtherParitiesToUse() {
    LinearCode code = Hitchhiker.xorPlus(10, 4);
    assertEquals("b by parity 1 and a by parity 2 13, b by parity 3 and a by parity 2 16,"
        + " b by parity 4 and a by parity 2 16, decode 20", options(code, 0));
    assertEquals("b by parity 3 and a by parity 2 16, b by parity 4 and a by parity 2 16,"
        + " decode 20", options(code, 0, 10));
    assertEquals("decode 20", options(code, 0, 11));
    assertEquals("b by parity 1 and a by parity 2 15,"
        + " b by parity 1 and a by parity 2 without parity 4 17,"
        + " b by parity 4 and a by parity 2 17, decode 20", options(code, 3, 12));
  }

  @Test
  void rotatedReedSolomonTakesWhicheverTwoParitiesAreThere() {
    LinearCode code = RotatedReedSolomon.of(12, 4, 4);
    assertEquals("parities {0, 1} 30, parities {0, 2} 36, parities {1, 3} 36, parities {0, 3} 42,"
        + " parities {1, 2} 42, parities {2, 3} 42, decode 48", options(code, 0));
    assertEquals("parities {2, 3} 42, decode 48", options(code, 0, 12, 13));
    assertEquals("decode 48", options(code, 0, 12, 13, 15));
  }

  /** The number of options is bounded, and every recipe reads less than k whole units. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("org.hdfsppr.coder.code.ShippedCodes#all")
  void optionsAreFewAndTheFirstReadsLeast(LinearCode code) {
    for (int unit = 0; unit < code.units(); unit++) {
      int lost = unit;
      int[] others = IntStream.range(0, code.units()).filter(u -> u != lost).toArray();
      List<RepairOption> options = code.repairOptions(new int[] {unit}, others);
      assertTrue(options.size() <= 10, code + " unit " + unit + ": " + options);
      int before = 0;
      for (RepairOption option : options) {
        int reads = option.equation().helpers().size();
        assertTrue(reads >= before, code + " unit " + unit + ": " + options);
        before = reads;
      }
      assertEquals(repair(code, unit).helpers(), options.get(0).equation().helpers());
    }
  }
}
