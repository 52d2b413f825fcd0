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

/** One of the ways in which a code can repair what is lost, and what it is called. Immutable. */
@InterfaceAudience.Public
public final class RepairOption {
  /** The name of what every code can do: take units one by one until they suffice. */
  public static final String DECODE = "decode";

  private final String name;
  private final RepairEquation equation;

  /**
   * @param name what logs and operators call it
   * @param equation what is read, and by what it is multiplied
   */
  public RepairOption(String name, RepairEquation equation) {
    this.name = name;
    this.equation = equation;
  }

  /** {@return the name of the {@linkplain Recipe#name recipe}, or {@link #DECODE}} */
  public String name() {
    return name;
  }

  /** {@return what is read, and by what it is multiplied} */
  public RepairEquation equation() {
    return equation;
  }

  @Override
  public String toString() {
    return name + ": " + equation.lostSubChunks() + " from " + equation.helpers();
  }
}
