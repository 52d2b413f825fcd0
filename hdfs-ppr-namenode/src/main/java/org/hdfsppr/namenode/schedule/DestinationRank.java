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
 * How a scheduler ranks nodes as destinations, the lowest key first. The key depends only on what
 * the fleet knows of the node, because the fleet keeps the ranking up to date.
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
   * The key of a rack whose links to the others are limited, if it is more than its nodes'.
   *
   * @param secondsPerByte time that a byte into the rack takes, s
   * @param pending bytes that are to come into it
   * @return the rack's key
   */
  default double rackKey(double secondsPerByte, long pending) {
    return Double.NEGATIVE_INFINITY;
  }
}
