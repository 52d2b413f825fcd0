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
package org.hdfsppr.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The state of all blocks of a CORE group: which are lost, absent or stale. In this package, "CORE
 * paper" means Esmaili, Pamies-Juarez, Datta, "CORE: Cross-object redundancy for efficient data
 * repair in storage systems"; here see section V. A row is a block group of a member file; the last
 * row is the block group of the parity file. A column has the internal blocks with the same index,
 * and the XOR over a column is zero. Each block has one of these states:
 *
 * <ul>
 *   <li>It is <b>present</b>, and can be read.
 *   <li>It is <b>lost</b>, and has to be rebuilt.
 *   <li>It is <b>absent</b>: the file is too short to have it. It counts as zeros, and no node
 *       reads it.
 *   <li>It is <b>stale</b>: the parity file was not made from the block that is here now. The XOR
 *       over its column is then not zero, so that no block of this column can be repaired
 *       vertically. A stale block is also present, lost or absent, and its row is repaired
 *       horizontally.
 * </ul>
 *
 * <p>A stale block makes its column useless for all rows, because a column has only one relation:
 * the XOR would be zero only with the old block, which no longer exists. A caller may remove the
 * old blocks of a row from the parity file by one more XOR. The row is then absent, not stale.
 * Immutable.
 */
@InterfaceAudience.Private
public final class FailureMatrix {
  /** The least number of rows: one file and its parity file. */
  private static final int ROWS_MIN = 2;
  /** The greatest number of rows: sets of rows are bit masks in a long. */
  public static final int ROWS_MAX = 64;

  /** The code of each row, which the CORE paper calls the inner code */
  public final RowCode code;
  private final long[] lost;
  private final long[] absent;
  private final long[] stale;
  /** Bit mask of the columns over which the XOR is known to be zero. */
  private final long related;

  private FailureMatrix(RowCode code, long[] lost, long[] absent, long[] stale, long related) {
    this.code = code;
    this.lost = lost;
    this.absent = absent;
    this.stale = stale;
    this.related = related;
  }

  /**
   * Makes a matrix without absent and stale blocks.
   *
   * @param code the code of each row; its number of units is the number of columns
   * @param lost for each row the columns of its lost blocks; bit i stands for column i; the last
   *     row is the parity file
   * @return the matrix
   * @throws IllegalArgumentException if there are fewer than 2 or more than {@link #ROWS_MAX} rows,
   *     or if a row has lost a block that the code does not have
   */
  public static FailureMatrix of(RowCode code, long... lost) {
    if (lost.length < ROWS_MIN || lost.length > ROWS_MAX) {
      throw new IllegalArgumentException("A CORE group has " + ROWS_MIN + " to " + ROWS_MAX
          + " rows with its parity file, not " + lost.length);
    }
    long all = all(code);
    for (long row : lost) {
      checkColumns(row, all);
    }
    long[] none = new long[lost.length];
    return new FailureMatrix(code, lost.clone(), none, none, all);
  }

  private static long all(RowCode code) {
    return -1L >>> Long.SIZE - code.units();
  }

  private static void checkColumns(long mask, long all) {
    if ((mask & ~all) != 0) {
      throw new IllegalArgumentException("Column " + Long.numberOfTrailingZeros(mask & ~all)
          + " is named; there are " + Long.bitCount(all));
    }
  }

  /**
   * Returns a copy of this matrix in which the absent blocks of one row are replaced.
   *
   * @param row the row
   * @param columns bit mask of the columns of its absent blocks; none of them is lost
   * @return a matrix in which these blocks, and no others of the row, are absent
   * @throws IllegalArgumentException if an absent block is lost or the code does not have it
   */
  public FailureMatrix withAbsent(int row, long columns) {
    checkColumns(columns, all(code));
    if ((columns & lost[row]) != 0) {
      throw new IllegalArgumentException("Row " + row + " has lost a block in column "
          + Long.numberOfTrailingZeros(columns & lost[row]) + " which it does not have");
    }
    long[] changed = absent.clone();
    changed[row] = columns;
    return new FailureMatrix(code, lost, changed, stale, related(all(code), changed, stale));
  }

  /**
   * Returns a copy of this matrix in which the stale blocks of one row are replaced.
   *
   * @param row the row; the parity file's row if the parity file itself is not valid
   * @param columns bit mask of the columns of stale blocks; all columns if it is not known which
   *     blocks are stale
   * @return a matrix in which these blocks, and no others of the row, are stale
   * @throws IllegalArgumentException if the code does not have such a column
   */
  public FailureMatrix withStale(int row, long columns) {
    checkColumns(columns, all(code));
    long[] changed = stale.clone();
    changed[row] = columns;
    return new FailureMatrix(code, lost, absent, changed, related(all(code), absent, changed));
  }

  /**
   * Returns the columns with a relation, by which a lost block can be repaired: those without a
   * stale block in which at least two rows have a block. If only one row has a block in a column,
   * the relation would mean that this block consists of zeros, which is not known.
   */
  private static long related(long all, long[] absent, long[] stale) {
    long once = 0;
    long twice = 0;
    long broken = 0;
    for (int row = 0; row < absent.length; row++) {
      long present = ~absent[row];
      twice |= once & present;
      once |= present;
      broken |= stale[row];
    }
    return all & twice & ~broken;
  }

