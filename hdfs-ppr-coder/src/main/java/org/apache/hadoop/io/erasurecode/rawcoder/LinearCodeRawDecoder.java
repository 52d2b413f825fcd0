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
 * Decodes for Hadoop's own readers and workers, which hand over any range of bytes of exactly k
 * units: gives the right bytes or an IOException, see {@link RangeDecoder}. Erased units may be
 * given in any order.
 *
 * <p>In Hadoop's package because the arguments of the methods to override are visible only here.
 */
@InterfaceAudience.Private
public final class LinearCodeRawDecoder extends RawErasureDecoder {
  /** Used only within the superclass's synchronized methods. */
  private final RangeDecoder decoder;
  private final boolean preferDirectBuffer;
  private volatile boolean released;

  /**
   * A decoder for a code.
   *
   * @throws IllegalArgumentException if the options are for other numbers of units
   */
  public LinearCodeRawDecoder(LinearCode code, RegionKernel kernel, ErasureCoderOptions options) {
    super(options);
    RawCoderArguments.checkOptions(code, options);
    this.decoder = new RangeDecoder(code, kernel);
    this.preferDirectBuffer = RawCoderArguments.prefersDirectBuffers(kernel);
  }

  @Override
  protected void doDecode(ByteBufferDecodingState state) throws IOException {
    decode(state.inputs, state.erasedIndexes, state.outputs, state.decodeLength);
  }

  @Override
  protected void doDecode(ByteArrayDecodingState state) throws IOException {
    decode(RawCoderArguments.wrap(state.inputs, state.inputOffsets, state.decodeLength),
        state.erasedIndexes,
        RawCoderArguments.wrap(state.outputs, state.outputOffsets, state.decodeLength),
        state.decodeLength);
  }

  private void decode(ByteBuffer[] inputs, int[] erased, ByteBuffer[] outputs, int length)
      throws IOException {
    if (released) {
      throw new IOException("The decoder of " + decoder.code().name() + " is closed");
    }
    decoder.decode(inputs, erased, outputs, length);
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
