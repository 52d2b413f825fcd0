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
import java.lang.reflect.Field;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.loader.HadoopMembers;

/**
 * Looks up the members of Hadoop's classes for the namespace that {@link NamespaceAccess} uses.
 * They are the same in Hadoop 3.3.6, 3.4.3 and 3.5.0.
 */
final class NamespaceMembers {
  private static final String DIRECTORY = "FSDirectory";
  private static final String EDITS = "FSEditLog";
  private static final String NAMESYSTEM = "FSNamesystem";
  private static final String UNREADABLE = "hdfs.unreadable.by.superuser";

  private static final String BUFFER = "EditsDoubleBuffer";
  private static final String QUORUM = "org.apache.hadoop.hdfs.qjournal.client.";
  private static final String BLOCKS = "org.apache.hadoop.hdfs.server.blockmanagement.";

  private final HadoopMembers hadoop;
  private final HadoopMembers quorum;
  private final HadoopMembers blocks;
  private final Field owner;
  private final Field superGroup;
  private final Field itemsMax;
  private final Field pendingEdits;
  private final Field capacity;
  private final Field fileBuffer;
  private final Field quorumBuffer;

  NamespaceMembers(HadoopMembers.Classes classes) {
    hadoop = new HadoopMembers(classes);
    owner = hadoop.field(DIRECTORY, "fsOwnerShortUserName", String.class);
    superGroup = hadoop.field(DIRECTORY, "supergroup", String.class);
    itemsMax = hadoop.field(DIRECTORY, "maxDirItems", int.class);
    pendingEdits = hadoop.field("FSEditLogAsync", "editPendingQ", BlockingQueue.class);
    capacity = hadoop.field(BUFFER, "initBufferSize", int.class);
    fileBuffer = hadoop.field("EditLogFileOutputStream", "doubleBuf", hadoop.find(BUFFER));
    // The journals of a quorum are in another package.
    quorum = new HadoopMembers(name -> Class.forName(QUORUM + name, false,
        NamespaceMembers.class.getClassLoader()));
    blocks = new HadoopMembers(name -> Class.forName(BLOCKS + name, false,
        NamespaceMembers.class.getClassLoader()));
    lookAtBlocks();
    quorumBuffer = quorum.field("QuorumOutputStream", "buf", hadoop.find(BUFFER));
    Class<?> directory = hadoop.find(DIRECTORY);
    Class<?> checker = hadoop.find("FSPermissionChecker");
    Class<?> path = hadoop.find("INodesInPath");
    Class<?> inode = hadoop.find("INode");
    lookAtDirectory(directory, checker, path, inode);
    lookAtChanges(directory, checker, path, inode);
    lookAtEdits();
    hadoop.method(NAMESYSTEM, "renewLease", void.class, String.class);
    hadoop.method(NAMESYSTEM, "checkNameNodeSafeMode", void.class, String.class);
    hadoop.method(NAMESYSTEM, "isAuditEnabled", boolean.class);
    hadoop.method("DirectoryWithQuotaFeature", "getQuota", hadoop.find("QuotaCounts"));
    hadoop.method("EncryptionZoneManager", "isInAnEZ", boolean.class, path);
    hadoop.method("XAttrStorage", "readINodeXAttrs", List.class, hadoop.find("INodeAttributes"));
    hadoop.method("AclStorage", "readINodeLogicalAcl", List.class, inode);
  }

