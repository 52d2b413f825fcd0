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
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.ha.HAContext;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.loader.HadoopMembers;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.core.look.FolderNow;
import org.hdfsppr.namenode.core.look.MemberNow;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.TargetFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door to the NameNode's namespace for CORE groups. The plugin needs it because the methods for
 * clients name files by their paths, and do not say which block groups a file has without locating
 * all units. Thread-safe.
 */
@InterfaceAudience.Private
public final class CoreAccess implements CoreNamespace {
  private static final Logger LOG = LoggerFactory.getLogger(CoreAccess.class);
  private static final String OPERATION = "ppr-core";

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final FileLook look;

  /**
   * @param namesystem the running NameNode, for which nothing is {@link #missing}
   * @param conf the NameNode's configuration
   */
  public CoreAccess(FSNamesystem namesystem, Configuration conf) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.look = new FileLook(namesystem, members(), conf);
  }

  private static NamespaceMembers members() {
    return new NamespaceMembers(HadoopMembers.inPackageOf(CoreAccess.class));
  }

  /** @return the members that this Hadoop lacks; empty if CORE groups can be kept */
  public static List<String> missing() {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(CoreAccess.class));
    hadoop.method("FSNamesystem", "getHAContext", HAContext.class);
    List<String> missing = new ArrayList<>(members().missing());
    missing.addAll(hadoop.missing());
    return missing;
  }

  private interface Look<T> {
    T at(long inodeId) throws IOException;
  }

  /** Looks at inodes, some of them in each hold of the lock. */
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

  /** Returns the path of an inode; null if it is not in the tree, or only in a snapshot. */
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
      // Only a snapshot has it, and something else has taken the place of a directory above. The
      // NameNode throws an AssertionError for some of such paths.
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
    // A change of the state holds the lock until the time of the change is noted.
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
  public Optional<FolderNow> folder(long inodeId) throws IOException {
    return each(List.of(inodeId), id -> {
      INodesInPath at = path(id);
      if (at == null || !at.getLastINode().isDirectory()) {
        return Optional.<FolderNow>empty();
      }
      byte[] attribute = null;
      List<XAttr> attributes = XAttrStorage.readINodeXAttrs(at.getLastINode());
      for (XAttr one : attributes == null ? List.<XAttr>of() : attributes) {
        if (one.getNameSpace() == XAttr.NameSpace.TRUSTED && XATTR.equals(one.getName())) {
          attribute = one.getValue();
        }
      }
      return Optional.of(new FolderNow(at.getPath(), attribute));
    }).get(0);
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
  public List<Optional<MemberNow>> members(List<Long> inodeIds) throws IOException {
    return each(inodeIds, id -> {
      INodesInPath at = path(id);
      return at == null || !at.getLastINode().isFile() ? Optional.<MemberNow>empty()
          : Optional.of(member(at, at.getLastINode().asFile()));
    });
  }

  private MemberNow member(INodesInPath at, INodeFile file) {
    List<Long> ancestors = new ArrayList<>();
    for (int i = at.length() - 2; i >= 0; i--) {
      ancestors.add(at.getINode(i).getId());
    }
    ErasureCodingPolicy policy = file.isStriped()
        ? namesystem.getErasureCodingPolicyManager().getByID(file.getErasureCodingPolicyID())
        : null;
    List<GroupIdentity> groups = identities(file);
    boolean isOpen = file.isUnderConstruction() || groups.contains(null);
    return new MemberNow(at.getPath(), ancestors,
        policy == null ? null : FileLook.facts(policy, true), groups, isOpen,
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
}
