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
import java.util.BitSet;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.manage.PatchCommand;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.stream.UnitSource;

/**
 * Adds what the changes of data units mean for a parity unit to a copy of it, slice by slice, and
 * checks samples of what was stored. The check does not use the changes: it adds up all data units
 * of the new version. Used by one thread.
 */
@InterfaceAudience.Private
final class ParityChange implements ReplicaChange {
  /** The bytes of a slice, and of a window of a code without sub-chunks, if few bytes change. */
  private static final int SLICE_BYTES_SHORT = 4 << 10;
  /** The bytes of a slice if many bytes change: as long as a packet of HDFS. */
  private static final int SLICE_BYTES_LONG = 64 << 10;
  /** Ranges that are longer on average count as many bytes. */
  private static final int MANY_BYTES = 256 << 10;
  private static final int WINDOW_BYTES = 1 << 20;
  /** The longest cell of a code with sub-chunks, which is in memory three times, bytes. */
  private static final int CELL_BYTES_MAX = 16 << 20;
  /** How many slices are checked: with four a wrong coefficient would not get through. */
  private static final int CHECKS_MAX = 4;

  private final PatchCommand command;
  private final ParitySums sums;
  private final SliceGeometry geometry;
  private final int windowBytes;
  private final BitSet dirty = new BitSet();
  private final byte[] changes;

  ParityChange(PatchCommand command, LinearCode code, ParitySums sums) throws IOException {
    this.command = command;
    this.sums = sums;
    long bytes = 0;
    for (Map.Entry<Long, Long> range : command.ranges().entrySet()) {
      bytes += range.getValue() - range.getKey();
    }
    this.geometry = sums.geometry(bytes / command.ranges().size() >= MANY_BYTES
        ? SLICE_BYTES_LONG : SLICE_BYTES_SHORT);
    this.windowBytes = code.subChunks() == 1 ? WINDOW_BYTES : command.made().cellBytes();
    if (windowBytes > CELL_BYTES_MAX) {
      throw new IOException("Cells of " + windowBytes + " bytes are too long to be patched, at"
          + " most " + CELL_BYTES_MAX + " are allowed");
    }
    this.changes = new byte[(int) Math.min(windowBytes, command.to().length())];
    for (Map.Entry<Long, Long> range : command.ranges().entrySet()) {
      SliceGeometry part = geometry.covering(range.getKey(), range.getValue());
      dirty.set(part.firstSlice(), part.slices());
    }
  }

  @Override
  public int windowBytes() {
    return windowBytes;
  }

  @Override
  public void apply(long offset, ByteBuffer window) throws IOException {
    SliceGeometry part = geometry.covering(offset, offset + window.remaining());
    int from = dirty.nextSetBit(part.firstSlice());
    while (from >= 0 && from < part.slices()) {
      int to = Math.min(dirty.nextClearBit(from), part.slices());
      sums.change(geometry.withSlices(from, to), changes, offset);
      int base = window.arrayOffset() + window.position();
      for (int i = 0; i < window.remaining(); i++) {
        window.array()[base + i] ^= changes[i];
      }
      from = dirty.nextSetBit(to);
    }
  }

  /**
   * Compares what was stored with the sums of all data units of the new version, in samples of what
   * has changed.
   *
   * @param stored the new unit
   * @throws ChecksumException if they differ
   */
  void check(UnitSource stored) throws IOException {
    int[] all = dirty.stream().toArray();
    SplittableRandom random = new SplittableRandom(command.to().blockId());
    for (int i = 0; i < Math.min(CHECKS_MAX, all.length); i++) {
      int slice = all.length <= CHECKS_MAX ? all[i] : all[random.nextInt(all.length)];
      long offset = geometry.offset(slice) / windowBytes * windowBytes;
      sums.whole(geometry.withSlices(slice, slice + 1), changes, offset);
      for (int run = 0; run < geometry.runs(slice); run++) {
        int length = geometry.lengthWithin(slice, run, command.to().length());
        long at = geometry.offset(slice, run);
        ByteBuffer bytes = ByteBuffer.allocate(length);
        if (length > 0) {
          stored.read(at, bytes);
        }
        bytes.flip();
        if (!bytes.equals(ByteBuffer.wrap(changes, (int) (at - offset), length))) {
          throw new ChecksumException("Unit " + command.unit() + " of " + command.made().id()
              + " is not what its data units make from byte " + at + " on", at);
        }
      }
    }
  }
}
