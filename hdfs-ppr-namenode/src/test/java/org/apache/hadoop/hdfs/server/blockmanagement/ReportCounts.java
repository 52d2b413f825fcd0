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

import org.apache.hadoop.classification.InterfaceAudience;

/** What a NameNode knows of the whole block reports of its DataNodes. */
@InterfaceAudience.Private
public final class ReportCounts {
  private ReportCounts() {
  }

  /**
   * Has the NameNode expect a whole block report, as after a restart of the DataNode.
   *
   * @param bm the NameNode's BlockManager
   * @param uuid the DataNode's UUID
   */
  public static void forget(BlockManager bm, String uuid) {
    for (DatanodeStorageInfo storage :
        bm.getDatanodeManager().getDatanode(uuid).getStorageInfos()) {
      storage.setBlockReportCount(0);
    }
  }
}
