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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionHooks;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each unit is in a rack of its own, so that commits of several units are collected. */
@Timeout(600)
class TestCollectedCommits {
  private static final int K = 6;
  private static final int GROUPS = 2;
  private static final int M = 3;
  /** How many data units change if a node ends. */
  private static final int UNITS = 4;
  private static final int NODES = 10;
  /** The first parity unit: all of them are as good. */
  private static final int COLLECTOR = K;

  @TempDir
  static java.nio.file.Path directory;
  private static UpdateCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = UpdateCluster.start(directory, UpdateCluster.WIDTH, String.valueOf(NODES),
        UpdateCluster.OWN_RACKS, "true");
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

  /** Updates the first units of all groups, some bytes at the same places and some at others. */
  private static void update(Path file, byte[] content, Random random, int units)
      throws IOException {
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      for (int group = 0; group * K * UpdateCluster.UNIT < content.length; group++) {
        for (int unit = 0; unit < units; unit++) {
          int cell = (group * K * UpdateCluster.UNIT / UpdateCluster.CELL) + unit;
          int at = cell * UpdateCluster.CELL;
          TestCommitStrategies.write(updater, content, random, at + 1_000, 5_000);
          TestCommitStrategies.write(updater, content, random, at + 7_000 + 500 * unit, 100);
        }
      }
      updater.hflush();
    }
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
      update(file, content, random, units);
      long before = forwarded();
      CommitStatus status = cluster.commit(file);
      assertEquals(State.PUBLISHED, status.state, root + ": " + status);
      assertEquals((long) GROUPS * units, forwarded() - before, "changes that were forwarded");
      checks.assertCommitted(file, content);
      checks.assertSeen(file, content);
    }
  }

  /** What happens to the DataNode of the collector. */
  private interface Fault {
    void happen(DatanodeInfo collector) throws Exception;
  }

  /**
   * Commits a file of one group while something happens to its collector, and checks that it is
   * committed wholly or not at all, also as seen without that node.
   */
  private static CommitStatus commit(Path file, byte[] before, byte[] content, VersionPoint moment,
      Fault fault) throws IOException {
    DatanodeInfo collector =
        RepairCluster.holders(cluster.hdfs().groups(file).get(0)).get(COLLECTOR);
    AtomicBoolean isReached = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    VersionHooks.set((point, path) -> {
      if (point == moment && path.equals(file.toString()) && !isReached.getAndSet(true)) {
        try {
          fault.happen(collector);
        } catch (Exception | AssertionError e) {
          failure.set(e);
        }
      }
    });
    CommitStatus status;
    try {
      status = cluster.commit(file);
    } finally {
      VersionHooks.set(VersionHook.NONE);
    }
    assertTrue(isReached.get(), moment.toString());
    assertNull(failure.get(), () -> String.valueOf(failure.get()));
    boolean isPublished = status.state == State.PUBLISHED;
    assertArrayEquals(isPublished ? content : before,
        CommitChecks.read(cluster.hdfs().fs, file, before.length), status.toString());
    new CommitChecks(cluster).assertSeen(file, content);
    return status;
  }

  /** Waits until the collector has all changes, and has made its own unit. */
  private static void awaitCollected(long patchedBefore) {
    RepairCluster.await("the collector is done", () ->
        cluster.hdfs().counter("UnitsPatched") > patchedBefore);
  }

  /** The node is killed before it collects, after that, and when all units are made. */
  @ParameterizedTest
  @EnumSource(names = {"PATCHES_ORDERED", "PARITIES_ORDERED", "MADE"})
  void aCommitWhoseCollectorEndsIsWholeOrNothing(VersionPoint moment) throws Exception {
    String root = "/ends-at-" + moment;
    cluster.directory(root, "rs", K, M);
    cluster.plugin().setUpdatable(root, true, "collect");
    Path file = new Path(root, "file");
    byte[] before = cluster.hdfs().write(file, K * UpdateCluster.UNIT, UpdateCluster.UNIT, 1);
    byte[] content = before.clone();
    Random random = new Random(moment.ordinal());
    update(file, content, random, UNITS);
    AtomicReference<DataNodeProperties> ended = new AtomicReference<>();
    long patched = cluster.hdfs().counter("UnitsPatched");
    CommitStatus status = commit(file, before, content, moment, collector -> {
      if (moment == VersionPoint.PARITIES_ORDERED) {
        awaitCollected(patched + UNITS);
      }
      ended.set(cluster.kill(collector));
    });
    if (moment != VersionPoint.MADE) {
      assertEquals(State.FAILED, status.state, status.toString());
    }
    assertTrue(cluster.hdfs().mini().restartDataNode(ended.get(), true));
    cluster.hdfs().mini().waitActive();
    cluster.hdfs().awaitUnits(file, K + M);
    cluster.awaitInCharge(NODES);
    new CommitChecks(cluster).assertParities(file);
    commitsAgain(file, content, random);
  }

  /** The changes are gone with the process, and are collected once more. */
  @Test
  void aCollectorThatStartsAgainCollectsAgain() throws Exception {
    String root = "/starts-again";
    cluster.directory(root, "rs", K, M);
    cluster.plugin().setUpdatable(root, true, "collect");
    Path file = new Path(root, "file");
    byte[] before = cluster.hdfs().write(file, K * UpdateCluster.UNIT, UpdateCluster.UNIT, 2);
    byte[] content = before.clone();
    Random random = new Random(3);
    update(file, content, random, UNITS);
    long patched = cluster.hdfs().counter("UnitsPatched");
    CommitStatus status = commit(file, before, content, VersionPoint.PARITIES_ORDERED,
        collector -> {
          awaitCollected(patched + UNITS);
          DataNodeProperties ended = cluster.kill(collector);
          assertTrue(cluster.hdfs().mini().restartDataNode(ended, true));
          cluster.hdfs().mini().waitActive();
          cluster.hdfs().awaitUnits(file, K + M);
          cluster.awaitInCharge(NODES);
        });
    assertEquals(State.PUBLISHED, status.state, status.toString());
    new CommitChecks(cluster).assertCommitted(file, content);
    commitsAgain(file, content, random);
  }

  private static void commitsAgain(Path file, byte[] content, Random random) throws IOException {
    update(file, content, random, UNITS);
    CommitStatus status = cluster.commit(file);
    assertEquals(State.PUBLISHED, status.state, status.toString());
    CommitChecks checks = new CommitChecks(cluster);
    checks.assertCommitted(file, content);
    checks.assertSeen(file, content);
    checks.assertTrimmed(file);
  }
}
