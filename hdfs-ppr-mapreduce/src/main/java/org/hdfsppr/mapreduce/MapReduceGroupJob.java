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

import java.io.DataInput;
import java.io.DataOutput;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ClassUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.hdfsppr.client.formation.GroupJob;
import org.hdfsppr.client.formation.GroupJobResult;
import org.hdfsppr.client.formation.GroupJobResult.Number;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.core.formation.ProtectedFiles;
import org.hdfsppr.core.formation.UngroupedReason;
import org.hdfsppr.operate.SubmissionTerms;

/**
 * Finds CORE groups by a MapReduce job: on YARN if the configuration says so, otherwise in this
 * process.
 */
@InterfaceAudience.Private
public final class MapReduceGroupJob implements GroupJob {
  /**
   * How many mappers run at the same time, unless the configuration says it. Each mapper asks the
   * NameNode for listings all the time, so more mappers would be a heavy load for the NameNode.
   */
  private static final int MAPPERS = 16;
  /**
   * How many reducers the job has, unless the configuration names more than one. The NameNode takes
   * groups one by one, so more reducers would not be faster.
   */
  private static final int REDUCERS = 4;
  /**
   * Hadoop's configuration key for the local jars that it copies to the tasks. The option -libjars
   * sets it, too.
   */
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

  /** Makes the job. Its tasks ask the NameNode with a delegation token of the user. */
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
    // With speculative execution, two attempts at one task would submit the same groups.
    job.setSpeculativeExecution(false);
    job.setJarByClass(MapReduceGroupJob.class);
    // The client has two jars: one for repairs, in which the file system is, and one for files.
    ship(PprKeys.class, own);
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
   * Names the user as the renewer of the job's token if the configuration names no ResourceManager.
   * Hadoop gets a token only if there is a principal that may renew it, even for a job in this
   * process. Hadoop takes the principal of the ResourceManager, and a host without YARN's settings
   * has none.
   */
  private static void nameRenewer(Configuration conf) throws IOException {
    if (UserGroupInformation.isSecurityEnabled()
        && MRConfig.LOCAL_FRAMEWORK_NAME.equals(conf.get(MRConfig.FRAMEWORK_NAME))
        && conf.get(YarnConfiguration.RM_PRINCIPAL) == null) {
      conf.set(YarnConfiguration.RM_PRINCIPAL,
          UserGroupInformation.getCurrentUser().getUserName());
    }
  }

