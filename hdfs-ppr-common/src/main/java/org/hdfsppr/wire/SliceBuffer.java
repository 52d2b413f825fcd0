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
 * The output rows of one slice, with room in front for what goes before them on the wire, so that a
 * slice leaves in one piece:
 *
 * <pre>
 *   | headroom ... | packet header | row sums | row 0 | row 1 | ... |
 *   0                                         HEADROOM
 * </pre>
 *
 * <p>The rows of a slice lie one behind the other, each as long as the slice. Used by one thread.
 */
@InterfaceAudience.Private
public final class SliceBuffer {
  /** A packet header has at most some 40 bytes, and the most rows have sums of 260. */
  static final int HEADROOM = 320;

  private final ByteBuffer memory;
  private final ByteBuffer[] views;
  private int rows;
  private int length;

  /**
   * @param memory a direct buffer of {@link #bytesFor} bytes; stays the caller's
   * @param rowsMost rows that a slice can have
   */
  public SliceBuffer(ByteBuffer memory, int rowsMost) {
    this.memory = memory;
    this.views = new ByteBuffer[rowsMost];
    for (int row = 0; row < rowsMost; row++) {
      views[row] = memory.duplicate();
    }
  }

  /** Bytes of memory for {@code rows} rows of {@code sliceBytes}. */
  public static int bytesFor(int rows, int sliceBytes) {
    return HEADROOM + rows * sliceBytes;
  }

  /** Sets how many rows of how many bytes the next slice has. The content is undefined then. */
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

  public int rows() {
    return rows;
  }

  /** Bytes of a row. */
  public int length() {
    return length;
  }

  /** Row {@code row}, from position to limit; valid until the next call for that row. */
  public ByteBuffer row(int row) {
    ByteBuffer view = views[row];
    view.limit(HEADROOM + (row + 1) * length);
    view.position(HEADROOM + row * length);
    return view;
  }

  /** All rows as one run of bytes; valid until the next call for row 0. */
  public ByteBuffer allRows() {
    ByteBuffer view = views[0];
    view.limit(HEADROOM + rows * length);
    view.position(HEADROOM);
    return view;
  }

  /** Header, row sums and rows in one run of bytes that begins {@code before} bytes early. */
  ByteBuffer framed(int before) {
    ByteBuffer view = allRows();
    view.position(HEADROOM - before);
    return view;
  }
}
