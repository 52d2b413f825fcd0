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
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException;
import org.apache.hadoop.io.EnumSetWritable;
import org.hdfsppr.plan.GroupId;

/** A file that is being made, while it is open. Used by one thread at a time. */
final class WorkFile {
  /**
   * Erasure-coded files have no replication factor. When stock's clients create such a file, they
   * send this number.
   */
  private static final short REPLICATION = 1;

  private final VersionStore store;
  final String path;
  private final String holder;
  final long inodeId;
  private final List<FileGroup> groups = new ArrayList<>();

  private WorkFile(VersionStore store, String path, String holder, long inodeId) {
    this.store = store;
    this.path = path;
    this.holder = holder;
    this.inodeId = inodeId;
  }

  /**
   * Creates the file that becomes a new version, with the permission and the storage policy of the
   * old version.
   *
   * @param directory the version's directory
   * @param holder the name under which the lease is held
   * @param policy name of the new erasure coding policy
   */
  static WorkFile create(VersionStore store, TargetFile file, String directory, String holder,
      String policy) throws IOException {
    return create(store, directory + "/" + VersionNamespace.NEW,
        file.permission, file.blockBytes, file.storagePolicy, holder, policy);
  }

  /**
   * Creates a file at a path where there is none.
   *
   * @param blockBytes block size, bytes of a unit
   * @param storagePolicy name of the storage policy; null for the default one
   * @param holder the name under which the lease is held
   * @param policy name of the erasure coding policy
   */
  static WorkFile create(VersionStore store, String path, FsPermission permission,
      long blockBytes, String storagePolicy, String holder, String policy) throws IOException {
    HdfsFileStatus status = store.namenode().create(path, permission, holder,
        new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)), false, REPLICATION,
        blockBytes, CryptoProtocolVersion.supported(), policy, storagePolicy);
    return new WorkFile(store, path, holder, status.getFileId());
  }

  /**
   * Returns a work file for a file that was just created.
   *
   * @param created the file, which has no block groups
   * @param holder the name under which the lease is held
   */
  static WorkFile of(VersionStore store, ParityPlace.Created created, String holder) {
    return new WorkFile(store, created.path, holder, created.inodeId);
  }

  /** Returns the groups that the file has so far, with the lengths that they will have. */
  List<FileGroup> groups() {
    return Collections.unmodifiableList(groups);
  }

  private ExtendedBlock last() {
    if (groups.isEmpty()) {
      return null;
    }
    FileGroup last = groups.get(groups.size() - 1);
    return new ExtendedBlock(last.id.poolId, last.id.groupId, last.bytes,
        last.id.generationStamp);
  }

  /**
   * Adds a group.
   *
   * @param bytes how many bytes of file data the group will have
   * @return false if the last group is not complete yet, which stock demands before it adds another
   *     one
   */
  boolean add(long bytes) throws IOException {
    ExtendedBlock added;
    try {
      added = store.namenode().addBlock(path, holder, last(), new DatanodeInfo[0], inodeId, null,
          EnumSet.noneOf(AddBlockFlag.class)).getBlock();
    } catch (NotReplicatedYetException e) {
      return false;
    }
    groups.add(new FileGroup(new GroupId(added.getBlockPoolId(), added.getBlockId(),
        added.getGenerationStamp()), bytes, 0));
    return true;
  }

  /** Closes the file; returns false if stock does not consider its last group complete yet. */
  boolean complete() throws IOException {
    return store.namenode().complete(path, holder, last(), inodeId);
  }
}
