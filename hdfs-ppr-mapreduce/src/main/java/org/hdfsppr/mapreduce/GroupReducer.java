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
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.files.call.PluginCalls;
import org.hdfsppr.client.formation.GroupJobResult.Number;
import org.hdfsppr.core.formation.CandidateFile;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.GroupSubmission;
import org.hdfsppr.operate.SubmissionTerms;

/** Plans CORE groups of the files of one directory and policy, and submits them to the NameNode. */
final class GroupReducer extends Reducer<LikeFiles, FileFact, NullWritable, NullWritable> {
  /**
   * The name of a group of job counters. Its counters count files that are in no CORE group, one
   * counter for each reason.
   */
  static final String WAITING = "hdfs-ppr files in no group";

  private SubmissionTerms terms;
  private GroupSubmitter submitter;

  @Override
  protected void setup(Context context) throws IOException {
    terms = JobTerms.of(context.getConfiguration());
    PluginCalls calls = PluginCalls.of(context.getConfiguration(),
        seconds -> sleep(seconds, context), Time::monotonicNow);
    submitter = new GroupSubmitter(terms.directory.path, submission -> {
      context.progress();
      return calls.call(plugin -> plugin.submitGroups(submission));
    }, seconds -> {
      if (!sleep(seconds, context)) {
        throw new InterruptedIOException("The task is ended while it waits for the NameNode");
      }
    });
  }

  /** Waits, and tells Hadoop that the task lives; returns false if the task has to end. */
  private static boolean sleep(long seconds, Context context) {
    try {
      context.progress();
      TimeUnit.SECONDS.sleep(seconds);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  protected void reduce(LikeFiles key, Iterable<FileFact> facts, Context context)
      throws IOException {
    GroupRounds rounds = null;
    // Hadoop fills the same key object anew for each value, so the key is read within the loop.
    for (FileFact fact : facts) {
      if (rounds == null) {
        rounds = new GroupRounds(terms, key.policy(), fact.perGroup(), submitter,
            new Counting(context), Time.now(), GroupRounds.FILES_MAX);
      }
      rounds.add(new CandidateFile(key.fileId(), key.length(), fact.blockGroups(), key.policy(),
          key.directoryId(), fact.modifiedMs()));
    }
    if (rounds != null) {
      rounds.end();
    }
  }

  /** Counts in the job's counters. */
  private static final class Counting implements GroupRounds.Tally {
    private final Context context;

    private Counting(Context context) {
      this.context = context;
    }

    @Override
    public void groups(Number which, long groups) {
      context.getCounter(which).increment(groups);
    }

    @Override
    public void waiting(String reason, long files) {
      context.getCounter(WAITING, reason).increment(files);
    }
  }

  /**
   * Submits CORE groups to the NameNode, a bounded number of them in each call. If the NameNode has
   * no room for some groups now, this class submits them again after a pause. All pauses together
   * are bounded, so that a job ends even if earlier groups are made slowly. Used by one thread.
   */
  static final class GroupSubmitter implements GroupRounds.Submitter {
    /** The pause before groups are submitted again, s. */
    static final long PAUSE_S = 5;
    /** How long one task waits at most, all its pauses together, s. */
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
}
