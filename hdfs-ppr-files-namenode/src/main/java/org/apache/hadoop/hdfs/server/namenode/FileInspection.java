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
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped;
import org.apache.hadoop.hdfs.server.blockmanagement.GroupComparison;
import org.apache.hadoop.hdfs.server.blockmanagement.NumberReplicas;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.PolicyFacts;
import org.hdfsppr.namenode.version.VersionNamespace;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the facts of files. The caller holds the namesystem's lock, at least for reading. */
final class FileInspection {
  private static final Logger LOG = LoggerFactory.getLogger(FileInspection.class);
  /**
   * If both of these settings are on, stock renames nothing into or out of a snapshottable
   * directory.
   */
  private static final List<String> SNAPSHOT_RULES = List.of(
      "dfs.namenode.snapshot.deletion.ordered", "dfs.namenode.snapshot.trashroot.enabled");
  private static final String RESERVED = "/.reserved";

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final NamespaceMembers members;
  private final boolean snapshotRules;
  /** Checks nothing, because the NameNode's own user may access every path. */
  private volatile FSPermissionChecker own;

  FileInspection(FSNamesystem namesystem, NamespaceMembers members, Configuration conf) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.members = members;
    this.snapshotRules = SNAPSHOT_RULES.stream().allMatch(key -> conf.getBoolean(key, false));
  }

  /**
   * Prepares what the other methods need to act as the NameNode's own user. The caller must not
   * hold the namesystem's lock, because this looks up the groups of the user, which may take long.
   */
  void prepare() throws IOException {
    if (own == null) {
      own = members.checker(directory, null);
    }
  }

  /**
   * Looks up the groups of a user. Like {@link #prepare}, this may take long, so that the caller
   * must not hold the namesystem's lock.
   *
   * @return checks the permissions of the user; null if permissions are disabled
   */
  FSPermissionChecker checker(String user) throws IOException {
    return directory.isPermissionEnabled() ? members.checker(directory, user) : null;
  }

  /** Returns a checker that allows everything, for the NameNode's own user. */
  FSPermissionChecker own() {
    return own;
  }

  /** @throws FileNotFoundException if there is no such inode */
  INode inode(long inodeId) throws FileNotFoundException {
    INode inode = directory.getInode(inodeId);
    if (inode == null) {
      throw new FileNotFoundException("There is no inode " + inodeId + " any more");
    }
    return inode;
  }

  /**
   * Returns whether both are the same inode. After renames of directories that are in snapshots, a
   * path may lead to a reference to the inode, so that the ids are compared.
   */
  static boolean isSame(INode found, INode inode) {
    return found != null && found.getId() == inode.getId();
  }

  /** Resolves a path as the NameNode's own user, which may access every path. */
  INodesInPath resolve(String path, FSDirectory.DirOp how) throws IOException {
    return directory.resolvePath(own, path, how);
  }

  /**
   * A path that the caller of an RPC may change. It is valid only while the lock is held under
   * which it was resolved.
   */
  final class Changeable {
    private final FSPermissionChecker caller;
    private final INodesInPath at;

    private Changeable(FSPermissionChecker caller, INodesInPath at) {
      this.caller = caller;
      this.at = at;
    }

    INode inode() {
      return at.getLastINode();
    }

    /** Checks that the caller owns the inode at the path, or is a superuser. */
    void checkOwner() throws IOException {
      if (directory.isPermissionEnabled()) {
        directory.checkOwner(caller, at);
      }
    }

    boolean isOwner() throws IOException {
      try {
        checkOwner();
        return true;
      } catch (AccessControlException e) {
        LOG.trace("The caller is not the owner of {}", PeerText.oneLine(at.getPath()),
            PeerText.oneLine(e));
        return false;
      }
    }
  }

  /**
   * Resolves a path with the permissions of the caller of an RPC. The caller needs the permission
   * WRITE on the inode at the path.
   *
   * @param caller checks the permissions of the caller
   */
  Changeable changeable(String path, FSPermissionChecker caller) throws IOException {
    // A standby is refused, because it may not know the last changes of the active NameNode.
    namesystem.checkOperation(NameNode.OperationCategory.WRITE);
    INodesInPath at = directory.resolvePath(caller, path, FSDirectory.DirOp.READ);
    if (at.getLastINode() == null || at.isSnapshot()) {
      throw new FileNotFoundException(path + " does not exist; check the name");
    }
    if (directory.isPermissionEnabled()) {
      directory.checkPathAccess(caller, at, FsAction.WRITE);
    }
    return new Changeable(caller, at);
  }

  FileFacts facts(String path, INodesInPath at, FSPermissionChecker user) throws IOException {
    INode inode = at.getLastINode();
    FileFacts.Builder facts = FileFacts.of(path, kind(inode), inode == null ? 0 : inode.getId());
    facts.safeMode = namesystem.isInSafeMode();
    facts.inSnapshot = at.isSnapshot();
    facts.reserved = isReserved(path) || isReserved(at.getPath());
    if (inode == null) {
      return facts.build();
    }
    facts.denied = denied(at, user);
    if (inode.isFile() && !at.isSnapshot()) {
      read(facts, at, inode.asFile());
    }
    return facts.build();
  }

  private static FileFacts.Kind kind(INode inode) {
    if (inode == null) {
      return FileFacts.Kind.MISSING;
    }
    if (inode.isSymlink()) {
      return FileFacts.Kind.SYMLINK;
    }
    return inode.isFile() ? FileFacts.Kind.FILE : FileFacts.Kind.DIRECTORY;
  }

  private static boolean isReserved(String path) {
    return (path + "/").startsWith(VersionNamespace.ROOT + "/")
        || (path + "/").startsWith(RESERVED + "/");
  }

  private void read(FileFacts.Builder facts, INodesInPath at, INodeFile file)
      throws IOException {
    BlockStoragePolicy storage =
        namesystem.getBlockManager().getStoragePolicy(file.getStoragePolicyID());
    facts.mtime = file.getModificationTime();
    facts.atime = file.getAccessTime();
    facts.atimePrecisionMs = directory.getAccessTimePrecision();
    facts.encrypted = directory.ezManager.isInAnEZ(at);
    facts.unreadable = NamespaceMembers.isUnreadable(file);
    facts.updated = UpdateTag.mayBeOf(NamespaceMembers.value(file, UpdateTag.XATTR), file.getId());
    facts.open = open(file);
    facts.snapshotRule = snapshotRule(at);
    facts.held = SnapshotReferences.isHeld(file);
    facts.snapshotted = SnapshotReferences.isInSnapshot(at);
    facts.grown = SnapshotReferences.hasGrown(at);
    facts.storagePolicy = storage == null ? null : storage.getName();
    readQuotas(facts, at, file);
    if (file.isStriped()) {
      facts.policy = policy(file);
      facts.groups = groups(file);
    }
  }

  static String open(INodeFile file) {
    if (file.isUnderConstruction()) {
      return "is open for writing";
    }
    for (BlockInfo block : file.getBlocks()) {
      if (!block.isComplete()) {
        return "has a block that is not complete";
      }
    }
    return null;
  }

  private PolicyFacts policy(INodeFile file) {
    ErasureCodingPolicy policy =
        namesystem.getErasureCodingPolicyManager().getByID(file.getErasureCodingPolicyID());
    return policy == null ? null : facts(policy, true);
  }

  static PolicyFacts facts(ErasureCodingPolicy policy, boolean isEnabled) {
    return new PolicyFacts(policy.getName(), new GroupPolicy(policy.getCodecName(),
        policy.getNumDataUnits(), policy.getNumParityUnits(), policy.getCellSize()), isEnabled);
  }

  /** Returns the policy with this name, whatever its state is; null if there is none. */
  PolicyFacts policy(String name) {
    for (ErasureCodingPolicyInfo info :
        namesystem.getErasureCodingPolicyManager().getPolicies()) {
      if (info.getPolicy().getName().equalsIgnoreCase(name) && !info.isRemoved()) {
        return facts(info.getPolicy(), info.isEnabled());
      }
    }
    return null;
  }

  List<FileGroup> groups(INodeFile file) {
    List<FileGroup> groups = new ArrayList<>();
    for (BlockInfo block : file.getBlocks()) {
      groups.add(group(block));
    }
    return groups;
  }

  FileGroup group(BlockInfo block) {
    return new FileGroup(new GroupId(namesystem.getBlockPoolId(), block.getBlockId(),
        block.getGenerationStamp()), block.getNumBytes(), lost(block));
  }

  private int lost(BlockInfo block) {
    if (!(block instanceof BlockInfoStriped) || block.getNumBytes() == 0) {
      return 0;
    }
    NumberReplicas counts = namesystem.getBlockManager().countNodes(block);
    return Math.max(0, ((BlockInfoStriped) block).getRealTotalBlockNum()
        - counts.liveReplicas() - counts.decommissioning()
        - counts.liveEnteringMaintenanceReplicas());
  }

  /**
   * Returns why an old version of a file may not be deleted yet. Groups that were appended to the
   * new version are not compared, because there are no old groups that they replace.
   *
   * @param older the groups of the old version
   * @param newer the groups of the new version, and perhaps further ones behind them
   * @param isGuess whether {@code newer} may be of another file than the new version; if lengths of
   *     groups differ, it is another file, and nothing is compared
   * @param areLateDead see {@link GroupComparison#lacking}
   * @return a sentence without a full stop; null if the old version may be deleted
   */
  String lacking(BlockInfo[] older, BlockInfo[] newer, boolean isGuess, boolean areLateDead) {
    for (int i = 0; isGuess && i < older.length; i++) {
      if (i >= newer.length || older[i].getNumBytes() != newer[i].getNumBytes()) {
        return null;
      }
    }
    return lacking(older, newer, 0, older.length, areLateDead);
  }

  /**
   * Like {@link #lacking(BlockInfo[], BlockInfo[], boolean, boolean)}, but for some of the groups.
   *
   * @param from the index of the first group that is compared
   * @param count how many groups are compared at the most
   */
  String lacking(BlockInfo[] older, BlockInfo[] newer, int from, int count,
      boolean areLateDead) {
    int end = Math.min(from + count, Math.min(older.length, newer.length));
    for (int i = from; i < end; i++) {
      if (older[i] instanceof BlockInfoStriped && newer[i] instanceof BlockInfoStriped) {
        String lacking = GroupComparison.lacking(namesystem.getBlockManager(),
            (BlockInfoStriped) older[i], (BlockInfoStriped) newer[i], areLateDead);
        if (lacking != null) {
          return lacking;
        }
      }
    }
    return null;
  }

  /**
   * Returns for each group of a file the indices of the units that live DataNodes have reported.
   */
  static List<BitSet> reported(INodeFile file) {
    List<BitSet> groups = new ArrayList<>();
    for (BlockInfo block : file.getBlocks()) {
      BitSet units = new BitSet();
      if (block instanceof BlockInfoStriped) {
        ((BlockInfoStriped) block).getStorageAndIndexInfos().forEach(place -> {
          if (place.getStorage().getDatanodeDescriptor().isAlive()) {
            units.set(place.getBlockIndex());
          }
        });
      }
      groups.add(units);
    }
    return groups;
  }

  /**
   * Returns which permission a user lacks to replace the file, as a sentence; null if the user may
   * replace it.
   *
   * @param checker the result of {@link #checker} for the user
   */
  String denied(INodesInPath at, FSPermissionChecker checker) throws IOException {
    if (checker == null || checker.isSuperUser()) {
      return null;
    }
    AuthorizedOperation.RENAME.begin();
    try {
      directory.checkPathAccess(checker, at, FsAction.WRITE);
      // This checks the sticky bit of the directory as well.
      directory.checkParentAccess(checker, at, FsAction.WRITE);
      return null;
    } catch (AccessControlException e) {
      return String.valueOf(e.getMessage()).split("\n")[0];
    }
  }

  /**
   * Returns the snapshottable directory because of which stock does not rename the file; null if
   * there is none.
   */
  String snapshotRule(INodesInPath at) throws IOException {
    if (!snapshotRules) {
      return null;
    }
    INodeDirectory from = snapshottable(at);
    INodeDirectory to = snapshottable(resolve(VersionNamespace.ROOT,
        FSDirectory.DirOp.READ_LINK));
    if (from == to) {
      return null;
    }
    return from == null ? to.getFullPathName() : from.getFullPathName();
  }

  private static INodeDirectory snapshottable(INodesInPath at) {
    for (int i = at.length() - 1; i >= 0; i--) {
      INode inode = at.getINode(i);
      if (inode != null && inode.isDirectory() && inode.asDirectory().isSnapshottable()) {
        return inode.asDirectory();
      }
    }
    return null;
  }

  /**
   * Returns the name of the storage policy with which a work file has to be created; null for the
   * default one.
   */
  String workStoragePolicy(INodeFile file) {
    BlockStoragePolicy policy =
        namesystem.getBlockManager().getStoragePolicy(file.getStoragePolicyID());
    return policy == null || policy.getId()
        == directory.getBlockStoragePolicySuite().getDefaultPolicy().getId() ? null
        : policy.getName();
  }

  private void readQuotas(FileFacts.Builder facts, INodesInPath at, INodeFile file) {
    long space = Long.MAX_VALUE;
    long names = Long.MAX_VALUE;
    for (int i = 0; i < at.length() - 1; i++) {
      DirectoryWithQuotaFeature feature =
          at.getINode(i).asDirectory().getDirectoryWithQuotaFeature();
      if (feature != null) {
        QuotaCounts quota = feature.getQuota();
        QuotaCounts used = feature.getSpaceConsumed();
        if (quota.getStorageSpace() >= 0) {
          space = Math.min(space, quota.getStorageSpace() - used.getStorageSpace());
        }
        if (quota.getNameSpace() >= 0) {
          names = Math.min(names, quota.getNameSpace() - used.getNameSpace());
        }
      }
    }
    facts.spaceLeftBytes = space;
    facts.namesLeft = names;
    facts.spaceBytes =
        file.computeQuotaUsage(directory.getBlockStoragePolicySuite(), file.getStoragePolicyID(),
            false, Snapshot.CURRENT_STATE_ID).getStorageSpace();
  }
}
