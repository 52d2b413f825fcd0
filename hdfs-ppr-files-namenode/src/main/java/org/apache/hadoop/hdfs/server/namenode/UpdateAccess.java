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
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped;
import org.apache.hadoop.hdfs.server.blockmanagement.TicketSigner;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.RemovedValues;
import org.hdfsppr.loader.HadoopMembers;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.LoggerFactory;

/**
 * Accesses the NameNode's namespace for updates in place. The plugin needs this because no method
 * for clients returns which index a block group has in its file. {@link RecordAccess} changes
 * attributes for it. Thread-safe.
 */
@InterfaceAudience.Private
public final class UpdateAccess implements UpdateNamespace {
  private static final String OPERATION = "ppr-update";
  private static final PeerLog PEER_LOG =
      new PeerLog(LoggerFactory.getLogger(UpdateAccess.class));
  /**
   * For how many directories the NameNode logs that it replaces their strategy. The bound keeps the
   * set of their ids small.
   */
  private static final int REPLACED_MOST = 1_024;

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final FileInspection look;
  private final RecordAccess records;
  private final EditSync edits;
  /** The inode ids of directories for which it was logged that their strategy is replaced. */
  private final Set<Long> replaced = ConcurrentHashMap.newKeySet();

  /**
   * @param namesystem the running NameNode; {@link #missing} must be empty for its Hadoop
   * @param conf the NameNode's configuration
   */
  public UpdateAccess(FSNamesystem namesystem, Configuration conf) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.look = new FileInspection(namesystem, members(), conf);
    this.records = new RecordAccess(namesystem, look, OPERATION, "Cannot note updates", false);
    this.edits = new EditSync(directory.getEditLog());
  }

  private static NamespaceMembers members() {
    return new NamespaceMembers(HadoopMembers.inPackageOf(UpdateAccess.class));
  }

  /**
   * @return the members of Hadoop's classes that this Hadoop lacks; empty if files can be updated
   */
  public static List<String> missing() {
    List<String> missing = new ArrayList<>(members().missing());
    missing.addAll(CallerAccess.missing());
    HadoopMembers more = new HadoopMembers(HadoopMembers.inPackageOf(UpdateAccess.class));
    more.method("FSEditLog", "logSyncAll", void.class);
    more.method("FSEditLog", "getSyncTxId", long.class);
    more.method("FSEditLog", "getLastWrittenTxId", long.class);
    more.method("FSDirectory", "checkUnreadableBySuperuser", void.class,
        more.find("FSPermissionChecker"), more.find("INodesInPath"));
    more.method("FSDirectory", "checkOwner", void.class, more.find("FSPermissionChecker"),
        more.find("INodesInPath"));
    missing.addAll(more.missing());
    return missing;
  }

  @Override
  public UpdatableFile file(String path, GroupId group, boolean isWrite) throws IOException {
    return file(path, group, isWrite ? FsAction.WRITE : FsAction.READ, false);
  }

  @Override
  public UpdatableFile fileToRead(String path, GroupId group) throws IOException {
    return file(path, group, FsAction.READ, true);
  }

  private UpdatableFile file(String path, GroupId group, FsAction right, boolean isRead)
      throws IOException {
    (right == FsAction.WRITE ? AuthorizedOperation.APPEND : AuthorizedOperation.OPEN).begin();
    // This looks up the groups of the caller, which may take long. So the lock is taken only after
    // it.
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    namesystem.readLock();
    try {
      // A standby is refused, because it may not know the last changes of the active NameNode.
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      INodesInPath at = directory.resolvePath(caller, path, FSDirectory.DirOp.READ);
      INode inode = at.getLastINode();
      if (inode == null || !inode.isFile() || at.isSnapshot()) {
        throw new FileNotFoundException(path + (inode == null ? " does not exist"
            : " is no file that can change"));
      }
      if (directory.isPermissionEnabled()) {
        directory.checkPathAccess(caller, at, right);
        if (isRead) {
          directory.checkUnreadableBySuperuser(caller, at);
        }
      }
      return facts(at, inode.asFile(), group, 0);
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  @Override
  public Optional<Long> directory(String path, boolean isOwner) throws IOException {
    AuthorizedOperation.SET_XATTR.begin();
    // This looks up the groups of the caller, which may take long. So the lock is taken only after
    // it.
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    namesystem.readLock();
    try {
      FileInspection.Changeable found = look.changeable(path, caller);
      if (isOwner) {
        found.checkOwner();
      }
      return found.inode().isDirectory() ? Optional.of(found.inode().getId()) : Optional.empty();
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  @Override
  public void persist() throws IOException {
    edits.sync();
  }

  @Override
  public UpdatableFile file(long inodeId, int ordinal) throws IOException {
    look.prepare();
    namesystem.readLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      INode inode = look.inode(inodeId);
      INodesInPath at = look.resolve(inode.getFullPathName(), FSDirectory.DirOp.READ);
      if (!FileInspection.isSame(at.getLastINode(), inode) || !inode.isFile()) {
        throw new FileNotFoundException("The inode " + inodeId + " is no file at a path any more");
      }
      BlockInfo[] blocks = inode.asFile().getBlocks();
      return facts(at, inode.asFile(), ordinal >= blocks.length ? null
          : new GroupId(namesystem.getBlockPoolId(), blocks[ordinal].getBlockId(),
              blocks[ordinal].getGenerationStamp()), ordinal);
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  @Override
  public FileState state(long inodeId, long directoryId) throws IOException {
    namesystem.readLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      INode inode = directory.getInode(inodeId);
      boolean isBelow = false;
      for (INode above = inode; above != null && !isBelow; above = above.getParent()) {
        isBelow = above.getId() == directoryId;
      }
      return new FileState(inode != null, SnapshotReferences.isAtPath(directory, inode),
          inode == null ? null : NamespaceMembers.value(inode, UpdateTag.XATTR), isBelow);
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  @Override
  public Optional<String> owner(long blockGroup) throws IOException {
    namesystem.readLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      BlockInfo block = namesystem.getBlockManager().getStoredBlock(new Block(blockGroup));
      INode file = block == null || block.isDeleted() ? null
          : directory.getInode(block.getBlockCollectionId());
      return Optional.ofNullable(file).map(INode::getFullPathName);
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  @Override
  public String poolId() {
    return namesystem.getBlockPoolId();
  }

  @Override
  public boolean mayChange() {
    return isActive() && !namesystem.isInSafeMode();
  }

  @Override
  public boolean isStarting() {
    return namesystem.isInStartupSafeMode();
  }

  @Override
  public boolean isActive() {
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      return true;
    } catch (StandbyException e) {
      return false;
    }
  }

  /**
   * Returns the strategy by which files below a directory are committed. If this version does not
   * have the strategy any more, another one replaces it in this NameNode only. The directory keeps
   * the name, because a NameNode of the version that set it can still use it.
   */
  private String current(INode node, String name) {
    String current = RemovedValues.current(PprKeys.NAMENODE_COMMIT_STRATEGY_KEY, name);
    if (!current.equals(name) && replaced.size() < REPLACED_MOST
        && replaced.add(node.getId())) {
      PEER_LOG.warn(Long.toString(node.getId()), "Directory {} has the strategy of commits '{}',"
          + " which there is no more: its files are committed as '{}' says",
          node.getFullPathName(), name, current);
    }
    return current;
  }

  /**
   * @param from an index of a block group in the file, from which the search for {@code group}
   *     begins; not greater than that of the group
   */
  private UpdatableFile facts(INodesInPath at, INodeFile file, GroupId group, int from)
      throws IOException {
    UpdatableFile.Builder facts = new UpdatableFile.Builder(at.getPath(), file.getId())
        .tag(NamespaceMembers.value(file, UpdateTag.XATTR))
        .open(FileInspection.open(file))
        .encrypted(directory.ezManager.isInAnEZ(at));
    String strategy = null;
    for (int i = at.length() - 2; i >= 0; i--) {
      byte[] value = NamespaceMembers.value(at.getINode(i), UPDATABLE_XATTR);
      if (value != null) {
        facts.updatable(true);
        String name = new String(value, StandardCharsets.UTF_8);
        strategy = strategy == null && !name.equals(UPDATABLE)
            ? current(at.getINode(i), name) : strategy;
      }
    }
    facts.strategy(strategy);
    ErasureCodingPolicy policy = file.isStriped()
        ? namesystem.getErasureCodingPolicyManager().getByID(file.getErasureCodingPolicyID())
        : null;
    if (policy != null) {
      facts.policy(FileInspection.facts(policy, true).code);
      find(facts, file, group, from);
    }
    return facts.build();
  }

  private void find(UpdatableFile.Builder facts, INodeFile file, GroupId group, int from) {
    BlockInfo[] blocks = file.getBlocks();
    if (group == null || !group.poolId.equals(namesystem.getBlockPoolId())) {
      return;
    }
    // The search does not begin at the first block, because a file may have very many blocks, and
    // the lock is held.
    for (int i = from; i < blocks.length; i++) {
      if (blocks[i].getBlockId() == group.groupId
          && blocks[i].getGenerationStamp() == group.generationStamp) {
        if (blocks[i].isComplete()) {
          facts.group(group, i, blocks[i].getNumBytes(), places((BlockInfoStriped) blocks[i]));
        }
        return;
      }
    }
  }

  private static Map<Integer, List<String>> places(BlockInfoStriped block) {
    Map<Integer, List<String>> places = new HashMap<>();
    block.getStorageAndIndexInfos().forEach(place -> {
      if (place.getStorage().getDatanodeDescriptor().isAlive()) {
        places.computeIfAbsent((int) place.getBlockIndex(), unit -> new ArrayList<>())
            .add(place.getStorage().getDatanodeDescriptor().getDatanodeUuid());
      }
    });
    return places;
  }

  @Override
  public Optional<byte[]> attribute(long inodeId, String name) throws IOException {
    return records.attribute(inodeId, name);
  }

  @Override
  public boolean change(List<Change> changes) throws IOException {
    try {
      return records.change(changes);
    } catch (IllegalArgumentException e) {
      // The caller expects an IOException if the NameNode refuses a change.
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public SignedTicket sign(UpdateTicket ticket, AccessMode mode) throws IOException {
    return TicketSigner.sign(namesystem.getBlockManager(),
        NameNode.getRemoteUser().getShortUserName(), ticket, mode);
  }

  /**
   * Waits until all edits that were logged before are on disk, for a bounded time. Thread-safe.
   *
   * <p>With FSEditLogAsync, edits wait in a queue for the thread that writes them. There, this
   * class only waits, and calls no method of stock: the thread flushes what it has written as soon
   * as the queue is empty, without being asked. FSEditLog.logSyncAll must not be called there
   * without the namesystem's lock. If nothing was written since the last flush, stock considers all
   * edits flushed that are in the queue at that moment (FSEditLog.logSync: "We still try to flush
   * up to mytxid"). It then acknowledges them without a flush, and a crash loses them. Stock's own
   * callers hold the lock, so that no edit can be logged meanwhile. Besides, that call may wait
   * without a bound: if this NameNode loses its role, it waits until the NameNode is active again.
   */
  static final class EditSync {
    /**
     * How long a caller waits at most, ms. Journals on a quorum have 20 s for a flush
     * (dfs.qjournal.write-txns.timeout.ms). If they need more, the NameNode ends itself.
     */
    static final long MS_MAX = 30_000;
    /**
     * The time between two looks whether the edits are on disk, ms: about as long as a flush takes.
     */
    private static final long LOOK_MS = 1;

    private final FSEditLog log;
    private final long msMax;

    EditSync(FSEditLog log) {
      this(log, MS_MAX);
    }

    /** @param msMax how long a caller waits at most, ms */
    EditSync(FSEditLog log, long msMax) {
      this.log = log;
      this.msMax = msMax;
    }

    /**
     * Waits until all edits that were logged before are on disk.
     *
     * @throws IOException if it is not known in time that they are
     */
    void sync() throws IOException {
      if (!(log instanceof FSEditLogAsync)) {
        // This edit log writes each edit when it is logged. So this call only flushes edits that
        // are written.
        log.logSyncAll();
        return;
      }
      long last = log.getLastWrittenTxId();
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(msMax);
      while (log.getSyncTxId() < last) {
        if (System.nanoTime() - end > 0) {
          throw new IOException("The NameNode's edit log has not said within " + msMax + " ms that"
              + " all edits are on disk; this NameNode may not be active any more");
        }
        try {
          Thread.sleep(LOOK_MS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw (IOException) new InterruptedIOException("The NameNode stops").initCause(e);
        }
      }
    }
  }
}
