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
package org.hdfsppr.client.files.square;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.verify.Verdict;
import org.hdfsppr.client.verify.VerdictCounts;

/** Counts what the checks of CORE groups have found. Thread-safe. */
@InterfaceAudience.Private
public final class SquareTally extends VerdictCounts {
  private long changed;
  private long ungrouped;

  synchronized void add(SquareFinding finding) {
    finding.columns.forEach(column -> count(column.verdict));
    read(finding.unitBytes, finding.clientBytes);
  }

  synchronized void changed() {
    changed++;
  }

  synchronized void ungrouped() {
    ungrouped++;
  }

  /** @return how many columns were checked, or could not be */
  public long columns() {
    return all();
  }

  /**
   * @param verdict a verdict
   * @return how many columns have this verdict
   */
  public long columns(Verdict verdict) {
    return of(verdict);
  }

  /**
   * @return how many block groups were not checked because a file of their CORE group has changed
   */
  public synchronized long changedGroups() {
    return changed;
  }

  /** @return how many block groups belong to no CORE group */
  public synchronized long groupsInNone() {
    return ungrouped;
  }
}
