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
import java.util.Deque;
import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.hdfsppr.client.formation.GroupJobResult.Number;
import org.hdfsppr.core.formation.ProtectedFiles;
import org.hdfsppr.core.formation.UngroupedReason;
import org.hdfsppr.operate.SubmissionTerms;

/** Lists directories, and sends their erasure-coded files to the reducers. */
@InterfaceAudience.Private
final class FileMapper extends Mapper<NullWritable, ListedTree, LikeFiles, FileFact> {
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
