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
package org.hdfsppr.coder.gf;

import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/** An immutable matrix over GF(2^8). */
@InterfaceAudience.Public
public final class GfMatrix {
  private final int rows;
  private final int columns;
  /** The cells, row after row. */
  private final byte[] cells;

  /**
   * Makes a matrix that uses the array {@code cells} itself, and no copy. The caller must not
   * change the array afterwards.
   */
  private GfMatrix(int rows, int columns, byte[] cells) {
    this.rows = rows;
    this.columns = columns;
    this.cells = cells;
  }

  /**
   * {@return a matrix with copies of the given rows}
   *
   * @param rows the cells, row by row
   * @throws IllegalArgumentException if there is no row or the rows differ in length
   */
  public static GfMatrix of(byte[][] rows) {
    if (rows.length == 0) {
      throw new IllegalArgumentException("a matrix needs at least one row");
    }
    int columns = rows[0].length;
    byte[] cells = new byte[rows.length * columns];
    for (int r = 0; r < rows.length; r++) {
      if (rows[r].length != columns) {
        throw new IllegalArgumentException("row " + r + " has " + rows[r].length
            + " columns, row 0 has " + columns);
      }
      System.arraycopy(rows[r], 0, cells, r * columns, columns);
    }
    return new GfMatrix(rows.length, columns, cells);
  }

