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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.hdfsppr.client.formation.GroupJobResult.Number;
import org.hdfsppr.core.formation.CandidateFile;
import org.hdfsppr.core.formation.FormationRules;
import org.hdfsppr.core.formation.GroupFormation;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.SubmissionTerms;
import org.junit.jupiter.api.Test;

/** Plans of streams of files, against plans of all files at once. */
class TestGroupRounds {
  private static final long SEED = 20261127;
  private static final String POLICY = "RS-3-2-16k";
  private static final int SLACK = 25;

  private final List<List<Long>> submitted = new ArrayList<>();
  private final Map<Number, Long> groups = new EnumMap<>(Number.class);
  private final Map<String, Long> waiting = new TreeMap<>();
  /** Files that the NameNode refuses. */
  private final Map<Long, String> unfit = new HashMap<>();

  private final GroupRounds.Tally tally = new GroupRounds.Tally() {
    @Override
    public void groups(Number which, long number) {
      groups.merge(which, number, Long::sum);
    }

    @Override
    public void waiting(String reason, long files) {
      waiting.merge(reason, files, Long::sum);
    }
  };

  private static CandidateFile file(long id, long length) {
    return new CandidateFile(id, length, length == 0 ? 0 : 1, POLICY, 7, 0);
  }

  private GroupRounds rounds(int perGroup, int filesMax, GroupRounds.Submitter submitter) {
    return new GroupRounds(new SubmissionTerms(CoreDirectory.of("/d", 5, true), SLACK, 0,
        1_000, List.of()), POLICY, perGroup, submitter, tally, 1_000, filesMax);
  }

  private List<GroupAnswer> judge(List<List<Long>> ids) {
    List<GroupAnswer> answers = new ArrayList<>();
    for (List<Long> files : ids) {
      Map<Long, String> refused = new HashMap<>(unfit);
      refused.keySet().retainAll(files);
      answers.add(refused.isEmpty() ? GroupAnswer.TAKEN : GroupAnswer.unfit(refused));
      if (refused.isEmpty()) {
        submitted.add(files);
      }
    }
    return answers;
  }

  private static void sort(List<CandidateFile> files) {
    files.sort(Comparator.comparingLong((CandidateFile file) -> file.length).reversed()
        .thenComparingLong((CandidateFile file) -> file.fileId));
  }

  /** Parts of a stream give the groups of the whole. */
  @Test
  void streamsArePlannedAsAWhole() throws IOException {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      int perGroup = 2 + random.nextInt(5);
      List<CandidateFile> files = new ArrayList<>();
      int count = 1 + random.nextInt(200);
      for (int i = 0; i < count; i++) {
        files.add(file(1 + i, random.nextInt(10) == 0 ? 0
            : (long) Math.exp(random.nextDouble() * 8)));
      }
      List<List<Long>> expected = new ArrayList<>();
      new GroupFormation(new FormationRules(Map.of(POLICY, perGroup), SLACK / 100.0, 0, 1_000,
          1_000)).plan(files, List.of(), 1_000).formed.forEach(group -> {
            List<Long> ids = new ArrayList<>();
            group.files.forEach(file -> ids.add(file.fileId));
            expected.add(ids);
          });
      submitted.clear();
      groups.clear();
      waiting.clear();
      GroupRounds rounds = rounds(perGroup, perGroup + random.nextInt(40), this::judge);
      sort(files);
      for (CandidateFile file : files) {
        rounds.add(file);
      }
      rounds.end();
      assertEquals(expected, submitted, "round " + round);
      assertEquals(expected.size(), groups.getOrDefault(Number.TAKEN, 0L));
      assertEquals(count, expected.size() * perGroup
          + waiting.values().stream().mapToLong(Long::longValue).sum());
    }
  }

  /** Refused files are left out, no file is in two groups, and each is counted once. */
  @Test
  void theOthersOfARefusedGroupArePlannedAgain() throws IOException {
    GroupRounds rounds = rounds(3, 100, this::judge);
    unfit.put(2L, "open");
    unfit.put(4L, "in_group");
    for (long id = 1; id <= 8; id++) {
      rounds.add(file(id, 1_000));
    }
    rounds.end();
    assertEquals(List.of(List.of(1L, 3L, 5L), List.of(6L, 7L, 8L)), submitted);
    assertEquals(Map.of("open", 1L, "in_group", 1L), waiting);
    assertEquals(Map.of(Number.TAKEN, 2L), groups);
  }

  @Test
  void randomRefusalsEnd() throws IOException {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    for (int round = 0; round < 100; round++) {
      submitted.clear();
      groups.clear();
      waiting.clear();
      unfit.clear();
      int perGroup = 2 + random.nextInt(4);
      GroupRounds rounds = rounds(perGroup, perGroup + random.nextInt(20), this::judge);
      int count = random.nextInt(120);
      for (long id = 1; id <= count; id++) {
        if (random.nextInt(4) == 0) {
          unfit.put(id, "open");
        }
        rounds.add(file(id, 1_000));
      }
      rounds.end();
      Set<Long> seen = new HashSet<>();
      submitted.forEach(group -> group.forEach(file -> {
        assertTrue(seen.add(file), file + " is in two groups");
        assertTrue(!unfit.containsKey(file), file + " is refused");
      }));
      assertEquals(count, seen.size()
          + waiting.values().stream().mapToLong(Long::longValue).sum());
      // All are alike, so that fewer than a group of them are left.
      assertTrue(waiting.getOrDefault("no_like_files", 0L) < perGroup, waiting.toString());
    }
  }

  @Test
  void groupsThatAreNotTakenAreCounted() throws IOException {
    GroupRounds rounds = rounds(2, 100, ids -> List.of(GroupAnswer.later("queue_full"),
        GroupAnswer.refused("other_rules"), GroupAnswer.TAKEN));
    for (long id = 1; id <= 7; id++) {
      rounds.add(file(id, 1_000));
    }
    rounds.end();
    assertEquals(Map.of(Number.LEFT, 1L, Number.TAKEN, 1L), groups);
    assertEquals(Map.of("other_rules", 2L, "no_like_files", 1L), waiting);
  }
}
