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
 * What CORE uses of the NameNode beyond the methods for clients. All methods but {@link #create}
 * take the namesystem's read lock, and look at a bounded number of inodes and block groups in each
 * hold of it. Thread-safe.
 */
@InterfaceAudience.Private
public interface CoreNamespace extends BlockView {
  /** The name, without "trusted.", of the extended attribute of a protected directory. */
  String XATTR = "hdfs-ppr.core";
  /**
   * The name, without "trusted.", of the extended attribute of a parity file that has the record of
   * its group.
   */
  String GROUP_XATTR = "hdfs-ppr.core-group";
  /**
   * How many inodes one hold of the lock looks at. A file with a few block groups takes some 20 us,
   * so a hold takes about 1 ms.
   */
  int INODES_PER_HOLD = 64;
  /**
   * A hold of the lock also ends after the file with which it has looked at this many block groups
   * or more.
   */
  int BLOCKS_PER_HOLD = 256;

  /** @return the id of the block pool */
  String poolId();

  /** @return whether the NameNode is in safe mode, in which no file can be changed */
  boolean isInSafeMode();

  /**
   * @return since when this NameNode has been active, also in safe mode, ms since 1970 (UTC); 0 if
   *     it has been active since its start. Empty if it is not active. If the value has changed,
   *     another NameNode may have been active in between
   */
  OptionalLong activeSince();

  /**
   * @param inodeId inode id
   * @return the directory; empty if there is no directory with this id, or only in a snapshot
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  Optional<DirectoryState> folder(long inodeId) throws IOException;

  /**
   * Looks up a directory, and checks the right of the caller of the present RPC, within one hold of
   * the lock. With two holds, a rename between them could let the caller use its right to one
   * directory for another one.
   *
   * @param path absolute path
   * @return the directory, to which the caller has the right WRITE
   * @throws org.apache.hadoop.security.AccessControlException if the caller lacks WRITE on it
   * @throws java.io.FileNotFoundException if nothing is at the path
   * @throws CoreRefusedException if a file is at the path
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  OwnedFolder folder(String path) throws IOException;

  /**
   * @param inodeIds inode ids
   * @return all that is known of these files, in the same order; empty for an inode that is no
   *     file, or that only a snapshot has
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  List<Optional<TargetFile>> files(List<Long> inodeIds) throws IOException;

  /**
   * @param inodeIds inode ids
   * @return what of these files is compared with records, in the same order; empty for an inode
   *     that is no file, or that only a snapshot has
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  List<Optional<MemberState>> members(List<Long> inodeIds) throws IOException;

  /**
   * Reads an attribute of many files, in a tenth of the time that the methods for clients need.
   *
   * @param inodeIds inode ids
   * @param name name of an extended attribute, without "trusted."
   * @return the attribute of each file; empty for a file without it. Files that do not exist, or
   *     that only a snapshot has, have no entry
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  Map<Long, Optional<byte[]>> attributes(List<Long> inodeIds, String name) throws IOException;

  /**
   * @param inodeId inode id
   * @return the block groups of a file in their order; null in the place of one that is not
   *     complete. This includes a file that only a snapshot has. The list is empty if there is no
   *     such file
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  List<GroupIdentity> keptGroups(long inodeId) throws IOException;

  /**
   * Looks up block groups in the block map. This also finds block groups whose file is only in a
   * snapshot, or that a concat has moved to another file.
   *
   * @param blockGroups ids of block groups
   * @return those that exist, complete or not, in the same order
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  List<FileGroup> blockGroups(List<Long> blockGroups) throws IOException;

  /**
   * Looks at the NameNode's queue of blocks with too few replicas, to find files with lost units.
   *
   * @return inode ids of the files with a block group in the queue; if the queue is long, only of
   *     some
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  Set<Long> lostFiles() throws IOException;

  /**
   * Creates a file whose path contains its inode id. A client cannot do this: it learns the inode
   * id only when the file exists, and would then have to rename it. The file is on disk in the edit
   * log when this method returns. Takes the namesystem's write lock.
   *
   * @param path returns the absolute path for an inode id
   * @param form the parameters with which the file is created
   * @param holder the holder of the file's lease
   * @return the inode id; empty if the directory does not exist, and nothing was created
   * @throws IOException if the NameNode refuses it
   */
  OptionalLong create(LongFunction<String> path, ParityPlace.Form form, String holder)
      throws IOException;

  /**
   * @param inodeId inode id of a file
   * @return whether Hadoop would fail to delete the file, because it was renamed while a snapshot
   *     had it, and this snapshot still exists. Hadoop would then remove the file from memory
   *     without an entry in the edit log. Each NameNode that reads a later edit of a directory
   *     above would stop with an error
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  boolean isHeld(long inodeId) throws IOException;

  /**
   * @param inodeId inode id of a file
   * @return empty if Hadoop can delete the file; otherwise the paths of the snapshots that have to
   *     be deleted first. When these are gone, the next call may name an earlier one
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  Optional<List<String>> holders(long inodeId) throws IOException;
}
