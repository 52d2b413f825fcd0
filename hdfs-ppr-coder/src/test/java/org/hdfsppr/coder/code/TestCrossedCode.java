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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a row and a column of CORE are one code: see {@link CrossedCode}. */
class TestCrossedCode {
  private static final long SEED = 20;

  /** Encodes t files of random bytes and their XOR, each under the row's code: a row for each. */
  private static int[][] product(LinearCode row, int files) {
    Random random = new Random(SEED);
    int[][] blocks = new int[files + 1][row.units()];
    for (int file = 0; file < files; file++) {
      int[] data = random.ints(row.dataUnits(), 0, 256).toArray();
      blocks[file] = encoded(row.generator(), data);
    }
    for (int unit = 0; unit < row.units(); unit++) {
      for (int file = 0; file < files; file++) {
        blocks[files][unit] ^= blocks[file][unit];
      }
    }
    return blocks;
  }

  private static int[] encoded(GfMatrix generator, int[] data) {
    return IntStream.range(0, generator.rows()).map(r -> {
      int sum = 0;
      for (int c = 0; c < data.length; c++) {
        sum ^= Gf256.mul(generator.get(r, c), data[c]);
      }
      return sum;
    }).toArray();
  }

  /** Every block of a row and of a column is what the crossed code makes of its data units. */
  @ParameterizedTest
  @CsvSource({"6,3,3", "12,2,5", "3,2,2", "2,1,2", "12,4,12"})
  void theBlocksOfAProductCodeSatisfyIt(int k, int m, int files) throws Exception {
    LinearCode row = ReedSolomon.hadoop(k, m);
    int[][] blocks = product(row, files);
    for (int unit = 0; unit < row.units(); unit++) {
      for (int own = 0; own <= files; own++) {
        CrossedCode crossed = CrossedCode.of(row, unit, files);
        int[] units = new int[crossed.code().units()];
        for (int u = 0; u < row.units(); u++) {
          units[crossed.ofRow(u)] = blocks[own][u];
          assertEquals(u, CrossedCode.parts(crossed.code().name()).rowUnit(crossed.ofRow(u)));
        }
        int next = 0;
        for (int file = 0; file <= files; file++) {
          if (file != own) {
            assertEquals(-1,
                CrossedCode.parts(crossed.code().name()).rowUnit(crossed.ofColumn(next)));
            units[crossed.ofColumn(next++)] = blocks[file][unit];
          }
        }
        assertArrayEquals(units, encoded(crossed.code().generator(),
            Arrays.copyOf(units, crossed.code().dataUnits())));
      }
    }
  }

  @Test
  void theColumnComesFirst() throws Exception {
    CrossedCode crossed = CrossedCode.of(ReedSolomon.hadoop(12, 2), 13, 5);
    int lost = crossed.ofRow(13);
    int[] all = IntStream.range(0, crossed.code().units()).filter(u -> u != lost).toArray();
    RepairOption first = crossed.code().repairOptions(new int[] {lost}, all).get(0);
    assertEquals(CrossedCode.RECIPE, first.name());
    assertEquals(5, first.equation().helpers().size());
    for (int h = 0; h < 5; h++) {
      assertEquals(1, first.equation().coefficients().get(0, h));
    }
  }

  @Test
  void aSingleOtherBlockIsACopy() throws Exception {
    CrossedCode crossed = CrossedCode.of(ReedSolomon.hadoop(3, 2), 1, 1);
    assertEquals(3, crossed.code().dataUnits());
    assertEquals(crossed.code().generator().rows(crossed.ofRow(1)),
        crossed.code().generator().rows(crossed.ofColumn(0)));
  }

  @Test
  void namesFindCodes() throws Exception {
    Configuration conf = new Configuration();
    LinearCode code = Codes.forCodec(conf, "rs-6-3*4x3", 8, 4);
    assertEquals(CrossedCode.of(ReedSolomon.hadoop(6, 3), 4, 3).code().generator(),
        code.generator());
    assertEquals("rs-6-3*4x3", CrossedCode.name("rs-6-3", 4, 3));
    assertTrue(CrossedCode.isName("rs-6-3*4x3"));
    assertFalse(CrossedCode.isName("rs"));
    for (String wrong : new String[] {"rs-6-3*", "rs-6-3*4", "rs-6-3*4x0", "rs-6-3*9x3",
        "*4x3", "rs-6-3*4x3*4x3", "rs-6-3*4x20", "hitchhiker-xor-6-3*4x3"}) {
      assertThrows(UnsupportedCodeException.class, () -> Codes.forCodec(conf, wrong, 8, 4), wrong);
    }
    assertThrows(UnsupportedCodeException.class,
        () -> Codes.forCodec(conf, "rs-6-3*4x3", 9, 3));
  }
}
