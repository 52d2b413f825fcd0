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
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableReplicas;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.column.SquareBlocks;
import org.hdfsppr.loader.HadoopMembers;
import org.hdfsppr.namenode.column.ColumnBlocks;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;

/**
 * Finds the blocks of the columns of CORE groups, which belong to several files. While it holds the
 * namesystem's lock once, it compares the blocks with the record of the CORE group, checks that the
 * caller may read every member file, and creates the block tokens. The members of Hadoop's classes
 * that this class needs are the same in Hadoop 3.3.6, 3.4.3 and 3.5.0. Thread-safe.
 */
@InterfaceAudience.Private
public final class ColumnAccess implements ColumnBlocks {
  private static final String OPERATION = "ppr-column";
  private static final String AUDIT = "pprColumn";
  private static final String NO_RIGHT = "Permission denied: a column is only for users that may"
      + " read all files of the CORE group; the NameNode's audit log names them";

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final BlockManager blocks;

  /** @param namesystem the running NameNode; {@link #missing} must be empty for its Hadoop */
  public ColumnAccess(FSNamesystem namesystem) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.blocks = namesystem.getBlockManager();
  }

  /**
   * @return the members of Hadoop's classes that this Hadoop lacks; empty if columns can be found
   */
  public static List<String> missing() {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(ColumnAccess.class));
    hadoop.method("FSNamesystem", "getPermissionChecker", FSPermissionChecker.class);
    hadoop.method("FSNamesystem", "getBlockCollection", INodeFile.class, long.class);
    hadoop.method("FSDirectory", "isPermissionEnabled", boolean.class);
    hadoop.method("FSDirectory", "getInode", INode.class, long.class);
    hadoop.method("FSDirectory", "checkPathAccess", void.class, FSPermissionChecker.class,
        INodesInPath.class, FsAction.class);
    hadoop.method("FSDirectory", "checkUnreadableBySuperuser", void.class,
        FSPermissionChecker.class, INodesInPath.class);
    hadoop.method("INodesInPath", "fromINode", INodesInPath.class, INode.class);
    AuthorizedOperation.require(hadoop);
    List<String> missing = new ArrayList<>(hadoop.missing());
    missing.addAll(CallerAccess.missing());
    return missing;
  }

  @Override
  public List<LocatedBlock> locate(CoreRows rows, int lost, int unit) throws IOException {
    return audited(rows, (files, caller) -> column(rows, files, lost, unit, caller),
        column -> !column.isEmpty());
  }

  @Override
  public SquareBlocks locate(CoreRows rows) throws IOException {
    return audited(rows, (files, caller) -> square(rows, files, caller),
        square -> !square.rows.isEmpty());
  }

  /** A search that runs while the lock is held. */
  private interface Look<T> {
    /**
     * @param caller checks the permissions of the caller of the RPC; null if permissions are
     *     disabled
     */
    T at(List<INodeFile> files, FSPermissionChecker caller) throws IOException;
  }

  /**
   * Runs a search under the lock. Writes to the audit log that the caller has got blocks of files,
   * or was not allowed to: one line that names all of the files, as HDFS does for its own
   * operations on several files. If the caller gets nothing because there is no column, it has
   * learnt nothing, and no line is written.
   */
  private <T> T audited(CoreRows rows, Look<T> look, Predicate<T> isFound) throws IOException {
    AuthorizedOperation.OPEN.begin();
    // This looks up the groups of the caller, which may take long. So the lock is taken only after
    // it.
    FSPermissionChecker caller = directory.isPermissionEnabled()
        ? namesystem.getPermissionChecker() : null;
    List<String> members = new ArrayList<>();
    T found;
    try {
      namesystem.readLock();
      try {
        namesystem.checkOperation(NameNode.OperationCategory.READ);
        found = look.at(files(rows, members), caller);
      } finally {
        namesystem.readUnlock(OPERATION);
      }
    } catch (AccessControlException e) {
      CallerAccess.audit(namesystem, false, AUDIT, members.toString());
      // The message of Hadoop's exception names the file, perhaps in a directory that the caller
      // may not list.
      throw new AccessControlException(NO_RIGHT);
    }
    if (isFound.test(found)) {
      CallerAccess.audit(namesystem, true, AUDIT, members.toString());
    }
    return found;
  }

  private List<LocatedBlock> column(CoreRows rows, List<INodeFile> files, int lost, int unit,
      FSPermissionChecker caller) throws IOException {
    List<LocatedBlock> located = new ArrayList<>();
    int parity = rows.rows.size() - 1;
    for (int i = 0; i <= parity; i++) {
      CoreRows.Row row = rows.rows.get(i);
      if (row == null) {
        continue;
      }
      boolean hasBlock = bytes(rows, row, unit) > 0;
      INodeFile file = files.get(i);
      if (file == null) {
        if (hasBlock) {
          return List.of();
        }
        continue;
      }
      if (i < parity) {
        checkRead(caller, file);
      }
      if (hasBlock && i != lost) {
        LocatedBlock block = block(row, file, unit);
        if (block == null) {
          return List.of();
        }
        located.add(block);
      }
    }
    return located;
  }

  private SquareBlocks square(CoreRows rows, List<INodeFile> files, FSPermissionChecker caller)
      throws IOException {
    List<SquareBlocks.Row> found = new ArrayList<>();
    int parity = rows.rows.size() - 1;
    boolean isChanged = false;
    for (int i = 0; i <= parity; i++) {
      INodeFile file = files.get(i);
      if (file == null) {
        isChanged |= rows.rows.get(i) != null;
        continue;
      }
      if (i < parity) {
        checkRead(caller, file);
      }
      found.add(new SquareBlocks.Row(file.getFullPathName(), group(rows.rows.get(i), file)));
    }
    GroupPolicy policy = rows.policy;
    // A changed row is not returned, and then no other row, either: from all the others, the caller
    // could calculate the bytes that the changed file had before.
    return new SquareBlocks(rows.coreGroup, rows.index,
        new ErasureCodingPolicy(new ECSchema(policy.codec, policy.dataUnits,
            policy.parityUnits), policy.cellBytes), isChanged ? List.of() : found);
  }

  private void checkRead(FSPermissionChecker caller, INodeFile file) throws IOException {
    if (caller != null) {
      INodesInPath at = INodesInPath.fromINode(file);
      directory.checkPathAccess(caller, at, FsAction.READ);
      directory.checkUnreadableBySuperuser(caller, at);
    }
  }

  /**
   * Returns the file of each row; null for a row without a file, or if its file is not the one in
   * the record.
   *
   * @param members gets the paths of the member files
   */
  private List<INodeFile> files(CoreRows rows, List<String> members) {
    List<INodeFile> files = new ArrayList<>();
    int parity = rows.rows.size() - 1;
    for (int i = 0; i <= parity; i++) {
      CoreRows.Row row = rows.rows.get(i);
      INodeFile file = row == null || row.stale ? null : file(row);
      files.add(file);
      if (file != null && i < parity) {
        members.add(file.getFullPathName());
      }
    }
    return files;
  }

  private static long bytes(CoreRows rows, CoreRows.Row row, int unit) {
    return StripedBlockUtil.getInternalBlockLength(row.bytes, rows.policy.cellBytes,
        rows.policy.dataUnits, unit);
  }

  /** Returns the file of a row; null if no file has the recorded block group any more. */
  private INodeFile file(CoreRows.Row row) {
    BlockInfo stored = blocks.getStoredBlock(new Block(row.id.groupId));
    if (!(stored instanceof BlockInfoStriped) || !stored.isComplete()
        || stored.getBlockId() != row.id.groupId
        || stored.getGenerationStamp() != row.id.generationStamp
        || stored.getNumBytes() != row.bytes) {
      return null;
    }
    INodeFile file = namesystem.getBlockCollection(stored.getBlockCollectionId());
    // If only snapshots have the file, it has no path whose permissions could be checked.
    return file != null && directory.getInode(file.getId()) == file ? file : null;
  }

  /**
   * Returns the internal block of a row, located on all nodes from which it can be read; null if
   * there is none. The NameNode's answer for a block group is filtered: if fewer than k units are
   * live, it also contains corrupt replicas. A unit may have several replicas.
   */
  private LocatedBlock block(CoreRows.Row row, INodeFile file, int unit) throws IOException {
    Set<String> readable = ReadableReplicas.nodes(blocks, row.id.groupId, unit);
    LocatedStripedBlock group = group(row, file);
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < group.getLocations().length; i++) {
      if (group.getBlockIndices()[i] == unit
          && readable.contains(group.getLocations()[i].getDatanodeUuid())) {
        chosen.add(i);
      }
    }
    if (chosen.isEmpty()) {
      return null;
    }
    DatanodeInfo[] nodes = new DatanodeInfo[chosen.size()];
    String[] storages = new String[chosen.size()];
    StorageType[] types = new StorageType[chosen.size()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = group.getLocations()[chosen.get(i)];
      storages[i] = group.getStorageIDs()[chosen.get(i)];
      types[i] = group.getStorageTypes()[chosen.get(i)];
    }
    ErasureCodingPolicy policy = policy(file);
    LocatedBlock block = new LocatedBlock(StripedBlockUtil.constructInternalBlock(group.getBlock(),
        policy.getCellSize(), policy.getNumDataUnits(), unit), nodes, storages, types);
    block.setStartOffset(group.getStartOffset());
    block.setBlockToken(group.getBlockTokens()[chosen.get(0)]);
    return block;
  }

  private ErasureCodingPolicy policy(INodeFile file) {
    return namesystem.getErasureCodingPolicyManager().getByID(file.getErasureCodingPolicyID());
  }

  /**
   * Returns the block group of a row, with the locations of its units and with tokens for the
   * caller.
   */
  private LocatedStripedBlock group(CoreRows.Row row, INodeFile file) throws IOException {
    BlockInfo stored = blocks.getStoredBlock(new Block(row.id.groupId));
    return (LocatedStripedBlock) blocks.createLocatedBlocks(new BlockInfo[] {stored}, row.bytes,
        false, 0, row.bytes, true, true, null, policy(file)).get(0);
  }
}
