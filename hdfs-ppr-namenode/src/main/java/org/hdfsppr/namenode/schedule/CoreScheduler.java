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
package org.hdfsppr.namenode.schedule;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.RepairStrategies;
import org.hdfsppr.core.RepairStrategy;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.Column;
import org.hdfsppr.namenode.model.CommandStep;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;

/**
 * Plans as another scheduler does, and also by the columns of CORE. Where no other row of
 * the CORE group matters, the row's plan and the columns' plans are compared by their load: a
 * column reads t blocks instead of k, but its links or disks may be the busier ones. Where a
 * strategy has ordered the steps of several rows, this class only chooses nodes for the steps of
 * one row.
 */
@InterfaceAudience.Private
public final class CoreScheduler implements Scheduler {
  private final Scheduler rows;
  private final SchedulerOptions options;
  private final RepairStrategy strategy;

  /**
   * @param rows plans repairs of rows
   * @param options the options of {@code rows}
   * @param strategy what an operator prefers where no other row matters: rows, columns, or with
   *     {@link RepairStrategies#RGS} the cheaper plan
   */
  public CoreScheduler(Scheduler rows, SchedulerOptions options, RepairStrategy strategy) {
    this.rows = Objects.requireNonNull(rows, "rows");
    this.options = Objects.requireNonNull(options, "options");
    this.strategy = Objects.requireNonNull(strategy, "strategy");
  }

  @Override
  public String name() {
    return rows.name();
  }

  @Override
  public DestinationRank rank() {
    return rows.rank();
  }

  @Override
  public String topology() {
    return rows.topology();
  }

  @Override
  public Proposal plan(Fleet fleet, LostGroup group, DestinationFilter filter) {
    switch (group.core.state) {
      case ORDERED:
        return ordered(fleet, group, filter);
      case ALONE:
        return cheaper(fleet, rows.plan(fleet, group, filter), byColumns(fleet, group, filter),
            Score.AHEAD);
      default:
        return rows.plan(fleet, group, filter);
    }
  }

  private Proposal cheaper(Fleet fleet, Proposal row, Proposal columns, int squarings) {
    if (columns.assignment().isEmpty()) {
      return row;
    }
    boolean takesColumns = row.assignment().isEmpty()
        || (strategy == RepairStrategies.RGS
        ? new Score(fleet, columns.load, squarings)
            .isBetterThan(new Score(fleet, row.load, squarings))
        : strategy == RepairStrategies.COLUMN_FIRST);
    return takesColumns ? columns : row;
  }

  /** Plans all lost units by their columns, each on its own. */
  private Proposal byColumns(Fleet fleet, LostGroup group, DestinationFilter filter) {
    List<CoreWork.RowStep> steps = new ArrayList<>();
    for (int unit : group.lost) {
      if (group.unitBytes(unit) > 0) {
        if (group.core.column(unit).isEmpty()) {
          return Proposal.refused(Refusal.TOO_FEW_SOURCES);
        }
        steps.add(new CoreWork.RowStep(Set.of(unit), true, Set.of()));
      }
    }
    return inSteps(fleet, group, steps, filter);
  }

  /**
   * Plans the given steps. If that is not possible, a row that can rebuild its units alone does so:
   * it then reads more than it would have to, which is better than to wait. A row that cannot takes
   * those steps for which there are nodes. A DataNode with a corrupt replica of the row takes no
   * unit of it, and the NameNode keeps these replicas until the row has k others. So a small
   * cluster may have too few nodes until some units are back.
   */
  private Proposal ordered(Fleet fleet, LostGroup group, DestinationFilter filter) {
    Proposal planned = inSteps(fleet, group, group.core.steps, filter);
    if (planned.assignment().isPresent()) {
      return planned;
    }
    if (!group.isUnrecoverable()) {
      return rows.plan(fleet, group, filter);
    }
    return planned.refusal == Refusal.NO_DESTINATION
        ? oneByOne(fleet, group, group.core.steps, filter, false) : planned;
  }

  /**
   * Plans steps, each of which takes the nodes that are best for it. If that leaves no node for a
   * later one, or none that suits it, the units of all steps are placed together first.
   */
  private Proposal inSteps(Fleet fleet, LostGroup group, List<CoreWork.RowStep> steps,
      DestinationFilter filter) {
    if (steps.isEmpty()) {
      return Proposal.refused(Refusal.NOTHING_LOST);
    }
    boolean yields = filter.yields(group);
    Proposal first = yields ? Proposal.refused(Refusal.NO_DESTINATION)
        : oneByOne(fleet, group, steps, filter, true);
    if (first.assignment().isPresent() || first.refusal != Refusal.NO_DESTINATION
        || steps.size() == 1 && !yields) {
      return first;
    }
    return together(fleet, group, steps, filter)
        .map(places -> oneByOne(fleet, group, steps, places, true)).orElse(first);
  }

