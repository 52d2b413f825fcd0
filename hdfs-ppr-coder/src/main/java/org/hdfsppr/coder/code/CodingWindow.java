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
package org.hdfsppr.coder.code;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Divides a window into sub-chunks. A window has those bytes of all units that a code treats as one
 * piece: a cell of each unit, or the shorter cells of a block group's last stripe. The picture
 * shows the bytes of one unit:
 *
 * <pre>
 *   0         h        2h                (s-1)h       sh     length
 *   +---------+---------+-----     -----+---------+---------+
 *   | sub 0   | sub 1   |      ...      | sub s-1 |remainder|     h = length / s, rounded down
 *   +---------+---------+-----     -----+---------+---------+
 * </pre>
 *
 * <p>In a window, all units have the same length. In the last stripe of a block group, this is the
 * length of the stripe's first cell: clients pad shorter data cells with zeros to this length, and
 * store parity cells of this length. The length need not be divisible by s, because a file may have
 * any length, and a parity cell cannot be made longer. The last {@code length mod s} bytes, the
 * remainder, are therefore coded byte by byte with {@link LinearCode#remainderCode}.
 */
@InterfaceAudience.Public
public final class CodingWindow {
  private final int length;
  private final int subChunks;

  /**
   * Divides a window of a code.
   *
   * @param code the code
   * @param length bytes of each unit
   * @throws IllegalArgumentException if the length is negative, or if it has a remainder and the
   *     code has no remainder code
   */
  public CodingWindow(LinearCode code, int length) {
    if (length < 0) {
      throw new IllegalArgumentException("a window of " + length + " bytes");
    }
    this.length = length;
    this.subChunks = code.subChunks();
    if (remainderLength() > 0 && !code.remainderCode().isPresent()) {
      throw new IllegalArgumentException(code.name() + " divides a unit into " + subChunks
          + " equal parts and cannot code a window of " + length + " bytes");
    }
  }

  /** {@return bytes of each unit} */
  public int length() {
    return length;
  }

  /** {@return s, the number of sub-chunks of a unit} */
  public int subChunks() {
    return subChunks;
  }

  /** {@return bytes of each sub-chunk; 0 if the window is shorter than s} */
  public int subChunkLength() {
    return length / subChunks;
  }

  /**
   * {@return the offset in the unit at which a sub-chunk begins}
   *
   * @param sub index of the part
   */
  public int offsetOf(int sub) {
    return sub * subChunkLength();
  }

  /** {@return number of bytes of each unit that belong to no sub-chunk, 0 to s - 1} */
  public int remainderLength() {
    return length % subChunks;
  }

  /** {@return the offset in each unit at which the remainder begins} */
  public int remainderOffset() {
    return length - remainderLength();
  }
}
