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

/** Counts what the checks of many groups have found. Thread-safe. */
@InterfaceAudience.Private
public final class Tally {
  private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
  private long groups;
  private long notWhole;
  private long problems;
  private long unitBytes;
  private long clientBytes;

  synchronized void add(GroupFinding finding) {
    verdicts.merge(finding.verdict(), 1L, Long::sum);
    groups++;
    notWhole += finding.missing().isEmpty() ? 0 : 1;
    unitBytes += finding.unitBytes();
    clientBytes += finding.clientBytes();
  }

  synchronized void problem() {
    problems++;
  }

  /** @return groups that were looked at */
  public synchronized long groups() {
    return groups;
  }

  /**
   * @param verdict a verdict
   * @return groups whose checks ended so
   */
  public synchronized long groups(Verdict verdict) {
    return verdicts.getOrDefault(verdict, 0L);
  }

  /** @return how many groups have at least one unit that took no part */
  public synchronized long notWhole() {
    return notWhole;
  }

  /** @return directories that could not be listed */
  public synchronized long problems() {
    return problems;
  }

  /** @return bytes of the units that were checked */
  public synchronized long unitBytes() {
    return unitBytes;
  }

  /** @return bytes that came to this client */
  public synchronized long clientBytes() {
    return clientBytes;
  }

  /** @return whether nothing needs attention */
  public synchronized boolean isFine() {
    return problems == 0 && verdicts.keySet().stream().allMatch(Verdict::isFine);
  }
}
