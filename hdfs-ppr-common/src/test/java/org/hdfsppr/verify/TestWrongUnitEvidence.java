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
package org.hdfsppr.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.code.ZeroSums;
import org.junit.jupiter.api.Test;

/** Which wrong bytes are looked at before a unit is named. */
class TestWrongUnitEvidence {
  private static final ZeroSums SUMS = ZeroSums.of(ReedSolomon.hadoop(6, 3));
  private static final int ALL = (1 << 9) - 1;

  private static void wrong(WrongUnitEvidence evidence, int unit) {
    byte[] syndrome = new byte[3];
    for (int row = 0; row < 3; row++) {
      syndrome[row] = (byte) SUMS.relations().get(row, unit);
    }
    evidence.wrong(SUMS, syndrome, ALL, 0);
  }

  /** A group of many slices, all of them wrong. */
  @Test
  void theSlicesThatAreLookedAtLieOverTheWholeGroup() {
    WrongSlices wrong = new WrongSlices();
    for (int slice = 0; slice < 16; slice++) {
      wrong.add(slice);
    }
    assertEquals(16, wrong.some().size(), "as many as that are all kept");
    for (int slice = 16; slice < 1_000; slice++) {
      wrong.add(slice);
    }
    List<Integer> some = wrong.some();
    assertEquals(1_000, wrong.count());
    assertEquals(0, some.get(0));
    assertTrue(some.size() > WrongSlices.KEPT_MOST / 2 - 1
        && some.size() <= WrongSlices.KEPT_MOST, some.toString());
    assertTrue(some.get(some.size() - 1) > 850, some.toString());
    for (int i = 1; i < some.size(); i++) {
      assertEquals(some.get(1), some.get(i) - some.get(i - 1), some.toString());
    }
  }

  /** A unit that is wrong throughout does not hide that another one is wrong in a later slice. */
  @Test
  void everySliceHasItsPartOfThePositions() {
    WrongUnitEvidence evidence = new WrongUnitEvidence(9, 2);
    for (int i = 0; i < WrongUnitEvidence.POSITIONS_MOST; i++) {
      wrong(evidence, 4);
    }
    assertEquals(List.of(4), evidence.suspects());
    assertFalse(evidence.isComplete());
    evidence.beginSlice();
    wrong(evidence, 7);
    assertEquals(List.of(), evidence.suspects());
    assertEquals(WrongUnitEvidence.POSITIONS_MOST + 1, evidence.wrongPositions());
  }

  @Test
  void fewWrongPositionsAreAllLookedAt() {
    WrongUnitEvidence evidence = new WrongUnitEvidence(9, 1);
    for (int i = 0; i < WrongUnitEvidence.POSITIONS_MOST; i++) {
      wrong(evidence, 4);
    }
    assertTrue(evidence.isComplete());
  }
}
