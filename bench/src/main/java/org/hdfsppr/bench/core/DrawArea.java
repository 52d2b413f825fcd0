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
package org.hdfsppr.bench.core;

import java.util.SplittableRandom;

import org.hdfsppr.core.FailureMatrix;
import org.hdfsppr.core.ReedSolomonRow;
import org.hdfsppr.core.RowCode;

/** The part of a CORE matrix in which random failures are drawn. All other blocks are present. */
final class DrawArea {
  final String suffix;
  private final RowCode code;
  private final int files;
  private final int rows;
  private final int columns;

  private DrawArea(String suffix, RowCode code, int files, int rows, int columns) {
    this.suffix = suffix;
    this.code = code;
    this.files = files;
    this.rows = rows;
    this.columns = columns;
  }

  /** Returns the t k data blocks. The paper's values of recoverability belong to this area. */
  static DrawArea data(ReedSolomonRow code, int files) {
    return new DrawArea("", code, files, files, code.dataUnits);
  }

  /** Returns the whole matrix, with the parity columns and the parity file. */
  static DrawArea full(ReedSolomonRow code, int files) {
    return new DrawArea("_full", code, files, files + 1, code.units());
  }

  /** {@return the number of blocks in this area} */
  int blocks() {
    return rows * columns;
  }

  /**
   * Draws a pattern. All patterns with this number of failures are equally likely.
   *
   * @param failures at least 0, at most {@link #blocks}
   */
  FailureMatrix draw(int failures, SplittableRandom random) {
    long[] lost = new long[files + 1];
    int left = failures;
    while (left > 0) {
      int block = random.nextInt(rows * columns);
      long bit = 1L << block % columns;
      int row = block / columns;
      if ((lost[row] & bit) == 0) {
        lost[row] |= bit;
        left--;
      }
    }
    return FailureMatrix.of(code, lost);
  }
}
