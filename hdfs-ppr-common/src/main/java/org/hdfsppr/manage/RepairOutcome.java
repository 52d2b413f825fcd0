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

/** How a commanded repair ended. The numbers travel and never change. */
@InterfaceAudience.Private
public enum RepairOutcome {
  /** The units that the result names are on their targets. */
  REBUILT(1),
  /** It was tried, and the result says what failed. */
  FAILED(2),
  /** It was not tried, and the result says why. */
  REFUSED(3),
  /** It was not tried, because the command is older than something that the node has seen. */
  STALE(4);

  private final int number;

  RepairOutcome(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /**
   * The outcome with {@code number}.
   *
   * @throws IllegalArgumentException if there is none
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
