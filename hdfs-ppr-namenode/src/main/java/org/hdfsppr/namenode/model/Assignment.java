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

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.UnitHolder;

/**
 * A scheduler's decision for one group: which nodes help, in which order, and where the rebuilt
 * units go. Immutable.
 */
@InterfaceAudience.Private
public final class Assignment {
  /** The group to repair */
  public final LostGroup group;
  /** The units to read, each with its node, in the order of the scheduler */
  public final List<UnitHolder> helpers;
  /** The units to rebuild, each with the node that gets it */
  public final List<UnitHolder> targets;
  /** Name of the shape of the tree in which the helpers send their sums to the destination */
  public final String topology;
  /**
   * True if the helpers are not those that the code's recipe, its usual way to rebuild, names for
   * this loss
   */
  public final boolean byDecoding;
  /**
   * True if rebuilt units may go to storage of every type on which the file may be, and not only of
   * the preferred type
   */
  public final boolean onAnyStorage;
  /** True if the repair may write only bytes that it has checked */
  public final boolean doubted;
  /** True if a rebuilt unit may go to a node that has another block of the same column of CORE */
  public final boolean besideColumn;
  /** The whole assignment as one command, which may name a column for its only target. */
  private final CommandStep whole;
  /** The commands of the assignment; empty if one command orders everything. */
  private final List<CommandStep> steps;
  /** How much the repair reads of each unit, as far as it is known */
  public final UnitReads reads;

  /**
   * @param group the group
   * @param helpers the units to read, each with its node. The helper next to the destination comes
   *     first
   * @param targets the units to rebuild, each with its node, at least one. The first one's node is
   *     the destination: it runs the repair, and sends the other targets their units
   * @param topology shape of the tree over the helpers, a name that
   *     {@link org.hdfsppr.plan.TreeTopologies} knows
   */
  public Assignment(LostGroup group, List<UnitHolder> helpers, List<UnitHolder> targets,
      String topology) {
    this(group, helpers, targets, topology, false);
  }

  /**
   * Makes an assignment that says whether its helpers are those of the code's recipe, the code's
   * usual way to rebuild this loss.
   *
   * @param group the group, as the NameNode describes it
   * @param helpers the units to read, each with its node
   * @param targets the units to rebuild, each with the node that gets it
   * @param topology name of the shape of the tree in which the helpers send their sums
   * @param byDecoding true if the helpers differ from those of the code's recipe for the loss
   */
  public Assignment(LostGroup group, List<UnitHolder> helpers, List<UnitHolder> targets,
      String topology, boolean byDecoding) {
    this(group, new CommandStep(helpers, targets, topology, byDecoding, Set.of()), false, false,
        false, List.of(), UnitReads.UNKNOWN);
  }

  private Assignment(LostGroup group, CommandStep whole, boolean onAnyStorage, boolean doubted,
      boolean besideColumn, List<CommandStep> steps, UnitReads reads) {
    this.group = Objects.requireNonNull(group, "group");
    this.whole = whole;
    this.helpers = whole.helpers;
    this.targets = whole.targets;
    this.topology = whole.topology;
    this.byDecoding = whole.byDecoding;
    this.onAnyStorage = onAnyStorage;
    this.doubted = doubted;
    this.besideColumn = besideColumn;
    this.steps = List.copyOf(steps);
    this.reads = reads;
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("No target for " + group);
    }
  }

  /**
   * @param some units to leave out
   * @return the units to rebuild, without {@code some}
   */
  public Set<Integer> unitsWithout(Collection<Integer> some) {
    Set<Integer> units = new LinkedHashSet<>();
    targets.forEach(target -> units.add(target.unit));
    units.removeAll(some);
    return units;
  }

  /**
   * @param all how much the repair reads of each unit
   * @return a copy of this assignment that has these figures as {@link #reads}
   */
  public Assignment reading(UnitReads all) {
    return new Assignment(group, whole, onAnyStorage, doubted, besideColumn, steps,
        Objects.requireNonNull(all, "all"));
  }

  /**
   * @return a copy of this assignment that allows all storage types on which the file may be, for
   *     the case that no target has storage of the preferred type
   */
  public Assignment onAnyStorage() {
    return new Assignment(group, whole, true, doubted, besideColumn, steps, reads);
  }

  /**
   * @return a copy of this assignment whose rebuilt units may go to nodes that have other blocks of
   *     the same columns of CORE, for the case that no other node takes the units. A unit that a
   *     column rebuilds never goes to such a node
   */
  public Assignment besideColumn() {
    return new Assignment(group, whole, onAnyStorage, doubted, true, steps, reads);
  }

  /** @return an assignment like this one whose repair has to check every byte */
  public Assignment doubted() {
    return new Assignment(group, whole, onAnyStorage, true, besideColumn, steps, reads);
  }

  /**
   * Returns a copy of this assignment, for which the manager sends several commands under one
   * grant. The helpers and targets of the copy are still those of all commands together.
   *
   * @param some the commands, each with a part of the targets; no command waits for a later command
   * @return the assignment with these commands
   * @throws IllegalArgumentException if the steps do not rebuild each unit once, or if a step waits
   *     for a later step
   */
  public Assignment inSteps(List<CommandStep> some) {
    List<UnitHolder> ordered = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      if (some.get(i).targets.isEmpty()) {
        throw new IllegalArgumentException("Step " + i + " of " + group + " has no target");
      }
      ordered.addAll(some.get(i).targets);
      for (int before : some.get(i).after) {
        if (before < 0 || before >= i) {
          throw new IllegalArgumentException("Step " + i + " of " + group + " waits for step "
              + before + "; name a step before it");
        }
      }
    }
    if (ordered.size() != targets.size() || !places(ordered).equals(places(targets))) {
      throw new IllegalArgumentException("The steps for " + group + " rebuild " + ordered
          + "; they have to rebuild each of " + targets + " once");
    }
    // Each step names its own column, so that the assignment as a whole has none.
    CommandStep together = new CommandStep(helpers, targets, topology, byDecoding, Set.of());
    return new Assignment(group, together, onAnyStorage, doubted, besideColumn, some, reads);
  }

  /**
   * Returns pairs of a unit and its node. Pairs can be compared, but {@link UnitHolder} does not
   * define equals.
   */
  private static Set<Object> places(List<UnitHolder> holders) {
    return holders.stream().map(holder -> Map.entry(holder.unit, holder.node))
        .collect(Collectors.toSet());
  }

  /** @return the steps, with one command each; a single step if {@link #inSteps} was not called */
  public List<CommandStep> steps() {
    return steps.isEmpty() ? List.of(whole) : steps;
  }

  /**
   * @param step index of the command, from 0
   * @return the part of the assignment that the command of this step orders; the whole assignment
   *     if there is only one step
   */
  public Assignment part(int step) {
    if (steps.isEmpty() && step == 0) {
      return this;
    }
    return new Assignment(group, steps.get(step).alone(), onAnyStorage, doubted, besideColumn,
        List.of(), reads);
  }

  /** @return the column that rebuilds the target of a single command; empty if there is none */
  public Optional<CoreColumn> column() {
    return whole.column();
  }

  /** @return the columns that any step reads */
  public List<CoreColumn> columns() {
    return steps().stream().flatMap(step -> step.column().stream())
        .collect(Collectors.toList());
  }

  @Override
  public String toString() {
    return group + " to " + targets + " by " + topology + " through " + helpers;
  }
}
