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
package org.hdfsppr.datanode.version;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.update.UnitUpdates;
import org.hdfsppr.manage.PatchCommand;
import org.hdfsppr.update.LatestUpdates;
import org.hdfsppr.update.append.NumberedUpdate;

/**
 * Applies the updates of a log to a data unit for a commit. The bytes of an update replace those of
 * the unit, and deltas are added to them by XOR; see {@link NumberedUpdate}. Bytes of an update
 * that a later one replaces are not read. Used by one thread.
 */
@InterfaceAudience.Private
final class LoggedChange implements ReplicaChange {
  private static final int WINDOW_BYTES = 256 << 10;

  private final UnitUpdates updates;
  /**
   * For each epoch, the update that has last written each byte. Without deltas all updates are in
   * one layer, because only the last one of each byte counts.
   */
  private final NavigableMap<Long, LatestUpdates> latest = new TreeMap<>();

  /**
   * @param command orders the change
   * @param updates the updates that the command names
   * @throws IOException if an update writes outside of the command's ranges, where the parities
   *     would not change, or if the old version already has a delta
   */
  LoggedChange(PatchCommand command, UnitUpdates updates) throws IOException {
    this.updates = updates;
    List<NumberedUpdate> records = updates.records();
    boolean hasDeltas = records.stream().anyMatch(update -> update.isDelta);
    long committed = command.log().orElseThrow().ticket.committed;
    for (int i = 0; i < records.size(); i++) {
      NumberedUpdate record = records.get(i);
      long end = record.offset + record.length;
      Map.Entry<Long, Long> range = command.ranges.floorEntry(record.offset);
      if (range == null || range.getValue() < end) {
        throw new IOException("Update " + record.sequence + " writes bytes " + record.offset
            + " to " + end + ", which the command does not name");
      }
      if (hasDeltas && record.epoch <= committed) {
        throw new IOException("Update " + record.sequence + " of epoch " + record.epoch
            + " is in the version of commit " + committed + " already");
      }
      latest.computeIfAbsent(hasDeltas ? record.epoch : 0, none -> new LatestUpdates())
          .add(record.offset, end, i);
    }
  }

  @Override
  public int windowBytes() {
    return WINDOW_BYTES;
  }

  @Override
  public void apply(long offset, ByteBuffer window) throws IOException {
    for (LatestUpdates layer : latest.values()) {
      for (LatestUpdates.Piece piece : layer.within(offset, offset + window.remaining())) {
        apply(piece, offset, window);
      }
    }
  }

  private void apply(LatestUpdates.Piece piece, long offset, ByteBuffer window)
      throws IOException {
    NumberedUpdate record = updates.records().get(piece.update);
    int inUpdate = (int) (piece.from - record.offset);
    int at = window.position() + (int) (piece.from - offset);
    ByteBuffer part = window.duplicate();
    part.position(at).limit(at + (int) (piece.to - piece.from));
    if (!record.isDelta) {
      updates.read(piece.update, inUpdate, part);
      return;
    }
    ByteBuffer delta = ByteBuffer.allocate(part.remaining());
    updates.read(piece.update, inUpdate, delta);
    for (int i = 0; i < delta.limit(); i++) {
      window.put(at + i, (byte) (window.get(at + i) ^ delta.get(i)));
    }
  }
}
