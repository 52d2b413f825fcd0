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
 * <p>Keeps Hadoop's contract, and beyond it: heap and direct buffers may be mixed, and several
 * threads may encode at a time. Arguments that break it are refused with an
 * IllegalArgumentException before anything is written.
 *
 * <p>In Hadoop's package because the types of two methods that an encoder must have are visible
 * only here. Nothing of that is used, so that the class also works when another class loader than
 * Hadoop's has loaded it, as happens to the jars of an application.
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
  public void encode(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException {
    LinearCode code = encoder.code();
    RawCoderArguments.checkCount(code, "inputs", inputs.length, code.dataUnits());
    RawCoderArguments.checkCount(code, "outputs", outputs.length, code.parityUnits());
    int length = RawCoderArguments.commonLength(code, inputs, outputs, false);
    if (released) {
      throw new IOException("The encoder of " + code.name() + " is closed");
    }
    if (length > 0) {
      encoder.encode(inputs, outputs, length);
      RawCoderArguments.consume(inputs, length);
    }
  }

  @Override
  public void encode(byte[][] inputs, byte[][] outputs) throws IOException {
    encode(RawCoderArguments.wrap(inputs), RawCoderArguments.wrap(outputs));
  }

  @Override
  protected void doEncode(ByteBufferEncodingState state) {
    throw new UnsupportedOperationException("encode does everything");
  }

  @Override
  protected void doEncode(ByteArrayEncodingState state) {
    throw new UnsupportedOperationException("encode does everything");
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
