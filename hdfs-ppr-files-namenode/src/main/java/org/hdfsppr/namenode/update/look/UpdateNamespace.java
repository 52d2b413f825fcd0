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

/** What updates need of the NameNode beyond the methods that serve clients. Thread-safe. */
@InterfaceAudience.Private
public interface UpdateNamespace extends RecordStore {
  /** The directory of all that updates keep in the namespace. */
  String ROOT = "/.hdfs-ppr/updates";
  /**
   * The extended attribute, without "trusted.", of a directory. It lets all files below the
   * directory be updated.
   */
  String UPDATABLE_XATTR = "hdfs-ppr.updatable";
  /** The attribute's value if the NameNode's configuration sets the strategy of commits. */
  String UPDATABLE = "true";

  /**
   * The extended attribute, without "trusted.", of the directory of a file's records: the file's
   * inode, 8 bytes; after a commit, the inodes of the new version and of the one before, 16 bytes.
   * A change that gives a file another inode has to change this attribute together with the {@link
   * UpdateTag}; otherwise the file counts as gone, and its updates are dropped.
   */
  String FILE_XATTR = "hdfs-ppr.file";

  /**
   * Looks at a file with the rights of the caller of the present RPC.
   *
   * @param path an absolute path
   * @param group the block group that is meant; null for none
   * @param isWrite whether the caller needs WRITE; it needs READ otherwise
   * @return what there is
   * @throws java.io.FileNotFoundException if there is no file
   * @throws org.apache.hadoop.security.AccessControlException if the caller has no right to it
   * @throws IOException if this NameNode is not the active one
   */
  UpdatableFile file(String path, GroupId group, boolean isWrite) throws IOException;

  /**
   * Looks at a file as {@link #file} does, for a caller that gets tokens to read its bytes. A
   * superuser gets none if the attribute {@code security.hdfs.unreadable.by.superuser} protects the
   * file.
   *
   * @param path an absolute path
   * @param group the block group that is meant
   * @return what there is
   * @throws java.io.FileNotFoundException if there is no file
   * @throws org.apache.hadoop.security.AccessControlException if the caller has no right to it
   * @throws IOException if this NameNode is not the active one
   */
  UpdatableFile fileToRead(String path, GroupId group) throws IOException;

  /**
   * Finds a directory, and checks that the caller of the present RPC may change it, in one look.
   *
   * @param path an absolute path
   * @param isOwner whether the caller has to own the directory, or to be a superuser, besides
   *     having WRITE on it
   * @return its inode; empty if a file is there
   * @throws java.io.FileNotFoundException if nothing is there
   * @throws org.apache.hadoop.security.AccessControlException if the caller has no right to it
   * @throws IOException if this NameNode is not the active one
   */
  Optional<Long> directory(String path, boolean isOwner) throws IOException;

  /** The state of a file that has records. Immutable. */
  final class FileState {
    /** Whether the inode is there, also if only a snapshot has it */
    public final boolean isThere;
    /** Whether it is at a path outside of snapshots */
    public final boolean isAtPath;
    /** The bytes of the tag, or null */
    public final byte[] tag;
    /** Whether it is below the directory that was asked about */
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
   * @param directory the inode of a directory; 0 for none
   * @return what became of it
   * @throws IOException if this NameNode is not the active one
   */
  FileState state(long inodeId, long directory) throws IOException;

  /**
   * Waits until all changes of this NameNode are in its edit log. Before that, a crash may undo
   * what an earlier look has found.
   *
   * @throws IOException if that is not known within a bound, as when this NameNode loses its role
   */
  void persist() throws IOException;

  /**
   * Looks at a file with the rights of the NameNode itself.
   *
   * @param inodeId the inode of a file
   * @param ordinal the number of a block group within it
   * @return what there is
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

  /** @return the block pool */
  String poolId();

  /** @return whether this NameNode is the active one, and not in safe mode */
  boolean mayChange();

  /** @return whether this NameNode is in the safe mode of its start, which it leaves by itself */
  boolean isStarting();

  /** @return whether this NameNode is the active one */
  boolean isActive();

  /**
   * @param ticket a ticket
   * @param mode what its bearer may do
   * @return the ticket with a token
   * @throws IOException if no token can be made
   */
  SignedTicket sign(UpdateTicket ticket, AccessMode mode) throws IOException;
}
