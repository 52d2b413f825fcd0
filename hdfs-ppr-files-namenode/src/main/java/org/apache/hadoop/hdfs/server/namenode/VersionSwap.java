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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.protocol.FSLimitException.PathComponentTooLongException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.namenode.version.CommitPlan;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.PublishAnswer;
import org.hdfsppr.namenode.version.PublishOrder;
import org.hdfsppr.namenode.version.RefusalReason;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionNamespace;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.namenode.version.VersionRecord;
import org.hdfsppr.namenode.version.VersionRules;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the new version of a file take the path of the old one, if nothing has changed since the
 * version began. The caller holds the namesystem's lock for writing. All edits are of kinds that
 * stock knows, in this order:
 *
 * <pre>
 *   set the record       says PUBLISHING
 *   set owner, permission, ACL, attributes, storage policy, times of "new", as far as they differ
 *   rename PATH -> old
 *   rename new  -> PATH
 * </pre>
 *
 * <p>No flush comes between the two renames (see {@link EditBatch}). If the NameNode's process
 * dies, either both renames are on disk, or none. A power cut in the middle of the flush may leave
 * only the first one on disk.
 *
 * <p>If a snapshot has the old version, it is not renamed, because stock fails to delete such a
 * file later (see {@link SnapshotReferences}). It stays in the snapshot, and one rename takes the
 * place of both:
 *
 * <pre>
 *   rename new  -> PATH, overwriting
 * </pre>
 */
final class VersionSwap {
  private static final Logger LOG = LoggerFactory.getLogger(VersionSwap.class);

  private final FSDirectory directory;
  private final FileInspection look;
  private final SwapQuotaRules room;
  private final VersionAttributes attributes;
  private final EditBatch edits;
  private final VersionHook hook;

  VersionSwap(FSNamesystem namesystem, NamespaceMembers members, FileInspection look,
      VersionHook hook) {
    this.directory = namesystem.getFSDirectory();
    this.look = look;
    this.room = new SwapQuotaRules(directory, members);
    this.attributes = new VersionAttributes(namesystem);
    this.edits = new EditBatch(directory.getEditLog(), members);
    this.hook = hook;
  }

  /**
   * Publishes a version, if nothing has changed since it began.
   *
   * @param isWhole whether the new version was found to lack no unit that the old one has
   * @param user checks the permissions of the record's user
   * @param freed gets the blocks that no file has any more. The caller removes them when the edits
   *     are on disk
   */
  PublishAnswer publish(PublishOrder order, boolean isWhole, FSPermissionChecker user,
      INode.BlocksMapUpdateInfo freed) throws IOException {
    VersionRecord record = order.record;
    INodesInPath at = target(record);
    PublishAnswer answer = compare(order, at, user);
    if (answer.isPublished()) {
      String work = record.directory();
      INodesInPath made = look.resolve(work + "/" + VersionNamespace.NEW,
          FSDirectory.DirOp.WRITE_LINK);
      answer = compareNew(order, made);
      if (answer.isPublished()) {
        answer = compareRecord(record);
      }
      if (answer.isPublished()) {
        answer = room.check(at, made);
      }
      if (answer.isPublished()) {
        answer = swap(order, isWhole, at, made, work, freed);
      }
    }
    return answer;
  }

  /**
   * Returns the present path of the file, by the inode id of its directory and its name; null if
   * the directory does not exist any more.
   */
  INodesInPath target(VersionRecord record) throws IOException {
    INode parent = directory.getInode(record.parentId);
    if (parent == null || !parent.isDirectory()) {
      return null;
    }
    String parentPath = parent.getFullPathName();
    INodesInPath at = look.resolve(
        ("/".equals(parentPath) ? "" : parentPath) + "/" + record.name,
        FSDirectory.DirOp.WRITE_LINK);
    // The NameNode still knows the inode of a directory that only a snapshot has. So this checks
    // that the path leads to the directory.
    INode found = at.length() < 2 ? null : at.getINode(-2);
    return found == null || found.getId() != record.parentId ? null : at;
  }

