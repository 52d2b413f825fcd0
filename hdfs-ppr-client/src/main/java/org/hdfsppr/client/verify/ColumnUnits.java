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
package org.hdfsppr.client.verify;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.read.LocatedUnits;
import org.hdfsppr.coder.code.CoreRow;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.column.SquareBlocks;
import org.hdfsppr.plan.BlockLayout;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.ListedBlocks;

/** A column of a CORE group: the blocks of one unit that have bytes. Immutable. */
@InterfaceAudience.Private
final class ColumnUnits implements LocatedUnits {
  /** The rows of the square that have a block here, in the order of the code. */
  final List<Integer> rows;
  private final List<LocatedBlock> blocks;
  private final ListedBlocks layout;

  private ColumnUnits(List<Integer> rows, List<LocatedBlock> blocks, ListedBlocks layout) {
    this.rows = rows;
    this.blocks = blocks;
    this.layout = layout;
  }

  /**
   * Returns a column.
   *
   * @param unit index of the unit
   * @return the column; null if it has no bytes in any file
   */
  static ColumnUnits of(SquareBlocks square, int unit) {
    List<Integer> rows = new ArrayList<>();
    List<LocatedBlock> blocks = new ArrayList<>();
    List<BlockRef> refs = new ArrayList<>();
    LocatedGroup first = null;
    for (int row = 0; row < square.rows.size(); row++) {
      LocatedGroup group = row(square, row);
      first = first == null ? group : first;
      if (group.unitBytes(unit) > 0) {
        rows.add(row);
        blocks.add(group.unit(unit));
        refs.add(group.layout().block(unit));
      }
    }
    return refs.size() < 2 ? null : new ColumnUnits(rows, blocks,
        new ListedBlocks(first.id(), refs, refs.size() - 1, first.cellBytes()));
  }

  /** Returns the block group of a row. */
  static LocatedGroup row(SquareBlocks square, int row) {
    return new LocatedGroup(square.rows.get(row).group, square.policy);
  }

  /** Returns the code, of which the parity file's block is the parity. */
  LinearCode code() {
    return CoreRow.column(layout.dataUnits());
  }

  @Override
  public BlockLayout layout() {
    return layout;
  }

  @Override
  public LocatedBlock unit(int unit) {
    return blocks.get(unit);
  }
}
