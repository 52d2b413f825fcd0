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
package org.hdfsppr.namenode.version;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess;
import org.apache.hadoop.io.EnumSetWritable;

/**
 * Swaps of files without blocks, so that no DataNode and no engine is needed. All calls go to the
 * first NameNode of a cluster, which is active. Thread-safe.
 */
@InterfaceAudience.Private
final class EmptySwaps {
  static final String POLICY = "RS-3-2-1024k";
  private static final String TAG = "test.tag";
  private static final String USER = System.getProperty("user.name");

  private final ClientProtocol namenode;
  final NamespaceAccess access;

  EmptySwaps(MiniDFSCluster cluster, VersionHook hook) throws IOException {
    namenode = cluster.getNameNodeRpc(0);
    access = new NamespaceAccess(cluster.getNamesystem(0), cluster.getConfiguration(0), hook);
    namenode.enableErasureCodingPolicy(POLICY);
    namenode.mkdirs(VersionHome.FLAT.root, new FsPermission((short) 0700), true);
    namenode.mkdirs("/ec", new FsPermission((short) 0755), true);
  }

  /** Creates a file, and returns its inode id. */
  long create(String path) throws IOException {
    HdfsFileStatus status = namenode.create(path, new FsPermission((short) 0644), "test",
        new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)), true, (short) 1, 1 << 20,
        CryptoProtocolVersion.supported(), POLICY, null);
    if (!namenode.complete(path, "test", null, status.getFileId())) {
      throw new IOException(path + " is not complete");
    }
    return status.getFileId();
  }

  long inode(String path) throws IOException {
    return namenode.getFileInfo(path).getFileId();
  }

  /** Makes a new version of a file, and returns the order to publish it. */
  PublishOrder order(String path) throws IOException {
    long inode = inode(path);
    TargetFile file = access.file(path, inode, USER).orElseThrow();
    VersionRecord record = VersionRecord.begin(VersionRequest.of("job", path, inode).user(USER)
        .policy(POLICY).build(), file, 1);
    String work = record.directory();
    namenode.mkdirs(work, new FsPermission((short) 0700), true);
    namenode.setXAttr(work, new XAttr.Builder().setNameSpace(XAttr.NameSpace.TRUSTED)
        .setName(VersionNamespace.XATTR).setValue(record.toBytes()).build(),
        EnumSet.of(XAttrSetFlag.CREATE));
    return new PublishOrder(record, file, create(work + "/" + VersionNamespace.NEW), List.of(),
        PublishOrder.ANY_ATIME);
  }

  /** As {@link #order}, of a version that has updates of the file. */
  PublishOrder commit(String path) throws IOException {
    namenode.setXAttr(path, new XAttr.Builder().setNameSpace(XAttr.NameSpace.TRUSTED)
        .setName(TAG).setValue(new byte[] {1}).build(), EnumSet.of(XAttrSetFlag.CREATE));
    PublishOrder order = order(path);
    return new PublishOrder(order.record, order.file, order.newInodeId, List.of(),
        PublishOrder.ANY_ATIME, new CommitPlan(TAG, new byte[] {1}, made -> new byte[] {2},
            List.of(), "cau", Map.of()));
  }

  /** Deletes an old version. */
  void clean(PublishOrder order) throws IOException {
    namenode.delete(order.record.directory(), true);
  }
}
