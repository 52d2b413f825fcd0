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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hdfsppr.core.formation.CandidateFile;
import org.hdfsppr.core.formation.FormationPlan;
import org.hdfsppr.core.formation.FormationRules;
import org.hdfsppr.core.formation.GroupChange;
import org.hdfsppr.core.formation.GroupFormation;
import org.hdfsppr.core.formation.UngroupedReason;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.core.look.MemberState;
import org.hdfsppr.namenode.version.TargetFile;
import org.hdfsppr.operate.GroupAnswer;

/**
 * Checks groups that users submit by the same rules by which this NameNode plans its own, and
 * queues those that pass. Used by one thread.
 */
final class SubmissionRules {
  /**
   * Reasons why a file cannot be in a submitted group, besides those of
   * {@link FilePlanner.Obstacle}.
   */
  enum Unfit {
    /** The file does not exist any more. */
    GONE,
    /** The file is already in a group. */
    IN_GROUP,
    /** The file is in a group that waits, or that is being made. */
    BEING_FORMED,
    /** Another directory than the named one protects the file, or none does. */
    OTHER_DIRECTORY
  }

  /** Reasons why no group is taken now; the user may try again later. */
  enum Later {
    /** Too many groups wait to be made. */
    QUEUE_FULL,
    /** Too many groups of the directory have failed in a row; see {@link Forming#isResting}. */
    RESTING
  }

  private final CoreNamespace namespace;
  private final CoreGroupRegistry shelf;
  private final Forming forming;
  private final CoreSettings settings;

  SubmissionRules(CoreNamespace namespace, CoreGroupRegistry shelf, Forming forming,
      CoreSettings settings) {
    this.namespace = namespace;
    this.shelf = shelf;
    this.forming = forming;
    this.settings = settings;
  }

  /**
   * Queues the groups that pass the checks.
   *
   * @param directory the directory that has to protect all files
   * @param groups the inode ids of the files of each group
   * @param user short name of the user that submits the groups
   * @param nowMs the time, ms since 1970 (UTC)
   * @return for each group, whether it was taken, or why not
   * @throws IOException if the NameNode does not answer; some groups may have been taken
   */
  List<GroupAnswer> take(ProtectedDirectory directory, Protections protections,
      List<List<Long>> groups, String user, long nowMs) throws IOException {
    List<GroupAnswer> answers = new ArrayList<>();
    for (List<Long> files : groups) {
      answers.add(takeOne(directory, protections, files, user, nowMs));
    }
    return answers;
  }

  private GroupAnswer takeOne(ProtectedDirectory directory, Protections protections,
      List<Long> ids, String user, long nowMs) throws IOException {
    if (forming.isResting(directory.inodeId, nowMs)) {
      return GroupAnswer.later(FilePlanner.word(Later.RESTING));
    }
    if (!forming.hasRoom(user)) {
      return GroupAnswer.later(FilePlanner.word(Later.QUEUE_FULL));
    }
    List<Optional<MemberState>> members = namespace.members(ids);
    List<Optional<TargetFile>> files = namespace.files(ids);
    Map<Long, String> unfit = new LinkedHashMap<>();
    for (int i = 0; i < ids.size(); i++) {
      Enum<?> reason = unfit(directory, protections, ids.get(i), members.get(i).orElse(null),
          files.get(i).orElse(null), nowMs);
      if (reason != null) {
        unfit.put(ids.get(i), FilePlanner.word(reason));
      }
    }
    if (!unfit.isEmpty()) {
      return GroupAnswer.unfit(unfit);
    }
    List<TargetFile> all = new ArrayList<>();
    files.forEach(file -> all.add(file.get()));
    return form(directory, all, user, nowMs);
  }

  /**
   * Returns why a file can be in no new group at all; null if this depends on the other files.
   */
  private Enum<?> unfit(ProtectedDirectory directory, Protections protections, long id,
      MemberState member, TargetFile file, long nowMs) {
    if (member == null || file == null) {
      return Unfit.GONE;
    }
    if (protections.of(member).map(found -> found.inodeId).orElse(0L)
        != directory.inodeId) {
      return Unfit.OTHER_DIRECTORY;
    }
    if (shelf.hasFile(id)) {
      return Unfit.IN_GROUP;
    }
    if (forming.hasFile(id)) {
      return Unfit.BEING_FORMED;
    }
    if (forming.rests(id, nowMs)) {
      return FilePlanner.Obstacle.TRIED_BEFORE;
    }
    if (Protections.filesPerGroup(file.facts.policy, directory) == 0) {
      return UngroupedReason.OTHER_POLICY;
    }
    return file.groups.isEmpty() ? UngroupedReason.EMPTY
        : FilePlanner.obstacle(file.facts).orElse(null);
  }

  /**
   * Takes a group if {@link GroupFormation}, given its files, makes exactly one group of all of
   * them.
   */
  private GroupAnswer form(ProtectedDirectory directory, List<TargetFile> files, String user,
      long nowMs) {
    int perGroup = Protections.filesPerGroup(files.get(0).facts.policy, directory);
    if (perGroup != files.size()) {
      return GroupAnswer.refused(FilePlanner.word(GroupChange.Reason.OTHER_RULES));
    }
    if (files.stream().mapToLong(file -> file.blockBytes).distinct().count() > 1) {
      return GroupAnswer.refused(FilePlanner.word(UngroupedReason.NO_LIKE_FILES));
    }
    Map<String, Integer> filesOfPolicy = new LinkedHashMap<>();
    List<CandidateFile> candidates = new ArrayList<>();
    for (TargetFile file : files) {
      filesOfPolicy.put(file.facts.policy.name, perGroup);
      candidates.add(FilePlanner.candidate(file));
    }
    FormationPlan plan = new GroupFormation(new FormationRules(filesOfPolicy, settings.slack(),
        settings.settleMs, FilePlanner.BLOCK_GROUPS_MAX, 1))
        .plan(candidates, List.of(), nowMs);
    if (!plan.formed.isEmpty()) {
      forming.add(directory, plan.formed.get(0), user);
      return GroupAnswer.TAKEN;
    }
    Map<Long, String> unfit = new LinkedHashMap<>();
    plan.waiting.forEach((reason, waiting) -> {
      if (reason != UngroupedReason.NO_LIKE_FILES) {
        waiting.forEach(file -> unfit.put(file.fileId, FilePlanner.word(reason)));
      }
    });
    return unfit.isEmpty()
        ? GroupAnswer.refused(FilePlanner.word(UngroupedReason.NO_LIKE_FILES))
        : GroupAnswer.unfit(unfit);
  }
}
