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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.hdfsppr.core.formation.CandidateFile;
import org.hdfsppr.core.formation.FormationPlan;
import org.hdfsppr.core.formation.FormationRules;
import org.hdfsppr.core.formation.GroupFormation;
import org.hdfsppr.core.formation.NewGroup;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.TargetFile;

/** Plans which files of a directory form groups, among those that are in no group. */
final class FilePlanner {
  /**
   * How many block groups a member may have. If it has more than about 130, the record has digests
   * instead of identities. Besides, a group is of use only when the last unit of the last block
   * group of its parity file is made.
   */
  static final int BLOCK_GROUPS_MAX = 1_000;

  /** Reasons why a file is in no group, besides those of {@code UngroupedReason}. */
  enum Obstacle {
    /** It is being written. */
    OPEN,
    /** It is in an encryption zone. */
    ENCRYPTED,
    /**
     * It has the attribute that keeps superusers from reading it; they could read the same bytes in
     * a parity file.
     */
    UNREADABLE,
    /** It has lost units, which are repaired first. */
    UNITS_LOST,
    /** The engine could not make a group with it a short time ago. */
    TRIED_BEFORE
  }

  /** The planned groups, and how many files are in none. Immutable. */
  static final class Plan {
    final List<NewGroup> groups;
    /** By reason, how many files are neither in a group nor in a planned one. */
    final Map<String, Long> waiting;

    private Plan(List<NewGroup> groups, Map<String, Long> waiting) {
      this.groups = Collections.unmodifiableList(groups);
      this.waiting = Collections.unmodifiableMap(waiting);
    }
  }

  private final CoreNamespace namespace;
  private final double slack;
  private final long settleMs;

  FilePlanner(CoreNamespace namespace, double slack, long settleMs) {
    this.namespace = namespace;
    this.slack = slack;
    this.settleMs = settleMs;
  }

  /**
   * @param directory the protected directory
   * @param files files that are in no group, also in none that is being made
   * @param tried returns, for an inode id, whether the engine could not make a group with this file
   *     a short time ago
   * @param groupsMax how many groups to plan at most; at least 1
   * @param nowMs the time, ms since 1970 (UTC)
   */
  Plan plan(ProtectedDirectory directory, long directoryId, List<CoreFolder.Entry> files,
      LongPredicate tried, int groupsMax, long nowMs) throws IOException {
    Map<String, Long> waiting = new TreeMap<>();
    Map<String, Integer> filesOfPolicy = new HashMap<>();
    // All files of a group have the same block size, so each block size is planned apart.
    Map<Long, List<CandidateFile>> byBlockSize = new TreeMap<>();
    List<CandidateFile> others = new ArrayList<>();
    List<Long> wanted = new ArrayList<>();
    for (CoreFolder.Entry file : files) {
      int t = Protections.filesPerGroup(file.policy, directory);
      if (t > 0) {
        filesOfPolicy.put(file.policy.name, t);
      }
      boolean isSettling = Math.abs((double) nowMs - file.mtime) < settleMs;
      if (t > 0 && file.bytes > 0 && !isSettling) {
        if (tried.test(file.inodeId)) {
          waiting.merge(word(Obstacle.TRIED_BEFORE), 1L, Long::sum);
        } else {
          wanted.add(file.inodeId);
        }
      } else {
        // GroupFormation finds out why these files cannot be in a group: they are empty, have
        // another policy, or were modified lately.
        others.add(new CandidateFile(file.inodeId, file.bytes, file.bytes == 0 ? 0 : 1,
            file.policy == null ? "" : file.policy.name, directoryId, file.mtime));
      }
    }
    look(wanted, directoryId, byBlockSize, waiting);
    List<NewGroup> groups = new ArrayList<>();
    byBlockSize.put(0L, others);
    for (List<CandidateFile> alike : byBlockSize.values()) {
      FormationRules rules = new FormationRules(filesOfPolicy, slack, settleMs, BLOCK_GROUPS_MAX,
          Math.max(1, groupsMax - groups.size()));
      FormationPlan plan = new GroupFormation(rules).plan(alike, List.of(), nowMs);
      groups.addAll(plan.formed);
      plan.waiting.forEach((reason, list) ->
          waiting.merge(word(reason), (long) list.size(), Long::sum));
    }
    return new Plan(groups, waiting);
  }

  static String word(Enum<?> reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }

  private void look(List<Long> wanted, long directoryId,
      Map<Long, List<CandidateFile>> byBlockSize, Map<String, Long> waiting)
      throws IOException {
    for (Optional<TargetFile> found : namespace.files(wanted)) {
      TargetFile file = found.orElse(null);
      if (file == null || file.parentId != directoryId || file.facts.policy == null
          || file.groups.isEmpty()) {
        // It has changed since the directory was listed. The next walk sees it again.
        continue;
      }
      Optional<Obstacle> obstacle = obstacle(file.facts);
      if (obstacle.isPresent()) {
        waiting.merge(word(obstacle.get()), 1L, Long::sum);
      } else {
        byBlockSize.computeIfAbsent(file.blockBytes, none -> new ArrayList<>())
            .add(candidate(file));
      }
    }
  }

  /** Returns what {@link GroupFormation} has to know of an erasure-coded file. */
  static CandidateFile candidate(TargetFile file) {
    return new CandidateFile(file.inodeId(),
        file.groups.stream().mapToLong(group -> group.bytes).sum(), file.groups.size(),
        file.facts.policy.name, file.parentId, file.facts.mtime);
  }

  /** Returns why a file cannot become a member of a group now; empty if it can. */
  static Optional<Obstacle> obstacle(FileFacts facts) {
    if (facts.open != null || facts.groups.stream().anyMatch(group -> group.bytes < 1)) {
      return Optional.of(Obstacle.OPEN);
    }
    if (facts.encrypted) {
      return Optional.of(Obstacle.ENCRYPTED);
    }
    if (facts.unreadable) {
      return Optional.of(Obstacle.UNREADABLE);
    }
    return facts.lostUnitsMax() > 0 ? Optional.of(Obstacle.UNITS_LOST) : Optional.empty();
  }
}
