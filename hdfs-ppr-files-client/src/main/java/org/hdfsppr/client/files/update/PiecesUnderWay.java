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
package org.hdfsppr.client.files.update;

import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The updates of a {@link LogFileUpdater} that are not acknowledged yet. Guarded by the monitor of
 * the updater.
 */
final class PiecesUnderWay {
  /** How many updates are under way at most. */
  static final int PIECES_MOST = 128;
  /**
   * How many bytes all updates under way have together at most; a single longer update is allowed.
   */
  private static final long BYTES_MOST = 16L << 20;

  private final NavigableSet<Long> orders = new TreeSet<>();
  private long bytes;
  private long last;

  /** Returns whether an update can be added. If no other is under way, it may have any length. */
  boolean hasRoom(int length) {
    return orders.isEmpty() || orders.size() < PIECES_MOST && bytes + length <= BYTES_MOST;
  }

  void add(UnitWriter.Piece piece) {
    piece.order(++last);
    orders.add(last);
    bytes += piece.length();
  }

  /** Takes note that an update was acknowledged. */
  void done(UnitWriter.Piece piece) {
    orders.remove(piece.order());
    bytes -= piece.length();
  }

  /** Forgets all updates, after a failure. */
  void drop() {
    orders.clear();
    bytes = 0;
  }

  long last() {
    return last;
  }

  /** Returns whether an update with this number or a lower one is not acknowledged yet. */
  boolean hasAny(long upTo) {
    return !orders.isEmpty() && orders.first() <= upTo;
  }
}
