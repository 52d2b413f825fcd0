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
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SentRows;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.SliceKind;
import org.hdfsppr.wire.proto.PprProtos.PartialSumRequestProto;
import org.hdfsppr.wire.proto.PprProtos.SentRowsProto;
import org.hdfsppr.wire.proto.PprProtos.ShareProto;
import org.hdfsppr.wire.proto.PprProtos.SubtreeProto;

/**
 * A parent's request to a child in a tree of partial sums. The child computes the sums of its
 * subtree and sends them slice by slice. In this class, "this node" is the child that gets the
 * request. Any process can send a message, so {@link #parse} checks every field of it once. The
 * rest of the code can then trust the request. Immutable.
 */
@InterfaceAudience.Private
public final class PartialSumRequest {
  /** The value of {@link #bytesPerSecond} in a request that does not slow its nodes down. */
  public static final long UNLIMITED = 0;

  /** The id of the repair, for the log lines of all nodes */
  public final String repairId;
  /** The block group that has lost a block */
  public final GroupId group;
  /** How the units are cut into slices */
  public final SliceGeometry geometry;
  /**
   * Number of lost rows in the whole plan: in a slice that is no tail, each lost unit has one row
   * for each sub-chunk of the code
   */
  public final int lostRows;
  /** Number of check rows in each checked slice, 0 or 1 */
  public final int checkRows;
  /** Milliseconds without a byte after which a child that has no children counts as dead */
  public final int stallTimeoutMs;
  /** The part of the plan that consists of this node and the nodes below it */
  public final PlanNode subtree;
  private final Map<BlockRef, Token<BlockTokenIdentifier>> tokens;
  /** True if a client reads the lost units; false if nodes write them to replicas */
  public final boolean forReader;
  /**
   * The most bytes of a unit that each node reads in a second; {@link #UNLIMITED} if it reads as
   * fast as it can
   */
  public final long bytesPerSecond;
  /** True if the nodes do not let transfers of users go first */
  public final boolean urgent;

  /** The fields of the message other than those for group, geometry and tree */
  private final PartialSumRequestProto rest;

  /**
   * @param rest a message from {@link #of}, in which the caller may also have set {@code
   *     for_reader}, {@code bytes_per_s} and {@code urgent}; a request for some of the slices is
   *     always one for a reader
   * @param group the block group that has lost a block, for the log lines of all nodes
   * @param geometry how the units of the group are cut into slices
   * @param subtree the part of the plan that consists of the child and the nodes below it
   * @param tokens a block token with READ for each block of the subtree
   */
  public PartialSumRequest(PartialSumRequestProto.Builder rest, GroupId group,
      SliceGeometry geometry, PlanNode subtree,
      Map<BlockRef, Token<BlockTokenIdentifier>> tokens) {
    this.rest = rest.buildPartial();
    this.repairId = rest.getRepairId();
    this.group = Objects.requireNonNull(group, "group");
    this.geometry = Objects.requireNonNull(geometry, "geometry");
    this.lostRows = rest.getLostRows();
    this.checkRows = rest.getCheckRows();
    this.stallTimeoutMs = rest.getStallTimeoutMs();
    this.subtree = Objects.requireNonNull(subtree, "subtree");
    this.tokens = Collections.unmodifiableMap(new HashMap<>(tokens));
    this.forReader = rest.getForReader() || geometry.isRange();
    this.bytesPerSecond = rest.getBytesPerS();
    this.urgent = rest.getUrgent();
  }

  /**
   * Starts a request.
   *
   * @param repairId id of the repair, for the log lines of all nodes
   * @param lostRows number of output rows of every slice that is no tail: the number of lost units
   *     times the number of sub-chunks
   * @param checkRows number of check rows in each checked slice, 0 or 1
   * @param stallTimeoutMs milliseconds without a byte after which a child that has no children
   *     counts as dead; a node waits a little longer for a child that has children, so that the
   *     node nearest to the fault reports it first
   * @return a message with these fields, for the constructor
   */
  public static PartialSumRequestProto.Builder of(String repairId, int lostRows, int checkRows,
      int stallTimeoutMs) {
    return PartialSumRequestProto.newBuilder().setRepairId(repairId).setLostRows(lostRows)
        .setCheckRows(checkRows).setStallTimeoutMs(stallTimeoutMs);
  }

