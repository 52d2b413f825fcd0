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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.server.namenode.UpdateAccess;
import org.apache.hadoop.test.GenericTestUtils;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;
import org.hdfsppr.operate.UpdateProtocol;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.update.CommitWays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Commits are right under each strategy, and do what it says. */
@Timeout(600)
class TestCommitStrategies extends CommitsOnCluster {
  private static final int K = 6;
  private static final int GROUP = K * UpdateCluster.UNIT;

  private static long forwarded() {
    return cluster.hdfs().counter("UnitChangesForwarded");
  }

  /** Updates the same bytes of all data units of each group, and others at random. */
  private static void update(Path file, byte[] content, long seed) throws IOException {
    Random random = new Random(seed);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      for (int cell = 0; (cell + 1) * UpdateCluster.CELL <= content.length; cell++) {
        if (cell / K % 3 == 0) {
          write(updater, content, random, cell * UpdateCluster.CELL + 1_000, 3_000);
        }
      }
      for (int i = 0; i < 10; i++) {
        int length = 1 + random.nextInt(2 * UpdateCluster.CELL);
        write(updater, content, random, random.nextInt(content.length - length), length);
      }
      updater.hflush();
    }
  }

  /** Writes random bytes into a file, and into what it has to contain. */
  static void write(FileUpdater updater, byte[] content, Random random, int position,
      int length) throws IOException {
    byte[] update = new byte[length];
    random.nextBytes(update);
    updater.write(position, update);
    System.arraycopy(update, 0, content, position, length);
  }

  private static void commitsAreRight(String root, String codec, int m, String strategy,
      long seed) throws IOException {
    cluster.directory(root, codec, K, m);
    assertTrue(cluster.plugin().setUpdatable(root, true, strategy));
    assertFalse(cluster.plugin().setUpdatable(root, true, strategy));
    Path file = new Path(root, "file");
    byte[] content =
        cluster.hdfs().write(file, 2 * GROUP + 12_345, UpdateCluster.UNIT, seed);
    for (int commit = 1; commit <= 2; commit++) {
      update(file, content, seed + commit);
      CommitStatus status = cluster.commit(file);
      assertEquals(State.PUBLISHED, status.state, root + ": " + status);
      checks.assertCommitted(file, content);
      checks.assertSeen(file, content);
    }
  }

  /** Each strategy with RS, and with one of two other codes. */
  @Test
  void allStrategiesAndCodesMakeTheSameBytes() throws IOException {
    long all = forwarded();
    for (int i = 0; i < CommitWays.STRATEGIES.size(); i++) {
      String strategy = CommitWays.STRATEGIES.get(i);
      long before = forwarded();
      commitsAreRight("/rs-" + strategy, "rs", 3, strategy, strategy.hashCode());
      if (i % 2 == 0) {
        commitsAreRight("/hh-" + strategy, "hitchhiker-xorplus", 3, strategy,
            strategy.hashCode() + 10);
      } else {
        commitsAreRight("/lrc-" + strategy, "lrc-rs-l2", 4, strategy, strategy.hashCode() + 20);
      }
      if (CommitWays.isLoggedAtParities(strategy)) {
        assertEquals(0, forwarded() - before, strategy);
      }
    }
    assertTrue(forwarded() > all, "no change was forwarded");
  }

  /** An earlier version has written its name, and may be the one that is active next. */
  @Test
  void aStrategyOfBeforeActsAsCau() throws IOException {
    for (String name : new String[] {"parity-delta", "data-delta"}) {
      String root = "/before-" + name;
      cluster.directory(root, "rs", K, 3);
      UpdateRefusedException refused = assertThrows(UpdateRefusedException.class, () ->
          cluster.plugin().setUpdatable(root, true, name));
      assertTrue(refused.getMessage().contains("no strategy '" + name + "' any more; name 'cau'"),
          refused.getMessage());
      Path file = new Path(root, "file");
      byte[] content = cluster.hdfs().write(file, GROUP + 12_345, UpdateCluster.UNIT, 5);
      update(file, content, 6);
      cluster.hdfs().fs.setXAttr(new Path(root), "trusted.hdfs-ppr.updatable",
          name.getBytes(StandardCharsets.UTF_8));
      GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
          LoggerFactory.getLogger(UpdateAccess.class));
      try {
        for (int commit = 1; commit <= 2; commit++) {
          update(file, content, 6 + commit);
          CommitStatus status = cluster.commit(file);
          assertEquals(State.PUBLISHED, status.state, status.toString());
          checks.assertCommitted(file, content);
          checks.assertSeen(file, content);
        }
      } finally {
        log.stopCapturing();
      }
      assertEquals(1, log.getOutput().lines().filter(line -> line.contains("Directory " + root
          + " has the strategy of commits '" + name + "'")).count(), log.getOutput());
      assertEquals(name, new String(cluster.hdfs().fs.getXAttr(new Path(root),
          "trusted.hdfs-ppr.updatable"), StandardCharsets.UTF_8));
    }
  }

  @Test
  void aStrategyThatNobodyKnowsIsRefused() throws IOException {
    String root = UpdateCluster.DIRECTORY;
    for (String name : new String[] {"cau-2", "CAU"}) {
      UpdateRefusedException refused = assertThrows(UpdateRefusedException.class, () ->
          cluster.plugin().setUpdatable(root, true, name));
      assertTrue(refused.getMessage().contains("collect, parix, baseline, delta-log"),
          refused.getMessage());
    }
    assertThrows(UpdateRefusedException.class, () ->
        cluster.plugin().setUpdatable(root, false, "cau"));
    // A later version may have written it.
    Path file = UpdateCluster.path("later");
    byte[] content = cluster.write("later", 3);
    update(file, content, 4);
    cluster.hdfs().fs.setXAttr(new Path(root), "trusted.hdfs-ppr.updatable",
        "telepathy".getBytes(StandardCharsets.UTF_8));
    CommitStatus status = cluster.commit(file);
    assertEquals(State.FAILED, status.state, status.toString());
    assertTrue(status.message.contains("'telepathy'"), status.message);
    checks.assertSeen(file, content);
    assertTrue(cluster.plugin().setUpdatable(root, true, UpdateProtocol.DEFAULT_STRATEGY));
    assertFalse(cluster.plugin().setUpdatable(root, true));
    assertEquals(State.PUBLISHED, cluster.commit(file).state);
    checks.assertCommitted(file, content);
  }
}
