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
 * The client that wrote an update of a unit (the writer), and the number that the writer gave the
 * update. A writer numbers its updates of each unit upwards, and sends the next one when the last
 * one was acknowledged. If a writer sends an update again, the number shows the leader whether the
 * unit's history already has this update. Immutable.
 */
@InterfaceAudience.Private
public final class Origin {
  /** The origin of an update without a number, which its writer never sends again. */
  public static final Origin NONE = new Origin(0, 0);

  /** The random number by which the writer names itself */
  public final long writer;
  /** The number that the writer gave the update within the unit; 0 if it gave none */
  public final long number;

  private Origin(long writer, long number) {
    this.writer = writer;
    this.number = number;
  }

  /**
   * @param writer the random number by which the writer names itself
   * @param number the writer's number of the update within the unit, from 1
   * @return the origin; {@link #NONE} if both numbers are 0
   * @throws IllegalArgumentException if the number is negative, or is 0 although there is a writer
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
