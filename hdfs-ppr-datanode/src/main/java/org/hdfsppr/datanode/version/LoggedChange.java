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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.update.UnitUpdates;
import org.hdfsppr.manage.PatchCommand;
import org.hdfsppr.update.LatestUpdates;
import org.hdfsppr.update.append.NumberedUpdate;

/** Puts the updates of a log over the bytes of a data unit. Used by one thread. */
@InterfaceAudience.Private
final class LoggedChange implements ReplicaChange {
  private static final int WINDOW_BYTES = 256 << 10;

  private final UnitUpdates updates;
  private final LatestUpdates latest = new LatestUpdates();
  /** The update that was read last, because one update often has pieces in a row. */
  private int read = -1;
  private byte[] data;

  /**
   * @param command orders the change
   * @param updates the updates that it names
   * @throws IOException if an update writes outside of the command's ranges: the parities would not
   *     be changed there
   */
  LoggedChange(PatchCommand command, UnitUpdates updates) throws IOException {
    this.updates = updates;
    List<NumberedUpdate> records = updates.records();
    for (int i = 0; i < records.size(); i++) {
      NumberedUpdate record = records.get(i);
      long end = record.offset() + record.length();
      Map.Entry<Long, Long> range = command.ranges().floorEntry(record.offset());
      if (range == null || range.getValue() < end) {
        throw new IOException("Update " + record.sequence() + " writes bytes " + record.offset()
            + " to " + end + ", which the command does not name");
      }
      latest.add(record.offset(), end, i);
    }
  }

  @Override
  public int windowBytes() {
    return WINDOW_BYTES;
  }

  @Override
  public void apply(long offset, ByteBuffer window) throws IOException {
    for (LatestUpdates.Piece piece : latest.within(offset, offset + window.remaining())) {
      if (read != piece.update()) {
        data = updates.data(piece.update());
        read = piece.update();
      }
      int inUpdate = (int) (piece.from() - updates.records().get(read).offset());
      ByteBuffer at = window.duplicate();
      at.position(window.position() + (int) (piece.from() - offset));
      at.put(data, inUpdate, (int) (piece.to() - piece.from()));
    }
  }
}
