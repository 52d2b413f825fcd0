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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;

/** CORE groups that a test lists by hand. Thread-safe. */
@InterfaceAudience.Private
public final class PaperCoreGroupLookup implements CoreGroupLookup {
  private final Map<Long, CoreRows> byGroup = new ConcurrentHashMap<>();
  private volatile boolean isComplete = true;

  /**
   * Lists the rows of a CORE group at one index, the parity file's row last; null for a member
   * without a block group there.
   */
  public void add(long coreGroup, int index, GroupPolicy policy, List<CoreRows.Row> rows) {
    CoreRows all = new CoreRows(coreGroup, index, policy, new ArrayList<>(rows));
    for (CoreRows.Row row : rows) {
      if (row != null) {
        byGroup.put(row.id.groupId, all);
      }
    }
  }

  /** Says whether more groups will come. */
  public void setComplete(boolean is) {
    isComplete = is;
  }

  @Override
  public boolean isComplete() {
    return isComplete;
  }

  @Override
  public Optional<CoreRows> rowsOf(long blockGroup) {
    return Optional.ofNullable(byGroup.get(blockGroup));
  }
}
