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
package org.hdfsppr.datanode.version;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.BlockRef;

/** Ensures that only one command at a time links or makes a block on this DataNode. Thread-safe. */
@InterfaceAudience.Private
public final class BusyBlocks {
  private final Set<String> busy = new HashSet<>();

  private static String key(BlockRef block) {
    return block.poolId + ":" + block.blockId;
  }

  /**
   * Claims blocks for a command, either all of them or none.
   *
   * @return a block that another command has claimed; null if this command has claimed all
   */
  synchronized BlockRef take(Collection<BlockRef> blocks) {
    for (BlockRef block : blocks) {
      if (busy.contains(key(block))) {
        return block;
      }
    }
    blocks.forEach(block -> busy.add(key(block)));
    return null;
  }

  /** Gives back blocks that {@link #take} has claimed. */
  synchronized void release(Collection<BlockRef> blocks) {
    blocks.forEach(block -> busy.remove(key(block)));
  }
}
