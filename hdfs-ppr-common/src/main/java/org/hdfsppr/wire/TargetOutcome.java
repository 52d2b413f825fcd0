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
package org.hdfsppr.wire;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** Says whether an inner target has stored its unit, and if not, why. Immutable. */
@InterfaceAudience.Private
public final class TargetOutcome {
  private final int unit;
  private final boolean stored;
  private final String message;

  private TargetOutcome(int unit, boolean stored, String message) {
    this.unit = unit;
    this.stored = stored;
    this.message = Objects.requireNonNull(message, "message");
  }

  /**
   * @param unit index of the unit in its codeword
   * @return the outcome of a target whose replica is finalised
   */
  public static TargetOutcome stored(int unit) {
    return new TargetOutcome(unit, true, "");
  }

  /**
   * @param unit index of the unit in its codeword
   * @param message the reason, for a log
   * @return the outcome of a target that has no finalised replica, or that has not reported
   */
  public static TargetOutcome notStored(int unit, String message) {
    return new TargetOutcome(unit, false, message);
  }

  /** @return index of the unit in its codeword */
  public int unit() {
    return unit;
  }

  /** @return whether the replica is finalised */
  public boolean isStored() {
    return stored;
  }

  /** @return why the unit is not stored; empty if it is stored */
  public String message() {
    return message;
  }

  @Override
  public String toString() {
    return "unit " + unit + (stored ? " stored" : " not stored: " + message);
  }
}