  /**
   * Returns whether a snapshot has the file. Then no old version is kept in the version's
   * directory.
   */
  boolean isInSnapshot(VersionRecord record) throws IOException {
    INodesInPath at = target(record);
    return at != null && at.getLastINode() != null && SnapshotReferences.isInSnapshot(at);
  }

  private PublishAnswer compare(PublishOrder order, INodesInPath at, FSPermissionChecker user)
      throws IOException {
    VersionRecord record = order.record;
    INode inode = at == null ? null : at.getLastINode();
    if (inode == null || inode.getId() != record.inodeId || !inode.isFile()) {
      return PublishAnswer.changed(record.path + " was renamed, replaced or deleted");
    }
    INodeFile file = inode.asFile();
    if (file.isUnderConstruction()) {
      return PublishAnswer.changed(record.path + " was opened for writing");
    }
    if (!isSame(file, order.file.groups)
        || file.getModificationTime() != order.file.facts.mtime) {
      return PublishAnswer.changed(record.path + " was written");
    }
    if (file.getAccessTime() > order.atimeMax) {
      return PublishAnswer.refused(RefusalReason.IN_USE, record.path
          + " was read while its new version was made; convert it later, or force it");
    }
    if (directory.ezManager.isInAnEZ(at)) {
      return PublishAnswer.refused(RefusalReason.ENCRYPTED,
          record.path + " lies in an encryption zone now");
    }
    if (order.commit().isPresent()) {
      CommitPlan commit = order.commit().get();
      if (!RecordForm.isAsKnown(file, commit.attribute, commit.before())
          || !areAsKnown(commit.beside)) {
        return PublishAnswer.changed(record.path + " is not the file any more whose updates were"
            + " collected");
      }
    } else if (UpdateTag.mayBeOf(NamespaceMembers.value(file, UpdateTag.XATTR), file.getId())) {
      return PublishAnswer.refused(RefusalReason.UPDATED, record.path
          + " was updated in place while its new version was made");
    }
    if (SnapshotReferences.isHeld(file)) {
      return PublishAnswer.refused(RefusalReason.SNAPSHOT_HELD,
          VersionRules.held(record.path));
    }
    // The old version of a commit needs no grace, because streams can go on with the new one.
    if (order.commit().isEmpty() && SnapshotReferences.hasGrown(at)) {
      return PublishAnswer.refused(RefusalReason.SNAPSHOT_GROWN,
          VersionRules.grown(record.path));
    }
    String rule = look.snapshotRule(at);
    if (rule != null) {
      return PublishAnswer.refused(RefusalReason.SNAPSHOT_RULES,
          VersionRules.snapshotRule(rule));
    }
    String denied = look.denied(at, user);
    return denied == null ? PublishAnswer.PUBLISHED
        : PublishAnswer.refused(RefusalReason.NO_PERMISSION, denied);
  }

