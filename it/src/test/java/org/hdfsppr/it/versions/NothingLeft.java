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
package org.hdfsppr.it.versions;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.Fsck;
import org.hdfsppr.it.convert.OldVersions;
import org.hdfsppr.it.convert.StoredReplicas;
import org.hdfsppr.it.util.Await;

/**
 * Checks of the whole cluster after versions have ended: no version is left in the work folder,
 * fsck finds nothing lost and lists exactly the replicas that are on disks, and the space that a
 * quota counts is the space that the files take.
 */
final class NothingLeft {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(500);

  private final VersionsCluster cluster;

  NothingLeft(VersionsCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Waits until all of that is so.
   *
   * @param quota a folder with a quota
   */
  void await(Path quota) throws IOException, InterruptedException, TimeoutException {
    String[] left = {""};
    Await.until(() -> "nothing is left: " + left[0], LIMIT, POLL, () -> {
      left[0] = left(quota);
      return left[0].isEmpty();
    });
  }

  /** Describes what is left now; empty if nothing is. */
  String left(Path quota) throws IOException {
    DistributedFileSystem client = cluster.client();
    StringBuilder left = new StringBuilder();
    OldVersions leftovers = new OldVersions(cluster.processes, client);
    if (!leftovers.versions().isEmpty()) {
      left.append("versions ").append(leftovers.versions()).append("; ");
    }
    Fsck fsck = Fsck.of(cluster.processes.clientConf());
    if (!fsck.isWhole()) {
      left.append(fsck).append("; ");
    }
    Set<String> listed = fsck.internalBlocks();
    Set<String> stored =
        StoredReplicas.of(cluster.processes).internalBlocks(cluster.processes);
    left.append(difference("listed, not on disk", listed, stored));
    left.append(difference("on disk, not listed", stored, listed));
    QuotaUsage counted = client.getQuotaUsage(quota);
    ContentSummary there = client.getContentSummary(quota);
    if (counted.getSpaceConsumed() != there.getSpaceConsumed() || counted
        .getFileAndDirectoryCount() != there.getFileCount() + there.getDirectoryCount()) {
      left.append("the quota counts ").append(counted).append(", there is ").append(there);
    }
    return left.toString();
  }

  private static String difference(String what, Set<String> some, Set<String> others) {
    Set<String> only = new TreeSet<>(some);
    only.removeAll(others);
    return only.isEmpty() ? "" : what + ": " + only + "; ";
  }
}
