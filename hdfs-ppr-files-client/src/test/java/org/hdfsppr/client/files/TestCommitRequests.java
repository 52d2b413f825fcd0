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
package org.hdfsppr.client.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many requests the DataNodes of parity units send to others in a commit. One request brings
 * all slices that come by the same ways, however far apart they are, unless a node is of a version
 * that does not know such requests.
 */
@Timeout(600)
class TestCommitRequests {
  /** Requests with features that a node does not know are counted here, too. */
  private static final String UNSUPPORTED = "HelperRequestsRejectedMalformed";

  @TempDir
  private java.nio.file.Path directory;

  /**
   * Commits updates of one group in a new cluster, and returns the number of requests.
   *
   * @param older how many DataNodes are of the older version
   * @param positions where updates of 100 bytes are
   */
  private long requests(String codec, int m, int older, int... positions) throws IOException {
    try (UpdateCluster cluster = UpdateCluster.start(directory.resolve(codec + older),
        UpdateCluster.WIDTH, String.valueOf(CommitsOnCluster.WIDTH),
        UpdateCluster.OLDER, String.valueOf(older))) {
      cluster.directory("/dir", codec, StrategyCommits.K, m);
      cluster.plugin().setUpdatable("/dir", true, "cau");
      Path file = new Path("/dir", "file");
      byte[] content = cluster.write(file, StrategyCommits.GROUP, StrategyCommits.K, m, 7);
      Random random = new Random(7);
      try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
        for (int position : positions) {
          TestCommitStrategies.write(updater, content, random, position, 100);
        }
        updater.hflush();
      }
      long before = cluster.hdfs().counter("HelperRequestsAccepted");
      CommitStatus status = cluster.commit(file);
      assertEquals(State.PUBLISHED, status.state, status.toString());
      long requests = cluster.hdfs().counter("HelperRequestsAccepted") - before;
      assertEquals(older > 0, cluster.hdfs().counter(UNSUPPORTED) > 0);
      CommitChecks checks = new CommitChecks(cluster);
      checks.assertCommitted(file, content);
      checks.assertSeen(file, content);
      return requests;
    }
  }

  private static int[] anywhere() {
    return new Random(8).ints(40, 0, StrategyCommits.GROUP - 100).toArray();
  }

  @Test
  void oneRequestBringsManySlices() throws IOException {
    long few = requests("rs", 3, 0, anywhere());
    long many = requests("rs", 3, CommitsOnCluster.WIDTH, anywhere());
    assertTrue(few * 3 < many, few + " requests, " + many + " with nodes of an older version");
  }

  /** Nodes of the older version are at any place of trees. */
  @Test
  void ofSomeOlderNodes() throws IOException {
    requests("rs", 3, CommitsOnCluster.WIDTH / 2, anywhere());
  }

  /**
   * With sub-chunks a slice has several runs of bytes. The cells here have only two slices, which
   * come together anyway; the samples of the check are in two cells that do not follow each other.
   */
  @Test
  void alsoOfACodeWithSubChunks() throws IOException {
    int[] positions = {0, 2 * StrategyCommits.K * UpdateCluster.CELL + UpdateCluster.CELL - 200};
    long few = requests("hitchhiker-xorplus", 3, 0, positions);
    long many = requests("hitchhiker-xorplus", 3, CommitsOnCluster.WIDTH, positions);
    assertTrue(few < many, few + " requests, " + many + " with nodes of an older version");
  }
}
