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

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.WindowEncoder;
import org.hdfsppr.coder.gf.RegionKernel;

/**
 * Encodes for Hadoop's own writers. What is given to one call is one coding window: a whole cell of
 * every data unit, or what the last stripe has, padded with zeros to the length of its first cell.
 * Hadoop's output stream, the only writer of parities there is, calls it with nothing else. Any
 * length will do, see {@link org.hdfsppr.coder.code.CodingWindow}.
 *
 * <p>Beyond Hadoop's contract it may be used by several threads at a time, until it is released.
 *
 * <p>In Hadoop's package because the arguments of the methods to override are visible only here.
 */
@InterfaceAudience.Private
public final class LinearCodeRawEncoder extends RawErasureEncoder {
  private final WindowEncoder encoder;
  private final boolean preferDirectBuffer;
  private volatile boolean released;

  /**
   * An encoder for a code.
   *
   * @throws IllegalArgumentException if the options are for other numbers of units
   */
  public LinearCodeRawEncoder(LinearCode code, RegionKernel kernel, ErasureCoderOptions options) {
    super(options);
    RawCoderArguments.checkOptions(code, options);
    this.encoder = new WindowEncoder(code, kernel);
    this.preferDirectBuffer = RawCoderArguments.prefersDirectBuffers(kernel);
  }

  @Override
  protected void doEncode(ByteBufferEncodingState state) throws IOException {
    encode(state.inputs, state.outputs, state.encodeLength);
  }

  @Override
  protected void doEncode(ByteArrayEncodingState state) throws IOException {
    encode(RawCoderArguments.wrap(state.inputs, state.inputOffsets, state.encodeLength),
        RawCoderArguments.wrap(state.outputs, state.outputOffsets, state.encodeLength),
        state.encodeLength);
  }

  private void encode(ByteBuffer[] data, ByteBuffer[] parity, int length) throws IOException {
    if (released) {
      throw new IOException("The encoder of " + encoder.code().name() + " is closed");
    }
    encoder.encode(data, parity, length);
  }

  @Override
  public boolean preferDirectBuffer() {
    return preferDirectBuffer;
  }

  @Override
  public void release() {
    released = true;
  }
}
