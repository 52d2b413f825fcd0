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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.gf.RegionKernel;

/** What encoder and decoder have in common. */
@InterfaceAudience.Private
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

  /** Native kernels have to copy what is in a Java array; the Java kernel does not care. */
  static boolean prefersDirectBuffers(RegionKernel kernel) {
    return !kernel.name().equals("java");
  }

  /** Arrays as buffers; null stays null. */
  static ByteBuffer[] wrap(byte[][] arrays, int[] offsets, int length) {
    ByteBuffer[] buffers = new ByteBuffer[arrays.length];
    for (int i = 0; i < arrays.length; i++) {
      buffers[i] = arrays[i] == null ? null : ByteBuffer.wrap(arrays[i], offsets[i], length);
    }
    return buffers;
  }
}
