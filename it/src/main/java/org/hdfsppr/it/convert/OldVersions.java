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
package org.hdfsppr.it.convert;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Await;

/** Finds what conversions have left behind: versions in the work folder, and old replicas. */
@InterfaceAudience.Private
public final class OldVersions {
  /** Patterns of the folders of versions that are made or kept. */
  private static final List<Path> VERSIONS = List.of(new Path("/.hdfs-ppr/versions/*"),
      new Path("/.hdfs-ppr/conversions/*/*"), new Path("/.hdfs-ppr/commits/*/*"));

  private static final Duration POLL = Duration.ofMillis(500);

  private final HdfsProcessCluster cluster;
  private final DistributedFileSystem client;

  /**
   * @param cluster a running cluster
   * @param client a superuser's client of the cluster
   */
  public OldVersions(HdfsProcessCluster cluster, DistributedFileSystem client) {
    this.cluster = cluster;
    this.client = client;
  }

  /**
   * {@return the versions in the work folder; empty if there are none}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public List<Path> versions() throws IOException {
    List<Path> versions = new ArrayList<>();
    for (Path pattern : VERSIONS) {
      FileStatus[] all = client.globStatus(pattern);
      // Null where no version was ever made.
      for (FileStatus version : all == null ? new FileStatus[0] : all) {
        versions.add(version.getPath());
      }
    }
    return versions;
  }

  /**
   * Waits until no version is in the work folder, and no disk has a replica of the old blocks.
   *
   * @param oldIds the ids of internal blocks that files had before
   * @param limit the longest time to wait
   * @throws TimeoutException if something is left; says what
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void awaitNone(Set<Long> oldIds, Duration limit)
      throws IOException, InterruptedException, TimeoutException {
    String[] left = {""};
    Await.until(() -> "nothing of old versions is left: " + left[0], limit, POLL, () -> {
      List<Path> versions = versions();
      StoredReplicas replicas = StoredReplicas.of(cluster).only(oldIds);
      left[0] = versions + ", " + replicas.describe();
      return versions.isEmpty() && replicas.count() == 0;
    });
  }
}
