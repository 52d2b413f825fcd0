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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.hdfsppr.coder.code.LinearCode;
import org.junit.jupiter.api.Test;

/**
 * Tests the strategies with all patterns of a small matrix and with random patterns of large ones.
 */
class TestRepairStrategies {
  private static final int BLOCKS = 15;
  private static final SmallProductCode SMALL = new SmallProductCode(5, 3, 2);

  /** Each strategy restores the right bytes for each of the 32768 patterns of a (5,3,2) matrix. */
  @Test
  void allPatternsOfASmallMatrixAreRestored() {
    Random random = new Random(1);
    for (int pattern = 0; pattern < 1 << BLOCKS; pattern++) {
      FailureMatrix matrix = SMALL.matrix(pattern);
      for (RepairStrategy strategy : RepairStrategies.all()) {
        RepairSchedule schedule = strategy.schedule(matrix);
        ScheduleCheck.assertSound(matrix, schedule);
        SMALL.assertRestores(matrix, schedule, random);
        assertEquals(matrix.recoverable(), schedule.isComplete());
      }
    }
  }

  /**
   * Compares RGS with the cheapest of all orders, which a search over all sets of losses finds. RGS
   * is greedy and could miss it, but in a (5,3,2) matrix it never does.
   */
  @Test
  void rgsReadsAsFewBlocksAsTheCheapestOrderOfASmallMatrix() {
    int[] cheapest = cheapest();
    for (int pattern = 0; pattern < 1 << BLOCKS; pattern++) {
      FailureMatrix matrix = SMALL.matrix(pattern);
      assertEquals(matrix.recoverable(), cheapest[pattern] < Integer.MAX_VALUE);
      if (matrix.recoverable()) {
        assertEquals(cheapest[pattern], RepairStrategies.RGS.schedule(matrix).cost(),
            matrix::toString);
      }
    }
  }

  /** Returns the fewest blocks that repairs of single rows and columns read, for each pattern. */
  private static int[] cheapest() {
    int[] cost = new int[1 << BLOCKS];
    Arrays.fill(cost, 1, cost.length, Integer.MAX_VALUE);
    int row = (1 << 5) - 1;
    int column = 1 | 1 << 5 | 1 << 10;
    for (int pattern = 1; pattern < cost.length; pattern++) {
      for (int i = 0; i < 3; i++) {
        int lost = pattern & row << 5 * i;
        if (lost != 0 && Integer.bitCount(lost) <= 2) {
          cost[pattern] = Math.min(cost[pattern], add(cost[pattern & ~lost], 3));
        }
      }
      for (int i = 0; i < 5; i++) {
        int lost = pattern & column << i;
        if (Integer.bitCount(lost) == 1) {
          cost[pattern] = Math.min(cost[pattern], add(cost[pattern & ~lost], 2));
        }
      }
    }
    return cost;
  }

  private static int add(int cost, int more) {
    return cost == Integer.MAX_VALUE ? cost : cost + more;
  }

  /** Random losses, short files and stale rows, in matrices up to 63 files and 64 columns. */
  @Test
  void randomPatternsAreRestored() {
    Random random = new Random(2);
    int[][] shapes = {{14, 12, 5}, {9, 6, 3}, {14, 10, 4}, {5, 3, 2}, {3, 2, 7}, {64, 60, 5},
        {6, 3, 63}};
    int complete = 0;
    for (int i = 0; i < 7000; i++) {
      int[] shape = shapes[i % shapes.length];
      FailureMatrix matrix = randomMatrix(shape, random);
      for (RepairStrategy strategy : RepairStrategies.all()) {
        RepairSchedule schedule = strategy.schedule(matrix);
        ScheduleCheck.assertSound(matrix, schedule);
        if (shape[0] <= LinearCode.MAX_UNITS) {
          new SmallProductCode(shape[0], shape[1], shape[2])
              .assertRestores(matrix, schedule, random);
        }
        assertEquals(schedule.cost(), ScheduleCheck.costOfClusters(matrix, strategy),
            () -> strategy.label() + " of\n" + matrix);
        complete += schedule.isComplete() ? 1 : 0;
      }
    }
    assertTrue(complete > 3000 && complete < 20500, "only " + complete + " of 21000 are complete");
  }

