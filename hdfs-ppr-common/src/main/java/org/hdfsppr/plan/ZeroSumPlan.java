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

import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The plan of a check: a tree whose sums are zero if the units of a group agree. To the nodes of
 * the tree it looks like the plan of a repair: they have rows of coefficients, and send sums to
 * their parents. Only the root knows that no unit is lost, and that all sums have to be zero.
 * Immutable.
 */
@InterfaceAudience.Private
public final class ZeroSumPlan {
  /** How the units are cut into slices */
  public final SliceGeometry geometry;
  /**
   * Number of rows of a slice that is no tail, a multiple of the number of sub-chunks s. For every
   * s rows, each link of the tree carries as many bytes as one unit has
   */
  public final int rows;
  /** The reader, with one chain of helpers below it */
  public final PlanNode root;
  /** The units that have bytes but are not read, ascending */
  public final Set<Integer> missing;
  /**
   * The units that are read but not fully covered, so that an error in them may leave all sums
   * zero, ascending
   */
  public final Set<Integer> uncovered;

  ZeroSumPlan(SliceGeometry geometry, int rows, PlanNode root, Set<Integer> missing,
      Set<Integer> uncovered) {
    this.geometry = Objects.requireNonNull(geometry, "geometry");
    this.rows = rows;
    this.root = Objects.requireNonNull(root, "root");
    this.missing = Collections.unmodifiableSet(new TreeSet<>(missing));
    this.uncovered = Collections.unmodifiableSet(new TreeSet<>(uncovered));
  }
}
