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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.hdfsppr.operate.SubmissionTerms;

/**
 * Splits a protected tree into parts for the mappers. It lists the uppermost directories, until
 * there are some parts for each mapper, so that one large part delays the job less.
 */
@InterfaceAudience.Private
final class TreeInputFormat extends InputFormat<NullWritable, ListedTree> {
  /** The most mappers. Hadoop runs some of them at a time. */
  static final int SPLITS_MAX = 64;
  /** The parts of the tree that are wanted. */
  private static final int TREES = 4 * SPLITS_MAX;
  /** The most directories that are listed before the job: of a narrow tree, one after the other. */
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

  /** Deals the parts out, neighbours to different mappers. */
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
