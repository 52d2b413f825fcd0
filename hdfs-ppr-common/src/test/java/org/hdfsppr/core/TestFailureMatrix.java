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
package org.hdfsppr.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests clusters, recoverability and bounds of matrices. */
class TestFailureMatrix {
  private static final RowCode RS_14_12 = new ReedSolomonRow(14, 12);
  private static final RowCode RS_5_3 = new ReedSolomonRow(5, 3);
  /** The number of patterns of a (5,3,2) matrix, of 32768, that are recoverable. */
  private static final int RECOVERABLE_5_3_2 = 24184;

  /**
   * Compares {@link FailureMatrix#recoverable} with the rank of the blocks that are left, for all
   * patterns of a (5,3,2) matrix: repairs of single rows and columns recover everything that the
   * blocks determine.
   */
  @Test
  void recoverableIsWhatTheRankSaysInASmallMatrix() {
    SmallProductCode code = new SmallProductCode(5, 3, 2);
    int recoverable = 0;
    for (int pattern = 0; pattern < 1 << 15; pattern++) {
      FailureMatrix matrix = code.matrix(pattern);
      assertEquals(code.determined(pattern), matrix.recoverable(), matrix::toString);
      recoverable += matrix.recoverable() ? 1 : 0;
    }
    assertEquals(RECOVERABLE_5_3_2, recoverable);
  }

  /**
   * In larger matrices, a decoder that solves for several rows and columns at once recovers
   * patterns that no single row or column can begin to repair. A row that has lost n - k + 1 blocks
   * leaves one number unknown for each of their bytes. Here these are 4 for 4 rows. The sum of all
   * rows is a word of the row's code, so that sums over the 6 columns with losses are 6 - (n - k) =
   * 4 relations, which determine them. The smaller matrix has always fewer relations than unknown
   * numbers. CORE does without such repairs, as the paper does: they would read all rows.
   */
  @Test
  void someLargerPatternsAreRecoverableByRankOnly() {
    SmallProductCode code = new SmallProductCode(6, 4, 3);
    long pattern = 0b000111L | 0b011001L << 6 | 0b101010L << 12 | 0b110100L << 18;
    assertTrue(code.determined(pattern));
    assertFalse(code.matrix(pattern).recoverable());
    assertEquals(12, code.matrix(pattern).remainder().failures());
    Random random = new Random(7);
    int recoverable = 0;
    for (int i = 0; i < 20000; i++) {
      long lost = random.nextInt(1 << 24) & random.nextInt(1 << 24);
      if (code.matrix(lost).recoverable()) {
        assertTrue(code.determined(lost), () -> code.matrix(lost).toString());
        recoverable++;
      }
    }
    assertTrue(recoverable > 5000 && recoverable < 19900, "" + recoverable);
  }

  @Test
  void fewerFailuresThanTheLowerBoundAreAlwaysRecoverable() {
    for (int pattern = 0; pattern < 1 << 15; pattern++) {
      FailureMatrix matrix = new SmallProductCode(5, 3, 2).matrix(pattern);
      if (matrix.failures() < RecoverabilityBounds.lower(5, 3)) {
        assertTrue(matrix.recoverable(), matrix::toString);
      }
      if (matrix.failures() > RecoverabilityBounds.upperOfAll(5, 3, 2)) {
        assertFalse(matrix.recoverable(), matrix::toString);
      }
      boolean onlyData = (pattern & ~0b0011100111) == 0;
      if (onlyData && matrix.failures() > RecoverabilityBounds.upper(5, 3, 2)) {
        assertFalse(matrix.recoverable(), matrix::toString);
      }
    }
  }

  /** The bounds of the paper's code, and a pattern that meets each of them. */
  @Test
  void boundsAreMet() {
    assertEquals(6, RecoverabilityBounds.lower(14, 12));
    assertEquals(20, RecoverabilityBounds.upper(14, 12, 5));
    assertEquals(24, RecoverabilityBounds.upperOfAll(14, 12, 5));
    FailureMatrix lower = FailureMatrix.of(RS_14_12, 0b111, 0b111, 0, 0, 0, 0);
    assertEquals(6, lower.failures());
    assertFalse(lower.recoverable());
    FailureMatrix upper = FailureMatrix.of(RS_14_12, 0xfff, 3, 3, 3, 3, 0);
    assertEquals(20, upper.failures());
    assertTrue(upper.recoverable());
    FailureMatrix all = FailureMatrix.of(RS_14_12, 0x3fff, 3, 3, 3, 3, 3);
    assertEquals(24, all.failures());
    assertTrue(all.recoverable());
    assertEquals(2, RecoverabilityBounds.upper(4, 1, 2));
  }

  @Test
  void clustersShareNoRowAndNoColumn() {
    FailureMatrix matrix = RepairScenario.matrix(RS_5_3, List.of(
        "X..X.",
        ".X...",
        "...X.",
        ".X..X",
        "....."));
    List<FailureMatrix> clusters = matrix.clusters();
    assertEquals(List.of(
        RepairScenario.matrix(RS_5_3, List.of("X..X.", ".....", "...X.", ".....", ".....")),
        RepairScenario.matrix(RS_5_3, List.of(".....", ".X...", ".....", ".X..X", "....."))),
        clusters);
    assertEquals(2, matrix.clusterCount());
    assertEquals(List.of(), FailureMatrix.of(RS_5_3, 0, 0).clusters());
  }

