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
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The shape of a repair tree. Addition is associative, so that with the same helpers every shape
 * gives the same sums. The shapes differ in the number of bytes on each link. Stateless.
 */
@InterfaceAudience.Private
public interface TreeTopology {
  /** @return the name in the configuration, lower case */
  String name();

  /**
   * Puts candidates in the order in which the planner should choose them as helpers. The default
   * keeps the NameNode's order.
   *
   * @param destination the node that receives the sums
   * @param candidates holders of live units, in the NameNode's order
   * @return the same holders, preferred ones first
   */
  default List<UnitHolder> prefer(NodeRef destination, List<UnitHolder> candidates) {
    return new ArrayList<>(candidates);
  }

  /**
   * Builds the tree.
   *
   * @param destination the root of the tree; it reads no source itself
   * @param members the helpers; helpers that serve only the check come last
   * @return the root
   */
  PlanNode arrange(NodeRef destination, List<TreeHelper> members);

  /**
   * Returns the topology to use instead of this one if some nodes do not know {@link NarrowLinks},
   * so that some links have to carry all lost rows.
   *
   * @return this topology, unless it is useful only with narrow links
   */
  default TreeTopology overWideLinks() {
    return this;
  }

  /**
   * Says by which bytes the planner compares plans with this topology, see {@link Price}.
   *
   * @return true for the bytes on all links together, false for the bytes of the busiest node
   */
  default boolean movesLeast() {
    return false;
  }
}
