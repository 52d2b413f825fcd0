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
 * Applies one matrix to regions of bytes:
 *
 * <pre>
 *   outputs[o][x]  =  sum over i of coefficients[o][i] * inputs[i][x]     (overwrite)
 *   outputs[o][x] ^=  sum over i of coefficients[o][i] * inputs[i][x]     (accumulate)
 * </pre>
 *
 * <p>Immutable and thread-safe. An operator holds the tables that its kernel has made from the
 * coefficients.
 */
@InterfaceAudience.Public
public abstract class RegionOperator {
  /**
   * How many inputs an operator has at most, and also how many outputs. A block group has at most
   * 16 units, and a code divides a unit into at most 8 sub-chunks.
   */
  public static final int MAX_BUFFERS = 16 * 8;

  /**
   * Each thread keeps arrays for the buffers of its calls, so that a call allocates no memory. The
   * array for n inputs has index n. The array for n outputs has index {@code MAX_BUFFERS + 1 + n}.
   * Between calls, the arrays contain no buffers.
   */
  private static final ThreadLocal<ByteBuffer[][]> ARRAYS =
      ThreadLocal.withInitial(() -> new ByteBuffer[2 * (MAX_BUFFERS + 1)][]);

  private final GfMatrix coefficients;

  /**
   * Called by the operators of the kernels.
   *
   * @param coefficients one row for each output, one column for each input
   */
  RegionOperator(GfMatrix coefficients) {
    int inputs = coefficients.columns();
    int outputs = coefficients.rows();
    if (inputs < 1 || inputs > MAX_BUFFERS || outputs < 1 || outputs > MAX_BUFFERS) {
      throw new IllegalArgumentException("an operator has 1 to " + MAX_BUFFERS + " inputs and"
          + " outputs, not " + inputs + " and " + outputs);
    }
    this.coefficients = coefficients;
  }

  /** {@return the matrix that this operator applies} */
  public final GfMatrix coefficients() {
    return coefficients;
  }

  /** {@return number of inputs that {@link #apply} takes} */
  public final int inputs() {
    return coefficients.columns();
  }

  /** {@return number of outputs that {@link #apply} takes} */
  public final int outputs() {
    return coefficients.rows();
  }

  /**
   * Applies the matrix to {@code length} bytes from each buffer's position on. It does not change
   * any buffer's position, limit or byte order, or any byte outside of these regions. A call that
   * throws an exception changes nothing.
   *
   * <p>A caller may pass an input twice. No output may share a byte with an input or with another
   * output: the content of that output would be undefined, because kernels differ in the order of
   * their work. (The method cannot check this in general. A kernel never touches memory outside of
   * the regions.) No thread may change an input, or use an output, during the call.
   *
   * <p>Direct and heap buffers can be mixed. The native kernels are fast only with direct buffers.
   *
   * @param inputs one buffer per column of the matrix
   * @param outputs one buffer per row of the matrix
   * @param length bytes of each buffer
   * @param accumulate true to add (XOR) the products to the content of the outputs, false to
   *     overwrite it
   * @throws IllegalArgumentException if there are not exactly {@link #inputs()} inputs and {@link
   *     #outputs()} outputs, if {@code length} is negative, if a buffer has fewer bytes remaining,
   *     or if an output is read-only
   * @throws NullPointerException if a buffer is missing
   */
  public final void apply(ByteBuffer[] inputs, ByteBuffer[] outputs, int length,
      boolean accumulate) {
    apply(inputs, null, outputs, null, length, accumulate);
  }

  /**
   * Like {@link #apply(ByteBuffer[], ByteBuffer[], int, boolean)}, but uses only some of the given
   * buffers: input i is {@code inputs[chosenInputs[i]]}, and output o is {@code
   * outputs[chosenOutputs[o]]}.
   *
   * @param inputs one buffer per column of the matrix
   * @param chosenInputs indices of the inputs to use, or null for all inputs in their order
   * @param outputs one buffer per row of the matrix
   * @param chosenOutputs indices of the outputs to use, or null for all outputs in their order
   * @param length bytes of each buffer
   * @param accumulate true to add (XOR) the products to the content of the outputs, false to
   *     overwrite it
   */
  public final void apply(ByteBuffer[] inputs, int[] chosenInputs, ByteBuffer[] outputs,
      int[] chosenOutputs, int length, boolean accumulate) {
    if (length < 0) {
      throw new IllegalArgumentException("length is negative: " + length);
    }
    checkCount("input", chosenInputs == null ? inputs.length : chosenInputs.length, inputs());
    checkCount("output", chosenOutputs == null ? outputs.length : chosenOutputs.length, outputs());
    // The method copies the arrays before it checks them, because another thread may change the
    // caller's arrays between the check and the use.
    ByteBuffer[][] arrays = ARRAYS.get();
    ByteBuffer[] from = array(arrays, inputs(), 0);
    ByteBuffer[] to = array(arrays, outputs(), MAX_BUFFERS + 1);
    try {
      copy(inputs, chosenInputs, from);
      copy(outputs, chosenOutputs, to);
      check("input", from, length);
      check("output", to, length);
      for (int o = 0; o < to.length; o++) {
        if (to[o].isReadOnly()) {
          throw new IllegalArgumentException("output " + o + " is read-only");
        }
      }
      if (length > 0) {
        run(from, to, length, accumulate);
      }
    } finally {
      Arrays.fill(from, null);
      Arrays.fill(to, null);
    }
  }

  private static ByteBuffer[] array(ByteBuffer[][] arrays, int count, int offset) {
    ByteBuffer[] array = arrays[offset + count];
    if (array == null) {
      array = new ByteBuffer[count];
      arrays[offset + count] = array;
    }
    return array;
  }

  private static void copy(ByteBuffer[] buffers, int[] chosen, ByteBuffer[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] = buffers[chosen == null ? i : chosen[i]];
    }
  }

  private static void checkCount(String what, int found, int expected) {
    if (found != expected) {
      throw new IllegalArgumentException("expected " + expected + " " + what + "s, got " + found);
    }
  }

  private static void check(String what, ByteBuffer[] buffers, int length) {
    for (int i = 0; i < buffers.length; i++) {
      if (buffers[i] == null) {
        throw new NullPointerException(what + " " + i + " is null");
      }
      if (buffers[i].remaining() < length) {
        throw new IllegalArgumentException(what + " " + i + " has " + buffers[i].remaining()
            + " bytes remaining, " + length + " are needed");
      }
    }
  }

  /**
   * Does the work of {@link #apply(ByteBuffer[], ByteBuffer[], int, boolean)}. {@code apply} has
   * checked the arguments; the length is at least 1. The arrays belong to the thread and are reused
   * by its next call. So an implementation must not keep them after it returns, and must not apply
   * another operator, which would overwrite them.
   */
  abstract void run(ByteBuffer[] inputs, ByteBuffer[] outputs, int length, boolean accumulate);

  @Override
  public String toString() {
    return getClass().getSimpleName() + coefficients;
  }
}
