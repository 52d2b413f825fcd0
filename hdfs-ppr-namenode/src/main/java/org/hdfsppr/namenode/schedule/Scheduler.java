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
 * Decides which nodes repair a group. It does not change the fleet. The {@link Dispatcher} judges
 * whether there is room for the repair now.
 */
@InterfaceAudience.Private
public interface Scheduler {
  /** @return name in the configuration, lower case */
  String name();

  /** @return the ranking of destinations that its fleet must use */
  DestinationRank rank();

  /**
   * Plans one repair.
   *
   * @param fleet as it is now, made with this scheduler's {@link #rank}
   * @param group what is lost
   * @param filter which nodes may be destinations, beyond what fleet and group say
   * @return the plan, or why there is none
   */
  Proposal plan(Fleet fleet, LostGroup group, DestinationFilter filter);

  /**
   * How often plans of one batch are worth making again, each beside all others. Schedulers that
   * follow a publication to the letter never plan again.
   *
   * @return how often
   */
  default int looksAgain() {
    return 0;
  }

  /**
   * Plans a repair anew that is not ordered yet.
   *
   * @param fleet with all loads but this one's
   * @param first the plan so far
   * @param filter which nodes may be destinations, beyond what fleet and group say
   * @param look from 0 to less than {@link #looksAgain}
   * @return a better one, or {@code first}
   */
  default Proposal again(Fleet fleet, Proposal first, DestinationFilter filter, int look) {
    return first;
  }
}
