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
 * Which groups are taken from stock's scheduling. Groups that are not claimed stay with stock.
 *
 * <p>The books ask all of this while they hold the NameNode's lock: answer at once, from memory.
 * They remember the answers until {@link ReconstructionQueue#claimsChanged}.
 */
@InterfaceAudience.Private
public interface Claims {
  /**
   * @param policy codec, units and cell size of a group
   * @return whether groups of {@code policy} that have really lost units are repaired here
   */
  boolean losses(GroupPolicy policy);

  /**
   * Whether the units on nodes that are being decommissioned are rebuilt here, too. Otherwise stock
   * copies them, and keeps groups that lack nothing else. If these are claimed, losses are claimed,
   * too.
   *
   * @param policy codec, units and cell size of a group
   * @return whether they are rebuilt here
   */
  default boolean leaving(GroupPolicy policy) {
    return false;
  }

  /**
   * How many more units may be lost, whichever they are, without loss of data. The number is
   * negative exactly if data are lost already, so that no repair is possible. The books ask this
   * without a lock. The default is right for MDS codes.
   *
   * @param policy codec, units and cell size of a group
   * @param unreadable the units that have bytes and no readable replica now, ascending
   * @return how many more units may be lost without loss of data
   */
  default int spareUnits(GroupPolicy policy, List<Integer> unreadable) {
    return policy.parityUnits() - unreadable.size();
  }
}
