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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the LESS codes against their definition, with arithmetic of its own. */
@InterfaceAudience.Private
class TestLess {
  private static final long SEED = 20261123;
  private static final int SUB_CHUNK_BYTES = 24;

  static Stream<LinearCode> codes() {
    return ShippedCodes.all().filter(code -> code.name().startsWith("less"));
  }

  /** Returns the groups: the units in order, in alpha + 1 parts, larger parts first. */
  private static List<List<Integer>> groups(LinearCode code) {
    int n = code.units();
    int count = code.subChunks() + 1;
    List<List<Integer>> groups = new ArrayList<>();
    int next = 0;
    for (int left = count; left > 0; left--) {
      int size = (n - next + left - 1) / left;
      groups.add(IntStream.range(next, next + size).boxed().collect(Collectors.toList()));
      next += size;
    }
    return groups;
  }

  /** Returns for each unit whether sub-chunk {@code sub} is in a group's extended sub-stripe. */
  private static boolean inStripe(List<List<Integer>> groups, int group, int unit, int sub) {
    int own = IntStream.range(0, groups.size()).filter(g -> groups.get(g).contains(unit))
        .findFirst().getAsInt();
    return own == group || sub == (group < groups.size() - 1 ? group : own);
  }

  /**
   * Every extended sub-stripe of real bytes satisfies its m equations, also the sub-stripe of the
   * last group, which is the sum of the others. The values of e were found by another program.
   */
  @ParameterizedTest(name = "less-a{0}-{1}-{2}")
  @CsvSource({"2, 6, 3, 2", "3, 6, 3, 6", "2, 10, 4, 6", "3, 10, 4, 2", "4, 10, 4, 14",
      "4, 12, 4, 14", "4, 8, 4, 14", "2, 4, 2, 2", "2, 12, 4, 6"})
  void everyExtendedSubStripeSatisfiesItsEquations(int alpha, int k, int m, int e) {
    LinearCode code = Less.of(k, m, alpha);
    List<List<Integer>> groups = groups(code);
    byte[][] units = ShippedCodes.window(code, alpha * 5, new Random(SEED));
    for (int group = 0; group <= alpha; group++) {
      for (int x = 0; x < 5; x++) {
        int[] sums = new int[m];
        for (int g = 0; g <= alpha; g++) {
          for (int h = 0; h < groups.get(g).size(); h++) {
            int unit = groups.get(g).get(h);
            for (int j = 0; j < alpha; j++) {
              int point = Gf256.pow(e, (h * (alpha + 1) + g) * alpha + j);
              for (int b = 0; b < m && inStripe(groups, group, unit, j); b++) {
                sums[b] ^= Gf256.mul(Gf256.pow(point, b), units[unit][j * 5 + x]);
              }
            }
          }
        }
        assertEquals(IntStream.of(sums).filter(sum -> sum != 0).count(), 0,
            code + " group " + group + ": " + Arrays.toString(sums));
      }
    }
  }

  /**
   * What the repair of each unit reads, in sub-chunks: k + (alpha - 1) * (size of its group), of k
   * + alpha - 1 helpers. An independent program has built these codes, checked these repairs with
   * random words, and counted the same.
   */
  @ParameterizedTest(name = "less-a{0}-{1}-{2}")
  @CsvSource({
      "2, 6, 3,  9 9 9 9 9 9 9 9 9, 7",
      "3, 6, 3,  12 12 12 10 10 10 10 10 10, 8",
      "2, 10, 4, 15 15 15 15 15 15 15 15 15 15 14 14 14 14, 11",
      "3, 10, 4, 18 18 18 18 18 18 18 18 16 16 16 16 16 16, 12",
      "4, 10, 4, 19 19 19 19 19 19 19 19 19 19 19 19 16 16, 13",
      "4, 12, 4, 24 24 24 24 21 21 21 21 21 21 21 21 21 21 21 21, 15"})
  void aRepairReadsWhatTheConstructionSays(int alpha, int k, int m, String reads, int helpers) {
    LinearCode code = Less.of(k, m, alpha);
    List<String> found = new ArrayList<>();
    for (int unit = 0; unit < code.units(); unit++) {
      RepairEquation equation = option(code, new int[] {unit}).equation();
      found.add(Integer.toString(equation.helpers().size()));
      assertEquals(helpers, equation.helperUnits().length, code + " unit " + unit);
    }
    assertEquals(reads, String.join(" ", found));
  }

