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
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Runs a few test vectors, which a kernel has to compute correctly before it may process data. The
 * self-test does not replace the test suite. It protects against errors on a CPU, or with a
 * compiler or a library version, on which the test suite has never run.
 */
@InterfaceAudience.Private
final class SelfTest {
  /** Numbers of inputs and outputs that exercise the wide and the narrow loops of kernels. */
  private static final int[][] SHAPES = {{1, 1}, {6, 3}, {10, 4}, {16, 6}, {5, 7}};
  /**
   * Lengths of the regions, bytes. They include lengths below one vector, whole vectors, vectors
   * with a rest, and a length that reaches the unrolled loops.
   */
  private static final int[] LENGTHS = {1, 31, 64, 1007};
  private static final int OFFSET = 3;

  private SelfTest() {
  }

  /**
   * Returns a description of the first wrong result of a kernel, or empty if all results are right.
   */
  static Optional<String> run(RegionKernel kernel) {
    for (int[] shape : SHAPES) {
      // Every byte value occurs as a coefficient in at least one of the matrices.
      GfMatrix matrix = GfMatrix.generate(shape[1], shape[0],
          (r, c) -> shape[0] * 37 + r * 71 + c * 13);
      RegionOperator operator = kernel.prepare(matrix);
      for (int length : LENGTHS) {
        for (boolean accumulate : new boolean[] {false, true}) {
          ByteBuffer[] inputs = filled(shape[0], length, 1);
          ByteBuffer[] outputs = filled(shape[1], length, 2);
          ByteBuffer[] before = filled(shape[1], length, 2);
          operator.apply(inputs, outputs, length, accumulate);
          if (!right(matrix, inputs, before, outputs, length, accumulate)) {
            return Optional.of(String.format("the %s kernel computes wrong bytes for %d inputs, %d"
                + " outputs, %d bytes%s", kernel.name(), shape[0], shape[1], length,
                accumulate ? ", accumulating" : ""));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static ByteBuffer[] filled(int count, int length, int salt) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      buffers[i] = ByteBuffer.allocateDirect(OFFSET + length + OFFSET);
      for (int x = 0; x < buffers[i].capacity(); x++) {
        buffers[i].put(x, (byte) ((x + 1) * 167 + (i + salt) * 59 + (x >>> 5)));
      }
      buffers[i].position(OFFSET);
    }
    return buffers;
  }

  /**
   * Says whether every output has the right bytes in the region, and unchanged bytes before and
   * behind it.
   */
  private static boolean right(GfMatrix matrix, ByteBuffer[] inputs, ByteBuffer[] before,
      ByteBuffer[] after, int length, boolean accumulate) {
    for (int o = 0; o < after.length; o++) {
      for (int x = 0; x < after[o].capacity(); x++) {
        boolean inside = x >= OFFSET && x < OFFSET + length;
        int expected = !inside || accumulate ? before[o].get(x) : 0;
        for (int i = 0; inside && i < inputs.length; i++) {
          expected ^= Gf256.mul(matrix.get(o, i), inputs[i].get(x));
        }
        if ((byte) expected != after[o].get(x)) {
          return false;
        }
      }
    }
    return true;
  }
}
