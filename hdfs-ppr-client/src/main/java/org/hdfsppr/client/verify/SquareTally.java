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
package org.hdfsppr.client.verify;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/** Counts what the checks of CORE groups have found. Thread-safe. */
@InterfaceAudience.Private
public final class SquareTally {
  private final Map<Verdict, Long> columns = new EnumMap<>(Verdict.class);
  private long changed;
  private long ungrouped;
  private long problems;
  private long unitBytes;
  private long clientBytes;

  synchronized void add(SquareFinding finding) {
    finding.columns().forEach(column -> columns.merge(column.verdict(), 1L, Long::sum));
    unitBytes += finding.unitBytes();
    clientBytes += finding.clientBytes();
  }

  synchronized void changed() {
    changed++;
  }

  synchronized void ungrouped() {
    ungrouped++;
  }

  synchronized void problem() {
    problems++;
  }

  /** @return columns that were looked at */
  public synchronized long columns() {
    return columns.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * @param verdict a verdict
   * @return columns whose checks ended so
   */
  public synchronized long columns(Verdict verdict) {
    return columns.getOrDefault(verdict, 0L);
  }

  /** @return block groups in whose CORE groups a file has changed, so that nothing is compared */
  public synchronized long changedGroups() {
    return changed;
  }

  /** @return block groups in no CORE group */
  public synchronized long groupsInNone() {
    return ungrouped;
  }

  /** @return directories that could not be listed, and files whose groups could not be asked for */
  public synchronized long problems() {
    return problems;
  }

  /** @return bytes of the blocks that were checked */
  public synchronized long unitBytes() {
    return unitBytes;
  }

  /** @return bytes that came to this client */
  public synchronized long clientBytes() {
    return clientBytes;
  }

  /** @return whether nothing needs attention */
  public synchronized boolean isFine() {
    return problems == 0 && columns.keySet().stream().allMatch(Verdict::isFine);
  }
}
