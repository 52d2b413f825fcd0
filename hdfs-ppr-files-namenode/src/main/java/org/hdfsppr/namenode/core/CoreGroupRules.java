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
import java.util.OptionalInt;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.namenode.core.look.MemberState;

/**
 * Compares groups with the present state of their files, and decides which groups are dissolved.
 * Pure: the result depends on the parameters only.
 */
final class CoreGroupRules {
  /** The result of the comparison of a group with its files. Immutable. */
  static final class Verdict {
    /** Why the group is dissolved; null if it stays. */
    final DissolutionReason reason;
    /** The inode id of the directory that protects the first protected member; 0 for none. */
    final long directory;
    /** How many block groups of members have changed since they were recorded. */
    final int stale;
    /**
     * The row of a member in the trash, if this member is the only reason to dissolve the group and
     * still has the recorded bytes. The member can then be removed from the group instead. Empty
     * otherwise.
     */
    final OptionalInt thrownAway;

    private Verdict(DissolutionReason reason, long directory, int stale, OptionalInt thrownAway) {
      this.reason = reason;
      this.directory = directory;
      this.stale = stale;
      this.thrownAway = thrownAway;
    }
  }

  private final long settleMs;

  /**
   * @param settleMs a group with a member that has grown is dissolved when the member has not
   *     changed for this time, ms
   */
  CoreGroupRules(long settleMs) {
    this.settleMs = settleMs;
  }

  /**
   * @param now the present state of the members, in the order of their rows, then of the parity
   *     file; empty for a file that does not exist
   * @param protections the protected directories
   * @param nowMs the time, ms since 1970 (UTC)
   */
  Verdict judge(CoreGroup group, List<Optional<MemberState>> now, Protections protections,
      long nowMs) {
    DissolutionReason first = isParityRight(group, now) ? null : DissolutionReason.PARITY_CHANGED;
    int stale = 0;
    long directory = 0;
    boolean isUnprotected = true;
    List<Integer> failing = new ArrayList<>();
    for (int row = 0; row < group.members().size(); row++) {
      MemberState member = now.get(row).orElse(null);
      int changed = group.stale(row, member == null ? List.of() : member.groups).cardinality();
      stale += changed;
      Optional<ProtectedDirectory> by =
          member == null ? Optional.empty() : protections.of(member);
      isUnprotected &= member != null && by.isEmpty();
      directory = directory == 0 ? by.map(found -> found.inodeId).orElse(0L)
          : directory;
      DissolutionReason reason = reason(group, row, member, by.orElse(null), changed, nowMs);
      if (reason != null) {
        failing.add(row);
        first = first == null || reason.compareTo(first) < 0 ? reason : first;
      }
    }
    boolean isOne = failing.size() == 1 && stale == 0 && first == DissolutionReason.MEMBER_GONE
        && isParityRight(group, now) && isThrownAway(group, now.get(failing.get(0)).orElse(null));
    return new Verdict(isUnprotected ? DissolutionReason.UNPROTECTED : first, directory, stale,
        isOne && !isUnprotected ? OptionalInt.of(failing.get(0)) : OptionalInt.empty());
  }

  private static boolean isThrownAway(CoreGroup group, MemberState member) {
    return member != null && Protections.isInTrash(member.path) && member.policy != null
        && member.policy.name.equals(group.policyName());
  }

  private static boolean isParityRight(CoreGroup group, List<Optional<MemberState>> now) {
    int row = group.rows.size() - 1;
    return now.get(row).isPresent() && group.stale(row, now.get(row).get().groups).isEmpty();
  }

  private DissolutionReason reason(CoreGroup group, int row, MemberState member,
      ProtectedDirectory by,
      int changed, long nowMs) {
    if (member == null || by == null) {
      return DissolutionReason.MEMBER_GONE;
    }
    if (member.policy == null || !member.policy.name.equals(group.policyName())) {
      return DissolutionReason.OTHER_POLICY;
    }
    if (by.isReadable()
        && Protections.filesPerGroup(member.policy, by) != group.formedFiles()) {
      return DissolutionReason.OTHER_RULES;
    }
    if (changed > 0) {
      return DissolutionReason.MEMBER_REWRITTEN;
    }
    if (member.isUnreadable()) {
      return DissolutionReason.MEMBER_UNREADABLE;
    }
    MemberRow recorded = group.rows.get(row);
    boolean grew = member.groups.size() > recorded.blockGroups;
    return grew && !member.isOpen() && isComplete(member.groups)
        && Math.abs((double) nowMs - member.mtime) >= settleMs
        ? DissolutionReason.MEMBER_GREW : null;
  }

  private static boolean isComplete(List<GroupIdentity> groups) {
    return groups.stream().noneMatch(group -> group == null);
  }
}
