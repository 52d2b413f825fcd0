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
package org.hdfsppr.plan;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** A unit and the node that stores it, or that is to store it. */
@InterfaceAudience.Private
public final class UnitHolder {
  /** Index of the unit in its codeword */
  public final int unit;
  public final NodeRef node;

  /**
   * @param unit index of the unit in its codeword
   * @param node the node
   */
  public UnitHolder(int unit, NodeRef node) {
    this.unit = unit;
    this.node = Objects.requireNonNull(node, "node");
  }

  @Override
  public String toString() {
    return unit + "@" + node;
  }
}