  /** Places the units of all steps together; empty if that is not possible. */
  private Optional<DestinationFilter> together(Fleet fleet, LostGroup group,
      List<CoreWork.RowStep> steps, DestinationFilter filter) {
    Set<Integer> units = new TreeSet<>();
    steps.forEach(step -> units.addAll(step.units));
    units.removeIf(unit -> group.unitBytes(unit) == 0);
    try {
      int[] nodes = new Destinations(fleet,
          new GroupView(fleet, group.part(units, List.of(), List.of()), options.reads), filter)
          .choose(-1);
      Map<Integer, NodeRef> places = new HashMap<>();
      int next = 0;
      for (int unit : nodes.length == 0 ? Set.<Integer>of() : units) {
        places.put(unit, fleet.node(nodes[next++]).ref());
      }
      return places.isEmpty() ? Optional.empty() : Optional.of(new FixedPlaces(filter, places));
    } catch (IOException e) {
      // The steps are refused for this reason, too.
      return Optional.empty();
    }
  }

  /**
   * Plans steps one after the other.
   *
   * @param isWhole whether all steps are planned or none; otherwise those are left out for which
   *     there is no node, and those that wait for them
   */
  private Proposal oneByOne(Fleet fleet, LostGroup group, List<CoreWork.RowStep> steps,
      DestinationFilter filter, boolean isWhole) {
    ColumnPlan columns = new ColumnPlan(fleet, options, topology());
    List<CommandStep> commands = new ArrayList<>();
    List<RepairLoad> loads = new ArrayList<>();
    List<Holder> helpers = new ArrayList<>();
    List<Holder> targets = new ArrayList<>();
    // The index of each planned step's command, by the number of the step.
    Map<Integer, Integer> commandOf = new HashMap<>();
    Proposal refused = Proposal.refused(Refusal.NO_DESTINATION);
    for (int number = 0; number < steps.size(); number++) {
      CoreWork.RowStep step = steps.get(number);
      if (!commandOf.keySet().containsAll(step.after)) {
        continue;
      }
      Set<Integer> after = new TreeSet<>();
      List<Holder> readable = new ArrayList<>();
      for (int before : step.after) {
        after.add(commandOf.get(before));
        readable.addAll(commands.get(commandOf.get(before)).targets);
      }
      List<NodeRef> taken = new ArrayList<>();
      targets.forEach(target -> taken.add(target.node));
      LostGroup part = group.part(step.units, readable, taken);
      Column column = step.vertical
          ? group.core.column(step.units.iterator().next()).orElse(null) : null;
      Proposal one = column == null ? rows.plan(fleet, part, filter)
          : columns.plan(part, column, filter);
      if (one.assignment().isEmpty()) {
        if (isWhole || one.refusal != Refusal.NO_DESTINATION) {
          return one;
        }
        refused = one;
        continue;
      }
      Assignment assignment = one.assignment().get();
      commandOf.put(number, commands.size());
      commands.add(new CommandStep(assignment.helpers, assignment.targets,
          assignment.topology, assignment.byDecoding, after, column));
      loads.add(one.load);
      helpers.addAll(assignment.helpers);
      targets.addAll(assignment.targets);
    }
    if (commands.isEmpty()) {
      return refused;
    }
    RepairLoad whole = RepairLoad.sum(loads);
    return Proposal.of(new Assignment(group, helpers, targets, commands.get(0).topology)
        .inSteps(commands), whole, new Score(fleet, whole, Score.AHEAD).max());
  }

  @Override
  public int looksAgain() {
    return rows.looksAgain();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Steps that a strategy has ordered stay as they are.
   */
  @Override
  public Proposal again(Fleet fleet, Proposal first, DestinationFilter filter, int look) {
    LostGroup group = first.assignment().get().group;
    if (group.core.state == CoreWork.State.ORDERED) {
      return first;
    }
    if (group.core.state != CoreWork.State.ALONE || strategy != RepairStrategies.RGS) {
      return first.assignment().get().columns().isEmpty() ? rows.again(fleet, first, filter, look)
          : first;
    }
    Proposal other = rows.again(fleet, first, filter, look);
    // Later looks weigh the greatest load more, as those of the balanced scheduler do.
    return cheaper(fleet, other, byColumns(fleet, group, filter), Score.AHEAD + look);
  }
}
