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
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.plan.NodeRef;

/**
 * What versions need of the NameNode beyond the methods that serve clients. Each method holds the
 * namesystem's lock once, for a short time. Thread-safe.
 */
@InterfaceAudience.Private
public interface VersionNamespace {
  /** The directory of all that the extension keeps in the namespace. */
  String ROOT = "/.hdfs-ppr";
  /** The name of the new version in the version's directory. */
  String NEW = "new";
  /** The name of the old version in the version's directory. */
  String OLD = "old";
  /** The extended attribute of the version's directory that has its record, without "trusted.". */
  String XATTR = "hdfs-ppr.version";

  /**
   * @param path absolute path
   * @param user short name of the user whose permissions count
   * @return what there is
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  FileFacts facts(String path, String user) throws IOException;

  /**
   * @param path absolute path
   * @param inodeId id that the file's inode has to have
   * @param user short name of the user whose permissions count
   * @return the file; empty if there is none with that id at the path
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  Optional<TargetFile> file(String path, long inodeId, String user) throws IOException;

  /**
   * @param name name of an erasure coding policy
   * @return the policy; empty if there is none
   */
  Optional<PolicyFacts> policy(String name);

  /**
   * @param inodeId inode id of a striped file, open or closed
   * @return for each group in the order of the file: the units that a DataNode has reported
   * @throws IOException if there is no such file, or this NameNode does not answer
   */
  List<BitSet> reported(long inodeId) throws IOException;

  /**
   * Picks a volume for a unit that is to be made, by the storage policy of the old version.
   *
   * @param unit index of the unit, as the order names it
   * @param node the node that is to have it
   * @return the target; empty if the node is not in service, or has no room on a fitting volume
   * @param bytes length of the unit, bytes
   * @return the target; empty if the node is not in service, or has no room on a volume that fits
   */
  Optional<CommandTarget> target(int unit, NodeRef node, long inodeId, long bytes);

  /**
   * Compares what the path is now with what the version was made of, and swaps the two, in one hold
   * of the write lock. When this returns, the edits are on disk.
   *
   * @param order what is compared and swapped
   * @return whether the version is published; if not, nothing has changed but perhaps the record
   *     and the attributes of the new version
   * @throws IOException if this NameNode is not active, or the swap failed: only a look at the
   *     {@link #places} says then how far it came
   */
  PublishAnswer publish(PublishOrder order) throws IOException;

  /**
   * @param record the record of a version
   * @return where both versions are
   * @throws IOException if this NameNode does not answer
   */
  VersionPlaces places(VersionRecord record) throws IOException;

  /**
   * Compares the units of a published version with those of the old one that is kept. There is
   * nothing to compare if the new version is gone: its user has deleted or replaced it, or a later
   * version, which was complete when it was published, has taken its place. A record of 0.2.0 does
   * not say which file the new version is; the file at the path then counts if it has groups of the
   * same lengths.
   *
   * @param record the record of the version
   * @return why the old version may not be deleted yet; empty if it may be, or if it is not kept
   * @throws IOException if this NameNode does not answer
   */
  Optional<String> lacking(VersionRecord record) throws IOException;

  /**
   * Gives the path to the new version, if it is still free, the old version is kept, no snapshot
   * has the new one, and the directory of the file is where its inode is.
   *
   * @param record the record of the version
   * @return that the path has the new version now, or why not
   * @throws IOException if this NameNode is not active, or HDFS refuses the rename
   */
  PublishAnswer finish(VersionRecord record) throws IOException;

  /**
   * @param inodeIds inode ids
   * @return for each of them whether it is anywhere in the namespace, or in a snapshot
   * @throws IOException if this NameNode does not answer
   */
  boolean[] exist(long[] inodeIds) throws IOException;

  /**
   * @param inodeId inode id of a file
   * @return whether it has a path, and is not only in snapshots
   * @throws IOException if this NameNode does not answer
   */
  boolean isAtPath(long inodeId) throws IOException;

  /**
   * @param inodeId inode id of a file
   * @return paths of the snapshots that keep something of the file by themselves; deleting one of
   *     them may hand that on to an earlier one
   * @throws IOException if this NameNode does not answer
   */
  List<String> snapshots(long inodeId) throws IOException;

  /**
   * @param path absolute path
   * @return paths of snapshots because of which the file at the path must not be renamed, as Hadoop
   *     would fail to delete it afterwards, or under which it was renamed already. Some of one
   *     directory at the most; empty if a rename does no harm, or if there is no file
   * @throws IOException if this NameNode does not answer
   */
  List<String> snapshots(String path) throws IOException;

  /**
   * Renews a lease.
   *
   * @param holder name of its holder
   * @throws IOException if this NameNode is not active
   */
  void renewLease(String holder) throws IOException;

  /** @return how often, for how long, and for how long at most the write lock was held, ns */
  long[] lockTimes();
}
