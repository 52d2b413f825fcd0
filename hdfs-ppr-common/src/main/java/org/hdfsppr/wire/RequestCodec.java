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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.Source;
import org.hdfsppr.plan.SentRows;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.PartialSumRequestProto;
import org.hdfsppr.wire.proto.PprProtos.SentRowsProto;
import org.hdfsppr.wire.proto.PprProtos.ShareProto;
import org.hdfsppr.wire.proto.PprProtos.SubtreeProto;

/**
 * Converts requests into messages and back. Any process can send a message, so this class checks
 * every field of it once. The rest of the code can then trust a {@link PartialSumRequest}.
 */
@InterfaceAudience.Private
public final class RequestCodec {
  private RequestCodec() {
  }

  /**
   * Encodes a request.
   *
   * @param request the request
   * @return the message; a request that needs no newer feature has the same bytes as in the first
   *     version of the protocol
   */
  public static PartialSumRequestProto toProto(PartialSumRequest request) {
    SliceGeometry geometry = request.geometry;
    PartialSumRequestProto.Builder builder = PartialSumRequestProto.newBuilder()
        .setRepairId(request.repairId)
        .setBlockPoolId(request.group.poolId)
        .setGroupId(request.group.groupId)
        .setGenerationStamp(request.group.generationStamp)
        .setStreamBytes(geometry.streamBytes())
        .setSliceBytes(geometry.sliceBytes())
        .setCheckOneIn(geometry.checkOneIn)
        .setCheckPhase(geometry.checkPhase)
        .setLostRows(request.lostRows)
        .setCheckRows(request.checkRows)
        .setStallTimeoutMs(request.stallTimeoutMs)
        .setSubtree(toProto(request, request.subtree));
    long bits = 0;
    if (geometry.subChunks() > 1) {
      bits |= RequestFeatures.SUB_CHUNKS;
      builder.setSubChunks(geometry.subChunks()).setCellBytes(geometry.cellBytes());
    }
    if (geometry.isPicked()) {
      bits |= RequestFeatures.PICKED;
      builder.addAllPickedSlices(PickedSlices.toProto(geometry));
    } else if (geometry.isRange()) {
      bits |= RequestFeatures.RANGE;
      builder.setFirstSlice(geometry.firstSlice).setEndSlice(geometry.slices());
    }
    if (request.readsOtherBlocks()) {
      bits |= RequestFeatures.BLOCKS;
    }
    if (NarrowLinks.isNarrow(request.subtree)) {
      bits |= RequestFeatures.NARROW_LINKS;
    }
    if (request.forReader) {
      builder.setForReader(true);
    }
    if (request.bytesPerSecond != PartialSumRequest.UNLIMITED) {
      builder.setBytesPerS(request.bytesPerSecond);
    }
    if (request.urgent) {
      builder.setUrgent(true);
    }
    if (bits != 0) {
      builder.setMustUnderstand(bits);
    }
    return builder.build();
  }

  private static SubtreeProto toProto(PartialSumRequest request, PlanNode node) {
    SubtreeProto.Builder builder = SubtreeProto.newBuilder().setNode(Door.toProto(node.node));
    for (Source source : node.sources) {
      ShareProto.Builder sourceBuilder = ShareProto.newBuilder()
          .setUnit(source.unit)
          .setUnitBytes(source.length())
          .setCoefficients(ByteString.copyFrom(source.coefficients()))
          .setToken(TokenCodec.toProto(request.token(source)));
      if (source.tailCoefficients().length > 0) {
        sourceBuilder.setTailCoefficients(ByteString.copyFrom(source.tailCoefficients()));
      }
      if (!request.group.names(source)) {
        sourceBuilder.setBlock(BlockCodec.toProto(source.block, request.group.poolId));
      }
      if (node.isRemote(source)) {
        sourceBuilder.setHolder(Door.toProto(source.holder));
      }
      builder.addShares(sourceBuilder);
    }
    node.sentRows().ifPresent(sent -> builder.setSentRows(SentRowsProto.newBuilder()
        .addAllRows(list(sent, false)).addAllTailRows(list(sent, true))));
    for (PlanNode child : node.children) {
      builder.addChildren(toProto(request, child));
    }
    return builder.build();
  }

  private static List<Integer> list(SentRows sent, boolean tail) {
    return Arrays.stream(sent.rows(tail)).boxed().collect(Collectors.toList());
  }

  /**
   * Reads a request, as a node that knows all {@link RequestFeatures}.
   *
   * @param bytes a {@code PartialSumRequestProto}
   * @return the request
   * @throws MalformedRequestException naming the field that is wrong
   */
  public static PartialSumRequest parse(byte[] bytes) throws MalformedRequestException {
    return parse(bytes, RequestFeatures.KNOWN);
  }

