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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says how CORE affects the repair of one block group at one moment: which columns can rebuild lost
 * units, and what the repair has to do or to wait for because block groups of other files have lost
 * blocks, too. Immutable.
 */
@InterfaceAudience.Private
public final class CoreWork {
  /** What the repair of the group may do. */
  public enum State {
    /** The group is in no CORE group, or none of its columns is known to be right. */
    NONE,
    /**
     * The repair need not take account of other rows. Row and columns compete, and the cheaper way
     * is taken.
     */
    ALONE,
    /**
     * The steps of the repair are given, because several rows have lost blocks, or this row has
     * lost too many units.
     */
    ORDERED,
    /** The repair waits until blocks of other rows are rebuilt. */
    WAITS,
    /** Neither the row nor its columns can rebuild the lost units. */
    HOPELESS
  }

  /** One step of an {@link State#ORDERED} repair. Immutable. */
  public static final class RowStep {
    /** The units that the step rebuilds */
    public final Set<Integer> units;
    /** Whether a column rebuilds the unit; otherwise, the row does */
    public final boolean vertical;
    /** Indices of the steps for which this step waits */
    public final Set<Integer> after;

    /**
     * @param units the units that the step rebuilds; a single one if it is vertical
     * @param vertical whether a column rebuilds the unit; otherwise, the row does
     * @param after indices of the steps for which this step waits, because it reads their units
     */
    public RowStep(Set<Integer> units, boolean vertical, Set<Integer> after) {
      this.units = Set.copyOf(units);
      this.vertical = vertical;
      this.after = Set.copyOf(after);
      if (units.isEmpty() || vertical && units.size() > 1) {
        throw new IllegalArgumentException("A step cannot rebuild " + units
            + (vertical ? " by a column" : ""));
      }
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof RowStep && units.equals(((RowStep) o).units)
          && vertical == ((RowStep) o).vertical && after.equals(((RowStep) o).after);
    }

    @Override
    public int hashCode() {
      return Objects.hash(units, vertical, after);
    }

    @Override
    public String toString() {
      return (vertical ? "column of " : "row for ") + units
          + (after.isEmpty() ? "" : " after " + after);
    }
  }

  /** Nothing is known of a CORE group to which the group belongs. */
  public static final CoreWork NONE = new CoreWork(State.NONE, Map.of(), Map.of(), List.of());

  /** What the repair may do */
  public final State state;
  private final Map<Integer, CoreColumn> columns;
  private final Map<Integer, Set<String>> holders;
  /** What an {@link State#ORDERED} repair does, in an order that keeps all dependencies */
  public final List<RowStep> steps;

  /**
   * @param state what the repair may do
   * @param columns for each lost unit that a column can rebuild now, that column
   * @param holders for each lost unit, UUIDs of the nodes that hold other blocks of its column
   * @param steps what an {@link State#ORDERED} repair does; empty for other states
   * @throws IllegalArgumentException if state and steps contradict each other, or if a step needs a
   *     column that is not there
   */
  public CoreWork(State state, Map<Integer, CoreColumn> columns, Map<Integer, Set<String>> holders,
      List<RowStep> steps) {
    this.state = Objects.requireNonNull(state, "state");
    this.columns = Map.copyOf(columns);
    Map<Integer, Set<String>> copies = new HashMap<>();
    holders.forEach((unit, nodes) -> copies.put(unit, Set.copyOf(nodes)));
    this.holders = Map.copyOf(copies);
    this.steps = List.copyOf(steps);
    if (state == State.ORDERED == steps.isEmpty() || steps.stream().anyMatch(step ->
        step.vertical && !columns.keySet().containsAll(step.units))) {
      throw new IllegalArgumentException("Work in state " + state + " cannot have the steps "
          + steps + " with columns " + columns.keySet());
    }
  }

  /**
   * @param unit a lost unit
   * @return the column that can rebuild it now; empty if none can
   */
  public Optional<CoreColumn> column(int unit) {
    return Optional.ofNullable(columns.get(unit));
  }

  /**
   * Returns whether a node has another block of the column of a lost unit. After a repair, no node
   * should have two blocks of one column. If such a node is lost, the column lacks two blocks, and
   * its sum can rebuild neither.
   *
   * @param unit the lost unit
   * @param uuid UUID of the node
   * @return whether it has such a block
   */
  public boolean isOnColumn(int unit, String uuid) {
    return holders.getOrDefault(unit, Set.of()).contains(uuid);
  }

  /**
   * @return the work of a row that is repaired without any column. The rebuilt units still avoid
   *     the nodes that have other blocks of the columns
   */
  public CoreWork byRow() {
    return new CoreWork(State.ALONE, Map.of(), holders, List.of());
  }

  /** @return whether the repair must not begin before something changes elsewhere */
  public boolean isToWait() {
    return state == State.WAITS || state == State.HOPELESS;
  }

  /**
   * @param other what was known before
   * @return whether a scheduler would make the same plan from both
   */
  boolean isSameView(CoreWork other) {
    return state == other.state && steps.equals(other.steps) && holders.equals(other.holders)
        && columns.keySet().equals(other.columns.keySet()) && columns.values().stream()
            .allMatch(column -> column.isSameView(other.columns.get(column.unit)));
  }

  @Override
  public String toString() {
    return state + (steps.isEmpty() ? "" : " " + steps) + ", columns of " + columns.keySet();
  }
}
