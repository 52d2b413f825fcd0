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

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;

/** The codes that have policies, and windows encoded by them byte by byte. */
@InterfaceAudience.Private
public final class ShippedCodes {
  private ShippedCodes() {
  }

  /** All codes of this library. */
  public static Stream<LinearCode> all() {
    return Arrays.stream(PprCodec.values()).flatMap(codec -> codec.shippedCodes().stream());
  }

  /** Those with sub-chunks. */
  public static Stream<LinearCode> divided() {
    return all().filter(code -> code.subChunks() > 1);
  }

  /** All units of a window of random data, by the scalar oracle. */
  static byte[][] window(LinearCode code, int length, Random random) {
    byte[][] data = new byte[code.dataUnits()][length];
    for (byte[] unit : data) {
      random.nextBytes(unit);
    }
    return Stream.concat(Arrays.stream(data), Arrays.stream(EncoderCheck.encode(code, data)))
        .toArray(byte[][]::new);
  }

  /** The masks of all patterns of the given number of lost units. */
  static IntStream patterns(LinearCode code, int losses) {
    return IntStream.range(0, 1 << code.units()).filter(m -> Integer.bitCount(m) == losses);
  }

  /** The units of a mask, in ascending order. */
  static int[] units(LinearCode code, int mask) {
    return IntStream.range(0, code.units()).filter(u -> (mask >>> u & 1) != 0).toArray();
  }

  /** The units that a mask leaves, in ascending order. */
  static int[] others(LinearCode code, int mask) {
    return units(code, ~mask);
  }

  /** One sub-chunk of a window, as a view. */
  static ByteBuffer subChunk(LinearCode code, byte[][] units, SubChunk which) {
    CodingWindow window = new CodingWindow(code, units[0].length);
    return ByteBuffer.wrap(units[which.unit()], window.offsetOf(which.sub()),
        window.subChunkLength());
  }
}
