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
package org.hdfsppr.coder.rawcoder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecRegistry;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.hdfsppr.coder.code.CoreRow;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.UnsupportedCodeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The codecs of CORE for groups of 2 to 15 files: all that a policy file may name. */
class TestCoreCodecs {
  private static final long SEED = 20261129;
  private static final int BYTES = 1_000;
  private static final int[][] UNITS = {{1, 1}, {3, 2}, {6, 3}, {10, 4}, {12, 4}, {12, 2}, {2, 14}};

  static IntStream files() {
    return IntStream.rangeClosed(2, 15);
  }

  @ParameterizedTest
  @MethodSource("files")
  void aPolicyFileMayNameIt(int t) throws Exception {
    String name = "core-t" + t;
    PprCodec codec = PprCodec.byName(name).orElseThrow();
    assertEquals(OptionalInt.of(t), codec.filesPerGroup());
    assertEquals(1, CodecRegistry.getInstance().getCoders(name).size());
    assertArrayEquals(CodecRegistry.getInstance().getCoderNames(name),
        new String[] {CodecRegistry.getInstance().getCoders(name).get(0).getCoderName()});
    for (int k = 1; k < LinearCode.MAX_UNITS; k++) {
      for (int m = 1; k + m <= LinearCode.MAX_UNITS; m++) {
        LinearCode code = codec.code(k, m);
        assertEquals(name + "-" + k + "-" + m, code.name());
        assertEquals(OptionalInt.of(t), CoreRow.filesOf(code));
      }
    }
    assertThrows(UnsupportedCodeException.class, () -> codec.code(12, 5));
    assertThrows(UnsupportedCodeException.class, () -> codec.code(0, 3));
  }

  /** Rows are plain Reed-Solomon, so that a file changes its policy without other bytes. */
  @ParameterizedTest
  @MethodSource("files")
  void itsRowsHaveTheBytesOfHadoopsReedSolomonAndComeBack(int t) throws IOException {
    Random random = new Random(SEED + t);
    System.out.println("seed " + (SEED + t));
    Configuration conf = new Configuration(false);
    for (int[] units : UNITS) {
      ErasureCoderOptions options = new ErasureCoderOptions(units[0], units[1]);
      byte[][] data = new byte[units[0]][BYTES];
      for (byte[] one : data) {
        random.nextBytes(one);
      }
      byte[][] parity = new byte[units[1]][BYTES];
      byte[][] wanted = new byte[units[1]][BYTES];
      encode(CodecUtil.createRawEncoder(conf, "core-t" + t, options), data, parity);
      encode(new RSRawErasureCoderFactory().createEncoder(options), data, wanted);
      for (int i = 0; i < wanted.length; i++) {
        assertArrayEquals(wanted[i], parity[i], "parity " + i);
      }
      int lost = random.nextInt(units[0]);
      byte[][] inputs = new byte[units[0] + units[1]][];
      for (int i = 0; i < inputs.length; i++) {
        inputs[i] = i == lost ? null : i < units[0] ? data[i] : parity[i - units[0]];
      }
      byte[][] found = new byte[1][BYTES];
      RawErasureDecoder decoder = CodecUtil.createRawDecoder(conf, "core-t" + t, options);
      decoder.decode(inputs, new int[] {lost}, found);
      decoder.release();
      assertArrayEquals(data[lost], found[0]);
    }
  }

  private static void encode(RawErasureEncoder encoder, byte[][] data, byte[][] parity)
      throws IOException {
    encoder.encode(data, parity);
    encoder.release();
  }

  @Test
  void fewerFilesAreNoGroupAndMoreAreNoCode() {
    for (String name : new String[] {"core-t0", "core-t1", "core-t16", "core-t"}) {
      assertTrue(PprCodec.byName(name).isEmpty(), name);
    }
    // The code of a column has t + 1 units.
    assertEquals(LinearCode.MAX_UNITS, CoreRow.column(15).units());
  }
}
