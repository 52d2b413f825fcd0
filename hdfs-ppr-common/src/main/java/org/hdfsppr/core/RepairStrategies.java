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

import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** All strategies that order the repairs of a CORE group. */
@InterfaceAudience.Private
public final class RepairStrategies {
  /** Tries to read as few blocks as possible, see {@link RecursiveGreedy}. */
  public static final RepairStrategy RGS = new RecursiveGreedy();
  /** Prefers repairs of rows, as if there were no parity file. */
  public static final RepairStrategy ROW_FIRST = new FixedOrder("row-first", true);
  /** Prefers repairs of columns. */
  public static final RepairStrategy COLUMN_FIRST = new FixedOrder("column-first", false);

  private static final List<RepairStrategy> ALL = List.of(RGS, ROW_FIRST, COLUMN_FIRST);

  private RepairStrategies() {
  }

  /** @return all strategies, the default one first */
  public static List<RepairStrategy> all() {
    return ALL;
  }

  /**
   * @param label the {@link RepairStrategy#label} of the strategy
   * @return the strategy
   * @throws IllegalArgumentException if no strategy has this label
   */
  public static RepairStrategy byName(String label) {
    return ALL.stream().filter(strategy -> strategy.label().equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no strategy '" + label
            + "'; there are "
            + ALL.stream().map(RepairStrategy::label).collect(Collectors.joining(", "))));
  }

  /**
   * RGS, the recursively generated schedule (CORE paper, section V-C). A vertical repair rebuilds a
   * block from its column, a horizontal repair rebuilds a row. Some rows have lost more than they
   * can repair: v is the number of vertical repairs that they need in any case. Some columns have
   * lost more than one block: h is the number of horizontal repairs that they need in any case. The
   * strategy prefers a vertical repair that lowers v. If there is none, it makes a horizontal
   * repair that lowers h. If there is none of either, it repairs the remaining losses of each row
   * in the cheaper way.
   *
   * <p>The CORE paper leaves some choices open. This class chooses the horizontal repair that
   * lowers h most; of equal rows it takes the row with the most losses, because the same reads
   * rebuild all of them. At equal cost it repairs vertically, because XOR is the cheaper
   * computation. It treats the row of the parity file and the parity columns like all others.
   */
  static final class RecursiveGreedy implements RepairStrategy {
    @Override
    public String label() {
      return "rgs";
    }

    @Override
    public RepairSchedule schedule(FailureMatrix matrix) {
      ScheduleBuilder open = new ScheduleBuilder(matrix);
      RowCode code = matrix.code;
      boolean more = true;
      while (more && !open.isWhole()) {
        more = lowerV(open, code) || lowerH(open) || repairRest(open);
      }
      return open.build();
    }

    /**
     * Makes a vertical repair of one block of a row that has lost more than it can repair. Chooses
     * the row with the smallest surplus of losses: it needs the fewest vertical repairs until a
     * horizontal repair can rebuild the rest, which other columns need.
     */
    private static boolean lowerV(ScheduleBuilder open, RowCode code) {
      int best = -1;
      long column = 0;
      int least = Integer.MAX_VALUE;
      for (int row = 0; row < open.rows(); row++) {
        int surplus = code.surplus(open.lost(row));
        if (surplus > 0 && surplus < least) {
          long lowering = lowering(open, code, row, surplus);
          if (lowering != 0) {
            best = row;
            column = lowering;
            least = surplus;
          }
        }
      }
      if (best < 0) {
        return false;
      }
      open.vertical(best, Long.numberOfTrailingZeros(column));
      return true;
    }

    /**
     * Returns a lost block of the row, as a bit mask, that its column can repair and whose repair
     * lowers the row's surplus of losses; 0 if there is none.
     */
    private static long lowering(ScheduleBuilder open, RowCode code, int row, int surplus) {
      for (long rest = open.repairableVertically(row); rest != 0; rest &= rest - 1) {
        long block = Long.lowestOneBit(rest);
        if (code.surplus(open.lost(row) & ~block) < surplus) {
          return block;
        }
      }
      return 0;
    }

    private static boolean lowerH(ScheduleBuilder open) {
      int best = -1;
      int mostCritical = 0;
      int mostLost = 0;
      for (int row = 0; row < open.rows(); row++) {
        int critical = Long.bitCount(open.critical(row));
        int lost = Long.bitCount(open.lost(row));
        boolean better = critical > mostCritical || critical == mostCritical && lost > mostLost;
        if (critical > 0 && better && open.repairable(row)) {
          best = row;
          mostCritical = critical;
          mostLost = lost;
        }
      }
      if (best < 0) {
        return false;
      }
      open.horizontal(best);
      return true;
    }

    /** Makes the repairs that are possible but lower neither v nor h, row by row. */
    private static boolean repairRest(ScheduleBuilder open) {
      boolean any = false;
      for (int row = 0; row < open.rows(); row++) {
        long columns = open.repairableVertically(row);
        boolean allVertically = columns == open.lost(row);
        if (open.repairable(row)
            && (!allVertically || open.horizontalCost(row) < open.verticalCost(row))) {
          open.horizontal(row);
          any = true;
        } else {
          for (long rest = columns; rest != 0; rest &= rest - 1) {
            open.vertical(row, Long.numberOfTrailingZeros(rest));
            any = true;
          }
        }
      }
      return any;
    }
  }

  /**
   * Makes repairs of rows, and repairs of single blocks by their columns, until none is possible.
   * It always tries the same direction first (CORE paper, section V-C). Of several rows that can be
   * repaired, it takes the row with the most losses.
   */
  static final class FixedOrder implements RepairStrategy {
    private final String label;
    private final boolean rowsFirst;

    FixedOrder(String label, boolean rowsFirst) {
      this.label = label;
      this.rowsFirst = rowsFirst;
    }

    @Override
    public String label() {
      return label;
    }

    @Override
    public RepairSchedule schedule(FailureMatrix matrix) {
      ScheduleBuilder open = new ScheduleBuilder(matrix);
      boolean more = true;
      while (more) {
        more = rowsFirst ? fullestRow(open) || firstColumn(open)
            : firstColumn(open) || fullestRow(open);
      }
      return open.build();
    }

    /**
     * Of the rows that can be repaired, repairs the row with the most losses; of equal rows the
     * first.
     *
     * @return false if no row can be repaired
     */
    private static boolean fullestRow(ScheduleBuilder open) {
      int best = -1;
      int most = 0;
      for (int row = 0; row < open.rows(); row++) {
        int failures = Long.bitCount(open.lost(row));
        if (failures > most && open.repairable(row)) {
          best = row;
          most = failures;
        }
      }
      if (best < 0) {
        return false;
      }
      open.horizontal(best);
      return true;
    }

    /**
     * Repairs one block by its column: in the first row with a lost block that its column can
     * repair, the first such block.
     *
     * @return false if no block can be repaired by its column
     */
    private static boolean firstColumn(ScheduleBuilder open) {
      for (int row = 0; row < open.rows(); row++) {
        long columns = open.repairableVertically(row);
        if (columns != 0) {
          open.vertical(row, Long.numberOfTrailingZeros(columns));
          return true;
        }
      }
      return false;
    }
  }
}
