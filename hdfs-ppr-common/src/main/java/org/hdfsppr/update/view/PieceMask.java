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
      int first = (int) (piece.offset() - offset);
      for (int i = first; i < first + piece.length(); i++) {
        mask[i / Byte.SIZE] |= 1 << i % Byte.SIZE;
      }
    }
    return mask;
  }

  /**
   * Returns the pieces of a mask.
   *
   * @throws IllegalArgumentException if a bit stands for no byte of the range
   */
  static List<ViewPiece> pieces(byte[] mask, long offset, int range) {
    List<ViewPiece> pieces = new ArrayList<>();
    int begin = -1;
    for (int i = 0; i <= mask.length * Byte.SIZE; i++) {
      boolean is = i < mask.length * Byte.SIZE && (mask[i / Byte.SIZE] >> i % Byte.SIZE & 1) != 0;
      if (is && i >= range) {
        throw new IllegalArgumentException("a piece goes past the end of the range");
      }
      if (is && begin < 0) {
        begin = i;
      } else if (!is && begin >= 0) {
        pieces.add(new ViewPiece(offset + begin, i - begin));
        begin = -1;
      }
    }
    return pieces;
  }
}
