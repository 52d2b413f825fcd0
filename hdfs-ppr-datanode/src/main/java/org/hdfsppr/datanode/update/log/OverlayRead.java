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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Reads what updates have written in a range. It uses the segments, so that no trim deletes them
 * meanwhile. Used by one thread; made under the log's lock.
 */
@InterfaceAudience.Private
final class OverlayRead implements Closeable {
  private final List<RangeOverlay.Piece> pieces;
  private final Set<LogSegment> used = new HashSet<>();

  /** @param pieces which updates have written the bytes of the range, in ascending order */
  OverlayRead(List<RangeOverlay.Piece> pieces) {
    this.pieces = pieces;
    for (RangeOverlay.Piece piece : pieces) {
      if (!used.contains(piece.entry().segment()) && piece.entry().segment().use()) {
        used.add(piece.entry().segment());
      }
    }
  }

  List<RangeOverlay.Piece> pieces() {
    return pieces;
  }

  /**
   * Puts the bytes into a buffer.
   *
   * @param offset where in the unit the buffer's position is
   */
  void read(long offset, ByteBuffer block) throws IOException {
    for (RangeOverlay.Piece piece : pieces) {
      ByteBuffer part = block.duplicate();
      part.position(block.position() + (int) (piece.offset() - offset));
      part.limit(part.position() + piece.length());
      piece.entry().read((int) (piece.offset() - piece.entry().offset()), part);
    }
  }

  @Override
  public void close() throws IOException {
    LogSegments.release(used);
  }
}
