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

/** The codes that have policies, and windows of bytes that they encode one byte at a time. */
@InterfaceAudience.Private
public final class ShippedCodes {
  private ShippedCodes() {
  }

  /** Yields all codes of this library. */
  public static Stream<LinearCode> all() {
    return Arrays.stream(PprCodec.values()).flatMap(codec -> codec.shippedCodes().stream());
  }

  /** Yields the codes with sub-chunks. */
  public static Stream<LinearCode> divided() {
    return all().filter(code -> code.subChunks() > 1);
  }

  /** Returns all units of a window of random data, which the scalar oracle has encoded. */
  static byte[][] window(LinearCode code, int length, Random random) {
    byte[][] data = new byte[code.dataUnits()][length];
    for (byte[] unit : data) {
      random.nextBytes(unit);
    }
    return Stream.concat(Arrays.stream(data), Arrays.stream(EncoderVerification.encode(code, data)))
        .toArray(byte[][]::new);
  }

  /** Yields the bit masks of all patterns with the given number of lost units. */
  static IntStream patterns(LinearCode code, int losses) {
    return IntStream.range(0, 1 << code.units()).filter(m -> Integer.bitCount(m) == losses);
  }

  /** Returns the units of a bit mask, in ascending order. */
  static int[] units(LinearCode code, int mask) {
    return IntStream.range(0, code.units()).filter(u -> (mask >>> u & 1) != 0).toArray();
  }

  /** Returns the units that are not in a bit mask, in ascending order. */
  static int[] others(LinearCode code, int mask) {
    return units(code, ~mask);
  }

  /** Returns a view of one sub-chunk of a window. */
  static ByteBuffer subChunk(LinearCode code, byte[][] units, SubChunk which) {
    CodingWindow window = new CodingWindow(code, units[0].length);
    return ByteBuffer.wrap(units[which.unit()], window.offsetOf(which.sub()),
        window.subChunkLength());
  }
}
