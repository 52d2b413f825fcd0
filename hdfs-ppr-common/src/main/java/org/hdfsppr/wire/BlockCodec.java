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
package org.hdfsppr.wire;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.BlockProto;

/**
 * Converts between {@link BlockRef}s and the blocks of messages, and checks the blocks of messages
 * that this node receives.
 */
@InterfaceAudience.Private
public final class BlockCodec {
  private BlockCodec() {
  }

  /**
   * Encodes a block whose length is in another field.
   *
   * @param poolId the block pool of the message that contains the block
   */
  static BlockProto toProto(BlockRef block, String poolId) {
    BlockProto.Builder builder = BlockProto.newBuilder()
        .setBlockId(block.blockId)
        .setGenerationStamp(block.generationStamp);
    if (!block.poolId.equals(poolId)) {
      builder.setBlockPoolId(block.poolId);
    }
    return builder.build();
  }

  /**
   * Encodes a block with its length.
   *
   * @param block the block
   * @param poolId the block pool of the message that contains the block; a block of this pool omits
   *     its pool
   * @return the message
   */
  public static BlockProto toProtoWithLength(BlockRef block, String poolId) {
    return toProto(block, poolId).toBuilder().setLength(block.length).build();
  }

  /**
   * Reads a block whose length is in another field.
   *
   * @throws IllegalArgumentException naming the field that is wrong
   */
  static BlockRef convert(BlockProto proto, String poolId, long length) {
    if (proto.hasLength()) {
      throw new IllegalArgumentException("the block says its length, " + proto.getLength()
          + ", which another field says");
    }
    return block(proto, poolId, Door.within("length of a block", length, 1,
        SliceGeometry.STREAM_BYTES_MAX));
  }

  /**
   * Reads a block with its length. The length may be 0; such a block has no replica.
   *
   * @param proto the message
   * @param poolId the block pool of the message that contains the block
   * @return the block
   * @throws IllegalArgumentException naming the field that is wrong
   */
  public static BlockRef convertWithLength(BlockProto proto, String poolId) {
    if (!proto.hasLength()) {
      throw new IllegalArgumentException("block " + proto.getBlockId() + " says no length");
    }
    return block(proto, poolId, Door.within("length of a block", proto.getLength(), 0,
        SliceGeometry.STREAM_BYTES_MAX));
  }

  private static BlockRef block(BlockProto proto, String poolId, long length) {
    if (proto.getBlockId() == 0) {
      throw new IllegalArgumentException("block_id is 0, which no block has");
    }
    return new BlockRef(
        proto.hasBlockPoolId() ? Door.name("block_pool_id", proto.getBlockPoolId()) : poolId,
        proto.getBlockId(),
        Door.within("generation_stamp", proto.getGenerationStamp(), 0, Long.MAX_VALUE), length);
  }
}
