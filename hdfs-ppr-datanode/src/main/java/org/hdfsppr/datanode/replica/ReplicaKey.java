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
package org.hdfsppr.datanode.replica;

import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * Identifies a finalised replica and its bytes. A replica with another generation stamp or length
 * is another replica. Immutable.
 */
final class ReplicaKey {
  final String poolId;
  final long blockId;
  private final long generationStamp;
  /** The length of the whole replica, bytes. */
  final long length;

  /**
   * @param block the block, with the generation stamp of the replica
   * @param length the length of the replica, bytes
   */
  ReplicaKey(ExtendedBlock block, long length) {
    this.poolId = block.getBlockPoolId();
    this.blockId = block.getBlockId();
    this.generationStamp = block.getGenerationStamp();
    this.length = length;
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof ReplicaKey)) {
      return false;
    }
    ReplicaKey other = (ReplicaKey) o;
    return blockId == other.blockId && generationStamp == other.generationStamp
        && length == other.length && poolId.equals(other.poolId);
  }

  @Override
  public int hashCode() {
    return Objects.hash(poolId, blockId, generationStamp, length);
  }
}