  private PartialSumRequest with(PartialSumRequestProto.Builder changed) {
    return new PartialSumRequest(changed, group, geometry, subtree, tokens);
  }

  /**
   * @return the same request for a client's reader, which may want a part of the unit or all of it
   */
  public PartialSumRequest forReader() {
    return with(rest.toBuilder().setForReader(true));
  }

  /**
   * Slows the nodes down to a rate, for work that can wait.
   *
   * @param most the most bytes of a unit that each node reads in a second, {@link
   *     RequestBounds#BYTES_PER_SECOND_MIN} to {@link RequestBounds#BYTES_PER_SECOND_MAX}
   * @return the same request with this limit
   */
  public PartialSumRequest withRate(long most) {
    return with(rest.toBuilder().setBytesPerS(most));
  }

  /**
   * Makes the nodes work at full speed even while users transfer data, because the group cannot
   * afford to lose a further unit.
   *
   * @return the same request, for which nodes do not wait for transfers of users
   */
  public PartialSumRequest asUrgent() {
    return with(rest.toBuilder().setUrgent(true));
  }

  /**
   * @return the message; a request that needs no newer feature has the same bytes as in the first
   *     version of the protocol
   */
  public PartialSumRequestProto toProto() {
    PartialSumRequestProto.Builder builder = PartialSumRequestProto.newBuilder()
        .setRepairId(repairId)
        .setBlockPoolId(group.poolId)
        .setGroupId(group.groupId)
        .setGenerationStamp(group.generationStamp)
        .setStreamBytes(geometry.streamBytes())
        .setSliceBytes(geometry.sliceBytes())
        .setCheckOneIn(geometry.checkOneIn)
        .setCheckPhase(geometry.checkPhase)
        .setLostRows(lostRows)
        .setCheckRows(checkRows)
        .setStallTimeoutMs(stallTimeoutMs)
        .setSubtree(TreeCodec.toProto(subtree, group, tokens));
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
    if (readsOtherBlocks()) {
      bits |= RequestFeatures.BLOCKS;
    }
    if (NarrowLinks.isNarrow(subtree)) {
      bits |= RequestFeatures.NARROW_LINKS;
    }
    if (forReader) {
      builder.setForReader(true);
    }
    if (bytesPerSecond != UNLIMITED) {
      builder.setBytesPerS(bytesPerSecond);
    }
    if (urgent) {
      builder.setUrgent(true);
    }
    if (bits != 0) {
      builder.setMustUnderstand(bits);
    }
    return builder.build();
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
    int lostRows = WireRules.within("lost_rows", proto.getLostRows(), 1,
        Math.min(SliceGeometry.ROWS_MAX - 1, (RequestBounds.UNITS_MAX - 1) * subChunks));
    int checkRows = WireRules.within("check_rows", proto.getCheckRows(), 0, 1);
    int stallTimeoutMs = WireRules.within("stall_timeout_ms", proto.getStallTimeoutMs(), 1,
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
    GroupId group = new GroupId(WireRules.text("block_pool_id", proto.getBlockPoolId()),
        proto.getGroupId(), proto.getGenerationStamp());
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    TreeCodec reader = new TreeCodec(group, geometry, lostRows, checkRows, tokens);
    PlanNode subtree = reader.parse(proto.getSubtree());
    if (reader.namesBlocks() != ((proto.getMustUnderstand() & RequestFeatures.BLOCKS) != 0)) {
      throw new IllegalArgumentException("shares " + (reader.namesBlocks() ? "" : "do not ")
          + "name blocks of their own, and must_understand is "
          + Long.toHexString(proto.getMustUnderstand()));
    }
    boolean narrow = (proto.getMustUnderstand() & RequestFeatures.NARROW_LINKS) != 0;
    if (NarrowLinks.isNarrow(subtree) != narrow) {
      throw new IllegalArgumentException("nodes " + (narrow ? "do not " : "") + "name the rows that"
          + " they send, and must_understand is " + Long.toHexString(proto.getMustUnderstand()));
    }
    NarrowLinks.check(subtree);
    PartialSumRequestProto.Builder rest =
        of(WireRules.text("repair_id", proto.getRepairId()), lostRows,
        checkRows, stallTimeoutMs).setForReader(proto.getForReader()).setUrgent(proto.getUrgent());
    if (proto.hasBytesPerS()) {
      rest.setBytesPerS(WireRules.within("bytes_per_s", proto.getBytesPerS(),
          RequestBounds.BYTES_PER_SECOND_MIN, RequestBounds.BYTES_PER_SECOND_MAX));
    }
    return new PartialSumRequest(rest, group, geometry, subtree, tokens);
  }

  /** @return whether the nodes limit their reads to {@link #bytesPerSecond} */
  public boolean isPaced() {
    return bytesPerSecond != UNLIMITED;
  }

  /**
   * Says whether the request reads blocks that are not units of its group. In that case, tokens for
   * these blocks do not prove that the requester may read the group itself.
   *
   * @return whether a source has such a block
   */
  public boolean readsOtherBlocks() {
    boolean[] others = {false};
    subtree.forEach(node -> node.sources.forEach(source ->
        others[0] |= !group.names(source)));
    return others[0];
  }

  /**
   * @param slice number of a slice
   * @return number of rows that this node computes of this slice
   */
  public int rows(int slice) {
    return rows(geometry.kind(slice));
  }

  /**
   * @param kind kind of a slice
   * @return number of rows that this node computes of a slice of this kind
   */
  public int rows(SliceKind kind) {
    return kind.checked ? lostRowsHere(kind) + checkRows : lostRowsHere(kind);
  }

  /**
   * @param child a child of this node
   * @param kind kind of a slice
   * @return number of rows that the child sends of a slice of this kind
   */
  public int rowsOf(PlanNode child, SliceKind kind) {
    return NarrowLinks.rowsAbove(child, lostRows / geometry.subChunks(), geometry.subChunks(), kind)
        + (kind.checked ? checkRows : 0);
  }

  /**
   * Returns the number of rows that this node computes of a slice of this kind, without the check
   * row.
   */
  private int lostRowsHere(SliceKind kind) {
    // A node that sends only some of the lost rows computes only these.
    return subtree.sentRows().map(sent -> sent.count(kind.tail))
        .orElse(kind.tail ? lostRows / geometry.subChunks() : lostRows);
  }

  /** @return the number of rows that this node computes of a slice with the most rows */
  public int rowsMost() {
    return Math.max(lostRowsHere(SliceKind.PLAIN), lostRowsHere(SliceKind.TAIL)) + checkRows;
  }

  /**
   * Says where the coefficients of a row stand. If this node computes only some of the lost rows,
   * the indices of its rows differ from those of the coefficients.
   *
   * @param kind kind of a slice
   * @param row index of the row among those that this node computes
   * @return index of the row in the coefficients of the sources, which have all rows of the plan
   */
  public int coefficientRow(SliceKind kind, int row) {
    int runs = kind.tail ? 1 : geometry.subChunks();
    int lost = lostRowsHere(kind);
    if (row >= lost) {
      return lostRows / geometry.subChunks() * runs + row - lost;
    }
    return subtree.sentRows().map(sent -> sent.row(kind.tail, row)).orElse(row);
  }

  /**
   * Returns how long this node waits for the next byte of a child. Each level below the child adds
   * a margin, so that the node nearest to a fault reports it first. That node knows the cause best.
   *
   * @param child a child of this node
   * @return milliseconds
   */
  public int stallTimeoutMs(PlanNode child) {
    return stallTimeoutMs + levelsBelow(child) * LEVEL_MARGIN_MS;
  }

  /**
   * Counts the levels below a node. A holder from which a node reads a unit with the stock
   * operation is a level, too.
   */
  private static int levelsBelow(PlanNode node) {
    int levels = node.sources.stream().anyMatch(node::isRemote) ? 1 : 0;
    for (PlanNode child : node.children) {
      levels = Math.max(levels, levelsBelow(child) + 1);
    }
    return levels;
  }

  /**
   * Returns how long this node waits until its parent takes the next byte. This is longer than any
   * node waits for a byte to arrive. A parent that waits for another child takes no bytes in the
   * meantime, and must have the time to report that other child as stalled. A subtree that
   * contributes only to checked slices sends nothing else. It therefore also waits for the time
   * that the slices between two checked slices take at the least rate of a repair.
   *
   * @return milliseconds
   */
  public int patienceMs() {
    long silent = subtree.contributes(false) ? 0
        : Math.min(geometry.checkOneIn, geometry.slices() - geometry.firstSlice);
    long silentMs = TimeUnit.SECONDS.toMillis(silent * geometry.sliceBytes() * lostRows
        / RATE_LEAST_BYTES_PER_SECOND);
    return (int) Math.min(RequestBounds.STALL_TIMEOUT_MS_MAX,
        2L * (stallTimeoutMs + RequestBounds.UNITS_MAX * LEVEL_MARGIN_MS) + silentMs);
  }

  /**
   * @param source a source of the subtree
   * @return the token for its block
   */
  public Token<BlockTokenIdentifier> token(RepairSource source) {
    return tokens.get(source.block);
  }

  /**
   * Limits the stall timeout of the request to this node's own. A caller chooses the timeout of its
   * request, and this node holds memory while it waits for a silent node.
   *
   * @param stallTimeoutMsMost this node's own stall timeout, milliseconds, at least 1
   * @return the request, with the smaller of both timeouts
   */
  public PartialSumRequest withStallTimeoutWithin(int stallTimeoutMsMost) {
    return stallTimeoutMs <= stallTimeoutMsMost ? this
        : with(rest.toBuilder().setStallTimeoutMs(stallTimeoutMsMost));
  }

  /**
   * Makes the request to a child. It equals this request, but contains only the child's subtree.
   *
   * @param child a child of this node
   * @return the request
   */
  public PartialSumRequest forChild(PlanNode child) {
    Map<BlockRef, Token<BlockTokenIdentifier>> below = new HashMap<>();
    child.forEach(node -> node.sources.forEach(source ->
        below.put(source.block, tokens.get(source.block))));
    return new PartialSumRequest(rest.toBuilder(), group, geometry, child, below);
  }

  /**
   * The least rate of a repair, bytes per second. A node gives up a slower repair. At this rate, a
   * block of a gigabyte takes most of a day.
   */
  public static final long RATE_LEAST_BYTES_PER_SECOND = 16 << 10;
  /**
   * For each level of nodes below a child, the parent waits this much longer for the child,
   * milliseconds. The report of an error takes less time than this to go up one level, and a node
   * lets repairs go first for this time at most.
   */
  public static final int LEVEL_MARGIN_MS = 500;

  /**
   * Converts the tree of a request into a message and back. An object of this class reads one tree,
   * and checks every field of it, for {@link PartialSumRequest#parse(byte[])}.
   */
  static final class TreeCodec {
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
     * Encodes a node of the tree of a request, with the nodes below it. {@code group} is the group
     * of the request.
     *
     * @param tokens a token for each block of the tree
     */
    static SubtreeProto toProto(PlanNode node, GroupId group,
        Map<BlockRef, Token<BlockTokenIdentifier>> tokens) {
      SubtreeProto.Builder builder = SubtreeProto.newBuilder()
          .setNode(WireRules.toProto(node.node));
      for (RepairSource source : node.sources) {
        ShareProto.Builder sourceBuilder = ShareProto.newBuilder()
            .setUnit(source.unit)
            .setUnitBytes(source.length())
            .setCoefficients(ByteString.copyFrom(source.coefficients()))
            .setToken(WireRules.toProto(tokens.get(source.block)));
        if (source.tailCoefficients().length > 0) {
          sourceBuilder.setTailCoefficients(ByteString.copyFrom(source.tailCoefficients()));
        }
        if (!group.names(source)) {
          sourceBuilder.setBlock(WireRules.toProto(source.block, group.poolId));
        }
        if (node.isRemote(source)) {
          sourceBuilder.setHolder(WireRules.toProto(source.holder));
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
      NodeRef node = WireRules.node(proto.getNode());
      // No node stands in the tree twice and, by the checks below, each node has at least one unit
      // of its own. A code has at most 28 units. This bounds the depth and width of the tree.
      if (!nodes.add(node)) {
        throw new IllegalArgumentException("node " + node + " stands in the tree twice");
      }
      List<RepairSource> sources = new ArrayList<>();
      boolean hasOwn = false;
      for (ShareProto sourceProto : proto.getSharesList()) {
        RepairSource source = convert(sourceProto, node);
        tokens.put(source.block, WireRules.token(sourceProto.getToken()));
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

    private RepairSource convert(ShareProto proto, NodeRef node) {
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
        // A node opens a unit once for each sub-chunk. A stock read cannot skip the other
        // sub-chunks, so the node would get the whole unit from the holder each time.
        throw new IllegalArgumentException("unit " + proto.getUnit() + " of " + subChunks
            + " sub-chunks is to be read from another node");
      }
      int unit = WireRules.within("unit", proto.getUnit(), 0, (proto.hasBlock()
          ? RequestBounds.LISTED_UNITS_MAX : RequestBounds.UNITS_MAX) - 1);
      namesBlocks |= proto.hasBlock();
      BlockRef block = proto.hasBlock()
          ? WireRules.block(proto.getBlock(), group.poolId, proto.getUnitBytes())
          : group.block(unit, proto.getUnitBytes());
      return new RepairSource(unit, block,
          proto.hasHolder() ? WireRules.node(proto.getHolder()) : node, coefficients,
          subChunks, lostRows, tail);
    }

    /**
     * Says whether any source of the tree names its block explicitly, and not only the unit of the
     * group.
     */
    boolean namesBlocks() {
      return namesBlocks;
    }
  }

  /**
   * Converts slices that are not contiguous into the numbers of a message, and back. For each
   * contiguous stretch of slices, the message has two numbers: how many slices of the stream lie
   * between it and the stretch before it, and how many slices the stretch has.
   */
  static final class PickedSlices {
    private PickedSlices() {
    }

    static List<Integer> toProto(SliceGeometry geometry) {
      List<Integer> numbers = new ArrayList<>();
      int end = 0;
      for (SliceGeometry stretch : geometry.ranges()) {
        numbers.add(stretch.firstSlice - end);
        numbers.add(stretch.slices() - stretch.firstSlice);
        end = stretch.slices();
      }
      return numbers;
    }

    /**
     * @param numbers the numbers of a message
     * @param whole the geometry of the whole stream
     * @return the geometry with only the slices that the numbers describe
     * @throws IllegalArgumentException if the numbers do not describe two or more stretches of
     *     slices of the stream
     */
    static SliceGeometry convert(List<Integer> numbers, SliceGeometry whole) {
      if (numbers.size() % 2 != 0 || numbers.size() < 4
          || numbers.size() > 2 * SliceGeometry.PICKED_MAX) {
        throw new IllegalArgumentException(numbers.size() + " numbers of picked slices are not two"
            + " for each of 2 to " + SliceGeometry.PICKED_MAX + " stretches");
      }
      int[] picked = new int[SliceGeometry.PICKED_MAX];
      int picks = 0;
      long end = 0;
      for (int i = 0; i < numbers.size(); i += 2) {
        // The numbers of the message are unsigned, with 32 bits, but a Java int is signed.
        long gap = Integer.toUnsignedLong(numbers.get(i));
        long count = Integer.toUnsignedLong(numbers.get(i + 1));
        if (gap == 0 && i > 0 || count == 0 || count > picked.length - picks
            || end + gap + count > whole.slices()) {
          throw new IllegalArgumentException("a stretch of " + count + " picked slices after a gap"
              + " of " + gap + " behind slice " + end + " of " + whole.slices() + "; at most "
              + SliceGeometry.PICKED_MAX + " can be picked");
        }
        for (int slice = 0; slice < count; slice++) {
          picked[picks++] = (int) (end + gap + slice);
        }
        end += gap + count;
      }
      return whole.withPicked(Arrays.copyOf(picked, picks));
    }
  }
}
