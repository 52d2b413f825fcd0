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
package org.hdfsppr.operate;

import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.operate.proto.ClientProtos.SpreadMoveProto;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * A block to move from one DataNode to another, so that no DataNode has two blocks of the block's
 * column. Immutable.
 */
@InterfaceAudience.Private
public final class SpreadMove {
  private static final int LOCATIONS = 2;

  private final LocatedBlock block;
  /** Id of the CORE group */
  public final long coreGroup;
  /**
   * The index in its file of the block group to which the block belongs; it is the same for all
   * blocks of a column
   */
  public final int index;
  /** The index of the block in its block group; it is the same for all blocks of a column */
  public final int unit;

  /**
   * @param block the block; its token lets the source send it and the target write it, and its
   *     locations are the source and the target
   * @param coreGroup the id of the CORE group
   * @param index the index in its file of the block group to which the block belongs; it is the
   *     same for all blocks of a column
   * @param unit the index of the block in its block group; it is the same for all blocks of a
   *     column
   * @throws IllegalArgumentException if the block does not have exactly two locations on different
   *     DataNodes
   */
  public SpreadMove(LocatedBlock block, long coreGroup, int index, int unit) {
    this.block = Objects.requireNonNull(block, "block");
    this.coreGroup = coreGroup;
    this.index = index;
    this.unit = unit;
    if (block.getLocations().length != LOCATIONS || block.getStorageTypes() == null
        || block.getStorageTypes().length != LOCATIONS
        || from().getDatanodeUuid().equals(to().getDatanodeUuid())) {
      throw new IllegalArgumentException(block + " says no move from a DataNode to another one");
    }
  }

  /**
   * Parses a message that this node has received.
   *
   * @throws MalformedRequestException whose message says what is wrong
   * @throws IOException if the bytes of the block cannot be parsed
   */
  static SpreadMove parse(SpreadMoveProto proto) throws IOException {
    try {
      return new SpreadMove(PBHelperClient.convertLocatedBlockProto(
          LocatedBlockProto.parseFrom(proto.getBlock().toByteArray())), proto.getCoreGroup(),
          proto.getIndex(), proto.getUnit());
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer is refused: " + e.getMessage(), e);
    }
  }

  SpreadMoveProto toProto() {
    return SpreadMoveProto.newBuilder()
        .setBlock(ByteString.copyFrom(PBHelperClient.convertLocatedBlock(block).toByteArray()))
        .setCoreGroup(coreGroup).setIndex(index).setUnit(unit).build();
  }

  /** @return the block */
  public ExtendedBlock block() {
    return block.getBlock();
  }

  /** @return the DataNode that has the block */
  public DatanodeInfo from() {
    return block.getLocations()[0];
  }

  /** @return the DataNode that gets the block */
  public DatanodeInfo to() {
    return block.getLocations()[1];
  }

  /** @return the storage type, which is the same on the source and on the target */
  public StorageType type() {
    return block.getStorageTypes()[1];
  }

  /** @return the token for both DataNodes */
  public Token<BlockTokenIdentifier> token() {
    return block.getBlockToken();
  }

  @Override
  public String toString() {
    return block() + " from " + from().getXferAddr() + " to " + to().getXferAddr();
  }
}
