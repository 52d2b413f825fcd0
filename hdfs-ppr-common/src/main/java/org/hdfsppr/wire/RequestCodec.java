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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.Source;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.PartialSumRequestProto;
import org.hdfsppr.wire.proto.PprProtos.ShareProto;
import org.hdfsppr.wire.proto.PprProtos.SubtreeProto;
import org.hdfsppr.wire.proto.PprProtos.TokenProto;

/**
 * Turns requests into messages and back. What comes in is a stranger's word: everything is checked
 * here, once, so that the rest of the code can trust a {@link PartialSumRequest}.
 */
@InterfaceAudience.Private
public final class RequestCodec {
  /** A full tree with generous tokens has some 20 KiB. */
  public static final int REQUEST_BYTES_MAX = 256 << 10;
  /** A block group has at most 16 units (HDFS counts them in 4 bits of the block id). */
  public static final int UNITS_MAX = 16;
  /** Long enough for any operator; a request cannot make a node wait longer. */
  public static final int STALL_TIMEOUT_MS_MAX = 600_000;

  /** Bit of must_understand: the code has sub-chunks, and sources have a column for each. */
  private static final long SUB_CHUNKS_BIT = 1;
  /** Bit of must_understand: only some of the slices are wanted. */
  private static final long RANGE_BIT = 2;
  private static final long KNOWN_BITS = SUB_CHUNKS_BIT | RANGE_BIT;

  private RequestCodec() {
  }

  /** The message for {@code request}. */
  public static PartialSumRequestProto toProto(PartialSumRequest request) {
    SliceGeometry geometry = request.geometry();
    PartialSumRequestProto.Builder builder = PartialSumRequestProto.newBuilder()
        .setRepairId(request.repairId())
        .setBlockPoolId(request.group().poolId())
        .setGroupId(request.group().groupId())
        .setGenerationStamp(request.group().generationStamp())
        .setStreamBytes(geometry.streamBytes())
        .setSliceBytes(geometry.sliceBytes())
        .setCheckOneIn(geometry.checkOneIn())
        .setCheckPhase(geometry.checkPhase())
        .setLostRows(request.lostRows())
        .setCheckRows(request.checkRows())
        .setStallTimeoutMs(request.stallTimeoutMs())
        .setSubtree(toProto(request, request.subtree()));
    long bits = 0;
    if (geometry.subChunks() > 1) {
      bits |= SUB_CHUNKS_BIT;
      builder.setSubChunks(geometry.subChunks()).setCellBytes(geometry.cellBytes());
    }
    if (geometry.isRange()) {
      bits |= RANGE_BIT;
      builder.setFirstSlice(geometry.firstSlice()).setEndSlice(geometry.slices());
    }
    if (request.isForReader()) {
      builder.setForReader(true);
    }
    if (bits != 0) {
      builder.setMustUnderstand(bits);
    }
    return builder.build();
  }

  private static SubtreeProto toProto(PartialSumRequest request, PlanNode node) {
    SubtreeProto.Builder builder = SubtreeProto.newBuilder().setNode(Door.toProto(node.node()));
    for (Source source : node.sources()) {
      ShareProto.Builder sourceBuilder = ShareProto.newBuilder()
          .setUnit(source.unit())
          .setUnitBytes(source.length())
          .setCoefficients(ByteString.copyFrom(source.coefficients()))
          .setToken(toProto(request.token(source)));
      if (source.tailCoefficients().length > 0) {
        sourceBuilder.setTailCoefficients(ByteString.copyFrom(source.tailCoefficients()));
      }
      if (node.isRemote(source)) {
        sourceBuilder.setHolder(Door.toProto(source.holder()));
      }
      builder.addShares(sourceBuilder);
    }
    for (PlanNode child : node.children()) {
      builder.addChildren(toProto(request, child));
    }
    return builder.build();
  }

  private static TokenProto toProto(Token<BlockTokenIdentifier> token) {
    return TokenProto.newBuilder()
        .setIdentifier(ByteString.copyFrom(token.getIdentifier()))
        .setPassword(ByteString.copyFrom(token.getPassword()))
        .setKind(token.getKind().toString())
        .setService(token.getService().toString())
        .build();
  }

