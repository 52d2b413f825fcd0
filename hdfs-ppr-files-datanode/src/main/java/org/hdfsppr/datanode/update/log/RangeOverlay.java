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
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Knows which update has written each byte of a unit last. An update that is added replaces earlier
 * ones in its range. It adds at most two pieces: its own, and the second part of a piece that it
 * splits. Not safe for several threads.
 */
final class RangeOverlay {
  /** A range of the unit that one update has written last. Immutable. */
  static final class Piece {
    /** The offset of the piece in the unit. */
    final long offset;
    final int length;
    final LogEntry entry;

    Piece(long offset, long end, LogEntry entry) {
      this.offset = offset;
      this.length = (int) (end - offset);
      this.entry = entry;
    }

    long end() {
      return offset + length;
    }
  }

  /** The pieces by their offset in the unit. They do not overlap. */
  private final TreeMap<Long, Piece> pieces = new TreeMap<>();

  /** Adds an update, which is later than all that were added before. */
  void add(LogEntry entry) {
    long from = entry.offset;
    long end = from + entry.length;
    Map.Entry<Long, Piece> before = pieces.lowerEntry(from);
    Map.Entry<Long, Piece> last = pieces.lowerEntry(end);
    Piece left = before != null && before.getValue().end() > from ? before.getValue() : null;
    Piece right = last != null && last.getValue().end() > end ? last.getValue() : null;
    pieces.subMap(from, end).clear();
    if (left != null) {
      pieces.put(left.offset, new Piece(left.offset, from, left.entry));
    }
    if (right != null) {
      pieces.put(end, new Piece(end, right.end(), right.entry));
    }
    pieces.put(from, new Piece(from, end, entry));
  }

  /** Forgets the updates that belong to the commit {@code epoch} or an earlier one. */
  void dropTo(long epoch) {
    pieces.values().removeIf(piece -> piece.entry.epoch <= epoch);
  }

  void clear() {
    pieces.clear();
  }

  /**
   * Returns the pieces within a range, in ascending order. A piece that is only partly in the range
   * is cut at the end of the range.
   */
  List<Piece> within(long offset, long length) {
    long end = offset + length;
    List<Piece> found = new ArrayList<>();
    Long from = pieces.floorKey(offset);
    Iterator<Piece> next =
        pieces.subMap(from == null ? offset : from, end).values().iterator();
    while (next.hasNext()) {
      Piece piece = next.next();
      if (length > 0 && piece.end() > offset) {
        found.add(new Piece(Math.max(offset, piece.offset), Math.min(end, piece.end()),
            piece.entry));
      }
    }
    return found;
  }

  int size() {
    return pieces.size();
  }
}
