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

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests the solver on codes for which the number of units does not decide what can be decoded. */
@InterfaceAudience.Private
class TestLinearCode {
  private static final long SEED = 20260104;
  private static final RegionKernel KERNEL = Kernels.select("java");

  @BeforeAll
  static void seed() {
    System.out.println("seed " + SEED);
  }

  private static int[] without(int units, int... lost) {
    return IntStream.range(0, units).filter(u -> Arrays.stream(lost).noneMatch(l -> l == u))
        .toArray();
  }

  private static int[] members(int mask) {
    return IntStream.range(0, 32).filter(u -> (mask >>> u & 1) != 0).toArray();
  }

  private static List<SubChunk> whole(int... units) {
    List<SubChunk> list = new ArrayList<>();
    for (int unit : units) {
      list.add(SubChunk.of(unit, 0));
    }
    return list;
  }

  @Test
  void reedSolomonTakesTheFirstKOfTheGivenOrder() {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    RepairEquation equation = code.solve(new int[] {2}, whole(8, 0, 7, 3, 1, 6, 4, 5)).get();
    assertEquals(whole(8, 0, 7, 3, 1, 6), equation.helpers());
    assertArrayEquals(new int[] {8, 0, 7, 3, 1, 6}, equation.helperUnits());
    assertEquals(Optional.empty(), code.solve(new int[] {2}, whole(8, 0, 7, 3, 1)));
  }

  @Test
  void lostUnitsComeOutInAscendingOrder() {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    RepairEquation equation = code.solve(new int[] {7, 1}, whole(0, 2, 3, 4, 5, 6)).get();
    assertArrayEquals(new int[] {1, 7}, equation.lostUnits());
    assertEquals(whole(1, 7), equation.lostSubChunks());
    assertEquals(code.solve(new int[] {1}, whole(0, 2, 3, 4, 5, 6)).get().coefficients(),
        equation.coefficients().rows(0));
  }

  @Test
  void aLocalGroupStopsTheSearchEarly() {
    LinearCode code = ToyCodes.local();
    assertEquals(whole(5, 0), code.solve(new int[] {1}, whole(5, 0, 4, 2, 3, 6)).get().helpers());
    // The solver accepts unit 4, which is independent of the units before it, and then drops it,
    // because the result does not need it.
    assertEquals(whole(5, 0), code.solve(new int[] {1}, whole(4, 5, 0)).get().helpers());
  }

  @Test
  void decodabilityIsAMatterOfRankNotOfNumbers() {
    LinearCode code = ToyCodes.local();
    // In both cases four units remain, as many as there are data units. Only one case can be
    // decoded.
    assertFalse(code.decodable(new int[] {0, 1, 5}, without(7, 0, 1, 5)));
    assertTrue(code.decodable(new int[] {0, 2, 4}, without(7, 0, 2, 4)));
    // Two units of a group suffice for a lost unit of the same group.
    assertTrue(code.decodable(new int[] {0}, 1, 5));
    assertFalse(code.decodable(new int[] {0}, 2, 3, 4, 6));
  }

  @Test
  void everyPatternIsDecodedToTheByteOrRefused() {
    Random random = new Random(SEED);
    for (LinearCode code : List.of(ToyCodes.local(), ToyCodes.coupled())) {
      ByteBuffer[] all = ToyCodes.encode(code, 37, random);
      int decodable = 0;
      for (int mask = 1; mask < 1 << code.units(); mask++) {
        int[] lost = members(mask);
        int[] there = without(code.units(), lost);
        // A check without the solver: lost units can be decoded if their rows do not increase the
        // rank of the remaining rows.
        GfMatrix remaining = there.length == 0 ? GfMatrix.generate(1, all.length, (r, c) -> 0)
            : code.generator().rows(rows(code, there));
        boolean expected = there.length > 0 && remaining.rank()
            == remaining.stack(code.generator().rows(rows(code, lost))).rank();
        Optional<RepairEquation> equation = code.solve(lost, code.subChunksOf(there));
        assertEquals(expected, equation.isPresent(), code + " " + Arrays.toString(lost));
        if (equation.isPresent()) {
          decodable++;
          assertRepairs(code, equation.get(), all);
        }
      }
      System.out.println(code + ": " + decodable + " patterns decoded");
    }
  }