  /** Makes Hadoop copy the jar that contains a class to the tasks. */
  private static void ship(Class<?> wanted, Configuration conf) throws IOException {
    String jar = ClassUtil.findContainingJar(wanted);
    if (jar != null) {
      String uri = FileSystem.getLocal(conf).makeQualified(new Path(new File(jar).toURI()))
          .toString();
      Collection<String> jars = new LinkedHashSet<>(conf.getTrimmedStringCollection(JARS));
      jars.add(uri);
      conf.set(JARS, String.join(",", jars));
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

  /**
   * Splits the tree of a protected directory into parts for the mappers. It lists the uppermost
   * directories until there are several parts for each mapper. With several smaller parts for each
   * mapper, a single large part delays the job less.
   */
  static final class TreeInputFormat extends InputFormat<NullWritable, ListedTree> {
    /** How many mappers the job has at most. Hadoop runs some of them at the same time. */
    static final int SPLITS_MAX = 64;
    /** Into how many parts the tree is split, if it has enough directories near its root. */
    private static final int TREES = 4 * SPLITS_MAX;
    /**
     * How many directories are listed at most before the job begins. They are listed one after the
     * other, and in a narrow tree many listings give only a few parts.
     */
    private static final int LISTED_MAX = 1_000;

    @Override
    public List<InputSplit> getSplits(JobContext job) throws IOException, InterruptedException {
      SubmissionTerms terms = JobTerms.of(job.getConfiguration());
      TreeLister lister = TreeLister.of(job.getConfiguration(), terms);
      List<ListedTree> trees = new ArrayList<>();
      Deque<ListedTree> uncut = new ArrayDeque<>();
      uncut.add(lister.root(terms.directory.recursive));
      while (!uncut.isEmpty() && uncut.peek().isDeep() && uncut.size() < TREES
          && trees.size() < LISTED_MAX) {
        ListedTree cut = uncut.remove();
        trees.add(cut.alone());
        lister.list(cut, new TreeLister.Taker() {
          @Override
          public void file(HdfsFileStatus file) {
            // A mapper takes the files.
          }

          @Override
          public void below(ListedTree tree) {
            uncut.add(tree);
          }
        });
      }
      trees.addAll(uncut);
      return split(trees);
    }

    /**
     * Distributes the parts among the mappers. Parts that are neighbours in the tree go to
     * different mappers.
     */
    static List<InputSplit> split(List<ListedTree> trees) {
      List<TreeSplit> splits = new ArrayList<>();
      for (int i = 0; i < trees.size(); i++) {
        if (i < SPLITS_MAX) {
          splits.add(new TreeSplit());
        }
        splits.get(i % SPLITS_MAX).add(trees.get(i));
      }
      return new ArrayList<>(splits);
    }

    @Override
    public RecordReader<NullWritable, ListedTree> createRecordReader(InputSplit split,
        TaskAttemptContext context) {
      return new TreeReader();
    }

    /** Reads the parts of a mapper. */
    private static final class TreeReader extends RecordReader<NullWritable, ListedTree> {
      private List<ListedTree> trees = List.of();
      private int next;

      @Override
      public void initialize(InputSplit split, TaskAttemptContext context) {
        trees = ((TreeSplit) split).trees;
      }

      @Override
      public boolean nextKeyValue() {
        return next++ < trees.size();
      }

      @Override
      public NullWritable getCurrentKey() {
        return NullWritable.get();
      }

      @Override
      public ListedTree getCurrentValue() {
        return trees.get(next - 1);
      }

      @Override
      public float getProgress() {
        return trees.isEmpty() ? 1 : Math.min(1, (float) next / trees.size());
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    }
  }

  /** Lists directories, and sends their erasure-coded files to the reducers. */
  static final class FileMapper extends Mapper<NullWritable, ListedTree, LikeFiles, FileFact> {
    private TreeLister lister;
    private int ofReedSolomon;

    @Override
    protected void setup(Context context) throws IOException {
      SubmissionTerms terms = JobTerms.of(context.getConfiguration());
      lister = TreeLister.of(context.getConfiguration(), terms);
      ofReedSolomon = terms.directory.files;
    }

    @Override
    protected void map(NullWritable none, ListedTree tree, Context context)
        throws IOException, InterruptedException {
      Deque<ListedTree> left = new ArrayDeque<>();
      left.push(tree);
      while (!left.isEmpty()) {
        ListedTree directory = left.pop();
        boolean isListed = lister.list(directory, new TreeLister.Taker() {
          @Override
          public void file(HdfsFileStatus file) throws IOException, InterruptedException {
            send(directory, file, context);
          }

          @Override
          public void below(ListedTree below) {
            left.push(below);
          }
        });
        context.getCounter(isListed ? Number.DIRECTORIES : Number.UNLISTED).increment(1);
        context.progress();
      }
    }

    private void send(ListedTree directory, HdfsFileStatus file, Context context)
        throws IOException, InterruptedException {
      context.getCounter(Number.FILES).increment(1);
      ErasureCodingPolicy policy = file.getErasureCodingPolicy();
      int perGroup = policy == null || policy.isReplicationPolicy() ? 0
          : ProtectedFiles.perGroup(policy.getCodecName(), ofReedSolomon);
      if (perGroup == 0) {
        context.getCounter(GroupReducer.WAITING,
            UngroupedReason.OTHER_POLICY.name().toLowerCase(Locale.ROOT)).increment(1);
        return;
      }
      long groupBytes = file.getBlockSize() * policy.getNumDataUnits();
      int blockGroups =
          (int) Math.min(Integer.MAX_VALUE, (file.getLen() + groupBytes - 1) / groupBytes);
      context.write(new LikeFiles(directory.inodeId(), policy.getName(), file.getBlockSize(),
          file.getLen(), file.getFileId()),
          new FileFact(file.getModificationTime(), blockGroups, perGroup));
    }
  }

  /** The directories that one mapper lists. */
  static final class TreeSplit extends InputSplit implements Writable {
    final List<ListedTree> trees = new ArrayList<>();

    /** Makes a split without directories. {@link #add} or {@link #readFields} adds them. */
    TreeSplit() {
    }

    void add(ListedTree tree) {
      trees.add(tree);
    }

    @Override
    public long getLength() {
      return trees.size();
    }

    @Override
    public String[] getLocations() {
      // A mapper only asks the NameNode, so that it may run on any node.
      return new String[0];
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeInt(trees.size());
      for (ListedTree tree : trees) {
        tree.write(out);
      }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      trees.clear();
      for (int left = in.readInt(); left > 0; left--) {
        ListedTree tree = new ListedTree();
        tree.readFields(in);
        trees.add(tree);
      }
    }

    /** Hadoop logs this. */
    @Override
    public String toString() {
      return trees.isEmpty() ? "nothing" : trees.size() + " parts, the first one " + trees.get(0);
    }
  }
}