  private boolean areAsKnown(List<CommitPlan.Beside> beside) throws BadRecordException {
    for (CommitPlan.Beside one : beside) {
      INode inode = directory.getInode(one.inodeId);
      if (inode == null || !RecordForm.isAsKnown(inode, one.name, one.before())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(INodeFile file, List<FileGroup> groups) {
    BlockInfo[] blocks = file.getBlocks();
    if (blocks.length != groups.size()) {
      return false;
    }
    for (int i = 0; i < blocks.length; i++) {
      FileGroup group = groups.get(i);
      if (!blocks[i].isComplete() || blocks[i].getBlockId() != group.id.groupId
          || blocks[i].getGenerationStamp() != group.id.generationStamp
          || blocks[i].getNumBytes() != group.bytes) {
        return false;
      }
    }
    return true;
  }

  private static PublishAnswer compareNew(PublishOrder order, INodesInPath made) {
    INode inode = made.getLastINode();
    boolean isReady = inode != null && inode.isFile() && inode.getId() == order.newInodeId
        && !inode.asFile().isUnderConstruction()
        && isSame(inode.asFile(), order.newGroups);
    if (!isReady) {
      return PublishAnswer.changed("the new version of " + order.record.path
          + " is not what was made");
    }
    return isOnlyHere(made) ? PublishAnswer.PUBLISHED
        : PublishAnswer.again("a snapshot that was taken of a directory above "
            + VersionNamespace.ROOT + " has the new version of " + order.record.path
            + ", which Hadoop could not delete after that; convert it when no such snapshots are"
            + " taken, or update it then");
  }

  /**
   * Checks that the record in the namespace is still that of this version. The order's record
   * replaces it later.
   */
  private PublishAnswer compareRecord(VersionRecord record) throws IOException {
    INode work = look.resolve(record.directory(), FSDirectory.DirOp.WRITE).getLastINode();
    byte[] there =
        work == null ? null : NamespaceMembers.value(work, VersionNamespace.XATTR);
    return there != null && record.isOfSameVersion(VersionRecord.parse(there))
        ? PublishAnswer.PUBLISHED
        : PublishAnswer.changed("the record in " + record.directory() + " is not that of this new"
            + " version any more");
  }

  /** Returns whether no snapshot has the new version, so that it may be renamed. */
  private static boolean isOnlyHere(INodesInPath made) {
    return !SnapshotReferences.isInSnapshot(made)
        && !SnapshotReferences.isHeld(made.getLastINode());
  }

  private PublishAnswer swap(PublishOrder order, boolean isWhole, INodesInPath at,
      INodesInPath made, String work, INode.BlocksMapUpdateInfo freed) throws IOException {
    if (SnapshotReferences.isInSnapshot(at)) {
      if (order.durableInMs > 0) {
        // Only the snapshot keeps the old version then. It may be deleted at any time, and blocks
        // of the file that are newer than the snapshot are deleted at once.
        return PublishAnswer.later("not all DataNodes say yet that the new version is on their"
            + " disks, and no old version would be kept beside it; try again later");
      }
      if (!isWhole) {
        return PublishAnswer.later("a snapshot of " + at.getPath() + " was taken just now; try"
            + " again later");
      }
      prepare(order, at, made, work);
      change(beside(order, made));
      rename(made.getPath(), at.getPath(), freed, Options.Rename.OVERWRITE);
      return PublishAnswer.PUBLISHED;
    }
    String old = work + "/" + VersionNamespace.OLD;
    Map<INodesInPath, XAttr> beside = beside(order, made);
    int count = beside.size() + 2;
    long bytes = EditBatch.bytes(at.getPath(), old) + bytes(beside);
    String never = edits.whyNever(count, bytes);
    if (never != null) {
      return PublishAnswer.refused(RefusalReason.BUSY, never);
    }
    Step step = new Step();
    PublishAnswer answer = edits.await(PublishTurns.waitMs(order.holdsInVain), () -> {
      if (!edits.areWritten()) {
        return null;
      }
      if (!step.isPrepared) {
        step.isPrepared = true;
        long before = edits.lastEdit();
        VersionAttributes.Logged logged = prepare(order, at, made, work);
        boolean areWritten = edits.areWritten();
        boolean areOwn = edits.lastEdit() == before + logged.count();
        if (!edits.isThere(count, areWritten ? 0 : logged.bytes(), bytes)
            || !areWritten && !areOwn) {
          return null;
        }
      } else if (!edits.isThere(count, 0, bytes)) {
        return null;
      }
      change(beside);
      return renameBoth(order.record, at.getPath(), made.getPath(), work, freed);
    });
    return answer == null ? PublishTurns.SLOW : answer;
  }

  /** Whether {@link #prepare} was done already. */
  private static final class Step {
    private boolean isPrepared;
  }

  /**
   * Sets the step PUBLISHING in the record, and gives the new version the attributes of the old
   * one.
   */
  private VersionAttributes.Logged prepare(PublishOrder order, INodesInPath at, INodesInPath made,
      String work) throws IOException {
    VersionRecord record = order.record;
    VersionAttributes.Logged logged = new VersionAttributes.Logged();
    INodesInPath workAt = look.resolve(work, FSDirectory.DirOp.WRITE);
    attributes.set(workAt, List.of(attributes.record(VersionNamespace.XATTR,
        record.publishing(Time.now()).toBytes())), logged);
    hook.reached(VersionPoint.PUBLISH_RECORDED, record.path);
    attributes.copy(at.getLastINode().asFile(), made, order.commit().orElse(null), logged);
    hook.reached(VersionPoint.PUBLISH_COPIED, record.path);
    return logged;
  }

  /**
   * Returns the new values of extended attributes of other inodes, which change in the same step as
   * the path.
   */
  private Map<INodesInPath, XAttr> beside(PublishOrder order, INodesInPath made)
      throws IOException {
    Map<INodesInPath, XAttr> changes = new LinkedHashMap<>();
    if (order.commit().isPresent()) {
      for (CommitPlan.Beside one : order.commit().get().beside) {
        changes.put(look.resolve(directory.getInode(one.inodeId).getFullPathName(),
            FSDirectory.DirOp.WRITE), attributes.record(one.name,
            one.after(made.getLastINode().getId())));
      }
    }
    return changes;
  }

  private static long bytes(Map<INodesInPath, XAttr> changes) {
    return changes.entrySet().stream().mapToLong(one ->
        VersionAttributes.bytes(one.getKey(), List.of(one.getValue()))).sum();
  }

  private void change(Map<INodesInPath, XAttr> changes) throws IOException {
    for (Map.Entry<INodesInPath, XAttr> one : changes.entrySet()) {
      attributes.set(one.getKey(), List.of(one.getValue()), new VersionAttributes.Logged());
    }
  }

  private PublishAnswer renameBoth(VersionRecord record, String path, String made, String work,
      INode.BlocksMapUpdateInfo freed) throws IOException {
    rename(path, work + "/" + VersionNamespace.OLD, freed);
    hook.reached(VersionPoint.PUBLISH_MOVED, record.path);
    try {
      rename(made, path, freed);
      return PublishAnswer.PUBLISHED;
    } catch (IOException | RuntimeException | AssertionError e) {
      // The old version stays in the version's directory. It is not renamed back: that may fail in
      // the same way, and leave the namespace in a worse state.
      LOG.error("The new version of {} did not get its path, which has no file now; both versions"
          + " are in {}", PeerText.oneLine(path), work, PeerText.oneLine(e));
      return PublishAnswer.broken("the new version did not get the path, which has no file now;"
          + " both versions are in " + work + " (" + e.toString().split("\n")[0] + ")");
    }
  }

  /**
   * Gives the path to the new version, if the NameNode died after the first of the two renames.
   *
   * @return whether the path has the new version now, and if not, why. If not, nothing has changed
   */
  PublishAnswer finish(VersionRecord record) throws IOException {
    INodesInPath at = target(record);
    if (at == null || at.getLastINode() != null) {
      return PublishAnswer.changed("the path was taken just now");
    }
    String work = record.directory();
    INode old = look.resolve(work + "/" + VersionNamespace.OLD, FSDirectory.DirOp.READ_LINK)
        .getLastINode();
    INodesInPath made = look.resolve(work + "/" + VersionNamespace.NEW,
        FSDirectory.DirOp.WRITE_LINK);
    INode last = made.getLastINode();
    boolean isMade = last != null && last.isFile() && !last.asFile().isUnderConstruction()
        && (record.newInodeId == 0 || record.newInodeId == last.getId());
    if (old == null || !isMade) {
      return PublishAnswer.changed("one of its versions was moved or replaced just now");
    }
    if (!isOnlyHere(made)) {
      return PublishAnswer.again(at.getPath() + " has no file, and Hadoop could not delete the new"
          + " version if it got the path, because a snapshot has it; delete the snapshots of the"
          + " directories above " + VersionNamespace.ROOT + " that were taken since then");
    }
    rename(made.getPath(), at.getPath(), new INode.BlocksMapUpdateInfo());
    return PublishAnswer.PUBLISHED;
  }

  /** Renames a file as the NameNode's own user. The caller syncs the edit log. */
  private void rename(String from, String to, INode.BlocksMapUpdateInfo freed,
      Options.Rename... options) throws IOException {
    FSDirRenameOp.renameTo(directory, look.own(), from, to, freed, false, options);
  }

  /**
   * Checks whether quotas and limits of the namespace allow that a new version takes the path of
   * the old one. The caller holds the namesystem's lock for writing.
   */
  static final class SwapQuotaRules {
    private final FSDirectory directory;
    private final NamespaceMembers members;

    SwapQuotaRules(FSDirectory directory, NamespaceMembers members) {
      this.directory = directory;
      this.members = members;
    }

    /**
     * Refuses a version if stock might carry out the first rename and refuse the second one. Before
     * the second rename, stock compares the quotas with what is used after the first one. If a
     * snapshot has the old version, the old version still counts as used.
     *
     * @param at the old version at its path
     * @param made the new version in its work directory
     * @return whether the version may be published, and if not, which quota or limit is too small
     */
    PublishAnswer check(INodesInPath at, INodesInPath made) {
      try {
        // An operator may have lowered the limit since the file was created.
        directory.verifyMaxComponentLength(at.getLastLocalName(), at.getParentPath());
      } catch (PathComponentTooLongException e) {
        return PublishAnswer.refused(RefusalReason.QUOTA, "the name of " + at.getPath()
            + " is longer"
            + " than dfs.namenode.fs-limits.max-component-length allows");
      }
      INodeFile old = at.getLastINode().asFile();
      boolean isCountedOn = SnapshotReferences.isInSnapshot(at);
      byte storage = old.getStoragePolicyID();
      QuotaCounts more = usage(made.getLastINode().asFile(), storage);
      QuotaCounts less = usage(old, storage);
      // The root directory has both versions before and after the renames, so that its usage does
      // not change. But if a snapshot of it has the path, stock checks its quota as if the new
      // version were added.
      boolean isRootCompared = at.getINode(0).isInLatestSnapshot(at.getLatestSnapshotId());
      for (int i = isRootCompared ? 0 : 1; i < at.length() - 1; i++) {
        INodeDirectory above = at.getINode(i).asDirectory();
        DirectoryWithQuotaFeature feature = above.getDirectoryWithQuotaFeature();
        if (feature != null) {
          QuotaCounts used = new QuotaCounts.Builder().quotaCount(feature.getSpaceConsumed())
              .build();
          used.add(more);
          if (!isCountedOn && i > 0) {
            used.subtract(less);
          }
          if (isViolated(feature.getQuota(), used)) {
            return PublishAnswer.refused(RefusalReason.QUOTA, "a quota of "
                + above.getFullPathName() + " does not hold the new version; raise it");
          }
        }
      }
      int items = at.getINode(-2).asDirectory().getChildrenNum(Snapshot.CURRENT_STATE_ID);
      // Before a rename that overwrites, stock wants a free entry in the directory, although the
      // rename does not use it.
      return items + (isCountedOn ? 1 : 0) <= members.itemsMax(directory) ? PublishAnswer.PUBLISHED
          : PublishAnswer.refused(RefusalReason.QUOTA, "the directory of " + at.getPath() + " has "
              + items + " entries, and dfs.namenode.fs-limits.max-directory-items allows no more");
    }

    private QuotaCounts usage(INodeFile file, byte storage) {
      return file.computeQuotaUsage(directory.getBlockStoragePolicySuite(), storage, false,
          Snapshot.CURRENT_STATE_ID);
    }

    private static boolean isViolated(QuotaCounts quota, QuotaCounts used) {
      if (isOver(quota.getNameSpace(), used.getNameSpace())
          || isOver(quota.getStorageSpace(), used.getStorageSpace())) {
        return true;
      }
      for (StorageType type : StorageType.getTypesSupportingQuota()) {
        if (isOver(quota.getTypeSpaces().get(type), used.getTypeSpaces().get(type))) {
          return true;
        }
      }
      return false;
    }

    private static boolean isOver(long quota, long used) {
      return quota >= 0 && used > quota;
    }
  }
}
