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
package org.hdfsppr.namenode.manage.core;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.core.RepairStrategies;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.RetryPolicy;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** What is remembered of rows between the looks at them. */
class TestCoreLosses {
  private static final GroupPolicy RS = new GroupPolicy("rs", 3, 2, 1 << 20);
  private static final NodeRef NODE = new NodeRef("u", "10.0.0.1", "h", 9866, 9877, "/r");
  private static final int ROWS = 3;

  private final PaperCoreGroupLookup book = new PaperCoreGroupLookup();
  private final GroupBook groups = new GroupBook();
  private final CoreLosses losses = new CoreLosses(mock(ReconstructionQueue.class),
      new RepairTracker(() -> 0), groups, new RetryPolicy(groups, () -> 0), RepairStrategies.RGS,
      new TrustedColumns(groups::isDoubtOpen));

  private static GroupId id(int group, int row) {
    return new GroupId("BP", -16L * (ROWS * group + row + 1), 1001);
  }

  private static LostGroup lost(int group, int row) {
    return new LostGroup(id(group, row), 3 << 20, RS, List.of(), List.of(2), 1, 0);
  }

  private void form(int group) {
    List<CoreRows.Row> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      rows.add(new CoreRows.Row(id(group, row), 3 << 20, false));
    }
    book.add(group, 0, RS, rows);
  }

  /** With very many changes, the next call does not look at all squares. */
  @Test
  void aDestinationIsRememberedUntilItsSquareIsLookedAt() {
    losses.use(book);
    int last = CoreLosses.LOOKS_MAX;
    for (int group = 0; group <= last; group++) {
      form(group);
      losses.seen(lost(group, 0));
      losses.seen(lost(group, 1));
    }
    losses.planned(new Assignment(lost(last, 0), List.of(), List.of(new UnitHolder(2, NODE)),
        "chain"));
    assertTrue(losses.isBeside(lost(last, 1), 2, NODE));
    assertFalse(losses.isBeside(lost(last, 1), 1, NODE), "another column");
    assertFalse(losses.isBeside(lost(last, 0), 2, NODE), "its own block");
    losses.refresh(0, group -> { });
    assertTrue(losses.isBeside(lost(last, 1), 2, NODE));
    losses.refresh(0, group -> { });
    assertFalse(losses.isBeside(lost(last, 1), 2, NODE), "the look has seen what has begun");
  }
}