  /**
   * Draws a matrix: in half of them files are short by some data blocks, which all longer columns'
   * parity blocks still have; in a quarter a row is stale.
   */
  private static FailureMatrix randomMatrix(int[] shape, Random random) {
    int rows = shape[2] + 1;
    long[] absent = new long[rows];
    if (random.nextBoolean()) {
      long common = -1L;
      for (int row = 0; row < shape[2]; row++) {
        int length = random.nextInt(shape[1]) + 1;
        absent[row] = (1L << shape[1]) - (1L << length);
        common &= absent[row];
      }
      absent[shape[2]] = common;
    }
    long[] lost = new long[rows];
    int failures = 1 + random.nextInt(2 * (shape[0] - shape[1] + 1) + rows);
    for (int i = 0; i < failures; i++) {
      int row = random.nextInt(rows);
      lost[row] |= 1L << random.nextInt(shape[0]) & ~absent[row];
    }
    FailureMatrix matrix = FailureMatrix.of(new ReedSolomonRow(shape[0], shape[1]), lost);
    for (int row = 0; row < rows; row++) {
      matrix = matrix.withAbsent(row, absent[row]);
    }
    if (random.nextInt(4) == 0) {
      long all = -1L >>> Long.SIZE - shape[0];
      matrix = matrix.withStale(random.nextInt(rows),
          random.nextBoolean() ? all : random.nextLong() & random.nextLong() & all);
    }
    return matrix;
  }

  /**
   * A code with local groups: units 0, 1 and their XOR 4, units 2, 3 and their XOR 5, and a parity
   * of all, 6. Strategies ask it as they ask Reed-Solomon.
   */
  private static final class LocalRow implements RowCode {
    @Override
    public int units() {
      return 7;
    }

    @Override
    public boolean recovers(long lost) {
      int left = excess(lost & 0b0010011) + excess(lost & 0b0101100);
      return left + Long.bitCount(lost & 0b1000000) <= 1;
    }

    private static int excess(long local) {
      return Math.max(0, Long.bitCount(local) - 1);
    }

    @Override
    public int surplus(long lost) {
      int left = excess(lost & 0b0010011) + excess(lost & 0b0101100)
          + Long.bitCount(lost & 0b1000000);
      return Math.max(0, left - 1);
    }

    @Override
    public long reads(long lost, long zeros, long preferred) {
      if (!recovers(lost)) {
        throw new IllegalArgumentException("not recoverable");
      }
      boolean first = Long.bitCount(lost & 0b0010011) == 1 && (lost & 0b1101100) == 0;
      boolean second = Long.bitCount(lost & 0b0101100) == 1 && (lost & 0b1010011) == 0;
      return (first ? 0b0010011 : second ? 0b0101100 : 0b1111111) & ~lost & ~zeros;
    }
  }

  @Test
  void innerCodeMayBeALocalOne() {
    Random random = new Random(3);
    for (int i = 0; i < 5000; i++) {
      long[] lost = new long[4];
      for (int j = random.nextInt(10); j >= 0; j--) {
        lost[random.nextInt(4)] |= 1L << random.nextInt(7);
      }
      FailureMatrix matrix = FailureMatrix.of(new LocalRow(), lost);
      for (RepairStrategy strategy : RepairStrategies.all()) {
        assertEquals(matrix.remainder(), strategy.schedule(matrix).unrepaired,
            () -> strategy.label() + " of\n" + matrix);
      }
    }
    // Row 1 has lost a whole local group and the global parity: two vertical repairs, then the
    // local relation, which reads 2 blocks instead of 3.
    FailureMatrix matrix = FailureMatrix.of(new LocalRow(), 0, 0b1010011, 0, 0);
    RepairSchedule schedule = RepairStrategies.RGS.schedule(matrix);
    assertTrue(schedule.isComplete());
    assertEquals(3 * 3 + 2, schedule.cost(), schedule::toString);
  }

  @Test
  void unknownNamesAreRefused() {
    RepairStrategies.all().forEach(
        strategy -> assertEquals(strategy, RepairStrategies.byName(strategy.label())));
    assertTrue(assertThrows(IllegalArgumentException.class,
        () -> RepairStrategies.byName("RGS")).getMessage().contains("rgs, row-first"));
  }
}
