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
package org.hdfsppr.plan;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Names a block group. Internal block {@code i} has block id {@code groupId + i}, and the
 * generation stamp of the group.
 */
@InterfaceAudience.Private
public final class GroupId {
  /** Id of the block pool */
  public final String poolId;
  /** Block id of the group; negative, as all block ids of striped groups in HDFS */
  public final long groupId;
  /** Generation stamp of the group and of its internal blocks */
  public final long generationStamp;

  /**
   * @param poolId block pool
   * @param groupId block id of the group, which is also the block id of its first internal block
   * @param generationStamp generation stamp of the group and of all its internal blocks
   */
  public GroupId(String poolId, long groupId, long generationStamp) {
    this.poolId = Objects.requireNonNull(poolId, "poolId");
    this.groupId = groupId;
    this.generationStamp = generationStamp;
  }

  /**
   * @param unit index of the unit
   * @return block id of the unit's internal block
   */
  public long blockId(int unit) {
    return groupId + unit;
  }

  /**
   * @param unit index of the unit
   * @param length length of the unit, bytes
   * @return the unit's internal block
   */
  public BlockRef block(int unit, long length) {
    return new BlockRef(poolId, blockId(unit), generationStamp, length);
  }

  /**
   * @param source a source of a plan
   * @return whether the source's block is the internal block of its unit in this group
   */
  public boolean names(RepairSource source) {
    BlockRef block = source.block;
    return block.blockId == blockId(source.unit) && block.generationStamp == generationStamp
        && block.poolId.equals(poolId);
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof GroupId)) {
      return false;
    }
    GroupId other = (GroupId) o;
    return groupId == other.groupId && generationStamp == other.generationStamp
        && poolId.equals(other.poolId);
  }

  @Override
  public int hashCode() {
    return Objects.hash(poolId, groupId, generationStamp);
  }

  @Override
  public String toString() {
    return poolId + ":blk_" + groupId + "_" + generationStamp;
  }
}
