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
package org.hdfsppr.namenode.manage.launch;

import org.apache.hadoop.classification.InterfaceAudience;

/** The reasons why a live DataNode is not accepted as the destination of a group's repair. */
@InterfaceAudience.Private
public enum DestinationObstacle {
  /** The node holds a unit of the group, or is to get one. */
  HOLDS_UNIT("hold a unit of the group"),
  /**
   * The node sends no heartbeats to the repair manager: it does not run the plugin, or cannot reach
   * the repair manager's port.
   */
  NO_AGENT("do not take part in repairs"),
  /** The node is not in service, or has not reported its blocks yet. */
  NO_NEW_BLOCKS("leave the cluster, or have not reported their blocks yet"),
  /** The node is kept out of repairs because repairs with it failed. */
  QUARANTINED("are kept out of repairs because repairs with them failed"),
  /** The node is kept out of repairs because it seems to calculate wrongly. */
  DISTRUSTED("are kept out of repairs because they seem to calculate wrongly"),
  /** The node has no storage that the file may be on, or none with enough free space. */
  NO_STORAGE("have no storage with room of a type that the file may be on"),
  /** The node's version does not check all bytes of a group whose units contradict each other. */
  TOO_OLD("run a version that does not check all bytes of a group in doubt"),
  /** Stock places no block on the node at present, because it is slow or busy. */
  AVOIDED("are avoided by the NameNode, because they are slow or busy"),
  /** Only this node has found that the group's units contradict each other. */
  FINDER("found the contradiction between the units, and cannot decide it alone"),
  /** The node has a block of the column of CORE in which the lost unit is. */
  ON_COLUMN("hold a block with the same index of another file in the CORE group"),
  /** An earlier repair of this group failed with the node. */
  FAILED_BEFORE("failed in an earlier repair of the group");

  /** What is true of several such nodes, in words that follow their number */
  public final String words;

  DestinationObstacle(String words) {
    this.words = words;
  }
}
