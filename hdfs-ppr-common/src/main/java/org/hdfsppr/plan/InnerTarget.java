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

/**
 * A lost unit that a node below the root of a tree writes. The rows of this unit end at the node,
 * which passes only the rows of the other units on. The {@link CheckRelation} needs the rows of all
 * lost units, but the root does not receive the rows that end below it. The node therefore adds the
 * weighted rows of its unit to the check row:
 *
 * <pre>
 *   from below | row a | row b | check row     |
 *   upwards    | row a |       | check row + w_b * row b |     (row b goes no further)
 * </pre>
 *
 * <p>Immutable.
 */
@InterfaceAudience.Private
public final class InnerTarget {
  private final int index;
  private final int unit;
  private final BlockRef block;
  private final byte[] weights;
  private final byte[] tailWeights;

  /**
   * @param index index of the unit among the lost units of the plan, from 0; with s sub-chunks, the
   *     unit has rows s * index to s * index + s - 1 of each slice, and row {@code index} of a tail
   * @param unit index of the block in its codeword, a label for logs and results
   * @param block the block that the node writes, with its final length of at least one byte
   * @param weights the check relation's weight of each of the unit's s rows, none of them zero;
   *     empty if the plan has no check row; copied
   * @param tailWeights the weight of the unit's row of a tail, not zero; empty if there is no tail
   *     or no check row; copied
   * @throws IllegalArgumentException if a number is out of range, or a weight is zero
   */
  public InnerTarget(int index, int unit, BlockRef block, byte[] weights, byte[] tailWeights) {
    if (index < 0 || unit < 0 || block.length() < 1 || tailWeights.length > 1) {
      throw new IllegalArgumentException("No inner target: lost unit " + index + ", unit " + unit
          + " of " + block.length() + " bytes, " + tailWeights.length + " weights for its tail");
    }
    this.index = index;
    this.unit = unit;
    this.block = Objects.requireNonNull(block, "block");
    this.weights = checked(weights);
    this.tailWeights = checked(tailWeights);
  }

  private static byte[] checked(byte[] weights) {
    for (byte weight : weights) {
      if (weight == 0) {
        throw new IllegalArgumentException("A check weight of zero leaves a lost unit unchecked");
      }
    }
    return weights.clone();
  }

  /** @return index of the unit among the lost units of the plan, from 0 */
  public int index() {
    return index;
  }

  /** @return index of the block in its codeword */
  public int unit() {
    return unit;
  }

  /** @return the block that the node writes, with its final length */
  public BlockRef block() {
    return block;
  }

  /** @return the weight of each row of the unit, a copy; empty without a check row */
  public byte[] weights() {
    return weights.clone();
  }

  /**
   * @return the weight of the unit's row of a tail, a copy; empty without a tail or without a check
   *     row
   */
  public byte[] tailWeights() {
    return tailWeights.clone();
  }

  @Override
  public String toString() {
    return "ends " + unit;
  }
}
