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
package org.hdfsppr.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A list of blocks that may belong to several block groups. An example is a column of a CORE group,
 * which consists of the units with the same index of several files and of their parity file. The
 * blocks may differ in length.
 */
@InterfaceAudience.Private
public final class ListedBlocks implements BlockLayout {
  private final GroupId id;
  private final List<BlockRef> blocks;
  private final int dataUnits;
  private final int cellBytes;

  /**
   * @param id the block group that has lost a block
   * @param blocks data blocks first, then parity blocks, each once
   * @param dataUnits how many of the blocks are data blocks
   * @param cellBytes length of a cell in bytes; a code with sub-chunks divides each cell into s
   *     sub-chunks
   * @throws IllegalArgumentException if a block is named twice, or if there is no data block, no
   *     parity block or no byte in a cell
   */
  public ListedBlocks(GroupId id, List<BlockRef> blocks, int dataUnits, int cellBytes) {
    this.id = Objects.requireNonNull(id, "id");
    this.blocks = Collections.unmodifiableList(new ArrayList<>(blocks));
    this.dataUnits = dataUnits;
    this.cellBytes = cellBytes;
    if (dataUnits < 1 || dataUnits >= blocks.size() || cellBytes < 1) {
      throw new IllegalArgumentException("The blocks " + blocks + " for block group " + id
          + " have no sensible shape: k=" + dataUnits + ", cell of " + cellBytes);
    }
    Set<String> seen = new HashSet<>();
    for (BlockRef block : blocks) {
      if (!seen.add(block.poolId + ":" + block.blockId)) {
        throw new IllegalArgumentException("Block " + block + " is named twice in " + blocks
            + " for block group " + id);
      }
    }
  }

  @Override
  public GroupId id() {
    return id;
  }

  @Override
  public int dataUnits() {
    return dataUnits;
  }

  @Override
  public int parityUnits() {
    return blocks.size() - dataUnits;
  }

  @Override
  public int cellBytes() {
    return cellBytes;
  }

  @Override
  public BlockRef block(int unit) {
    return blocks.get(unit);
  }
}
