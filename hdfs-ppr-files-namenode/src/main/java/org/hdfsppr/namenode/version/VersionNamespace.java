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
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/**
 * The methods of the NameNode that versions need, and that clients do not have. Each method holds
 * the namesystem's lock once, for a short time. Thread-safe.
 */
@InterfaceAudience.Private
public interface VersionNamespace {
  /** The directory for everything that the extension keeps in the namespace. */
  String ROOT = "/.hdfs-ppr";
  /** The name of the new version in the version's directory. */
  String NEW = "new";
  /** The name of the old version in the version's directory. */
  String OLD = "old";
  /**
   * Name of the extended attribute of the version's directory that holds its record, without the
   * prefix "trusted.".
   */
  String XATTR = "hdfs-ppr.version";

  /**
   * @param path absolute path
   * @param user short name of the user whose permissions count
   * @return the facts of what there is at the path
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  FileFacts facts(String path, String user) throws IOException;

  /**
   * @param path absolute path
   * @param inodeId the inode id that the file must have
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
   * @return for each group, in the order of the file, the indices of the units that DataNodes have
   *     reported
   * @throws IOException if there is no such file, or this NameNode does not answer
   */
  List<BitSet> reported(long inodeId) throws IOException;

  /**
   * Lets stock expect the units of an open file's last group where they are made. Without this, it
   * may have units rebuilt that are made but not reported yet. Does nothing if there is no such
   * group, or if it is complete.
   *
   * @param group the group
   * @param nodes by index of each unit that the group has, the DataNode that makes it
   * @throws IOException if this NameNode is not active
   */
  void expect(GroupId group, Map<Integer, NodeRef> nodes) throws IOException;

  /**
   * Takes from stock what {@link #expect} has made it wait for, once all units of a group are
   * reported. A unit that another node has made in the end leaves something to wait for: stock and
   * the plugin would repair no unit that the group loses within the next minutes.
   *
   * @param group the group
   * @throws IOException if this NameNode is not active
   */
  void expectNoMore(GroupId group) throws IOException;

  /**
   * Picks a volume for a unit that is to be made, by the storage policy of the old version.
   *
   * @param unit index of the unit, by which the order names it
   * @param node the node that is to have the unit
   * @param inodeId inode id of the file whose storage policy applies
   * @param bytes length of the unit, bytes
   * @return the target; empty if the node is not in service, or has no room on a volume that fits
   */
  Optional<CommandTarget> target(int unit, NodeRef node, long inodeId, long bytes);

  /**
   * Checks that the file at the path is still the one from which the version was made, and lets the
   * new version take its path. Both happen while the write lock is held once. When this method
   * returns, the edits are on disk.
   *
   * @param order what the file must be, and what takes its place
   * @return whether the version is published; if not, nothing has changed, except perhaps the
   *     record and the attributes of the new version
   * @throws IOException if this NameNode is not active, or the swap failed; then only {@link
   *     #places} shows how far it got
   */
  PublishAnswer publish(PublishOrder order) throws IOException;

  /**
   * @param record the record of a version
   * @return where both versions are
   * @throws IOException if this NameNode does not answer
   */
  VersionPlaces places(VersionRecord record) throws IOException;

  /**
   * Compares the units of a published version with those of the old version that is kept. If the
   * new version does not exist any more, there is nothing to compare: its user has deleted or
   * replaced it, or a later version, which was complete when it was published, has superseded it. A
   * record of 0.2.0 does not say which file the new version is. Then the file at the path is taken
   * for it, if its groups have the same lengths.
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
   * @return whether the path has the new version now, and if not, why
   * @throws IOException if this NameNode is not active, or HDFS refuses the rename
   */
  PublishAnswer finish(VersionRecord record) throws IOException;

  /**
   * @param inodeIds inode ids
   * @return for each id whether its inode is in the namespace or in a snapshot
   * @throws IOException if this NameNode does not answer
   */
  boolean[] exist(long[] inodeIds) throws IOException;

  /**
   * @param inodeId inode id of a file
   * @return whether the file has a path outside snapshots
   * @throws IOException if this NameNode does not answer
   */
  boolean isAtPath(long inodeId) throws IOException;

  /**
   * @param inodeId inode id of a file
   * @return paths of the snapshots that have stored something about the file; if one of them is
   *     deleted, an earlier snapshot may take over what it has stored
   * @throws IOException if this NameNode does not answer
   */
  List<String> snapshots(long inodeId) throws IOException;

  /**
   * @param path absolute path
   * @return paths of the snapshots because of which the file at the path must not be renamed,
   *     because Hadoop would fail to delete it afterwards; also snapshots that had the file when it
   *     was renamed earlier. For each directory, only a bounded number is returned. Empty if a
   *     rename does no harm, or if there is no file
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
}