  /**
   * Returns a copy of this matrix in which only the blocks of {@code fewer} are lost. All of them
   * are lost in this matrix, too.
   */
  FailureMatrix withLost(long[] fewer) {
    return new FailureMatrix(code, fewer, absent, stale, related);
  }

  /** @return t + 1, the number of rows including the row of the parity file */
  public int rows() {
    return lost.length;
  }

  /** @return n, the number of columns */
  public int columns() {
    return code.units();
  }

  /**
   * @param row index of a row
   * @return bit mask of the columns of the row's lost blocks
   */
  public long lost(int row) {
    return lost[row];
  }

  /**
   * @param row index of a row
   * @return bit mask of the columns of the row's absent blocks
   */
  public long absent(int row) {
    return absent[row];
  }

  /**
   * @return bit mask of the columns in which a lost block can be repaired from the others, if it is
   *     the only lost block
   */
  public long relatedColumns() {
    return related;
  }

  /** @return the number of lost blocks */
  public int failures() {
    int failures = 0;
    for (long row : lost) {
      failures += Long.bitCount(row);
    }
    return failures;
  }

  /** Returns, for each row, a bit mask of the columns of its lost blocks, a copy. */
  long[] copyOfLost() {
    return lost.clone();
  }

  /**
   * Says whether repairs of single rows and columns, one after the other, can rebuild all lost
   * blocks (CORE paper, section V-B). A decoder of the whole product code could recover a few more
   * patterns of losses, because it solves for several rows and columns at once.
   *
   * @return whether no block remains lost in the end
   */
  public boolean recoverable() {
    long[] left = lost.clone();
    peel(left);
    for (long row : left) {
      if (row != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Computes which blocks remain lost after all possible repairs of rows and columns. The order of
   * the repairs does not matter for the result, because a repair never makes another repair
   * impossible.
   *
   * @return the same group with only the losses that no repair of a row or column can rebuild
   */
  public FailureMatrix remainder() {
    long[] left = lost.clone();
    peel(left);
    return withLost(left);
  }

  private void peel(long[] left) {
    boolean again = true;
    while (again) {
      again = false;
      long once = 0;
      long twice = 0;
      for (int row = 0; row < left.length; row++) {
        if (left[row] != 0 && code.recovers(left[row])) {
          left[row] = 0;
        }
        twice |= once & left[row];
        once |= left[row];
      }
      long single = once & ~twice & related;
      if (single != 0) {
        again = true;
        for (int row = 0; row < left.length; row++) {
          left[row] &= ~single;
        }
      }
    }
  }

  /**
   * Splits the lost blocks into independent clusters (CORE paper, section V-A). Blocks of different
   * clusters share no row, and no column with a relation. Clusters can therefore be repaired at the
   * same time, and a cluster that is not recoverable does not affect the others.
   *
   * @return a matrix of the same group for each cluster, in the order of their first rows; empty if
   *     nothing is lost
   */
  public List<FailureMatrix> clusters() {
    long[] rowsOf = new long[lost.length];
    int count = clusters(rowsOf);
    List<FailureMatrix> clusters = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long[] part = new long[lost.length];
      for (long rows = rowsOf[i]; rows != 0; rows &= rows - 1) {
        int row = Long.numberOfTrailingZeros(rows);
        part[row] = lost[row];
      }
      clusters.add(withLost(part));
    }
    return clusters;
  }

  public int clusterCount() {
    return clusters(new long[lost.length]);
  }

  /**
   * Finds the rows of each cluster.
   *
   * @param rowsOf receives a bit mask of rows for each cluster
   * @return the number of clusters
   */
  private int clusters(long[] rowsOf) {
    long open = 0;
    for (int row = 0; row < lost.length; row++) {
      if (lost[row] != 0) {
        open |= 1L << row;
      }
    }
    int count = 0;
    while (open != 0) {
      long rows = Long.lowestOneBit(open);
      long columns = lost[Long.numberOfTrailingZeros(rows)] & related;
      boolean grown = true;
      while (grown) {
        grown = false;
        for (long others = open & ~rows; others != 0; others &= others - 1) {
          int row = Long.numberOfTrailingZeros(others);
          if ((lost[row] & columns) != 0) {
            rows |= 1L << row;
            columns |= lost[row] & related;
            grown = true;
          }
        }
      }
      rowsOf[count++] = rows;
      open &= ~rows;
    }
    return count;
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof FailureMatrix)) {
      return false;
    }
    FailureMatrix other = (FailureMatrix) o;
    return code.equals(other.code) && Arrays.equals(lost, other.lost)
        && Arrays.equals(absent, other.absent) && Arrays.equals(stale, other.stale);
  }

  @Override
  public int hashCode() {
    return Objects.hash(code, Arrays.hashCode(lost), Arrays.hashCode(absent),
        Arrays.hashCode(stale));
  }

  /**
   * Draws the matrix with a line for each row and a character for each block: {@code X} is lost,
   * {@code Y} lost and stale, {@code 0} absent, {@code s} stale, {@code .} present.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < rows(); row++) {
      for (int column = 0; column < columns(); column++) {
        text.append(mark(row, 1L << column));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private char mark(int row, long column) {
    boolean isStale = (stale[row] & column) != 0;
    if ((lost[row] & column) != 0) {
      return isStale ? 'Y' : 'X';
    }
    return isStale ? 's' : (absent[row] & column) != 0 ? '0' : '.';
  }
}
