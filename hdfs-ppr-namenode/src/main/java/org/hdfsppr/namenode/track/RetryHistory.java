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

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The failed repairs of one group. Times are monotonic milliseconds. */
final class RetryHistory {
  private int failures;
  private int unfits;
  private int returns;
  private long returnedMs;
  private long notBeforeMs;
  private boolean prioritized;
  private final Map<String, Long> withoutUntilMs = new HashMap<>();

  /** Returns a new history of a group whose lost units came back, with no failures. */
  static RetryHistory returned(int returns, long nowMs, long notBeforeMs) {
    RetryHistory history = new RetryHistory();
    history.returns = returns;
    history.returnedMs = nowMs;
    history.notBeforeMs = notBeforeMs;
    return history;
  }

  void addFailure() {
    failures++;
  }

  void addUnfit() {
    unfits++;
  }

  /** Returns how many repairs of the group failed in a row. */
  int failures() {
    return failures;
  }

  /**
   * Returns how many repairs failed, plus how many could not begin because a node could not take
   * its unit.
   */
  int tries() {
    return failures + unfits;
  }

  /** Returns how often in a row lost units came back within a short time. */
  int returns() {
    return returns;
  }

  /** Returns the last time at which lost units came back. */
  long returnedMs() {
    return returnedMs;
  }

  /** Returns the time before which no repair of the group begins. */
  long notBeforeMs() {
    return notBeforeMs;
  }

  void setNotBeforeMs(long ms) {
    notBeforeMs = ms;
  }

  /** Returns whether an operator wants the group before all others. */
  boolean isPrioritized() {
    return prioritized;
  }

  void setPrioritized() {
    prioritized = true;
  }

  void avoid(String uuid, long untilMs) {
    withoutUntilMs.put(uuid, untilMs);
  }

  /** Returns the UUIDs of the nodes that plans for the group leave out. */
  Set<String> avoided(long nowMs) {
    withoutUntilMs.values().removeIf(until -> nowMs >= until);
    return Set.copyOf(withoutUntilMs.keySet());
  }

  void forgive() {
    withoutUntilMs.clear();
  }
}
