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
package org.hdfsppr.namenode.core;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.version.PolicyFacts;

/**
 * Keeps CORE groups and protected directories in the namespace, and lists directories. All methods
 * are called on one thread, which answers no RPC; only {@link #makeShards} may be called on any
 * thread.
 *
 * <pre>
 *   /.hdfs-ppr/core/directories/INODE    a protected directory has this inode
 *   /.hdfs-ppr/core/groups/XX/INODE      a parity file, whose inode this is; XX: its last 8 bits;
 *                                        xattr trusted.hdfs-ppr.core-group: its members
 * </pre>
 *
 * <p>A parity file belongs to a group if it has the attribute. After a crash, a file without it is
 * unfinished and is deleted, and a file with it makes a complete group. No parity file is renamed,
 * because Hadoop cannot delete an erasure-coded file that was renamed while a snapshot had it.
 * hdfs-ppr 0.2.0 reads the same groups. It neither uses nor deletes a file without the attribute.
 * Whether a directory is protected is decided by an extended attribute of the directory itself. The
 * entry in {@code directories} only serves to find it. The entry is made before the attribute is
 * set, and deleted after the attribute is removed.
 */
@InterfaceAudience.Private
public interface CoreFolder {
  /** The directory below which CORE keeps all its files and directories. */
  String ROOT = "/.hdfs-ppr/core";
  /**
   * The directory in which hdfs-ppr 0.2.0 made parity files before it renamed them. This version
   * makes no files there, and deletes those that are left.
   */
  String WORK = ROOT + "/work";
  /**
   * The directory below which parity files are created. A file without the attribute {@link #XATTR}
   * is unfinished, and belongs to no group.
   */
  String GROUPS = ROOT + "/groups";
  /**
   * The name, without "trusted.", of the extended attribute with the record of a group: which files
   * are its members. The group's parity file has it.
   */
  String XATTR = CoreNamespace.GROUP_XATTR;
  /**
   * The last bits of a parity file's inode id choose one of 256 directories. So a million parity
   * files make no directory large.
   */
  int SHARD_MASK = 0xff;

  /**
   * @param inodeId inode id of a parity file
   * @return path of the directory for this parity file
   */
  static String shard(long inodeId) {
    return GROUPS + "/" + String.format(Locale.ROOT, "%02x", inodeId & SHARD_MASK);
  }

  /**
   * @param inodeId inode id of a parity file
   * @return its path
   */
  static String parity(long inodeId) {
    return shard(inodeId) + "/" + inodeId;
  }

  /** A file or directory in a listing. Immutable. */
  final class Entry {
    /** Name within its directory */
    public final String name;
    public final long inodeId;
    /** Whether it is a directory; otherwise it is a file */
    public final boolean directory;
    /** The file's erasure coding policy; null for none */
    public final PolicyFacts policy;
    /** Length of the file, bytes */
    public final long bytes;
    /** When it was last modified, ms since 1970 (UTC) */
    public final long mtime;

    public Entry(String name, long inodeId, boolean directory, PolicyFacts policy, long bytes,
        long mtime) {
      this.name = name;
      this.inodeId = inodeId;
      this.directory = directory;
      this.policy = policy;
      this.bytes = bytes;
      this.mtime = mtime;
    }
  }

  /**
   * One page of the listing of a directory; its entries are in the order of their names. Immutable.
   */
  final class Page {
    public final List<Entry> entries;
    /**
     * Name of the last entry that the NameNode has listed, even if it is not among {@link #entries}
     */
    public final String last;
    /** Whether the directory has entries after {@link #last} */
    public final boolean hasMore;

    public Page(List<Entry> entries, String last, boolean hasMore) {
      this.entries = List.copyOf(entries);
      this.last = last;
      this.hasMore = hasMore;
    }
  }

  /**
   * If CORE's directories exist, makes them accessible to the NameNode's own user alone.
   *
   * @throws IOException if this NameNode is not active, or if there is a file in the place of one
   *     of them
   */
  void open() throws IOException;

  /**
   * Lists a page of a directory.
   *
   * @param inodeId inode id of the directory
   * @param after list only entries whose names come after this one; empty for all
   * @return the page; empty if the directory does not exist any more
   * @throws IOException if the NameNode does not answer now
   */
  Optional<Page> list(long inodeId, String after) throws IOException;

  /**
   * @return inode ids of the directories that have an entry in {@code directories}. Each of them is
   *     protected only if its attribute says so, too
   * @throws IOException if the NameNode does not answer this
   */
  List<Long> protectedIds() throws IOException;

  /**
   * Protects a directory. The change is on disk when this method returns.
   *
   * @param inodeId inode id of the directory
   * @param before the value that the caller has read of its attribute; null if it had none
   * @param attribute the new value
   * @return whether it was set; false if the attribute has changed since the caller read it
   * @throws java.io.FileNotFoundException if the directory does not exist any more
   * @throws IOException if the NameNode refuses it
   */
  boolean protect(long inodeId, byte[] before, byte[] attribute) throws IOException;

  /**
   * Ends the protection of a directory, also if the directory does not exist any more. If another
   * directory has its path now, that one is not changed.
   *
   * @param inodeId inode id of the directory
   * @param before the value that the caller has read of its attribute; null if it had none
   * @return whether the directory is not protected any more; false if the attribute has changed
   *     since the caller read it
   * @throws IOException if the NameNode refuses it
   */
  boolean unprotect(long inodeId, byte[] before) throws IOException;

  /**
   * @return names of the directories in which parity files are
   * @throws IOException if the NameNode does not answer this
   */
  List<String> shards() throws IOException;

  /**
   * @param shard name of one of these directories
   * @return names of the parity files in it
   * @throws IOException if the NameNode does not answer this
   */
  List<String> parities(String shard) throws IOException;

  /**
   * @param inodeId inode id of a parity file
   * @return the record of its group; empty if it has none
   * @throws IOException if the NameNode does not answer this
   */
  Optional<byte[]> record(long inodeId) throws IOException;

  /**
   * Writes the record of a group to its complete parity file. From then on, the group exists.
   *
   * @param inodeId inode id of the parity file
   * @param record the record of the group
   * @throws IOException if the file has a record already, or if the NameNode refuses the change
   */
  void publish(long inodeId, byte[] record) throws IOException;

  /**
   * Deletes a parity file, if it exists. Its directory is kept even if it is empty now: this costs
   * little, and deleting it would need certainty that the edit log, too, has no other file in it.
   *
   * @param inodeId inode id of the parity file
   * @throws IOException if the NameNode refuses it
   */
  void delete(long inodeId) throws IOException;

  /**
   * Makes all directories for parity files. May be called on any thread.
   *
   * @throws IOException if the NameNode refuses it
   */
  void makeShards() throws IOException;

  /**
   * @return the files that hdfs-ppr 0.2.0 has left below {@link #WORK}: their names, with their
   *     inode ids
   * @throws IOException if the NameNode does not answer this
   */
  Map<String, Long> works() throws IOException;

  /**
   * @param name name of a file that was left below {@link #WORK}
   * @throws IOException if the NameNode refuses it
   */
  void deleteWork(String name) throws IOException;
}
