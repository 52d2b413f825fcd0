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
import java.util.List;
import org.hdfsppr.mapreduce.GroupReducer.GroupSubmitter;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.GroupSubmission;
import org.junit.jupiter.api.Test;

/** Calls with many groups, and a NameNode that has no room. */
class TestGroupSubmitter {
  private final List<Integer> calls = new ArrayList<>();
  private long waitedS;
  private int room = Integer.MAX_VALUE;

  private final GroupSubmitter submitter =
      new GroupSubmitter("/d", this::answer, seconds -> waitedS += seconds);

  private List<GroupAnswer> answer(GroupSubmission submission) {
    assertEquals("/d", submission.path);
    calls.add(submission.groups.size());
    List<GroupAnswer> answers = new ArrayList<>();
    for (List<Long> files : submission.groups) {
      answers.add(files.get(0) % 10 == 1 ? GroupAnswer.refused("other_rules")
          : room-- > 0 ? GroupAnswer.TAKEN : GroupAnswer.later("queue_full"));
    }
    return answers;
  }

  private static List<List<Long>> groups(int count) {
    List<List<Long>> groups = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      groups.add(List.of(2 * i + 2, 2 * i + 3));
    }
    return groups;
  }

  @Test
  void manyGroupsGoInSeveralCalls() throws IOException {
    List<GroupAnswer> answers = submitter.submit(groups(250));
    assertEquals(List.of(100, 100, 50), calls);
    assertEquals(250, answers.size());
    answers.forEach(answer -> assertTrue(answer.isTaken()));
    assertEquals(0, waitedS);
  }

  @Test
  void whatHasNoRoomIsSubmittedAgain() throws IOException {
    GroupSubmitter patient = new GroupSubmitter("/d", this::answer, seconds -> {
      waitedS += seconds;
      room = 4;
    });
    room = 3;
    List<List<Long>> groups = new ArrayList<>(groups(9));
    groups.add(1, List.of(11L, 12L));
    List<GroupAnswer> answers = patient.submit(groups);
    assertEquals(List.of(10, 6, 2), calls);
    assertEquals(2 * GroupSubmitter.PAUSE_S, waitedS);
    for (int i = 0; i < 10; i++) {
      assertEquals(i != 1, answers.get(i).isTaken(), "group " + i);
    }
    assertEquals("other_rules", answers.get(1).reason);
  }

  /** A task waits for a bounded time in all, and asks once for each group after that. */
  @Test
  void theWaitIsBounded() throws IOException {
    room = 0;
    submitter.submit(groups(2)).forEach(answer -> assertTrue(answer.later));
    assertEquals(GroupSubmitter.WAIT_S_MAX, waitedS);
    int before = calls.size();
    submitter.submit(groups(150)).forEach(answer -> assertTrue(answer.later));
    assertEquals(GroupSubmitter.WAIT_S_MAX, waitedS);
    assertEquals(before + 2, calls.size());
  }
}
