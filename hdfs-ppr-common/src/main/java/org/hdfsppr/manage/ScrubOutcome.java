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
 * What the check of a group has found. Messages contain the number of the outcome, so the numbers
 * never change.
 */
@InterfaceAudience.Private
public enum ScrubOutcome {
  /** All units of the group that have bytes were read, and they agree. */
  AGREES(1),
  /** The units contradict each other, so that at least one of them is certainly wrong. */
  CONTRADICTION(2),
  /** A unit that should exist could not be read. The other units do not contradict each other. */
  UNREADABLE(3),
  /** The group could not be checked. This says nothing about its units. */
  NOT_CHECKED(4);

  /** The number of the outcome in messages */
  public final int number;

  ScrubOutcome(int number) {
    this.number = number;
  }

  /**
   * Finds an outcome.
   *
   * @param number the number of the outcome in a message
   * @return the outcome; {@link #NOT_CHECKED} for a number that a newer version may have added
   */
  public static ScrubOutcome ofNumber(int number) {
    for (ScrubOutcome outcome : values()) {
      if (outcome.number == number) {
        return outcome;
      }
    }
    return NOT_CHECKED;
  }
}
