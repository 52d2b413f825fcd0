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

import org.apache.hadoop.classification.InterfaceAudience;

/** Counts what the checks of many groups have found. Thread-safe. */
@InterfaceAudience.Private
public final class Tally extends VerdictCounts {
  private long notWhole;

  synchronized void add(GroupFinding finding) {
    count(finding.verdict);
    notWhole += finding.missing.isEmpty() ? 0 : 1;
    read(finding.unitBytes, finding.clientBytes);
  }

  /** @return groups that were looked at */
  public long groups() {
    return all();
  }

  /**
   * @param verdict a verdict
   * @return how many groups have got this verdict
   */
  public long groups(Verdict verdict) {
    return of(verdict);
  }

  /** @return how many groups have at least one unit that took no part */
  public synchronized long notWhole() {
    return notWhole;
  }
}
