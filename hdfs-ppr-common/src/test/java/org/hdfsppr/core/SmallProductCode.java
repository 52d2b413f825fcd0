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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/** The product code of a matrix over GF(256), with one byte for each block. */
final class SmallProductCode {
  private final int units;
  private final int dataUnits;
  private final int files;
  private final GfMatrix row;

  SmallProductCode(int units, int dataUnits, int files) {
    this.units = units;
    this.dataUnits = dataUnits;
    this.files = files;
    this.row = ReedSolomon.hadoop(dataUnits, units - dataUnits).generator();
  }

  /** Returns the matrix with the losses that are set in a mask of all blocks, row by row. */
  FailureMatrix matrix(long blocks) {
    long[] lost = new long[files + 1];
    for (int i = 0; i < lost.length; i++) {
      lost[i] = blocks >>> i * units & (1L << units) - 1;
    }
    return FailureMatrix.of(new ReedSolomonRow(units, dataUnits), lost);
  }

  /** Returns whether the blocks that are not in the mask determine all data. */
  boolean determined(long lostBlocks) {
    int all = units * (files + 1);
    int[] present = new int[all - Long.bitCount(lostBlocks)];
    for (int block = 0, next = 0; block < all; block++) {
      if ((lostBlocks >>> block & 1) == 0) {
        present[next++] = block;
      }
    }
    int data = files * dataUnits;
    if (present.length < data) {
      return false;
    }
    return GfMatrix.generate(present.length, data, (r, c) -> coefficient(present[r], c))
        .rank() == data;
  }

  /** Returns the coefficient of a datum in a block. */
  private int coefficient(int block, int datum) {
    int of = block / units;
    return of == files || of == datum / dataUnits ? row.get(block % units, datum % dataUnits) : 0;
  }

  /** Returns random contents of all blocks, row by row; absent blocks are zeros. */
  int[][] contents(FailureMatrix matrix, Random random) {
    int[][] bytes = new int[files + 1][units];
    for (int i = 0; i < files; i++) {
      int[] data = new int[dataUnits];
      for (int j = 0; j < dataUnits; j++) {
        data[j] = (matrix.absent(i) >>> j & 1) != 0 ? 0 : random.nextInt(256);
      }
      for (int column = 0; column < units; column++) {
        for (int j = 0; j < dataUnits; j++) {
          bytes[i][column] ^= Gf256.mul(row.get(column, j), data[j]);
        }
        bytes[files][column] ^= bytes[i][column];
      }
    }
    return bytes;
  }

  /** Carries out a schedule on bytes, and checks that each step restores what was there. */
  void assertRestores(FailureMatrix matrix, RepairSchedule schedule, Random random) {
    int[][] bytes = contents(matrix, random);
    for (RepairStep step : schedule.steps) {
      if (step.direction == RepairStep.Direction.VERTICAL) {
        int column = Long.numberOfTrailingZeros(step.rebuilt);
        int sum = 0;
        for (int i = 0; i <= files; i++) {
          sum ^= step.reads(i, column) ? bytes[i][column] : 0;
        }
        assertEquals(bytes[step.row][column], sum, () -> step + " of\n" + matrix);
      } else {
        assertRestoresRow(matrix, step, bytes[step.row]);
      }
    }
  }

  private void assertRestoresRow(FailureMatrix matrix, RepairStep step, int[] bytes) {
    long known = step.read | matrix.absent(step.row);
    int[] units = new int[dataUnits];
    for (int i = 0; i < dataUnits; i++) {
      units[i] = Long.numberOfTrailingZeros(known);
      known &= known - 1;
    }
    GfMatrix decode = row.rows(units).invert().orElseThrow();
    for (long rest = step.rebuilt; rest != 0; rest &= rest - 1) {
      int column = Long.numberOfTrailingZeros(rest);
      GfMatrix weights = row.rows(column).multiply(decode);
      int sum = 0;
      for (int i = 0; i < dataUnits; i++) {
        sum ^= Gf256.mul(weights.get(0, i), bytes[units[i]]);
      }
      assertEquals(bytes[column], sum,
          () -> step + " from " + Arrays.toString(units) + " of\n" + matrix);
    }
  }
}
