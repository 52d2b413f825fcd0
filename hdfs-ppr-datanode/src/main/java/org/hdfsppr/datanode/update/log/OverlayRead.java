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
package org.hdfsppr.datanode.update.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Reads the bytes that updates have written in a range. It holds a use of the segments, so that no
 * trim closes them meanwhile. Used by one thread; made under the log's lock.
 */
@InterfaceAudience.Private
final class OverlayRead implements Closeable {
  /** The bytes of a delta that are read at a time. */
  private static final int PART_BYTES = 64 << 10;

  private final List<RangeOverlay.Piece> pieces;
  private final boolean isLayered;
  private final Set<LogSegment> used = new HashSet<>();

  /** @param pieces the last update of each byte of the range, as pieces in ascending order */
  OverlayRead(List<RangeOverlay.Piece> pieces) {
    this(pieces, false);
  }

  /**
   * @param pieces the pieces to apply to the range, in this order
   * @param isLayered whether pieces may be deltas, or may overlap
   */
  OverlayRead(List<RangeOverlay.Piece> pieces, boolean isLayered) {
    this.isLayered = isLayered;
    this.pieces = pieces;
    for (RangeOverlay.Piece piece : pieces) {
      if (!used.contains(piece.entry.segment) && piece.entry.segment.use()) {
        used.add(piece.entry.segment);
      }
    }
  }

  /**
   * Puts the bytes into a buffer.
   *
   * @param offset the offset in the unit of the buffer's position
   */
  void read(long offset, ByteBuffer block) throws IOException {
    for (RangeOverlay.Piece piece : pieces) {
      ByteBuffer part = block.duplicate();
      part.position(block.position() + (int) (piece.offset - offset));
      part.limit(part.position() + piece.length);
      piece.entry.read((int) (piece.offset - piece.entry.offset), part);
    }
  }

  /**
   * Reads the bytes into a buffer.
   *
   * @param offset the offset in the unit of the buffer, which is all zeros
   * @return the view, which says which bytes of the buffer are written and which are deltas
   */
  LogView view(long offset, byte[] buffer) throws IOException {
    if (isLayered) {
      return readLayers(offset, buffer);
    }
    read(offset, ByteBuffer.wrap(buffer));
    return LogView.of(pieces, offset, buffer);
  }

  /**
   * Applies the pieces to a buffer one after the other: updates replace bytes, deltas are added.
   */
  private LogView readLayers(long offset, byte[] buffer) throws IOException {
    BitSet written = new BitSet(buffer.length);
    BitSet deltas = new BitSet(buffer.length);
    for (RangeOverlay.Piece piece : pieces) {
      int at = (int) (piece.offset - offset);
      int from = (int) (piece.offset - piece.entry.offset);
      if (!piece.entry.isDelta) {
        piece.entry.read(from, ByteBuffer.wrap(buffer, at, piece.length));
        deltas.clear(at, at + piece.length);
      } else {
        add(piece, from, buffer, at);
        // A delta that is added to written bytes gives written bytes, which are no delta.
        for (int i = written.nextClearBit(at); i < at + piece.length;
            i = written.nextClearBit(i + 1)) {
          deltas.set(i);
        }
      }
      written.set(at, at + piece.length);
    }
    return LogView.of(written, deltas, offset, buffer);
  }

  private static void add(RangeOverlay.Piece piece, int from, byte[] buffer, int at)
      throws IOException {
    byte[] part = new byte[Math.min(PART_BYTES, piece.length)];
    for (int done = 0; done < piece.length; done += part.length) {
      int length = Math.min(part.length, piece.length - done);
      piece.entry.read(from + done, ByteBuffer.wrap(part, 0, length));
      for (int i = 0; i < length; i++) {
        buffer[at + done + i] ^= part[i];
      }
    }
  }

  @Override
  public void close() throws IOException {
    LogSegments.release(used);
  }
}
