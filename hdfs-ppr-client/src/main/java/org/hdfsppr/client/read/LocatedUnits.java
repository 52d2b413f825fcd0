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
package org.hdfsppr.client.read;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.plan.BlockLayout;
import org.hdfsppr.plan.GroupId;

/**
 * Blocks that satisfy the equations of a code, as the NameNode described the blocks to a client:
 * the units of a block group, or a column of a CORE group. Immutable.
 */
@InterfaceAudience.Private
public interface LocatedUnits {
  /** @return the blocks and their lengths, in the order of the code */
  BlockLayout layout();

  /**
   * @param unit index in the code
   * @return the block with its DataNodes and its token; null if the NameNode knows no DataNode
   */
  LocatedBlock unit(int unit);

  /** @return the block group; for a column, the group that stands for it in logs */
  default GroupId id() {
    return layout().id();
  }

  default int units() {
    return layout().dataUnits() + layout().parityUnits();
  }

  /**
   * @param unit index in the code
   * @return length of the block, bytes
   */
  default long unitBytes(int unit) {
    return layout().length(unit);
  }

  /**
   * @param unit index in the code
   * @return the DataNode that holds the block; null if the NameNode knows none
   */
  default DatanodeInfo holder(int unit) {
    LocatedBlock block = unit(unit);
    return block == null ? null : block.getLocations()[0];
  }
}
