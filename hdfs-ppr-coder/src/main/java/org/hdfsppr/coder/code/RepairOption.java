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
package org.hdfsppr.coder.code;

import org.apache.hadoop.classification.InterfaceAudience;

/** One of a code's ways to repair lost units, with its name. Immutable. */
@InterfaceAudience.Public
public final class RepairOption {
  /**
   * The name of the option that uses no recipe: it takes the available sub-chunks in the given
   * order until they determine the lost units.
   */
  public static final String DECODE = "decode";

  private final String name;
  private final RepairEquation equation;

  /**
   * @param name the name in logs and tables
   * @param equation the sub-chunks to read, and their coefficients
   */
  public RepairOption(String name, RepairEquation equation) {
    this.name = name;
    this.equation = equation;
  }

  /** {@return the name of the {@linkplain Recipe#name recipe}, or {@link #DECODE}} */
  public String name() {
    return name;
  }

  /** {@return the sub-chunks to read, and their coefficients} */
  public RepairEquation equation() {
    return equation;
  }

  @Override
  public String toString() {
    return name + ": " + equation.lostSubChunks() + " from " + equation.helpers();
  }
}
