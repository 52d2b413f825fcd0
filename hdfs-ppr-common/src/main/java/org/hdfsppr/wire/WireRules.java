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
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.BlockProto;
import org.hdfsppr.wire.proto.PprProtos.NodeProto;
import org.hdfsppr.wire.proto.PprProtos.TokenProto;

/**
 * Checks the fields of messages that this node receives. It also converts the parts that several
 * kinds of messages have in common.
 */
@InterfaceAudience.Private
public final class WireRules {
  private static final int TEXT_MAX = 1024;

  private WireRules() {
  }

  /**
   * Encodes a node.
   *
   * @param node the node
   * @return the message
   */
  public static NodeProto toProto(NodeRef node) {
    return NodeProto.newBuilder()
        .setUuid(node.uuid)
        .setIpAddr(node.ipAddr)
        .setHostName(node.hostName)
        .setXferPort(node.xferPort)
        .setRepairPort(node.repairPort)
        .setRack(node.rack)
        .build();
  }

  /**
   * Reads a node.
   *
   * @param proto the message
   * @return the node
   * @throws IllegalArgumentException naming the field that is wrong
   */
  public static NodeRef node(NodeProto proto) {
    return new NodeRef(text("uuid", proto.getUuid()), text("ip_addr", proto.getIpAddr()),
        text("host_name", proto.getHostName()), proto.getXferPort(), proto.getRepairPort(),
        text("rack", proto.getRack()));
  }

  /**
   * Encodes a block whose length is in another field of the message.
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
   * Reads a block whose length is in another field of the message.
   *
   * @throws IllegalArgumentException naming the field that is wrong
   */
  static BlockRef block(BlockProto proto, String poolId, long length) {
    if (proto.hasLength()) {
      throw new IllegalArgumentException("the block says its length, " + proto.getLength()
          + ", which another field says");
    }
    return checked(proto, poolId, within("length of a block", length, 1,
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
  public static BlockRef blockWithLength(BlockProto proto, String poolId) {
    if (!proto.hasLength()) {
      throw new IllegalArgumentException("block " + proto.getBlockId() + " says no length");
    }
    return checked(proto, poolId, within("length of a block", proto.getLength(), 0,
        SliceGeometry.STREAM_BYTES_MAX));
  }

  private static BlockRef checked(BlockProto proto, String poolId, long length) {
    if (proto.getBlockId() == 0) {
      throw new IllegalArgumentException("block_id is 0, which no block has");
    }
    return new BlockRef(
        proto.hasBlockPoolId() ? name("block_pool_id", proto.getBlockPoolId()) : poolId,
        proto.getBlockId(),
        within("generation_stamp", proto.getGenerationStamp(), 0, Long.MAX_VALUE), length);
  }

  /**
   * Encodes a token.
   *
   * @param token the token
   * @return the message
   */
  public static TokenProto toProto(Token<BlockTokenIdentifier> token) {
    return TokenProto.newBuilder()
        .setIdentifier(ByteString.copyFrom(token.getIdentifier()))
        .setPassword(ByteString.copyFrom(token.getPassword()))
        .setKind(token.getKind().toString())
        .setService(token.getService().toString())
        .build();
  }

  /**
   * Reads a token.
   *
   * @param proto the message
   * @return the token
   * @throws IllegalArgumentException naming the field that is wrong
   */
  public static Token<BlockTokenIdentifier> token(TokenProto proto) {
    return new Token<>(proto.getIdentifier().toByteArray(), proto.getPassword().toByteArray(),
        new Text(text("kind", proto.getKind())),
        new Text(text("service", proto.getService())));
  }

  /**
   * Checks a text that may go into a log.
   *
   * @param name name of the field, for errors
   * @param value the text
   * @return the same text
   * @throws IllegalArgumentException if the text is too long, or has a control character
   */
  public static String text(String name, String value) {
    if (value.length() > TEXT_MAX) {
      throw new IllegalArgumentException(name + " has " + value.length() + " characters, at most "
          + TEXT_MAX + " are allowed");
    }
    for (int i = 0; i < value.length(); i++) {
      // The text reaches log files, where a line break in it would forge a line.
      if (Character.isISOControl(value.charAt(i))) {
        throw new IllegalArgumentException(name + " has a control character at " + i);
      }
    }
    return value;
  }

  /**
   * Like {@link #text}, but for a text that must not be empty.
   *
   * @param name name of the field, for errors
   * @param value the text
   * @return the same text
   * @throws IllegalArgumentException if the text is empty, too long, or has a control character
   */
  public static String name(String name, String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException(name + " is empty");
    }
    return text(name, value);
  }

  /**
   * Checks that a number lies within bounds.
   *
   * @param name name of the field, for errors
   * @param value the number
   * @param least the smallest allowed value
   * @param most the largest allowed value
   * @return the same number
   * @throws IllegalArgumentException naming the field, its value and the bounds
   */
  public static int within(String name, int value, int least, int most) {
    return (int) within(name, (long) value, least, most);
  }

  /**
   * Like {@link #within(String, int, int, int)}, but for long numbers.
   *
   * @param name name of the field, for errors
   * @param value the number
   * @param least the smallest allowed value
   * @param most the largest allowed value
   * @return the same number
   * @throws IllegalArgumentException naming the field, its value and the bounds
   */
  public static long within(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(name + " " + value + " is out of range (" + least + " to "
          + most + ")");
    }
    return value;
  }
}
