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
package org.hdfsppr.core.formation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Forms CORE groups of files. It sorts the files of each directory and policy by length. Beginning
 * with the longest, t successive files form a group if their lengths are similar enough. Otherwise
 * the longest of these t files gets no group, and the next t files are tried. Equal inputs, in any
 * order, give equal plans. The memory that a call takes is proportional to the number of files. A
 * caller with very many files therefore makes a call for each directory, or for a few at a time.
 */
@InterfaceAudience.Private
public final class GroupFormation {
  private static final Comparator<CandidateFile> LIKE_FILES_TOGETHER =
      Comparator.comparing((CandidateFile file) -> file.policy)
          .thenComparingLong((CandidateFile file) -> file.directoryId)
          .thenComparing(Comparator.comparingLong((CandidateFile file) -> file.length).reversed())
          .thenComparingLong((CandidateFile file) -> file.fileId);

  private final FormationRules rules;

  /** @param rules the rules for groups */
  public GroupFormation(FormationRules rules) {
    this.rules = rules;
  }

  /**
   * Plans groups.
   *
   * @param files all closed files of the directories, each once
   * @param existing the groups of these directories
   * @param nowMs the time, ms since 1970 (UTC)
   * @return the plan, in which each file is in a group that stays, in a new group, or in no group
   * @throws IllegalArgumentException if a file or a group is named twice
   */
  public FormationPlan plan(Collection<CandidateFile> files, Collection<FormedGroup> existing,
      long nowMs) {
    Map<Long, CandidateFile> byId = new HashMap<>(files.size() * 2);
    for (CandidateFile file : files) {
      if (byId.put(file.fileId, file) != null) {
        throw new IllegalArgumentException("File " + file.fileId + " is named twice");
      }
    }
    List<FormedGroup> kept = new ArrayList<>();
    List<GroupChange> changed = new ArrayList<>();
    Set<Long> taken = new HashSet<>();
    judge(existing, byId, taken, kept, changed);

    Set<Long> bereft = new HashSet<>();
    changed.forEach(change -> bereft.addAll(change.survivors));
    Map<UngroupedReason, List<CandidateFile>> waiting = new EnumMap<>(UngroupedReason.class);
    List<CandidateFile> free = new ArrayList<>();
    for (CandidateFile file : files) {
      if (!taken.contains(file.fileId)) {
        UngroupedReason reason = obstacle(file, nowMs);
        if (reason == null) {
          free.add(file);
        } else {
          put(waiting, reason, file);
        }
      }
    }
    return new FormationPlan(kept, changed, form(free, bereft, waiting), waiting);
  }

  private static void put(Map<UngroupedReason, List<CandidateFile>> waiting, UngroupedReason reason,
      CandidateFile file) {
    waiting.computeIfAbsent(reason, none -> new ArrayList<>()).add(file);
  }

  /**
   * Decides which groups stay. It looks at the latest group first, so that a file in two groups
   * belongs to the later one.
   */
  private void judge(Collection<FormedGroup> existing, Map<Long, CandidateFile> byId,
      Set<Long> taken, List<FormedGroup> kept, List<GroupChange> changed) {
    List<FormedGroup> newestFirst = new ArrayList<>(existing);
    newestFirst.sort(Comparator.comparingLong((FormedGroup group) -> group.groupId).reversed());
    List<FormedGroup> left = new ArrayList<>();
    List<GroupChange.Reason> reasons = new ArrayList<>();
    Set<Long> groupIds = new HashSet<>();
    for (FormedGroup group : newestFirst) {
      if (!groupIds.add(group.groupId)) {
        throw new IllegalArgumentException(group + " is named twice");
      }
      GroupChange.Reason reason = reason(group, byId, taken);
      if (reason == null) {
        kept.add(group);
        group.members.forEach(member -> taken.add(member.fileId));
      } else {
        left.add(group);
        reasons.add(reason);
      }
    }
    for (int i = 0; i < left.size(); i++) {
      List<Long> survivors = new ArrayList<>();
      for (FormedMember member : left.get(i).members) {
        if (byId.containsKey(member.fileId) && !taken.contains(member.fileId)) {
          survivors.add(member.fileId);
        }
      }
      changed.add(new GroupChange(left.get(i), reasons.get(i), survivors));
    }
  }

