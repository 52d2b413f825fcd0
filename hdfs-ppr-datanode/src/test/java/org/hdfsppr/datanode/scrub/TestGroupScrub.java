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
package org.hdfsppr.datanode.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.code.ZeroSums;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.plan.ZeroSumPlan;
import org.hdfsppr.plan.ZeroSumPlanner;
import org.hdfsppr.verify.WrongSlices;
import org.hdfsppr.verify.WrongUnitEvidence;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.junit.jupiter.api.Test;

/** Tests what a check concludes, by what its readings show. Nothing is read. */
class TestGroupScrub {
  private static final int K = 6;
  private static final int UNITS = 9;
  private static final int CELL = 64 << 10;
  private static final String OWN = "uuid-4";

  private final Script script = new Script();
  private final AtomicReference<String> ended = script.ended;
  private final AtomicReference<String> changed = script.changed;

  /** Answers each reading of sums by the next entry: a failure, or the number of wrong slices. */
  private static final class Script implements GroupScrub.Readings {
    private final AtomicReference<String> ended = new AtomicReference<>();
    private final AtomicReference<String> changed = new AtomicReference<>();
    private final Deque<Object> sums = new ArrayDeque<>();
    private final List<ZeroSumPlan> plans = new ArrayList<>();
    private final List<List<UnitHolder>> read = new ArrayList<>();
    private WrongUnitEvidence evidence = new WrongUnitEvidence(UNITS, 1);
    private Runnable beforeEvidence = () -> { };
    private IOException evidenceFailure;

    @Override
    public WrongSlices sums(ZeroSumPlan plan) throws IOException {
      plans.add(plan);
      Object next = sums.size() > 1 ? sums.remove() : sums.element();
      if (next instanceof IOException) {
        throw (IOException) next;
      }
      WrongSlices wrong = new WrongSlices();
      for (int i = 0; i < (Integer) next; i++) {
        wrong.add(i);
      }
      return wrong;
    }

    @Override
    public WrongUnitEvidence oneByOne(ZeroSumPlanner planner, List<UnitHolder> live,
        List<Integer> slices)
        throws IOException {
      beforeEvidence.run();
      if (evidenceFailure != null) {
        throw evidenceFailure;
      }
      read.add(live);
      return evidence;
    }

    @Override
    public String endedBecause() {
      return ended.get();
    }

    @Override
    public String changed() {
      return changed.get();
    }
  }

  private static NodeRef node(int unit) {
    return new NodeRef("uuid-" + unit, "10.0.0." + unit, "h" + unit, 9866, 9877, "/r");
  }

  private static ScrubCommand command() {
    List<UnitHolder> holders = new ArrayList<>();
    for (int unit = 0; unit < UNITS; unit++) {
      holders.add(new UnitHolder(unit, node(unit)));
    }
    return new ScrubCommand("check", 1, ScrubCommand.of(new GroupId("BP-1", -16, 1001),
        4L * K * CELL).setCodec("rs").setDataUnits(K).setParityUnits(UNITS - K).setCellBytes(CELL)
        .setBytesPerS(1 << 20).setDeadlineMs(60_000), holders);
  }

  private ScrubEnding check(Object... sums) {
    Collections.addAll(script.sums, sums);
    return new GroupScrub(command(), ReedSolomon.hadoop(K, UNITS - K), CELL, OWN, node -> node,
        script).check();
  }

  private static RepairException failure(FailureCause cause, int unit) {
    return new RepairException(cause, node(unit), "because", null);
  }

  private static void assertSays(ScrubOutcome outcome, List<String> suspects, String text,
      ScrubEnding ending) {
    assertEquals(outcome, ending.finding.outcome, ending.toString());
    assertEquals(suspects, ending.finding.suspects, ending.toString());
    assertEquals(ScrubFinding.NO_UNIT, ending.finding.wrongUnit);
    assertTrue(ending.text.contains(text), ending.text);
  }

