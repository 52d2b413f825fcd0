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

import java.io.IOException;
import java.nio.file.Path;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionHooks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of commits whose files have six data units. All tests of a class share a cluster, and each
 * has files in directories of its own.
 */
abstract class CommitsOnCluster {
  /** DataNodes of the cluster; repairs find enough nodes also if one is dead. */
  static final int WIDTH = 11;

  @TempDir
  static Path directory;
  static UpdateCluster cluster;
  static CommitChecks checks;

  @BeforeAll
  static void startCluster() throws IOException {
    // Tests count what crosses racks with one interim replica, as CAU's r* is by default.
    cluster = UpdateCluster.start(directory, UpdateCluster.WIDTH, String.valueOf(WIDTH),
        PprKeys.NAMENODE_UPDATE_REPLICAS_KEY, "1");
    checks = new CommitChecks(cluster);
  }

  @AfterAll
  static void stopCluster() {
    if (cluster != null) {
      cluster.close();
      cluster = null;
    }
  }

  @AfterEach
  void hookNothing() {
    VersionHooks.set(VersionHook.NONE);
  }
}
