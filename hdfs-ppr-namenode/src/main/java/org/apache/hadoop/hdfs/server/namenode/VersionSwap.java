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
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.FSLimitException.PathComponentTooLongException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.util.Time;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares and swaps two versions of a file. The caller holds the namesystem's lock for writing.
 * All edits are those of stock's operations, in this order:
 *
 * <pre>
 *   set the record       says PUBLISHING
 *   set owner, permission, ACL, attributes, storage policy, times of "new", as far as they differ
 *   rename PATH -> old
 *   rename new  -> PATH
 * </pre>
 */
@InterfaceAudience.Private
final class VersionSwap {
  private static final Logger LOG = LoggerFactory.getLogger(VersionSwap.class);

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final NamespaceMembers members;
  private final FileLook look;
  private final VersionHook hook;

  VersionSwap(FSNamesystem namesystem, NamespaceMembers members, FileLook look,
      VersionHook hook) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.members = members;
    this.look = look;
    this.hook = hook;
  }

  /** @param user checks the permissions of the record's user */
  PublishAnswer publish(PublishOrder order, FSPermissionChecker user) throws IOException {
    VersionRecord record = order.record();
    INodesInPath at = target(record);
    PublishAnswer answer = compare(order, at, user);
    if (answer.isPublished()) {
      String work = record.directory();
      INodesInPath made = look.resolve(work + "/" + VersionNamespace.NEW,
          FSDirectory.DirOp.WRITE_LINK);
      answer = compareNew(order, made);
      if (answer.isPublished()) {
        answer = checkRoom(at, made);
      }
      if (answer.isPublished()) {
        swap(order, at, made, work);
      }
    }
    return answer;
  }

  /** Returns the path of the file, by the inode of its directory; null if that is gone. */
  INodesInPath target(VersionRecord record) throws IOException {
    INode parent = directory.getInode(record.parentId());
    if (parent == null || !parent.isDirectory()) {
      return null;
    }
    String parentPath = parent.getFullPathName();
    INodesInPath at = look.resolve(
        ("/".equals(parentPath) ? "" : parentPath) + "/" + record.name(),
        FSDirectory.DirOp.WRITE_LINK);
    // The inode of a directory that only a snapshot has is still known.
    INode found = at.length() < 2 ? null : at.getINode(-2);
    return found == null || found.getId() != record.parentId() ? null : at;
  }

  private PublishAnswer compare(PublishOrder order, INodesInPath at, FSPermissionChecker user)
      throws IOException {
    VersionRecord record = order.record();
    INode inode = at == null ? null : at.getLastINode();
    if (inode == null || inode.getId() != record.inodeId() || !inode.isFile()) {
      return PublishAnswer.changed(record.path() + " was renamed, replaced or deleted");
    }
    INodeFile file = inode.asFile();
    if (file.isUnderConstruction()) {
      return PublishAnswer.changed(record.path() + " was opened for writing");
    }
    if (!isSame(file, order.file().groups())
        || file.getModificationTime() != order.file().facts().mtime()) {
      return PublishAnswer.changed(record.path() + " was written");
    }
    if (file.getAccessTime() > order.atimeMax()) {
      return PublishAnswer.refused(RefusalReason.IN_USE, record.path()
          + " was read while its new version was made; convert it later, or force it");
    }
    if (directory.ezManager.isInAnEZ(at)) {
      return PublishAnswer.refused(RefusalReason.ENCRYPTED,
          record.path() + " lies in an encryption zone now");
    }
    if (order.commit().isPresent()) {
      CommitPlan commit = order.commit().get();
      if (!Arrays.equals(NamespaceMembers.value(file, commit.attribute()), commit.before())
          || !areAsKnown(commit.beside())) {
        return PublishAnswer.changed(record.path() + " is not the file any more whose updates were"
            + " collected");
      }
    } else if (UpdateTag.mayBeOf(NamespaceMembers.value(file, UpdateTag.XATTR), file.getId())) {
      return PublishAnswer.refused(RefusalReason.UPDATED, record.path()
          + " was updated in place while its new version was made");
    }
    String rule = look.snapshotRule(at);
    if (rule != null) {
      return PublishAnswer.refused(RefusalReason.SNAPSHOT_RULES,
          rule + " has snapshots out of which this NameNode renames nothing");
    }
    String denied = look.denied(at, user);
    return denied == null ? PublishAnswer.PUBLISHED
        : PublishAnswer.refused(RefusalReason.NO_PERMISSION, denied);
  }

  private boolean areAsKnown(List<CommitPlan.Beside> beside) {
    for (CommitPlan.Beside one : beside) {
      INode inode = directory.getInode(one.inodeId());
      if (inode == null
          || !Arrays.equals(NamespaceMembers.value(inode, one.name()), one.before())) {
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
      if (!blocks[i].isComplete() || blocks[i].getBlockId() != group.id().groupId()
          || blocks[i].getGenerationStamp() != group.id().generationStamp()
          || blocks[i].getNumBytes() != group.bytes()) {
        return false;
      }
    }
    return true;
  }

  private static PublishAnswer compareNew(PublishOrder order, INodesInPath made) {
    INode inode = made.getLastINode();
    boolean isReady = inode != null && inode.isFile() && inode.getId() == order.newInodeId()
        && !inode.asFile().isUnderConstruction()
        && isSame(inode.asFile(), order.newGroups());
    return isReady ? PublishAnswer.PUBLISHED
        : PublishAnswer.changed("the new version of " + order.record().path()
            + " is not what was made");
  }

  /**
   * Refuses a swap of which stock might carry out the first rename and not the second one. Stock
   * compares quotas with what is used after the first rename; a file that is in a snapshot is
   * counted on.
   */
  private PublishAnswer checkRoom(INodesInPath at, INodesInPath made) {
    try {
      // An operator may have lowered the limit since the file got its name.
      directory.verifyMaxComponentLength(at.getLastLocalName(), at.getParentPath());
    } catch (PathComponentTooLongException e) {
      return PublishAnswer.refused(RefusalReason.QUOTA, "the name of " + at.getPath() + " is longer"
          + " than dfs.namenode.fs-limits.max-component-length allows");
    }
    INodeFile old = at.getLastINode().asFile();
    boolean isCountedOn = old.isInLatestSnapshot(at.getLatestSnapshotId());
    byte storage = old.getStoragePolicyID();
    QuotaCounts more = usage(made.getLastINode().asFile(), storage);
    QuotaCounts less = usage(old, storage);
    // The root has both versions before and after the swap.
    for (int i = 1; i < at.length() - 1; i++) {
      INodeDirectory above = at.getINode(i).asDirectory();
      DirectoryWithQuotaFeature feature = above.getDirectoryWithQuotaFeature();
      if (feature != null) {
        QuotaCounts used = new QuotaCounts.Builder().quotaCount(feature.getSpaceConsumed())
            .build();
        used.add(more);
        if (!isCountedOn) {
          used.subtract(less);
        }
        if (isViolated(feature.getQuota(), used)) {
          return PublishAnswer.refused(RefusalReason.QUOTA, "a quota of "
              + above.getFullPathName() + " does not hold the new version; raise it");
        }
      }
    }
    int items = at.getINode(-2).asDirectory().getChildrenNum(Snapshot.CURRENT_STATE_ID);
    return items <= members.itemsMax(directory) ? PublishAnswer.PUBLISHED
        : PublishAnswer.refused(RefusalReason.QUOTA, "the directory of " + at.getPath() + " has "
            + items + " entries, more than dfs.namenode.fs-limits.max-directory-items allows");
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

  private void swap(PublishOrder order, INodesInPath at, INodesInPath made, String work)
      throws IOException {
    VersionRecord record = order.record();
    INodesInPath workAt = look.resolve(work, FSDirectory.DirOp.WRITE);
    setAttributes(workAt, List.of(NamespaceMembers.attribute(VersionNamespace.XATTR,
        record.publishing(Time.now()).toBytes())));
    hook.reached(VersionPoint.PUBLISH_RECORDED, record.path());
    copy(at.getLastINode().asFile(), made, order.commit().orElse(null));
    if (order.commit().isPresent()) {
      for (CommitPlan.Beside one : order.commit().get().beside()) {
        setAttributes(look.resolve(directory.getInode(one.inodeId()).getFullPathName(),
            FSDirectory.DirOp.WRITE), List.of(NamespaceMembers.attribute(one.name(),
            one.after(made.getLastINode().getId()))));
      }
    }
    hook.reached(VersionPoint.PUBLISH_COPIED, record.path());
    String path = at.getPath();
    String old = work + "/" + VersionNamespace.OLD;
    rename(path, old);
    hook.reached(VersionPoint.PUBLISH_MOVED, record.path());
    boolean isSwapped = false;
    try {
      rename(made.getPath(), path);
      isSwapped = true;
    } finally {
      if (!isSwapped) {
        LOG.error("The new version of {} did not get its path; the old one goes back", path);
        rename(old, path);
      }
    }
  }

  /** Renames, as the NameNode's own user. The edit log is not synced here. */
  void rename(String from, String to) throws IOException {
    FSDirRenameOp.renameTo(directory, look.own(), from, to,
        new INode.BlocksMapUpdateInfo(), false);
  }

  private void setAttributes(INodesInPath at, List<XAttr> attributes) throws IOException {
    directory.writeLock();
    try {
      FSDirXAttrOp.unprotectedSetXAttrs(directory, at, attributes, NamespaceMembers.anyway());
    } finally {
      directory.writeUnlock();
    }
    directory.getEditLog().logSetXAttrs(at.getPath(), attributes, false);
  }

  /**
   * Gives a file what belongs to the path and not to the content.
   *
   * @param commit the updates that are in it; null if its content is the old one
   */
  private void copy(INodeFile old, INodesInPath made, CommitPlan commit) throws IOException {
    INodeFile to = made.getLastINode().asFile();
    List<XAttr> attributes = new ArrayList<>();
    List<XAttr> all = XAttrStorage.readINodeXAttrs(old);
    for (XAttr one : all == null ? List.<XAttr>of() : all) {
      attributes.add(commit != null && one.getNameSpace() == XAttr.NameSpace.TRUSTED
          && commit.attribute().equals(one.getName())
          ? NamespaceMembers.attribute(commit.attribute(), commit.after(to.getId())) : one);
    }
    if (!attributes.isEmpty()) {
      setAttributes(made, attributes);
    }
    // Clients may see by this time that the content has changed.
    long mtime = commit == null ? old.getModificationTime()
        : Math.max(Time.now(), old.getModificationTime() + 1);
    FSEditLog edits = directory.getEditLog();
    String path = made.getPath();
    directory.writeLock();
    try {
      if (!old.getUserName().equals(to.getUserName())
          || !old.getGroupName().equals(to.getGroupName())) {
        FSDirAttrOp.unprotectedSetOwner(directory, made, old.getUserName(), old.getGroupName());
        edits.logSetOwner(path, old.getUserName(), old.getGroupName());
      }
      FsPermission permission = old.getFsPermission();
      if (old.getAclFeature() != null) {
        List<AclEntry> entries = FSDirAclOp.unprotectedSetAcl(directory, made,
            AclStorage.readINodeLogicalAcl(old), true);
        edits.logSetAcl(path, entries);
      }
      if (!permission.equals(to.getFsPermission())) {
        FSDirAttrOp.unprotectedSetPermission(directory, made, permission);
        edits.logSetPermissions(path, permission);
      }
      byte storage = old.getLocalStoragePolicyID();
      if (storage != to.getLocalStoragePolicyID()) {
        FSDirAttrOp.unprotectedSetStoragePolicy(directory, namesystem.getBlockManager(), made,
            storage);
        edits.logSetStoragePolicy(path, storage);
      }
      FSDirAttrOp.unprotectedSetTimes(directory, made, mtime, old.getAccessTime(), true);
      edits.logTimes(path, mtime, old.getAccessTime());
    } finally {
      directory.writeUnlock();
    }
  }
}
