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
package org.hdfsppr.datanode.update;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.UnitState;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.update.append.OldBytes;
import org.hdfsppr.update.append.UpdateBounds;
import org.hdfsppr.update.append.UpdateTicket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the old bytes of updates, on the node that leads the unit. Old bytes are what a range of
 * the unit held before an update, where no earlier update of the same commit has written. To find
 * them, this class reads a block of this node, and applies all earlier updates of the log to it.
 * The block and the log together must have all earlier updates. A trim may drop some from the log
 * at any time. So this class checks after it has read that none are missing. If any are, or if this
 * node does not have the block, followers get no old bytes. Used by the thread of {@link UnitLead}
 * that sends the waiting updates to the followers; these updates are a turn.
 *
 * <p>This class only decides which old bytes are sent. At a commit, each follower finds out for
 * itself which ones it needs and whether it has them. So too many or too few do no harm.
 *
 * <p>The updates are sent only after this class has read from a disk. So it reads only for tickets
 * that ask for old bytes, and at most as many bytes as the updates write.
 */
final class OverwrittenBytes {
  private static final Logger LOG = LoggerFactory.getLogger(OverwrittenBytes.class);

  /** The ranges whose old bytes are known, and these bytes. Immutable. */
  static final class Found {
    static final Found NOTHING = new Found(OldBytes.NONE, new byte[0]);

    final OldBytes old;
    private final byte[] data;

    private Found(OldBytes old, byte[] data) {
      this.old = old;
      this.data = data;
    }

    /** Returns the given data, followed by the old bytes. */
    byte[] behind(byte[] first) {
      return data.length == 0 ? first
          : ByteBuffer.allocate(first.length + data.length).put(first).put(data).array();
    }
  }

  private final UpdateLog log;
  private final OwnBlocks blocks;
  private final BlockLineage lineage;
  /** The commit whose updates {@link #written} has; 0 if there is none. */
  private long epoch;
  /** The ranges of the unit that updates for the commit {@link #epoch} have written. */
  private ByteRanges written = new ByteRanges();

  /**
   * @param log the log of this node
   * @param blocks the blocks of this node
   * @param lineage knows which blocks of later versions this node has made from which others
   */
  OverwrittenBytes(UpdateLog log, OwnBlocks blocks, BlockLineage lineage) {
    this.lineage = lineage;
    this.log = log;
    this.blocks = blocks;
  }

  /**
   * Finds the bytes that updates of a turn overwrite.
   *
   * @param turn the updates that go to the followers together, in the order of their numbers; this
   *     log has them, but does not yet show them to readers
   * @param ticket a ticket of the current term, which names the unit's block
   * @param bytesMost how many old bytes may be sent at most
   * @return the old bytes that are known; a range is there as a whole or not at all
   */
  Found of(List<LogEntry> turn, UpdateTicket ticket, int bytesMost) {
    LogEntry first = turn.get(0);
    boolean isOneEpoch = turn.get(turn.size() - 1).epoch == first.epoch;
    if (!isOneEpoch || first.epoch != epoch) {
      begin(first, isOneEpoch);
    }
    List<OldBytes.Range> ranges = new ArrayList<>();
    long bytes = 0;
    for (LogEntry entry : turn) {
      long end = entry.offset + entry.length;
      Map<Long, Long> fresh = isOneEpoch ? written.missing(entry.offset, end)
          : Collections.emptyMap();
      long more = fresh.entrySet().stream().mapToLong(one -> one.getValue() - one.getKey()).sum();
      if (bytes + more <= bytesMost
          && ranges.size() + fresh.size() <= UpdateBounds.OLD_RANGES_MAX) {
        fresh.forEach((from, to) -> ranges.add(
            new OldBytes.Range(entry.sequence, from, (int) (to - from))));
        bytes += more;
      }
      if (isOneEpoch) {
        written.add(entry.offset, end);
      }
    }
    return ranges.isEmpty() ? Found.NOTHING
        : read(ranges, new byte[(int) bytes], ticket, first.sequence - 1);
  }

  /** Makes {@link #written} the ranges that earlier updates for the same commit have written. */
  private void begin(LogEntry first, boolean isOneEpoch) {
    written = new ByteRanges();
    epoch = isOneEpoch ? first.epoch : 0;
    for (LogEntry entry : log.entries(first.unit, 0, Integer.MAX_VALUE)) {
      if (entry.epoch == epoch && entry.sequence < first.sequence) {
        written.add(entry.offset, entry.offset + entry.length);
      }
    }
  }

  /**
   * Reads the old bytes of ranges.
   *
   * @param before the number of the last update before those that are about to be sent
   */
  private Found read(List<OldBytes.Range> ranges, byte[] data, UpdateTicket ticket, long before) {
    BlockLineage.Heir heir = lineage.newest(ticket.block);
    Found found = read(ranges, data, ticket, before, heir.block, heir.upTo);
    // The newest block may belong to a commit that failed. The NameNode deletes such a block, and
    // then the block in the ticket serves as well.
    return found != Found.NOTHING || heir.block.equals(ticket.block) ? found
        : read(ranges, data, ticket, before, ticket.block, 0);
  }

  /**
   * Reads the old bytes of ranges from a given block and the log.
   *
   * @param upTo the number of the last update that the block has; 0 if the block has the bytes of
   *     the version that the ticket names
   */
  private Found read(List<OldBytes.Range> ranges, byte[] data, UpdateTicket ticket, long before,
      BlockRef from, long upTo) {
    try (UnitSource block = blocks.open(from)) {
      int at = 0;
      for (OldBytes.Range range : ranges) {
        block.read(range.offset, ByteBuffer.wrap(data, at, range.length));
        log.overlay(ticket.unit, range.offset, ByteBuffer.wrap(data, at, range.length));
        at += range.length;
      }
    } catch (IOException | RuntimeException e) {
      // The update does not fail. At the commit, followers without these old bytes get the change
      // from other nodes.
      LOG.debug("{}: the bytes before update {} are not known", ticket, before + 1, e);
      return Found.NOTHING;
    }
    UnitState state = log.state(ticket.unit).orElse(null);
    // If the block has updates that this log has never had, the log that had them was lost, and
    // there are no old bytes.
    boolean isWhole = state != null && state.term == ticket.term && state.shown == before
        && (upTo > 0 ? state.dropped <= upTo && upTo <= before
            : state.isWholeOver(ticket.committed));
    return isWhole ? new Found(new OldBytes(from, ranges), data) : Found.NOTHING;
  }
}
