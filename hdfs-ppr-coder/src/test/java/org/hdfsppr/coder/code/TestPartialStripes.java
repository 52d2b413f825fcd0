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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Block groups of every length around every boundary of cells and sub-chunks, written with the
 * encoder as Hadoop's {@code DFSStripedOutputStream} does: whole cells, and in the last stripe all
 * cells padded with zeros to the length of the first one, which is also the length of the parity
 * cells. A repair knows nothing but the length of the group.
 */
@InterfaceAudience.Private
class TestPartialStripes {
  private static final long SEED = 20260715;
  /**
   * A size that two and four sub-chunks divide, as they divide multiples of 1024. Three sub-chunks
   * do not, so that each cell has a remainder, as cells of 1 MiB have.
   */
  private static final int CELL_BYTES = 16;

  private final RegionKernel kernel = Kernels.select("java");

  @ParameterizedTest(name = "{0}")
  @MethodSource("org.hdfsppr.coder.code.ShippedCodes#divided")
  void everyLengthOfAGroupIsRepaired(LinearCode code) throws IOException {
    Random random = new Random(SEED);
    int stripe = code.dataUnits() * CELL_BYTES;
    for (int length = 1; length <= 2 * stripe; length++) {
      // Every length below two cells is tested, and above that the lengths next to boundaries.
      int inSubChunk = length % (CELL_BYTES / code.subChunks());
      if (length < 2 * CELL_BYTES || inSubChunk <= 1 || inSubChunk == 3) {
        assertRepaired(code, length, random);
      }
    }
  }

  private void assertRepaired(LinearCode code, int length, Random random) throws IOException {
    int stripeBytes = code.dataUnits() * CELL_BYTES;
    byte[] file = new byte[length];
    random.nextBytes(file);
    RawErasureEncoder encoder = CodecUtil.createRawEncoder(new Configuration(),
        code.name().substring(0, code.name().lastIndexOf('-', code.name().lastIndexOf('-') - 1)),
        new ErasureCoderOptions(code.dataUnits(), code.parityUnits()));
    for (int start = 0; start < length; start += stripeBytes) {
      int bytes = Math.min(stripeBytes, length - start);
      int cell = Math.min(CELL_BYTES, bytes);
      byte[][] units = new byte[code.units()][cell];
      for (int x = 0; x < bytes; x++) {
        units[x / CELL_BYTES][x % CELL_BYTES] = file[start + x];
      }
      encoder.encode(Arrays.copyOf(units, code.dataUnits()),
          Arrays.copyOfRange(units, code.dataUnits(), code.units()));
      for (int unit = 0; unit < code.units(); unit++) {
        assertUnitsRepaired(code, units, unit);
      }
      int[] shuffled = IntStream.range(0, 2 * code.units()).map(i -> random.nextInt(code.units()))
          .distinct().limit(code.parityUnits()).toArray();
      assertUnitsRepaired(code, units, shuffled);
    }
    encoder.release();
  }

  /**
   * Repairs the part that divides into sub-chunks with the code, and the remaining bytes with the
   * remainder's code.
   */
  private void assertUnitsRepaired(LinearCode code, byte[][] units, int... lost) {
    int[] others = IntStream.range(0, code.units())
        .filter(u -> IntStream.of(lost).noneMatch(l -> l == u)).toArray();
    CodingWindow window = new CodingWindow(code, units[0].length);
    byte[][] repaired = new byte[units.length][window.length()];
    apply(code.solve(lost, code.helperOrder(lost, others)).get(), units, repaired, window, 0,
        window.subChunkLength());
    LinearCode remainder = code.remainderCode().get();
    apply(remainder.solve(lost, remainder.subChunksOf(others)).get(), units, repaired, window,
        window.remainderOffset(), window.remainderLength());
    for (int unit : lost) {
      assertArrayEquals(units[unit], repaired[unit], () -> code + " unit " + unit + " of "
          + Arrays.toString(lost) + " in a window of " + window.length() + " bytes");
    }
  }

  private void apply(RepairEquation equation, byte[][] units, byte[][] repaired,
      CodingWindow window, int from, int bytes) {
    ByteBuffer[] inputs = equation.helpers().stream()
        .map(h -> ByteBuffer.wrap(units[h.unit()], from + window.offsetOf(h.sub()), bytes))
        .toArray(ByteBuffer[]::new);
    ByteBuffer[] outputs = equation.lostSubChunks().stream()
        .map(s -> ByteBuffer.wrap(repaired[s.unit()], from + window.offsetOf(s.sub()), bytes))
        .toArray(ByteBuffer[]::new);
    assertEquals(equation.coefficients().columns(), inputs.length);
    kernel.prepare(equation.coefficients()).apply(inputs, outputs, bytes, false);
  }
}
