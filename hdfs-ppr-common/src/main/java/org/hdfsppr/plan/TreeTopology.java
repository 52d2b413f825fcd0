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
 * The shape of a repair tree. Addition is associative, so that every shape over the same helpers
 * gives the same bytes. The shapes differ in the number of bytes on each link. Stateless.
 */
@InterfaceAudience.Private
public interface TreeTopology {
  /** @return the name in the configuration, lower case */
  String name();

  /**
   * Puts candidates in the order in which they should become helpers: that of the NameNode, if the
   * shape of the tree does not depend on the nodes.
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
   * Returns the topology for a tree in which some links have to carry all lost rows, see {@link
   * NarrowLinks}.
   *
   * @return this topology; another one if this one needs narrow links to be of use
   */
  default TreeTopology overWideLinks() {
    return this;
  }

  /**
   * Returns the criterion for links by which plans are compared, see {@link Price}.
   *
   * @return true for the bytes on all links together, false for those of the busiest node
   */
  default boolean movesLeast() {
    return false;
  }
}
