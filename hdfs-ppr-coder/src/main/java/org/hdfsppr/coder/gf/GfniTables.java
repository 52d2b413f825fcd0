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
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Makes the programs that the GFNI kernel reads in place of coefficients.
 *
 * <p>The instruction GF2P8MULB multiplies modulo 0x11b, the polynomial of AES, and not modulo the
 * polynomial of this field. A multiplication by a constant is linear over GF(2) in any field,
 * however, and GF2P8AFFINEQB multiplies each byte by an 8x8 bit matrix. A coefficient therefore
 * becomes a matrix of eight bytes.
 *
 * <p>The kernel computes outputs in groups, so that each load of an input serves a whole group. A
 * program consists of these 8-byte words:
 *
 * <pre>
 *   number of groups
 *   per group:  outputs in it | inputs used
 *               per input used:  index of the input | one bit matrix per output of the group
 * </pre>
 *
 * <p>If all coefficients of an input in a group are zero, the program leaves the input out of this
 * group, and the kernel does not read it for this group.
 *
 * <p>The parities of a code with two sub-chunks do not fit into one group. The outputs are in two
 * halves: first the parities of the first sub-chunks, then the parities of the second sub-chunks.
 * An input contributes mainly to the outputs of one half. If every input contributes to at most one
 * output of the other half, the class makes a second kind of program. That one output is the guest
 * of the input. A program of the second kind reads every input only once, and multiplies by few
 * zeros:
 *
 * <pre>
 *   0 | h, the number of outputs in a half | one bit for each output of the first half, 1 if
 *   the program adds the corresponding output of the second half to it at the end
 *   per section (first half, no guest; guest 0; ... guest h - 1; second half likewise):
 *       number of inputs
 *   number of inputs | their indexes, section after section
 *   per input:  one bit matrix per output of its half | one for the guest, if there is one
 * </pre>
 */
@InterfaceAudience.Private
final class GfniTables {
  /**
   * The number of outputs in a group. The kernel needs two accumulators for each output, and all
   * accumulators have to fit into registers, see gfni.c.
   */
  static final int GROUP = 6;

  /**
   * The fewest outputs that a half may have in a program of two halves. For fewer outputs a program
   * of groups is as fast.
   */
  static final int HALF_MIN = 3;
  static final int HALF_MAX = 4;

  private static final long[] BIT_MATRICES = new long[256];

  static {
    for (int c = 0; c < BIT_MATRICES.length; c++) {
      BIT_MATRICES[c] = bitMatrix(c);
    }
  }

  private GfniTables() {
  }

  /**
   * Returns the bit matrix of a multiplication by {@code c}. The instruction computes bit b of the
   * result as the parity of (source AND byte 7 - b of the matrix). Bit j of that byte is therefore
   * bit b of c * x^j.
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

  /** Says whether the matrix has the shape for a program of two halves. */
  static boolean isPaired(GfMatrix coefficients) {
    int h = coefficients.rows() / 2;
    if (coefficients.rows() % 2 != 0 || h < HALF_MIN || h > HALF_MAX) {
      return false;
    }
    GfMatrix unjoined = unjoin(coefficients);
    return IntStream.range(0, coefficients.columns()).noneMatch(i ->
        Math.min(wanted(unjoined, i, 0).length, wanted(unjoined, i, 1).length) > 1);
  }

  /**
   * Returns whether the program first computes the sum of outputs o and h + o in place of output o,
   * and adds output h + o to it at the end. This saves work if the sum has fewer products than
   * output o.
   */
  private static boolean isJoined(GfMatrix coefficients, int o) {
    int h = coefficients.rows() / 2;
    return o < h && IntStream.range(0, coefficients.columns()).map(i -> {
      int own = coefficients.get(o, i);
      int other = coefficients.get(h + o, i);
      return (own != 0 ? 1 : 0) - (own != other ? 1 : 0);
    }).sum() > 0;
  }

