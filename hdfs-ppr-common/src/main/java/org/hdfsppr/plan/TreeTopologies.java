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
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** The tree shapes that an operator can configure by name. */
@InterfaceAudience.Private
public final class TreeTopologies {
  private static final List<TreeTopology> ALL = Arrays.asList(new StarTopology(),
      new BinomialTopology(), new ChainTopology(), new RackTopology(), new FreeSumTopology());

  private TreeTopologies() {
  }

  /** @return all tree shapes */
  public static List<TreeTopology> all() {
    return ALL;
  }

  /** @return the names that {@link #byName} accepts */
  public static List<String> names() {
    return ALL.stream().map(TreeTopology::name).collect(Collectors.toList());
  }

  /**
   * @param name the configured name
   * @return the shape with that name
   * @throws IllegalArgumentException if no shape has that name; the message names the value and the
   *     allowed names
   */
  public static TreeTopology byName(String name) {
    return ALL.stream().filter(topology -> topology.name().equals(name)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException(
            "Unknown topology '" + name + "', choose one of " + names()));
  }

  /**
   * A star: all helpers send to the destination, as in stock HDFS, so that the destination's link
   * carries k units. It serves as the baseline when topologies are compared.
   */
  static final class StarTopology implements TreeTopology {
    @Override
    public String name() {
      return "star";
    }

    @Override
    public PlanNode arrange(NodeRef destination, List<TreeHelper> members) {
      List<PlanNode> children = new ArrayList<>();
      for (TreeHelper member : members) {
        children.add(new PlanNode(member.node, member.sources, Collections.emptyList()));
      }
      return new PlanNode(destination, Collections.emptyList(), children);
    }
  }

  /**
   * The reduction tree of PPR (Mitra et al., "Partial-Parallel-Repair (PPR)", EuroSys 2016, section
   * 3), with ceil(log2(k+1)) rounds. The destination has number 0, and the helpers are numbered
   * from 1. The number of a node's parent is the node's own number with the lowest set bit cleared:
   *
   * <pre>
   *        0            node 0 receives ceil(log2(k+1)) sums, from nodes 1, 2, 4, ...;
   *      / | \          the number of these sums bounds the repair's time
   *     1  2  4
   *        |  | \
   *        3  5  6
   * </pre>
   *
   * <p>Helpers that serve only the check form a chain below the last leaf, so that they do not
   * lengthen any round.
   */
  static final class BinomialTopology implements TreeTopology {
    @Override
    public String name() {
      return "ppr";
    }

    @Override
    public PlanNode arrange(NodeRef destination, List<TreeHelper> members) {
      List<TreeHelper> summing = new ArrayList<>();
      PlanNode checking = null;
      for (TreeHelper member : members) {
        if (member.onlyChecks()) {
          checking = new PlanNode(member.node, member.sources,
              checking == null ? Collections.emptyList() : Collections.singletonList(checking));
        } else {
          summing.add(member);
        }
      }
      return build(0, destination, Collections.emptyList(), summing, checking);
    }

    private PlanNode build(int number, NodeRef node, List<RepairSource> sources,
        List<TreeHelper> summing,
        PlanNode checking) {
      List<PlanNode> children = new ArrayList<>();
      int lowestBit = number == 0 ? Integer.highestOneBit(Integer.MAX_VALUE)
          : Integer.lowestOneBit(number);
      for (int bit = 1; bit < lowestBit && number + bit <= summing.size(); bit <<= 1) {
        TreeHelper member = summing.get(number + bit - 1);
        children.add(build(number + bit, member.node, member.sources, summing, checking));
      }
      if (number == lastLeaf(summing.size()) && checking != null) {
        children.add(checking);
      }
      return new PlanNode(node, sources, children);
    }

    /**
     * Returns the highest odd number up to {@code size}, or 0 if {@code size} is 0. Nodes with odd
     * numbers have no children.
     */
    private static int lastLeaf(int size) {
      return size == 0 ? 0 : size - 1 + size % 2;
    }
  }

  /**
   * A chain that visits one rack after the other and ends in the destination's rack. Each rack then
   * sends the bytes of one unit to another rack, however many helpers it has. The topology prefers
   * helpers in the destination's rack, then helpers in the racks that hold the most units, so that
   * few racks take part. If all helpers are in one rack, the tree is the plain chain.
   */
  static final class RackTopology extends ChainTopology {
    @Override
    public String name() {
      return "rack";
    }

    @Override
    public List<UnitHolder> prefer(NodeRef destination, List<UnitHolder> candidates) {
      Map<String, Set<Integer>> unitsByRack = new LinkedHashMap<>();
      for (UnitHolder holder : candidates) {
        unitsByRack.computeIfAbsent(holder.node.rack, rack -> new HashSet<>())
            .add(holder.unit);
      }
      List<String> racks = new ArrayList<>(unitsByRack.keySet());
      // Both sorts are stable. Racks with the same number of units, and the nodes within a rack,
      // keep the NameNode's order, which differs from group to group. If they were sorted by name,
      // the same racks would serve every repair.
      racks.sort(Comparator
          .comparing((String rack) -> !rack.equals(destination.rack))
          .thenComparing(rack -> -unitsByRack.get(rack).size()));
      List<UnitHolder> order = new ArrayList<>(candidates);
      order.sort(Comparator.comparingInt(holder -> racks.indexOf(holder.node.rack)));
      return order;
    }

    @Override
    List<TreeHelper> order(NodeRef destination, List<TreeHelper> members) {
      List<TreeHelper> order = rackByRack(destination, members, false);
      // Helpers that serve only the check stand farthest from the destination, so that slices
      // without a check need not pass them.
      order.addAll(rackByRack(destination, members, true));
      return order;
    }

    private static List<TreeHelper> rackByRack(NodeRef destination, List<TreeHelper> members,
        boolean onlyChecks) {
      Map<String, List<TreeHelper>> byRack = new LinkedHashMap<>();
      byRack.put(destination.rack, new ArrayList<>());
      for (TreeHelper member : members) {
        if (member.onlyChecks() == onlyChecks) {
          byRack.computeIfAbsent(member.node.rack, rack -> new ArrayList<>()).add(member);
        }
      }
      List<TreeHelper> order = new ArrayList<>();
      byRack.values().forEach(order::addAll);
      return order;
    }
  }
}
