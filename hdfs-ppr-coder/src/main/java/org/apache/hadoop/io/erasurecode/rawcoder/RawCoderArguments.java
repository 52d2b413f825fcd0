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
package org.apache.hadoop.io.erasurecode.rawcoder;

import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.gf.RegionKernel;

/** Checks arguments for both the encoder and the decoder. */
final class RawCoderArguments {
  private RawCoderArguments() {
  }

  static void checkOptions(LinearCode code, ErasureCoderOptions options) {
    if (options.getNumDataUnits() != code.dataUnits()
        || options.getNumParityUnits() != code.parityUnits()) {
      throw new IllegalArgumentException(code.name() + " has " + code.dataUnits() + " data and "
          + code.parityUnits() + " parity units, not " + options.getNumDataUnits() + " and "
          + options.getNumParityUnits());
    }
  }

  /**
   * Says whether a coder with this kernel prefers direct buffers. It does if the kernel is native,
   * because a native kernel has to copy the bytes of Java arrays. The Java kernel is as fast with
   * arrays as with direct buffers.
   */
  static boolean prefersDirectBuffers(RegionKernel kernel) {
    return !kernel.name().equals("java");
  }

  /**
   * Checks how many buffers a caller has passed.
   *
   * @throws IllegalArgumentException if the number is not the expected one
   */
  static void checkCount(LinearCode code, String what, int found, int expected) {
    if (found != expected) {
      throw new IllegalArgumentException(code.name() + " takes " + expected + " " + what
          + " here, not " + found);
    }
  }

  /**
   * Returns how many bytes remain in each buffer. The number must be the same for all buffers.
   *
   * @param allowGaps whether an input may be null
   * @throws IllegalArgumentException if the numbers differ, or if a buffer is missing
   */
  static int commonLength(LinearCode code, ByteBuffer[] inputs, ByteBuffer[] outputs,
      boolean allowGaps) {
    int length = -1;
    for (int i = 0; i < inputs.length; i++) {
      if (inputs[i] != null || !allowGaps) {
        length = checkLength(code, "input", i, inputs[i], length);
      }
    }
    if (length < 0) {
      throw new IllegalArgumentException(code.name() + ": all inputs are null");
    }
    for (int i = 0; i < outputs.length; i++) {
      checkLength(code, "output", i, outputs[i], length);
    }
    return length;
  }

  private static int checkLength(LinearCode code, String which, int index, ByteBuffer buffer,
      int expected) {
    if (buffer == null) {
      throw new IllegalArgumentException(code.name() + ": " + which + " " + index + " is null");
    }
    if (expected >= 0 && buffer.remaining() != expected) {
      throw new IllegalArgumentException(code.name() + ": " + which + " " + index + " has "
          + buffer.remaining() + " bytes remaining, but others have " + expected);
    }
    return buffer.remaining();
  }

  /**
   * Moves the positions of inputs behind the bytes that the coder has read, as Hadoop's callers
   * expect.
   */
  static void consume(ByteBuffer[] inputs, int length) {
    for (ByteBuffer input : inputs) {
      if (input != null) {
        input.position(input.position() + length);
      }
    }
  }

  /** Wraps each array in a buffer. A null array gives a null buffer. */
  static ByteBuffer[] wrap(byte[][] arrays) {
    ByteBuffer[] buffers = new ByteBuffer[arrays.length];
    for (int i = 0; i < arrays.length; i++) {
      buffers[i] = arrays[i] == null ? null : ByteBuffer.wrap(arrays[i]);
    }
    return buffers;
  }
}
