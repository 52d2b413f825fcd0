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

import java.util.Collections;
import java.util.List;

/**
 * A chain: one path through all helpers, along which slices are pipelined (Li et al., "Repair
 * Pipelining for Erasure-Coded Storage", USENIX ATC 2017, section 3). Every link carries the bytes
 * of one unit, so that a repair takes about as long as the transfer of one unit.
 *
 * <p>Helpers that serve only the check stand at the end that is farthest from the destination. They
 * send nothing for slices that are not checked.
 */
class ChainTopology implements TreeTopology {
  @Override
  public String name() {
    return "chain";
  }

  @Override
  public PlanNode arrange(NodeRef destination, List<TreeHelper> members) {
    List<TreeHelper> order = order(destination, members);
    List<PlanNode> below = Collections.emptyList();
    for (int i = order.size() - 1; i >= 0; i--) {
      TreeHelper member = order.get(i);
      below = Collections.singletonList(new PlanNode(member.node, member.sources, below));
    }
    return new PlanNode(destination, Collections.emptyList(), below);
  }

  /** Returns the helpers in the order of the chain. The first of them sends to the destination. */
  List<TreeHelper> order(NodeRef destination, List<TreeHelper> members) {
    return members;
  }
}
