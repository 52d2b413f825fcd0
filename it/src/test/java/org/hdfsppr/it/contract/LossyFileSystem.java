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
package org.hdfsppr.it.contract;

import java.io.IOException;
import java.util.EnumSet;

import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Progressable;

/** A file system that loses the disks of DataNodes each time a file is opened. */
final class LossyFileSystem extends FilterFileSystem {
  private final StripedCluster cluster;
  private final int disks;
  private int lost;

  /**
   * @param disks how many disks are lost at each open; 0 for a file system without losses
   */
  LossyFileSystem(StripedCluster cluster, int disks) {
    super(cluster.client);
    this.cluster = cluster;
    this.disks = disks;
  }

  private void lose(Path file) throws IOException {
    if (disks > 0) {
      cluster.awaitReported(file);
    }
    lose();
  }

  private void lose() throws IOException {
    lost += cluster.loseDisks(disks);
  }

  /** Returns how many units were lost so far. */
  int lostUnits() {
    return lost;
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    lose(file);
    return super.open(file, bufferSize);
  }

  @Override
  public FSDataInputStream open(PathHandle file, int bufferSize) throws IOException {
    lose();
    return super.open(file, bufferSize);
  }

  @Override
  public FutureDataInputStreamBuilder openFile(Path path) throws IOException {
    lose(path);
    return super.openFile(path);
  }

  @Override
  public FutureDataInputStreamBuilder openFile(PathHandle path) throws IOException {
    lose();
    return super.openFile(path);
  }

  /**
   * Appends in a new block group, because erasure-coded files do not allow appending to their last
   * group.
   */
  @Override
  public FSDataOutputStream append(Path file, int bufferSize, Progressable progress)
      throws IOException {
    return cluster.client.append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK),
        bufferSize, progress);
  }

  /** As above; Hadoop's tests append by either call. */
  @Override
  public DistributedFileSystem.HdfsDataOutputStreamBuilder appendFile(Path file) {
    return cluster.client.appendFile(file).newBlock();
  }

  @Override
  public void close() {
    // The underlying file system stays open. All tests share it, and the cluster closes it.
  }
}