  private static GfMatrix unjoin(GfMatrix coefficients) {
    int h = coefficients.rows() / 2;
    boolean[] joined = new boolean[2 * h];
    for (int o = 0; o < h; o++) {
      joined[o] = isJoined(coefficients, o);
    }
    return GfMatrix.generate(2 * h, coefficients.columns(), (o, i) ->
        coefficients.get(o, i) ^ (joined[o] ? coefficients.get(h + o, i) : 0));
  }

  /** Returns the outputs of a half, counted from 0, to which an input contributes. */
  private static int[] wanted(GfMatrix coefficients, int input, int half) {
    int h = coefficients.rows() / 2;
    return IntStream.range(0, h).filter(o -> coefficients.get(half * h + o, input) != 0)
        .toArray();
  }

  /** Returns the number of an input's section, or -1 if the input contributes to no output. */
  private static int section(GfMatrix coefficients, int input) {
    int[][] wanted = {wanted(coefficients, input, 0), wanted(coefficients, input, 1)};
    int half = wanted[1].length > wanted[0].length ? 1 : 0;
    if (wanted[half].length == 0) {
      return -1;
    }
    int[] guests = wanted[1 - half];
    return half * (coefficients.rows() / 2 + 1) + (guests.length == 0 ? 0 : 1 + guests[0]);
  }

  /**
   * Returns an upper bound for the length of a program with these numbers of rows and columns,
   * bytes.
   */
  static int bytesMost(int rows, int columns) {
    int groups = (rows + GROUP - 1) / GROUP;
    // The bound covers the numbers of groups or sections, and the index and the matrices of each
    // input in each group or section.
    return (6 + 2 * rows + columns * (2 + groups + rows)) * Long.BYTES;
  }

  private static ByteBuffer pairedProgram(GfMatrix coefficients, IntFunction<ByteBuffer> memory) {
    GfMatrix unjoined = unjoin(coefficients);
    int h = coefficients.rows() / 2;
    int sections = 2 * (h + 1);
    int[][] inputs = new int[sections][];
    for (int s = 0; s < sections; s++) {
      int section = s;
      inputs[s] = IntStream.range(0, unjoined.columns())
          .filter(i -> section(unjoined, i) == section).toArray();
    }
    int used = Arrays.stream(inputs).mapToInt(i -> i.length).sum();
    ByteBuffer program = memory.apply((4 + sections + used * (2 + h)) * Long.BYTES);
    program.putLong(0).putLong(h);
    program.putLong(IntStream.range(0, h).filter(o -> isJoined(coefficients, o))
        .map(o -> 1 << o).sum());
    Arrays.stream(inputs).forEach(i -> program.putLong(i.length));
    program.putLong(used);
    Arrays.stream(inputs).flatMapToInt(Arrays::stream).forEach(program::putLong);
    for (int s = 0; s < sections; s++) {
      int half = s / (h + 1);
      int guest = s % (h + 1) - 1;
      for (int i : inputs[s]) {
        for (int o = 0; o < h; o++) {
          program.putLong(BIT_MATRICES[unjoined.get(half * h + o, i)]);
        }
        if (guest >= 0) {
          program.putLong(BIT_MATRICES[unjoined.get((1 - half) * h + guest, i)]);
        }
      }
    }
    return program;
  }

  /**
   * Makes the program for a matrix.
   *
   * @param memory allocates the direct buffer for the program; its argument is the number of bytes
   */
  static ByteBuffer program(GfMatrix coefficients, IntFunction<ByteBuffer> memory) {
    if (isPaired(coefficients)) {
      return pairedProgram(coefficients, memory);
    }
    int groups = (coefficients.rows() + GROUP - 1) / GROUP;
    int[][] usedByGroup = new int[groups][];
    int words = 1;
    for (int g = 0; g < groups; g++) {
      int outputs = Math.min(GROUP, coefficients.rows() - g * GROUP);
      usedByGroup[g] = used(coefficients, g * GROUP, outputs);
      words += 2 + usedByGroup[g].length * (1 + outputs);
    }
    ByteBuffer program = memory.apply(words * Long.BYTES);
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
