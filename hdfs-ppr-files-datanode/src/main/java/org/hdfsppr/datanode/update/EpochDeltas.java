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
 * Makes deltas of updates, on the node that leads the unit. A delta is the bytes that an update
 * writes, XOR the unit's bytes at the end of the epoch before; see
 * {@link org.hdfsppr.update.append.NumberedUpdate}. To get these, this class reads a block of this
 * node, and applies the updates of the log that have earlier epochs:
 *
 * <pre>
 *   history    1 ... d | d+1 ...          | s ...
 *              dropped   earlier epochs     the epoch of the turn
 *   block      1 ........... u               u is at least d, and before s
 * </pre>
 *
 * <p>The block already has the updates up to u. Applying d+1 to u again does not change the result,
 * because all later updates of earlier epochs are applied after them. The block and the log
 * together must have all updates before s, and the block must have none from s on. A trim of the
 * log may change this at any time, so this class checks it after it has read everything. If it does
 * not hold, there are no deltas, and followers get the bytes that the updates write. Used by the
 * thread that has the turn.
 */
final class EpochDeltas {
  private static final Logger LOG = LoggerFactory.getLogger(EpochDeltas.class);

  private final UpdateLog log;
  private final OwnBlocks blocks;
  private final BlockLineage lineage;
  /**
   * The epoch of the last turn; {@link #earlier} has the updates before it. 0 before the first
   * turn.
   */
  private long epoch;
  /** The number of the last update that the log had dropped when {@link #earlier} was read. */
  private long dropped;
  /** The updates of the log with earlier epochs. The log takes no more updates of these epochs. */
  private List<LogEntry> earlier = new ArrayList<>();
  private boolean earlierHasDeltas;
  private LatestUpdates latest = new LatestUpdates();

  /**
   * @param log the log of this node, which leads
   * @param blocks the blocks of this node
   * @param lineage says from which blocks this node has made those of later versions
   */
  EpochDeltas(UpdateLog log, OwnBlocks blocks, BlockLineage lineage) {
    this.log = log;
    this.blocks = blocks;
    this.lineage = lineage;
  }

  /**
   * Makes the deltas of a turn.
   *
   * @param turn all updates of the turn, which this log has
   * @param ticket a ticket of the term
   * @param data the bytes that the updates write, one after the other
   * @return the deltas, one after the other; empty if one of them is not known
   */
  Optional<byte[]> of(List<LogEntry> turn, UpdateTicket ticket, byte[] data) {
    LogEntry first = turn.get(0);
    if (turn.get(turn.size() - 1).epoch != first.epoch) {
      return Optional.empty();
    }
    BlockLineage.Heir heir = lineage.newest(ticket.block);
    Optional<byte[]> deltas = of(turn, ticket, data, heir.block, heir.upTo);
    // The newest block may belong to a failed commit, and the NameNode then deletes it. So the
    // ticket's block is tried as well.
    return deltas.isPresent() || heir.block.equals(ticket.block) ? deltas
        : of(turn, ticket, data, ticket.block, 0);
  }

  /**
   * As the other method, from one block.
   *
   * @param upTo the number of the last update that the block has; 0 if it has the bytes of the
   *     ticket's version
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
      // The update does not fail: its leader sends the bytes that it writes instead.
      LOG.debug("{}: what was before epoch {} is not known", ticket, first.epoch, e);
      return Optional.empty();
    }
    UnitState state = log.state(ticket.unit).orElse(null);
    boolean isWhole = state != null && state.term == ticket.term
        && (upTo > 0 ? state.dropped <= upTo : state.isWholeOver(ticket.committed));
    return isWhole ? Optional.of(deltas) : Optional.empty();
  }

  /** Lists the updates of earlier epochs in the log, unless the list is still valid. */
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
    // If a trim has dropped more meanwhile, the next turn finds another number and makes a new
    // list.
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
