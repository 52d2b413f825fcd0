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
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The reduction tree of PPR (Mitra et al., "Partial-Parallel-Repair (PPR)", EuroSys 2016, section
 * 3), with ceil(log2(k+1)) rounds. The destination has number 0, and the helpers are numbered from
 * 1. The parent's number is the node's number with its lowest set bit cleared:
 *
 * <pre>
 *        0            node 0 receives ceil(log2(k+1)) sums, from nodes 1, 2, 4, ...;
 *      / | \          the number of these sums bounds the repair's time
 *     1  2  4
 *        |  | \
 *        3  5  6
 * </pre>
 *
 * <p>Helpers that serve only the check stand in a chain below the last leaf, so that they do not
 * lengthen any round.
 */
@InterfaceAudience.Private
final class BinomialTopology implements Topology {
  @Override
  public String name() {
    return "ppr";
  }

  @Override
  public List<Holder> prefer(NodeRef destination, List<Holder> candidates) {
    return new ArrayList<>(candidates);
  }

  @Override
  public PlanNode arrange(NodeRef destination, List<Member> members) {
    List<Member> summing = new ArrayList<>();
    PlanNode checking = null;
    for (Member member : members) {
      if (member.onlyChecks()) {
        checking = new PlanNode(member.node, member.sources,
            checking == null ? Collections.emptyList() : Collections.singletonList(checking));
      } else {
        summing.add(member);
      }
    }
    return build(0, destination, Collections.emptyList(), summing, checking);
  }

  private PlanNode build(int number, NodeRef node, List<Source> sources, List<Member> summing,
      PlanNode checking) {
    List<PlanNode> children = new ArrayList<>();
    int lowestBit = number == 0 ? Integer.highestOneBit(Integer.MAX_VALUE)
        : Integer.lowestOneBit(number);
    for (int bit = 1; bit < lowestBit && number + bit <= summing.size(); bit <<= 1) {
      Member member = summing.get(number + bit - 1);
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
