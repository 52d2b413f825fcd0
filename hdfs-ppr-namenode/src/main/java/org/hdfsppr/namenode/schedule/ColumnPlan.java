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
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.Column;
import org.hdfsppr.namenode.model.CommandStep;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.Resource.Kind;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;

/**
 * Plans the repair of one lost unit by its column of CORE. The blocks of the column are whole, and
 * of each there is usually one replica, so that only the order of the nodes, the destination and
 * the units of the check are to be chosen:
 *
 * <pre>
 *   chain   destination <- block <- block ... <- block <- row's unit ... <- row's unit
 *                          all slices                     only checked slices
 *   ppr     the blocks form a reduction tree, the units of the check hang below its last block
 *   star    all blocks, and all units of the check, send to the destination
 * </pre>
 *
 * <p>A helper of the column has the number k + m + i in the assignment, where i is the index of its
 * block in the column; a helper that only checks has its unit's index.
 */
@InterfaceAudience.Private
final class ColumnPlan {
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
   * @param filter decides, in addition to fleet, group and column, which nodes may be destinations
   */
  Proposal plan(LostGroup group, Column column, DestinationFilter filter) {
    GroupView view;
    try {
      view = new GroupView(fleet, group, options.reads);
    } catch (IOException e) {
      return Proposal.refused(Refusal.UNKNOWN_CODE);
    }
    if (view.lost() == 0) {
      return Proposal.refused(Refusal.NOTHING_LOST);
    }
    NodeState[] readers = readers(column);
    if (readers == null) {
      return Proposal.refused(Refusal.TOO_FEW_SOURCES);
    }
    Set<NodeRef> onColumn =
        column.holders.stream().map(holder -> holder.node).collect(Collectors.toSet());
    int[] targets = new Destinations(fleet, view, (lost, node) -> !onColumn.contains(node)
        && fleet.find(node).report().knowsColumns() && filter.accepts(lost, node)
        && filter.acceptsUnit(lost, column.unit, node)).choose(-1);
    if (targets.length == 0) {
      return Proposal.refused(Refusal.NO_DESTINATION);
    }
    return propose(group, column, view, readers, targets[0]);
  }

  /**
   * Returns the node from which each block is read; null if a block has no usable node with the
   * extension. Nodes without it could only be read whole by others, which a column is too short
   * for.
   */
  private NodeState[] readers(Column column) {
    NodeState[] readers = new NodeState[column.size()];
    for (Holder holder : column.holders) {
      NodeState node = fleet.find(holder.node);
      NodeState before = readers[holder.unit];
      if (node != null && node.isUsable() && node.ref().runsExtension()
          && (before == null || node.seconds() < before.seconds())) {
        readers[holder.unit] = node;
      }
    }
    return Arrays.asList(readers).contains(null) ? null : readers;
  }

  private Proposal propose(LostGroup group, Column column, GroupView view, NodeState[] readers,
      int target) {
    int units = view.code().units();
    List<Integer> order = order(readers, fleet.node(target));
    List<Integer> checks = checks(view, target);
    long stream = view.streamBytes();
    long checkBytes = checks.isEmpty() ? 0 : Math.max(1, stream / options.checkOneIn);
    TreeLoad load = new TreeLoad(fleet);
    List<Holder> helpers = new ArrayList<>();
    List<Integer> nodes = new ArrayList<>();
    for (int block : order) {
      load.read(readers[block], Math.min(column.bytes(block), stream));
      helpers.add(new Holder(units + block, readers[block].ref()));
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
    Holder rebuilt = view.target(column.unit, target);
    RepairLoad whole = load.build(nodes.stream().mapToInt(Integer::intValue).toArray(),
        new int[] {target});
    return Proposal.of(new Assignment(group, helpers, List.of(rebuilt), topology).inSteps(
        List.of(new CommandStep(helpers, List.of(rebuilt), topology, false, Set.of(), column))),
        whole, new Score(fleet, whole, Score.AHEAD).max());
  }

  private static boolean add(List<Integer> nodes, int node) {
    return !nodes.contains(node) && nodes.add(node);
  }

  /** Returns the number of the node to which node {@code number} sends; the destination is 0. */
  private int parent(int number) {
    if (topology.equals(Tree.STAR)) {
      return 0;
    }
    return topology.equals(PPR) ? number & number - 1 : number - 1;
  }

  /** Returns the number of the node below which the nodes of the check hang. */
  private int last(int sums) {
    return topology.equals(PPR) ? Math.max(1, sums - (sums + 1) % 2) : sums;
  }

  /**
   * Returns the blocks in the order of the chain. It enters each rack once, the destination's
   * first. Its last node receives nothing, so that the node that receives most comes last in its
   * rack.
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
   * Returns the units of the row with which samples are checked, the idlest nodes' first; empty if
   * there is no check, or the row has too few units left for its relation.
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