  private static int[] others(LinearCode code, int... gone) {
    return IntStream.range(0, code.units())
        .filter(u -> IntStream.of(gone).noneMatch(g -> g == u)).toArray();
  }

  /** Returns the cheapest way to repair lost units while further units are gone. */
  private static RepairOption option(LinearCode code, int[] lost, int... gone) {
    return code.repairOptions(lost,
        others(code, IntStream.concat(IntStream.of(lost), IntStream.of(gone)).toArray())).get(0);
  }

  private static void assertRepairs(LinearCode code, byte[][] units, RepairEquation equation) {
    ByteBuffer[] helpers = equation.helpers().stream()
        .map(h -> ShippedCodes.subChunk(code, units, h)).toArray(ByteBuffer[]::new);
    ByteBuffer[] repaired = equation.lostSubChunks().stream()
        .map(s -> ByteBuffer.allocate(SUB_CHUNK_BYTES)).toArray(ByteBuffer[]::new);
    Kernels.select("java").prepare(equation.coefficients()).apply(helpers, repaired,
        SUB_CHUNK_BYTES, false);
    for (int i = 0; i < repaired.length; i++) {
      assertEquals(ShippedCodes.subChunk(code, units, equation.lostSubChunks().get(i)),
          repaired[i], code + ": " + equation.lostSubChunks().get(i));
    }
  }

  /**
   * With every pattern of lost and further missing units, the cheapest repair is right, and reads
   * as little as the construction allows.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource("codes")
  void spareHelpersReplaceMissingOnes(LinearCode code) {
    byte[][] units = ShippedCodes.window(code, SUB_CHUNK_BYTES * code.subChunks(),
        new Random(SEED));
    int k = code.dataUnits();
    int alpha = code.subChunks();
    int bySubStripe = 0;
    for (List<Integer> group : groups(code)) {
      int needed = k + (alpha - 1) * group.size();
      for (int lost : group) {
        for (int mask = 0; mask < 1 << code.units(); mask++) {
          if (Integer.bitCount(mask) >= code.parityUnits() || (mask >>> lost & 1) != 0) {
            continue;
          }
          int[] gone = ShippedCodes.units(code, mask);
          // The other units of the group miss alpha sub-chunks each, all other units one each.
          int missing = Arrays.stream(gone).map(u -> group.contains(u) ? alpha : 1).sum();
          boolean spared = missing <= code.parityUnits() - alpha;
          RepairOption option = option(code, new int[] {lost}, gone);
          assertEquals(spared, !option.name().equals(RepairOption.DECODE),
              () -> code + " lost " + lost + ", gone " + Arrays.toString(gone));
          assertEquals(spared ? needed : k * alpha, option.equation().helpers().size());
          if (gone.length < 2) {
            assertRepairs(code, units, option.equation());
          }
          bySubStripe += spared ? 1 : 0;
        }
      }
    }
    // Without a missing unit each repair goes by its sub-stripe.
    assertTrue(bySubStripe >= code.units());
  }

  /** Up to m / alpha lost units of a group need no more reads than one. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("codes")
  void severalLostUnitsOfAGroupAreRepairedFromTheSameReads(LinearCode code) {
    byte[][] units = ShippedCodes.window(code, SUB_CHUNK_BYTES * code.subChunks(),
        new Random(SEED));
    List<List<Integer>> groups = groups(code);
    double reads = 0;
    int pairs = 0;
    for (int a = 0; a < code.units(); a++) {
      for (int b = a + 1; b < code.units(); b++) {
        RepairOption option = option(code, new int[] {b, a});
        int first = a;
        int second = b;
        boolean together = 2 * code.subChunks() <= code.parityUnits()
            && groups.stream().anyMatch(g -> g.contains(first) && g.contains(second));
        assertEquals(together, option.name().startsWith("sub-stripe"), code + " " + a + " " + b);
        assertRepairs(code, units, option.equation());
        reads += (double) option.equation().helpers().size() / code.subChunks();
        pairs++;
      }
    }
    // The published program of the authors prints the same mean for (10,4) with two sub-chunks.
    assertEquals(code.name().equals("less-a2-10-4") ? 9.2527 : code.dataUnits(), reads / pairs,
        5e-5);
  }

  /** Both ways are offered, since the network may make the way with more reads the cheaper one. */
  @Test
  void theWayOfReedSolomonIsOfferedToo() {
    LinearCode code = Less.of(10, 4, 4);
    for (int unit = 0; unit < code.units(); unit++) {
      List<RepairOption> options = code.repairOptions(new int[] {unit}, others(code, unit));
      assertEquals(2, options.size());
      assertTrue(options.get(0).name().startsWith("sub-stripe "), options.get(0).name());
      assertEquals(40, options.get(1).equation().helpers().size());
      assertEquals(10, options.get(1).equation().helperUnits().length);
    }
  }

