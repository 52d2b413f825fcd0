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
 * What CORE keeps in the namespace, and listings of directories. One thread calls all methods; it
 * serves no RPC. Any thread may call {@link #makeShards}.
 *
 * <pre>
 *   /.hdfs-ppr/core/directories/INODE    a protected directory has this inode
 *   /.hdfs-ppr/core/groups/XX/INODE      a parity file, whose inode this is; XX: its last 8 bits;
 *                                        xattr trusted.hdfs-ppr.core-group: its members
 * </pre>
 *
 * <p>The attribute makes a parity file a group. A crash before the attribute is set leaves a file
 * without it, which is deleted; a crash after that leaves a complete group. No parity file is
 * renamed, because Hadoop cannot delete an erasure-coded file that was renamed while a snapshot had
 * it. hdfs-ppr 0.2.0 reads the same groups, and neither uses nor deletes a file without the
 * attribute. A directory is protected if its extended attribute says so. The entry in {@code
 * directories} serves to find the directory; it is made before the attribute is set, and deleted
 * after the attribute is removed.
 */
@InterfaceAudience.Private
public interface CoreFolder {
  /** The directory of all that CORE keeps. */
  String ROOT = "/.hdfs-ppr/core";
  /**
   * The directory in which hdfs-ppr 0.2.0 made parity files before it renamed them. This version
   * makes no files there, and deletes those that are left.
   */
  String WORK = ROOT + "/work";
  /**
   * The directory of the parity files, which are created there. A file without a record is
   * unfinished, and makes no group.
   */
  String GROUPS = ROOT + "/groups";
  /**
   * The extended attribute, without "trusted.", that has the record of a parity file's group. It
   * makes a complete parity file a group.
   */
  String XATTR = CoreNamespace.GROUP_XATTR;
  /** 256 directories share the parity files, so that a million of them make no directory large. */
  int SHARD_MASK = 0xff;

  /**
   * @param inodeId inode id of a parity file
   * @return path of the directory in which it lies
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

  /** An entry of a directory. Immutable. */
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

  /** Some entries of a directory, in the order of their names. Immutable. */
  final class Page {
    public final List<Entry> entries;
    /** Name of the last entry of the listing */
    public final String last;
    /** Whether there are entries behind the last one */
    public final boolean hasMore;

    public Page(List<Entry> entries, String last, boolean hasMore) {
      this.entries = List.copyOf(entries);
      this.last = last;
      this.hasMore = hasMore;
    }
  }

  /**
   * Shuts other users out of CORE's directories, if there are any.
   *
   * @throws IOException if this NameNode is not active, or another user's file is in their place
   */
  void open() throws IOException;

  /**
   * Lists a page of a directory.
   *
   * @param inodeId inode id of the directory
   * @param after list the entries behind this name only; empty for all
   * @return the page; empty if there is no such directory any more
   * @throws IOException if the NameNode does not answer this
   */
  Optional<Page> list(long inodeId, String after) throws IOException;

  /**
   * @return inode ids of the directories that have an entry below {@code directories}. One of them
   *     is protected only if its attribute says so, too
   * @throws IOException if the NameNode does not answer this
   */
  List<Long> protectedIds() throws IOException;

  /**
   * Protects a directory. The protection is durable when this returns.
   *
   * @param inodeId inode id of the directory
   * @param before what its attribute says; null if it has none
   * @param attribute what its attribute says from now on
   * @return whether it does; false if the attribute was not what the caller has read
   * @throws java.io.FileNotFoundException if there is no such directory any more
   * @throws IOException if the NameNode refuses it
   */
  boolean protect(long inodeId, byte[] before, byte[] attribute) throws IOException;

  /**
   * Ends the protection of a directory, which need not exist any more. Another directory that has
   * its path now stays as it is.
   *
   * @param inodeId inode id of the directory
   * @param before what its attribute says; null if it has none
   * @return whether it is not protected any more; false if the attribute was not what the caller
   *     has read
   * @throws IOException if the NameNode refuses it
   */
  boolean unprotect(long inodeId, byte[] before) throws IOException;

  /**
   * @return names of the directories that have parity files
   * @throws IOException if the NameNode does not answer this
   */
  List<String> shards() throws IOException;

  /**
   * @param shard name of a directory with parity files
   * @return the names of its parity files
   * @throws IOException if the NameNode does not answer this
   */
  List<String> parities(String shard) throws IOException;

  /**
   * @param inodeId inode id of a parity file
   * @return the record of its members; empty if it has none
   * @throws IOException if the NameNode does not answer this
   */
  Optional<byte[]> record(long inodeId) throws IOException;

  /**
   * Makes a complete parity file a group, by writing its record.
   *
   * @param inodeId inode id of the file, which is at its place
   * @param record the record of its members
   * @throws IOException if the file has a record already, or the NameNode refuses a step
   */
  void publish(long inodeId, byte[] record) throws IOException;

  /**
   * Deletes a parity file, if it is there. The directory in which it lies stays: an empty
   * directory costs less than the doubt whether it is empty in the edit log, too.
   *
   * @param inodeId inode id of the parity file
   * @throws IOException if the NameNode refuses it
   */
  void delete(long inodeId) throws IOException;

  /**
   * Makes all directories in which parity files lie. Any thread may call this.
   *
   * @throws IOException if the NameNode refuses it
   */
  void makeShards() throws IOException;

  /**
   * @return names of the files that hdfs-ppr 0.2.0 has left below {@link #WORK}, with their inode
   *     ids
   * @throws IOException if the NameNode does not answer this
   */
  Map<String, Long> works() throws IOException;

  /**
   * @param name name of a file that was left below {@link #WORK}
   * @throws IOException if the NameNode refuses it
   */
  void deleteWork(String name) throws IOException;
}
