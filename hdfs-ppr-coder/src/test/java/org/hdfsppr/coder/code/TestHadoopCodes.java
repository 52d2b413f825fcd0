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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSLegacyRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.XORRawErasureCoderFactory;
import org.hdfsppr.coder.gf.KernelsUnderTest;
import org.hdfsppr.coder.gf.RegionKernel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Repairs give the exact bytes that Hadoop's own encoders have written, for every pattern of up to
 * m lost units of each code, with each kernel.
 */
@InterfaceAudience.Private
class TestHadoopCodes {
  private static final long SEED = 20260105;
  /** An odd length, so that kernels have a remainder after their vectors. */
  private static final int CELL_BYTES = 1007;

  static Stream<Arguments> codesAndKernels() {
    return Stream.of("gfni", "isal", "java").flatMap(kernel -> Stream.of(
        Arguments.of("rs", 3, 2, new RSRawErasureCoderFactory(), kernel),
        Arguments.of("rs", 6, 3, new RSRawErasureCoderFactory(), kernel),
        Arguments.of("rs", 10, 4, new RSRawErasureCoderFactory(), kernel),
        Arguments.of("rs-legacy", 6, 3, new RSLegacyRawErasureCoderFactory(), kernel),
        Arguments.of("rs-legacy", 10, 4, new RSLegacyRawErasureCoderFactory(), kernel),
        Arguments.of("xor", 2, 1, new XORRawErasureCoderFactory(), kernel)));
  }

  /** Returns all units of a stripe of random data, as Hadoop's encoder writes them. */
  private static ByteBuffer[] stripe(RawErasureEncoder encoder, Random random)
      throws IOException {
    int k = encoder.getNumDataUnits();
    byte[][] data = new byte[k][CELL_BYTES];
    for (byte[] cell : data) {
      random.nextBytes(cell);
    }
    byte[][] parity = new byte[encoder.getNumParityUnits()][CELL_BYTES];
    encoder.encode(data, parity);
    return Stream.concat(Arrays.stream(data), Arrays.stream(parity)).map(cell -> {
      ByteBuffer buffer = ByteBuffer.allocateDirect(CELL_BYTES);
      buffer.duplicate().put(cell);
      return buffer;
    }).toArray(ByteBuffer[]::new);
  }

  @ParameterizedTest(name = "{0}({1},{2}) {4}")
  @MethodSource("codesAndKernels")
  void everyPatternIsRepairedToTheByte(String codec, int k, int m, RawErasureCoderFactory factory,
      String kernelName) throws IOException {
    System.out.println("seed " + SEED);
    RegionKernel kernel = KernelsUnderTest.orSkip(kernelName);
    LinearCode code = Codes.forCodec(new Configuration(), codec, k, m);
    RawErasureEncoder encoder = factory.createEncoder(new ErasureCoderOptions(k, m));
    ByteBuffer[] units = stripe(encoder, new Random(SEED));
    int patterns = 0;
    for (int mask = 1; mask < 1 << (k + m); mask++) {
      if (Integer.bitCount(mask) > m) {
        continue;
      }
      int pattern = mask;
      int[] lost = IntStream.range(0, k + m).filter(u -> (pattern >>> u & 1) != 0).toArray();
      int[] there = IntStream.range(0, k + m).filter(u -> (pattern >>> u & 1) == 0).toArray();
      Optional<RepairEquation> equation = code.solve(lost, code.subChunksOf(there));
      assertTrue(equation.isPresent(), code + " does not decode " + Arrays.toString(lost));
      assertTrue(equation.get().helpers().size() <= k);
      ByteBuffer[] repaired = ToyCodes.repair(code, equation.get(), units, kernel);
      for (int i = 0; i < lost.length; i++) {
        assertEquals(units[lost[i]], repaired[i], code + " lost " + Arrays.toString(lost));
      }
      patterns++;
    }
    assertArrayEquals(new int[] {k, m}, new int[] {code.dataUnits(), code.parityUnits()});
    System.out.println(code + " " + kernelName + ": " + patterns + " patterns repaired");
    encoder.release();
  }

  /** The built-in matrix must equal the matrix of Hadoop's encoder, for every possible k and m. */
  @ParameterizedTest(name = "m = {0}")
  @MethodSource("parities")
  void reedSolomonIsHadoops(int m) throws IOException {
    Configuration conf = new Configuration();
    for (int k = 1; k + m <= LinearCode.MAX_UNITS; k++) {
      RawErasureEncoder encoder =
          CodecUtil.createRawEncoder(conf, "rs", new ErasureCoderOptions(k, m));
      LinearCode probed = ProbedCode.probe("rs-probed", encoder);
      assertEquals(probed.generator(), ReedSolomon.hadoop(k, m).generator());
      encoder.release();
    }
  }

  static IntStream parities() {
    return IntStream.rangeClosed(1, 6);
  }
}
