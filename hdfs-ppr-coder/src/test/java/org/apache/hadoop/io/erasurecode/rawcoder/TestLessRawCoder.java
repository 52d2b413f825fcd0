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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.WindowEncoder;
import org.hdfsppr.coder.gf.Kernels;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The raw coders of the LESS codecs, as Hadoop finds and calls them. No parity of these codes
 * depends on bytes at its own position alone. Hadoop's own decoding tests therefore cannot pass:
 * all that these coders may do with a range is to refuse it.
 */
@InterfaceAudience.Private
public class TestLessRawCoder {
  private static final long SEED = 20261123;

  static Stream<PprCodec> codecs() {
    return Stream.of(PprCodec.LESS_A2, PprCodec.LESS_A3, PprCodec.LESS_A4);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void hadoopsEncoderEncodesWholeWindows(PprCodec codec) throws IOException {
    Random random = new Random(SEED);
    for (LinearCode code : codec.shippedCodes()) {
      RawErasureEncoder encoder = CodecUtil.createRawEncoder(new Configuration(),
          codec.codecName(), new ErasureCoderOptions(code.dataUnits(), code.parityUnits()));
      assertTrue(encoder instanceof LinearCodeRawEncoder);
      for (int length : new int[] {1, 3, 1007, 4096}) {
        byte[][] data = new byte[code.dataUnits()][length];
        Arrays.stream(data).forEach(random::nextBytes);
        byte[][] parity = new byte[code.parityUnits()][length];
        encoder.encode(data, parity);
        ByteBuffer[] expected = IntStream.range(0, parity.length)
            .mapToObj(i -> ByteBuffer.allocate(length)).toArray(ByteBuffer[]::new);
        new WindowEncoder(code, Kernels.select("java")).encode(
            Arrays.stream(data).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new), expected, length);
        for (int p = 0; p < parity.length; p++) {
          assertArrayEquals(expected[p].array(), parity[p]);
        }
      }
      encoder.release();
    }
  }

  /** Whatever is lost, given the first k of the other units, as stock readers and workers do. */
  @ParameterizedTest
  @MethodSource("codecs")
  void hadoopsDecoderRefusesEveryPatternAndWritesNothing(PprCodec codec) throws IOException {
    for (LinearCode code : codec.shippedCodes()) {
      RawErasureDecoder decoder = CodecUtil.createRawDecoder(new Configuration(),
          codec.codecName(), new ErasureCoderOptions(code.dataUnits(), code.parityUnits()));
      for (int mask = 1; mask < 1 << code.units(); mask++) {
        int lost = mask;
        int[] erased = IntStream.range(0, code.units()).filter(u -> (lost >>> u & 1) != 0)
            .toArray();
        if (erased.length > code.parityUnits()) {
          continue;
        }
        byte[][] inputs = new byte[code.units()][];
        IntStream.range(0, code.units()).filter(u -> (lost >>> u & 1) == 0)
            .limit(code.dataUnits()).forEach(u -> inputs[u] = new byte[] {7, 7, 7, 7});
        if (erased[0] >= code.dataUnits()) {
          // All data units are given. A parity still depends on bytes outside of the range.
          assertTrue(inputs[code.dataUnits() - 1] != null);
        }
        byte[][] outputs = new byte[erased.length][4];
        String message = assertThrows(IOException.class,
            () -> decoder.decode(inputs, erased, outputs)).getMessage();
        assertTrue(message.contains(code.name()) && message.contains(Arrays.toString(erased))
            && message.contains("must not guess"), message);
        Arrays.stream(outputs).forEach(output -> assertArrayEquals(new byte[4], output));
      }
      decoder.release();
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void argumentsAreCheckedAndClosedCodersSaySo(PprCodec codec) throws IOException {
    LinearCode code = codec.shippedCodes().get(0);
    ErasureCoderOptions options =
        new ErasureCoderOptions(code.dataUnits(), code.parityUnits());
    RawErasureEncoder encoder =
        CodecUtil.createRawEncoder(new Configuration(), codec.codecName(), options);
    byte[][] data = new byte[code.dataUnits()][8];
    byte[][] parity = new byte[code.parityUnits()][8];
    assertThrows(IllegalArgumentException.class,
        () -> encoder.encode(Arrays.copyOf(data, data.length - 1), parity));
    assertThrows(IllegalArgumentException.class,
        () -> encoder.encode(data, new byte[code.parityUnits()][9]));
    encoder.release();
    assertTrue(assertThrows(IOException.class, () -> encoder.encode(data, parity)).getMessage()
        .contains("closed"));
    assertThrows(IllegalArgumentException.class, () -> CodecUtil.createRawEncoder(
        new Configuration(), codec.codecName(), new ErasureCoderOptions(15, 5)));
    assertEquals(codec.codecName(), code.name().substring(0, codec.codecName().length()));
  }
}
