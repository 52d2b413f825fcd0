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
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The operator's choices for plans, and the seed that decides which slices are checked. Immutable.
 */
@InterfaceAudience.Private
public final class PlanOptions {
  /** Shape of the tree */
  public final TreeTopology topology;
  /** Length of a slice, bytes */
  public final int sliceBytes;
  /** The destination checks one slice in this many: with 1 all slices, with 0 none */
  public final int checkOneIn;
  /** The seed that decides which slices are checked */
  public final long seed;
  /** Whether the planner takes helpers in the order in which the snapshot lists the holders */
  public final boolean inGivenOrder;
  /** Whether the planner takes the first holders that suffice, instead of a recipe of the code */
  public final boolean byDecoding;
  /**
   * Returns true for the nodes whose links may be narrow, see {@link NarrowLinks}; by default for
   * none
   */
  final Predicate<NodeRef> narrowLinks;

  /**
   * @param topology shape of the tree
   * @param sliceBytes bytes of a slice
   * @param checkOneIn the destination checks one slice in this many; 0 for no checks
   * @param seed decides which slices are checked; the same seed gives the same plan
   */
  public PlanOptions(TreeTopology topology, int sliceBytes, int checkOneIn, long seed) {
    this(topology, sliceBytes, checkOneIn, seed, false, false, node -> false);
  }

  private PlanOptions(TreeTopology topology, int sliceBytes, int checkOneIn, long seed,
      boolean inGivenOrder, boolean byDecoding, Predicate<NodeRef> narrowLinks) {
    this.narrowLinks = narrowLinks;
    this.topology = Objects.requireNonNull(topology, "topology");
    this.sliceBytes = sliceBytes;
    this.checkOneIn = checkOneIn;
    this.seed = seed;
    this.inGivenOrder = inGivenOrder;
    this.byDecoding = byDecoding;
  }

  /**
   * Makes the planner take helpers in the order in which the snapshot lists the holders. This is
   * for snapshots whose order a scheduler has chosen. The planner then ignores the order that the
   * topology prefers. A chain has the helpers in the same order, and its first helper sends to the
   * destination.
   *
   * @return the same options with that order
   */
  public PlanOptions inGivenOrder() {
    return new PlanOptions(topology, sliceBytes, checkOneIn, seed, true, byDecoding,
        narrowLinks);
  }

  /**
   * Makes the planner take the first holders that suffice, and no recipe of the code. The repair
   * may then read more, but can avoid nodes that the recipe would need. Takes effect only together
   * with {@link #inGivenOrder}.
   *
   * @return the same options without recipes
   */
  public PlanOptions byDecoding() {
    return new PlanOptions(topology, sliceBytes, checkOneIn, seed, inGivenOrder, true,
        narrowLinks);
  }

  /**
   * Lets links carry only independent lost rows, see {@link NarrowLinks}.
   *
   * @param knows returns true for the nodes that know {@code RequestFeatures.NARROW_LINKS}
   * @return the same options, in which links may be narrow where only these nodes and the
   *     destination are on the way
   */
  public PlanOptions withNarrowLinks(Predicate<NodeRef> knows) {
    return new PlanOptions(topology, sliceBytes, checkOneIn, seed, inGivenOrder, byDecoding,
        knows);
  }

  /**
   * Shortens the slices of work with a rate limit.
   *
   * @param bytesPerSecond the most bytes of a unit that each node reads in a second
   * @param subChunks the code's sub-chunks
   * @return the same options, with slices that a node reads within a second at this rate
   */
  public PlanOptions atRate(long bytesPerSecond, int subChunks) {
    return new PlanOptions(topology,
        SliceGeometry.sliceBytesAtRate(sliceBytes, bytesPerSecond, subChunks), checkOneIn, seed,
        inGivenOrder, byDecoding, narrowLinks);
  }
}
