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

/**
 * An encoder of three data units and one parity unit, given as a function. In Hadoop's package
 * because the types of the methods that an encoder must have are visible only here.
 */
@InterfaceAudience.Private
public final class FunctionEncoder extends RawErasureEncoder {
  private final Parity parity;

  public FunctionEncoder(Parity parity) {
    super(new ErasureCoderOptions(3, 1));
    this.parity = parity;
  }

  @Override
  public void encode(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException {
    byte[][] data = new byte[inputs.length][inputs[0].remaining()];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i].get(data[i]);
    }
    for (int x = 0; x < data[0].length; x++) {
      outputs[0].put(outputs[0].position() + x, (byte) parity.at(data, x));
    }
  }

  @Override
  protected void doEncode(ByteBufferEncodingState state) {
    throw new AssertionError("encode is overridden");
  }

  @Override
  protected void doEncode(ByteArrayEncodingState state) {
    throw new AssertionError("encode is overridden");
  }

  /** Computes a byte of the parity unit from the data units. */
  @FunctionalInterface
  @InterfaceAudience.Private
  public interface Parity {
    /** The parity byte at a position; only its low 8 bits count. */
    int at(byte[][] data, int position) throws IOException;
  }
}
