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
package org.hdfsppr.namenode.web;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.FreeSumTopology;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;

/**
 * The tree that the scheduler expects for a command. The destination plans the tree itself, from
 * the helpers in the order of the command, and may plan another one if a helper fails.
 *
 * <p>Helpers behind those that any code needs are read only for the check. They stand below the
 * last helper of a chain, or below the last leaf of a ppr tree. Each node without the extension is
 * read by one of the nodes that sum, in turn, from the farthest to the nearest. The places in a
 * free-sum tree are those of {@link FreeSumTopology#parents}. Immutable.
 */
@InterfaceAudience.Private
final class RepairTree {
  private static final String PPR = "ppr";
  private static final String STAR = "star";

  /** The DataNode. */
  final NodeRef node;
  /** The units that the node reads for the repair; none at the destination. */
  final List<Integer> units = new ArrayList<>();
  /** The nodes that send to this node. */
  final List<RepairTree> children = new ArrayList<>();

  private RepairTree(NodeRef node) {
    this.node = node;
  }

  /**
   * @param assignment the command
   * @return the destination, with the nodes that send to it as its children
   */
  static RepairTree of(Assignment assignment) {
    RepairTree root = new RepairTree(assignment.targets.get(0).node);
    Map<NodeRef, RepairTree> sums = new LinkedHashMap<>();
    Map<NodeRef, RepairTree> checks = new LinkedHashMap<>();
    Map<NodeRef, RepairTree> stock = new LinkedHashMap<>();
    GroupPolicy policy = assignment.group.policy;
    long needed = assignment.column().map(column -> (long) column.size())
        .orElseGet(() -> assignment.group.unitsToDecode());
    for (int i = 0; i < assignment.helpers.size(); i++) {
      Holder helper = assignment.helpers.get(i);
      NodeRef node = helper.node;
      Map<NodeRef, RepairTree> kind = !node.runsExtension() ? stock
          : i < needed || sums.containsKey(node) ? sums : checks;
      // All blocks of a column have the index of the lost unit.
      int index = helper.unit;
      kind.computeIfAbsent(node, RepairTree::new).units.add(assignment.column()
          .filter(column -> index >= policy.dataUnits + policy.parityUnits)
          .map(column -> column.unit).orElse(index));
    }
    if (assignment.topology.equals(FreeSumTopology.NAME)) {
      addFreely(root, assignment);
      return root;
    }
    List<RepairTree> order = new ArrayList<>();
    order.add(root);
    order.addAll(sums.values());
    for (int i = 1; i < order.size(); i++) {
      order.get(parent(assignment.topology, i)).children.add(order.get(i));
    }
    addChecks(order, checks.values(), assignment.topology);
    addStock(order, stock.values());
    return root;
  }

  /**
   * Adds the nodes of a free-sum tree. The scheduler chooses it only for codes with sub-chunks,
   * whose helpers all have the extension.
   */
  private static void addFreely(RepairTree root, Assignment assignment) {
    Map<NodeRef, RepairTree> nodes = new LinkedHashMap<>();
    Map<NodeRef, Integer> reads = new HashMap<>();
    for (Holder helper : assignment.helpers) {
      nodes.computeIfAbsent(helper.node, RepairTree::new).units.add(helper.unit);
      reads.merge(helper.node, assignment.reads.of(helper.unit), Integer::sum);
    }
    List<RepairTree> order = new ArrayList<>(nodes.values());
    // As in the plan, helpers that serve only the check come last.
    order.sort(Comparator.comparing(tree -> reads.get(tree.node) == 0));
    int[] runs = order.stream().mapToInt(tree -> reads.get(tree.node)).toArray();
    int[] parents = FreeSumTopology.parents(runs, assignment.reads.subChunks,
        assignment.targets.size());
    for (int i = 1; i < parents.length; i++) {
      (parents[i] == 0 ? root : order.get(parents[i] - 1)).children.add(order.get(i - 1));
    }
  }

  private static int parent(String topology, int number) {
    return topology.equals(STAR) ? 0 : topology.equals(PPR) ? number & number - 1 : number - 1;
  }

  private static void addChecks(List<RepairTree> order, Iterable<RepairTree> checks,
      String topology) {
    int last = order.size() - 1;
    RepairTree above = order.get(topology.equals(STAR) || last == 0 ? 0
        : topology.equals(PPR) ? last - 1 + last % 2 : last);
    for (RepairTree check : checks) {
      above.children.add(check);
      above = topology.equals(STAR) ? above : check;
    }
  }

  private static void addStock(List<RepairTree> order, Iterable<RepairTree> stock) {
    int sums = order.size() - 1;
    int i = 0;
    for (RepairTree one : stock) {
      order.get(sums == 0 ? 0 : sums - i++ % sums).children.add(one);
    }
  }
}