  private static int[] rows(LinearCode code, int... units) {
    return code.subChunksOf(units).stream().mapToInt(s -> ToyCodes.row(code, s)).toArray();
  }

  private static void assertRepairs(LinearCode code, RepairEquation equation, ByteBuffer[] all) {
    ByteBuffer[] repaired = ToyCodes.repair(code, equation, all, KERNEL);
    for (int r = 0; r < repaired.length; r++) {
      SubChunk lost = equation.lostSubChunks().get(r);
      assertEquals(all[ToyCodes.row(code, lost)], repaired[r], code + ": " + equation);
    }
    for (int h = 0; h < equation.helpers().size(); h++) {
      assertTrue(equation.coefficients().columns(h).rank() > 0, "helper " + h + " is not needed");
    }
  }

  @Test
  void anyOrderOfHelpersGivesARepairAndNoneReadsTooMuch() {
    Random random = new Random(SEED);
    LinearCode code = ReedSolomon.hadoop(10, 4);
    ByteBuffer[] all = ToyCodes.encode(code, 16, random);
    for (int round = 0; round < 200; round++) {
      List<Integer> order = new ArrayList<>();
      for (int u = 0; u < 14; u++) {
        order.add(u);
      }
      Collections.shuffle(order, random);
      int losses = 1 + random.nextInt(4);
      int[] lost = order.subList(0, losses).stream().mapToInt(u -> u).toArray();
      int[] helpers = order.subList(losses, 14).stream().mapToInt(u -> u).toArray();
      RepairEquation equation = code.solve(lost, code.subChunksOf(helpers)).get();
      assertEquals(10, equation.helpers().size());
      assertArrayEquals(Arrays.copyOf(helpers, 10), equation.helperUnits());
      assertRepairs(code, equation, all);
    }
  }

  @Test
  void halfUnitsSufficeForACoupledCode() {
    LinearCode code = ToyCodes.coupled();
    List<SubChunk> order = code.helperOrder(new int[] {0}, 1, 2, 3);
    assertEquals(List.of(SubChunk.of(1, 1), SubChunk.of(2, 1), SubChunk.of(3, 1),
        SubChunk.of(1, 0), SubChunk.of(2, 0), SubChunk.of(3, 0)), order);
    RepairEquation equation = code.solve(new int[] {0}, order).get();
    assertEquals(order.subList(0, 3), equation.helpers());
    assertEquals(List.of(SubChunk.of(0, 0), SubChunk.of(0, 1)), equation.lostSubChunks());
    assertRepairs(code, equation, ToyCodes.encode(code, 100, new Random(SEED)));
  }

  @Test
  void aRecipeIsUsedOnlyIfAllItsUnitsAreThere() {
    LinearCode code = ToyCodes.local();
    assertEquals(whole(1, 5, 6, 4, 2, 3), code.helperOrder(new int[] {0}, 6, 4, 2, 3, 5, 1));
    assertEquals(whole(6, 4, 2, 3, 1), code.helperOrder(new int[] {0}, 6, 4, 2, 3, 1));
    assertEquals(whole(6, 4, 3, 5, 1), code.helperOrder(new int[] {0, 2}, 6, 4, 3, 5, 1));
    assertEquals(whole(3, 1, 0), ReedSolomon.hadoop(3, 2).helperOrder(new int[] {2}, 3, 1, 0));
  }

