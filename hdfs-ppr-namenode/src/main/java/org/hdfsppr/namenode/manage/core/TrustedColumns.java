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

import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.column.ColumnTrust;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.Column;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.plan.GroupId;

/**
 * Says which columns may be read: those without a block of a group whose units seem to contradict
 * each other. Any of such a group's units may be the wrong one, and a column would carry it into
 * other files. The wanted unit's own group may be doubted: the column reads none of its units.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class TrustedColumns implements ColumnTrust {
  private final Predicate<GroupId> isDoubted;

  /**
   * @param isDoubted whether units of a group may contradict each other, be it suspected or known;
   *     any thread may ask
   */
  public TrustedColumns(Predicate<GroupId> isDoubted) {
    this.isDoubted = isDoubted;
  }

  @Override
  public boolean mayBeRead(CoreRows rows, int lost, int unit) {
    for (int i = 0; i < rows.rows().size(); i++) {
      CoreRows.Row row = rows.rows().get(i);
      if (i != lost && row != null && Column.unitBytes(rows.policy(), row.bytes(), unit) > 0
          && isDoubted.test(row.id())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether a repair may read its columns.
   *
   * @param repair the repair, or one command of it
   */
  boolean mayRead(Assignment repair) {
    return repair.columns().stream().flatMap(column -> column.rows().stream())
        .noneMatch(row -> isDoubted.test(row.id()));
  }
}
