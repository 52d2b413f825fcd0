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
package org.apache.hadoop.hdfs.server.namenode;

import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;

/**
 * Blocks that no file has any more, cut into pieces: one hold of the namesystem's lock removes one
 * piece, so that others get the lock in between. Stock does the same with deleted files.
 */
@InterfaceAudience.Private
final class FreedBlocks {
  /** As stock's dfs.namenode.block.deletion.increment. */
  static final int PIECE = 1_000;

  private FreedBlocks() {
  }

  /** Hands over all blocks, piece by piece. */
  static void each(List<BlockInfo> freed, Consumer<INode.BlocksMapUpdateInfo> action) {
    Iterator<BlockInfo> blocks = freed.iterator();
    while (blocks.hasNext()) {
      INode.BlocksMapUpdateInfo piece = new INode.BlocksMapUpdateInfo();
      while (blocks.hasNext() && piece.getToDeleteList().size() < PIECE) {
        piece.getToDeleteList().add(blocks.next());
      }
      action.accept(piece);
    }
  }
}
