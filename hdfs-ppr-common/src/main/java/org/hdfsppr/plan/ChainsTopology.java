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
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Several chains of about the same length side by side. The destination receives one sum from each
 * chain. Each sum passes fewer nodes than in a single long chain. This shortens a read of few
 * bytes, whose time is mostly the latency of each node on the way:
 *
 * <pre>
 *        0              two chains of three helpers
 *      /   \
 *     1     4
 *     2     5
 *     3     6
 * </pre>
 *
 * <p>Helpers that serve only the check stand at the end of the last chain that is farthest from the
 * destination.
 */
@InterfaceAudience.Private
public final class ChainsTopology implements TreeTopology {
  private final IntUnaryOperator chains;

  /**
   * @param chains gives the number of chains, at least 1, for the number of helpers that send sums
   *     (helpers that only check do not count)
   */
  public ChainsTopology(IntUnaryOperator chains) {
    this.chains = chains;
  }

  /** Returns a name for logs. An operator cannot configure this topology. */
  @Override
  public String name() {
    return "chains";
  }

  @Override
  public PlanNode arrange(NodeRef destination, List<TreeHelper> members) {
    List<TreeHelper> summing = new ArrayList<>();
    List<TreeHelper> checking = new ArrayList<>();
    members.forEach(member -> (member.onlyChecks() ? checking : summing).add(member));
    int most = Math.max(1, Math.min(summing.size(), chains.applyAsInt(summing.size())));
    List<List<TreeHelper>> orders = new ArrayList<>();
    for (int chain = 0; chain < most; chain++) {
      orders.add(new ArrayList<>());
    }
    for (int i = 0; i < summing.size(); i++) {
      // Each chain gets consecutive helpers. With any number of chains, most helpers then have the
      // same neighbours, and can reuse the connections that they keep open.
      orders.get(i * most / summing.size()).add(summing.get(i));
    }
    orders.get(most - 1).addAll(checking);
    List<PlanNode> children = new ArrayList<>();
    for (List<TreeHelper> order : orders) {
      List<PlanNode> below = Collections.emptyList();
      for (int i = order.size() - 1; i >= 0; i--) {
        TreeHelper member = order.get(i);
        below = Collections.singletonList(new PlanNode(member.node, member.sources, below));
      }
      children.addAll(below);
    }
    return new PlanNode(destination, Collections.emptyList(), children);
  }
}
