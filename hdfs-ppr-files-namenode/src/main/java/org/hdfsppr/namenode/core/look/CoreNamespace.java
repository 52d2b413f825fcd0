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
package org.hdfsppr.namenode.core.look;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.ParityPlace;
import org.hdfsppr.namenode.version.TargetFile;
import org.hdfsppr.operate.CoreRefusedException;

/**
 * What CORE needs of the NameNode beyond the methods that serve clients. Each method but {@link
 * #create} holds the namesystem's lock for reading, and in each hold looks at a bounded number of
 * inodes and block groups. Thread-safe.
 */
@InterfaceAudience.Private
public interface CoreNamespace extends BlockView {
  /** The extended attribute of a protected directory, without "trusted.". */
  String XATTR = "hdfs-ppr.core";
  /** The extended attribute of a parity file with the record of its group, without "trusted.". */
  String GROUP_XATTR = "hdfs-ppr.core-group";
  /** A look at a file with a few block groups takes some 20 us, so that a hold takes about 1 ms. */
  int INODES_PER_HOLD = 64;
  /** A hold ends after the file that brings it to this many block groups. */
  int BLOCKS_PER_HOLD = 256;

  /** @return the block pool */
  String poolId();

  /** @return whether the NameNode is in safe mode, so that nothing can be changed */
  boolean isInSafeMode();

  /**
   * @return since when this NameNode has been active, in safe mode or not, ms since 1970 (UTC); 0
   *     if it has been active since its start. If the value changes, another NameNode may have been
   *     active in between. Empty if this NameNode is not active
   */
  OptionalLong activeSince();

  /**
   * @param inodeId inode id
   * @return the directory; empty if there is none with that id, or only in a snapshot
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  Optional<DirectoryState> folder(long inodeId) throws IOException;

  /**
   * Looks at a directory with the rights of the caller of the present RPC, in one hold of the lock:
   * a rename between two holds would let the caller use its right to one directory for another.
   *
   * @param path absolute path
   * @return the directory, which the caller may change
   * @throws org.apache.hadoop.security.AccessControlException if the caller lacks WRITE on it
   * @throws java.io.FileNotFoundException if nothing has that path
   * @throws CoreRefusedException if it is a file
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  OwnedFolder folder(String path) throws IOException;

  /**
   * @param inodeIds inode ids
   * @return all that is known of these files, in the same order; empty for one that is no file, or
   *     only in a snapshot
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  List<Optional<TargetFile>> files(List<Long> inodeIds) throws IOException;

  /**
   * @param inodeIds inode ids
   * @return the facts that are compared with records, in the same order; empty for an inode that is
   *     no file, or exists only in a snapshot
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  List<Optional<MemberState>> members(List<Long> inodeIds) throws IOException;

  /**
   * Reads many attributes at once, in a tenth of the time that a client's calls take.
   *
   * @param inodeIds inode ids
   * @param name name of an extended attribute, without "trusted."
   * @return the attribute of each file, empty for a file without it. Files that are gone, or that
   *     only a snapshot has, are left out
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  Map<Long, Optional<byte[]>> attributes(List<Long> inodeIds, String name) throws IOException;

  /**
   * @param inodeId inode id
   * @return the block groups of a file in their order, null for one that is not complete. The list
   *     is empty if there is no such file. A file that only a snapshot has counts as well
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  List<GroupIdentity> keptGroups(long inodeId) throws IOException;

  /**
   * Looks block groups up in the block map. It also has those whose file has changed: only a
   * snapshot has the file, or a concat has moved the block groups to another one.
   *
   * @param blockGroups block ids
   * @return those that exist, complete or not, in the same order
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  List<FileGroup> blockGroups(List<Long> blockGroups) throws IOException;

  /**
   * Looks into the NameNode's queue of blocks with too few replicas.
   *
   * @return inode ids of files with a block group in the queue; not all of them if the queue is
   *     long
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  Set<Long> lostFiles() throws IOException;

  /**
   * Creates a file whose path contains its inode id. A client cannot do that: it learns the inode
   * id after it has created the file, and would have to rename it. The file is durable when this
   * returns. Holds the namesystem's lock for writing.
   *
   * @param path returns the absolute path for an inode id
   * @param form what the file is created with
   * @param holder the name of the holder of its lease
   * @return its inode id; empty if the directory does not exist, in which case nothing was done
   * @throws IOException if the NameNode refuses it
   */
  OptionalLong create(LongFunction<String> path, ParityPlace.Form form, String holder)
      throws IOException;

  /**
   * @param inodeId inode id of a file
   * @return whether Hadoop would fail to delete the file, because it was renamed while a snapshot
   *     had it and the snapshot still exists. Hadoop would then remove the file from its memory
   *     without an entry in the edit log, and a later edit above it would end each NameNode that
   *     reads that edit
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  boolean isHeld(long inodeId) throws IOException;

  /**
   * @param inodeId inode id of a file
   * @return empty if Hadoop can delete the file; otherwise, paths of the snapshots that have to be
   *     deleted first. If an earlier snapshot has the file as well, the next call names it
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  Optional<List<String>> holders(long inodeId) throws IOException;
}