  /**
   * Reads a request.
   *
   * @param bytes a {@code PartialSumRequestProto}
   * @param features the {@link RequestFeatures} that this node says it knows
   * @throws UnsupportedRequestException if the request needs other features
   * @throws MalformedRequestException naming the field that is wrong
   */
  static PartialSumRequest parse(byte[] bytes, long features) throws MalformedRequestException {
    PartialSumRequestProto proto;
    try {
      proto = PartialSumRequestProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedRequestException("The request is no PartialSumRequestProto: "
          + e.getMessage(), e);
    }
    long unknown = proto.getMustUnderstand() & ~features;
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
    boolean split = (proto.getMustUnderstand() & RequestFeatures.SUB_CHUNKS) != 0;
    if (split ? proto.getSubChunks() < 2 : proto.hasSubChunks() || proto.hasCellBytes()) {
      throw new IllegalArgumentException(proto.getSubChunks() + " sub-chunks and must_understand "
          + Long.toHexString(proto.getMustUnderstand()));
    }
    int subChunks = split ? proto.getSubChunks() : 1;
    int lostRows = Door.within("lost_rows", proto.getLostRows(), 1,
        Math.min(SliceGeometry.ROWS_MAX - 1, (RequestBounds.UNITS_MAX - 1) * subChunks));
    int checkRows = Door.within("check_rows", proto.getCheckRows(), 0, 1);
    int stallTimeoutMs = Door.within("stall_timeout_ms", proto.getStallTimeoutMs(), 1,
        RequestBounds.STALL_TIMEOUT_MS_MAX);
    SliceGeometry geometry = new SliceGeometry(proto.getStreamBytes(), proto.getSliceBytes(),
        subChunks, proto.getCellBytes(), proto.getCheckOneIn(), proto.getCheckPhase());
    boolean range = (proto.getMustUnderstand() & RequestFeatures.RANGE) != 0;
    if (range != proto.hasFirstSlice() || range != proto.hasEndSlice()) {
      throw new IllegalArgumentException("slices " + proto.getFirstSlice() + " to "
          + proto.getEndSlice() + " and must_understand "
          + Long.toHexString(proto.getMustUnderstand()));
    }
    if (range) {
      geometry = geometry.withSlices(proto.getFirstSlice(), proto.getEndSlice());
    }
    boolean isPicked = (proto.getMustUnderstand() & RequestFeatures.PICKED) != 0;
    if (isPicked != proto.getPickedSlicesCount() > 0 || isPicked && range) {
      throw new IllegalArgumentException(proto.getPickedSlicesCount() + " numbers of picked slices"
          + " and must_understand " + Long.toHexString(proto.getMustUnderstand()));
    }
    if (isPicked) {
      geometry = PickedSlices.convert(proto.getPickedSlicesList(), geometry);
    }
    if (checkRows == 0 && geometry.checkOneIn != 0) {
      throw new IllegalArgumentException("slices are to be checked without a check row");
    }
    GroupId group = new GroupId(Door.text("block_pool_id", proto.getBlockPoolId()),
        proto.getGroupId(), proto.getGenerationStamp());
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    SubtreeReader reader = new SubtreeReader(group, geometry, lostRows, checkRows, tokens);
    PlanNode subtree = reader.convert(proto.getSubtree());
    if (reader.namesBlocks != ((proto.getMustUnderstand() & RequestFeatures.BLOCKS) != 0)) {
      throw new IllegalArgumentException("shares "
          + (reader.namesBlocks ? "" : "do not ") + "name blocks of their own, and must_understand "
          + "is " + Long.toHexString(proto.getMustUnderstand()));
    }
    boolean narrow = (proto.getMustUnderstand() & RequestFeatures.NARROW_LINKS) != 0;
    if (NarrowLinks.isNarrow(subtree) != narrow) {
      throw new IllegalArgumentException("nodes " + (narrow ? "do not " : "") + "name the rows that"
          + " they send, and must_understand is " + Long.toHexString(proto.getMustUnderstand()));
    }
    NarrowLinks.check(subtree);
    PartialSumRequest request = new PartialSumRequest(
        Door.text("repair_id", proto.getRepairId()), group, geometry, lostRows, checkRows,
        stallTimeoutMs, subtree, tokens);
    if (proto.hasBytesPerS()) {
      request = request.withRate(Door.within("bytes_per_s", proto.getBytesPerS(),
          RequestBounds.BYTES_PER_SECOND_MIN, RequestBounds.BYTES_PER_SECOND_MAX));
    }
    if (proto.getUrgent()) {
      request = request.asUrgent();
    }
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
    private final Set<String> blocks = new HashSet<>();
    private boolean namesBlocks;

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
      // Each node of the tree is different and, by the checks below, has at least one of the at
      // most 16 units. This bounds the depth and width of the tree.
      if (!nodes.add(node)) {
        throw new IllegalArgumentException("node " + node + " stands in the tree twice");
      }
      List<Source> sources = new ArrayList<>();
      boolean hasOwn = false;
      for (ShareProto sourceProto : proto.getSharesList()) {
        Source source = convert(sourceProto, node);
        tokens.put(source.block, TokenCodec.convert(sourceProto.getToken()));
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
        children.add(convert(child));
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
          ? BlockCodec.convert(proto.getBlock(), group.poolId, proto.getUnitBytes())
          : group.block(unit, proto.getUnitBytes());
      return new Source(unit, block,
          proto.hasHolder() ? Door.node(proto.getHolder()) : node, coefficients,
          subChunks, lostRows, tail);
    }
  }
}
