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
package org.hdfsppr.update;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Finds out for each byte of a unit which of the added updates has written it last. Not safe for
 * several threads.
 */
@InterfaceAudience.Private
public final class LatestUpdates {
  /** A range of bytes whose latest update is the same. Immutable. */
  public static final class Piece {
    /** The first byte */
    public final long from;
    /** The byte after the last one */
    public final long to;
    /** The number that {@link LatestUpdates#add} got for the update */
    public final int update;

    Piece(long from, long to, int update) {
      this.from = from;
      this.to = to;
      this.update = update;
    }
  }

  private final NavigableMap<Long, Piece> pieces = new TreeMap<>();

  /**
   * Adds an update that is later than all updates that were added before.
   *
   * @param from the first byte that it writes, at least 0
   * @param to the byte after the last one, greater than {@code from}
   * @param update a number by which the caller knows the update
   * @throws IllegalArgumentException if {@code from} is negative, or {@code to} not greater than
   *     {@code from}
   */
  public void add(long from, long to, int update) {
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException("No range: bytes from " + from + " to " + to);
    }
    cut(from);
    cut(to);
    pieces.subMap(from, to).clear();
    pieces.put(from, new Piece(from, to, update));
  }

  /**
   * If a piece has both the byte {@code at} and the byte before it, cuts the piece between the two.
   */
  private void cut(long at) {
    Map.Entry<Long, Piece> before = pieces.lowerEntry(at);
    if (before != null && before.getValue().to > at) {
      Piece whole = before.getValue();
      pieces.put(whole.from, new Piece(whole.from, at, whole.update));
      pieces.put(at, new Piece(at, whole.to, whole.update));
    }
  }

  /**
   * @param from the first byte of a range
   * @param to the byte after the last one
   * @return the pieces within the range, in ascending order, cut at its ends
   */
  public List<Piece> within(long from, long to) {
    List<Piece> found = new ArrayList<>();
    if (from >= to) {
      return found;
    }
    Map.Entry<Long, Piece> first = pieces.floorEntry(from);
    long begin = first != null && first.getValue().to > from ? first.getKey() : from;
    for (Piece piece : pieces.subMap(begin, to).values()) {
      found.add(new Piece(Math.max(from, piece.from), Math.min(to, piece.to), piece.update));
    }
    return found;
  }
}