  /** Says that one unit is wrong at one position. */
  private static WrongUnitEvidence against(int... units) {
    ZeroSums sums = ZeroSums.of(ReedSolomon.hadoop(K, UNITS - K));
    WrongUnitEvidence evidence = new WrongUnitEvidence(UNITS, 1);
    for (int unit : units) {
      byte[] syndrome = new byte[UNITS - K];
      for (int row = 0; row < syndrome.length; row++) {
        syndrome[row] = (byte) sums.relations().get(row, unit);
      }
      evidence.wrong(sums, syndrome, (1 << UNITS) - 1, 77);
    }
    return evidence;
  }

  private static List<String> chain(ZeroSumPlan plan) {
    List<String> uuids = new ArrayList<>();
    for (PlanNode node = plan.root.children.get(0); node != null;
        node = node.children.isEmpty() ? null : node.children.get(0)) {
      uuids.add(node.node.uuid);
    }
    return uuids;
  }

  @Test
  void zeroSumsAreAgreement() {
    ScrubEnding ending = check(0);
    assertSays(ScrubOutcome.AGREES, List.of(), "", ending);
    assertEquals("", ending.text);
    assertEquals(9L * 4 * CELL, ending.finding.unitBytes);
    assertEquals(1, script.plans.size());
    assertEquals(List.of(OWN, "uuid-0", "uuid-1", "uuid-2", "uuid-3", "uuid-5", "uuid-6",
        "uuid-7", "uuid-8"), chain(script.plans.get(0)), "the sums arrive over no link");
  }

  @Test
  void theSecondReadingNamesTheWrongUnit() {
    script.evidence = against(7);
    ScrubEnding ending = check(1);
    assertEquals(ScrubOutcome.CONTRADICTION, ending.finding.outcome);
    assertEquals(7, ending.finding.wrongUnit);
    assertEquals(List.of("uuid-7"), ending.finding.suspects);
    assertTrue(ending.text.contains("unit 7 (blk_-9) on h7:9866 is wrong"), ending.text);
    assertTrue(ending.text.contains("at byte 77"), ending.text);
  }

  @Test
  void ofTwoWrongUnitsNoneIsNamed() {
    script.evidence = against(7, 2);
    ScrubEnding ending = check(1);
    assertSays(ScrubOutcome.CONTRADICTION, command().holders.stream()
        .map(holder -> holder.node.uuid).sorted().collect(Collectors.toList()),
        "more than one unit", ending);
  }

  /** A node that calculates wrongly makes sums wrong, and accuses no unit. */
  @Test
  void wrongSumsOfUnitsThatAgreeAccuseNoUnit() {
    ScrubEnding ending = check(1);
    assertEquals(ScrubOutcome.NOT_CHECKED, ending.finding.outcome);
    assertEquals(9, ending.finding.suspects.size());
    assertTrue(ending.text.contains("calculate wrongly"), ending.text);
    assertEquals(3, script.read.size());
  }

  /** What may be a wrong unit is not passed over in silence. */
  @Test
  void wrongSumsThatStayUnexplainedAreSaid() {
    script.evidenceFailure = failure(FailureCause.OVERLOADED, 3);
    ScrubEnding ending = check(2);
    assertSays(ScrubOutcome.NOT_CHECKED, List.of("uuid-3"), "the sums of 2 slices were wrong",
        ending);
    script.evidenceFailure =
        new RepairException(FailureCause.OVERLOADED, GroupScrub.READER, "no buffers", null);
    ending = check(2);
    assertTrue(ending.text.contains("the sums of 2 slices were wrong"), ending.text);
    assertEquals(9, ending.finding.suspects.size(), ending.toString());
    assertNull(ending.result(command(), 1).cause, "sums were wrong, which is more than no time");
    script.sums.clear();
    assertEquals("", check(0).text);
  }

  @Test
  void oneWrongSumIsReadAgain() {
    assertSays(ScrubOutcome.AGREES, List.of(), "", check(1, 0));
  }

