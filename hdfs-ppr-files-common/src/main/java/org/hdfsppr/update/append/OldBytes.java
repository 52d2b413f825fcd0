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
package org.hdfsppr.update.append;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.update.append.proto.UpdateProtos.OldBytesProto;
import org.hdfsppr.update.append.proto.UpdateProtos.ReplicateProto;
import org.hdfsppr.wire.WireRules;

/**
 * The ranges of a unit in which updates were the first of their epoch to overwrite bytes; the
 * <b>old bytes</b> themselves stand elsewhere. A follower that has a parity unit calculates the
 * parity's change from the old bytes and the new ones. The old bytes of a range belong to one
 * update: they are what the unit had right before it, according to the unit's history. Immutable.
 */
@InterfaceAudience.Private
public final class OldBytes {
  /** No ranges: the sender does not say what the updates have overwritten. */
  public static final OldBytes NONE = new OldBytes(null, List.of());

  /** A range of bytes that one update has overwritten. Immutable. */
  public static final class Range {
    /** The number of the update in the unit's history */
    public final long sequence;
    /** The offset of the first of the bytes in the unit */
    public final long offset;
    /** How many bytes */
    public final int length;

    /**
     * @param sequence the number of the update in the unit's history
     * @param offset the offset of the first of the bytes in the unit
     * @param length how many bytes, at least 1
     */
    public Range(long sequence, long offset, int length) {
      this.sequence = sequence;
      this.offset = offset;
      this.length = length;
    }

    /** @return the offset in the unit behind the last byte */
    public long end() {
      return offset + length;
    }
  }

  /** The block from which the leader has read the old bytes; null if there are no ranges. */
  public final BlockRef block;
  /** The ranges */
  public final List<Range> ranges;
  /** How many bytes all ranges have together */
  public final long bytes;

  /**
   * @param block the block from which the leader has read the old bytes; null if there are no
   *     ranges
   * @param ranges the ranges, in the order of the updates; those of one update in ascending order
   * @throws IllegalArgumentException if there are more than {@link UpdateBounds#OLD_RANGES_MAX}
   *     ranges, or if there are ranges but no block
   */
  public OldBytes(BlockRef block, List<Range> ranges) {
    if (ranges.size() > UpdateBounds.OLD_RANGES_MAX || !ranges.isEmpty() && block == null) {
      throw new IllegalArgumentException(ranges.size() + " ranges of old bytes of " + block);
    }
    this.block = block;
    this.ranges = List.copyOf(ranges);
    this.bytes = ranges.stream().mapToLong(range -> range.length).sum();
  }

  /** @return whether there are no ranges */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /**
   * Checks that each range lies in the update that it names, and that the ranges are in order and
   * do not overlap.
   *
   * @throws IllegalArgumentException whose message says what is wrong
   */
  void check(List<NumberedUpdate> records) {
    long first = records.isEmpty() ? 0 : records.get(0).sequence;
    Range before = null;
    for (Range range : ranges) {
      long index = range.sequence - first;
      NumberedUpdate record =
          index >= 0 && index < records.size() ? records.get((int) index) : null;
      boolean isIn = record != null && range.length >= 1 && range.offset >= record.offset
          && range.offset - record.offset <= record.length - range.length;
      boolean isInOrder = before == null || before.sequence < range.sequence
          || before.sequence == range.sequence && before.end() <= range.offset;
      if (!isIn || !isInOrder) {
        throw new IllegalArgumentException(range.length + " old bytes at " + range.offset
            + " are not those of update " + range.sequence);
      }
      before = range;
    }
  }

  void into(ReplicateProto.Builder proto) {
    if (!isEmpty()) {
      proto.setOldBlockId(block.blockId).setOldGenerationStamp(block.generationStamp);
      for (Range range : ranges) {
        proto.addOldBytes(OldBytesProto.newBuilder()
            .setSequence(range.sequence)
            .setOffset(range.offset)
            .setLength(range.length));
      }
    }
  }

  /**
   * Reads a message.
   *
   * @param ticketBlock the block of the ticket; every block of the unit has its block pool and its
   *     length
   * @throws IllegalArgumentException whose message says what is wrong
   */
  static OldBytes of(ReplicateProto proto, BlockRef ticketBlock) {
    if (proto.getOldBytesCount() == 0) {
      return NONE;
    }
    if (!proto.hasOldBlockId() || !proto.hasOldGenerationStamp()) {
      throw new IllegalArgumentException("old bytes of no block");
    }
    WireRules.within("old_bytes", proto.getOldBytesCount(), 0, UpdateBounds.OLD_RANGES_MAX);
    return new OldBytes(new BlockRef(Objects.requireNonNull(ticketBlock).poolId,
        proto.getOldBlockId(), proto.getOldGenerationStamp(), ticketBlock.length),
        proto.getOldBytesList().stream().map(range -> new Range(range.getSequence(),
            range.getOffset(), WireRules.within("old_bytes.length", range.getLength(), 1,
                UpdateBounds.UPDATE_BYTES_MAX))).collect(Collectors.toList()));
  }
}
