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
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.formation.GroupJobResult.Number;
import org.hdfsppr.client.plugin.PluginCalls;
import org.hdfsppr.core.formation.CandidateFile;
import org.hdfsppr.operate.SubmissionTerms;

/** Plans groups of the files of one directory and policy, and submits them to the NameNode. */
@InterfaceAudience.Private
final class GroupReducer extends Reducer<LikeFiles, FileFact, NullWritable, NullWritable> {
  /** The counters of files that are in no group: one for each reason. */
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
    // Hadoop changes the key with each value.
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
}
