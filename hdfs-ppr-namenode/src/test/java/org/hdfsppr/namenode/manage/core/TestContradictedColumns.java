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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** Which columns are not read, and until when. */
class TestContradictedColumns {
  private static final GroupPolicy RS = new GroupPolicy("rs", 3, 2, 1 << 20);

  private final ContradictedColumns columns = new ContradictedColumns();

  private static GroupId id(int row) {
    return new GroupId("BP", -16L * (row + 1), 1001);
  }

  /** Row 1 has two data units, the others have three, and there is no row 2. */
  private static CoreRows rows(int coreGroup) {
    List<CoreRows.Row> rows = new ArrayList<>();
    for (int row = 0; row < 4; row++) {
      rows.add(row == 2 ? null
          : new CoreRows.Row(id(4 * coreGroup + row), (row == 1 ? 2 : 3) << 20, false));
    }
    return new CoreRows(coreGroup, 0, RS, rows);
  }

  @Test
  void aColumnIsRightWhenAllOthersHaveRebuiltTheirBlocks() {
    assertTrue(columns.add(rows(0), id(0), 1));
    assertFalse(columns.add(rows(0), id(0), 1), "it is known");
    assertEquals(1 << 1, columns.of(rows(0)));
    assertEquals(0, columns.of(rows(1)));
    assertFalse(columns.rewritten(rows(0), id(0), 1), "this row was right before");
    assertFalse(columns.rewritten(rows(0), id(1), 2), "another column");
    assertFalse(columns.rewritten(rows(0), id(1), 1), "the parity file's block may be wrong");
    assertTrue(columns.rewritten(rows(0), id(3), 1));
    assertEquals(0, columns.of(rows(0)));
    assertTrue(columns.isEmpty());
  }

  @Test
  void aRowWithoutABlockThereIsNotToBlame() {
    columns.add(rows(0), id(0), 2);
    assertTrue(columns.rewritten(rows(0), id(3), 2));
  }

  @Test
  void aWrongRowExplainsItsOwnFindingsOnly() {
    columns.add(rows(0), id(0), 1);
    columns.add(rows(0), id(3), 2);
    assertEquals(1, columns.explained(rows(0), id(0)));
    assertEquals(1 << 2, columns.of(rows(0)));
    assertEquals(1, columns.lift(rows(0)));
    assertEquals(0, columns.lift(rows(0)));
    assertTrue(columns.isEmpty());
  }

  @Test
  void findingsGoWithTheirCoreGroups() {
    for (int group = 0; group < 3; group++) {
      columns.add(rows(group), id(4 * group), 1);
    }
    for (int look = 0; look < 2; look++) {
      columns.forget(2, parity -> parity.equals(id(4 + 3)));
      assertEquals(0, columns.of(rows(1)), "look " + look);
      assertEquals(2, columns.of(rows(0)));
      assertEquals(2, columns.of(rows(2)));
    }
    columns.forget(2, parity -> parity.equals(id(3)));
    columns.forget(1, parity -> true);
    assertTrue(columns.isEmpty(), "each is looked at in its turn");
  }

  /** What is not remembered must not be read. */
  @Test
  void withTooManyFindingsNoColumnIsRead() {
    int groups = ContradictedColumns.COLUMNS_MAX / 5;
    for (int group = 0; group < groups; group++) {
      for (int unit = 0; unit < 5; unit++) {
        columns.add(rows(group), id(4 * group), unit);
      }
    }
    assertFalse(columns.isOverfull());
    assertEquals(0, columns.of(rows(groups)));
    assertTrue(columns.add(rows(groups), id(4 * groups), 0));
    assertFalse(columns.add(rows(groups), id(4 * groups), 1), "that is said once");
    assertTrue(columns.isOverfull());
    assertEquals(0b11111, columns.of(rows(groups + 1)));
    columns.forget(groups - 1, parity -> true);
    assertEquals(0b11111, columns.of(rows(groups)), "one that was not remembered may be wrong");
    columns.forget(1, parity -> true);
    assertEquals(0, columns.of(rows(groups)));
    assertFalse(columns.isOverfull());
  }
}
