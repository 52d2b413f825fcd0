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
 * The linear relation that a checked slice must satisfy. For the check, a plan reads one unit more
 * than the repair needs. This unit is x. The code expresses x by the units u_i of the other helpers
 * as x = sum of e_i * u_i. The tree then sums in its check row
 *
 * <pre>
 *   x + sum over helpers i of (e_i + sum over lost l of w_l * a_li) * u_i
 * </pre>
 *
 * where a_li are the coefficients that rebuild lost unit l, and w_l are weights that the planner
 * chooses. The destination adds w_l times each rebuilt unit to this sum. All terms then cancel, so
 * that the result is zero unless a helper of the relation sent wrong bytes, or a multiplication or
 * a sum went wrong. Because of the weights, the rebuilt bytes are part of the relation. The check
 * therefore also finds a node that corrupts an output row and leaves the check row intact. A recipe
 * that reads little may need several additional helpers. If a code has sub-chunks, the relation
 * holds between sub-chunks, not between units.
 */
@InterfaceAudience.Private
public final class VerificationRelation {
  /** Index of the unit x, which is read only for the check */
  public final int extraUnit;
  private final byte[] weights;
  private final byte[] tailWeights;
  /**
   * Whether every helper is part of the relation, so that a wrong byte of any helper violates it
   */
  public final boolean complete;

  /**
   * Makes a complete relation of a code without sub-chunks.
   *
   * @param extraUnit index of the unit x
   * @param weights w_l for each lost row, none of them zero; copied
   */
  public VerificationRelation(int extraUnit, byte[] weights) {
    this(extraUnit, weights, new byte[0], true);
  }

  /**
   * @param extraUnit index of the unit x
   * @param weights w_l for each lost row, none of them zero; copied
   * @param tailWeights w_l for each lost row of a tail, none of them zero; empty if the stream has
   *     no tail; copied
   * @param complete true if every helper is part of the relation, so that a wrong byte of any
   *     helper violates the relation. It can be false if the code is not MDS: there may be helpers
   *     on which no remaining unit depends
   * @throws IllegalArgumentException if a weight is zero
   */
  public VerificationRelation(int extraUnit, byte[] weights, byte[] tailWeights, boolean complete) {
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

  /** @return w_l for each lost row in the plan's order, a copy */
  public byte[] weights() {
    return weights.clone();
  }

  /** @return w_l for each lost row of a tail, a copy; empty if there is no tail */
  public byte[] tailWeights() {
    return tailWeights.clone();
  }
}
