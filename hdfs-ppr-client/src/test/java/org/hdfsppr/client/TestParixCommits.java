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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionHooks;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Under PARIX, parity nodes know the changes that a commit needs, or ask for what they lack. */
@Timeout(600)
class TestParixCommits {
  private static final int K = 6;
  private static final int GROUP = K * UpdateCluster.UNIT;

  @TempDir
  static java.nio.file.Path directory;
  private static UpdateCluster cluster;
  private static CommitChecks checks;

  @BeforeAll
  static void start() throws IOException {
    cluster = UpdateCluster.start(directory, UpdateCluster.WIDTH, "11");
    checks = new CommitChecks(cluster);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void hookNothing() {
    VersionHooks.set(VersionHook.NONE);
  }

  private static long known() {
    return cluster.hdfs().counter("UnitChangesFromLog");
  }

  private static long asked() {
    return cluster.hdfs().counter("UnitChangesAsked");
  }

  private static void directory(String root, String codec, int m) throws IOException {
    cluster.directory(root, codec, K, m);
    cluster.plugin().setUpdatable(root, true, "parix");
  }

  /** Writes ranges at random, among them some that others have written before. */
  private static void update(FileUpdater updater, byte[] content, Random random)
      throws IOException {
    for (int i = 0; i < 12; i++) {
      int length = 1 + random.nextInt(UpdateCluster.CELL);
      int position = random.nextInt(content.length - length);
      TestCommitStrategies.write(updater, content, random, position, length);
      TestCommitStrategies.write(updater, content, random, position + length / 3,
          1 + length / 2);
    }
    updater.hflush();
  }

  private static void commits(Path file, byte[] content) throws IOException {
    CommitStatus status = cluster.commit(file);
    assertEquals(State.PUBLISHED, status.state(), status.toString());
    checks.assertCommitted(file, content);
  }

  /** No change crosses a link, in several commits of one writer, and of others. */
  @ParameterizedTest
  @CsvSource({"rs, 3", "hitchhiker-xorplus, 3", "lrc-rs-l2, 4"})
  void changesComeFromLogs(String codec, int m) throws IOException {
    String root = "/known-" + codec;
    directory(root, codec, m);
    Path file = new Path(root, "file");
    byte[] content = cluster.write(file, 2 * GROUP + 12_345, K, m, m);
    Random random = new Random(m);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      for (int commit = 1; commit <= 4; commit++) {
        update(updater, content, random);
        if (commit == 3) {
          try (FileUpdater other = fs.openForUpdate(file)) {
            update(other, content, random);
          }
        }
        long known = known();
        long asked = asked();
        commits(file, content);
        checks.assertSeen(file, content);
        assertEquals(0, asked() - asked, "changes from other nodes in commit " + commit);
        assertTrue(known() - known >= 3, "changes from logs in commit " + commit);
      }
    }
  }

  /** Writes at each moment of a commit, over what was written before it, too. */
  @ParameterizedTest
  @CsvSource({"rs, 3", "hitchhiker-xorplus, 3"})
  void updatesDuringACommitComeFromLogsInTheNextOne(String codec, int m) throws IOException {
    String root = "/during-" + codec;
    directory(root, codec, m);
    Path file = new Path(root, "file");
    byte[] content = cluster.write(file, 2 * GROUP + 777, K, m, 20 + m);
    Random random = new Random(20 + m);
    List<Throwable> failures = new ArrayList<>();
    long asked = asked();
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      for (int commit = 1; commit <= 4; commit++) {
        update(updater, content, random);
        byte[] committed = content.clone();
        VersionHooks.set((point, path) -> {
          boolean isFenced = point == VersionPoint.COMMIT_BEGUN
              || point == VersionPoint.TERMS_BEGUN;
          if (path.equals(file.toString()) && !point.name().startsWith("PUBLISH_") && !isFenced
              && failures.isEmpty()) {
            try {
              int position = random.nextInt(content.length - 5_000);
              TestCommitStrategies.write(updater, content, random, position, 5_000);
              updater.hflush();
            } catch (IOException e) {
              failures.add(e);
            }
          }
        });
        CommitStatus status = cluster.commit(file);
        VersionHooks.set(VersionHook.NONE);
        assertEquals(List.of(), failures);
        assertEquals(State.PUBLISHED, status.state(), status.toString());
        checks.assertCommitted(file, committed);
        checks.assertSeen(file, content);
      }
      commits(file, content);
    }
    assertEquals(0, asked() - asked, "changes from other nodes");
  }

  private static int indexOf(DataNode datanode) {
    return cluster.hdfs().mini().getDataNodes().indexOf(datanode);
  }

  private static DatanodeInfo holder(Path file, int unit) throws IOException {
    return RepairCluster.holders(cluster.hdfs().groups(file).get(0)).get(unit);
  }

  /** A parity node that starts again has lost its old bytes; the others have theirs. */
  @Test
  void aFollowerThatStartedAgainAsksOthers() throws IOException {
    directory("/restarted", "rs", 3);
    Path file = new Path("/restarted", "file");
    byte[] content = cluster.write(file, GROUP, K, 3, 30);
    Random random = new Random(30);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      update(updater, content, random);
      int parity = indexOf(cluster.hdfs().datanode(holder(file, K + 1)));
      assertTrue(cluster.hdfs().mini().restartDataNode(parity, true));
      cluster.hdfs().mini().waitActive();
      cluster.awaitInCharge(11);
      update(updater, content, random);
      checks.assertSeen(file, content);
      long known = known();
      long asked = asked();
      commits(file, content);
      assertTrue(asked() - asked >= 1, "changes from other nodes");
      assertTrue(known() - known >= 2, "changes from logs");
      update(updater, content, random);
      asked = asked();
      commits(file, content);
      assertEquals(0, asked() - asked, "changes from other nodes after that");
    }
  }

  /** Another node leads in a later term of the same commit, and the first one comes back. */
  @Test
  void aLeaderThatFailsOver() throws IOException {
    directory("/failover", "rs", 3);
    Path file = new Path("/failover", "file");
    byte[] content = cluster.write(file, GROUP, K, 3, 40);
    Random random = new Random(40);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      update(updater, content, random);
      DatanodeInfo leader = holder(file, 1);
      MiniDFSCluster.DataNodeProperties properties = cluster.hdfs().kill(leader);
      update(updater, content, random);
      checks.assertSeen(file, content);
      assertTrue(cluster.hdfs().mini().restartDataNode(properties, true));
      cluster.hdfs().mini().waitActive();
      cluster.awaitInCharge(11);
      cluster.hdfs().awaitUnits(file, K + 3);
      update(updater, content, random);
      commits(file, content);
      checks.assertSeen(file, content);
      for (int commit = 2; commit <= 3; commit++) {
        update(updater, content, random);
        commits(file, content);
        checks.assertSeen(file, content);
      }
    }
  }

  /** A strategy takes effect with the terms that the next commit begins, and so does another. */
  @Test
  void strategiesChangeFromCommitToCommit() throws IOException {
    cluster.directory("/changing", "rs", K, 3);
    Path file = new Path("/changing", "file");
    byte[] content = cluster.write(file, GROUP, K, 3, 50);
    Random random = new Random(50);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      for (String strategy : List.of("cau", "parix", "parix", "collect", "parix", "data-delta")) {
        update(updater, content, random);
        cluster.plugin().setUpdatable("/changing", true, strategy);
        update(updater, content, random);
        commits(file, content);
        checks.assertSeen(file, content);
      }
    }
  }
}