  /** A chain of losses, in which the first and the last row meet only through all others. */
  @Test
  void clustersGrowThroughOtherRows() {
    assertEquals(1, RepairScenario.matrix(RS_5_3, List.of(
        "X....",
        ".X.X.",
        "..XX.",
        "X.X..")).clusterCount());
  }

  @Test
  void clustersAreFoundAsByMergingSingleLosses() {
    Random random = new Random(4);
    for (int i = 0; i < 20000; i++) {
      long[] lost = new long[6];
      for (int j = random.nextInt(15); j > 0; j--) {
        lost[random.nextInt(6)] |= 1L << random.nextInt(14);
      }
      FailureMatrix matrix = FailureMatrix.of(RS_14_12, lost);
      List<FailureMatrix> clusters = matrix.clusters();
      assertEquals(merged(matrix), clusters.size(), matrix::toString);
      assertEquals(matrix.failures(),
          clusters.stream().mapToInt(FailureMatrix::failures).sum());
      assertEquals(matrix.recoverable(), clusters.stream().allMatch(FailureMatrix::recoverable));
    }
  }

  /** Counts clusters as the paper's section V-A describes it: single losses that are merged. */
  private static int merged(FailureMatrix matrix) {
    int[] parents = new int[matrix.rows() + matrix.columns()];
    for (int i = 0; i < parents.length; i++) {
      parents[i] = i;
    }
    for (int row = 0; row < matrix.rows(); row++) {
      for (int column = 0; column < matrix.columns(); column++) {
        if ((matrix.lost(row) >>> column & 1) != 0) {
          parents[root(parents, row)] = root(parents, matrix.rows() + column);
        }
      }
    }
    return (int) IntStream.range(0, matrix.rows())
        .filter(row -> matrix.lost(row) != 0).map(row -> root(parents, row)).distinct().count();
  }

  private static int root(int[] parents, int of) {
    int root = of;
    while (parents[root] != root) {
      root = parents[root];
    }
    return root;
  }

  /**
   * Losses of a column without a relation belong to separate clusters. A loss that cannot be
   * repaired does not stop the others.
   */
  @Test
  void columnsWithoutRelationJoinNothing() {
    List<String> rows = List.of("XXX..", "X....", "sssss", ".....");
    FailureMatrix matrix = RepairScenario.matrix(RS_5_3, rows);
    assertEquals(0, matrix.relatedColumns());
    assertEquals(2, matrix.clusterCount());
    assertEquals(3, matrix.remainder().failures());
  }

  /** A column in which one row alone has a block proves nothing about the block. */
  @Test
  void singleBlocksOfColumnsHaveNoRelation() {
    FailureMatrix matrix = RepairScenario.matrix(RS_5_3, List.of("..X..", "000..", "000.."));
    assertEquals(0b11000, matrix.relatedColumns());
    assertEquals(RepairStep.Direction.HORIZONTAL,
        RepairStrategies.COLUMN_FIRST.schedule(matrix).steps.get(0).direction);
  }

  @Test
  void wrongMatricesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> FailureMatrix.of(RS_5_3, 1));
    assertThrows(IllegalArgumentException.class, () -> FailureMatrix.of(RS_5_3, new long[65]));
    assertThrows(IllegalArgumentException.class, () -> FailureMatrix.of(RS_5_3, 0, 1 << 5));
    FailureMatrix matrix = FailureMatrix.of(RS_5_3, 1, 2);
    assertThrows(IllegalArgumentException.class, () -> matrix.withAbsent(0, 3));
    assertThrows(IllegalArgumentException.class, () -> matrix.withAbsent(0, 1 << 5));
    assertThrows(IllegalArgumentException.class, () -> matrix.withStale(1, -1L));
    for (int[] wrong : new int[][] {{1, 1}, {65, 12}, {5, 5}, {5, 0}, {5, -1}}) {
      assertThrows(IllegalArgumentException.class, () -> new ReedSolomonRow(wrong[0], wrong[1]));
    }
    assertThrows(IllegalArgumentException.class,
        () -> new ReedSolomonRow(5, 3).reads(0b111, 0, -1L));
  }

  @Test
  void matricesAreValues() {
    List<String> rows = List.of("X.s..", ".Y0..", ".....");
    FailureMatrix matrix = RepairScenario.matrix(RS_5_3, rows);
    assertEquals(String.join("\n", rows) + "\n", matrix.toString());
    assertEquals(matrix, RepairScenario.matrix(RS_5_3, rows));
    assertEquals(matrix.hashCode(), RepairScenario.matrix(RS_5_3, rows).hashCode());
    assertNotEquals(matrix, matrix.withStale(0, 0));
    assertNotEquals(matrix, matrix.withAbsent(1, 0));
    long[] lost = {1, 2};
    FailureMatrix copied = FailureMatrix.of(RS_5_3, lost);
    lost[0] = 31;
    assertEquals(1, copied.lost(0));
  }

  /** Rows are read at blocks that need no repair before, if there are enough of them. */
  @Test
  void rowsPreferBlocksThatAreThere() {
    ReedSolomonRow row = new ReedSolomonRow(5, 3);
    assertEquals(0b11010, row.reads(0b00001, 0, 0b11010));
    assertEquals(0b10110, row.reads(0b00001, 0, 0b10000));
    assertEquals(0b01000, row.reads(0b00001, 0b00110, 0b01000));
  }
}
