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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which files form groups, and what becomes of groups when files change. */
class TestGroupFormation {
  private static final String POLICY = "CORE-T5-12-2-1024k";
  private static final long NOW_MS = 1_000_000;

  @ParameterizedTest
  @ValueSource(strings = {"like-sizes", "directories-and-policies", "not-yet", "kept",
      "member-gone", "changes", "half-done", "bounded"})
  void plansAreTheExpectedOnes(String name) {
    FormationScenario scenario = FormationScenario.read(name);
    assertEquals(String.join("\n", scenario.expected),
        String.join("\n", FormationScenario.lines(scenario.plan())));
    Collections.shuffle(scenario.files, new Random(1));
    Collections.shuffle(scenario.groups, new Random(1));
    assertEquals(scenario.expected, FormationScenario.lines(scenario.plan()),
        "in another order of files");
  }

  @Test
  void wrongInputsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> file(1, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> file(1, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> file(1, -1, 1));
    for (int files : new int[] {-1, 0, 1, 64}) {
      assertThrows(IllegalArgumentException.class,
          () -> new FormationRules(Map.of(POLICY, files), 0, 0, 1, 1));
    }
    for (double slack : new double[] {-0.1, Double.NaN}) {
      assertThrows(IllegalArgumentException.class,
          () -> new FormationRules(Map.of(), slack, 0, 1, 1));
    }
    GroupFormation formation = new GroupFormation(rules(10));
    assertThrows(IllegalArgumentException.class,
        () -> formation.plan(List.of(file(1, 1, 1), file(1, 2, 1)), List.of(), NOW_MS));
    FormedGroup group = new FormedGroup(3, POLICY, List.of());
    assertThrows(IllegalArgumentException.class,
        () -> formation.plan(List.of(), List.of(group, group), NOW_MS));
  }

  private static CandidateFile file(long id, long length, int blockGroups) {
    return new CandidateFile(id, length, blockGroups, POLICY, 1, 0);
  }

  private static FormationRules rules(int groupsMax) {
    return new FormationRules(Map.of(POLICY, 5), 0.25, 1000, 1000, groupsMax);
  }

  /**
   * Files come, go and change; after each plan all its groups are formed, and those that do not fit
   * are dissolved. Each file is always in exactly one place, groups stay unless a file of theirs
   * changes, and a plan without changes before it changes nothing.
   */
  @Test
  void groupsFollowRandomChanges() {
    Random random = new Random(5);
    GroupFormation formation = new GroupFormation(rules(20));
    Map<Long, CandidateFile> files = new HashMap<>();
    Map<Long, FormedGroup> groups = new HashMap<>();
    long nextId = 1;
    int kept = 0;
    int dissolved = 0;
    for (int round = 0; round < 300; round++) {
      Set<Long> touched = new HashSet<>();
      for (int i = 0; i < 30; i++) {
        files.put(nextId, randomFile(nextId, random));
        nextId++;
      }
      List<Long> ids = new ArrayList<>(files.keySet());
      for (int i = 0; i < 8; i++) {
        long id = ids.get(random.nextInt(ids.size()));
        touched.add(id);
        if (random.nextBoolean()) {
          files.remove(id);
        } else {
          files.put(id, randomFile(id, random));
        }
      }
      FormationPlan plan = formation.plan(files.values(), groups.values(), NOW_MS);
      assertPlaces(files, plan);
      for (GroupChange change : plan.changed) {
        assertTrue(change.group.members.stream()
            .anyMatch(member -> touched.contains(member.fileId)), change::toString);
        groups.remove(change.group.groupId);
      }
      kept += plan.kept.size();
      dissolved += plan.changed.size();
      for (NewGroup group : plan.formed) {
        groups.put(nextId, formed(nextId, group));
        nextId++;
      }
      FormationPlan next = formation.plan(files.values(), groups.values(), NOW_MS);
      assertEquals(List.of(), next.changed);
      assertEquals(groups.size(), next.kept.size());
      assertTrue(plan.waiting.containsKey(UngroupedReason.NEXT_PLAN) || next.formed.isEmpty());
    }
    assertTrue(kept > 1000 && dissolved > 100, kept + " kept, " + dissolved + " dissolved");
  }

  private static CandidateFile randomFile(long id, Random random) {
    long length = random.nextInt(5) == 0 ? 0 : (long) Math.exp(random.nextDouble() * 20) + 1;
    return new CandidateFile(id, length, length == 0 ? 0 : (int) (length / 10_000_000) + 1, POLICY,
        random.nextInt(3), random.nextInt(4) == 0 ? NOW_MS - random.nextInt(2000) : 0);
  }

  private static FormedGroup formed(long id, NewGroup group) {
    List<FormedMember> members = new ArrayList<>();
    group.files.forEach(file ->
        members.add(new FormedMember(file.fileId, file.length, file.blockGroups)));
    return new FormedGroup(id, group.policy(), members);
  }

  private static void assertPlaces(Map<Long, CandidateFile> files, FormationPlan plan) {
    Set<Long> seen = new HashSet<>();
    plan.kept.forEach(group ->
        group.members.forEach(member -> assertTrue(seen.add(member.fileId))));
    for (NewGroup group : plan.formed) {
      long bytes = 0;
      for (CandidateFile file : group.files) {
        assertTrue(seen.add(file.fileId));
        assertEquals(group.files.get(0).directoryId, file.directoryId);
        bytes += file.length;
      }
      assertEquals(5, group.files.size());
      assertTrue(group.parityLength() <= 0.25 * bytes, group::toString);
    }
    plan.waiting.values().forEach(waiting ->
        waiting.forEach(file -> assertTrue(seen.add(file.fileId))));
    assertEquals(files.keySet(), seen);
    assertTrue(plan.formed.size() <= 20);
  }
}
