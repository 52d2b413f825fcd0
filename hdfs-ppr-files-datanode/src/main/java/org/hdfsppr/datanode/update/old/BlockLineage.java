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
package org.hdfsppr.datanode.update.old;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.BlockRef;

/**
 * Remembers for blocks of this node from which other block a command has made them, for a new
 * version of a file. The new block has the bytes of the old one, changed by the updates of a log.
 * This holds even if the version is never published. Thread-safe.
 */
@InterfaceAudience.Private
public final class BlockLineage {
  /** The most blocks. Beyond this number, the least recently used block is forgotten. */
  private static final int BLOCKS_MOST = 1 << 14;
  /** The most versions that a search goes through. */
  private static final int STEPS_MOST = 64;

  /** A block that was made from another one, and the updates that it has in addition. Immutable. */
  public static final class Heir {
    public final BlockRef block;
    /**
     * The number of the last update of the unit that the block has; 0 if it has the same bytes as
     * the block that was asked for
     */
    public final long upTo;

    private Heir(BlockRef block, long upTo) {
      this.block = block;
      this.upTo = upTo;
    }
  }

  /** For each block, the last block that was made from it. Guarded by this. */
  private final Map<BlockRef, Heir> heirs = new LinkedHashMap<BlockRef, Heir>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<BlockRef, Heir> eldest) {
      return size() > BLOCKS_MOST;
    }
  };

  /**
   * Records that a block was made.
   *
   * @param from the block of the old version
   * @param to the block
   * @param upTo for a data unit, the number of the last update that the new block has; 0 if it has
   *     the same updates as {@code from}, and for parity units
   */
  public synchronized void made(BlockRef from, BlockRef to, long upTo) {
    heirs.put(from, new Heir(Objects.requireNonNull(to, "to"), upTo));
  }

  /**
   * Follows the lineage of a block: to the last block that was made from it, and so on.
   *
   * @param block the block
   * @return the last one, which may be the block itself
   */
  public synchronized Heir newest(BlockRef block) {
    Heir newest = new Heir(block, 0);
    for (int step = 0; step < STEPS_MOST; step++) {
      Heir next = heirs.get(newest.block);
      if (next == null) {
        break;
      }
      newest = new Heir(next.block, Math.max(newest.upTo, next.upTo));
    }
    return newest;
  }

  /**
   * @param from a block
   * @param to a block
   * @return whether {@code to} is {@code from}, or was made from it through any number of versions
   */
  public synchronized boolean leads(BlockRef from, BlockRef to) {
    BlockRef at = from;
    for (int step = 0; step < STEPS_MOST && !at.equals(to); step++) {
      Heir next = heirs.get(at);
      if (next == null) {
        return false;
      }
      at = next.block;
    }
    return at.equals(to);
  }
}