  /**
   * {@return a matrix whose cells are computed from their row and column; only the low 8 bits
   * count}
   *
   * @param rows number of rows
   * @param columns number of columns
   * @param function gives the value of a cell
   */
  public static GfMatrix generate(int rows, int columns, CellFunction function) {
    byte[] cells = new byte[rows * columns];
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) {
        cells[r * columns + c] = (byte) function.cell(r, c);
      }
    }
    return new GfMatrix(rows, columns, cells);
  }

  /**
   * {@return the identity}
   *
   * @param size number of rows and columns
   */
  public static GfMatrix identity(int size) {
    return generate(size, size, (r, c) -> r == c ? 1 : 0);
  }

  /**
   * {@return the Cauchy matrix 1 / (x_r + y_c) with x_r = {@code columns + r} and y_c = {@code c}}
   * Each of its square submatrices is regular, so that the matrix gives an MDS code.
   *
   * @param rows number of rows
   * @param columns number of columns
   * @throws IllegalArgumentException if {@code rows + columns} is more than 256, the number of
   *     elements of the field
   */
  public static GfMatrix cauchy(int rows, int columns) {
    if (rows + columns > 256) {
      throw new IllegalArgumentException("a Cauchy matrix over GF(2^8) has at most 256 rows and"
          + " columns together, not " + rows + " + " + columns);
    }
    return generate(rows, columns, (r, c) -> Gf256.inverse((columns + r) ^ c));
  }

  /** {@return number of rows} */
  public int rows() {
    return rows;
  }

  /** {@return number of columns} */
  public int columns() {
    return columns;
  }

  /**
   * {@return the value of one cell, 0 to 255}
   *
   * @param row index of the row, from 0
   * @param column index of the column, from 0
   */
  public int get(int row, int column) {
    if (row < 0 || row >= rows || column < 0 || column >= columns) {
      throw new IndexOutOfBoundsException("cell (" + row + ", " + column + ") of a matrix with "
          + rows + " rows and " + columns + " columns");
    }
    return cells[row * columns + column] & 0xff;
  }

  /**
   * {@return a copy of one row}
   *
   * @param row index of the row, from 0
   */
  public byte[] row(int row) {
    if (row < 0 || row >= rows) {
      throw new IndexOutOfBoundsException("row " + row + " of " + rows);
    }
    return Arrays.copyOfRange(cells, row * columns, (row + 1) * columns);
  }

  /**
   * {@return the matrix of the given rows, in the given order}
   *
   * @param selected indices from 0
   */
  public GfMatrix rows(int... selected) {
    return generate(selected.length, columns, (r, c) -> get(selected[r], c));
  }

  /**
   * {@return the matrix of the given columns, in the given order}
   *
   * @param selected indices from 0
   */
  public GfMatrix columns(int... selected) {
    return generate(rows, selected.length, (r, c) -> get(r, selected[c]));
  }

  /**
   * {@return a matrix with the rows of this matrix, followed by the rows of {@code below}}
   *
   * @param below a matrix with the same number of columns
   */
  public GfMatrix stack(GfMatrix below) {
    if (below.columns != columns) {
      throw new IllegalArgumentException("cannot put " + below.columns + " columns under "
          + columns);
    }
    byte[] all = Arrays.copyOf(cells, cells.length + below.cells.length);
    System.arraycopy(below.cells, 0, all, cells.length, below.cells.length);
    return new GfMatrix(rows + below.rows, columns, all);
  }

  /**
   * {@return the product of this matrix (left) and {@code right}}
   *
   * @param right a matrix with one row for each column of this matrix
   */
  public GfMatrix multiply(GfMatrix right) {
    if (columns != right.rows) {
      throw new IllegalArgumentException("cannot multiply " + rows + "x" + columns + " by "
          + right.rows + "x" + right.columns);
    }
    return generate(rows, right.columns, (r, c) -> {
      int sum = 0;
      for (int i = 0; i < columns; i++) {
        sum ^= Gf256.mul(get(r, i), right.get(i, c));
      }
      return sum;
    });
  }

  /**
   * {@return the inverse; empty if the matrix is singular}
   *
   * @throws IllegalArgumentException if the matrix is not square
   */
  public Optional<GfMatrix> invert() {
    if (rows != columns) {
      throw new IllegalArgumentException("only a square matrix can have an inverse, not " + rows
          + "x" + columns);
    }
    byte[][] work = new byte[rows][2 * columns];
    for (int r = 0; r < rows; r++) {
      System.arraycopy(cells, r * columns, work[r], 0, columns);
      work[r][columns + r] = 1;
    }
    if (eliminate(work, columns) < rows) {
      return Optional.empty();
    }
    return Optional.of(generate(rows, columns, (r, c) -> work[r][columns + c]));
  }

  /** {@return the number of linearly independent rows} */
  public int rank() {
    byte[][] work = new byte[rows][];
    for (int r = 0; r < rows; r++) {
      work[r] = row(r);
    }
    return eliminate(work, columns);
  }

  /**
   * Brings the first {@code columns} columns of {@code work} into reduced row echelon form by
   * operations on whole rows, in place.
   *
   * @return the rank of these columns
   */
  private static int eliminate(byte[][] work, int columns) {
    int rank = 0;
    for (int c = 0; c < columns && rank < work.length; c++) {
      int pivot = rank;
      while (pivot < work.length && work[pivot][c] == 0) {
        pivot++;
      }
      if (pivot == work.length) {
        continue;
      }
      byte[] row = work[pivot];
      work[pivot] = work[rank];
      work[rank] = row;
      int scale = Gf256.inverse(row[c]);
      for (int i = 0; i < row.length; i++) {
        row[i] = (byte) Gf256.mul(row[i], scale);
      }
      for (int r = 0; r < work.length; r++) {
        int factor = work[r][c];
        if (r != rank && factor != 0) {
          for (int i = 0; i < row.length; i++) {
            work[r][i] ^= (byte) Gf256.mul(row[i], factor);
          }
        }
      }
      rank++;
    }
    return rank;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof GfMatrix)) {
      return false;
    }
    GfMatrix that = (GfMatrix) other;
    return rows == that.rows && columns == that.columns && Arrays.equals(cells, that.cells);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * rows + columns) + Arrays.hashCode(cells);
  }

  /** Returns the rows in hexadecimal, separated by semicolons. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int r = 0; r < rows; r++) {
      text.append(r == 0 ? "" : "; ");
      for (int c = 0; c < columns; c++) {
        text.append(c == 0 ? "" : " ").append(String.format("%02x", get(r, c)));
      }
    }
    return text.append(']').toString();
  }

  /** Gives the value of one cell. */
  @FunctionalInterface
  @InterfaceAudience.Public
  public interface CellFunction {
    /**
     * {@return the value of the cell in the given row and column; only the low 8 bits count}
     *
     * @param row index of the row, from 0
     * @param column index of the column, from 0
     */
    int cell(int row, int column);
  }
}
