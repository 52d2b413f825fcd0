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
import java.util.stream.Collectors;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.version.CommitPlan;

/**
 * Gives a new version the attributes that belong to the path, such as owner, permission and ACL, by
 * edits of stock's operations. The caller holds the namesystem's lock for writing.
 */
final class VersionAttributes {
  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final RecordForm form;

  VersionAttributes(FSNamesystem namesystem) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.form = new RecordForm(directory);
  }

  /** The edits that were logged. Used by one thread. */
  static final class Logged {
    private int count;
    private long bytes;

    private void add(long edit) {
      count++;
      bytes += edit;
    }

    /** Returns how many edits were logged. */
    int count() {
      return count;
    }

    /** Returns how many bytes these edits have together at most. */
    long bytes() {
      return bytes;
    }
  }

  /** Returns how many bytes the edit of {@link #set} has at most. */
  static long bytes(INodesInPath at, List<XAttr> attributes) {
    long bytes = EditBatch.bytes(at.getPath());
    for (XAttr one : attributes) {
      bytes += EditBatch.bytes(one.getName())
          + (one.getValue() == null ? 0 : one.getValue().length);
    }
    return bytes;
  }

  /** Returns the extended attribute for a record, in the form in which records are written now. */
  XAttr record(String name, byte[] content) throws IOException {
    return NamespaceMembers.attribute(name, form.written(name, content));
  }

  /** Sets extended attributes of an inode, by one edit. */
  void set(INodesInPath at, List<XAttr> attributes, Logged logged) throws IOException {
    RecordAccess.set(directory, at, attributes);
    logged.add(bytes(at, attributes));
  }

  /** Removes extended attributes that the file has. */
  private void remove(INodesInPath at, List<XAttr> attributes, Logged logged) throws IOException {
    logged.add(bytes(at, RecordAccess.remove(directory, at, attributes)));
  }

  private static List<XAttr> attributes(INodeFile file) {
    List<XAttr> all = XAttrStorage.readINodeXAttrs(file);
    return all == null ? List.of() : all;
  }

  /**
   * Gives a file these extended attributes, and removes all others. A work file needs none of its
   * own.
   */
  private void replace(INodesInPath at, List<XAttr> attributes, Logged logged)
      throws IOException {
    List<XAttr> surplus = attributes(at.getLastINode().asFile()).stream().filter(has ->
        attributes.stream().noneMatch(has::equalsIgnoreValue)).collect(Collectors.toList());
    // Attributes are removed first, because the number of attributes of an inode is limited.
    if (!surplus.isEmpty()) {
      remove(at, surplus, logged);
    }
    if (!attributes.isEmpty()) {
      set(at, attributes, logged);
    }
  }

  /**
   * Gives a new version all attributes that belong to the path and not to the content. Afterwards
   * it has the same ones as the old version, and no others. An earlier try to publish may have
   * given it some already.
   *
   * @param commit the updates that are in the new version; null if it has the content of the old
   *     one
   */
  void copy(INodeFile old, INodesInPath made, CommitPlan commit, Logged logged)
      throws IOException {
    INodeFile to = made.getLastINode().asFile();
    List<XAttr> attributes = new ArrayList<>();
    for (XAttr one : attributes(old)) {
      attributes.add(commit != null && one.getNameSpace() == XAttr.NameSpace.TRUSTED
          && commit.attribute.equals(one.getName())
          ? record(commit.attribute, commit.after(to.getId())) : one);
    }
    replace(made, attributes, logged);
    // Clients can see by the modification time that the content has changed.
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
        logged.add(EditBatch.bytes(path, old.getUserName(), old.getGroupName()));
      }
      FsPermission permission = old.getFsPermission();
      // The new version may have got an ACL from the default ACL of a directory above, while the
      // old version has none. An empty list removes it.
      if (old.getAclFeature() != null || to.getAclFeature() != null) {
        List<AclEntry> entries = FSDirAclOp.unprotectedSetAcl(directory, made,
            old.getAclFeature() == null ? List.of() : AclStorage.readINodeLogicalAcl(old), true);
        edits.logSetAcl(path, entries);
        logged.add(EditBatch.bytes(path) + entries.stream().mapToLong(one ->
            EditBatch.bytes(one.getName() == null ? "" : one.getName())).sum());
      }
      if (!permission.equals(to.getFsPermission())) {
        FSDirAttrOp.unprotectedSetPermission(directory, made, permission);
        edits.logSetPermissions(path, permission);
        logged.add(EditBatch.bytes(path));
      }
      byte storage = old.getLocalStoragePolicyID();
      if (storage != to.getLocalStoragePolicyID()) {
        FSDirAttrOp.unprotectedSetStoragePolicy(directory, namesystem.getBlockManager(), made,
            storage);
        edits.logSetStoragePolicy(path, storage);
        logged.add(EditBatch.bytes(path));
      }
      FSDirAttrOp.unprotectedSetTimes(directory, made, mtime, old.getAccessTime(), true);
      edits.logTimes(path, mtime, old.getAccessTime());
      logged.add(EditBatch.bytes(path));
    } finally {
      directory.writeUnlock();
    }
  }
}
