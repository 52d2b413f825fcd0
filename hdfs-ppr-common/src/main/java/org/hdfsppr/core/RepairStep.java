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

import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * One step of a schedule. It rebuilds either one block from the other blocks of its column, or all
 * lost blocks of a row from other blocks of the row. Immutable.
 */
@InterfaceAudience.Private
public final class RepairStep {
  /** Whether a step reads a row or a column of the matrix. */
  public enum Direction {
    /** Rebuilds one block from all other blocks of its column. */
    VERTICAL,
    /** Rebuilds one or several blocks of a row from other blocks of the row. */
    HORIZONTAL
  }

  /** Whether the step reads a row or a column */
  public final Direction direction;
  /** The row of the rebuilt blocks */
  public final int row;
  /** The columns of the rebuilt blocks, as a bit mask; a vertical step has one column */
  public final long rebuilt;
  /**
   * The blocks to read, as a bit mask: rows of the rebuilt block's column if the step is vertical,
   * columns of its row if horizontal; absent blocks are zeros and are not among them
   */
  public final long read;
  /**
   * Indices in the schedule of the steps that have to end before this one begins, because they
   * rebuild blocks that it reads; ascending
   */
  public final List<Integer> after;

  /**
   * @param direction whether the step reads a row or a column
   * @param row the row of the rebuilt blocks
   * @param rebuilt the columns of the rebuilt blocks, as a bit mask
   * @param read the blocks to read, as a bit mask: rows of the column if vertical, columns of the
   *     row if horizontal
   * @param after indices in the schedule of the steps that rebuild a block that this step reads,
   *     ascending
   */
  RepairStep(Direction direction, int row, long rebuilt, long read, List<Integer> after) {
    this.direction = direction;
    this.row = row;
    this.rebuilt = rebuilt;
    this.read = read;
    this.after = Collections.unmodifiableList(after);
  }

  /**
   * @param readRow a row
   * @param column a column
   * @return whether the step reads the block in this row and column of the matrix
   */
  public boolean reads(int readRow, int column) {
    return direction == Direction.VERTICAL
        ? rebuilt == 1L << column && (read >>> readRow & 1) != 0
        : readRow == row && (read >>> column & 1) != 0;
  }

  /** @return the number of blocks to read */
  public int cost() {
    return Long.bitCount(read);
  }

  @Override
  public String toString() {
    StringBuilder columns = new StringBuilder();
    for (long rest = rebuilt; rest != 0; rest &= rest - 1) {
      columns.append(columns.length() == 0 ? "" : ",").append(Long.numberOfTrailingZeros(rest));
    }
    return (direction == Direction.VERTICAL ? "v" : "h") + " row " + row + " column " + columns
        + " reads " + cost() + (after.isEmpty() ? "" : " after " + after);
  }
}
