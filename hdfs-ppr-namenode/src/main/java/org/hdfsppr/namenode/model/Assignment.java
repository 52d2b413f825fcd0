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
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.UnitHolder;

/**
 * A scheduler's decision for one group: which nodes help, in which order, and where the rebuilt
 * units go. One command orders the whole assignment, or each of several commands orders a part of
 * it under the same grant. A part is an assignment, too. Immutable.
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
  /** The column that rebuilds the only target; null if the row rebuilds the targets. */
  private final CoreColumn column;
  /**
   * True if rebuilt units may go to storage of every type on which the file may be, and not only of
   * the preferred type
   */
  public final boolean onAnyStorage;
  /** True if the repair may write only bytes that it has checked */
  public final boolean doubted;
  /** True if a rebuilt unit may go to a node that has another block of the same column of CORE */
  public final boolean besideColumn;
  /**
   * Indices of the parts that have to be reported as done before the command of this part is sent;
   * empty if this is not a part
   */
  public final Set<Integer> after;
  /** The parts, with a command each; empty if one command orders everything. */
  private final List<Assignment> parts;
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
    this(group, helpers, targets, topology, byDecoding, null);
  }

  /**
   * Makes an assignment that may read a column.
   *
   * @param group the group, as the NameNode describes it
   * @param helpers the units to read, each with its node; block i of the column has the unit index
   *     k + m + i
   * @param targets the units to rebuild, each with the node that gets it
   * @param topology name of the shape of the tree in which the helpers send their sums
   * @param byDecoding true if the helpers differ from those of the code's recipe for the loss
   * @param column the column that rebuilds the only target; null if the row rebuilds the targets
   * @throws IllegalArgumentException if there is no target, or if the column is that of another
   *     unit
   */
  public Assignment(LostGroup group, List<UnitHolder> helpers, List<UnitHolder> targets,
      String topology, boolean byDecoding, CoreColumn column) {
    this.group = Objects.requireNonNull(group, "group");
    this.helpers = List.copyOf(helpers);
    this.targets = List.copyOf(targets);
    this.topology = Objects.requireNonNull(topology, "topology");
    this.byDecoding = byDecoding;
    this.column = column;
    this.onAnyStorage = false;
    this.doubted = false;
    this.besideColumn = false;
    this.after = Set.of();
    this.parts = List.of();
    this.reads = UnitReads.UNKNOWN;
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("No target for " + group);
    }
    if (column != null && (targets.size() != 1 || targets.get(0).unit != column.unit)) {
      throw new IllegalArgumentException(column + " cannot rebuild " + targets);
    }
  }

  /** Makes a copy with other conditions, parts or reads. */
  private Assignment(Assignment from, boolean onAnyStorage, boolean doubted, boolean besideColumn,
      Set<Integer> after, List<Assignment> parts, UnitReads reads) {
    this.group = from.group;
    this.helpers = from.helpers;
    this.targets = from.targets;
    this.topology = from.topology;
    this.byDecoding = from.byDecoding;
    this.column = from.column;
    this.onAnyStorage = onAnyStorage;
    this.doubted = doubted;
    this.besideColumn = besideColumn;
    this.after = Set.copyOf(after);
    this.parts = List.copyOf(parts);
    this.reads = Objects.requireNonNull(reads, "reads");
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
    return new Assignment(this, onAnyStorage, doubted, besideColumn, after, parts, all);
  }

  /**
   * @return a copy of this assignment that allows all storage types on which the file may be, for
   *     the case that no target has storage of the preferred type
   */
  public Assignment onAnyStorage() {
    return new Assignment(this, true, doubted, besideColumn, after, parts, reads);
  }

  /**
   * @return a copy of this assignment whose rebuilt units may go to nodes that have other blocks of
   *     the same columns of CORE, for the case that no other node takes the units. A unit that a
   *     column rebuilds never goes to such a node
   */
  public Assignment besideColumn() {
    return new Assignment(this, onAnyStorage, doubted, true, after, parts, reads);
  }

  /** @return an assignment like this one whose repair has to check every byte */
  public Assignment doubted() {
    return new Assignment(this, onAnyStorage, true, besideColumn, after, parts, reads);
  }

  /**
   * @param earlier indices of the earlier parts for which this part waits, because this part reads
   *     the units that those parts rebuild
   * @return a copy of this assignment that is a part and waits for them
   */
  public Assignment waitingFor(Set<Integer> earlier) {
    return new Assignment(this, onAnyStorage, doubted, besideColumn, earlier, parts, reads);
  }

  /**
   * Returns a copy of this assignment, for which the manager sends several commands under one
   * grant. The helpers and targets of the copy are still those of all commands together.
   *
   * @param some the parts, with a command each; no part waits for a later part
   * @return the assignment with these parts
   * @throws IllegalArgumentException if the parts do not rebuild each unit once, if a part waits
   *     for a later part, or if this assignment reads a column, which only a part may
   */
  public Assignment inParts(List<Assignment> some) {
    if (column != null) {
      throw new IllegalArgumentException("The repair of " + group + " through a column has one"
          + " part");
    }
    List<UnitHolder> ordered = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
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
    return new Assignment(this, onAnyStorage, doubted, besideColumn, after, some, reads);
  }

  /**
   * Returns pairs of a unit and its node. Pairs can be compared, but {@link UnitHolder} does not
   * define equals.
   */
  private static Set<Object> places(List<UnitHolder> holders) {
    return holders.stream().map(holder -> Map.entry(holder.unit, holder.node))
        .collect(Collectors.toSet());
  }

  /**
   * @return the parts, with one command each and with the conditions and reads of the whole
   *     assignment; the assignment itself if {@link #inParts} was not called
   */
  public List<Assignment> parts() {
    return parts.isEmpty() ? List.of(this) : parts.stream()
        .map(part -> new Assignment(part, onAnyStorage, doubted, besideColumn, part.after,
            List.of(), reads))
        .collect(Collectors.toList());
  }

  /** @return the column that rebuilds the target of a single command; empty if there is none */
  public Optional<CoreColumn> column() {
    return Optional.ofNullable(column);
  }

  /** @return the columns that any part reads */
  public List<CoreColumn> columns() {
    return Stream.concat(Stream.of(this), parts.stream())
        .flatMap(part -> part.column().stream()).collect(Collectors.toList());
  }

  @Override
  public String toString() {
    return group + " to " + targets + " by " + topology + " through " + helpers;
  }
}
