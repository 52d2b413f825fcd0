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
import java.util.List;
import java.util.Optional;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.ParityOutcome;
import org.hdfsppr.namenode.version.ParityRequest;
import org.hdfsppr.namenode.version.PolicyFacts;
import org.hdfsppr.namenode.version.TargetFile;

/** Makes the {@link CoreGroup} of a completed parity file, or of a record. Pure. */
final class GroupRecords {
  private GroupRecords() {
  }

  /** Returns a file's row with the identities of its block groups. */
  static MemberRow row(long fileId, List<FileGroup> groups) {
    List<GroupIdentity> identities = new ArrayList<>();
    groups.forEach(group -> identities.add(new GroupIdentity(group.id.groupId,
        group.id.generationStamp, group.bytes)));
    return MemberRow.of(fileId, identities);
  }

  /** Returns the group that a parity file makes, when the engine has completed it. */
  static CoreGroup made(ParityRequest request, ParityOutcome outcome) {
    List<MemberRow> members = new ArrayList<>();
    for (TargetFile file : request.files) {
      members.add(row(file.inodeId(), file.groups));
    }
    MemberRow parity = row(outcome.inodeId, outcome.groups);
    List<MemberRow> rows = new ArrayList<>(members);
    rows.add(parity);
    return new CoreGroup(new CoreMembership(outcome.inodeId, request.policy.name, parity,
        members), request.policy.code, outcome.groups.get(0).id.poolId, rows);
  }

  /**
   * Returns the group of a record. If the record has only a digest of a row, and the digest fits
   * the file's present block groups, the row gets their identities. If it does not fit, the row of
   * a member has no identities.
   *
   * @param policy the present policy of the parity file; null if it has none
   * @param now the present block groups of the members, in the order of the record, then those of
   *     the parity file
   * @return empty if the parity file is not the recorded one; then the group is of no use
   */
  static Optional<CoreGroup> read(CoreMembership record, PolicyFacts policy,
      List<List<GroupIdentity>> now, String poolId) {
    if (policy == null || !policy.name.equals(record.policy)) {
      return Optional.empty();
    }
    List<MemberRow> recorded = new ArrayList<>(record.files);
    recorded.add(record.parity);
    List<MemberRow> rows = new ArrayList<>();
    for (int i = 0; i < recorded.size(); i++) {
      MemberRow row = recorded.get(i);
      if (row.isExact()) {
        rows.add(row);
      } else {
        List<GroupIdentity> groups = now.get(i);
        boolean isRight = row.stale(groups).isEmpty();
        if (!isRight && i == record.files.size()) {
          return Optional.empty();
        }
        rows.add(isRight ? MemberRow.of(row.fileId, groups.subList(0, row.blockGroups)) : row);
      }
    }
    return Optional.of(new CoreGroup(record, policy.code, poolId, rows));
  }
}
