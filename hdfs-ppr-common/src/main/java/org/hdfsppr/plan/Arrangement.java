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

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Builds the tree of a plan, and decides which node reads which unit. Only nodes that run hdfs-ppr
 * stand in the tree, and each reads its own units. If a node without hdfs-ppr holds a unit, a node
 * of the tree reads the unit from there. Pure: the same input gives the same tree.
 */
final class Arrangement {
  private Arrangement() {
  }

  /**
   * Arranges the tree of a plan.
   *
   * @param destination the root
   * @param sources all sources; the topology puts their holders into the tree in this order
   * @param topology shape of the tree
   * @return the root
   */
  static PlanNode arrange(NodeRef destination, List<RepairSource> sources, TreeTopology topology) {
    Map<NodeRef, List<RepairSource>> byNode = new LinkedHashMap<>();
    List<RepairSource> own = new ArrayList<>();
    List<RepairSource> stock = new ArrayList<>();
    for (RepairSource source : sources) {
      if (source.holder.equals(destination)) {
        own.add(source);
      } else if (source.holder.runsExtension()) {
        byNode.computeIfAbsent(source.holder, node -> new ArrayList<>()).add(source);
      } else {
        stock.add(source);
      }
    }
    List<TreeHelper> members = new ArrayList<>();
    byNode.forEach((node, held) -> members.add(new TreeHelper(node, held)));
    members.sort(Comparator.comparing(TreeHelper::onlyChecks));
    PlanNode tree = topology.arrange(destination, members);
    return withSources(tree, own, placeStockReads(tree, stock));
  }

  /**
   * Decides which node of the tree reads which source from a node without hdfs-ppr. Each source
   * goes to the node that receives from the fewest other nodes so far. Nodes that serve only the
   * check send nothing in most slices, so that they get only sources that serve only the check.
   */
  private static Map<NodeRef, List<RepairSource>> placeStockReads(PlanNode tree,
      List<RepairSource> stock) {
    List<PlanNode> nodes = new ArrayList<>();
    tree.forEach(nodes::add);
    // Of several nodes that receive from equally few nodes, min() below takes the first. After this
    // reversal, that is the node at the far end of the tree. It adds what it reads to the sum that
    // it sends anyway.
    Collections.reverse(nodes);
    List<PlanNode> adding = nodes.stream().filter(node -> node == tree
        || node.sources.stream().anyMatch(Arrangement::adds)).collect(Collectors.toList());
    Map<NodeRef, Integer> inbound = new HashMap<>();
    nodes.forEach(node -> inbound.put(node.node, (int) node.children.stream()
        .filter(child -> child.contributes(SliceKind.PLAIN)).count()));
    Map<NodeRef, List<RepairSource>> reads = new HashMap<>();
    for (RepairSource source : stock) {
      NodeRef least = Collections.min(adds(source) ? adding : nodes,
          Comparator.comparing(node -> inbound.get(node.node))).node;
      inbound.merge(least, 1, Integer::sum);
      reads.computeIfAbsent(least, node -> new ArrayList<>()).add(source);
    }
    return reads;
  }

  /** Says whether a source is needed to rebuild lost units, and not only for the check. */
  private static boolean adds(RepairSource source) {
    return source.contributes(SliceKind.PLAIN) || source.contributes(SliceKind.TAIL);
  }

  private static PlanNode withSources(PlanNode node, List<RepairSource> own,
      Map<NodeRef, List<RepairSource>> reads) {
    List<RepairSource> sources = new ArrayList<>(own);
    sources.addAll(node.sources);
    sources.addAll(reads.getOrDefault(node.node, Collections.emptyList()));
    List<PlanNode> children = new ArrayList<>();
    for (PlanNode child : node.children) {
      children.add(withSources(child, Collections.emptyList(), reads));
    }
    return new PlanNode(node.node, sources, children);
  }
}
