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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.SentRows;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.Source;
import org.hdfsppr.wire.proto.PprProtos.SentRowsProto;
import org.hdfsppr.wire.proto.PprProtos.ShareProto;
import org.hdfsppr.wire.proto.PprProtos.SubtreeProto;

/**
 * Converts the tree of a request into a message and back. An object of this class reads one tree,
 * and checks every field of it, for {@link PartialSumRequest#parse(byte[])}.
 */
@InterfaceAudience.Private
final class TreeCodec {
  private final GroupId group;
  private final SliceGeometry geometry;
  private final int lostRows;
  private final int checkRows;
  private final Map<BlockRef, Token<BlockTokenIdentifier>> tokens;
  private final Set<NodeRef> nodes = new HashSet<>();
  private final Set<Integer> units = new HashSet<>();
  private final Set<String> blocks = new HashSet<>();
  private boolean namesBlocks;

  /** @param tokens receives the token for each block of the tree */
  TreeCodec(GroupId group, SliceGeometry geometry, int lostRows, int checkRows,
      Map<BlockRef, Token<BlockTokenIdentifier>> tokens) {
    this.group = group;
    this.geometry = geometry;
    this.lostRows = lostRows;
    this.checkRows = checkRows;
    this.tokens = tokens;
  }

  /**
   * Encodes a node of a request about a group, with the nodes below it.
   *
   * @param tokens a token for each block of the tree
   */
  static SubtreeProto toProto(PlanNode node, GroupId group,
      Map<BlockRef, Token<BlockTokenIdentifier>> tokens) {
    SubtreeProto.Builder builder = SubtreeProto.newBuilder().setNode(Door.toProto(node.node));
    for (Source source : node.sources) {
      ShareProto.Builder sourceBuilder = ShareProto.newBuilder()
          .setUnit(source.unit)
          .setUnitBytes(source.length())
          .setCoefficients(ByteString.copyFrom(source.coefficients()))
          .setToken(Door.toProto(tokens.get(source.block)));
      if (source.tailCoefficients().length > 0) {
        sourceBuilder.setTailCoefficients(ByteString.copyFrom(source.tailCoefficients()));
      }
      if (!group.names(source)) {
        sourceBuilder.setBlock(Door.toProto(source.block, group.poolId));
      }
      if (node.isRemote(source)) {
        sourceBuilder.setHolder(Door.toProto(source.holder));
      }
      builder.addShares(sourceBuilder);
    }
    node.sentRows().ifPresent(sent -> builder.setSentRows(SentRowsProto.newBuilder()
        .addAllRows(list(sent, false)).addAllTailRows(list(sent, true))));
    for (PlanNode child : node.children) {
      builder.addChildren(toProto(child, group, tokens));
    }
    return builder.build();
  }

  private static List<Integer> list(SentRows sent, boolean tail) {
    return Arrays.stream(sent.rows(tail)).boxed().collect(Collectors.toList());
  }

  /**
   * Reads the tree of the request.
   *
   * @throws IllegalArgumentException naming the field that is wrong
   */
  PlanNode parse(SubtreeProto proto) {
    NodeRef node = Door.node(proto.getNode());
    // Each node of the tree is different and, by the checks below, has at least one of the at
    // most 16 units. This bounds the depth and width of the tree.
    if (!nodes.add(node)) {
      throw new IllegalArgumentException("node " + node + " stands in the tree twice");
    }
    List<Source> sources = new ArrayList<>();
    boolean hasOwn = false;
    for (ShareProto sourceProto : proto.getSharesList()) {
      Source source = convert(sourceProto, node);
      tokens.put(source.block, Door.token(sourceProto.getToken()));
      take(source.unit, source.block);
      hasOwn |= source.holder.equals(node);
      sources.add(source);
    }
    if (!hasOwn) {
      // Only the token for a block of this node proves that the requester may ask the node at
      // all.
      throw new IllegalArgumentException("node " + node + " has no unit of its own to add");
    }
    List<PlanNode> children = new ArrayList<>();
    for (SubtreeProto child : proto.getChildrenList()) {
      children.add(parse(child));
    }
    return new PlanNode(node, sources, children)
        .sending(proto.hasSentRows() ? convert(proto.getSentRows()) : null);
  }

  /** Reads the rows that a node sends; {@link NarrowLinks#check} checks them. */
  private static SentRows convert(SentRowsProto proto) {
    return new SentRows(
        proto.getRowsList().stream().mapToInt(Integer::intValue).toArray(),
        proto.getTailRowsList().stream().mapToInt(Integer::intValue).toArray());
  }

  private void take(int unit, BlockRef block) {
    if (!units.add(unit)) {
      throw new IllegalArgumentException("unit " + unit + " is asked for twice");
    }
    if (!blocks.add(block.poolId + ":" + block.blockId)) {
      throw new IllegalArgumentException("block " + block + " is asked for twice");
    }
  }

  private Source convert(ShareProto proto, NodeRef node) {
    int subChunks = geometry.subChunks();
    int rows = lostRows + checkRows;
    byte[] coefficients = proto.getCoefficients().toByteArray();
    if (coefficients.length != rows * subChunks) {
      throw new IllegalArgumentException(coefficients.length + " coefficients for " + rows
          + " rows of " + subChunks + " sub-chunks");
    }
    byte[] tail = proto.getTailCoefficients().toByteArray();
    if (geometry.hasTail() != tail.length > 0) {
      throw new IllegalArgumentException(tail.length + " coefficients for the tail of a stream"
          + " of " + geometry.streamBytes() + " bytes");
    }
    if (subChunks > 1 && proto.hasHolder()) {
      // Each sub-chunk has a source of its own. The node would therefore read the whole unit from
      // the holder once for each sub-chunk.
      throw new IllegalArgumentException("unit " + proto.getUnit() + " of " + subChunks
          + " sub-chunks is to be read from another node");
    }
    int unit = Door.within("unit", proto.getUnit(), 0, (proto.hasBlock()
        ? RequestBounds.LISTED_UNITS_MAX : RequestBounds.UNITS_MAX) - 1);
    namesBlocks |= proto.hasBlock();
    BlockRef block = proto.hasBlock()
        ? Door.block(proto.getBlock(), group.poolId, proto.getUnitBytes())
        : group.block(unit, proto.getUnitBytes());
    return new Source(unit, block,
        proto.hasHolder() ? Door.node(proto.getHolder()) : node, coefficients,
        subChunks, lostRows, tail);
  }

  /** Says whether a share of the tree names a block of its own. */
  boolean namesBlocks() {
    return namesBlocks;
  }
}