  /** A group that changes between the two readings differs from itself. */
  @Test
  void aGroupThatChangesIsNotAccused() {
    script.evidence = against(7);
    script.beforeEvidence = () -> changed.set("unit 4 has changed");
    assertSays(ScrubOutcome.NOT_CHECKED, List.of(), "unit 4 has changed", check(1));
  }

  @Test
  void aGroupThatHasChangedIsNotRead() {
    changed.set("unit 4 has changed");
    assertSays(ScrubOutcome.NOT_CHECKED, List.of(), "unit 4 has changed", check(0));
    assertEquals(0, script.plans.size());
  }

  @Test
  void aNodeWithOtherWorkOrWithoutTheBlockEndsTheCheck() {
    for (FailureCause cause : new FailureCause[] {FailureCause.OVERLOADED,
        FailureCause.NO_SUCH_BLOCK, FailureCause.STALE_REPLICA}) {
      script.sums.clear();
      script.plans.clear();
      ScrubEnding ending = check(failure(cause, 3));
      assertSays(ScrubOutcome.NOT_CHECKED, List.of(), cause.name(), ending);
      assertEquals(cause == FailureCause.OVERLOADED ? cause : null,
          ending.result(command(), 1).cause, "the manager asks again");
      assertEquals(1, script.plans.size(), "it is not tried again");
    }
  }

  @Test
  void withoutMemoryHereNoNodeIsToBlame() {
    ScrubEnding ending = check(
        new RepairException(FailureCause.OVERLOADED, GroupScrub.READER, "no buffers", null));
    assertSays(ScrubOutcome.NOT_CHECKED, List.of(), "OVERLOADED", ending);
    assertEquals(FailureCause.OVERLOADED, ending.result(command(), 1).cause);
  }

  @Test
  void anUnreadableUnitIsLeftOutAndNamed() {
    assertSays(ScrubOutcome.UNREADABLE, List.of("uuid-3"), "unit 3 (blk_-13) on h3:9866 could not",
        check(failure(FailureCause.CORRUPT_REPLICA, 3), failure(FailureCause.CORRUPT_REPLICA, 3),
            0));
    assertTrue(script.plans.get(2).missing.contains(3));
  }

  @Test
  void aContradictionBehindAnUnreadableUnitIsFound() {
    script.evidence = against(5);
    ScrubEnding ending = check(failure(FailureCause.CORRUPT_REPLICA, 3),
        failure(FailureCause.CORRUPT_REPLICA, 3), 1);
    assertEquals(5, ending.finding.wrongUnit, ending.toString());
    assertTrue(ending.text.contains("unit 3"), ending.text);
  }

  @Test
  void aNodeWithoutAPortIsReadAsStockDoes() {
    assertSays(ScrubOutcome.AGREES, List.of(), "",
        check(failure(FailureCause.UNREACHABLE, 3), 0));
    assertEquals(8, chain(script.plans.get(1)).size());
    assertEquals(Collections.emptySet(), script.plans.get(1).missing);
  }

  @Test
  void aNodeThatStaysSilentEndsTheCheckAfterTwoTries() {
    for (FailureCause cause : new FailureCause[] {FailureCause.UNREACHABLE, FailureCause.DEAD,
        FailureCause.STALLED, FailureCause.ACCESS_TOKEN}) {
      script.sums.clear();
      script.plans.clear();
      assertSays(ScrubOutcome.NOT_CHECKED, List.of("uuid-3"), cause.name(),
          check(failure(cause, 3)));
      assertEquals(2, script.plans.size());
    }
  }

  /** The failure of a read that was aborted blames the abort and no node. */
  @Test
  void whatEndedTheCheckIsSaid() {
    ended.set("cancelled: a repair comes");
    assertSays(ScrubOutcome.NOT_CHECKED, List.of(), "cancelled: a repair comes",
        check(failure(FailureCause.DEAD, 3)));
    assertSays(ScrubOutcome.NOT_CHECKED, List.of(), "cancelled: a repair comes",
        check(new IOException("cancelled: a repair comes")));
  }
}
