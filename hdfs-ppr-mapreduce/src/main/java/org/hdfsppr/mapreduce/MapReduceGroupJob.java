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

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ClassUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.hdfsppr.client.formation.GroupJob;
import org.hdfsppr.client.formation.GroupJobResult;
import org.hdfsppr.client.formation.GroupJobResult.Number;
import org.hdfsppr.operate.SubmissionTerms;

/**
 * Finds groups by a MapReduce job: on YARN if the configuration says so, otherwise in this process.
 */
@InterfaceAudience.Private
public final class MapReduceGroupJob implements GroupJob {
  /** The mappers that run at a time, unless the configuration says it: each lists all the time. */
  private static final int MAPPERS = 16;
  /** The reducers, unless the configuration says it: the NameNode takes groups one by one. */
  private static final int REDUCERS = 4;
  /** Hadoop's key of local jars that are copied to the tasks, as with the option -libjars. */
  private static final String JARS = "tmpjars";

  @Override
  public GroupJobResult run(Configuration configuration, SubmissionTerms terms)
      throws IOException {
    try {
      Job job = job(configuration, terms);
      if (!job.waitForCompletion(false)) {
        throw new IOException("The job " + job.getJobID() + " has failed: "
            + job.getStatus().getFailureInfo() + "; its tasks' logs say more, and groups that were"
            + " submitted before are formed");
      }
      return result(job.getCounters());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Nothing waits for the job any more");
    } catch (ClassNotFoundException e) {
      throw new IOException("The job has failed: " + e, e);
    }
  }

  /** Makes the job, with a token of the user for its tasks. */
  static Job job(Configuration configuration, SubmissionTerms terms) throws IOException {
    Configuration conf = new Configuration(configuration);
    JobTerms.set(conf, terms);
    Job job = Job.getInstance(conf, "hdfs-ppr: groups of " + terms.directory.path);
    Configuration own = job.getConfiguration();
    if (own.getInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, 0) == 0) {
      own.setInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, MAPPERS);
    }
    if (job.getNumReduceTasks() <= 1) {
      job.setNumReduceTasks(REDUCERS);
    }
    // A second attempt beside the first would submit the same groups.
    job.setSpeculativeExecution(false);
    job.setJarByClass(MapReduceGroupJob.class);
    ship(GroupJob.class, own);
    job.setInputFormatClass(TreeInputFormat.class);
    job.setMapperClass(FileMapper.class);
    job.setMapOutputKeyClass(LikeFiles.class);
    job.setMapOutputValueClass(FileFact.class);
    job.setPartitionerClass(LikeFiles.Spread.class);
    job.setGroupingComparatorClass(LikeFiles.Together.class);
    job.setReducerClass(GroupReducer.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    nameRenewer(own);
    TokenCache.obtainTokensForNamenodes(job.getCredentials(),
        new Path[] {new Path(FileSystem.getDefaultUri(own))}, own);
    return job;
  }

  /**
   * Hadoop takes a token only for a ResourceManager that renews it, also for a job in this process.
   * A host without YARN's settings names none: there, the user may renew it.
   */
  private static void nameRenewer(Configuration conf) throws IOException {
    if (UserGroupInformation.isSecurityEnabled()
        && MRConfig.LOCAL_FRAMEWORK_NAME.equals(conf.get(MRConfig.FRAMEWORK_NAME))
        && conf.get(YarnConfiguration.RM_PRINCIPAL) == null) {
      conf.set(YarnConfiguration.RM_PRINCIPAL,
          UserGroupInformation.getCurrentUser().getUserName());
    }
  }

  /** Has the jar with a class copied to the tasks. */
  private static void ship(Class<?> wanted, Configuration conf) throws IOException {
    String jar = ClassUtil.findContainingJar(wanted);
    if (jar != null) {
      String uri = FileSystem.getLocal(conf).makeQualified(new Path(new File(jar).toURI()))
          .toString();
      String others = conf.get(JARS, "");
      conf.set(JARS, others.isEmpty() ? uri : others + "," + uri);
    }
  }

  private static GroupJobResult result(Counters counters) throws IOException {
    if (counters == null) {
      throw new IOException("The job is done, but Hadoop has no counters of it any more");
    }
    Map<Number, Long> numbers = new EnumMap<>(Number.class);
    for (Number number : Number.values()) {
      numbers.put(number, counters.findCounter(number).getValue());
    }
    Map<String, Long> waiting = new TreeMap<>();
    for (Counter counter : counters.getGroup(GroupReducer.WAITING)) {
      waiting.put(counter.getName(), counter.getValue());
    }
    return new GroupJobResult(numbers, waiting);
  }
}
