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
package org.hdfsppr.namenode.model;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.UnitHolder;

/**
 * The part of an assignment that one command orders, and the commands that have to be reported as
 * done before this command is sent. Immutable.
 */
@InterfaceAudience.Private
public final class CommandStep {
  /** The units that this command reads, each with its node */
  public final List<UnitHolder> helpers;
  /** The units that this command rebuilds, each with its node */
  public final List<UnitHolder> targets;
  /** Name of the shape of the tree in which the helpers send their sums to the destination */
  public final String topology;
  /**
   * True if the helpers are not those that the code's recipe, its usual way to rebuild, names for
   * this loss
   */
  public final boolean byDecoding;
  /** Indices of the commands that have to be reported as done before this command is sent */
  public final Set<Integer> after;
  /** The column that rebuilds the target; null if the row does. */
  private final CoreColumn column;

  /**
   * @param helpers the units to read, each with its node; a helper may be a target of a step that
   *     this step waits for
   * @param targets the units to rebuild, each with its node; the first one's node runs the repair
   * @param topology shape of the tree over the helpers
   * @param byDecoding true if the helpers differ from those of the code's recipe for the loss
   * @param after indices of the earlier steps for which this step waits, because this step reads
   *     the units that those steps rebuild
   */
  public CommandStep(List<UnitHolder> helpers, List<UnitHolder> targets, String topology,
      boolean byDecoding, Set<Integer> after) {
    this(helpers, targets, topology, byDecoding, after, null);
  }

  /**
   * Makes a step that may read a column.
   *
   * @param helpers the blocks to read, each with its node; block i of the column has the unit index
   *     k + m + i
   * @param targets the units to rebuild, each with its node
   * @param topology shape of the tree over the helpers
   * @param byDecoding true if the helpers differ from those of the code's recipe for the loss
   * @param after indices of the earlier steps for which this step waits
   * @param column the column that rebuilds the only target; null if the row rebuilds the targets
   * @throws IllegalArgumentException if the column is that of another unit
   */
  public CommandStep(List<UnitHolder> helpers, List<UnitHolder> targets, String topology,
      boolean byDecoding, Set<Integer> after, CoreColumn column) {
    this.column = column;
    if (column != null && (targets.size() != 1 || targets.get(0).unit != column.unit)) {
      throw new IllegalArgumentException(column + " cannot rebuild " + targets);
    }
    this.helpers = List.copyOf(helpers);
    this.targets = List.copyOf(targets);
    this.topology = Objects.requireNonNull(topology, "topology");
    this.byDecoding = byDecoding;
    this.after = Set.copyOf(after);
  }

  /** Returns a copy of this step that waits for no other step. */
  CommandStep alone() {
    return new CommandStep(helpers, targets, topology, byDecoding, Set.of(), column);
  }

  /** @return the column that rebuilds the only target; empty if the row rebuilds the targets */
  public Optional<CoreColumn> column() {
    return Optional.ofNullable(column);
  }

  @Override
  public String toString() {
    return targets + " by " + topology + " through " + (column == null ? "" : "a column, ")
        + helpers
        + (after.isEmpty() ? "" : " after steps " + after);
  }
}
