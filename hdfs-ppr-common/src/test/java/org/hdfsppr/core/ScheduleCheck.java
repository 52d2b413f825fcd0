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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Follows the steps of a schedule and checks each of them. */
final class ScheduleCheck {
  private ScheduleCheck() {
  }

  /**
   * Checks that each step rebuilds lost blocks, reads only blocks that are present or rebuilt by
   * the steps that it names, and reads as many as the relation needs; and that what remains lost in
   * the end is what cannot be repaired.
   */
  static void assertSound(FailureMatrix matrix, RepairSchedule schedule) {
    int columns = matrix.columns();
    Map<Integer, Integer> rebuiltBy = new TreeMap<>();
    boolean[] lost = new boolean[matrix.rows() * columns];
    for (int block = 0; block < lost.length; block++) {
      lost[block] = isIn(matrix.lost(block / columns), block % columns);
    }
    int cost = 0;
    for (int i = 0; i < schedule.steps.size(); i++) {
      RepairStep step = schedule.steps.get(i);
      int index = i;
      Supplier<String> where = () -> "step " + index + " of " + schedule + "\n" + matrix;
      List<Integer> rebuilt = blocks(step, columns);
      TreeSet<Integer> after = new TreeSet<>();
      int reads = 0;
      for (int block = 0; block < lost.length; block++) {
        if (step.reads(block / columns, block % columns)) {
          assertTrue(!lost[block], where);
          assertTrue(!isIn(matrix.absent(block / columns), block % columns), where);
          reads++;
          if (rebuiltBy.containsKey(block)) {
            after.add(rebuiltBy.get(block));
          }
        }
      }
      assertEquals(needed(matrix, step, lost, where), reads, where);
      assertEquals(step.cost(), reads, where);
      assertEquals(new ArrayList<>(after), step.after, where);
      cost += reads;
      for (int block : rebuilt) {
        assertTrue(lost[block], where);
        lost[block] = false;
        rebuiltBy.put(block, i);
      }
    }
    assertEquals(cost, schedule.cost());
    long[] left = new long[matrix.rows()];
    for (int block = 0; block < lost.length; block++) {
      left[block / columns] |= lost[block] ? 1L << block % columns : 0;
    }
    assertEquals(matrix.remainder(), schedule.unrepaired, () -> schedule + "\n" + matrix);
    assertEquals(matrix.withLost(left), schedule.unrepaired);
    assertRunsInParallel(schedule);
  }

  private static boolean isIn(long mask, int bit) {
    return (mask >>> bit & 1) != 0;
  }

  private static List<Integer> blocks(RepairStep step, int columns) {
    List<Integer> blocks = new ArrayList<>();
    for (int column = 0; column < columns; column++) {
      if (isIn(step.rebuilt, column)) {
        blocks.add(step.row * columns + column);
      }
    }
    assertTrue(!blocks.isEmpty());
    return blocks;
  }

  /** Returns how many blocks a step has to read, from the definition of its relation. */
  private static int needed(FailureMatrix matrix, RepairStep step, boolean[] lost,
      Supplier<String> where) {
    if (step.direction == RepairStep.Direction.VERTICAL) {
      int column = Long.numberOfTrailingZeros(step.rebuilt);
      assertEquals(1L << column, step.rebuilt, where);
      assertTrue(isIn(matrix.relatedColumns(), column), where);
      int others = 0;
      for (int row = 0; row < matrix.rows(); row++) {
        others += row == step.row || isIn(matrix.absent(row), column) ? 0 : 1;
      }
      return others;
    }
    ReedSolomonRow code = (ReedSolomonRow) matrix.code;
    int lostInRow = 0;
    for (int column = 0; column < matrix.columns(); column++) {
      lostInRow += lost[step.row * matrix.columns() + column] ? 1 : 0;
    }
    assertEquals(lostInRow, Long.bitCount(step.rebuilt), where);
    assertTrue(lostInRow <= code.units() - code.dataUnits, where);
    return code.dataUnits - Long.bitCount(matrix.absent(step.row));
  }

  /** Begins all steps as soon as they are ready: that takes as many rounds as the depth says. */
  private static void assertRunsInParallel(RepairSchedule schedule) {
    BitSet begun = new BitSet();
    int rounds = 0;
    List<Integer> ready = schedule.ready(begun, begun);
    while (!ready.isEmpty()) {
      rounds++;
      BitSet ended = (BitSet) begun.clone();
      ready.forEach(begun::set);
      assertEquals(List.of(), schedule.ready(begun, ended));
      ready = schedule.ready(begun, begun);
    }
    assertEquals(schedule.steps.size(), begun.cardinality(), () -> "not all begin: " + schedule);
    assertEquals(schedule.depth(), rounds, schedule::toString);
  }

  /** Returns the sums of costs by cluster. */
  static int costOfClusters(FailureMatrix matrix, RepairStrategy strategy) {
    int[] costs = matrix.clusters().stream().mapToInt(part -> strategy.schedule(part).cost())
        .toArray();
    return Arrays.stream(costs).sum();
  }
}
