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
package org.hdfsppr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each unit is in a rack of its own, so that commits of several units are collected. */
@Timeout(600)
class TestCollectedCommits {
  private static final int K = 6;
  private static final int GROUPS = 2;

  @TempDir
  static java.nio.file.Path directory;
  private static UpdateCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = UpdateCluster.start(directory, UpdateCluster.WIDTH, "10", UpdateCluster.OWN_RACKS,
        "true");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static long forwarded() {
    return cluster.hdfs().counter("UnitChangesForwarded");
  }

  /**
   * Some of the units change at the same bytes, and each of them at bytes of its own. One parity
   * node of each group gets all of these changes once, and no other node gets one as it is.
   */
  @ParameterizedTest
  @CsvSource({"rs, 3, 4", "rs, 3, 6", "hitchhiker-xorplus, 3, 5", "lrc-rs-l2, 4, 6"})
  void oneNodeGetsEachChangeOnce(String codec, int m, int units) throws IOException {
    String root = "/" + codec + "-" + units;
    cluster.directory(root, codec, K, m);
    cluster.plugin().setUpdatable(root, true, "collect");
    Path file = new Path(root, "file");
    byte[] content = cluster.hdfs().write(file, GROUPS * K * UpdateCluster.UNIT,
        UpdateCluster.UNIT, units);
    Random random = new Random(units);
    CommitChecks checks = new CommitChecks(cluster);
    for (int commit = 1; commit <= 2; commit++) {
      try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
        for (int group = 0; group < GROUPS; group++) {
          for (int unit = 0; unit < units; unit++) {
            int cell = (group * K * UpdateCluster.UNIT / UpdateCluster.CELL) + unit;
            int at = cell * UpdateCluster.CELL;
            TestCommitStrategies.write(updater, content, random, at + 1_000, 5_000);
            TestCommitStrategies.write(updater, content, random, at + 7_000 + 500 * unit, 100);
          }
        }
        updater.hflush();
      }
      long before = forwarded();
      CommitStatus status = cluster.commit(file);
      assertEquals(State.PUBLISHED, status.state(), root + ": " + status);
      assertEquals((long) GROUPS * units, forwarded() - before, "changes that were forwarded");
      checks.assertCommitted(file, content);
      checks.assertSeen(file, content);
    }
  }
}
