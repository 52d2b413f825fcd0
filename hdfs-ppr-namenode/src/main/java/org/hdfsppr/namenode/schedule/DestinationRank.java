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

/**
 * Ranks nodes as destinations: the node with the lowest key comes first. The key must depend only
 * on what the fleet knows of the node, because the fleet calculates the key again when that
 * changes.
 */
@InterfaceAudience.Private
@FunctionalInterface
public interface DestinationRank {
  /**
   * @param node a candidate
   * @return the node's key; the lowest one is the best destination
   */
  double key(NodeState node);

  /**
   * Returns the key of a rack whose links to the other racks are limited. A node in that rack ranks
   * as if its own key were at least this key.
   *
   * @param secondsPerByte time that one byte takes from another rack into this rack, s
   * @param pending bytes that repairs in flight still have to send into this rack
   * @return the rack's key
   */
  default double rackKey(double secondsPerByte, long pending) {
    return Double.NEGATIVE_INFINITY;
  }
}