  @Test
  void aRecipeThatDoesNotWorkIsRefusedWithItsCode() {
    GfMatrix generator = ToyCodes.local().generator();
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
        () -> new LinearCode("bad", new CodeDimensions(4, 3, 1), generator,
            List.of(new Recipe("toy", 0, whole(2, 3, 6)))));
    assertEquals("bad: the recipe does not work: 0 from [2.0, 3.0, 6.0] (toy)",
        refused.getMessage());
  }

  @Test
  void theSharesOfTheHelpersAddUpToTheLostUnits() {
    Random random = new Random(SEED);
    LinearCode code = ToyCodes.coupled();
    ByteBuffer[] all = ToyCodes.encode(code, 50, random);
    RepairEquation equation = code.solve(new int[] {0}, code.subChunksOf(1, 2)).get();
    ByteBuffer[] sum = {ByteBuffer.allocateDirect(50), ByteBuffer.allocateDirect(50)};
    for (int unit : equation.helperUnits()) {
      ByteBuffer[] parts = equation.helpersOf(unit).stream()
          .map(h -> all[ToyCodes.row(code, h)]).toArray(ByteBuffer[]::new);
      KERNEL.prepare(equation.coefficientsOf(unit)).apply(parts, sum, 50, true);
    }
    assertEquals(all[0], sum[0]);
    assertEquals(all[1], sum[1]);
    assertThrows(IllegalArgumentException.class, () -> equation.coefficientsOf(3));
    assertEquals(List.of(), equation.helpersOf(3));
  }

  @Test
  void aRelationHoldsForIntactDataAndFailsForCorruptData() {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    ByteBuffer[] all = ToyCodes.encode(code, 64, new Random(SEED));
    List<SubChunk> helpers = whole(0, 1, 2, 3, 4, 5, 8);
    GfMatrix relation = code.express(SubChunk.of(7, 0), helpers).get();
    assertEquals(1, relation.rows());
    assertEquals(7, relation.columns());
    assertEquals(0, relation.get(0, 6), "the last helper is not needed");
    ByteBuffer[] from = helpers.stream().map(h -> all[h.unit()]).toArray(ByteBuffer[]::new);
    ByteBuffer[] check = {ByteBuffer.allocateDirect(64)};
    KERNEL.prepare(relation).apply(from, check, 64, false);
    assertEquals(all[7], check[0]);
    all[3].put(11, (byte) (all[3].get(11) ^ 4));
    KERNEL.prepare(relation).apply(from, check, 64, false);
    assertFalse(all[7].equals(check[0]));
    assertEquals(Optional.empty(), code.express(SubChunk.of(7, 0), whole(0, 1, 2, 3, 4)));
    // A sub-chunk that is itself among the helpers is expressed by itself alone.
    assertEquals(GfMatrix.of(new byte[][] {{0, 1, 0}}),
        code.express(SubChunk.of(4, 0), whole(3, 4, 8)).get());
  }

  @Test
  void whatMakesNoSenseIsRejected() {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    List<SubChunk> helpers = whole(0, 1, 2, 3, 4, 5);
    rejected("nothing is lost", () -> code.solve(new int[0], helpers));
    rejected("unit 7 is lost twice", () -> code.solve(new int[] {7, 7}, helpers));
    rejected("has no sub-chunk 9.0", () -> code.solve(new int[] {9}, helpers));
    rejected("helper 0.0 is lost or given twice", () -> code.solve(new int[] {0}, helpers));
    rejected("helper 2.0 is lost or given twice",
        () -> code.solve(new int[] {7}, whole(0, 2, 3, 2)));
    rejected("has no sub-chunk 3.1",
        () -> code.solve(new int[] {7}, List.of(SubChunk.of(3, 1))));
    rejected("has no sub-chunk 12.0", () -> code.express(SubChunk.of(12, 0), helpers));
    rejected("there is no sub-chunk 0 of unit -1", () -> SubChunk.of(-1, 0));
  }

  @Test
  void whatIsNotASystematicGeneratorIsRejected() {
    GfMatrix good = ReedSolomon.hadoop(3, 2).generator();
    rejected("the generator must have 5 rows and 3 columns",
        () -> new LinearCode("x", new CodeDimensions(3, 2, 1), good.rows(0, 1, 2, 3), List.of()));
    rejected("rows of the generator must be the identity, but row 1 is not", () ->
        new LinearCode("x", new CodeDimensions(3, 2, 1), good.rows(0, 3, 2, 1, 4), List.of()));
    rejected("a unit has 1 to 8 sub-chunks",
        () -> new LinearCode("x", new CodeDimensions(3, 2, 9), good, List.of()));
    rejected("at most 16 units", () -> ReedSolomon.hadoop(14, 3));
    rejected("at least one data unit",
        () -> new LinearCode("x", new CodeDimensions(0, 2, 1), good, List.of()));
  }

  private static void rejected(String why, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains(why), message);
  }
}
