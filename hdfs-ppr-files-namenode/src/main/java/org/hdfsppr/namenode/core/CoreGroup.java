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

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.namenode.model.GroupPolicy;

/**
 * A CORE group whose parity file exists. Each of its rows is a file, with the identities of all its
 * block groups. If the record has only a digest of a row, and the row has changed, nothing says
 * which of its block groups are still the recorded ones. Such a row has no identities, and all its
 * block groups count as changed. Immutable.
 */
final class CoreGroup {
  private final CoreMembership membership;
  final GroupPolicy policy;
  final String poolId;
  /** The rows of the members, in the order of the record, then that of the parity file. */
  final List<MemberRow> rows;
  /** The bytes of file data in all members. */
  final long memberBytes;
  /** The bytes of disk space that the parity file takes. */
  final long paritySpaceBytes;

  /**
   * @param membership the record of the group in the namespace
   * @param policy codec, units and cell size, which are the same for all files of the group
   * @param poolId the block pool
   * @param rows the rows of the members in the order of the record, then that of the parity file. A
   *     row has the identities of its block groups or, if they are unknown, their digest
   * @throws IllegalArgumentException if the rows contradict the record
   */
  CoreGroup(CoreMembership membership, GroupPolicy policy, String poolId, List<MemberRow> rows) {
    this.membership = Objects.requireNonNull(membership, "membership");
    this.policy = Objects.requireNonNull(policy, "policy");
    this.poolId = Objects.requireNonNull(poolId, "poolId");
    this.rows = Collections.unmodifiableList(new ArrayList<>(rows));
    for (int i = 0; i < rows.size(); i++) {
      MemberRow recorded = i < membership.files.size() ? membership.files.get(i)
          : membership.parity;
      if (rows.size() != membership.files.size() + 1
          || !rows.get(i).isExact() && i == membership.files.size()
          || !rows.get(i).toDigest().equals(recorded.toDigest())) {
        throw new IllegalArgumentException(rows + " are not the rows of " + membership);
      }
    }
    memberBytes = members().stream().mapToLong(row -> row.length).sum();
    paritySpaceBytes = parity().identities().stream()
        .mapToLong(group -> StripedBlockUtil.spaceConsumedByStripedBlock(group.length,
            policy.dataUnits, policy.parityUnits, policy.cellBytes)).sum();
  }

  /** Returns the id of the group: the inode id of its parity file. */
  long id() {
    return membership.groupId;
  }

  /**
   * Returns how many members the group had when it was formed. Some may have been removed since.
   */
  int formedFiles() {
    return membership.formedFiles;
  }

  /** Returns the record of the group, as it is written to the namespace. */
  CoreMembership record() {
    return new CoreMembership(id(), policyName(), parity(), members(), formedFiles());
  }

  String policyName() {
    return membership.policy;
  }

  List<MemberRow> members() {
    return rows.subList(0, rows.size() - 1);
  }

  MemberRow parity() {
    return rows.get(rows.size() - 1);
  }

  /**
   * Returns the recorded identity of a block group.
   *
   * @return null if the row has no block group at the index, or if its identity is unknown
   */
  GroupIdentity identity(int row, int index) {
    MemberRow of = rows.get(row);
    return of.isExact() && index < of.blockGroups ? of.identities().get(index) : null;
  }

  boolean hasBlockGroup(int row, int index) {
    return index < rows.get(row).blockGroups;
  }

  /**
   * Returns how many bytes of file data a block group has at most: its recorded length or, if this
   * is unknown, the length of the parity file's block group at the same index.
   *
   * @param row index of a row that has a block group at the index
   */
  long bytesAtMost(int row, int index) {
    GroupIdentity identity = identity(row, index);
    return identity == null ? parity().identities().get(index).length : identity.length;
  }

  /** Returns the inode ids of the members, then that of the parity file. */
  List<Long> inodeIds() {
    List<Long> ids = new ArrayList<>();
    rows.forEach(row -> ids.add(row.fileId));
    return ids;
  }

  /**
   * Compares a row with the present block groups of its file: returns the indexes of the recorded
   * block groups that have changed.
   *
   * @param row index of a row
   * @param now the present block groups of the row's file; none if the file is gone
   */
  BitSet stale(int row, List<GroupIdentity> now) {
    // A row without identities counts as changed as a whole, even if its digest fits the file
    // again.
    return rows.get(row).stale(rows.get(row).isExact() ? now : List.of());
  }

  @Override
  public String toString() {
    return membership.toString();
  }
}
