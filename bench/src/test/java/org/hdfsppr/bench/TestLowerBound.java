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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.LocalReconstruction;
import org.junit.jupiter.api.Test;

/** Tests the lower bound with losses that are small enough to compute by hand. */
class TestLowerBound {
  private static final long C = 1000;
  private static final double B = 100;

  private static List<Integer> nodes(int count) {
    return IntStream.rangeClosed(1, count).boxed().collect(Collectors.toList());
  }

  private static void assertSeconds(double expected, double actual) {
    assertEquals(expected, actual, expected * 1e-6);
  }

  @Test
  void oneUnitIsSentByAllItsHelpers() {
    // There are 8 helpers, and 6 of them would send C each. If each of the 8 sends 6/8 C, no link
    // carries more than that.
    LowerBound bound =
        new LowerBound(List.of(new LostUnit(C, 6, nodes(8))), nodes(17), B);
    assertSeconds(6 * C / (17 * B), bound.total());
    assertSeconds(6 * C / (8 * B), bound.senders());
    // In the end one node receives the whole unit.
    assertSeconds(C / B, bound.receivers());
    assertSeconds(C / B, bound.seconds());
  }

  @Test
  void helpersWithoutAlternativeSendAllOfIt() {
    // There are only as many holders as needed. Each sends C, and node 1, which holds units of both
    // groups, sends 2 C.
    List<LostUnit> lost = List.of(new LostUnit(C, 3, List.of(1, 2, 3)),
        new LostUnit(C, 3, List.of(1, 4, 5)));
    assertSeconds(2 * C / B, new LowerBound(lost, nodes(6), B).seconds());
  }

  @Test
  void oneFreeNodeGetsAll() {
    List<LostUnit> lost = List.of(new LostUnit(C, 1, nodes(3)), new LostUnit(C, 1, nodes(3)),
        new LostUnit(C, 1, nodes(3)), new LostUnit(C, 1, nodes(3)));
    assertSeconds(4 * C / B, new LowerBound(lost, nodes(4), B).receivers());
  }

