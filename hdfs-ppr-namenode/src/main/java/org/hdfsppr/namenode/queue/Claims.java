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
 * Which groups are taken from stock's scheduling. What is not claimed stays stock's.
 *
 * <p>All of this is asked while the NameNode's lock is held: answer at once, from memory. The
 * answers are remembered until {@link ReconstructionQueue#claimsChanged}.
 */
@InterfaceAudience.Private
public interface Claims {
  /**
   * @param policy codec, units and cell size of a group
   * @return whether groups of {@code policy} that have really lost units are ours
   */
  boolean losses(GroupPolicy policy);

  /**
   * Whether the units on nodes that are being decommissioned are ours to rebuild elsewhere, too.
   * Otherwise stock copies them, and a group that lacks nothing else is stock's. Whoever claims
   * them claims the losses, too.
   *
   * @param policy codec, units and cell size of a group
   * @return whether they are rebuilt here
   */
  default boolean leaving(GroupPolicy policy) {
    return false;
  }

  /**
   * How many more units may be lost without loss of data, whichever these are; negative exactly if
   * some is lost already, and then nobody can repair the group. Asked without a lock. As it is here
   * it is right for MDS codes.
   *
   * @param policy the group's
   * @param unreadable the units that have bytes and that nobody can read now, ascending
   * @return how many more units may be lost without loss of data
   */
  default int spareUnits(GroupPolicy policy, List<Integer> unreadable) {
    return policy.parityUnits() - unreadable.size();
  }
}
