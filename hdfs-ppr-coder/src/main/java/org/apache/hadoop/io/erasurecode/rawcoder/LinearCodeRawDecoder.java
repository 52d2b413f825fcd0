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
import org.hdfsppr.coder.code.RangeDecoder;
import org.hdfsppr.coder.gf.RegionKernel;

/**
 * Decodes for Hadoop's own readers and reconstruction workers, which pass k units, and of each the
 * same range of bytes. The range may be any part of the unit. The decoder gives right bytes or
 * throws an IOException, see {@link RangeDecoder}.
 *
 * <p>The decoder keeps Hadoop's contract, and accepts more: heap and direct buffers may be mixed,
 * erased units may come in any order, and fewer than k inputs suffice if they determine the erased
 * units. If arguments break the contract, the decoder throws an IllegalArgumentException before it
 * writes anything.
 *
 * <p>All reads of a file by a client share one decoder. Hadoop's own decoders carry out calls one
 * after the other. This decoder carries out several calls at the same time, because they share only
 * the prepared patterns.
 *
 * <p>The class is in Hadoop's package for the same reason as {@link LinearCodeRawEncoder}.
 */
@InterfaceAudience.Private
public final class LinearCodeRawDecoder extends RawErasureDecoder {
  private final RangeDecoder decoder;
  private final boolean preferDirectBuffer;
  private volatile boolean released;

  /**
   * Makes a decoder of a code.
   *
   * @param code the code
   * @param kernel multiplies and adds the bytes
   * @param options Hadoop's options; the decoder uses only the numbers of units
   * @throws IllegalArgumentException if the options are for other numbers of units
   */
  public LinearCodeRawDecoder(LinearCode code, RegionKernel kernel, ErasureCoderOptions options) {
    super(options);
    RawCoderArguments.checkOptions(code, options);
    this.decoder = new RangeDecoder(code, kernel);
    this.preferDirectBuffer = RawCoderArguments.prefersDirectBuffers(kernel);
  }

  @Override
  public void decode(ByteBuffer[] inputs, int[] erasedIndexes, ByteBuffer[] outputs)
      throws IOException {
    LinearCode code = decoder.code();
    RawCoderArguments.checkCount(code, "inputs", inputs.length, code.units());
    RawCoderArguments.checkCount(code, "outputs", outputs.length, erasedIndexes.length);
    if (erasedIndexes.length > code.parityUnits()) {
      throw new IllegalArgumentException(code.name() + " cannot rebuild " + erasedIndexes.length
          + " units: it has " + code.parityUnits() + " parity units");
    }
    int length = RawCoderArguments.commonLength(code, inputs, outputs, true);
    if (released) {
      throw new IOException("The decoder of " + code.name() + " is closed");
    }
    if (length > 0) {
      decoder.decode(inputs, erasedIndexes, outputs, length);
      RawCoderArguments.consume(inputs, length);
    }
  }

  @Override
  public void decode(byte[][] inputs, int[] erasedIndexes, byte[][] outputs)
      throws IOException {
    decode(RawCoderArguments.wrap(inputs), erasedIndexes, RawCoderArguments.wrap(outputs));
  }

  @Override
  protected void doDecode(ByteBufferDecodingState state) {
    throw new UnsupportedOperationException("decode does everything");
  }

  @Override
  protected void doDecode(ByteArrayDecodingState state) {
    throw new UnsupportedOperationException("decode does everything");
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
