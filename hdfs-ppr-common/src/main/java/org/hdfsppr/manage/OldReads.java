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
package org.hdfsppr.manage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.OldReadsProto;

/**
 * A part of a heartbeat: it says which of the blocks that a DataNode watches have been read by
 * clients. A {@code LinkCommand} may order the DataNode to watch its old blocks, so that the
 * NameNode learns whether clients still read the old version. The first report lists all watched
 * blocks that have been read, and each later report lists those that have been read since. If a
 * list does not fit into one heartbeat, the next heartbeat continues it. Immutable.
 */
@InterfaceAudience.Private
public final class OldReads {
  /** The report of a node whose version is too old to watch blocks. */
  public static final OldReads UNSAID =
      new OldReads(false, 0, false, false, Collections.emptyList());
  /** How many blocks a heartbeat may list. They take some 50 KB. */
  public static final int BLOCKS_MAX = 4096;

  /** Whether the node sees each read over the network; if not, it sees only long reads */
  public final boolean seesAll;
  /**
   * How far back the node's knowledge is complete, ms: in this time it has forgotten no watched
   * block and has missed no read. It may have missed earlier reads
   */
  public final long wholeForMs;
  /**
   * True if this report begins a new list of all watched blocks that have been read; false if it
   * adds to the earlier reports
   */
  public final boolean fromStart;
  /** True if the list did not fit, so that the next report continues it */
  public final boolean hasMore;
  /** The blocks that were read */
  public final List<Read> reads;

  /** A block that was read. Immutable. */
  public static final class Read {
    /** Id of the block, not of its group */
    public final long blockId;
    /** How long before the report the node saw the last read of the block, ms */
    public final long agoMs;

    /**
     * @param blockId id of a block, not of its group
     * @param agoMs how long ago the last read was seen, ms, at least 0; the value may be half a
     *     minute too small
     */
    public Read(long blockId, long agoMs) {
      this.blockId = blockId;
      this.agoMs = agoMs;
    }

    @Override
    public String toString() {
      return blockId + " " + agoMs + " ms ago";
    }
  }

  /**
   * @param seesAll whether the node sees each read over the network; if not, it sees only long
   *     reads
   * @param wholeForMs for how long the node has forgotten no watched block and has missed no read,
   *     ms, at least 0; it may have missed earlier reads
   * @param fromStart true if this report begins a new list of all watched blocks that have been
   *     read; false if it adds to the earlier reports
   * @param hasMore true if the list did not fit, so that the next report continues it
   * @param reads the blocks that were read
   */
  public OldReads(boolean seesAll, long wholeForMs, boolean fromStart, boolean hasMore,
      List<Read> reads) {
    this.seesAll = seesAll;
    this.wholeForMs = wholeForMs;
    this.fromStart = fromStart;
    this.hasMore = hasMore;
    this.reads = Collections.unmodifiableList(new ArrayList<>(reads));
  }

  /**
   * Encodes the report. The sender must have made it with at most {@link OldReads#BLOCKS_MAX}
   * blocks.
   */
  OldReadsProto toProto() {
    FieldRules.atMost("old blocks read", reads.size(), BLOCKS_MAX);
    OldReadsProto.Builder builder = OldReadsProto.newBuilder()
        .setSeesAll(seesAll)
        .setWholeForMs(wholeForMs)
        .setFromStart(fromStart)
        .setHasMore(hasMore);
    for (Read read : reads) {
      builder.addBlocks(read.blockId).addAgoMs(read.agoMs);
    }
    return builder.build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static OldReads parse(OldReadsProto proto) {
    FieldRules.atMost("old blocks read", proto.getBlocksCount(), BLOCKS_MAX);
    if (proto.getAgoMsCount() != proto.getBlocksCount()) {
      throw new IllegalArgumentException(proto.getBlocksCount() + " old blocks were read at "
          + proto.getAgoMsCount() + " times");
    }
    List<Read> reads = new ArrayList<>();
    for (int i = 0; i < proto.getBlocksCount(); i++) {
      reads.add(new Read(proto.getBlocks(i), notNegative(proto.getAgoMs(i))));
    }
    return new OldReads(proto.getSeesAll(), notNegative(proto.getWholeForMs()),
        proto.getFromStart(), proto.getHasMore(), reads);
  }

  private static long notNegative(long ms) {
    if (ms < 0) {
      throw new IllegalArgumentException("a time of old reads is " + ms + " ms");
    }
    return ms;
  }

  @Override
  public String toString() {
    return this == UNSAID ? "watches no blocks"
        : (seesAll ? "sees all reads" : "sees long reads") + ", whole for " + wholeForMs + " ms, "
            + (fromStart ? "all" : "newly") + " read " + reads + (hasMore ? " and more" : "");
  }
}
