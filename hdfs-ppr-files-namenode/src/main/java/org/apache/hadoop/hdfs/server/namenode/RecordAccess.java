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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.hdfsppr.loader.HadoopMembers;
import org.hdfsppr.namenode.record.RecordStore;

/**
 * Changes records in the NameNode's namespace by compare-and-set: it compares and sets extended
 * attributes while it holds the namesystem's lock for writing once. The NameNode's methods for
 * clients cannot do that. The edits are those of stock's setXAttr and removeXAttr. Thread-safe.
 */
@InterfaceAudience.Private
public final class RecordAccess implements RecordStore {
  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final RecordForm form;
  private final FileInspection look;
  private final String operation;
  private final String inSafeMode;
  private final boolean isLimited;

  /**
   * Makes the door to records that keep to the limits of stock's setXAttr.
   *
   * @param namesystem the running NameNode, for which nothing is {@link NamespaceAccess#missing}
   * @param conf the NameNode's configuration
   */
  public RecordAccess(FSNamesystem namesystem, Configuration conf) {
    this(namesystem, new FileInspection(namesystem,
        new NamespaceMembers(HadoopMembers.inPackageOf(RecordAccess.class)), conf), "ppr-record",
        "Cannot change a record of hdfs-ppr", true);
  }

  /**
   * @param operation the name of the operation that holds the lock, for the NameNode's metrics
   * @param inSafeMode what cannot be done in safe mode
   * @param isLimited whether the limits of stock's setXAttr hold. They do not for records of
   *     updates: if an operator lowers a limit, writers' updates have to be committed all the same
   */
  RecordAccess(FSNamesystem namesystem, FileInspection look, String operation,
      String inSafeMode, boolean isLimited) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.form = new RecordForm(directory);
    this.look = look;
    this.operation = operation;
    this.inSafeMode = inSafeMode;
    this.isLimited = isLimited;
  }

  @Override
  public Optional<byte[]> attribute(long inodeId, String name) throws IOException {
    namesystem.readLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      return Optional.ofNullable(RecordForm.content(look.inode(inodeId), name));
    } finally {
      namesystem.readUnlock(operation);
    }
  }

  @Override
  public boolean change(List<Change> changes) throws IOException {
    if (isLimited && !directory.isXattrsEnabled()) {
      throw new UnsupportedOperationException("The NameNode keeps no extended attributes ("
          + DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_KEY + " is false)");
    }
    look.prepare();
    boolean isChanged;
    namesystem.writeLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode(inSafeMode);
      isChanged = areAsKnown(changes);
      if (isChanged) {
        List<byte[]> values = new ArrayList<>();
        for (Change change : changes) {
          values.add(value(change));
        }
        for (int i = 0; i < values.size(); i++) {
          set(changes.get(i), values.get(i));
        }
      }
    } finally {
      namesystem.writeUnlock(operation);
      // If the second of several changes fails, the first one is in the edit log.
      directory.getEditLog().logSync();
    }
    return isChanged;
  }

  /**
   * Returns the value that an attribute gets; null if it goes. Checks the limit of stock's
   * setXAttr, which unprotectedSetXAttrs does not check.
   */
  private byte[] value(Change change) throws IOException {
    if (change.after == null) {
      return null;
    }
    byte[] value = form.written(change.name, change.after);
    int bytes = change.name.getBytes(StandardCharsets.UTF_8).length + value.length;
    if (isLimited && bytes > directory.getXattrMaxSize()) {
      throw new HadoopIllegalArgumentException("The extended attribute trusted." + change.name
          + " would have " + bytes + " bytes with its name, and the NameNode takes up to "
          + directory.getXattrMaxSize());
    }
    return value;
  }

  private boolean areAsKnown(List<Change> changes) throws IOException {
    for (Change change : changes) {
      INode inode =
          change.path == null ? look.inode(change.inodeId) : at(change.path).getLastINode();
      if (!RecordForm.isAsKnown(inode, change.name, change.before)) {
        return false;
      }
    }
    return true;
  }

  private void set(Change change, byte[] value) throws IOException {
    INodesInPath at = change.path == null ? at(look.inode(change.inodeId)) : at(change.path);
    if (value == null) {
      remove(directory, at, List.of(NamespaceMembers.attribute(change.name, change.before)));
      return;
    }
    set(directory, at, List.of(NamespaceMembers.attribute(change.name, value)));
  }

  /** Sets attributes as stock does, and logs that. The caller holds the namesystem's write lock. */
  static void set(FSDirectory directory, INodesInPath at, List<XAttr> attributes)
      throws IOException {
    directory.writeLock();
    try {
      FSDirXAttrOp.unprotectedSetXAttrs(directory, at, attributes, NamespaceMembers.anyway());
    } finally {
      directory.writeUnlock();
    }
    directory.getEditLog().logSetXAttrs(at.getPath(), attributes, false);
  }

  /**
   * Removes attributes as stock does, and logs that. The caller holds the namesystem's write lock.
   *
   * @return the attributes that the inode had
   */
  static List<XAttr> remove(FSDirectory directory, INodesInPath at, List<XAttr> attributes)
      throws IOException {
    // Stock removes the entries from the list for which it has found an attribute, so that the list
    // must be modifiable. It needs only names, as from stock's clients.
    List<XAttr> names = attributes.stream().map(one -> new XAttr.Builder()
        .setNameSpace(one.getNameSpace()).setName(one.getName()).build())
        .collect(Collectors.toCollection(ArrayList::new));
    List<XAttr> removed;
    directory.writeLock();
    try {
      removed = FSDirXAttrOp.unprotectedRemoveXAttrs(directory, at, names);
    } finally {
      directory.writeUnlock();
    }
    if (removed == null || removed.isEmpty()) {
      return List.of();
    }
    directory.getEditLog().logRemoveXAttrs(at.getPath(), removed, false);
    return removed;
  }

  private INodesInPath at(String path) throws IOException {
    INodesInPath at = look.resolve(path, FSDirectory.DirOp.WRITE);
    if (at.getLastINode() == null) {
      throw new FileNotFoundException(path + " does not exist");
    }
    return at;
  }

  private INodesInPath at(INode inode) throws IOException {
    INodesInPath at = look.resolve(inode.getFullPathName(), FSDirectory.DirOp.WRITE);
    if (!FileInspection.isSame(at.getLastINode(), inode)) {
      throw new FileNotFoundException("The inode " + inode.getId() + " is at no path any more");
    }
    return at;
  }
}
