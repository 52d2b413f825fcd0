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

/** A block that a plan rebuilds, and the node that is to store it. */
@InterfaceAudience.Private
public final class PlanTarget {
  /** Index of the block in its codeword */
  public final int unit;
  /** The block to rebuild, with its full length */
  public final BlockRef block;
  /** The node that is to store the block */
  public final NodeRef node;

  /**
   * @param unit index of the block in its codeword
   * @param block the block to rebuild, with its full length
   * @param node the node that is to store it
   */
  public PlanTarget(int unit, BlockRef block, NodeRef node) {
    this.unit = unit;
    this.block = Objects.requireNonNull(block, "block");
    this.node = Objects.requireNonNull(node, "node");
  }

  @Override
  public String toString() {
    return unit + "@" + node;
  }
}
