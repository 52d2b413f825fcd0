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
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.RegionKernel;

/**
 * Small codes with properties that Reed-Solomon does not have, and bytes that these codes encode.
 */
@InterfaceAudience.Private
final class ToyCodes {
  private ToyCodes() {
  }

  /**
   * Returns a locally repairable code that is not MDS. Units 0 and 1, and units 2 and 3, are the
   * two groups. Unit 4 is a global parity, and units 5 and 6 are the XOR of one group each.
   */
  static LinearCode local() {
    GfMatrix parity = GfMatrix.of(new byte[][] {
      {1, 2, 4, 8},
      {1, 1, 0, 0},
      {0, 0, 1, 1}});
    return new LinearCode("toy-lrc", new CodeDimensions(4, 3, 1),
        GfMatrix.identity(4).stack(parity), List.of(
            recipe(0, 1, 5), recipe(1, 0, 5), recipe(5, 0, 1),
            recipe(2, 3, 6), recipe(3, 2, 6), recipe(6, 2, 3)));
  }

  private static Recipe recipe(int lost, int... helpers) {
    return new Recipe("local", lost,
        List.of(SubChunk.of(helpers[0], 0), SubChunk.of(helpers[1], 0)));
  }

  /**
   * Returns a code with two sub-chunks a and b per unit, in the manner of Hitchhiker. Unit 2 is the
   * XOR of both halves. Unit 3 is f(a) | f(b) + a of unit 0. So unit 0 is repaired from three half
   * units.
   */
  static LinearCode coupled() {
    GfMatrix parity = GfMatrix.of(new byte[][] {
      {1, 0, 1, 0},
      {0, 1, 0, 1},
      {1, 0, 2, 0},
      {1, 1, 0, 2}});
    return new LinearCode("toy-s2", new CodeDimensions(2, 2, 2),
        GfMatrix.identity(4).stack(parity), List.of(
            new Recipe("halves", 0,
                List.of(SubChunk.of(1, 1), SubChunk.of(2, 1), SubChunk.of(3, 1)))));
  }

  /** Returns every sub-chunk of a stripe with random data, in the order of the generator's rows. */
  static ByteBuffer[] encode(LinearCode code, int length, Random random) {
    GfMatrix generator = code.generator();
    byte[][] data = new byte[generator.columns()][length];
    for (byte[] subChunk : data) {
      random.nextBytes(subChunk);
    }
    ByteBuffer[] all = new ByteBuffer[generator.rows()];
    for (int r = 0; r < all.length; r++) {
      all[r] = ByteBuffer.allocateDirect(length);
      for (int x = 0; x < length; x++) {
        int sum = 0;
        for (int c = 0; c < data.length; c++) {
          sum ^= Gf256.mul(generator.get(r, c), data[c][x]);
        }
        all[r].put(x, (byte) sum);
      }
    }
    return all;
  }

  /** Computes the lost sub-chunks by an equation. Returns one buffer per lost sub-chunk. */
  static ByteBuffer[] repair(LinearCode code, RepairEquation equation, ByteBuffer[] all,
      RegionKernel kernel) {
    ByteBuffer[] helpers = equation.helpers().stream().map(h -> all[row(code, h)])
        .toArray(ByteBuffer[]::new);
    int length = all[0].remaining();
    ByteBuffer[] repaired = new ByteBuffer[equation.lostSubChunks().size()];
    for (int r = 0; r < repaired.length; r++) {
      repaired[r] = ByteBuffer.allocateDirect(length);
    }
    kernel.prepare(equation.coefficients()).apply(helpers, repaired, length, false);
    return repaired;
  }

  /** Returns the index of a sub-chunk among the generator's rows. */
  static int row(LinearCode code, SubChunk subChunk) {
    return subChunk.unit() * code.subChunks() + subChunk.sub();
  }
}
