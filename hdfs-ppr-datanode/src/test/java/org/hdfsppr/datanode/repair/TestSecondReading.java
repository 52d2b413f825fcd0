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
package org.hdfsppr.datanode.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hdfsppr.coder.code.Hitchhiker;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.datanode.repair.SecondReading.Finding;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** The findings about a unit that was left out, by the outcome of its second reading. */
class TestSecondReading {
  private static final NodeRef SELF = node(100);
  private static final NodeRef SUSPECT = node(3);
  private static final PlanOptions OPTIONS =
      new PlanOptions(TreeTopologies.byName("chain"), 1 << 16, 1, 0).inGivenOrder();

  private final List<RepairPlan> tried = new ArrayList<>();

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866, 9877, "/r");
  }

  private static GroupSnapshot snapshot() {
    List<UnitHolder> live = new ArrayList<>();
    for (int unit = 1; unit < 9; unit++) {
      live.add(new UnitHolder(unit, node(unit)));
    }
    return new GroupSnapshot(new StripedLayout(new GroupId("BP-1", -1024, 1001),
        6 << 20, 6, 3, 1 << 20), live, List.of(new UnitHolder(0, SELF)), SELF);
  }

  /** Gives each finding in turn, and the last one from then on. */
  private SecondReading reading(LinearCode code, Finding... findings) throws IOException {
    GroupSnapshot without = snapshot().without(SUSPECT::equals);
    return new SecondReading(snapshot(), code, OPTIONS, RepairPlanner.plan(without, code, OPTIONS),
        plan -> {
          tried.add(plan);
          return findings[Math.min(tried.size(), findings.length) - 1];
        });
  }

  private static void assertSays(SecondReading reading, boolean isGuilty, boolean doubt,
      boolean undecided) {
    assertEquals(isGuilty ? List.of(SUSPECT) : List.of(), reading.guilty);
    assertEquals(doubt, reading.leavesDoubt());
    assertEquals(undecided, reading.isUndecided());
  }

  private static List<LinearCode> codes() {
    return List.of(ReedSolomon.hadoop(6, 3), Hitchhiker.xor(6, 3));
  }

  /** One bit flipped once, anywhere. */
  @Test
  void whatAgreesTheSecondTimeIsNotNamed() throws IOException {
    for (LinearCode code : codes()) {
      tried.clear();
      SecondReading reading = reading(code, Finding.AGREES);
      reading.ofSuspect(SUSPECT);
      assertSays(reading, false, false, false);
      assertEquals(1, tried.size());
      assertTrue(tried.get(0).unitsChecked().contains(3), code + ": its whole unit");
      assertTrue(reading.agreeing.contains(3));
    }
  }

  @Test
  void whatContradictsAgainHoweverItIsReadIsDoubted() throws IOException {
    for (LinearCode code : codes()) {
      tried.clear();
      SecondReading reading = reading(code, Finding.CONTRADICTS);
      reading.ofSuspect(SUSPECT);
      assertSays(reading, true, true, false);
      assertFalse(reading.agreeing.contains(3));
    }
  }

  @Test
  void whoseArithmeticIsWrongTwiceIsNamedWithoutADoubt() throws IOException {
    SecondReading reading =
        reading(ReedSolomon.hadoop(6, 3), Finding.CONTRADICTS, Finding.AGREES);
    reading.ofSuspect(SUSPECT);
    assertSays(reading, true, false, false);
    assertTrue(reading.agreeing.contains(3));
  }

  @Test
  void whatIsCutShortIsOnlySuspected() throws IOException {
    for (LinearCode code : codes()) {
      tried.clear();
      SecondReading reading = reading(code, Finding.UNKNOWN);
      reading.ofSuspect(SUSPECT);
      assertSays(reading, true, true, true);
    }
    tried.clear();
    SecondReading reading =
        reading(ReedSolomon.hadoop(6, 3), Finding.UNKNOWN, Finding.AGREES);
    reading.ofSuspect(SUSPECT);
    assertSays(reading, false, false, false);
  }

  /** A recipe of a code with sub-chunks reads parts of units, which say nothing of the rest. */
  @Test
  void allUnitsOfADoubtedGroupAreReadAndEachOnce() throws IOException {
    for (LinearCode code : codes()) {
      tried.clear();
      SecondReading reading = reading(code, Finding.AGREES);
      reading.ofUnread();
      assertEquals(new TreeSet<>(Set.of(1, 2, 3, 4, 5, 6, 7, 8)), reading.agreeing,
          code.toString());
      assertTrue(tried.size() <= 2, code + " takes " + tried.size());
      assertSays(reading, false, false, false);
    }
  }

  /** The repair is done, and a unit that cannot be read stays unknown. */
  @Test
  void whatCannotBeReadOfADoubtedGroupIsNotNamed() throws IOException {
    SecondReading reading = reading(ReedSolomon.hadoop(6, 3), Finding.UNKNOWN);
    reading.ofUnread();
    assertSays(reading, false, false, false);
    assertFalse(reading.agreeing.contains(3));
  }
}
