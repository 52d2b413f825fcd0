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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Units that are still to be made are no lost ones.
 *
 * <p>For the NameNode, a complete group has lost the units that are not made yet, once it has
 * waited for their reports. Here it waits a second only.
 */
@Timeout(300)
class TestUnitsNotYetMade {
  private static final long SEED = 20261125;

  @TempDir
  File directory;
  private VersionCluster cluster;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = VersionCluster.conf(directory);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 1);
    cluster = VersionCluster.start(conf);
    cluster.awaitPolicies();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  /** The rate lets each making but the first one wait for longer than the NameNode does. */
  @Test
  void areNotRepaired() throws Exception {
    byte[] data = cluster.write("/ec/slow", (int) (VersionCluster.BLOCK * 6 * 4), SEED);
    VersionOutcome outcome = cluster.make(
        cluster.request("/ec/slow", VersionCluster.LRC).bytesPerSecond(50_000).build());
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    cluster.assertContent("/ec/slow", data);
    assertEquals(0, cluster.repairs(), "repairs would make the same units a second time");
    cluster.awaitNothingLeft();
    cluster.awaitReplicas(4 * 10);
  }
}
