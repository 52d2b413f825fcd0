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
package org.hdfsppr.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.hdfsppr.client.formation.GroupJobResult.Number;
import org.hdfsppr.core.formation.CandidateFile;
import org.hdfsppr.core.formation.FormationPlan;
import org.hdfsppr.core.formation.FormationRules;
import org.hdfsppr.core.formation.GroupFormation;
import org.hdfsppr.core.formation.NewGroup;
import org.hdfsppr.core.formation.UngroupedReason;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.SubmissionTerms;

/**
 * Plans CORE groups of the files of one directory, policy and block size, and submits them to the
 * NameNode. The files come in the order of their length, the longest first. If the NameNode says
 * that some files cannot be in a group, this class plans the other files of their groups again. Not
 * thread-safe.
 */
final class GroupRounds {
  /** How many files are planned together at most. They need some 10 MB of memory. */
  static final int FILES_MAX = 20_000;

  /** Submits groups. */
  interface Submitter {
    /**
     * Returns the answers, in the order of the groups. An answer with {@link GroupAnswer#later}
     * means that the submitter has given up.
     */
    List<GroupAnswer> submit(List<List<Long>> groups) throws IOException;
  }

  /** Counts what becomes of groups and files. */
  interface Tally {
    /** Counts groups. */
    void groups(Number which, long groups);

    /** Counts files that are in no group. */
    void waiting(String reason, long files);
  }

  private final GroupFormation formation;
  private final int perGroup;
  private final Submitter submitter;
  private final Tally tally;
  private final long nowMs;
  private final int filesMax;
  private List<CandidateFile> pool = new ArrayList<>();

  /**
   * @param perGroup how many files form a CORE group
   * @param nowMs the time, ms since 1970 (UTC)
   * @param filesMax how many files are planned together at most
   */
  GroupRounds(SubmissionTerms terms, String policy, int perGroup, Submitter submitter, Tally tally,
      long nowMs, int filesMax) {
    this.formation = new GroupFormation(new FormationRules(Map.of(policy, perGroup),
        terms.slack(), terms.settleMs, terms.blockGroupsMax, Integer.MAX_VALUE));
    this.perGroup = perGroup;
    this.submitter = submitter;
    this.tally = tally;
    this.nowMs = nowMs;
    this.filesMax = filesMax;
  }

  /** Adds a file. It must be as long as the file that was added before, or shorter. */
  void add(CandidateFile file) throws IOException {
    pool.add(file);
    if (pool.size() >= filesMax) {
      round();
      // No group can be formed of the files that are left. The files that follow are shorter, so
      // only the shortest of those that are left may still form a group with them.
      int carried = Math.min(pool.size(), perGroup - 1);
      drop(pool.size() - carried);
    }
  }

  /** Plans and submits the files that are left. Called after the last file. */
  void end() throws IOException {
    round();
    drop(pool.size());
  }

  private void drop(int files) {
    if (files > 0) {
      tally.waiting(word(UngroupedReason.NO_LIKE_FILES), files);
      pool = new ArrayList<>(pool.subList(files, pool.size()));
    }
  }

  /**
   * Plans and submits groups until no more can be formed. Files that may form a group with later
   * files stay in the pool.
   */
  private void round() throws IOException {
    boolean isAgain = true;
    while (isAgain) {
      FormationPlan plan = formation.plan(pool, List.of(), nowMs);
      Set<Long> done = new HashSet<>();
      plan.waiting.forEach((reason, files) -> {
        if (reason != UngroupedReason.NO_LIKE_FILES) {
          tally.waiting(word(reason), files.size());
          files.forEach(file -> done.add(file.fileId));
        }
      });
      isAgain = submit(plan.formed, done);
      pool.removeIf(file -> done.contains(file.fileId));
    }
  }

  /**
   * Submits groups.
   *
   * @param done receives the files that are in a group now, or that this job puts in no group
   * @return true if the NameNode has refused a group because of some of its files, so that its
   *     other files may form another group
   */
  private boolean submit(List<NewGroup> groups, Set<Long> done) throws IOException {
    if (groups.isEmpty()) {
      return false;
    }
    List<List<Long>> ids = new ArrayList<>();
    for (NewGroup group : groups) {
      List<Long> files = new ArrayList<>();
      group.files.forEach(file -> files.add(file.fileId));
      ids.add(files);
    }
    boolean isAgain = false;
    List<GroupAnswer> answers = submitter.submit(ids);
    for (int i = 0; i < ids.size(); i++) {
      isAgain |= take(ids.get(i), answers.get(i), done);
    }
    return isAgain;
  }

  private boolean take(List<Long> files, GroupAnswer answer, Set<Long> done) {
    Map<Long, String> unfit = new HashMap<>(answer.unfit);
    unfit.keySet().retainAll(files);
    if (!unfit.isEmpty()) {
      unfit.values().forEach(reason -> tally.waiting(reason, 1));
      done.addAll(unfit.keySet());
      return true;
    }
    done.addAll(files);
    if (answer.isTaken()) {
      tally.groups(Number.TAKEN, 1);
    } else if (answer.later) {
      tally.groups(Number.LEFT, 1);
    } else {
      tally.waiting(answer.reason, files.size());
    }
    return false;
  }

  private static String word(UngroupedReason reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }
}
