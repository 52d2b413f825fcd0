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
import java.util.Collections;
import java.util.List;

/**
 * Builds a schedule. A strategy calls {@link #vertical} and {@link #horizontal} for one repair
 * after the other. The builder keeps which blocks are still lost and which can be repaired, and
 * collects the steps with their reads and dependencies. Not thread-safe.
 */
final class ScheduleBuilder {
  private static final int NO_STEP = -1;

  private final FailureMatrix matrix;
  private final RowCode code;
  private final long[] lost;
  /** For each row, a bit mask of the columns of the blocks that a step has rebuilt. */
  private final long[] rebuilt;
  /** For each block, row by row, the index of the step that has rebuilt it, or {@link #NO_STEP}. */
  private final int[] rebuiltBy;
  private final List<RepairStep> steps = new ArrayList<>();
  /** Bit mask of the columns with at least one lost block. */
  private long once;
  /** Bit mask of the columns with at least two lost blocks. */
  private long twice;

  ScheduleBuilder(FailureMatrix matrix) {
    this.matrix = matrix;
    this.code = matrix.code;
    this.lost = matrix.copyOfLost();
    this.rebuilt = new long[lost.length];
    this.rebuiltBy = new int[lost.length * matrix.columns()];
    Arrays.fill(rebuiltBy, NO_STEP);
    count();
  }

  private void count() {
    once = 0;
    twice = 0;
    for (long row : lost) {
      twice |= once & row;
      once |= row;
    }
  }

  int rows() {
    return lost.length;
  }

  long lost(int row) {
    return lost[row];
  }

  boolean isWhole() {
    return once == 0;
  }

  /** Returns whether a row has lost blocks and can repair all of them. */
  boolean repairable(int row) {
    return lost[row] != 0 && code.recovers(lost[row]);
  }

  /** Returns the lost blocks of a row that their columns can repair, as a bit mask. */
  long repairableVertically(int row) {
    return lost[row] & ~twice & matrix.relatedColumns();
  }

  /**
   * Returns a bit mask of the lost blocks of a row that their columns cannot repair, or cannot
   * repair yet, because other blocks of the column are lost, or the column has no relation.
   */
  long critical(int row) {
    return lost[row] & (twice | ~matrix.relatedColumns());
  }

  /** Returns the number of blocks that a repair of the row would read. */
  int horizontalCost(int row) {
    return Long.bitCount(horizontalReads(row));
  }

  /**
   * Returns the number of blocks that vertical repairs of all lost blocks of the row would read.
   */
  int verticalCost(int row) {
    int cost = 0;
    for (long rest = lost[row]; rest != 0; rest &= rest - 1) {
      cost += Long.bitCount(verticalReads(row, Long.numberOfTrailingZeros(rest)));
    }
    return cost;
  }

  private long horizontalReads(int row) {
    return code.reads(lost[row], matrix.absent(row), ~rebuilt[row]);
  }

  private long verticalReads(int row, int column) {
    long rows = 0;
    for (int other = 0; other < lost.length; other++) {
      if (other != row && (matrix.absent(other) >>> column & 1) == 0) {
        rows |= 1L << other;
      }
    }
    return rows;
  }

  /** Adds a step that repairs all lost blocks of a row. The row must be {@link #repairable}. */
  void horizontal(int row) {
    long read = horizontalReads(row);
    List<Integer> after = new ArrayList<>();
    for (long rest = read & rebuilt[row]; rest != 0; rest &= rest - 1) {
      addStep(after, row, Long.numberOfTrailingZeros(rest));
    }
    add(RepairStep.Direction.HORIZONTAL, row, lost[row], read, after);
  }

  /** Adds a step that repairs a lost block from its column, in which no other block may be lost. */
  void vertical(int row, int column) {
    if ((repairableVertically(row) >>> column & 1) == 0) {
      throw new IllegalStateException("Column " + column + " cannot repair row " + row + " of\n"
          + matrix);
    }
    long read = verticalReads(row, column);
    List<Integer> after = new ArrayList<>();
    for (long rest = read; rest != 0; rest &= rest - 1) {
      addStep(after, Long.numberOfTrailingZeros(rest), column);
    }
    add(RepairStep.Direction.VERTICAL, row, 1L << column, read, after);
  }

  private void addStep(List<Integer> after, int row, int column) {
    int step = rebuiltBy[row * matrix.columns() + column];
    if (step != NO_STEP && !after.contains(step)) {
      after.add(step);
    }
  }

  private void add(RepairStep.Direction direction, int row, long columns, long read,
      List<Integer> after) {
    Collections.sort(after);
    for (long rest = columns; rest != 0; rest &= rest - 1) {
      rebuiltBy[row * matrix.columns() + Long.numberOfTrailingZeros(rest)] = steps.size();
    }
    steps.add(new RepairStep(direction, row, columns, read, after));
    lost[row] &= ~columns;
    rebuilt[row] |= columns;
    count();
  }

  /** Returns the schedule of all steps, with the blocks that are still lost. */
  RepairSchedule build() {
    return new RepairSchedule(new ArrayList<>(steps), matrix.withLost(lost.clone()));
  }
}