  /** The caller's order decides which helpers are spared, but the lost unit's group is read. */
  @Test
  void theLeastPreferredHelpersAreSpared() {
    LinearCode code = Less.of(10, 4, 2);
    int[] backwards = IntStream.rangeClosed(1, 13).map(i -> 14 - i).toArray();
    RepairEquation equation =
        code.repairOptions(new int[] {0}, backwards).get(0).equation();
    assertEquals(List.of(4, 3, 2, 1, 13, 12, 11, 10, 9, 8, 7),
        Arrays.stream(equation.helperUnits()).boxed().collect(Collectors.toList()));
    assertEquals(equation.helpers(),
        code.solve(new int[] {0}, code.helperOrder(new int[] {0}, backwards)).get().helpers());
  }

  /**
   * An encoding by sub-stripes multiplies less often than the rows of the generator. 19 and 24.2
   * coefficients for each parity sub-chunk of (10,4) are the figures of an independent program.
   */
  @Test
  void encodingBySubStripesNeedsFewerCoefficients() {
    LinearCode code = Less.of(10, 4, 4);
    assertEquals(4, code.encodingSteps().size());
    for (EncodingStep step : code.encodingSteps()) {
      assertEquals(19, step.inputs().size());
      assertEquals(4, step.outputs().size());
    }
    int dense = 0;
    for (int row = 40; row < 56; row++) {
      for (int column = 0; column < 40; column++) {
        dense += code.generator().get(row, column) == 0 ? 0 : 1;
      }
    }
    assertEquals(24.2, dense / 16.0, 0.05);
  }

  /** Each parity sub-chunk is computed once, from what earlier steps have computed. */
  @ParameterizedTest(name = "less-a{0}-{1}-{2}")
  @CsvSource({"2, 6, 3", "3, 6, 3", "2, 10, 4", "3, 10, 4", "4, 10, 4", "4, 12, 4", "2, 2, 6",
      "2, 1, 2", "4, 4, 4", "3, 3, 8"})
  void encodingStepsComputeEverythingInOrder(int alpha, int k, int m) {
    LinearCode code = Less.of(k, m, alpha);
    List<SubChunk> known =
        new ArrayList<>(code.subChunksOf(IntStream.range(0, k).toArray()));
    for (EncodingStep step : code.encodingSteps()) {
      assertTrue(known.containsAll(step.inputs()), code + ": " + step);
      assertTrue(step.outputs().stream().noneMatch(known::contains), code + ": " + step);
      known.addAll(step.outputs());
    }
    assertEquals(code.units() * alpha, known.size());
    byte[][] units = ShippedCodes.window(code, alpha * SUB_CHUNK_BYTES, new Random(SEED));
    ByteBuffer[] parity = IntStream.range(0, m)
        .mapToObj(i -> ByteBuffer.allocate(alpha * SUB_CHUNK_BYTES)).toArray(ByteBuffer[]::new);
    new WindowEncoder(code, Kernels.select("java")).encode(Arrays.stream(units).limit(k)
        .map(ByteBuffer::wrap).toArray(ByteBuffer[]::new), parity, alpha * SUB_CHUNK_BYTES);
    for (int p = 0; p < m; p++) {
      assertEquals(ByteBuffer.wrap(units[k + p]), parity[p], code + " parity " + p);
    }
  }

  @Test
  void numbersWithoutACodeAreRefused() {
    refused("at least as many parity units as sub-chunks", 6, 3, 4);
    refused("2 to 4 sub-chunks", 6, 3, 1);
    refused("2 to 4 sub-chunks", 8, 5, 5);
    refused("at most 16 units", 13, 4, 2);
    refused("at least one data unit", 0, 4, 2);
    // With these numbers, some pattern of lost units stays undecodable whatever e is.
    refused("with no primitive element does every pattern of 6 losses decode", 10, 6, 4);
  }

  private static void refused(String why, int k, int m, int alpha) {
    String message = assertThrows(IllegalArgumentException.class, () -> Less.of(k, m, alpha))
        .getMessage();
    assertTrue(message.contains(why) && message.contains("less-a" + alpha + "-" + k + "-" + m),
        message);
  }
}
