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

/** What an operator chose about plans, and the seed that spreads the load. Immutable. */
@InterfaceAudience.Private
public final class PlanOptions {
  private final Topology topology;
  private final int sliceBytes;
  private final int checkOneIn;
  private final long seed;
  private final boolean inGivenOrder;
  private final boolean byDecoding;

  /**
   * @param topology shape of the tree
   * @param sliceBytes bytes of a slice
   * @param checkOneIn check one slice in this many; 0: none
   * @param seed decides which slices are checked; the same seed gives the same plan
   */
  public PlanOptions(Topology topology, int sliceBytes, int checkOneIn, long seed) {
    this(topology, sliceBytes, checkOneIn, seed, false, false);
  }

  private PlanOptions(Topology topology, int sliceBytes, int checkOneIn, long seed,
      boolean inGivenOrder, boolean byDecoding) {
    this.topology = Objects.requireNonNull(topology, "topology");
    this.sliceBytes = sliceBytes;
    this.checkOneIn = checkOneIn;
    this.seed = seed;
    this.inGivenOrder = inGivenOrder;
    this.byDecoding = byDecoding;
  }

  /**
   * The same, but holders become helpers in the order in which the snapshot names them, whatever
   * the topology prefers: somebody has chosen them who knows more. A chain then visits them in that
   * order, the first one next to the destination.
   */
  public PlanOptions inGivenOrder() {
    return new PlanOptions(topology, sliceBytes, checkOneIn, seed, true, byDecoding);
  }

  /**
   * The same, but by the first holders that suffice and not by a recipe of the code: it reads more,
   * and spares the nodes that the recipe would need. Only together with {@link #inGivenOrder}.
   */
  public PlanOptions byDecoding() {
    return new PlanOptions(topology, sliceBytes, checkOneIn, seed, inGivenOrder, true);
  }

  public Topology topology() {
    return topology;
  }

  public int sliceBytes() {
    return sliceBytes;
  }

  public int checkOneIn() {
    return checkOneIn;
  }

  public long seed() {
    return seed;
  }

  public boolean isInGivenOrder() {
    return inGivenOrder;
  }

  public boolean isByDecoding() {
    return byDecoding;
  }
}
