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
package org.hdfsppr.namenode.scrub;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;

/** The way to the DataNodes' plugins. */
@InterfaceAudience.Private
public interface ScrubDataNodes {
  /**
   * @param uuid the DataNode's UUID
   * @return whether the node's plugin takes part, supports checks, and is not suspected to
   *     calculate wrongly
   */
  boolean canLead(String uuid);

  /**
   * Orders a check. The DataNode gets the order with its next heartbeat.
   *
   * @param leader the node that is to lead the check; it has a unit of the group
   * @param checkId id of the check, which its report names
   * @param term the term of the repair manager
   * @param group the group
   * @param bytesPerSecond how many bytes of each unit the check may read, bytes/s
   * @param deadlineMs how long the check may take from the arrival of the order, ms
   * @return false if too many orders wait for that node
   */
  boolean order(NodeRef leader, String checkId, long term, ScrubTarget group, long bytesPerSecond,
      long deadlineMs);

  /**
   * Asks a node to end a check. The node's report then says that the group was not checked.
   *
   * @param leader the node that leads the check
   * @param checkId id of the check
   * @param term the term of the order
   */
  void cancel(NodeRef leader, String checkId, long term);
}
