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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** Whose word counts about units that contradict each other. */
class TestDoubts {
  private static final GroupPolicy RS = new GroupPolicy("rs", 3, 2, 1 << 20);
  private static final GroupId ID = new GroupId("BP", -16, 1001);
  private static final int FINDER = 8;
  private static final int OTHER = 9;

  private final Doubts doubts = new Doubts(new GroupBook(), () -> 0, () -> 0);

  private static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h", 9866, 9877, "/r");
  }

  /** A repair of unit 0, whose row has all other units, by a node. */
  private static Assignment repair(int destination) {
    List<UnitHolder> live = new ArrayList<>();
    for (int unit = 1; unit < 5; unit++) {
      live.add(new UnitHolder(unit, node(unit)));
    }
    LostGroup group = new LostGroup(ID, 3 << 20, RS, live, List.of(0), 1, 0)
        .occupying(List.of());
    return new Assignment(group, live, List.of(new UnitHolder(0, node(destination))), "chain");
  }

  private static Assignment repairByColumn() {
    Assignment repair = repair(FINDER);
    CoreRows.Row other = new CoreRows.Row(new GroupId("BP", -32, 1001), 3 << 20, false);
    return new Assignment(repair.group, repair.helpers, repair.targets, "chain", false,
        new CoreColumn(RS, 0, List.of(other), List.of(new UnitHolder(0, node(7)))));
  }

  @Test
  void aNodeIsRefutedIfAnotherFindsTheSameUnitsRight() {
    RepairScope failed = RepairScope.of(repair(FINDER));
    assertFalse(failed.isByColumn());
    doubts.failedCheck(failed);
    assertFalse(doubts.isByColumn(ID));
    RepairScope row = RepairScope.of(repair(OTHER));
    assertEquals(Optional.of("u8"), doubts.refuted(row, row.live));
  }

  /** The other node has read the row, and not the column. */
  @Test
  void theFinderOfAContradictionWithAColumnIsNotRefutedByTheRow() {
    RepairScope column = RepairScope.of(repairByColumn());
    assertTrue(column.isByColumn());
    assertEquals(0, column.columnUnit);
    doubts.failedCheck(column);
    assertTrue(doubts.isByColumn(ID));
    RepairScope row = RepairScope.of(repair(OTHER));
    assertEquals(Optional.empty(), doubts.refuted(row, row.live));
    assertTrue(doubts.isEndedBy(row, row.live), "the row is right");
  }
}
