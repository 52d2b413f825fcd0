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
package org.hdfsppr.update.view;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says by a bit for each byte of a range which of them updates have written. A range with any
 * number of pieces thus fits into one answer, and a reader sees all of them at the same moment.
 */
@InterfaceAudience.Private
final class PieceMask {
  private PieceMask() {
  }

  /** Returns the length of the mask of a range, bytes. */
  static int bytes(int range) {
    return (range + Byte.SIZE - 1) / Byte.SIZE;
  }

  /**
   * Returns the mask of pieces.
   *
   * @param offset where in the unit the range begins
   * @param range bytes of the range
   */
  static byte[] of(List<ViewPiece> pieces, long offset, int range) {
    byte[] mask = new byte[bytes(range)];
    for (ViewPiece piece : pieces) {
      int first = (int) (piece.offset - offset);
      for (int i = first; i < first + piece.length; i++) {
        mask[i / Byte.SIZE] |= 1 << i % Byte.SIZE;
      }
    }
    return mask;
  }

  /**
   * Returns the pieces of a mask.
   *
   * @param deltas the mask of those whose data are deltas; empty if there are none
   * @throws IllegalArgumentException if a bit stands for no byte of the range, or if a delta is not
   *     in a piece
   */
  static List<ViewPiece> pieces(byte[] mask, byte[] deltas, long offset, int range) {
    List<ViewPiece> pieces = new ArrayList<>();
    int begin = -1;
    boolean isDelta = false;
    for (int i = 0; i <= mask.length * Byte.SIZE; i++) {
      boolean is = isSet(mask, i);
      boolean isOfDelta = isSet(deltas, i);
      if (is && i >= range || isOfDelta && !is) {
        throw new IllegalArgumentException("a piece goes past the end of the range, or a delta"
            + " past its piece");
      }
      if (begin >= 0 && (!is || isOfDelta != isDelta)) {
        pieces.add(new ViewPiece(offset + begin, i - begin, isDelta));
        begin = -1;
      }
      if (is && begin < 0) {
        begin = i;
        isDelta = isOfDelta;
      }
    }
    return pieces;
  }

  private static boolean isSet(byte[] mask, int bit) {
    return bit < mask.length * Byte.SIZE && (mask[bit / Byte.SIZE] >> bit % Byte.SIZE & 1) != 0;
  }
}
