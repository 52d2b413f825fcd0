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
package org.hdfsppr.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.cost.RepairCost;
import org.hdfsppr.coder.gf.Gf256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plans for this library's codes, which read less than k units, and parts of units. The test
 * calculates with one byte of each sub-chunk.
 */
class TestOwnCodePlans {
  private static final int CELL = 4096;
  private static final NodeRef DESTINATION = node(100);

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866, 9877, "/r");
  }

  static Stream<LinearCode> codes() throws IOException {
    List<LinearCode> codes = new ArrayList<>();
    for (PprCodec codec : PprCodec.values()) {
      codes.addAll(codec.shippedCodes());
    }
    return codes.stream();
  }

  /** A group of full stripes, with units to rebuild and other units without a holder. */
  private static RepairPlan plan(LinearCode code, int[] lost, int... gone) throws IOException {
    List<UnitHolder> live = new ArrayList<>();
    List<UnitHolder> targets = new ArrayList<>();
    for (int unit = 0; unit < code.units(); unit++) {
      int candidate = unit;
      if (Arrays.stream(lost).anyMatch(u -> u == candidate)) {
        targets.add(new UnitHolder(unit, DESTINATION));
      } else if (Arrays.stream(gone).noneMatch(u -> u == candidate)) {
        live.add(new UnitHolder(unit, node(unit)));
      }
    }
    GroupSnapshot snapshot = new GroupSnapshot(
        new StripedLayout(new GroupId("BP-1", -1024, 1001), 2L * CELL * code.dataUnits(),
            code.dataUnits(), code.parityUnits(), CELL), live, targets, DESTINATION);
    return RepairPlanner.plan(snapshot, code,
        new PlanOptions(TreeTopologies.byName("rack"), 512, 64, 7));
  }

  private static List<RepairSource> sources(RepairPlan plan) {
    List<RepairSource> sources = new ArrayList<>();
    plan.root.forEach(node -> sources.addAll(node.sources));
    return sources;
  }

  /** One byte of each sub-chunk of every unit. */
  private static int[] codeword(LinearCode code, Random random) {
    int[] word = new int[code.units() * code.subChunks()];
    int data = code.dataUnits() * code.subChunks();
    for (int row = 0; row < word.length; row++) {
      if (row < data) {
        word[row] = random.nextInt(256);
      } else {
        for (int column = 0; column < data; column++) {
          word[row] ^= Gf256.mul(code.generator().get(row, column), word[column]);
        }
      }
    }
    return word;
  }

  private static int[] sums(LinearCode code, RepairPlan plan, int[] word) {
    int[] sums = new int[plan.lostRows() + plan.checkRows()];
    for (RepairSource source : sources(plan)) {
      for (int row = 0; row < sums.length; row++) {
        for (int run = 0; run < code.subChunks(); run++) {
          sums[row] ^= Gf256.mul(source.coefficient(SliceKind.CHECKED, row, run) & 0xff,
              word[source.unit * code.subChunks() + run]);
        }
      }
    }
    return sums;
  }

  private static int check(RepairPlan plan, int[] sums) {
    byte[] weights = plan.check().get().weights();
    int check = sums[plan.lostRows()];
    for (int row = 0; row < plan.lostRows(); row++) {
      check ^= Gf256.mul(weights[row] & 0xff, sums[row]);
    }
    return check;
  }

  @ParameterizedTest
  @MethodSource("codes")
  void oneLostUnitReadsWhatTheRecipeSaysAndIsCheckedWhole(LinearCode code) throws IOException {
    Random random = new Random(5);
    for (int lost = 0; lost < code.units(); lost++) {
      RepairPlan plan = plan(code, new int[] {lost});
      long read = sources(plan).stream().mapToLong(plan::bytesRead).sum();
      // The tail of a cell that the sub-chunks do not divide is read from k units.
      long subChunksRead = Math.round(RepairCost.of(code, lost).unitsRead() * code.subChunks());
      long tail = CELL % code.subChunks();
      assertEquals((subChunksRead * (CELL / code.subChunks()) + tail * code.dataUnits()) * 2, read,
          "bytes read for unit " + lost);
      assertTrue(plan.isFullyChecked(), "unit " + lost + ": " + plan);
      int[] word = codeword(code, random);
      int[] sums = sums(code, plan, word);
      for (int row = 0; row < plan.lostRows(); row++) {
        assertEquals(word[lost * code.subChunks() + row], sums[row], plan::toString);
      }
      assertEquals(0, check(plan, sums), plan::toString);
      assertEveryWrongHelperIsFound(code, plan, word);
    }
  }

  private static void assertEveryWrongHelperIsFound(LinearCode code, RepairPlan plan,
      int[] word) {
    for (RepairSource source : sources(plan)) {
      for (int run = 0; run < code.subChunks(); run++) {
        if (source.contributes(SliceKind.PLAIN, run)) {
          int[] wrong = word.clone();
          wrong[source.unit * code.subChunks() + run] ^= 1;
          assertTrue(check(plan, sums(code, plan, wrong)) != 0,
              "a wrong part " + run + " of unit " + source.unit + " is not found in " + plan);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("codes")
  void plansThatClaimToBeCheckedWholeAre(LinearCode code) throws IOException {
    Random random = new Random(6);
    for (int i = 0; i < 60; i++) {
      TreeSet<Integer> units = new TreeSet<>();
      while (units.size() < 3) {
        units.add(random.nextInt(code.units()));
      }
      int gone = random.nextBoolean() ? units.pollFirst() : units.pollLast();
      int[] lost = units.stream().mapToInt(Integer::intValue).toArray();
      RepairPlan plan;
      try {
        plan = plan(code, lost, gone);
      } catch (NoPlanException e) {
        // Three losses are more than a code with two parities survives.
        continue;
      }
      if (plan.isFullyChecked()) {
        assertEveryWrongHelperIsFound(code, plan, codeword(code, random));
      }
    }
  }

  /** Units 2 to 5, 12 and 14 are all that is left to tell units 0 and 1 from. */
  @Test
  void anLrcWithNothingToCheckSomeHelpersWithSaysSo() throws IOException {
    LinearCode lrc = PprCodec.LRC_L2.code(12, 4);
    RepairPlan plan = plan(lrc, new int[] {0, 1}, 13);
    assertTrue(plan.check().isPresent(), "unit 15 still checks the other group");
    assertFalse(plan.isFullyChecked(), plan::toString);
    assertTrue(plan(lrc, new int[] {0, 1}).isFullyChecked());
  }
}
