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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoContiguous;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess.FreedBlocks;
import org.junit.jupiter.api.Test;

/** One hold of the lock removes a limited number of blocks. All holds remove each block once. */
class TestFreedBlocks {
  private static List<BlockInfo> blocks(int count) {
    List<BlockInfo> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(new BlockInfoContiguous(new Block(i), (short) 1));
    }
    return blocks;
  }

  @Test
  void eachPieceIsBounded() {
    for (int count : new int[] {0, 1, FreedBlocks.PIECE, FreedBlocks.PIECE + 1,
        3 * FreedBlocks.PIECE - 1}) {
      List<BlockInfo> blocks = blocks(count);
      List<BlockInfo> removed = new ArrayList<>();
      List<Integer> sizes = new ArrayList<>();
      FreedBlocks.each(blocks, piece -> {
        sizes.add(piece.getToDeleteList().size());
        removed.addAll(piece.getToDeleteList());
      });
      assertEquals(blocks, removed);
      assertEquals((count + FreedBlocks.PIECE - 1) / FreedBlocks.PIECE, sizes.size());
      for (int i = 0; i + 1 < sizes.size(); i++) {
        assertEquals(FreedBlocks.PIECE, sizes.get(i));
      }
    }
  }
}
