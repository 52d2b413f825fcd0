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

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.coder.code.LinearCode;

/**
 * Looks groups up as a reader of their files does, so that the NameNode checks the user's right to
 * read and hands out block tokens. Thread-safe.
 */
final class NameNodeLookup implements GroupLookup {
  /** Finds the code of a policy. */
  interface CodeFinder {
    /** @throws IOException if there is no such code; the message says why */
    LinearCode find(ErasureCodingPolicy policy) throws IOException;
  }

  private final DFSClient client;
  private final CodeFinder codes;

  NameNodeLookup(DFSClient client, CodeFinder codes) {
    this.client = client;
    this.codes = codes;
  }

  @Override
  public SeenGroup find(GroupSpot spot) throws IOException {
    LocatedBlocks blocks;
    try {
      blocks = client.getLocatedBlocks(spot.file, spot.start, 1);
    } catch (FileNotFoundException e) {
      return SeenGroup.without(SeenGroup.State.GONE);
    }
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      if (block instanceof LocatedStripedBlock
          && block.getBlock().getBlockId() == spot.groupId
          && blocks.getErasureCodingPolicy() != null) {
        return isOpen(blocks, block) ? SeenGroup.without(SeenGroup.State.OPEN)
            : SeenGroup.there(new LocatedGroup((LocatedStripedBlock) block,
                blocks.getErasureCodingPolicy()), codes.find(blocks.getErasureCodingPolicy()));
      }
    }
    return SeenGroup.without(isOpenWithoutBytes(blocks, spot) ? SeenGroup.State.OPEN
        : SeenGroup.State.GONE);
  }

  /**
   * Returns whether a writer has the group open, and the NameNode has not counted its bytes yet.
   * The NameNode counts the bytes of an open group when its writer closes it. Until then the group
   * covers no byte of the file. So if a client asks for the group's first byte, the answer lists no
   * blocks, and names the group only as the last block of the file.
   */
  private static boolean isOpenWithoutBytes(LocatedBlocks blocks, GroupSpot spot) {
    LocatedBlock last = blocks.getLastLocatedBlock();
    return last != null && !blocks.isLastBlockComplete()
        && last.getBlock().getBlockId() == spot.groupId;
  }

  /** Returns whether a writer may have a group open. This can only be the last group of a file. */
  private static boolean isOpen(LocatedBlocks blocks, LocatedBlock block) {
    LocatedBlock last = blocks.getLastLocatedBlock();
    return block.getBlockSize() == 0 || !blocks.isLastBlockComplete()
        && (last == null || last.getBlock().getBlockId() == block.getBlock().getBlockId());
  }
}
