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

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What the GFNI kernel reads instead of coefficients.
 *
 * <p>GF2P8MULB multiplies modulo 0x11b, the polynomial of AES, which is of no use here. But a
 * multiplication by a constant is linear over GF(2) in any field, and GF2P8AFFINEQB multiplies each
 * byte by an 8x8 bit matrix: one matrix per coefficient, eight bytes.
 *
 * <p>Outputs are computed in groups, because what is loaded of an input then serves the whole
 * group. A program is, in 8-byte words:
 *
 * <pre>
 *   number of groups
 *   per group:  outputs in it | inputs used
 *               per input used:  index of the input | one bit matrix per output of the group
 * </pre>
 *
 * <p>An input all of whose coefficients in a group are zero is left out and never read.
 */
@InterfaceAudience.Private
final class GfniTables {
  /** Outputs per group: as many as have two accumulators each in registers, see gfni.c. */
  static final int GROUP = 6;

  private static final long[] BIT_MATRICES = new long[256];

  static {
    for (int c = 0; c < BIT_MATRICES.length; c++) {
      BIT_MATRICES[c] = bitMatrix(c);
    }
  }

  private GfniTables() {
  }

  /**
   * The bit matrix of a multiplication by {@code c}. The instruction computes bit b of the result
   * as the parity of (source AND byte 7 - b of the matrix); so bit j of that byte is bit b of c *
   * x^j.
   */
  private static long bitMatrix(int c) {
    long matrix = 0;
    for (int b = 0; b < 8; b++) {
      for (int j = 0; j < 8; j++) {
        long bit = Gf256.mul(c, 1 << j) >>> b & 1;
        matrix |= bit << ((7 - b) * 8 + j);
      }
    }
    return matrix;
  }

  static ByteBuffer program(GfMatrix coefficients) {
    int groups = (coefficients.rows() + GROUP - 1) / GROUP;
    int[][] usedByGroup = new int[groups][];
    int words = 1;
    for (int g = 0; g < groups; g++) {
      int outputs = Math.min(GROUP, coefficients.rows() - g * GROUP);
      usedByGroup[g] = used(coefficients, g * GROUP, outputs);
      words += 2 + usedByGroup[g].length * (1 + outputs);
    }
    ByteBuffer program = NativeKernel.tables(words * Long.BYTES);
    program.putLong(groups);
    for (int g = 0; g < groups; g++) {
      int outputs = Math.min(GROUP, coefficients.rows() - g * GROUP);
      program.putLong(outputs).putLong(usedByGroup[g].length);
      for (int i : usedByGroup[g]) {
        program.putLong(i);
        for (int o = 0; o < outputs; o++) {
          program.putLong(BIT_MATRICES[coefficients.get(g * GROUP + o, i)]);
        }
      }
    }
    return program;
  }

  private static int[] used(GfMatrix coefficients, int firstRow, int rows) {
    int[] used = new int[coefficients.columns()];
    int count = 0;
    for (int i = 0; i < coefficients.columns(); i++) {
      for (int r = firstRow; r < firstRow + rows; r++) {
        if (coefficients.get(r, i) != 0) {
          used[count++] = i;
          break;
        }
      }
    }
    return Arrays.copyOf(used, count);
  }
}
