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
package org.hdfsppr.coder.code;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Checks whether the encoder that Hadoop found for a codec's name computes the built-in code of
 * that name. Another library may have registered the same name. If blocks were written with one
 * matrix and rebuilt with another, the rebuilt blocks would have wrong bytes but valid checksums.
 */
final class EncoderVerification {
  /**
   * The seed of the random data. It is fixed, so that every node accepts or refuses the same
   * encoders.
   */
  private static final long SEED = 0x68646673707072L;
  /**
   * The lengths of a sub-chunk in the windows that are encoded and compared, bytes. The first
   * length is shorter than the widest vectors of processors, the second one is longer.
   */
  private static final int[] SUB_CHUNK_BYTES = {16, 512};

  private EncoderVerification() {
  }

  /**
   * Encodes random windows with the encoder and with the code, and returns whether both give the
   * same parities. If the code allows windows with a remainder, these windows have one.
   *
   * @throws IOException if the encoder fails
   */
  static boolean computes(LinearCode code, RawErasureEncoder encoder) throws IOException {
    int s = code.subChunks();
    Random random = new Random(SEED);
    for (int subChunkBytes : SUB_CHUNK_BYTES) {
      int length = subChunkBytes * s + (code.remainderCode().isPresent() ? s - 1 : 0);
      byte[][] data = new byte[code.dataUnits()][length];
      for (byte[] unit : data) {
        random.nextBytes(unit);
      }
      byte[][] right = encode(code, data);
      byte[][] encoded = new byte[code.parityUnits()][length];
      encoder.encode(data, encoded);
      if (!Arrays.deepEquals(right, encoded) || !Arrays.deepEquals(right, direct(encoder, data,
          code.parityUnits()))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Encodes with direct buffers, because a coder may run different code for direct buffers than for
   * arrays.
   */
  private static byte[][] direct(RawErasureEncoder encoder, byte[][] data, int parityUnits)
      throws IOException {
    int length = data[0].length;
    ByteBuffer[] inputs = new ByteBuffer[data.length];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = ByteBuffer.allocateDirect(length).put(data[i]);
      inputs[i].flip();
    }
    ByteBuffer[] outputs = new ByteBuffer[parityUnits];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = ByteBuffer.allocateDirect(length);
    }
    encoder.encode(inputs, outputs);
    byte[][] encoded = new byte[parityUnits][length];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i].clear();
      outputs[i].get(encoded[i]);
    }
    return encoded;
  }

  /** Computes the parities of a window from the generator, byte by byte. */
  static byte[][] encode(LinearCode code, byte[][] data) {
    CodingWindow window = new CodingWindow(code, data[0].length);
    int s = code.subChunks();
    int h = window.subChunkLength();
    GfMatrix divided = code.parityCoefficients();
    byte[][] parity = new byte[code.parityUnits()][window.length()];
    for (int x = 0; x < window.remainderOffset(); x++) {
      int sub = x / h;
      for (int p = 0; p < parity.length; p++) {
        int sum = 0;
        for (int c = 0; c < divided.columns(); c++) {
          sum ^= Gf256.mul(divided.get(p * s + sub, c),
              data[c / s][window.offsetOf(c % s) + x % h]);
        }
        parity[p][x] = (byte) sum;
      }
    }
    if (window.remainderLength() > 0) {
      encodeRemainder(code.remainderCode().get().parityCoefficients(), data, parity,
          window.remainderOffset());
    }
    return parity;
  }

  private static void encodeRemainder(GfMatrix coefficients, byte[][] data, byte[][] parity,
      int from) {
    for (int p = 0; p < parity.length; p++) {
      for (int x = from; x < data[0].length; x++) {
        int sum = 0;
        for (int c = 0; c < data.length; c++) {
          sum ^= Gf256.mul(coefficients.get(p, c), data[c][x]);
        }
        parity[p][x] = (byte) sum;
      }
    }
  }
}
