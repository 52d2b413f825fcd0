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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.loader.HadoopMembers;
import org.hdfsppr.namenode.column.ColumnBlocks;
import org.hdfsppr.namenode.model.CoreRows;

/**
 * The door to the blocks of a column, which belong to several files. One look under the
 * namesystem's lock compares the blocks with the record, checks that the caller may read every
 * member file, and makes the tokens. The members that this class needs are the same in Hadoop
 * 3.3.6, 3.4.3 and 3.5.0. Thread-safe.
 */
@InterfaceAudience.Private
public final class ColumnAccess implements ColumnBlocks {
  private static final String OPERATION = "ppr-column";

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final BlockManager blocks;

  /** @param namesystem the running NameNode, for which nothing is {@link #missing} */
  public ColumnAccess(FSNamesystem namesystem) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.blocks = namesystem.getBlockManager();
  }

  /** @return the members that this Hadoop lacks; empty if columns can be found */
  public static List<String> missing() {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(ColumnAccess.class));
    hadoop.method("FSNamesystem", "getPermissionChecker", FSPermissionChecker.class);
    hadoop.method("FSNamesystem", "getBlockCollection", INodeFile.class, long.class);
    hadoop.method("FSDirectory", "isPermissionEnabled", boolean.class);
    hadoop.method("FSDirectory", "getInode", INode.class, long.class);
    hadoop.method("FSDirectory", "checkPathAccess", void.class, FSPermissionChecker.class,
        INodesInPath.class, FsAction.class);
    hadoop.method("INodesInPath", "fromINode", INodesInPath.class, INode.class);
    return hadoop.missing();
  }

  @Override
  public List<LocatedBlock> locate(CoreRows rows, int lost, int unit) throws IOException {
    // Looks up the caller's groups, which may take long, so that the lock is taken afterwards.
    FSPermissionChecker caller = directory.isPermissionEnabled()
        ? namesystem.getPermissionChecker() : null;
    List<LocatedBlock> located = new ArrayList<>();
    namesystem.readLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.READ);
      int parity = rows.rows().size() - 1;
      for (int i = 0; i <= parity; i++) {
        CoreRows.Row row = rows.rows().get(i);
        if (row == null) {
          continue;
        }
        boolean hasBlock = bytes(rows, row, unit) > 0;
        INodeFile file = row.isStale() ? null : file(row);
        if (file == null) {
          if (hasBlock) {
            return List.of();
          }
          continue;
        }
        if (caller != null && i < parity) {
          directory.checkPathAccess(caller, INodesInPath.fromINode(file), FsAction.READ);
        }
        if (hasBlock && i != lost) {
          LocatedBlock block = block(row, file, unit);
          if (block == null) {
            return List.of();
          }
          located.add(block);
        }
      }
    } finally {
      namesystem.readUnlock(OPERATION);
    }
    return located;
  }

  private static long bytes(CoreRows rows, CoreRows.Row row, int unit) {
    return StripedBlockUtil.getInternalBlockLength(row.bytes(), rows.policy().cellBytes(),
        rows.policy().dataUnits(), unit);
  }

  /** Returns the file of a row; null if the recorded block group is not in a file any more. */
  private INodeFile file(CoreRows.Row row) {
    BlockInfo stored = blocks.getStoredBlock(new Block(row.id().groupId()));
    if (!(stored instanceof BlockInfoStriped) || !stored.isComplete()
        || stored.getBlockId() != row.id().groupId()
        || stored.getGenerationStamp() != row.id().generationStamp()
        || stored.getNumBytes() != row.bytes()) {
      return null;
    }
    INodeFile file = namesystem.getBlockCollection(stored.getBlockCollectionId());
    // A file that only snapshots have is not at any path, whose permissions could be checked.
    return file != null && directory.getInode(file.getId()) == file ? file : null;
  }

  /** Returns the internal block of a row; null if it has no location. */
  private LocatedBlock block(CoreRows.Row row, INodeFile file, int unit) throws IOException {
    ErasureCodingPolicy policy =
        namesystem.getErasureCodingPolicyManager().getByID(file.getErasureCodingPolicyID());
    BlockInfo stored = blocks.getStoredBlock(new Block(row.id().groupId()));
    LocatedBlock group = blocks.createLocatedBlocks(new BlockInfo[] {stored}, row.bytes(), false,
        0, row.bytes(), true, true, null, policy).get(0);
    LocatedBlock block = StripedBlockUtil.parseStripedBlockGroup((LocatedStripedBlock) group,
        policy.getCellSize(), policy.getNumDataUnits(), policy.getNumParityUnits())[unit];
    return block == null || block.getLocations() == null || block.getLocations().length == 0
        ? null : block;
  }
}
