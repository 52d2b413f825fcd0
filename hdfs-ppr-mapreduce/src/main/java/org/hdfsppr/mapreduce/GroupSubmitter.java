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
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.GroupSubmission;

/**
 * Submits groups in calls of a bounded size, and submits those again, after pauses, for which the
 * NameNode has no room now. It waits for a bounded time in all, so that a job ends although groups
 * are made slowly. Used by one thread.
 */
@InterfaceAudience.Private
final class GroupSubmitter implements GroupRounds.Submitter {
  /** The pause before groups are submitted again, s. */
  static final long PAUSE_S = 5;
  /** How long a task waits in all for room at the NameNode, s. */
  static final long WAIT_S_MAX = 600;

  /** Calls the NameNode. */
  interface Call {
    List<GroupAnswer> submit(GroupSubmission submission) throws IOException;
  }

  /** Waits. */
  interface Pause {
    void await(long seconds) throws IOException;
  }

  private final String path;
  private final Call call;
  private final Pause pause;
  private long waitedS;

  /** @param path path of the protected directory */
  GroupSubmitter(String path, Call call, Pause pause) {
    this.path = path;
    this.call = call;
    this.pause = pause;
  }

  @Override
  public List<GroupAnswer> submit(List<List<Long>> groups) throws IOException {
    List<GroupAnswer> answers = new ArrayList<>();
    for (int from = 0; from < groups.size(); from += GroupSubmission.GROUPS_MAX) {
      answers.addAll(submitPart(groups.subList(from,
          Math.min(groups.size(), from + GroupSubmission.GROUPS_MAX))));
    }
    return answers;
  }

  private List<GroupAnswer> submitPart(List<List<Long>> groups) throws IOException {
    GroupAnswer[] answers = new GroupAnswer[groups.size()];
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      open.add(i);
    }
    while (true) {
      List<List<Long>> asked = new ArrayList<>();
      open.forEach(index -> asked.add(groups.get(index)));
      List<GroupAnswer> now = call.submit(new GroupSubmission(path, asked));
      List<Integer> later = new ArrayList<>();
      for (int i = 0; i < open.size(); i++) {
        answers[open.get(i)] = now.get(i);
        if (now.get(i).later) {
          later.add(open.get(i));
        }
      }
      if (later.isEmpty() || waitedS >= WAIT_S_MAX) {
        return Arrays.asList(answers);
      }
      open = later;
      waitedS += PAUSE_S;
      pause.await(PAUSE_S);
    }
  }
}
