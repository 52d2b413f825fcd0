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
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ExpectedUnits;
import org.apache.hadoop.hdfs.server.blockmanagement.GroupComparison;
import org.apache.hadoop.hdfs.server.blockmanagement.StoragePick;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.loader.HadoopMembers;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.PolicyFacts;
import org.hdfsppr.namenode.version.PublishAnswer;
import org.hdfsppr.namenode.version.PublishOrder;
import org.hdfsppr.namenode.version.TargetFile;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionNamespace;
import org.hdfsppr.namenode.version.VersionPlaces;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.namenode.version.VersionRecord;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accesses the NameNode's namespace for versions of files. It compares and renames files while it
 * holds the namesystem's lock once. The plugin needs this because a client can only look first and
 * rename afterwards, and the file may change in between. Thread-safe.
 */
@InterfaceAudience.Private
public final class NamespaceAccess implements VersionNamespace {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceAccess.class);
  private static final String OPERATION = "ppr-version";
  /**
   * How many pairs of groups are compared while the lock is held once, which takes some
   * milliseconds.
   */
  private static final int COMPARED_GROUPS = 1_000;

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final FileInspection look;
  private final VersionSwap swap;
  private final SnapshotNames names;
  private final PublishTurns turns;
  private final LateNodes lateNodes = new LateNodes(System::nanoTime);
  private final VersionHook hook;
  private final LongAdder holds = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAccumulator nanosMax = new LongAccumulator(Math::max, 0);

  /**
   * @param namesystem the running NameNode; {@link #missing} must be empty for its Hadoop
   * @param conf the NameNode's configuration
   * @param hook is called at each {@link VersionPoint} while a version is published
   */
  public NamespaceAccess(FSNamesystem namesystem, Configuration conf, VersionHook hook) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.hook = hook;
    NamespaceMembers members = members();
    this.look = new FileInspection(namesystem, members, conf);
    this.names = new SnapshotNames(namesystem, look);
    this.swap = new VersionSwap(namesystem, members, look, hook);
    this.turns = new PublishTurns(new EditBatch(directory.getEditLog(), members));
  }

  private static NamespaceMembers members() {
    return new NamespaceMembers(HadoopMembers.inPackageOf(NamespaceAccess.class));
  }

  /**
   * @return the members of Hadoop's classes that this Hadoop lacks; empty if versions can be
   *     published
   */
  public static List<String> missing() {
    return members().missing();
  }

  /**
   * @return whether extended attributes are enabled at this NameNode, because versions need them
   */
  public boolean keepsAttributes() {
    return directory.isXattrsEnabled();
  }

  private interface Look<T> {
    T look() throws IOException;
  }

  private <T> T reading(Look<T> action) throws IOException {
    look.prepare();
    namesystem.readLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.READ);
      lateNodes.look(namesystem.isInSafeMode());
      return action.look();
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  private <T> T writing(Look<T> action) throws IOException {
    return writing(action, took -> { });
  }

  /** @param held gets the time for which the lock was held, ns */
  private <T> T writing(Look<T> action, LongConsumer held) throws IOException {
    look.prepare();
    namesystem.writeLock();
    long start = System.nanoTime();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot publish a version");
      return action.look();
    } finally {
      long took = System.nanoTime() - start;
      namesystem.writeUnlock(OPERATION);
      holds.increment();
      nanos.add(took);
      nanosMax.accumulate(took);
      held.accept(took);
    }
  }

  @Override
  public FileFacts facts(String path, String user) throws IOException {
    FSPermissionChecker checker = look.checker(user);
    return reading(() ->
        look.facts(path, look.resolve(path, FSDirectory.DirOp.READ_LINK), checker));
  }

  @Override
  public Optional<TargetFile> file(String path, long inodeId, String user) throws IOException {
    FSPermissionChecker checker = look.checker(user);
    return reading(() -> {
      INodesInPath at = look.resolve(path, FSDirectory.DirOp.READ_LINK);
      INode inode = at.getLastINode();
      if (inode == null || inode.getId() != inodeId || !inode.isFile() || at.isSnapshot()) {
        return Optional.empty();
      }
      INodeFile file = inode.asFile();
      return Optional.of(new TargetFile(look.facts(path, at, checker), at.getINode(-2).getId(),
          file.getLocalName(), file.getFsPermission(), file.getPreferredBlockSize(),
          look.workStoragePolicy(file)));
    });
  }

  @Override
  public Optional<PolicyFacts> policy(String name) {
    return Optional.ofNullable(look.policy(name));
  }

  @Override
  public List<BitSet> reported(long inodeId) throws IOException {
    return reading(() -> {
      INode inode = directory.getInode(inodeId);
      if (inode == null || !inode.isFile()) {
        throw new IOException("there is no file with the inode " + inodeId);
      }
      return FileInspection.reported(inode.asFile());
    });
  }

  @Override
  public void expect(GroupId group, Map<Integer, NodeRef> nodes) throws IOException {
    writing(() -> {
      ExpectedUnits.set(namesystem.getBlockManager(), group, nodes);
      return null;
    });
  }

  @Override
  public void expectNoMore(GroupId group) throws IOException {
    writing(() -> {
      ExpectedUnits.forget(namesystem.getBlockManager(), group);
      return null;
    });
  }

  @Override
  public Optional<CommandTarget> target(int unit, NodeRef node, long inodeId, long bytes) {
    namesystem.readLock();
    try {
      INode inode = directory.getInode(inodeId);
      StoragePick pick = inode == null ? null : StoragePick.of(namesystem.getBlockManager(),
          inode.getStoragePolicyID(), node.uuid, bytes);
      return pick == null ? Optional.empty()
          : Optional.of(new CommandTarget(unit, node, pick.storageId, pick.type));
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  @Override
  public PublishAnswer publish(PublishOrder order) throws IOException {
    FSPermissionChecker user = look.checker(order.record.user);
    INode.BlocksMapUpdateInfo freed = new INode.BlocksMapUpdateInfo();
    PublishAnswer answer;
    try {
      answer = publish(order, user, freed);
      if (answer.isPublished()) {
        hook.reached(VersionPoint.PUBLISH_SWAPPED, order.record.path);
      }
    } finally {
      directory.getEditLog().logSync();
    }
    if (answer.isPublished()) {
      // Even after an exception, the edit that has freed blocks may be in the log, so that they are
      // removed.
      remove(freed);
      audit(order);
    }
    return answer;
  }

  private PublishAnswer publish(PublishOrder order, FSPermissionChecker user,
      INode.BlocksMapUpdateInfo freed) throws IOException {
    if (!reading(() -> swap.isInSnapshot(order.record))) {
      return turns.take(order.commit().isPresent(),
          held -> writing(() -> swap.publish(order, false, user, freed), held));
    }
    // The one rename needs no room in the edit log for a second one, so that it does not wait for a
    // flush. Only the snapshot keeps the old version, and it may be deleted at any time. So the new
    // version must not lack units of the old one.
    boolean isWhole = order.durableInMs == 0;
    if (isWhole) {
      Optional<String> lacking = lacking(order);
      if (lacking.isPresent()) {
        return PublishAnswer.again("the new version of " + order.record.path
            + " has lost a unit, and its old version is kept by a snapshot only: "
            + lacking.get());
      }
    }
    return writing(() -> swap.publish(order, isWhole, user, freed));
  }

  /**
   * Returns which unit the new version lacks that the old one has; empty if there is none. The
   * write lock is not held. That is as safe as with it: a unit that is lost in the milliseconds
   * until the lock is taken could as well be lost shortly after it.
   */
  private Optional<String> lacking(PublishOrder order) throws IOException {
    String lacking = null;
    for (int from = 0; lacking == null && from < order.newGroups.size();
        from += COMPARED_GROUPS) {
      int first = from;
      lacking = reading(() -> {
        INode old = directory.getInode(order.record.inodeId);
        INode made = directory.getInode(order.newInodeId);
        // If one of the two files does not exist any more, VersionSwap finds that out.
        return old == null || !old.isFile() || made == null || !made.isFile() ? null
            : look.lacking(old.asFile().getBlocks(), made.asFile().getBlocks(), first,
                COMPARED_GROUPS, areLateDead());
      });
    }
    return Optional.ofNullable(lacking);
  }

  /** Returns whether units that no DataNode has reported count as lost now. */
  private boolean areLateDead() {
    return lateNodes.areDead(GroupComparison.deadMs(namesystem.getBlockManager()));
  }

  /** Writes a line to the audit log, as for a rename by a user. No lock is held meanwhile. */
  private void audit(PublishOrder order) {
    VersionRecord record = order.record;
    try {
      FileStatus now = reading(() -> {
        INode made = directory.getInode(order.newInodeId);
        return made == null ? null : new FileStatus(0, false, 0, 0, 0, 0, made.getFsPermission(),
            made.getUserName(), made.getGroupName(), new Path(record.path));
      });
      VersionAudit.log(namesystem, record.user,
          order.commit().isPresent() ? "ppr-commit" : "ppr-convert", record.path, now);
    } catch (IOException | RuntimeException e) {
      LOG.warn("The audit log has no line of the {}", record, PeerText.oneLine(e));
    }
  }

  /**
   * Removes blocks that no file has any more, as stock does after a rename that overwrites. The
   * caller calls this only when the edit is on disk, because DataNodes then delete the replicas.
   */
  private void remove(INode.BlocksMapUpdateInfo freed) {
    FreedBlocks.each(freed.getToDeleteList(), piece -> {
      namesystem.writeLock();
      try {
        namesystem.getBlockManager().removeBlocksAndUpdateSafemodeTotal(piece);
      } finally {
        namesystem.writeUnlock(OPERATION);
      }
    });
  }

  @Override
  public VersionPlaces places(VersionRecord record) throws IOException {
    return reading(() -> {
      String work = record.directory();
      INode old = look.resolve(work + "/" + OLD, FSDirectory.DirOp.READ_LINK).getLastINode();
      INode made = look.resolve(work + "/" + NEW, FSDirectory.DirOp.READ_LINK).getLastINode();
      VersionPlaces places = new VersionPlaces(old != null, made != null,
          directory.getInode(record.inodeId) != null, SnapshotReferences.isHeld(old),
          atPath(record));
      return isGone(record) ? places.withoutNew() : places;
    });
  }

  /**
   * Returns whether the new version does not exist any more, neither as a file nor as a part of a
   * file to which a user has joined it.
   */
  private boolean isGone(VersionRecord record) {
    return record.newInodeId != 0 && directory.getInode(record.newInodeId) == null
        && joined(record) == null;
  }

  /**
   * Returns the file that contains the groups of the new version because a user has joined the
   * version to it (concat); null if there is none.
   */
  private INodeFile joined(VersionRecord record) {
    BlockInfo first = record.newGroupId == 0 ? null
        : namesystem.getBlockManager().getStoredBlock(new Block(record.newGroupId));
    INode owner = first == null || first.isDeleted() ? null
        : directory.getInode(first.getBlockCollectionId());
    return owner == null || !owner.isFile() ? null : owner.asFile();
  }

  @Override
  public Optional<String> lacking(VersionRecord record) throws IOException {
    return reading(() -> {
      INode old = look.resolve(record.directory() + "/" + OLD, FSDirectory.DirOp.READ_LINK)
          .getLastINode();
      BlockInfo[] made = newGroups(record);
      if (old == null || !old.isFile() || made == null) {
        return Optional.empty();
      }
      return Optional.ofNullable(
          look.lacking(old.asFile().getBlocks(), made, record.newInodeId == 0,
              areLateDead()));
    });
  }

  /**
   * Returns the groups of the new version, followed by groups that users have appended or joined to
   * it; null if it does not exist.
   */
  private BlockInfo[] newGroups(VersionRecord record) throws IOException {
    INode made = newVersion(record);
    if (made != null) {
      return made.isFile() ? made.asFile().getBlocks() : null;
    }
    INodeFile joined = joined(record);
    BlockInfo[] all = joined == null ? new BlockInfo[0] : joined.getBlocks();
    for (int i = 0; i < all.length; i++) {
      if (all[i].getBlockId() == record.newGroupId) {
        return Arrays.copyOfRange(all, i, all.length);
      }
    }
    return null;
  }

  private INode newVersion(VersionRecord record) throws IOException {
    if (record.newInodeId != 0) {
      return directory.getInode(record.newInodeId);
    }
    INodesInPath at = swap.target(record);
    return at == null ? null : at.getLastINode();
  }

  private VersionPlaces.AtPath atPath(VersionRecord record) throws IOException {
    INodesInPath at = swap.target(record);
    if (at == null) {
      return VersionPlaces.AtPath.NO_DIRECTORY;
    }
    INode inode = at.getLastINode();
    if (inode == null) {
      return VersionPlaces.AtPath.NOTHING;
    }
    return inode.getId() == record.inodeId ? VersionPlaces.AtPath.OLD
        : VersionPlaces.AtPath.OTHER;
  }

  @Override
  public PublishAnswer finish(VersionRecord record) throws IOException {
    try {
      return writing(() -> swap.finish(record));
    } finally {
      directory.getEditLog().logSync();
    }
  }

  @Override
  public boolean[] exist(long[] inodeIds) throws IOException {
    return reading(() -> {
      boolean[] exist = new boolean[inodeIds.length];
      for (int i = 0; i < exist.length; i++) {
        exist[i] = directory.getInode(inodeIds[i]) != null;
      }
      return exist;
    });
  }

  @Override
  public boolean isAtPath(long inodeId) throws IOException {
    return reading(() -> SnapshotReferences.isAtPath(directory, directory.getInode(inodeId)));
  }

  @Override
  public List<String> snapshots(long inodeId) throws IOException {
    return reading(() -> names.noting(directory.getInode(inodeId)));
  }

  @Override
  public List<String> snapshots(String path) throws IOException {
    return reading(() ->
        names.forbiddingRename(look.resolve(path, FSDirectory.DirOp.READ_LINK)));
  }

  @Override
  public void renewLease(String holder) throws IOException {
    namesystem.renewLease(holder);
  }

  /**
   * Returns three numbers about the NameNode's write lock: how often these methods have held it,
   * for how long in all, ns, and for how long at most at a time, ns.
   */
  public long[] lockTimes() {
    return new long[] {holds.sum(), nanos.sum(), nanosMax.get()};
  }

  /**
   * Knows whether DataNodes that have not registered since the NameNode's start count as dead.
   * After its start, a NameNode knows of a unit only when a DataNode reports it. So a unit may be
   * missing only because its node is late. The NameNode considers a node dead if it is silent for
   * some time. When the NameNode has been out of safe mode for that time, units that no node has
   * reported count as lost. Thread-safe.
   *
   * <p>The time is measured from the first call of {@link #look} that finds safe mode off. So units
   * may count as lost too late, but never too early.
   */
  static final class LateNodes {
    private final LongSupplier nanoTime;
    private boolean isOut;
    /** When {@link #look} first found safe mode off, by {@link #nanoTime}. */
    private long outNanos;

    LateNodes(LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
    }

    /** Takes note whether the NameNode is in safe mode now. */
    synchronized void look(boolean isInSafeMode) {
      if (!isInSafeMode && !isOut) {
        outNanos = nanoTime.getAsLong();
      }
      isOut = !isInSafeMode;
    }

    /**
     * Returns whether units that no DataNode has reported count as lost.
     *
     * @param deadMs how long a DataNode must be silent until the NameNode considers it dead, ms
     */
    synchronized boolean areDead(long deadMs) {
      return isOut && nanoTime.getAsLong() - outNanos > TimeUnit.MILLISECONDS.toNanos(deadMs);
    }
  }

  /**
   * Writes lines to the audit log about what the plugin does for a user that is not the caller of
   * an RPC. It calls the audit loggers in the same way as FSNamesystem. Stateless.
   */
  static final class VersionAudit {
    private VersionAudit() {
    }

    /**
     * Writes a line about an operation that was carried out.
     *
     * @param user short name of the user for whom it was done
     * @param command the name of the operation
     * @param path path of the file; control characters, which could forge a line of the log, are
     *     written as blanks
     * @param now the file's owner, group and permission; null if they are not known
     */
    static void log(FSNamesystem namesystem, String user, String command, String path,
        FileStatus now) {
      if (!namesystem.isAuditEnabled()) {
        return;
      }
      String shown = path.replaceAll("\\p{Cntrl}", " ");
      UserGroupInformation who = UserGroupInformation.createRemoteUser(user);
      for (AuditLogger logger : namesystem.getAuditLoggers()) {
        if (logger instanceof HdfsAuditLogger) {
          ((HdfsAuditLogger) logger).logAuditEvent(true, who.toString(), null, command, shown, null,
              now, CallerContext.getCurrent(), who, null);
        } else {
          logger.logAuditEvent(true, who.toString(), null, command, shown, null, now);
        }
      }
    }
  }

  /**
   * Cuts a list of blocks that no file has any more into pieces. The namesystem's lock is held for
   * one piece at a time, so that others get the lock in between. Stock removes the blocks of
   * deleted files in the same way.
   */
  static final class FreedBlocks {
    /**
     * How many blocks a piece has at most: the default of dfs.namenode.block.deletion.increment.
     */
    static final int PIECE = 1_000;

    private FreedBlocks() {
    }

    /** Calls an action with each piece of the blocks. */
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
}
