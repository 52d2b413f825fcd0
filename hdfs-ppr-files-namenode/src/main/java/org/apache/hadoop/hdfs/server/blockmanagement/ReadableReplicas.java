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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Finds the nodes from which a unit of a block group can be read, by the same rules as for repairs.
 */
@InterfaceAudience.Private
public final class ReadableReplicas {
  private ReadableReplicas() {
  }

  /**
   * Returns the nodes that have a readable replica of a unit. A replica is readable if it is not
   * known to be corrupt, is not about to be deleted, and is on a storage and a node from which it
   * can be read. The caller holds the namesystem's lock, at least for reading.
   *
   * @param bm the NameNode's BlockManager
   * @param groupId the block group's id
   * @param unit index of the unit
   * @return the UUIDs of the nodes; empty if there is none, or no such block group
   */
  public static Set<String> nodes(BlockManager bm, long groupId, int unit) {
    Set<String> uuids = new HashSet<>();
    GroupInspection look = GroupInspection.ofStored(bm, groupId);
    for (int i = 0; look != null && i < look.readableCount(); i++) {
      if (look.readableUnit(i) == unit && !look.isSecondChoice(i)) {
        uuids.add(look.readableNode(i).getDatanodeUuid());
      }
    }
    return uuids;
  }
}
