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
package org.hdfsppr.namenode.queue;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.GroupPolicy;

/**
 * Decides which groups are taken from stock's scheduling. Groups that are not claimed stay with
 * stock.
 *
 * <p>The queue calls {@link #losses} and {@link #leaving} while it holds the NameNode's lock, so
 * these two methods must answer at once, from memory. The queue remembers the answers until {@link
 * ReconstructionQueue#claimsChanged}.
 */
@InterfaceAudience.Private
public interface SchedulingClaims {
  /**
   * @param policy codec, units and cell size of a group
   * @return whether the repair manager repairs groups of {@code policy} that have really lost units
   */
  boolean losses(GroupPolicy policy);

  /**
   * Returns whether the repair manager also rebuilds the units that nodes under decommission still
   * hold. If not, stock copies these units, and keeps the groups that lack no other unit. If this
   * method returns true for a policy, {@link #losses} must return true for that policy, too.
   *
   * @param policy codec, units and cell size of a group
   * @return whether the repair manager rebuilds these units
   */
  default boolean leaving(GroupPolicy policy) {
    return false;
  }

  /**
   * Returns how many more units may be lost without loss of data, no matter which units. The number
   * is negative exactly if data are lost already, so that no repair is possible. The queue calls
   * this method without a lock. The default is right for MDS codes.
   *
   * @param policy codec, units and cell size of a group
   * @param unreadable the units that have bytes and no readable replica now, ascending
   * @return how many more units may be lost without loss of data
   */
  default int spareUnits(GroupPolicy policy, List<Integer> unreadable) {
    return policy.parityUnits - unreadable.size();
  }
}
