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
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * Names a block of HDFS: an internal block of a block group, or any other block. Two references are
 * equal if pool, id, generation stamp and length are equal.
 */
@InterfaceAudience.Private
public final class BlockRef {
  /** Id of the block pool */
  public final String poolId;
  /** Id of the block; HDFS gives internal blocks negative ids */
  public final long blockId;
  /** Generation stamp of the block */
  public final long generationStamp;
  /**
   * Length of the block, bytes; a block of 0 bytes has no replica, and counts as zeros in the code
   */
  public final long length;

  /**
   * @param poolId block pool
   * @param blockId block id
   * @param generationStamp generation stamp
   * @param length bytes, at least 0; a block of 0 bytes has no replica, and counts as zeros in the
   *     code
   * @throws IllegalArgumentException if the length is negative
   */
  public BlockRef(String poolId, long blockId, long generationStamp, long length) {
    if (length < 0) {
      throw new IllegalArgumentException("Block " + blockId + " of " + poolId + " has " + length
          + " bytes; a block has at least 0");
    }
    this.poolId = Objects.requireNonNull(poolId, "poolId");
    this.blockId = blockId;
    this.generationStamp = generationStamp;
    this.length = length;
  }

  /**
   * Converts the reference for calls of Hadoop's classes.
   *
   * @return a new object with each call, because Hadoop's blocks can be changed
   */
  public ExtendedBlock toExtendedBlock() {
    return new ExtendedBlock(poolId, blockId, length, generationStamp);
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof BlockRef)) {
      return false;
    }
    BlockRef other = (BlockRef) o;
    return blockId == other.blockId && generationStamp == other.generationStamp
        && length == other.length && poolId.equals(other.poolId);
  }

  @Override
  public int hashCode() {
    return Objects.hash(poolId, blockId, generationStamp, length);
  }

  @Override
  public String toString() {
    return poolId + ":blk_" + blockId + "_" + generationStamp;
  }
}