  private void lookAtDirectory(Class<?> directory, Class<?> checker, Class<?> path,
      Class<?> inode) {
    hadoop.field(DIRECTORY, "ezManager", hadoop.find("EncryptionZoneManager"));
    hadoop.method(DIRECTORY, "getPermissionChecker", checker, String.class, String.class,
        UserGroupInformation.class);
    hadoop.method(DIRECTORY, "resolvePath", path, checker, String.class,
        hadoop.find(DIRECTORY + "$DirOp"));
    hadoop.method(DIRECTORY, "getInode", inode, long.class);
    hadoop.method(DIRECTORY, "getINode", inode, String.class);
    hadoop.method(DIRECTORY, "checkPathAccess", void.class, checker, path, FsAction.class);
    hadoop.method(DIRECTORY, "checkParentAccess", void.class, checker, path, FsAction.class);
    AuthorizedOperation.require(hadoop);
    hadoop.method(DIRECTORY, "isPermissionEnabled", boolean.class);
    hadoop.method(DIRECTORY, "isXattrsEnabled", boolean.class);
    hadoop.method(DIRECTORY, "getXattrMaxSize", int.class);
    hadoop.method(DIRECTORY, "getAccessTimePrecision", long.class);
    hadoop.method(DIRECTORY, "verifyMaxComponentLength", void.class, byte[].class, String.class);
    hadoop.method("INodesInPath", "getLastLocalName", byte[].class);
    hadoop.method("INodesInPath", "getParentPath", String.class);
    hadoop.method(DIRECTORY, "getEditLog", hadoop.find(EDITS));
    hadoop.method(DIRECTORY, "writeLock", void.class);
    hadoop.method(DIRECTORY, "writeUnlock", void.class);
    hadoop.method("INodesInPath", "isSnapshot", boolean.class);
  }

  private void lookAtChanges(Class<?> directory, Class<?> checker, Class<?> path,
      Class<?> inode) {
    hadoop.method("FSDirRenameOp", "renameTo", hadoop.find("FSDirRenameOp$RenameResult"),
        directory, checker, String.class, String.class,
        hadoop.find("INode$BlocksMapUpdateInfo"), boolean.class,
        org.apache.hadoop.fs.Options.Rename[].class);
    hadoop.method("FSDirXAttrOp", "unprotectedSetXAttrs", inode, directory, path, List.class,
        EnumSet.class);
    hadoop.method("FSDirXAttrOp", "unprotectedRemoveXAttrs", List.class, directory, path,
        List.class);
    hadoop.method("FSDirAttrOp", "unprotectedSetOwner", boolean.class, directory, path,
        String.class, String.class);
    hadoop.method("FSDirAttrOp", "unprotectedSetPermission", boolean.class, directory, path,
        FsPermission.class);
    hadoop.method("FSDirAttrOp", "unprotectedSetTimes", boolean.class, directory, path,
        long.class, long.class, boolean.class);
    hadoop.method("FSDirAttrOp", "unprotectedSetStoragePolicy", void.class, directory,
        BlockManager.class, path, byte.class);
    hadoop.method("FSDirAclOp", "unprotectedSetAcl", List.class, directory, path, List.class,
        boolean.class);
    hadoop.method(EDITS, "logSetXAttrs", void.class, String.class, List.class, boolean.class);
    hadoop.method(EDITS, "logRemoveXAttrs", void.class, String.class, List.class, boolean.class);
    hadoop.method(EDITS, "logSetOwner", void.class, String.class, String.class, String.class);
    hadoop.method(EDITS, "logSetPermissions", void.class, String.class, FsPermission.class);
    hadoop.method(EDITS, "logTimes", void.class, String.class, long.class, long.class);
    hadoop.method(EDITS, "logSetStoragePolicy", void.class, String.class, byte.class);
    hadoop.method(EDITS, "logSetAcl", void.class, String.class, List.class);
  }

  private void lookAtEdits() {
    String journal = "JournalSet$JournalAndStream";
    hadoop.field(EDITS, "editLogStream", hadoop.find("EditLogOutputStream"));
    hadoop.method(EDITS, "getJournals", List.class);
    hadoop.method(EDITS, "getLastWrittenTxId", long.class);
    hadoop.method(EDITS, "logSync", void.class);
    hadoop.method("EditLogOutputStream", "getLastJournalledTxId", long.class);
    hadoop.method(journal, "isActive", boolean.class);
    hadoop.method(journal, "getCurrentStream", hadoop.find("EditLogOutputStream"));
    hadoop.method(BUFFER, "getCurrentBuf", DataOutputBuffer.class);
  }

