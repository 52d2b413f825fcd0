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
package org.hdfsppr.namenode.track;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** Tests several commands under one grant, and the order in which they may begin. */
@InterfaceAudience.Private
class TestGrantRecord {
  private static final int FIRST_TARGET = 10;

  private long now = 5_000;
  private final RepairTracker tracker = new RepairTracker(() -> now);

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866, 9877, "/r");
  }

  private static UnitHolder target(int unit) {
    return new UnitHolder(unit, node(FIRST_TARGET + unit));
  }

  private static LostGroup lost(int units) {
    List<UnitHolder> live = new ArrayList<>();
    List<Integer> lost = new ArrayList<>();
    for (int unit = 0; unit < 9; unit++) {
      if (unit < units) {
        lost.add(unit);
      } else {
        live.add(new UnitHolder(unit, node(unit)));
      }
    }
    return new LostGroup(new GroupId("BP-1", -16, 1001), 6 << 20,
        new GroupPolicy("rs", 6, 3, 1 << 20), live, lost, 3 - units, 0).occupying(List.of());
  }

  /**
   * Returns an assignment that rebuilds unit i in step i.
   *
   * @param after the steps that each step waits for
   */
  private static Assignment inParts(List<Set<Integer>> after) {
    LostGroup group = lost(after.size());
    List<UnitHolder> targets = new ArrayList<>();
    List<Assignment> parts = new ArrayList<>();
    for (int unit = 0; unit < after.size(); unit++) {
      targets.add(target(unit));
      List<UnitHolder> helpers = new ArrayList<>(group.live);
      after.get(unit).forEach(before -> helpers.add(target(before)));
      parts.add(new Assignment(group, helpers, List.of(target(unit)), "chain")
          .waitingFor(after.get(unit)));
    }
    return new Assignment(group, group.live, targets, "chain").inParts(parts);
  }

  private GrantRecord open(Assignment assignment) {
    List<CommandTarget> targets = assignment.targets.stream().map(one ->
        new CommandTarget(one.unit, one.node, "s", StorageType.DISK))
        .collect(Collectors.toList());
    return tracker.open(assignment, new RepairGrant(7, 3, assignment.group.id, targets),
        RepairLoad.none(), 1_000, 0);
  }

  private static List<String> ids(List<TrackedRepair> repairs) {
    return repairs.stream().map(repair -> repair.id).collect(Collectors.toList());
  }

  private void report(TrackedRepair repair) {
    tracker.sent(repair.id);
    tracker.reported(repair.id, true, List.of());
  }

  @Test
  void oneCommandIsTheCaseOfOne() {
    LostGroup group = lost(2);
    Assignment whole = new Assignment(group, group.live, List.of(target(0), target(1)), "chain");
    GrantRecord record = open(whole);
    List<TrackedRepair> begun = tracker.next(record);
    assertEquals(List.of("3-7"), ids(begun), "the only command has the grant's name");
    assertTrue(record.isSingle());
    assertEquals(whole, begun.get(0).assignment);
    assertEquals(record.grant.targets, begun.get(0).targets());
    assertEquals(Set.of(), begun.get(0).rebuiltBefore);
    assertEquals(List.of(), tracker.next(record), "once");
    report(begun.get(0));
    assertEquals(List.of(), tracker.next(record));
    now += 5;
    assertEquals(5, record.reportedForMs(now));
  }

  /** Commands 0 and 1 begin at once, 2 after both, 3 after 1. */
  @Test
  void aCommandBeginsWhenAllThatItDependsOnHaveReported() {
    GrantRecord record = open(inParts(List.of(Set.of(), Set.of(), Set.of(0, 1), Set.of(1))));
    List<TrackedRepair> first = tracker.next(record);
    assertEquals(List.of("3-7-1", "3-7-2"), ids(first));
    assertEquals(List.of(), tracker.next(record));
    tracker.sent("3-7-1");
    tracker.running("3-7-1", 100);
    assertEquals(List.of(), tracker.next(record), "the other command has not reported");
    tracker.reported("3-7-1", true, List.of());
    assertEquals(List.of(), tracker.next(record), "command 2 needs both reports");
    report(first.get(1));
    now += 100_000;
    List<TrackedRepair> next = tracker.next(record);
    assertEquals(List.of("3-7-3", "3-7-4"), ids(next));
    assertEquals(Set.of(0, 1), next.get(0).rebuiltBefore);
    assertEquals(Set.of(1), next.get(1).rebuiltBefore);
    assertEquals(List.of(2),
        next.get(0).targets().stream().map(target -> target.unit).collect(Collectors.toList()));
    assertEquals(now, next.get(0).startedMs, "a command's time counts from its own order");
    assertEquals(4, tracker.size());
    assertEquals(List.of(record), tracker.grants());
  }

  @Test
  void theBlockReportIsWaitedForWhenAllHaveReported() {
    GrantRecord record = open(inParts(List.of(Set.of(), Set.of(0))));
    TrackedRepair first = tracker.next(record).get(0);
    report(first);
    TrackedRepair second = tracker.next(record).get(0);
    tracker.sent(second.id);
    tracker.running(second.id, 0);
    now += RepairTracker.CONFIRM_MS + 1;
    assertEquals(Map.of(), tracker.overdue(), "the second command has begun");
    tracker.reported(second.id, true, List.of());
    now += RepairTracker.CONFIRM_MS + 1;
    assertEquals(Set.of(first, second), tracker.overdue().keySet());
  }

  @Test
  void whatOneCommandEndsAllUnderItsGrantEnd() {
    GrantRecord record = open(inParts(List.of(Set.of(), Set.of(), Set.of(0))));
    List<TrackedRepair> begun = tracker.next(record);
    tracker.sent(begun.get(0).id);
    report(begun.get(1));
    assertTrue(tracker.end(begun.get(0).id, false).isPresent());
    assertEquals(0, tracker.size());
    assertFalse(tracker.byId(begun.get(1).id).isPresent());
    assertEquals(RepairState.FAILED, begun.get(1).state());
    assertEquals(List.of(), tracker.next(record), "nothing begins under a grant that has ended");
    assertTrue(tracker.isOrdered(begun.get(1).id, "uuid-11", -16),
        "the DataNode may still work on the command");
    assertEquals(List.of(), tracker.grants());
    open(inParts(List.of(Set.of())));
  }

  @Test
  void severalCommandsEndNoDoubt() {
    GrantRecord record = open(inParts(List.of(Set.of(), Set.of())).doubted());
    List<TrackedRepair> begun = tracker.next(record);
    assertTrue(begun.stream().allMatch(repair -> repair.assignment.doubted));
    begun.forEach(this::report);
    tracker.end(record, true);
    assertTrue(tracker.ended(begun.get(0).id, "uuid-10").isPresent());
  }

  @Test
  void progressIsThatOfAll() {
    GrantRecord record = open(inParts(List.of(Set.of(), Set.of(), Set.of(0), Set.of(0))));
    List<TrackedRepair> begun = tracker.next(record);
    tracker.sent(begun.get(0).id);
    tracker.running(begun.get(0).id, 50);
    assertEquals(0.125, tracker.doneShare(begun.get(0)), 1e-9);
    tracker.reported(begun.get(0).id, true, List.of());
    assertEquals(0.25, tracker.doneShare(begun.get(1)), 1e-9);
  }

  @Test
  void stepsThatRebuildNotJustWhatIsGrantedAreRefused() {
    LostGroup group = lost(2);
    Assignment whole = new Assignment(group, group.live, List.of(target(0), target(1)), "chain");
    Assignment first = new Assignment(group, group.live, List.of(target(0)), "chain");
    Assignment itself =
        new Assignment(group, group.live, List.of(target(1)), "chain").waitingFor(Set.of(1));
    assertThrows(IllegalArgumentException.class, () -> whole.inParts(List.of(first)));
    assertThrows(IllegalArgumentException.class, () -> whole.inParts(List.of(first, first)));
    assertThrows(IllegalArgumentException.class, () -> whole.inParts(List.of(first, itself)));
    assertEquals(1, whole.parts().size());
  }
}