  /**
   * Reads a request.
   *
   * @param bytes a {@code PartialSumRequestProto}
   * @throws MalformedRequestException naming what is wrong with it
   */
  public static PartialSumRequest parse(byte[] bytes) throws MalformedRequestException {
    PartialSumRequestProto proto;
    try {
      proto = PartialSumRequestProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The request is no PartialSumRequestProto: "
          + e.getMessage(), e);
    }
    long unknown = proto.getMustUnderstand() & ~KNOWN_BITS;
    if (unknown != 0) {
      throw new UnsupportedRequestException("The request needs features that this version lacks: "
          + Long.toHexString(unknown));
    }
    try {
      return convert(proto);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The request contradicts itself: " + e.getMessage(), e);
    }
  }

  private static PartialSumRequest convert(PartialSumRequestProto proto) {
    boolean split = (proto.getMustUnderstand() & SUB_CHUNKS_BIT) != 0;
    if (split ? proto.getSubChunks() < 2 : proto.hasSubChunks() || proto.hasCellBytes()) {
      throw new IllegalArgumentException(proto.getSubChunks() + " sub-chunks and must_understand "
          + Long.toHexString(proto.getMustUnderstand()));
    }
    int subChunks = split ? proto.getSubChunks() : 1;
    int lostRows = Door.within("lost_rows", proto.getLostRows(), 1,
        Math.min(SliceGeometry.ROWS_MAX - 1, (UNITS_MAX - 1) * subChunks));
    int checkRows = Door.within("check_rows", proto.getCheckRows(), 0, 1);
    int stallTimeoutMs =
        Door.within("stall_timeout_ms", proto.getStallTimeoutMs(), 1, STALL_TIMEOUT_MS_MAX);
    SliceGeometry geometry = new SliceGeometry(proto.getStreamBytes(), proto.getSliceBytes(),
        subChunks, proto.getCellBytes(), proto.getCheckOneIn(), proto.getCheckPhase());
    boolean range = (proto.getMustUnderstand() & RANGE_BIT) != 0;
    if (range != proto.hasFirstSlice() || range != proto.hasEndSlice()) {
      throw new IllegalArgumentException("slices " + proto.getFirstSlice() + " to "
          + proto.getEndSlice() + " and must_understand "
          + Long.toHexString(proto.getMustUnderstand()));
    }
    if (range) {
      geometry = geometry.withSlices(proto.getFirstSlice(), proto.getEndSlice());
    }
    if (checkRows == 0 && geometry.checkOneIn() != 0) {
      throw new IllegalArgumentException("slices are to be checked without a check row");
    }
    GroupId group = new GroupId(Door.text("block_pool_id", proto.getBlockPoolId()),
        proto.getGroupId(), proto.getGenerationStamp());
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    PlanNode subtree =
        new SubtreeReader(group, geometry, lostRows, checkRows, tokens).convert(proto.getSubtree());
    PartialSumRequest request = new PartialSumRequest(
        Door.text("repair_id", proto.getRepairId()), group, geometry, lostRows, checkRows,
        stallTimeoutMs, subtree, tokens);
    return proto.getForReader() ? request.forReader() : request;
  }

  /** Reads the tree of one request. */
  private static final class SubtreeReader {
    private final GroupId group;
    private final SliceGeometry geometry;
    private final int lostRows;
    private final int checkRows;
    private final Map<BlockRef, Token<BlockTokenIdentifier>> tokens;
    private final Set<NodeRef> nodes = new HashSet<>();
    private final Set<Integer> units = new HashSet<>();

    SubtreeReader(GroupId group, SliceGeometry geometry, int lostRows, int checkRows,
        Map<BlockRef, Token<BlockTokenIdentifier>> tokens) {
      this.group = group;
      this.geometry = geometry;
      this.lostRows = lostRows;
      this.checkRows = checkRows;
      this.tokens = tokens;
    }

    PlanNode convert(SubtreeProto proto) {
      NodeRef node = Door.node(proto.getNode());
      // At most 16 units and no node twice also bounds the depth and width of the tree.
      if (!nodes.add(node)) {
        throw new IllegalArgumentException("node " + node + " stands in the tree twice");
      }
      List<Source> sources = new ArrayList<>();
      boolean hasOwn = false;
      for (ShareProto sourceProto : proto.getSharesList()) {
        Source source = convert(sourceProto, node);
        tokens.put(source.block(), RequestCodec.convert(sourceProto.getToken()));
        if (!units.add(source.unit())) {
          throw new IllegalArgumentException("unit " + source.unit() + " is asked for twice");
        }
        hasOwn |= source.holder().equals(node);
        sources.add(source);
      }
      if (!hasOwn) {
        // A node proves by the token of a block of its own that it may be asked at all.
        throw new IllegalArgumentException("node " + node + " has no unit of its own to add");
      }
      List<PlanNode> children = new ArrayList<>();
      for (SubtreeProto child : proto.getChildrenList()) {
        children.add(convert(child));
      }
      return new PlanNode(node, sources, children);
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
        // Each sub-chunk would be a stream of the whole unit from somebody else.
        throw new IllegalArgumentException("unit " + proto.getUnit() + " of " + subChunks
            + " sub-chunks is to be read from another node");
      }
      int unit = Door.within("unit", proto.getUnit(), 0, UNITS_MAX - 1);
      return new Source(unit, group.block(unit, proto.getUnitBytes()),
          proto.hasHolder() ? Door.node(proto.getHolder()) : node, coefficients,
          subChunks, lostRows, tail);
    }
  }

  private static Token<BlockTokenIdentifier> convert(TokenProto proto) {
    return new Token<>(proto.getIdentifier().toByteArray(), proto.getPassword().toByteArray(),
        new Text(Door.text("kind", proto.getKind())),
        new Text(Door.text("service", proto.getService())));
  }
}
