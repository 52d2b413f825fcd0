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
package org.hdfsppr.client.update;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.read.LocatedGroup;

/** Cuts a write into parts, one for each unit. Successive cells of a unit form one part. */
@InterfaceAudience.Private
final class UnitParts {
  /** The most bytes of one update. */
  private static final int PIECE_BYTES_MOST = 1 << 20;

  /** A range of a unit. */
  private static final class Part {
    private final long offset;
    private int length;
    private ByteBuffer data;

    Part(long offset) {
      this.offset = offset;
    }
  }

  /** Is called for each piece of a write that lies within one cell. */
  private interface CellVisitor {
    void visit(long key, long offsetInUnit, int length);
  }

  private UnitParts() {
  }

  /**
   * @param groups of the file
   * @param position where in the file, within its length
   * @param from the bytes, from position to limit
   * @return the pieces of each unit, by {@link UnitKey}, in the order in which they are to be
   *     written
   */
  static Map<Long, List<UnitWriter.Piece>> of(List<LocatedGroup> groups, long position,
      ByteBuffer from) {
    Map<Long, Part> parts = new LinkedHashMap<>();
    walk(groups, position, from.remaining(), (key, offset, length) ->
        parts.computeIfAbsent(key, any -> new Part(offset)).length += length);
    parts.values().forEach(part -> part.data = ByteBuffer.allocate(part.length));
    ByteBuffer source = from.duplicate();
    walk(groups, position, from.remaining(), (key, offset, length) -> {
      ByteBuffer cell = source.duplicate();
      cell.limit(cell.position() + length);
      parts.get(key).data.put(cell);
      source.position(source.position() + length);
    });
    from.position(from.limit());
    Map<Long, List<UnitWriter.Piece>> pieces = new LinkedHashMap<>();
    parts.forEach((key, part) -> pieces.put(key, pieces(part)));
    return pieces;
  }

  private static List<UnitWriter.Piece> pieces(Part part) {
    List<UnitWriter.Piece> pieces = new ArrayList<>();
    part.data.flip();
    while (part.data.hasRemaining()) {
      long offset = part.offset + part.data.position();
      byte[] data = new byte[Math.min(PIECE_BYTES_MOST, part.data.remaining())];
      part.data.get(data);
      pieces.add(new UnitWriter.Piece(offset, data));
    }
    return pieces;
  }

  private static void walk(List<LocatedGroup> groups, long position, int length,
      CellVisitor visitor) {
    int index = indexOf(groups, position);
    long at = position;
    for (int left = length; left > 0;) {
      LocatedGroup group = groups.get(index);
      long inGroup = at - group.start();
      if (inGroup >= group.bytes()) {
        index++;
        continue;
      }
      int cellBytes = group.cellBytes();
      long cell = inGroup / cellBytes;
      int inCell = (int) (inGroup % cellBytes);
      int part = (int) Math.min(Math.min(left, cellBytes - inCell), group.bytes() - inGroup);
      visitor.visit(UnitKey.of(index, (int) (cell % group.dataUnits())),
          cell / group.dataUnits() * cellBytes + inCell, part);
      at += part;
      left -= part;
    }
  }

  /** Returns the index of the last group that begins at a position or before it. */
  private static int indexOf(List<LocatedGroup> groups, long position) {
    int low = 0;
    int high = groups.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (groups.get(middle).start() <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
