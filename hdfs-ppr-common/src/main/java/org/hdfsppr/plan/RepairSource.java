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
package org.hdfsppr.plan;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A block that a repair reads, the node that holds it, and the coefficients with which its bytes
 * enter the sums. In a slice, a code with s sub-chunks uses s runs of the block's bytes, one from
 * each sub-chunk. Each run has a column of coefficients, with one coefficient for each output row.
 * The lost rows come first, s for each lost block, then the check row if the plan has one. A tail
 * is one run, and has a column of its own: one row for each lost block, and the check row.
 *
 * <p>The field {@link #unit} is the index of the block in its codeword. It only serves as a label
 * in logs and results. The field {@link #block} determines which bytes the repair reads.
 */
@InterfaceAudience.Private
public final class RepairSource {
  private static final byte[] NO_TAIL = {};

  /** Index of the block in its codeword */
  public final int unit;
  /** The block that is read */
  public final BlockRef block;
  /** The node that has a replica of the block */
  public final NodeRef holder;
  private final byte[] coefficients;
  /** The number of sub-chunks, s */
  public final int subChunks;
  private final int lostRows;
  /**
   * Number of output rows of a slice that is no tail, including the check row if the plan has one
   */
  public final int rows;
  private final byte[] tail;

  /**
   * Makes a source in a code without sub-chunks.
   *
   * @param unit index of the block in its codeword
   * @param block the block, of at least one byte
   * @param holder the node that has a replica of it
   * @param coefficients one coefficient for each output row, lost rows first; copied
   * @param lostRows how many of the output rows are lost rows, at least 1; the other rows are check
   *     rows
   * @throws IllegalArgumentException if the numbers contradict each other
   */
  public RepairSource(int unit, BlockRef block, NodeRef holder, byte[] coefficients, int lostRows) {
    this(unit, block, holder, coefficients, 1, lostRows, NO_TAIL);
  }

  /**
   * @param unit index of the block in its codeword
   * @param block the block, of at least one byte
   * @param holder the node that has a replica of it
   * @param coefficients for each output row, lost rows first, one coefficient for each sub-chunk,
   *     row after row; copied
   * @param subChunks s, the number of sub-chunks of the code
   * @param lostRows how many of the output rows are lost rows, s for each lost unit; the other rows
   *     are check rows
   * @param tail one coefficient for each output row of a tail, lost rows first; empty if the stream
   *     has no tail; copied
   * @throws IllegalArgumentException if the numbers contradict each other
   */
  public RepairSource(int unit, BlockRef block, NodeRef holder, byte[] coefficients, int subChunks,
      int lostRows, byte[] tail) {
    if (unit < 0 || block.length < 1 || subChunks < 1 || lostRows < 1
        || lostRows % subChunks != 0 || coefficients.length % subChunks != 0
        || lostRows > coefficients.length / subChunks) {
      throw new IllegalArgumentException("No source: unit " + unit + " of "
          + block.length + " bytes, " + coefficients.length + " coefficients for " + lostRows
          + " lost rows of " + subChunks + " sub-chunks");
    }
    this.unit = unit;
    this.block = block;
    this.holder = Objects.requireNonNull(holder, "holder");
    this.coefficients = coefficients.clone();
    this.subChunks = subChunks;
    this.lostRows = lostRows;
    this.rows = coefficients.length / subChunks;
    this.tail = tail.clone();
    if (tail.length != 0 && tail.length != tailRows()) {
      throw new IllegalArgumentException("No source: " + tail.length
          + " coefficients for a tail of " + tailRows() + " rows");
    }
  }

  private int tailRows() {
    return lostRows / subChunks + rows - lostRows;
  }

  /** @return length of the block, bytes */
  public long length() {
    return block.length;
  }

  /**
   * @return the coefficients for slices that are no tails: for each output row one coefficient for
   *     each sub-chunk, row after row, a copy
   */
  public byte[] coefficients() {
    return coefficients.clone();
  }

  /**
   * @return the coefficients for tails: one for each output row, a copy; empty if the stream has no
   *     tail
   */
  public byte[] tailCoefficients() {
    return tail.clone();
  }

  /**
   * @param kind kind of a slice
   * @param row index of an output row of such slices
   * @param run index of a run of the block in such slices, which is the index of the sub-chunk; 0
   *     for a tail
   * @return the coefficient of this run for this row, an element of GF(256)
   */
  public byte coefficient(SliceKind kind, int row, int run) {
    return kind.tail ? tail[row] : coefficients[row * subChunks + run];
  }

  /**
   * @param kind kind of a slice
   * @return number of output rows of such slices
   */
  public int rows(SliceKind kind) {
    int lost = kind.tail ? lostRows / subChunks : lostRows;
    return kind.checked ? lost + rows - lostRows : lost;
  }

  /**
   * @param kind kind of a slice
   * @param run index of a run of the block in such slices, which is the index of the sub-chunk; 0
   *     for a tail
   * @return whether any output row of such slices needs this run of the block
   */
  public boolean contributes(SliceKind kind, int run) {
    if (kind.tail && tail.length == 0) {
      return false;
    }
    int wanted = rows(kind);
    for (int row = 0; row < wanted; row++) {
      if (coefficient(kind, row, run) != 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * @param kind kind of a slice
   * @return whether any output row of these slices needs any run of the block
   */
  public boolean contributes(SliceKind kind) {
    int runs = kind.tail ? 1 : subChunks;
    for (int run = 0; run < runs; run++) {
      if (contributes(kind, run)) {
        return true;
      }
    }
    return false;
  }

  /** @return number of runs of the block that slices need which are neither checked nor tails */
  public int runsRead() {
    int read = 0;
    for (int run = 0; run < subChunks; run++) {
      read += contributes(SliceKind.PLAIN, run) ? 1 : 0;
    }
    return read;
  }

  /**
   * @param kind kind of a slice
   * @return whether each run of the block is needed for at least one output row of such slices
   */
  public boolean needsAll(SliceKind kind) {
    for (int run = 0; run < subChunks; run++) {
      if (!contributes(kind, run)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Says whether slices that are no tails need the block. A block that is read only for the check
   * is needed only in checked slices.
   *
   * @param checked true for slices that carry the check row, false for slices without it
   * @return whether any output row of these slices needs any run of the block
   */
  public boolean contributes(boolean checked) {
    return contributes(SliceKind.of(checked, false));
  }

  /**
   * @param run index of a run
   * @return whether any slice of any kind needs this run of the block
   */
  public boolean needs(int run) {
    return contributes(SliceKind.CHECKED, run)
        || run == 0 && contributes(SliceKind.CHECKED_TAIL, run);
  }

  @Override
  public String toString() {
    return unit + "@" + holder;
  }
}
