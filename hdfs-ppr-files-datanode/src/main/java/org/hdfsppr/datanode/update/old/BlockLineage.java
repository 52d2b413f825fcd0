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
 * Remembers which blocks this DataNode has made from which of its other blocks, for new versions of
 * files. The new block has the bytes of the old one, changed by updates from a log. This holds even
 * if the version is never published. Thread-safe.
 */
@InterfaceAudience.Private
public final class BlockLineage {
  /**
   * How many blocks are remembered at most. Beyond this number, the least recently used one is
   * forgotten.
   */
  private static final int BLOCKS_MOST = 1 << 14;
  /** How many versions a search follows at most from one block to the next. */
  private static final int STEPS_MOST = 64;

  /** A block that was made from another one, and which updates it has. Immutable. */
  public static final class Heir {
    public final BlockRef block;
    /**
     * The number of the last update that was put into the block; 0 if the block has the same bytes
     * as the one for which {@link #newest} was called, and for parity units
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
   * Finds the newest block that descends from a given one: the last block that was made from it,
   * the last one that was made from that, and so on.
   *
   * @param block the block
   * @return the newest block, which may be the given one, and the last update that it has
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
