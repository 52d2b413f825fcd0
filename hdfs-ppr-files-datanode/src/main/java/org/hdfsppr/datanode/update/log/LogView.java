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

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.view.ViewPiece;

/**
 * The bytes that the updates of a log have written in a range of a unit, as they were at one
 * moment. Immutable.
 */
@InterfaceAudience.Private
public final class LogView {
  /** The pieces, in ascending order; adjacent pieces of the same kind are joined */
  public final List<ViewPiece> pieces;
  /** The bytes of the pieces, one after the other; not copied */
  public final byte[] data;

  LogView(List<ViewPiece> pieces, byte[] data) {
    this.pieces = List.copyOf(pieces);
    this.data = data;
  }

  /**
   * Makes a view that has no deltas, and joins adjacent pieces.
   *
   * @param pieces the pieces, each with bytes of one update, in ascending order
   * @param offset where in the unit the range begins
   * @param buffer the bytes of the range; only those within the pieces are valid
   */
  static LogView of(List<RangeOverlay.Piece> pieces, long offset, byte[] buffer) {
    List<ViewPiece> joined = new ArrayList<>();
    for (RangeOverlay.Piece piece : pieces) {
      ViewPiece last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      if (last != null && last.end() == piece.offset) {
        joined.set(joined.size() - 1,
            new ViewPiece(last.offset, last.length + piece.length));
      } else {
        joined.add(new ViewPiece(piece.offset, piece.length));
      }
    }
    byte[] data = new byte[joined.stream().mapToInt(piece -> piece.length).sum()];
    int at = 0;
    for (ViewPiece piece : joined) {
      System.arraycopy(buffer, (int) (piece.offset - offset), data, at, piece.length);
      at += piece.length;
    }
    return new LogView(joined, data);
  }

  /**
   * Makes a view in which some bytes may be deltas.
   *
   * @param written which bytes of the range updates have written
   * @param deltas which of these bytes are deltas
   * @param offset where in the unit the range begins
   * @param buffer the bytes of the range
   */
  static LogView of(BitSet written, BitSet deltas, long offset, byte[] buffer) {
    List<ViewPiece> pieces = new ArrayList<>();
    byte[] data = new byte[written.cardinality()];
    int done = 0;
    int from = written.nextSetBit(0);
    while (from >= 0) {
      boolean isDelta = deltas.get(from);
      int change = isDelta ? deltas.nextClearBit(from) : deltas.nextSetBit(from);
      int end = written.nextClearBit(from);
      int to = change < 0 ? end : Math.min(end, change);
      pieces.add(new ViewPiece(offset + from, to - from, isDelta));
      System.arraycopy(buffer, from, data, done, to - from);
      done += to - from;
      from = written.nextSetBit(to);
    }
    return new LogView(pieces, data);
  }

  /** @return whether some of the data are deltas */
  public boolean hasDeltas() {
    return pieces.stream().anyMatch(piece -> piece.isDelta);
  }
}
