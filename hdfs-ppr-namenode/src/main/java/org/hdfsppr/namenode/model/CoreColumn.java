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
package org.hdfsppr.namenode.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * A column of CORE that can rebuild a lost unit of a block group: the blocks with the same index of
 * other block groups. The XOR of these blocks is the lost unit. A block that is shorter than the
 * unit is extended by zeros, and a block of no bytes is not in the list. Immutable.
 */
@InterfaceAudience.Private
public final class CoreColumn {
  private final GroupPolicy policy;
  /** Index of the lost unit, and of all blocks of the column */
  public final int unit;
  /** The other block groups of the CORE group that have a block in this column */
  public final List<CoreRows.Row> rows;
  /**
   * The nodes from which the blocks can be read; a holder's unit is the index of its block group in
   * {@link #rows}
   */
  public final List<UnitHolder> holders;

  /**
   * @param policy codec, units and cell size of all rows
   * @param unit index of the lost unit, and of all blocks of the column
   * @param rows the other block groups that have a block in this column, at least one
   * @param holders the nodes from which the blocks can be read, at least one for each block; a
   *     holder's unit is the index of its block group in {@code rows}
   * @throws IllegalArgumentException if a block has no holder, or a holder no block
   */
  public CoreColumn(GroupPolicy policy, int unit, List<CoreRows.Row> rows,
      List<UnitHolder> holders) {
    this.policy = Objects.requireNonNull(policy, "policy");
    this.unit = unit;
    this.rows = Collections.unmodifiableList(new ArrayList<>(rows));
    this.holders = Collections.unmodifiableList(new ArrayList<>(holders));
    Set<Integer> held = holders.stream().map(holder -> holder.unit).collect(Collectors.toSet());
    if (rows.isEmpty() || held.size() != rows.size()
        || held.stream().anyMatch(block -> block < 0 || block >= rows.size())) {
      throw new IllegalArgumentException("Column " + unit + " of " + rows.size()
          + " other blocks cannot be held by " + holders);
    }
  }

  /** @return number of blocks that a repair reads */
  public int size() {
    return rows.size();
  }

  /**
   * @param block index of a block group in {@link #rows}
   * @return length of its block, bytes, at least 1
   */
  public long bytes(int block) {
    return unitBytes(policy, rows.get(block).bytes, unit);
  }

  /** @return the blocks of the column, in the order of {@link #rows} */
  public List<BlockRef> blocks() {
    List<BlockRef> blocks = new ArrayList<>();
    for (int block = 0; block < rows.size(); block++) {
      blocks.add(rows.get(block).id.block(unit, bytes(block)));
    }
    return blocks;
  }

  /**
   * @param policy codec, units and cell size
   * @param groupBytes length of a block group's data
   * @param unit index of a unit
   * @return length of the unit, bytes; 0 if the file ends before it
   */
  public static long unitBytes(GroupPolicy policy, long groupBytes, int unit) {
    return StripedBlockUtil.getInternalBlockLength(groupBytes, policy.cellBytes,
        policy.dataUnits, unit);
  }

  /**
   * @param other another column
   * @return whether both name the same blocks on the same nodes with the same addresses
   */
  boolean isSameView(CoreColumn other) {
    return unit == other.unit && policy.equals(other.policy)
        && SameView.all(rows, other.rows,
            (one, two) -> one.id.equals(two.id) && one.bytes == two.bytes)
        && SameView.all(holders, other.holders, SameView::holder);
  }

  @Override
  public String toString() {
    return "column " + unit + " through " + holders;
  }
}
