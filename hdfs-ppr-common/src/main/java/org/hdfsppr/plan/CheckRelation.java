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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The linear relation that a checked slice must satisfy. With one helper more than needed, x, which
 * the code expresses through the others as x = sum of e_i * u_i, the tree sums in its check row
 *
 * <pre>
 *   x + sum over helpers i of (e_i + sum over lost l of w_l * a_li) * u_i
 * </pre>
 *
 * where a_li are the coefficients that rebuild lost unit l. The destination adds w_l times each
 * rebuilt unit; everything cancels, so the result is zero unless the bytes of a helper that is part
 * of the relation, a multiplication or a sum was wrong. The weights tie the rebuilt bytes into the
 * relation: a node that breaks an output row and leaves the check row alone is found as well. A
 * cheap recipe may need several helpers more, and a code with sub-chunks has such a relation
 * between them.
 */
@InterfaceAudience.Private
public final class CheckRelation {
  private final int extraUnit;
  private final byte[] weights;
  private final byte[] tailWeights;
  private final boolean complete;

  /** A complete relation of a code without sub-chunks. */
  public CheckRelation(int extraUnit, byte[] weights) {
    this(extraUnit, weights, new byte[0], true);
  }

  /**
   * @param extraUnit the unit x
   * @param weights w_l for each lost row, none zero; copied
   * @param tailWeights the same for the rows of a tail; empty if there is none; copied
   * @param complete whether it holds only if what every helper sends is right; a code that is not
   *     MDS may have nothing left that says so of some of them
   */
  public CheckRelation(int extraUnit, byte[] weights, byte[] tailWeights, boolean complete) {
    this.complete = complete;
    checkWeights(weights);
    checkWeights(tailWeights);
    this.extraUnit = extraUnit;
    this.weights = weights.clone();
    this.tailWeights = tailWeights.clone();
  }

  private static void checkWeights(byte[] weights) {
    for (byte weight : weights) {
      if (weight == 0) {
        throw new IllegalArgumentException("A check weight of zero leaves a lost unit unchecked");
      }
    }
  }

  public int extraUnit() {
    return extraUnit;
  }

  /** Whether every helper is part of it. */
  public boolean isComplete() {
    return complete;
  }

  /** w_l for each lost row in the plan's order, a copy. */
  public byte[] weights() {
    return weights.clone();
  }

  /** The same for the rows of a tail, a copy; empty if there is none. */
  public byte[] tailWeights() {
    return tailWeights.clone();
  }
}
