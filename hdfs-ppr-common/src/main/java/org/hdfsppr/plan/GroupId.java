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
 * Identity of a block group. Internal block {@code i} has block id {@code groupId + i}, and the
 * same generation stamp.
 */
@InterfaceAudience.Private
public final class GroupId {
  private final String poolId;
  private final long groupId;
  private final long generationStamp;

  public GroupId(String poolId, long groupId, long generationStamp) {
    this.poolId = Objects.requireNonNull(poolId, "poolId");
    this.groupId = groupId;
    this.generationStamp = generationStamp;
  }

  public String poolId() {
    return poolId;
  }

  public long groupId() {
    return groupId;
  }

  public long generationStamp() {
    return generationStamp;
  }

  /** Block id of the internal block of unit {@code unit}. */
  public long blockId(int unit) {
    return groupId + unit;
  }

  /**
   * The internal block of unit {@code unit}.
   *
   * @param length its length, bytes
   */
  public BlockRef block(int unit, long length) {
    return new BlockRef(poolId, blockId(unit), generationStamp, length);
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
