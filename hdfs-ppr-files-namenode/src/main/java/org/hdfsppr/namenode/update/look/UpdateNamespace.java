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
package org.hdfsppr.namenode.update.look;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.hdfsppr.namenode.record.RecordStore;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateTicket;

/** What updates use of the NameNode beyond the methods for clients. Thread-safe. */
@InterfaceAudience.Private
public interface UpdateNamespace extends RecordStore {
  /** The directory below which all records of updates are. */
  String ROOT = "/.hdfs-ppr/updates";
  /**
   * The name, without "trusted.", of the extended attribute of a directory that lets all files
   * below it be updated.
   */
  String UPDATABLE_XATTR = "hdfs-ppr.updatable";
  /**
   * The value of this attribute if the NameNode's configuration says how files are committed. Any
   * other value is the name of a strategy of commits.
   */
  String UPDATABLE = "true";

  /**
   * The name, without "trusted.", of the extended attribute by which the record of a file names the
   * file's inode: 8 bytes. After a commit it has 16 bytes: the inodes of the new version and of the
   * one before. A change that gives a file another inode must change this attribute and the
   * {@link UpdateTag} in one step. Otherwise the file counts as gone, and DataNodes drop its
   * updates.
   */
  String FILE_XATTR = "hdfs-ppr.file";

  /**
   * Looks at a file with the rights of the caller of the present RPC.
   *
   * @param path an absolute path
   * @param group the block group that the call names; null for none
   * @param isWrite whether the caller needs the right WRITE; if not, it needs READ
   * @return the file and the group
   * @throws java.io.FileNotFoundException if there is no file
   * @throws org.apache.hadoop.security.AccessControlException if the caller has no right to it
   * @throws IOException if this NameNode is not the active one
   */
  UpdatableFile file(String path, GroupId group, boolean isWrite) throws IOException;

  /**
   * Like {@link #file(String, GroupId, boolean)} for READ, if the caller is to get tokens to read
   * the file's bytes. If the attribute {@code security.hdfs.unreadable.by.superuser} protects the
   * file, a superuser has no right to this.
   *
   * @param path an absolute path
   * @param group the block group that the call names
   * @return the file and the group
   * @throws java.io.FileNotFoundException if there is no file
   * @throws org.apache.hadoop.security.AccessControlException if the caller has no right to it
   * @throws IOException if this NameNode is not the active one
   */
  UpdatableFile fileToRead(String path, GroupId group) throws IOException;

  /**
   * Finds a directory and checks, under the same hold of the lock, that the caller of the present
   * RPC may change it.
   *
   * @param path an absolute path
   * @param isOwner whether the caller must also own the directory or be a superuser; WRITE on it is
   *     always needed
   * @return its inode; empty if a file is there
   * @throws java.io.FileNotFoundException if nothing is there
   * @throws org.apache.hadoop.security.AccessControlException if the caller has no right to it
   * @throws IOException if this NameNode is not the active one
   */
  Optional<Long> directory(String path, boolean isOwner) throws IOException;

  /** Whether the inode of a file that has a record still exists, and where. Immutable. */
  final class FileState {
    /** Whether the inode exists; it may be in a snapshot only */
    public final boolean isThere;
    /** Whether the file is at a path outside of snapshots */
    public final boolean isAtPath;
    /** The bytes of the file's {@link UpdateTag}; null if it has none */
    public final byte[] tag;
    /** Whether the file is below the directory that the call named */
    public final boolean isBelow;

    public FileState(boolean isThere, boolean isAtPath, byte[] tag, boolean isBelow) {
      this.isAtPath = isAtPath;
      this.isThere = isThere;
      this.tag = tag;
      this.isBelow = isBelow;
    }
  }

  /**
   * @param inodeId the inode of a file, which may be gone
   * @param directory the inode of a directory, to find out whether the file is below it; 0 for none
   * @return the state of the file
   * @throws IOException if this NameNode is not the active one
   */
  FileState state(long inodeId, long directory) throws IOException;

  /**
   * Waits until all changes that this NameNode has made are in its edit log on disk. Before that, a
   * crash may undo a change that the caller has seen.
   *
   * @throws IOException if this is not certain within a bounded time, as when this NameNode stops
   *     being the active one
   */
  void persist() throws IOException;

  /**
   * Looks at a file with the rights of the NameNode itself.
   *
   * @param inodeId the inode of a file
   * @param ordinal the index of a block group within the file
   * @return the file and the group
   * @throws java.io.FileNotFoundException if the file is not there, or only in a snapshot
   * @throws IOException if this NameNode is not the active one
   */
  UpdatableFile file(long inodeId, int ordinal) throws IOException;

  /**
   * @param blockGroup the id of a block group
   * @return the path of the file that has it; empty if no file has it
   * @throws IOException if this NameNode is not the active one
   */
  Optional<String> owner(long blockGroup) throws IOException;

  /** @return the id of the block pool */
  String poolId();

  /** @return whether this NameNode is the active one, and not in safe mode */
  boolean mayChange();

  /**
   * @return whether this NameNode is in safe mode because it has just started; it leaves this safe
   *     mode without an operator
   */
  boolean isStarting();

  /** @return whether this NameNode is the active one */
  boolean isActive();

  /**
   * @param ticket a ticket
   * @param mode what a client or a NameNode with this ticket may do
   * @return the ticket with a signed token
   * @throws IOException if no token can be made
   */
  SignedTicket sign(UpdateTicket ticket, AccessMode mode) throws IOException;
}
