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
package org.hdfsppr.wire;

import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Holds the output rows of one slice, with room in front for the packet header and the checksums.
 * One write can therefore send header, checksums and rows together:
 *
 * <pre>
 *   | headroom ... | packet header | row sums | row 0 | row 1 | ... |
 *   0                                         HEADROOM
 * </pre>
 *
 * <p>The rows lie one behind the other. Each row is as long as the slice. Used by one thread.
 */
@InterfaceAudience.Private
public final class SliceBuffer {
  /**
   * Room in front of the rows for packet header and checksums, bytes. A packet header has at most
   * about 40 bytes. The checksums of a slice with the largest number of rows have 260 bytes.
   */
  static final int HEADROOM = 320;

  private final ByteBuffer memory;
  private final ByteBuffer[] views;
  private int rows;
  private int length;

  /**
   * @param memory a direct buffer of {@link #bytesFor} bytes; the caller still owns it
   * @param rowsMost the greatest number of rows that a slice has
   */
  public SliceBuffer(ByteBuffer memory, int rowsMost) {
    this.memory = memory;
    this.views = new ByteBuffer[rowsMost];
    for (int row = 0; row < rowsMost; row++) {
      views[row] = memory.duplicate();
    }
  }

  /**
   * @param rows the greatest number of rows that a slice has
   * @param sliceBytes length of a row, bytes
   * @return length of the memory that a slice buffer for these rows needs, bytes
   */
  public static int bytesFor(int rows, int sliceBytes) {
    return HEADROOM + rows * sliceBytes;
  }

  /**
   * Sets the shape of the next slice. The content of the buffer is undefined afterwards.
   *
   * @param newRows number of rows
   * @param newLength length of a row, bytes
   * @throws IllegalArgumentException if the rows do not fit
   */
  public void shape(int newRows, int newLength) {
    if (newRows < 1 || newRows > views.length
        || HEADROOM + (long) newRows * newLength > memory.capacity()) {
      throw new IllegalArgumentException(newRows + " rows of " + newLength
          + " bytes do not fit into a slice buffer of " + views.length + " rows and "
          + memory.capacity() + " bytes");
    }
    rows = newRows;
    length = newLength;
  }

  /** @return number of rows */
  public int rows() {
    return rows;
  }

  /** @return length of a row, bytes */
  public int length() {
    return length;
  }

  /**
   * @param row index of a row
   * @return the row's bytes, from position to limit; valid until the next call for the same row
   */
  public ByteBuffer row(int row) {
    ByteBuffer view = views[row];
    view.limit(HEADROOM + (row + 1) * length);
    view.position(HEADROOM + row * length);
    return view;
  }

  /** @return all rows as one run of bytes; valid until the next call for row 0 */
  public ByteBuffer allRows() {
    ByteBuffer view = views[0];
    view.limit(HEADROOM + rows * length);
    view.position(HEADROOM);
    return view;
  }

  /**
   * Returns header, checksums and rows as one run of bytes. Header and checksums together have
   * {@code before} bytes.
   */
  ByteBuffer framed(int before) {
    ByteBuffer view = allRows();
    view.position(HEADROOM - before);
    return view;
  }
}
