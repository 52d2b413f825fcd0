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

import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.ColumnTrust;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.plan.GroupId;

/**
 * Says which columns may be read. A column may not be read if one of its blocks is of a group whose
 * units seem to contradict each other: any of these units may be the wrong one, and the column
 * would carry it into other files. Nor may a column be read that has contradicted a row. The group
 * whose unit is wanted may itself be in doubt, because the column reads none of its units.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class TrustedColumns implements ColumnTrust {
  private final Predicate<GroupId> isDoubted;
  /** The columns that have contradicted a row. */
  final ContradictedColumns contradicted = new ContradictedColumns();
  private volatile CoreGroupLookup book = CoreGroupLookup.NONE;

  /**
   * @param isDoubted whether units of a group may contradict each other, be it suspected or known;
   *     any thread may ask
   */
  public TrustedColumns(Predicate<GroupId> isDoubted) {
    this.isDoubted = isDoubted;
  }

  /** Sets where CORE groups are looked up. */
  void use(CoreGroupLookup from) {
    book = from;
  }

  CoreGroupLookup book() {
    return book;
  }

  @Override
  public boolean mayBeRead(CoreRows rows, int lost, int unit) {
    for (int i = 0; i < rows.rows.size(); i++) {
      CoreRows.Row row = rows.rows.get(i);
      if (i != lost && row != null && CoreColumn.unitBytes(rows.policy, row.bytes, unit) > 0
          && isDoubted.test(row.id)) {
        return false;
      }
    }
    return !isContradicted(rows, unit);
  }

  private boolean isContradicted(CoreRows rows, int unit) {
    return (contradicted.of(rows) >>> unit & 1) != 0;
  }

  /**
   * Returns whether a repair may read its columns.
   *
   * @param repair the repair, or one command of it
   */
  boolean mayRead(Assignment repair) {
    if (repair.columns().isEmpty()) {
      return true;
    }
    Optional<CoreRows> rows = contradicted.isEmpty() ? Optional.empty()
        : book.rowsOf(repair.group.id.groupId);
    return repair.columns().stream().noneMatch(column ->
        column.rows.stream().anyMatch(row -> isDoubted.test(row.id))
            || rows.isPresent() && isContradicted(rows.get(), column.unit));
  }
}
