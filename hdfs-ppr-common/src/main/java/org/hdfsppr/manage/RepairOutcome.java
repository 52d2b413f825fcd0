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
package org.hdfsppr.manage;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The outcome of a repair that a manager ordered. Messages contain the number of the outcome, so
 * the numbers never change.
 */
@InterfaceAudience.Private
public enum RepairOutcome {
  /** The targets have stored the units that the result names. */
  REBUILT(1),
  /** The DataNode tried the repair and failed; the result names the cause. */
  FAILED(2),
  /** The DataNode did not try the repair; the result names the reason. */
  REFUSED(3),
  /**
   * The DataNode did not try the repair, because it knows a newer term, or a newer command for the
   * group.
   */
  STALE(4);

  /** The number of the outcome in messages */
  public final int number;

  RepairOutcome(int number) {
    this.number = number;
  }

  /**
   * Finds an outcome.
   *
   * @param number the number of the outcome in a message
   * @return the outcome
   * @throws IllegalArgumentException if no outcome has this number
   */
  public static RepairOutcome ofNumber(int number) {
    for (RepairOutcome outcome : values()) {
      if (outcome.number == number) {
        return outcome;
      }
    }
    throw new IllegalArgumentException("outcome " + number + " is none of 1 to "
        + values().length);
  }
}
