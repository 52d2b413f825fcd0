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
 * A tree whose sums are zero if the units of a group agree. The nodes of the tree treat it like any
 * plan: they have rows of coefficients, and send sums to their parents. Only the root knows that no
 * unit is lost, and that all sums have to be zero. Immutable.
 */
@InterfaceAudience.Private
public final class ZeroSumPlan {
  /** How the units are cut into slices */
  public final SliceGeometry geometry;
  /**
   * Number of rows of a slice that is no tail, a multiple of the number of sub-chunks s; for every
   * s rows, each link of the tree carries the length of one unit
   */
  public final int rows;
  /** The reader, with one chain of helpers below it */
  public final PlanNode root;
  /** The units with bytes that are not read, ascending */
  public final Set<Integer> missing;
  /** The units that are read, but whose errors the sums do not always show, ascending */
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
