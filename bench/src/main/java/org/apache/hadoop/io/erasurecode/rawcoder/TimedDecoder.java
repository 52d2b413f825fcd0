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

import org.apache.hadoop.io.erasurecode.ECChunk;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.hdfsppr.bench.clock.ReadClock;

/**
 * Decodes with another decoder, and counts the time as computation. Hadoop's states of decoding are
 * package-private, so this class is in Hadoop's package.
 */
final class TimedDecoder extends RawErasureDecoder {
  private final RawErasureDecoder decoder;
  private final ReadClock clock;

  TimedDecoder(RawErasureDecoder decoder, ErasureCoderOptions options, ReadClock clock) {
    super(options);
    this.decoder = decoder;
    this.clock = clock;
  }

  // Hadoop's methods are synchronized, and calls of one decoder wait for each other. Such waiting
  // is part of the time that decoding takes.

  @Override
  public void decode(ByteBuffer[] inputs, int[] erased, ByteBuffer[] outputs)
      throws IOException {
    clock.enter(ReadClock.Step.COMPUTE);
    try {
      decoder.decode(inputs, erased, outputs);
    } finally {
      clock.leave(ReadClock.Step.COMPUTE);
    }
  }

  @Override
  public void decode(byte[][] inputs, int[] erased, byte[][] outputs) throws IOException {
    clock.enter(ReadClock.Step.COMPUTE);
    try {
      decoder.decode(inputs, erased, outputs);
    } finally {
      clock.leave(ReadClock.Step.COMPUTE);
    }
  }

  @Override
  public void decode(ECChunk[] inputs, int[] erased, ECChunk[] outputs) throws IOException {
    clock.enter(ReadClock.Step.COMPUTE);
    try {
      decoder.decode(inputs, erased, outputs);
    } finally {
      clock.leave(ReadClock.Step.COMPUTE);
    }
  }

  @Override
  protected void doDecode(ByteBufferDecodingState state) throws IOException {
    decoder.doDecode(state);
  }

  @Override
  protected void doDecode(ByteArrayDecodingState state) throws IOException {
    decoder.doDecode(state);
  }

  @Override
  public boolean preferDirectBuffer() {
    return decoder.preferDirectBuffer();
  }

  @Override
  public boolean allowChangeInputs() {
    return decoder.allowChangeInputs();
  }

  @Override
  public boolean allowVerboseDump() {
    return decoder.allowVerboseDump();
  }

  @Override
  public void release() {
    decoder.release();
  }
}
