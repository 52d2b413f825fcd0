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
package org.hdfsppr.update.append;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Which writer has made an update of a unit, and the writer's number of it. A writer numbers its
 * updates of each unit upwards, and sends the next one when the last one was acknowledged. If it
 * sends an update again, the history of the unit thus says whether it has the update. Immutable.
 */
@InterfaceAudience.Private
public final class Origin {
  /** The origin of an update that its writer never sends again. */
  public static final Origin NONE = new Origin(0, 0);

  /** The writer's random number */
  public final long writer;
  /** The writer's number of the update within the unit; 0 if it has none */
  public final long number;

  private Origin(long writer, long number) {
    this.writer = writer;
    this.number = number;
  }

  /**
   * @param writer a random number that is the writer's own
   * @param number its number of the update within the unit, from 1
   * @return the origin; {@link #NONE} if both numbers are 0
   * @throws IllegalArgumentException if the update has no number
   */
  public static Origin of(long writer, long number) {
    if (number < 0 || number == 0 && writer != 0) {
      throw new IllegalArgumentException("update " + number + " of writer " + writer);
    }
    return number == 0 ? NONE : new Origin(writer, number);
  }

  /** @return whether the update has a number */
  public boolean isNumbered() {
    return number > 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Origin && ((Origin) other).writer == writer
        && ((Origin) other).number == number;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(writer) * 31 + Long.hashCode(number);
  }

  @Override
  public String toString() {
    return "update " + number + " of writer " + Long.toHexString(writer);
  }
}
