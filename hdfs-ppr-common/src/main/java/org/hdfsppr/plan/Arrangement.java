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
 * Puts the sources of a plan on the nodes of a tree. Nodes with the extension read their own units.
 * For each unit on a node without the extension, a node of the tree reads it from there. Pure.
 */
final class Arrangement {
  private Arrangement() {
  }

  /**
   * Arranges the tree of a plan.
   *
   * @param destination the root
   * @param sources all sources, in the order in which their holders should become helpers
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
   * Decides which node of the tree reads which source from a node without the extension. The next
   * such source always goes to the node that receives from the fewest nodes so far. Nodes that
   * serve only the check send nothing in most slices, and get only sources that serve only the
   * check.
   */
  private static Map<NodeRef, List<RepairSource>> placeStockReads(PlanNode tree,
      List<RepairSource> stock) {
    List<PlanNode> nodes = new ArrayList<>();
    tree.forEach(nodes::add);
    // Of several nodes that receive from equally few nodes, the node at the far end is chosen. It
    // adds what it reads to the sum that it sends anyway.
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

  /** Says whether a source adds to the lost rows, and not only to the check. */
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
