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
package org.hdfsppr.namenode.manage.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.plan.GroupId;

/**
 * Remembers columns that contradict a row: a repair rebuilt a unit from the column, and the unit
 * did not fit the other units of its row. The column alone does not show which of its blocks is
 * wrong, and a later reader may have no row to check the column with. So the column is not read any
 * more. When a row rebuilds its block of the column from its own other units, that block is right
 * again. When this is so for all suspected blocks, the column may be read again. The findings are
 * in this NameNode's memory only. Thread-safe.
 */
final class ContradictedColumns {
  /**
   * How many columns are remembered at most. More of them mean a fault of software or of a whole
   * machine. To be safe, no column is trusted then until all findings have ended.
   */
  static final int COLUMNS_MAX = 10_000;

  /** A column whose blocks contradict a row, and what is known about the wrong blocks. */
  private static final class Finding {
    /** The row whose own units the column contradicted. */
    private final GroupId row;
    /** The rows whose blocks of the column may be wrong. */
    private final Set<GroupId> suspects;

    Finding(GroupId row, Set<GroupId> suspects) {
      this.row = row;
      this.suspects = suspects;
    }
  }

  /** The findings about the columns of one CORE group at one index of its files' block groups. */
  private static final class Square {
    /** The parity file's block group, which no other CORE group has. */
    private final GroupId parity;
    private final Map<Integer, Finding> byUnit = new HashMap<>();

    Square(GroupId parity) {
      this.parity = parity;
    }
  }

  /** The squares by CORE group and index, that with the oldest look first. */
  private final Map<Map.Entry<Long, Integer>, Square> squares = new LinkedHashMap<>();
  private int size;
  private boolean isOverfull;

  /**
   * Takes note of a finding.
   *
   * @param rows the block groups of the column
   * @param row the block group whose own units the column contradicts
   * @param unit index of the column
   * @return false if the finding was known
   */
  synchronized boolean add(CoreRows rows, GroupId row, int unit) {
    Square square = squares.get(key(rows));
    if (square != null && square.byUnit.containsKey(unit)) {
      return false;
    }
    if (size >= COLUMNS_MAX) {
      boolean isNew = !isOverfull;
      isOverfull = true;
      return isNew;
    }
    Set<GroupId> suspects = new HashSet<>();
    for (CoreRows.Row other : rows.rows) {
      if (other != null && !other.id.equals(row)
          && CoreColumn.unitBytes(rows.policy, other.bytes, unit) > 0) {
        suspects.add(other.id);
      }
    }
    squares.computeIfAbsent(key(rows), any -> new Square(parity(rows))).byUnit
        .put(unit, new Finding(row, suspects));
    size++;
    return true;
  }

  private static Map.Entry<Long, Integer> key(CoreRows rows) {
    return Map.entry(rows.coreGroup, rows.index);
  }

  private static GroupId parity(CoreRows rows) {
    return rows.rows.get(rows.rows.size() - 1).id;
  }

  /** Returns whether there is no finding at all. */
  synchronized boolean isEmpty() {
    return size == 0;
  }

  /** Returns whether no column is trusted any more, because there were too many findings. */
  synchronized boolean isOverfull() {
    return isOverfull;
  }

  /** Returns the columns that are not trusted; bit i stands for the column with index i. */
  synchronized long of(CoreRows rows) {
    long units = isOverfull
        ? -1L >>> Long.SIZE - rows.policy.dataUnits - rows.policy.parityUnits : 0;
    Square square = squares.get(key(rows));
    if (square != null) {
      for (int unit : square.byUnit.keySet()) {
        units |= 1L << unit;
      }
    }
    return units;
  }

  /**
   * Takes note that a block of a column has been rebuilt from the other units of its own row.
   *
   * @return whether the column is trusted again
   */
  synchronized boolean rewritten(CoreRows rows, GroupId row, int unit) {
    Square square = squares.get(key(rows));
    Finding finding = square == null ? null : square.byUnit.get(unit);
    if (finding == null) {
      return false;
    }
    finding.suspects.remove(row);
    return finding.suspects.isEmpty() && remove(rows, found -> found == finding) > 0;
  }

  /**
   * Ends the findings that a row's columns contradict it. They are explained: a unit of the row
   * itself is wrong.
   *
   * @return how many have ended
   */
  synchronized int explained(CoreRows rows, GroupId row) {
    return remove(rows, finding -> finding.row.equals(row));
  }

  /**
   * Ends all findings about the columns of some block groups, because a superuser knows that they
   * are right.
   *
   * @return how many have ended
   */
  synchronized int lift(CoreRows rows) {
    return remove(rows, finding -> true);
  }

  private int remove(CoreRows rows, Predicate<Finding> which) {
    Square square = squares.get(key(rows));
    if (square == null) {
      return 0;
    }
    int before = square.byUnit.size();
    square.byUnit.values().removeIf(which);
    if (square.byUnit.isEmpty()) {
      squares.remove(key(rows));
    }
    return ended(before - square.byUnit.size());
  }

  private int ended(int count) {
    size -= count;
    isOverfull &= size > 0;
    return count;
  }

  /**
   * Forgets findings about CORE groups that were dissolved.
   *
   * @param max how many squares are looked at, at most; the next call looks at others
   * @param isGone takes the block group of a parity file, and says whether its CORE group is gone
   */
  synchronized void forget(int max, Predicate<GroupId> isGone) {
    List<Map.Entry<Long, Integer>> some = new ArrayList<>();
    for (Map.Entry<Long, Integer> key : squares.keySet()) {
      if (some.size() == max) {
        break;
      }
      some.add(key);
    }
    for (Map.Entry<Long, Integer> key : some) {
      Square square = squares.remove(key);
      if (isGone.test(square.parity)) {
        ended(square.byUnit.size());
      } else {
        squares.put(key, square);
      }
    }
  }
}
