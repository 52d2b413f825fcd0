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
import org.hdfsppr.namenode.model.LostGroup;

/**
 * Decides which nodes repair a group. It does not change the fleet. The {@link RepairDispatcher}
 * judges whether there is room for the repair now.
 */
@InterfaceAudience.Private
public interface RepairScheduler {
  /** @return the name of the scheduler in the configuration, lower case */
  String name();

  /** @return the ranking of destinations that the scheduler's fleet must use */
  DestinationRank rank();

  /**
   * @return the shape of trees whose nodes all read whole blocks, a name of {@link
   *     org.hdfsppr.plan.TreeTopologies}
   */
  default String topology() {
    return "chain";
  }

  /**
   * Plans one repair.
   *
   * @param fleet the present load of the nodes, made with this scheduler's {@link #rank}
   * @param group the group with its lost units
   * @param filter decides, in addition to fleet and group, which nodes may be destinations
   * @return the plan, or why there is none
   */
  RepairProposal plan(Fleet fleet, LostGroup group, DestinationFilter filter);

  /**
   * Returns in how many rounds the plans of one batch are made again. In these rounds, each plan
   * takes the loads of all other plans into account. Schedulers that implement an algorithm exactly
   * as published return 0.
   *
   * @return the number of rounds in which each plan is made again
   */
  default int looksAgain() {
    return 0;
  }

  /**
   * Plans again a repair that has not been ordered yet.
   *
   * @param fleet the present load of the nodes, without the load of this repair
   * @param first the plan so far
   * @param filter decides, in addition to fleet and group, which nodes may be destinations
   * @param look number of the round, from 0 to less than {@link #looksAgain}
   * @return a better plan, or {@code first}
   */
  default RepairProposal again(Fleet fleet, RepairProposal first, DestinationFilter filter,
      int look) {
    return first;
  }
}
