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
import java.util.List;
import java.util.Optional;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.UnitState;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.LatestUpdates;
import org.hdfsppr.update.append.UpdateTicket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes deltas of updates, on the node that leads the unit. The epoch of an update is the number of
 * the commit to which it belongs. A delta is the bytes that an update writes, XOR the unit's bytes
 * at the end of the epoch before; see {@link org.hdfsppr.update.append.NumberedUpdate}. To get the
 * unit's bytes at that time, this class reads a block of this node, and applies the updates of the
 * log that have earlier epochs:
 *
 * <pre>
 *   history    1 ... d | d+1 ...          | s ...
 *              dropped   earlier epochs     the epoch of the turn
 *   block      1 ........... u               u is at least d, and before s
 * </pre>
 *
 * <p>The log has dropped the updates up to d, and the block has those up to u. This class applies
 * all updates from d+1 on. Those up to u are then applied twice, which does not change the result,
 * because all later updates of earlier epochs are applied after them. The block and the log
 * together must have all updates before s, and the block must have none from s on. A trim may drop
 * updates from the log at any time. So this class checks after it has read everything that none are
 * missing. If any are, there are no deltas, and followers get the bytes that the updates write.
 * Used by the thread of {@link UnitLead} that sends the waiting updates to the followers; these
 * updates are a turn.
 */
final class EpochDeltas {
  private static final Logger LOG = LoggerFactory.getLogger(EpochDeltas.class);

  private final UpdateLog log;
  private final OwnBlocks blocks;
  private final BlockLineage lineage;
  /**
   * The epoch of the updates for which this class last made deltas; {@link #earlier} has the log's
   * updates of the epochs before it. 0 at first.
   */
  private long epoch;
  /** The number of the last update that the log had dropped when {@link #earlier} was read. */
  private long dropped;
  /**
   * The updates of the log with earlier epochs. The list stays complete, because the log takes no
   * more updates of these epochs.
   */
  private List<LogEntry> earlier = new ArrayList<>();
  private boolean earlierHasDeltas;
  private LatestUpdates latest = new LatestUpdates();

  /**
   * @param log the log of this node
   * @param blocks the blocks of this node
   * @param lineage knows which blocks of later versions this node has made from which others
   */
  EpochDeltas(UpdateLog log, OwnBlocks blocks, BlockLineage lineage) {
    this.log = log;
    this.blocks = blocks;
    this.lineage = lineage;
  }

  /**
   * Makes the deltas of a turn.
   *
   * @param turn the updates that go to the followers together, in the order of their numbers; this
   *     log has them
   * @param ticket a ticket of the current term, which names the unit's block
   * @param data the bytes that the updates write, one after the other
   * @return the deltas, one after the other; empty if any of them cannot be calculated
   */
  Optional<byte[]> of(List<LogEntry> turn, UpdateTicket ticket, byte[] data) {
    LogEntry first = turn.get(0);
    if (turn.get(turn.size() - 1).epoch != first.epoch) {
      return Optional.empty();
    }
    BlockLineage.Heir heir = lineage.newest(ticket.block);
    Optional<byte[]> deltas = of(turn, ticket, data, heir.block, heir.upTo);
    // The newest block may belong to a commit that failed. The NameNode deletes such a block, and
    // then the block in the ticket serves as well.
    return deltas.isPresent() || heir.block.equals(ticket.block) ? deltas
        : of(turn, ticket, data, ticket.block, 0);
  }

  /**
   * Makes the deltas of a turn from a given block and the log.
   *
   * @param upTo the number of the last update that the block has; 0 if the block has the bytes of
   *     the version that the ticket names
   */
  private Optional<byte[]> of(List<LogEntry> turn, UpdateTicket ticket, byte[] data, BlockRef from,
      long upTo) {
    LogEntry first = turn.get(0);
    byte[] deltas = data.clone();
    try (UnitSource block = blocks.open(from)) {
      look(first);
      if (upTo > dropped + earlier.size() || earlierHasDeltas) {
        return Optional.empty();
      }
      int at = 0;
      for (LogEntry entry : turn) {
        byte[] before = new byte[entry.length];
        block.read(entry.offset, ByteBuffer.wrap(before));
        putEarlier(entry.offset, before);
        for (int i = 0; i < before.length; i++) {
          deltas[at + i] ^= before[i];
        }
        at += before.length;
      }
    } catch (IOException | RuntimeException e) {
      // The update does not fail. Instead of deltas, the leader sends the bytes that the update
      // writes.
      LOG.debug("{}: what was before epoch {} is not known", ticket, first.epoch, e);
      return Optional.empty();
    }
    UnitState state = log.state(ticket.unit).orElse(null);
    boolean isWhole = state != null && state.term == ticket.term
        && (upTo > 0 ? state.dropped <= upTo : state.isWholeOver(ticket.committed));
    return isWhole ? Optional.of(deltas) : Optional.empty();
  }

  /**
   * Fills {@link #earlier} with the log's updates of earlier epochs, unless it has them already.
   */
  private void look(LogEntry first) {
    long now = log.state(first.unit).map(state -> state.dropped).orElse(0L);
    if (first.epoch == epoch && now == dropped) {
      return;
    }
    epoch = first.epoch;
    earlier = new ArrayList<>();
    latest = new LatestUpdates();
    for (LogEntry entry : log.entries(first.unit, 0, Integer.MAX_VALUE)) {
      if (entry.epoch < epoch) {
        latest.add(entry.offset, entry.offset + entry.length, earlier.size());
        earlier.add(entry);
      }
    }
    earlierHasDeltas = earlier.stream().anyMatch(entry -> entry.isDelta);
    // If a trim drops updates from now on, the next call sees that the log's number differs from
    // this one, and makes a new list.
    dropped = earlier.isEmpty() ? now : earlier.get(0).sequence - 1;
  }

  private void putEarlier(long offset, byte[] bytes) throws IOException {
    for (LatestUpdates.Piece piece : latest.within(offset, offset + bytes.length)) {
      LogEntry entry = earlier.get(piece.update);
      log.read(entry, (int) (piece.from - entry.offset), ByteBuffer.wrap(bytes,
          (int) (piece.from - offset), (int) (piece.to - piece.from)));
    }
  }
}
