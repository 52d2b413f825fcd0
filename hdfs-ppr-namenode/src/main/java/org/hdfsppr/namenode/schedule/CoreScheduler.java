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
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.RepairStrategies;
import org.hdfsppr.core.RepairStrategy;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * Plans repairs of rows with another scheduler, and repairs of single lost units by their columns
 * of CORE. If the repair of a row depends on no other row of the CORE group ({@link
 * CoreWork.State#ALONE}), the plan of the row and the plan by columns are compared by their load: a
 * column may have fewer blocks than the k that a row reads, but its links or disks may be the
 * busier ones. If a strategy has ordered the steps of several rows ({@link
 * CoreWork.State#ORDERED}), this class only chooses the nodes for the steps of one row.
 */
@InterfaceAudience.Private
public final class CoreScheduler implements RepairScheduler {
  private final RepairScheduler rows;
  private final SchedulerOptions options;
  private final RepairStrategy strategy;

  /**
   * @param rows plans repairs of rows
   * @param options the options of {@code rows}
   * @param strategy what the operator prefers for a row whose repair depends on no other row: the
   *     row's plan, the plan by columns, or with {@link RepairStrategies#RGS} the cheaper of both
   */
  public CoreScheduler(RepairScheduler rows, SchedulerOptions options, RepairStrategy strategy) {
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
  public RepairProposal plan(Fleet fleet, LostGroup group, DestinationFilter filter) {
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

  private RepairProposal cheaper(Fleet fleet, RepairProposal row, RepairProposal columns,
      int squarings) {
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

  /** Plans one step for each lost unit that has bytes. The step rebuilds the unit by its column. */
  private RepairProposal byColumns(Fleet fleet, LostGroup group, DestinationFilter filter) {
    List<CoreWork.RowStep> steps = new ArrayList<>();
    for (int unit : group.lost) {
      if (group.unitBytes(unit) > 0) {
        if (group.core.column(unit).isEmpty()) {
          return RepairProposal.refused(NoPlanReason.TOO_FEW_SOURCES);
        }
        steps.add(new CoreWork.RowStep(Set.of(unit), true, Set.of()));
      }
    }
    return inSteps(fleet, group, steps, filter);
  }

  /**
   * Plans the steps that the strategy has ordered. If there is no plan for them, and the row can
   * rebuild its units alone, the row does so: it then reads more than in the steps, but need not
   * wait. If the row cannot, it takes those steps for which there are nodes. These may be too few
   * in a small cluster until some units are back: a DataNode with a corrupt replica of the row gets
   * no unit of that row, and the NameNode keeps corrupt replicas until the row has k others.
   */
  private RepairProposal ordered(Fleet fleet, LostGroup group, DestinationFilter filter) {
    RepairProposal planned = inSteps(fleet, group, group.core.steps, filter);
    if (planned.assignment().isPresent()) {
      return planned;
    }
    if (!group.isUnrecoverable()) {
      return rows.plan(fleet, group, filter);
    }
    return planned.refusal == NoPlanReason.NO_DESTINATION
        ? oneByOne(fleet, group, group.core.steps, filter, false) : planned;
  }

  /**
   * Plans steps, each on the nodes that are best for it. If this leaves a later step without a
   * node, or without one that suits it, finds nodes for the units of all steps together, and plans
   * the steps again with these nodes.
   */
  private RepairProposal inSteps(Fleet fleet, LostGroup group, List<CoreWork.RowStep> steps,
      DestinationFilter filter) {
    if (steps.isEmpty()) {
      return RepairProposal.refused(NoPlanReason.NOTHING_LOST);
    }
    boolean yields = filter.yields(group);
    RepairProposal first = yields ? RepairProposal.refused(NoPlanReason.NO_DESTINATION)
        : oneByOne(fleet, group, steps, filter, true);
    if (first.assignment().isPresent() || first.refusal != NoPlanReason.NO_DESTINATION
        || steps.size() == 1 && !yields) {
      return first;
    }
    return together(fleet, group, steps, filter)
        .map(places -> oneByOne(fleet, group, steps, places, true)).orElse(first);
  }

  /** Finds one node for each unit of all steps; empty if there are not enough suitable nodes. */
  private Optional<DestinationFilter> together(Fleet fleet, LostGroup group,
      List<CoreWork.RowStep> steps, DestinationFilter filter) {
    Set<Integer> units = new TreeSet<>();
    steps.forEach(step -> units.addAll(step.units));
    units.removeIf(unit -> group.unitBytes(unit) == 0);
    try {
      int[] nodes = new DestinationChooser(fleet,
          new GroupView(fleet, group.part(units, List.of(), List.of()), options.reads), filter)
          .choose(-1);
      Map<Integer, NodeRef> places = new HashMap<>();
      int next = 0;
      for (int unit : nodes.length == 0 ? Set.<Integer>of() : units) {
        places.put(unit, fleet.node(nodes[next++]).ref());
      }
      return places.isEmpty() ? Optional.empty() : Optional.of(new FixedPlaces(filter, places));
    } catch (IOException e) {
      // The NameNode does not know the group's code, so that no step can be planned.
      return Optional.empty();
    }
  }

  /**
   * Plans steps one after the other.
   *
   * @param isWhole if set, either all steps are planned or none; if not, steps without a node are
   *     left out, and with them the steps that wait for them
   */
  private RepairProposal oneByOne(Fleet fleet, LostGroup group, List<CoreWork.RowStep> steps,
      DestinationFilter filter, boolean isWhole) {
    ColumnPlan columns = new ColumnPlan(fleet, options, topology());
    List<Assignment> commands = new ArrayList<>();
    List<RepairLoad> loads = new ArrayList<>();
    List<UnitHolder> helpers = new ArrayList<>();
    List<UnitHolder> targets = new ArrayList<>();
    // From the index of a step to the index of its command. Steps that are left out have no entry.
    Map<Integer, Integer> commandOf = new HashMap<>();
    RepairProposal refused = RepairProposal.refused(NoPlanReason.NO_DESTINATION);
    for (int number = 0; number < steps.size(); number++) {
      CoreWork.RowStep step = steps.get(number);
      if (!commandOf.keySet().containsAll(step.after)) {
        continue;
      }
      Set<Integer> after = new TreeSet<>();
      List<UnitHolder> readable = new ArrayList<>();
      for (int before : step.after) {
        after.add(commandOf.get(before));
        readable.addAll(commands.get(commandOf.get(before)).targets);
      }
      List<NodeRef> taken = new ArrayList<>();
      targets.forEach(target -> taken.add(target.node));
      LostGroup part = group.part(step.units, readable, taken);
      CoreColumn column = step.vertical
          ? group.core.column(step.units.iterator().next()).orElse(null) : null;
      RepairProposal one = column == null ? rows.plan(fleet, part, filter)
          : columns.plan(part, column, filter);
      if (one.assignment().isEmpty()) {
        if (isWhole || one.refusal != NoPlanReason.NO_DESTINATION) {
          return one;
        }
        refused = one;
        continue;
      }
      Assignment assignment = one.assignment().get();
      commandOf.put(number, commands.size());
      commands.add(new Assignment(group, assignment.helpers, assignment.targets,
          assignment.topology, assignment.byDecoding, column).waitingFor(after));
      loads.add(one.load);
      helpers.addAll(assignment.helpers);
      targets.addAll(assignment.targets);
    }
    if (commands.isEmpty()) {
      return refused;
    }
    RepairLoad whole = RepairLoad.sum(loads);
    return RepairProposal.of(new Assignment(group, helpers, targets, commands.get(0).topology)
        .inParts(commands), whole, new Score(fleet, whole, Score.AHEAD).max());
  }

  @Override
  public int looksAgain() {
    return rows.looksAgain();
  }

  /**
   * {@inheritDoc}
   *
   * <p>A repair whose steps a strategy has ordered keeps its first plan.
   */
  @Override
  public RepairProposal again(Fleet fleet, RepairProposal first, DestinationFilter filter,
      int look) {
    LostGroup group = first.assignment().get().group;
    if (group.core.state == CoreWork.State.ORDERED) {
      return first;
    }
    if (group.core.state != CoreWork.State.ALONE || strategy != RepairStrategies.RGS) {
      return first.assignment().get().columns().isEmpty() ? rows.again(fleet, first, filter, look)
          : first;
    }
    RepairProposal other = rows.again(fleet, first, filter, look);
    // The exponent of the score rises with each round, so that the greatest load counts more, as in
    // the later rounds of BalancedScheduler.
    return cheaper(fleet, other, byColumns(fleet, group, filter), Score.AHEAD + look);
  }

  /** Lets each unit go only to the node that was chosen for it. Immutable. */
  static final class FixedPlaces implements DestinationFilter {
    private final DestinationFilter filter;
    private final Map<Integer, NodeRef> places;

    /**
     * @param filter decides, in addition, which nodes may be destinations of the group
     * @param places the node of each unit
     */
    FixedPlaces(DestinationFilter filter, Map<Integer, NodeRef> places) {
      this.filter = filter;
      this.places = Map.copyOf(places);
    }

    @Override
    public boolean accepts(LostGroup group, NodeRef node) {
      return filter.accepts(group, node);
    }

    @Override
    public boolean acceptsUnit(LostGroup group, int unit, NodeRef node) {
      return node.equals(places.get(unit));
    }
  }

  /**
   * Plans the repair of one lost unit by its column of CORE. The repair reads all blocks of the
   * column, and each block usually has one replica. So only the order of the nodes, the destination
   * and the units of the check are to be chosen:
   *
   * <pre>
   *   chain   destination <- block <- block ... <- block <- row's unit ... <- row's unit
   *                          all slices                     only checked slices
   *   ppr     the blocks form a reduction tree, the units of the check hang below its last block
   *   star    all blocks, and all units of the check, send to the destination
   * </pre>
   *
   * <p>In the assignment, a helper that reads the column's block with index i has the unit index k
   * + m + i. A helper that only checks has the index of its unit.
   */
  static final class ColumnPlan {
    private static final String PPR = "ppr";

    private final Fleet fleet;
    private final SchedulerOptions options;
    private final String topology;

    /** @param topology shape of the tree: chain, ppr or star */
    ColumnPlan(Fleet fleet, SchedulerOptions options, String topology) {
      this.fleet = fleet;
      this.options = options;
      this.topology = topology;
    }

    /**
     * Plans the repair of one unit.
     *
     * @param group the group, with the column's unit as its only lost one
     * @param column the column
     * @param filter decides, in addition to fleet, group and column, which nodes may be
     *     destinations
     */
    RepairProposal plan(LostGroup group, CoreColumn column, DestinationFilter filter) {
      GroupView view;
      try {
        view = new GroupView(fleet, group, options.reads);
      } catch (IOException e) {
        return RepairProposal.refused(NoPlanReason.UNKNOWN_CODE);
      }
      if (view.lost() == 0) {
        return RepairProposal.refused(NoPlanReason.NOTHING_LOST);
      }
      NodeState[] readers = readers(column);
      if (readers == null) {
        return RepairProposal.refused(NoPlanReason.TOO_FEW_SOURCES);
      }
      Set<NodeRef> onColumn =
          column.holders.stream().map(holder -> holder.node).collect(Collectors.toSet());
      int[] targets = new DestinationChooser(fleet, view, (lost, node) -> !onColumn.contains(node)
          && fleet.find(node).report().knowsColumns() && filter.accepts(lost, node)
          && filter.acceptsUnit(lost, column.unit, node)).choose(-1);
      if (targets.length == 0) {
        return RepairProposal.refused(NoPlanReason.NO_DESTINATION);
      }
      return propose(group, column, view, readers, targets[0]);
    }

    /**
     * Returns the node from which each block is read, by the index of the block; null if a block
     * has no usable node that runs the extension. Another node would have to read the whole block
     * of a node without it, and a column has too few nodes for that.
     */
    private NodeState[] readers(CoreColumn column) {
      NodeState[] readers = new NodeState[column.size()];
      for (UnitHolder holder : column.holders) {
        NodeState node = fleet.find(holder.node);
        NodeState before = readers[holder.unit];
        if (node != null && node.isUsable() && node.ref().runsExtension()
            && (before == null || node.seconds() < before.seconds())) {
          readers[holder.unit] = node;
        }
      }
      return Arrays.asList(readers).contains(null) ? null : readers;
    }

    private RepairProposal propose(LostGroup group, CoreColumn column, GroupView view,
        NodeState[] readers,
        int target) {
      int units = view.code().units();
      List<Integer> order = order(readers, fleet.node(target));
      List<Integer> checks = checks(view, target);
      long stream = view.streamBytes();
      long checkBytes = checks.isEmpty() ? 0 : Math.max(1, stream / options.checkOneIn);
      TreeLoad load = new TreeLoad(fleet);
      List<UnitHolder> helpers = new ArrayList<>();
      List<Integer> nodes = new ArrayList<>();
      for (int block : order) {
        load.read(readers[block], Math.min(column.bytes(block), stream));
        helpers.add(new UnitHolder(units + block, readers[block].ref()));
        add(nodes, readers[block].index);
      }
      int sums = nodes.size();
      for (int i = 0; i < sums; i++) {
        int parent = parent(i + 1);
        load.edge(nodes.get(i), parent == 0 ? target : nodes.get(parent - 1), stream + checkBytes);
      }
      boolean isStar = topology.equals(Tree.STAR);
      int above = isStar ? target : nodes.get(last(sums) - 1);
      for (int unit : checks) {
        NodeState node = view.node(unit);
        load.read(node, checkBytes);
        helpers.add(view.holder(unit));
        if (add(nodes, node.index)) {
          load.edge(node.index, above, checkBytes);
          above = isStar ? target : node.index;
        }
      }
      load.write(target, target, stream);
      UnitHolder rebuilt = view.target(column.unit, target);
      RepairLoad whole = load.build(nodes.stream().mapToInt(Integer::intValue).toArray(),
          new int[] {target});
      return RepairProposal.of(
          new Assignment(group, helpers, List.of(rebuilt), topology, false, column), whole,
          new Score(fleet, whole, Score.AHEAD).max());
    }

    private static boolean add(List<Integer> nodes, int node) {
      return !nodes.contains(node) && nodes.add(node);
    }

    /**
     * Returns the position in the tree of the node to which node {@code number} sends. Positions
     * start at 1; the destination has position 0.
     */
    private int parent(int number) {
      if (topology.equals(Tree.STAR)) {
        return 0;
      }
      return topology.equals(PPR) ? number & number - 1 : number - 1;
    }

    /** Returns the position of the node to which the first unit of the check sends. */
    private int last(int sums) {
      return topology.equals(PPR) ? Math.max(1, sums - (sums + 1) % 2) : sums;
    }

    /**
     * Returns the blocks in the order of the chain. The chain enters each rack once, the
     * destination's first. Because the last node of a chain receives nothing, each rack's node with
     * the busiest down-link comes last in its rack.
     */
    private static List<Integer> order(NodeState[] readers, NodeState target) {
      List<Integer> order = new ArrayList<>();
      for (int block = 0; block < readers.length; block++) {
        order.add(block);
      }
      order.sort(Comparator
          .comparing((Integer block) -> readers[block].rack() != target.rack())
          .thenComparingInt(block -> readers[block].rack().index)
          .thenComparingDouble(block -> readers[block].linkSeconds(Kind.DOWN, 0)));
      return order;
    }

    /**
     * Returns the units of the row that the repair reads to check some slices, those on the least
     * busy nodes first; empty if repairs are not checked, or if the row has too few units left for
     * an equation of its code.
     */
    private List<Integer> checks(GroupView view, int target) {
      int needed = Math.max(1, view.code().dataUnits() - Integer.bitCount(view.zeros()));
      List<Integer> units = new ArrayList<>();
      for (int unit : view.readable()) {
        if (view.node(unit).ref().runsExtension() && view.node(unit).index != target) {
          units.add(unit);
        }
      }
      units.sort(Comparator.comparingDouble(unit -> view.node(unit).seconds()));
      return options.checkOneIn == 0 || units.size() < needed ? List.of()
          : units.subList(0, needed);
    }
  }
}
