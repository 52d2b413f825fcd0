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
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A chain that visits one rack after the other and ends in the destination's rack. Each rack then
 * sends the bytes of one unit to another rack, however many helpers it has. The topology prefers
 * helpers of the destination's rack, then helpers of the racks with the most units, so that few
 * racks take part. With one rack the tree is the plain chain.
 */
@InterfaceAudience.Private
final class RackTopology extends ChainTopology {
  @Override
  public String name() {
    return "rack";
  }

  @Override
  public List<Holder> prefer(NodeRef destination, List<Holder> candidates) {
    Map<String, Set<Integer>> unitsByRack = new LinkedHashMap<>();
    for (Holder holder : candidates) {
      unitsByRack.computeIfAbsent(holder.node.rack, rack -> new HashSet<>())
          .add(holder.unit);
    }
    List<String> racks = new ArrayList<>(unitsByRack.keySet());
    // Both sorts are stable. Racks with the same number of units, and the nodes within a rack, keep
    // the order of the NameNode, which differs from group to group. In an order by name the same
    // racks would serve every repair.
    racks.sort(Comparator
        .comparing((String rack) -> !rack.equals(destination.rack))
        .thenComparing(rack -> -unitsByRack.get(rack).size()));
    List<Holder> order = new ArrayList<>(candidates);
    order.sort(Comparator.comparingInt(holder -> racks.indexOf(holder.node.rack)));
    return order;
  }

  @Override
  List<Member> order(NodeRef destination, List<Member> members) {
    List<Member> order = rackByRack(destination, members, false);
    // Members that only check stand at the far end, so that slices without a check need not pass
    // them.
    order.addAll(rackByRack(destination, members, true));
    return order;
  }

  private static List<Member> rackByRack(NodeRef destination, List<Member> members,
      boolean onlyChecks) {
    Map<String, List<Member>> byRack = new LinkedHashMap<>();
    byRack.put(destination.rack, new ArrayList<>());
    for (Member member : members) {
      if (member.onlyChecks() == onlyChecks) {
        byRack.computeIfAbsent(member.node.rack, rack -> new ArrayList<>()).add(member);
      }
    }
    List<Member> order = new ArrayList<>();
    byRack.values().forEach(order::addAll);
    return order;
  }
}