  private void lookAtBlocks() {
    String building = "BlockUnderConstructionFeature";
    blocks.method(building, "setExpectedLocations", void.class, Block.class,
        DatanodeStorageInfo[].class, BlockType.class);
    blocks.method(building, "getExpectedStorageLocations", DatanodeStorageInfo[].class);
    blocks.method("DatanodeStorageInfo", "incrementBlocksScheduled", void.class,
        DatanodeStorageInfo[].class);
    blocks.method("DatanodeStorageInfo", "decrementBlocksScheduled", void.class,
        DatanodeStorageInfo[].class);
  }

  List<String> missing() {
    return Stream.of(hadoop, quorum, blocks).flatMap(members -> members.missing().stream())
        .collect(Collectors.toList());
  }

  /**
   * Returns the queue of edits that are in no journal's buffer yet; null if this edit log writes
   * edits without a queue.
   */
  BlockingQueue<?> pendingEdits(FSEditLog log) {
    return log instanceof FSEditLogAsync
        ? HadoopMembers.get(pendingEdits, log, BlockingQueue.class) : null;
  }

  /** Returns how many bytes must be in a buffer until it is flushed. */
  int capacity(EditsDoubleBuffer buffer) {
    return HadoopMembers.get(capacity, buffer, Integer.class);
  }

  /**
   * Returns the buffer of a journal in a directory or on a quorum; null for a journal of another
   * kind.
   */
  EditsDoubleBuffer buffer(EditLogOutputStream stream) {
    Field field = stream instanceof EditLogFileOutputStream ? fileBuffer
        : quorumBuffer.getDeclaringClass().isInstance(stream) ? quorumBuffer : null;
    return field == null ? null : HadoopMembers.get(field, stream, EditsDoubleBuffer.class);
  }

  /**
   * Returns a checker of the permissions of a user.
   *
   * @param user short name of the user; null for the NameNode's own user
   */
  FSPermissionChecker checker(FSDirectory directory, String user) throws IOException {
    String own = HadoopMembers.get(owner, directory, String.class);
    return directory.getPermissionChecker(own,
        HadoopMembers.get(superGroup, directory, String.class),
        user == null ? UserGroupInformation.getLoginUser()
            : UserGroupInformation.createRemoteUser(user));
  }

  /** Returns how many entries a directory may have at most. */
  int itemsMax(FSDirectory directory) {
    return HadoopMembers.get(itemsMax, directory, Integer.class);
  }

  /** Returns an extended attribute with this name and value that only superusers can read. */
  static XAttr attribute(String name, byte[] value) {
    return new XAttr.Builder().setNameSpace(XAttr.NameSpace.TRUSTED).setName(name)
        .setValue(value).build();
  }

  /**
   * Returns the value of an extended attribute that only superusers can read; null if the inode
   * does not have it.
   */
  static byte[] value(INode inode, String name) {
    List<XAttr> attributes = XAttrStorage.readINodeXAttrs(inode);
    for (XAttr one : attributes == null ? List.<XAttr>of() : attributes) {
      if (one.getNameSpace() == XAttr.NameSpace.TRUSTED && name.equals(one.getName())) {
        return one.getValue();
      }
    }
    return null;
  }

  /**
   * Returns whether not even superusers may read a file, because it has the attribute
   * security.hdfs.unreadable.by.superuser.
   */
  static boolean isUnreadable(INode inode) {
    List<XAttr> attributes = XAttrStorage.readINodeXAttrs(inode);
    return attributes != null && attributes.stream().anyMatch(one ->
        one.getNameSpace() == XAttr.NameSpace.SECURITY && UNREADABLE.equals(one.getName()));
  }

  /** Returns the flags for setting an attribute whether it exists or not. */
  static EnumSet<XAttrSetFlag> anyway() {
    return EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE);
  }
}