  /** Returns why a group no longer fits, or null if it does. */
  private GroupChange.Reason reason(FormedGroup group, Map<Long, CandidateFile> byId,
      Set<Long> taken) {
    GroupChange.Reason first = rules.filesOf(group.policy) == group.members.size()
        ? null : GroupChange.Reason.OTHER_RULES;
    for (FormedMember member : group.members) {
      GroupChange.Reason reason = reason(group, member, byId.get(member.fileId), taken);
      if (reason != null && (first == null || reason.compareTo(first) < 0)) {
        first = reason;
      }
    }
    return first;
  }

  private static GroupChange.Reason reason(FormedGroup group, FormedMember member,
      CandidateFile file, Set<Long> taken) {
    if (taken.contains(member.fileId)) {
      return GroupChange.Reason.REPLACED;
    }
    if (file == null) {
      return GroupChange.Reason.MEMBER_GONE;
    }
    if (!file.policy.equals(group.policy)) {
      return GroupChange.Reason.OTHER_POLICY;
    }
    if (file.length == member.length && file.blockGroups == member.blockGroups) {
      return null;
    }
    return file.length > member.length && file.blockGroups >= member.blockGroups
        ? GroupChange.Reason.MEMBER_GREW : GroupChange.Reason.MEMBER_REWRITTEN;
  }

  /** Returns why a file without a group cannot join one, or null if it can. */
  private UngroupedReason obstacle(CandidateFile file, long nowMs) {
    if (file.length == 0) {
      return UngroupedReason.EMPTY;
    }
    if (rules.filesOf(file.policy) == 0) {
      return UngroupedReason.OTHER_POLICY;
    }
    if (file.blockGroups > rules.blockGroupsMax) {
      return UngroupedReason.TOO_LARGE;
    }
    return rules.isSettling(file, nowMs) ? UngroupedReason.SETTLING : null;
  }

  /**
   * Forms groups of free files, and adds the other files to {@code waiting}.
   *
   * @param bereft files whose old groups no longer fit; the new groups of these files come first
   */
  private List<NewGroup> form(List<CandidateFile> free, Set<Long> bereft,
      Map<UngroupedReason, List<CandidateFile>> waiting) {
    free.sort(LIKE_FILES_TOGETHER);
    List<NewGroup> urgent = new ArrayList<>();
    List<NewGroup> others = new ArrayList<>();
    int next = 0;
    while (next < free.size()) {
      int files = rules.filesOf(free.get(next).policy);
      if (fits(free, next, files)) {
        NewGroup group = new NewGroup(free.subList(next, next + files));
        boolean isUrgent = !bereft.isEmpty()
            && group.files.stream().anyMatch(file -> bereft.contains(file.fileId));
        (isUrgent ? urgent : others).add(group);
        next += files;
      } else {
        put(waiting, UngroupedReason.NO_LIKE_FILES, free.get(next));
        next++;
      }
    }
    urgent.addAll(others);
    int most = Math.min(urgent.size(), rules.groupsMax);
    for (NewGroup later : urgent.subList(most, urgent.size())) {
      later.files.forEach(file -> put(waiting, UngroupedReason.NEXT_PLAN, file));
    }
    return new ArrayList<>(urgent.subList(0, most));
  }

  /** Returns whether {@code files} successive files, beginning at an index, can form a group. */
  private boolean fits(List<CandidateFile> sorted, int from, int files) {
    if (from + files > sorted.size()) {
      return false;
    }
    CandidateFile first = sorted.get(from);
    CandidateFile last = sorted.get(from + files - 1);
    if (last.directoryId != first.directoryId || !last.policy.equals(first.policy)) {
      return false;
    }
    double bytes = 0;
    for (int i = from; i < from + files; i++) {
      bytes += sorted.get(i).length;
    }
    return rules.isLike(first.length, bytes, files);
  }
}