  @Test
  void fewerBytesAreProportionallyLessTime() {
    List<LostUnit> many = new ArrayList<>();
    List<LostUnit> few = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      List<Integer> holders = new ArrayList<>();
      for (int h = 0; h < 15; h++) {
        holders.add((i + h) % 17 + 1);
      }
      many.add(new LostUnit(C, 12, holders));
      few.add(new LostUnit(C, 6, holders));
    }
    assertSeconds(12 * C / B, new LowerBound(many, nodes(17), B).seconds());
    assertSeconds(6 * C / B, new LowerBound(few, nodes(17), B).seconds());
  }

  @Test
  void theSendersAreTheTightestOfAllCuts() {
    Random random = new Random(20261120);
    for (int round = 0; round < 50; round++) {
      List<LostUnit> lost = new ArrayList<>();
      int n = 7;
      for (int u = 0; u < 4; u++) {
        List<Integer> holders = new ArrayList<>(nodes(n));
        while (holders.size() > 4) {
          holders.remove(random.nextInt(holders.size()));
        }
        lost.add(new LostUnit(C, 3, holders));
      }
      double tightest = 0;
      for (int set = 1; set < 1 << n; set++) {
        tightest = Math.max(tightest, cut(lost, set));
      }
      assertSeconds(tightest, new LowerBound(lost, nodes(n), B).senders());
    }
  }

  /**
   * Computes the cut of the formula for the nodes whose bits are set. Recipes read 3 units from 4
   * holders.
   */
  private static double cut(List<LostUnit> lost, int set) {
    double bytes = 0;
    for (LostUnit unit : lost) {
      double alone = new LowerBound(List.of(unit), nodes(7), B).bytes();
      long others = unit.holders.stream().filter(node -> (set >> node - 1 & 1) == 0).count();
      bytes += Math.max(0, alone - others * C);
    }
    return bytes / (Integer.bitCount(set) * B);
  }

  /** Checks that the bound is within one per cent of the exact value and never greater. */
  private static void assertNear(double expected, double actual) {
    assertTrue(actual <= expected * (1 + 1e-9) && actual >= expected * 0.99,
        expected + " expected, not " + actual);
  }

  @Test
  void recipesShareTheLoadWithDearerOnes() {
    // Ten units can each be rebuilt from nodes 1 and 2 or from nodes 3 to 6. It is best to rebuild
    // half of them from each set.
    List<List<Integer>> sets = List.of(List.of(1, 2), List.of(3, 4, 5, 6));
    List<LostUnit> lost = Collections.nCopies(10, new LostUnit(C, 2, nodes(6), sets));
    assertNear(5 * C / B, new LowerBound(lost, nodes(8), B).recipes());
    assertNear(5 * C / B, new LowerBound(lost, nodes(8), B).seconds());
  }

  @Test
  void whereAnyHoldersWillDoRecipesAreSenders() {
    Random random = new Random(20261122);
    for (int round = 0; round < 10; round++) {
      List<LostUnit> lost = new ArrayList<>();
      for (int u = 0; u < 5; u++) {
        List<Integer> holders = new ArrayList<>(nodes(7));
        while (holders.size() > 4) {
          holders.remove(random.nextInt(holders.size()));
        }
        List<List<Integer>> sets = new ArrayList<>();
        for (Integer out : holders) {
          List<Integer> set = new ArrayList<>(holders);
          set.remove(out);
          sets.add(set);
        }
        lost.add(new LostUnit(C, 3, holders, sets));
      }
      LowerBound bound = new LowerBound(lost, nodes(7), B);
      assertNear(bound.senders(), bound.recipes());
    }
  }

  @Test
  void helperSetsOfLocalReconstruction() {
    LinearCode code = LocalReconstruction.of(12, 2, 2);
    List<int[]> sets = HelperSets.of(code, 0);
    // The local group of the lost unit: units 1 to 5 and the local parity unit 14.
    assertTrue(sets.stream().anyMatch(set -> Arrays.equals(set, new int[] {1, 2, 3, 4, 5, 14})),
        "the local group");
    assertTrue(sets.stream().filter(set -> set.length < 12).count() == 1,
        "only the local group has a small set");
    for (int[] set : sets) {
      assertTrue(code.decodable(new int[] {0}, set));
      for (int i = 0; i < set.length; i++) {
        int without = set[i];
        assertFalse(code.decodable(new int[] {0},
            Arrays.stream(set).filter(unit -> unit != without).toArray()));
      }
    }
    assertTrue(HelperSets.of(LocalReconstruction.of(12, 2, 2), 12).size() > 1,
        "a global parity unit has several sets");
  }

  @Test
  void racksAddUpBeforeTheySend() {
    // Node i is in rack i % 3. Racks 1, 2 and 0 have 3, 3 and 2 holders, and six units are needed.
    int[] racks = IntStream.rangeClosed(0, 12).map(i -> i % 3).toArray();
    List<LostUnit> lost = List.of(new LostUnit(C, 6, nodes(8)));
    LowerBound bound = new LowerBound(lost, nodes(12), B);
    // If the destination is in a rack with three holders, the other rack with three makes six, so C
    // crosses.
    assertSeconds(C / (3 * 1.0), bound.seconds(racks, 1));
    // Wide links between racks do not change the bound.
    assertSeconds(bound.seconds(), bound.seconds(racks, 1e9));
  }

  @Test
  void aLeavingNodeHelps() {
    // One unit with k = 1: copying it takes as long as rebuilding it from one other unit.
    List<LostUnit> one = List.of(new LostUnit(C, 1, List.of(1)));
    assertSeconds(C / B, LowerBound.decommissionSeconds(one, 5, B));
    // Of 22 C, the leaving node sends 6 C itself. The other 16 are rebuilt from 6 C each. Together
    // 16 times 6 C and 6 C enter the 17 other nodes, which is 6 C per node.
    List<LostUnit> many = Collections.nCopies(22, new LostUnit(C, 6, nodes(8)));
    assertSeconds(6 * C / B, LowerBound.decommissionSeconds(many, 17, B));
  }

  @Test
  void whatCannotBeRebuiltIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new LostUnit(C, 6, nodes(5)));
    List<LostUnit> lost = List.of(new LostUnit(C, 3, nodes(5)));
    assertThrows(IllegalArgumentException.class, () -> new LowerBound(lost, nodes(4), B).senders());
    assertThrows(IllegalArgumentException.class,
        () -> new LowerBound(lost, nodes(5), B).receivers());
  }
}
