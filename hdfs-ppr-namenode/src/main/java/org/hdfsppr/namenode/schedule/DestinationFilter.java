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
package org.hdfsppr.namenode.schedule;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.NodeRef;

/**
 * Decides whether a node may store a rebuilt unit of a group, by facts that only the NameNode
 * knows: storage types and free space. Each plan asks about few nodes, and begins with those that
 * it prefers. This filter need not refuse a node that can store no block at all, because the node's
 * report should say so, see {@link NodeReport}.
 */
@InterfaceAudience.Private
@FunctionalInterface
public interface DestinationFilter {
  /** The filter that accepts each node. */
  DestinationFilter ANY = (group, node) -> true;

  /**
   * @param group the group, as the NameNode describes it
   * @param node a candidate for the destination
   * @return whether the node may get a unit of the group
   */
  boolean accepts(LostGroup group, NodeRef node);

  /**
   * Says whether a node may get one certain unit. Asked only about nodes that {@link #accepts} has
   * accepted for the group.
   *
   * @param group the group, as the NameNode describes it
   * @param unit a lost unit of the group
   * @param node a candidate for the unit's destination
   * @return whether the node may get this unit
   */
  default boolean acceptsUnit(LostGroup group, int unit, NodeRef node) {
    return true;
  }

  /**
   * Says whether a unit may go to a node that {@link #acceptsUnit} refuses, if no other node is
   * left for the unit.
   *
   * @param group the group, as the NameNode describes it
   * @return whether a repair with such a destination is better than no repair
   */
  default boolean yields(LostGroup group) {
    return false;
  }

  /**
   * Takes note of a repair that is about to begin, because it may change the answers for repairs
   * that are planned after it.
   *
   * @param repair the first plan of the repair; a later round may replace it
   */
  default void planned(Assignment repair) {
    // The answers of most filters do not depend on other repairs.
  }
}
