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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.ha.HAContext;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.loader.HadoopMembers;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.core.look.DirectoryState;
import org.hdfsppr.namenode.core.look.MemberState;
import org.hdfsppr.namenode.core.look.OwnedFolder;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.ParityPlace;
import org.hdfsppr.namenode.version.TargetFile;
import org.hdfsppr.operate.CoreRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accesses the NameNode's namespace for CORE groups. The plugin needs this because the NameNode's
 * methods for clients take paths, and not inode ids. They also do not return which block groups a
 * file has without locating all units. Thread-safe.
 */
@InterfaceAudience.Private
public final class CoreAccess implements CoreNamespace {
  private static final Logger LOG = LoggerFactory.getLogger(CoreAccess.class);
  private static final String OPERATION = "ppr-core";
  /**
   * How many blocks of the queue one look goes through at most. The lock is held for 1 to 2 ms
   * then.
   */
  private static final int LOST_MAX = 20_000;
  /**
   * Erasure-coded files have no replication factor. When stock's clients create such a file, they
   * send this number.
   */
  private static final short REPLICATION = 1;

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final FileInspection look;
  private final SnapshotNames names;

  /**
   * @param namesystem the running NameNode; {@link #missing} must be empty for its Hadoop
   * @param conf the NameNode's configuration
   */
  public CoreAccess(FSNamesystem namesystem, Configuration conf) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.look = new FileInspection(namesystem, members(), conf);
    this.names = new SnapshotNames(namesystem, look);
  }

  private static NamespaceMembers members() {
    return new NamespaceMembers(HadoopMembers.inPackageOf(CoreAccess.class));
  }

  /**
   * @return the members of Hadoop's classes that this Hadoop lacks; empty if CORE groups are
   *     possible
   */
  public static List<String> missing() {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(CoreAccess.class));
    hadoop.method("FSNamesystem", "getHAContext", HAContext.class);
    hadoop.method("FSDirectory", "getLastInodeId", long.class);
    hadoop.method("FSDirectory", "checkOwner", void.class, hadoop.find("FSPermissionChecker"),
        hadoop.find("INodesInPath"));
    hadoop.method("FSDirWriteFileOp", "startFile", HdfsFileStatus.class,
        hadoop.find("FSNamesystem"), hadoop.find("INodesInPath"), PermissionStatus.class,
        String.class, String.class, EnumSet.class, boolean.class, short.class, long.class,
        FileEncryptionInfo.class, hadoop.find("INode$BlocksMapUpdateInfo"), boolean.class,
        String.class, String.class, boolean.class);
    AuthorizedOperation.require(hadoop);
    List<String> missing = new ArrayList<>(members().missing());
    missing.addAll(hadoop.missing());
    return missing;
  }

  private interface Look<T> {
    T at(long inodeId) throws IOException;
  }

  /**
   * Looks at all inodes. Releases the lock after a bounded number of inodes and blocks, and takes
   * it again.
   */
  private <T> List<T> each(List<Long> inodeIds, Look<T> one) throws IOException {
    look.prepare();
    List<T> found = new ArrayList<>(inodeIds.size());
    while (found.size() < inodeIds.size()) {
      int end = Math.min(inodeIds.size(), found.size() + INODES_PER_HOLD);
      int blocks = 0;
      namesystem.readLock();
      try {
        namesystem.checkOperation(NameNode.OperationCategory.READ);
        while (found.size() < end && blocks < BLOCKS_PER_HOLD) {
          long inodeId = inodeIds.get(found.size());
          blocks += blocks(directory.getInode(inodeId));
          found.add(one.at(inodeId));
        }
      } finally {
        namesystem.readUnlock(OPERATION);
      }
    }
    return found;
  }

  private static int blocks(INode inode) {
    return inode != null && inode.isFile() ? inode.asFile().numBlocks() : 0;
  }

  /** Returns the path of an inode; null if it does not exist, or only a snapshot has it. */
  private INodesInPath path(long inodeId) throws IOException {
    INode inode = directory.getInode(inodeId);
    if (inode == null) {
      return null;
    }
    INodesInPath at;
    try {
      at = look.resolve(inode.getFullPathName(), FSDirectory.DirOp.READ_LINK);
    } catch (FileNotFoundException | ParentNotDirectoryException | AccessControlException
        | UnresolvedPathException | AssertionError e) {
      // Only a snapshot has the inode, and another inode has taken the place of one of its
      // directories. The NameNode throws an AssertionError for some of these paths.
      LOG.debug("The inode {} has no path", inodeId, e);
      return null;
    }
    INode last = at.getLastINode();
    return last == null || last.getId() != inodeId || at.isSnapshot() ? null : at;
  }

  @Override
  public String poolId() {
    return namesystem.getBlockPoolId();
  }

  @Override
  public boolean isInSafeMode() {
    return namesystem.isInSafeMode();
  }

  @Override
  public OptionalLong activeSince() {
    // A change of the NameNode's state holds the lock until the time of the change is set, so that
    // the lock is taken here.
    namesystem.readLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      return OptionalLong.of(namesystem.getHAContext().getState().getLastHATransitionTime());
    } catch (StandbyException e) {
      LOG.trace("This NameNode is not active", e);
      return OptionalLong.empty();
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  @Override
  public Optional<DirectoryState> folder(long inodeId) throws IOException {
    return each(List.of(inodeId), id -> {
      INodesInPath at = path(id);
      if (at == null || !at.getLastINode().isDirectory()) {
        return Optional.<DirectoryState>empty();
      }
      return Optional.of(new DirectoryState(at.getPath(),
          NamespaceMembers.value(at.getLastINode(), XATTR)));
    }).get(0);
  }

  @Override
  public OwnedFolder folder(String path) throws IOException {
    AuthorizedOperation.SET_XATTR.begin();
    // This looks up the groups of the caller, which may take long. So the lock is taken only after
    // it.
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    namesystem.readLock();
    try {
      FileInspection.Changeable found = look.changeable(path, caller);
      if (!found.inode().isDirectory()) {
        throw new CoreRefusedException(path + " is a file; protect its directory");
      }
      return new OwnedFolder(found.inode().getId(), found.isOwner());
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  @Override
  public List<Optional<TargetFile>> files(List<Long> inodeIds) throws IOException {
    return each(inodeIds, id -> {
      INodesInPath at = path(id);
      if (at == null || !at.getLastINode().isFile()) {
        return Optional.<TargetFile>empty();
      }
      INodeFile file = at.getLastINode().asFile();
      return Optional.of(new TargetFile(look.facts(at.getPath(), at, look.own()),
          at.getINode(-2).getId(), file.getLocalName(), file.getFsPermission(),
          file.getPreferredBlockSize(), look.workStoragePolicy(file)));
    });
  }

  @Override
  public List<Optional<MemberState>> members(List<Long> inodeIds) throws IOException {
    return each(inodeIds, id -> {
      INodesInPath at = path(id);
      return at == null || !at.getLastINode().isFile() ? Optional.<MemberState>empty()
          : Optional.of(member(at, at.getLastINode().asFile()));
    });
  }

  @Override
  public Map<Long, Optional<byte[]>> attributes(List<Long> inodeIds, String name)
      throws IOException {
    Map<Long, Optional<byte[]>> found = new HashMap<>();
    each(inodeIds, id -> {
      INodesInPath at = path(id);
      if (at != null && at.getLastINode().isFile()) {
        found.put(id, Optional.ofNullable(NamespaceMembers.value(at.getLastINode(), name)));
      }
      return at;
    });
    return found;
  }

  private MemberState member(INodesInPath at, INodeFile file) {
    List<Long> ancestors = new ArrayList<>();
    for (int i = at.length() - 2; i >= 0; i--) {
      ancestors.add(at.getINode(i).getId());
    }
    ErasureCodingPolicy policy = file.isStriped()
        ? namesystem.getErasureCodingPolicyManager().getByID(file.getErasureCodingPolicyID())
        : null;
    List<GroupIdentity> groups = identities(file);
    Set<MemberState.Mark> marks = EnumSet.noneOf(MemberState.Mark.class);
    if (file.isUnderConstruction() || groups.contains(null)) {
      marks.add(MemberState.Mark.OPEN);
    }
    if (NamespaceMembers.value(file, GROUP_XATTR) != null) {
      marks.add(MemberState.Mark.RECORDED);
    }
    if (NamespaceMembers.isUnreadable(file)) {
      marks.add(MemberState.Mark.UNREADABLE);
    }
    return new MemberState(at.getPath(), ancestors,
        policy == null ? null : FileInspection.facts(policy, true), groups, marks,
        file.getModificationTime());
  }

  private static List<GroupIdentity> identities(INodeFile file) {
    List<GroupIdentity> groups = new ArrayList<>();
    for (BlockInfo block : file.getBlocks()) {
      groups.add(identity(block));
    }
    return groups;
  }

  private static GroupIdentity identity(BlockInfo block) {
    return block == null || !block.isStriped() || !block.isComplete() || block.isDeleted()
        || block.getNumBytes() < 1 || block.getGenerationStamp() < 1 ? null
        : new GroupIdentity(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes());
  }

  @Override
  public List<GroupIdentity> keptGroups(long inodeId) throws IOException {
    return each(List.of(inodeId), id -> {
      INode inode = directory.getInode(id);
      return inode == null || !inode.isFile() ? List.<GroupIdentity>of()
          : identities(inode.asFile());
    }).get(0);
  }

  @Override
  public List<FileGroup> blockGroups(List<Long> blockGroups) throws IOException {
    List<FileGroup> found = new ArrayList<>(blockGroups.size());
    Iterator<Long> ids = blockGroups.iterator();
    while (ids.hasNext()) {
      namesystem.readLock();
      try {
        namesystem.checkOperation(NameNode.OperationCategory.READ);
        for (int i = 0; i < BLOCKS_PER_HOLD && ids.hasNext(); i++) {
          BlockInfo block = namesystem.getBlockManager().getStoredBlock(new Block(ids.next()));
          if (block != null && block.isStriped() && !block.isDeleted()) {
            found.add(look.group(block));
          }
        }
      } finally {
        namesystem.readUnlock(OPERATION);
      }
    }
    return found;
  }

  @Override
  public List<GroupIdentity> groups(List<Long> blockGroups) {
    List<GroupIdentity> found = new ArrayList<>(blockGroups.size());
    namesystem.readLock();
    try {
      for (Long id : blockGroups) {
        found.add(id == null ? null
            : identity(namesystem.getBlockManager().getStoredBlock(new Block(id))));
      }
    } finally {
      namesystem.readUnlock(OPERATION);
    }
    return found;
  }

  @Override
  public Set<Long> lostFiles() throws IOException {
    Set<Long> files = new HashSet<>();
    namesystem.readLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.READ);
      Iterable<BlockInfo> queue = namesystem.getBlockManager().neededReconstruction;
      // Changes of the queue hold the queue's own monitor.
      synchronized (queue) {
        Iterator<BlockInfo> lost = queue.iterator();
        for (int i = 0; i < LOST_MAX && lost.hasNext(); i++) {
          BlockInfo block = lost.next();
          if (block.isStriped()) {
            files.add(block.getBlockCollectionId());
          }
        }
      }
      return files;
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  @Override
  public OptionalLong create(LongFunction<String> path, ParityPlace.Form form, String holder)
      throws IOException {
    look.prepare();
    PermissionStatus permission = new PermissionStatus(
        UserGroupInformation.getLoginUser().getShortUserName(), null, form.permission);
    try {
      namesystem.writeLock();
      try {
        namesystem.checkOperation(NameNode.OperationCategory.WRITE);
        namesystem.checkNameNodeSafeMode("Cannot create a parity file");
        // The next inode id is known here, because inodes are created only while this lock is held.
        return create(path.apply(directory.getLastInodeId() + 1), form, holder, permission);
      } finally {
        namesystem.writeUnlock(OPERATION);
      }
    } finally {
      directory.getEditLog().logSync();
    }
  }

  /**
   * Creates the file that gets the next inode id; empty if its directory does not exist. The caller
   * syncs the edit log.
   */
  private OptionalLong create(String path, ParityPlace.Form form, String holder,
      PermissionStatus permission) throws IOException {
    long inodeId = directory.getLastInodeId() + 1;
    INodesInPath at = look.resolve(path, FSDirectory.DirOp.CREATE);
    if (at.getINode(-2) == null) {
      return OptionalLong.empty();
    }
    if (at.getLastINode() != null) {
      throw new IOException(path + " is the place of a parity file, and something else is there;"
          + " remove it");
    }
    directory.writeLock();
    try {
      HdfsFileStatus made = FSDirWriteFileOp.startFile(namesystem, at, permission, holder, "",
          EnumSet.of(CreateFlag.CREATE), false, REPLICATION, form.blockBytes, null,
          new INode.BlocksMapUpdateInfo(), false, form.policy, form.storagePolicy, false);
      if (made.getFileId() != inodeId || !made.isErasureCoded()) {
        // The file stays. Its name contains another inode id than its own, so that no reader takes
        // it for a parity file.
        throw new IOException(path + " was created with the inode id " + made.getFileId());
      }
      return OptionalLong.of(inodeId);
    } finally {
      directory.writeUnlock();
    }
  }

  @Override
  public boolean isHeld(long inodeId) throws IOException {
    return each(List.of(inodeId), id -> SnapshotReferences.isHeld(directory.getInode(id))).get(0);
  }

  @Override
  public Optional<List<String>> holders(long inodeId) throws IOException {
    return each(List.of(inodeId), id -> {
      INode inode = directory.getInode(id);
      return SnapshotReferences.isHeld(inode) ? Optional.of(names.noting(inode))
          : Optional.<List<String>>empty();
    }).get(0);
  }
}
