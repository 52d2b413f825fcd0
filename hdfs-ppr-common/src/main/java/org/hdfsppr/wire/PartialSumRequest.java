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

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.Source;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.SliceKind;

/**
 * What a parent asks of a child: the sums of the child's subtree, slice by slice. Immutable.
 */
@InterfaceAudience.Private
public final class PartialSumRequest {
  private final String repairId;
  private final GroupId group;
  private final SliceGeometry geometry;
  private final int lostRows;
  private final int checkRows;
  private final int stallTimeoutMs;
  private final PlanNode subtree;
  private final Map<BlockRef, Token<BlockTokenIdentifier>> tokens;
  private final boolean forReader;

  /**
   * @param repairId for the log lines of all nodes
   * @param group the block group that has lost a block, for the log lines of all nodes
   * @param geometry how its units are cut
   * @param lostRows output rows of every slice that is no tail: for each lost unit as many as the
   *     geometry has sub-chunks
   * @param checkRows further rows of checked slices, 0 or 1
   * @param stallTimeoutMs time without a byte after which a leaf counts as dead; a node waits a
   *     little longer for a child that has children, so that the one nearest the fault reports it
   * @param subtree the part of the plan below and with the child
   * @param tokens a block token with READ for each block of the subtree
   */
  public PartialSumRequest(String repairId, GroupId group, SliceGeometry geometry, int lostRows,
      int checkRows, int stallTimeoutMs, PlanNode subtree,
      Map<BlockRef, Token<BlockTokenIdentifier>> tokens) {
    this(repairId, group, geometry, lostRows, checkRows, stallTimeoutMs, subtree, tokens,
        geometry.isRange());
  }

  private PartialSumRequest(String repairId, GroupId group, SliceGeometry geometry, int lostRows,
      int checkRows, int stallTimeoutMs, PlanNode subtree,
      Map<BlockRef, Token<BlockTokenIdentifier>> tokens, boolean forReader) {
    this.repairId = Objects.requireNonNull(repairId, "repairId");
    this.group = Objects.requireNonNull(group, "group");
    this.geometry = Objects.requireNonNull(geometry, "geometry");
    this.lostRows = lostRows;
    this.checkRows = checkRows;
    this.stallTimeoutMs = stallTimeoutMs;
    this.subtree = Objects.requireNonNull(subtree, "subtree");
    this.tokens = Collections.unmodifiableMap(new HashMap<>(tokens));
    this.forReader = forReader;
  }

  /** The same, said to be for a client that reads, however much of the unit that is. */
  public PartialSumRequest forReader() {
    return new PartialSumRequest(repairId, group, geometry, lostRows, checkRows, stallTimeoutMs,
        subtree, tokens, true);
  }

  /** Whether a client reads what is lost; otherwise it is rebuilt to stay. */
  public boolean isForReader() {
    return forReader;
  }

  public String repairId() {
    return repairId;
  }

  public GroupId group() {
    return group;
  }

  public SliceGeometry geometry() {
    return geometry;
  }

  public int lostRows() {
    return lostRows;
  }

  public int checkRows() {
    return checkRows;
  }

  /** Rows that slice {@code slice} has. */
  public int rows(int slice) {
    return rows(geometry.kind(slice));
  }

  /** Rows that slices of that kind have. */
  public int rows(SliceKind kind) {
    int lost = kind.isTail() ? lostRows / geometry.subChunks() : lostRows;
    return kind.isChecked() ? lost + checkRows : lost;
  }

  public int stallTimeoutMs() {
    return stallTimeoutMs;
  }

  /**
   * How long to wait for the next byte of a child: each level below adds a little, because the node
   * nearest to a fault knows best what it was.
   */
  public int stallTimeoutMs(PlanNode child) {
    return stallTimeoutMs + levelsBelow(child) * LEVEL_MARGIN_MS;
  }

  /** A node that a unit is read from with the stock operation is a level as well. */
  private static int levelsBelow(PlanNode node) {
    int levels = node.sources().stream().anyMatch(node::isRemote) ? 1 : 0;
    for (PlanNode child : node.children()) {
      levels = Math.max(levels, levelsBelow(child) + 1);
    }
    return levels;
  }

  /**
   * How long this request's subtree waits for its parent to take a byte: longer than anybody waits
   * for one, because a parent that waits for another child takes none meanwhile, and it is the one
   * to judge. A subtree that adds to checked slices only has its turn as rarely as they come, so
   * that it waits for the slices between two of them as well, at the least rate of a repair.
   */
  public int patienceMs() {
    long silent = subtree.contributes(false) ? 0
        : Math.min(geometry.checkOneIn(), geometry.slices() - geometry.firstSlice());
    long silentMs = TimeUnit.SECONDS.toMillis(silent * geometry.sliceBytes() * lostRows
        / RATE_LEAST_BYTES_PER_SECOND);
    return (int) Math.min(RequestCodec.STALL_TIMEOUT_MS_MAX,
        2L * (stallTimeoutMs + RequestCodec.UNITS_MAX * LEVEL_MARGIN_MS) + silentMs);
  }

  public PlanNode subtree() {
    return subtree;
  }

  /** The token for {@code source}'s block. */
  public Token<BlockTokenIdentifier> token(Source source) {
    return tokens.get(source.block());
  }

  /**
   * The same request with no more patience than this node has itself. The caller chooses how long a
   * leaf may be silent, and while this node waits for it, it holds memory.
   *
   * @param stallTimeoutMsMost this node's own, at least 1
   */
  public PartialSumRequest withStallTimeoutWithin(int stallTimeoutMsMost) {
    return stallTimeoutMs <= stallTimeoutMsMost ? this
        : new PartialSumRequest(repairId, group, geometry, lostRows, checkRows,
            stallTimeoutMsMost, subtree, tokens, forReader);
  }

  /** What to ask of {@code child}: the same, and no more of the plan than its own subtree. */
  public PartialSumRequest forChild(PlanNode child) {
    Map<BlockRef, Token<BlockTokenIdentifier>> below = new HashMap<>();
    child.forEach(node -> node.sources().forEach(source ->
        below.put(source.block(), tokens.get(source.block()))));
    return new PartialSumRequest(repairId, group, geometry, lostRows, checkRows, stallTimeoutMs,
        child, below, forReader);
  }

  /** A repair that brings less is given up: a block of a gigabyte would take most of a day. */
  public static final long RATE_LEAST_BYTES_PER_SECOND = 16 << 10;
  /** More than the time that an error takes to travel one level up. */
  private static final int LEVEL_MARGIN_MS = 500;
}
