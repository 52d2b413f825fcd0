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
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.InnerTarget;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.InnerTargetProto;

/**
 * Converts between {@link InnerTarget}s and their messages, and checks the messages that this node
 * receives.
 */
@InterfaceAudience.Private
final class InnerTargetCodec {
  private InnerTargetCodec() {
  }

  /** @param poolId the block pool of the request */
  static InnerTargetProto toProto(InnerTarget target, WriteGrant grant, String poolId) {
    InnerTargetProto.Builder builder = InnerTargetProto.newBuilder()
        .setIndex(target.index())
        .setUnit(target.unit())
        .setBlock(BlockCodec.toProtoWithLength(target.block(), poolId))
        .setToken(TokenCodec.toProto(grant.token()))
        .setStorageType(grant.storageType().name());
    if (target.weights().length > 0) {
      builder.setCheckWeights(ByteString.copyFrom(target.weights()));
    }
    if (target.tailWeights().length > 0) {
      builder.setTailCheckWeights(ByteString.copyFrom(target.tailWeights()));
    }
    if (!grant.storageId().isEmpty()) {
      builder.setStorageId(grant.storageId());
    }
    return builder.build();
  }

  /**
   * Reads an inner target. This method does not check whether the index fits into the tree; {@link
   * org.hdfsppr.plan.LinkRows#check} does.
   *
   * @param poolId the block pool of the request
   * @param checkRows check rows of the request, 0 or 1
   * @throws IllegalArgumentException naming the field that is wrong
   */
  static InnerTarget convert(InnerTargetProto proto, String poolId, SliceGeometry geometry,
      int checkRows) {
    byte[] weights = weights("check weights", proto.getCheckWeights(),
        checkRows * geometry.subChunks());
    byte[] tailWeights = weights("check weights of a tail", proto.getTailCheckWeights(),
        geometry.hasTail() ? checkRows : 0);
    BlockRef block = BlockCodec.convertWithLength(proto.getBlock(), poolId);
    Door.within("length of an inner target's block", block.length(), 1, geometry.streamBytes());
    return new InnerTarget(
        Door.within("index", proto.getIndex(), 0, RequestBounds.UNITS_MAX - 1),
        Door.within("unit", proto.getUnit(), 0, RequestBounds.LISTED_UNITS_MAX - 1), block,
        weights, tailWeights);
  }

  private static byte[] weights(String name, ByteString bytes, int wanted) {
    if (bytes.size() != wanted) {
      throw new IllegalArgumentException(bytes.size() + " " + name + ", not " + wanted);
    }
    return bytes.toByteArray();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static WriteGrant grant(InnerTargetProto proto) {
    // For an unknown storage type, valueOf throws an IllegalArgumentException.
    return new WriteGrant(TokenCodec.convert(proto.getToken()),
        StorageType.valueOf(Door.name("storage_type", proto.getStorageType())),
        Door.text("storage_id", proto.getStorageId()));
  }
}
