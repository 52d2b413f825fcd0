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
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.client.PprTool;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionHooks;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;

/**
 * Updates and commits of files with six data units, and what has to hold under each strategy with
 * which nodes of parity units know changes.
 */
final class StrategyCommits {
  static final int K = 6;
  static final int GROUP = K * UpdateCluster.UNIT;

  private final UpdateCluster cluster;
  private final CommitChecks checks;
  private final String strategy;

  /** @param cluster has {@link CommitsOnCluster#WIDTH} DataNodes */
  StrategyCommits(UpdateCluster cluster, String strategy) {
    this.cluster = cluster;
    this.checks = new CommitChecks(cluster);
    this.strategy = strategy;
  }

  /** Returns how many changes parity nodes got from their own logs. */
  long known() {
    return cluster.hdfs().counter("UnitChangesFromLog");
  }

  /** Returns how many changes they got from other nodes. */
  long asked() {
    return cluster.hdfs().counter("UnitChangesAsked");
  }

  /** Makes an updatable directory whose files have the strategy. */
  void directory(String root, String codec, int m) throws IOException {
    cluster.directory(root, codec, K, m);
    cluster.plugin().setUpdatable(root, true, strategy);
  }

  /** Writes ranges at random, among them some that others have written before. */
  static void update(FileUpdater updater, byte[] content, Random random) throws IOException {
    for (int i = 0; i < 12; i++) {
      int length = 1 + random.nextInt(UpdateCluster.CELL);
      int position = random.nextInt(content.length - length);
      TestCommitStrategies.write(updater, content, random, position, length);
      TestCommitStrategies.write(updater, content, random, position + length / 3,
          1 + length / 2);
    }
    updater.hflush();
  }

  void commits(Path file, byte[] content) throws IOException {
    CommitStatus status = cluster.commit(file);
    assertEquals(State.PUBLISHED, status.state, status.toString());
    checks.assertCommitted(file, content);
  }

  /** Commits four times, for one writer and for two, and no change crosses a link. */
  void commitsFromLogs(String root, String codec, int m) throws IOException {
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

  /** Returns the node of a unit of the first group. */
  DatanodeInfo holder(Path file, int unit) throws IOException {
    return RepairCluster.holders(cluster.hdfs().groups(file).get(0)).get(unit);
  }

  /** Stops a DataNode, and starts it again at once. */
  void restart(DatanodeInfo node) throws IOException {
    int index = cluster.hdfs().mini().getDataNodes().indexOf(cluster.hdfs().datanode(node));
    assertTrue(cluster.hdfs().mini().restartDataNode(index, true));
    awaitAll();
  }

  /** Has the repair manager begin no repair, also for groups that clients read past slow nodes. */
  void pauseRepairs() throws IOException {
    operate("-pause");
  }

  void resumeRepairs() throws IOException {
    operate("-resume");
  }

  private void operate(String command) throws IOException {
    Configuration conf = cluster.clientConf();
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY,
        cluster.hdfs().mini().getHttpUri(0).replace("http://", ""));
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    assertEquals(0, PprTool.run(() -> conf, out, out, command), said::toString);
  }

  /** Starts DataNodes again that were killed, and waits until all units are there. */
  void comeBack(List<MiniDFSCluster.DataNodeProperties> killed, Path file, int m)
      throws IOException {
    for (MiniDFSCluster.DataNodeProperties one : killed) {
      assertTrue(cluster.hdfs().mini().restartDataNode(one, true));
    }
    awaitAll();
    cluster.hdfs().awaitUnits(file, K + m);
  }

  private void awaitAll() throws IOException {
    cluster.hdfs().mini().waitActive();
    cluster.awaitInCharge(CommitsOnCluster.WIDTH);
  }

  /** At each step of four commits, a client overwrites some of what the commit takes. */
  void updateDuringCommits(String root, String codec, int m) throws IOException {
    directory(root, codec, m);
    Path file = new Path(root, "file");
    byte[] content = cluster.write(file, 2 * GROUP + 777, K, m, 20 + m);
    Random random = new Random(20 + m);
    List<Throwable> failures = new ArrayList<>();
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
        assertEquals(State.PUBLISHED, status.state, status.toString());
        checks.assertCommitted(file, committed);
        checks.assertSeen(file, content);
      }
      commits(file, content);
    }
  }

  /**
   * The node of a unit is lost. Readers decode the unit and add deltas, and the next leader sends
   * what updates write. The node comes back, and a commit makes its block from a log with both.
   *
   * @param isCommitted whether a commit begins while the node is away
   */
  void loseALeader(String root, String codec, int m, boolean isCommitted) throws IOException {
    directory(root, codec, m);
    Path file = new Path(root, "file");
    byte[] content = cluster.write(file, GROUP, K, m, 40 + m);
    Random random = new Random(40 + m);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      update(updater, content, random);
      MiniDFSCluster.DataNodeProperties killed = cluster.kill(holder(file, 1));
      checks.assertSeen(file, content);
      update(updater, content, random);
      checks.assertSeen(file, content);
      if (isCommitted) {
        // It fails, or the unit is rebuilt in time. What follows has a later epoch in any case.
        CommitStatus status = cluster.commit(file);
        assertTrue(status.state.isEnd(), status.toString());
        if (status.state == State.PUBLISHED) {
          checks.assertCommitted(file, content);
        }
      }
      update(updater, content, random);
      checks.assertSeen(file, content);
      comeBack(List.of(killed), file, m);
      update(updater, content, random);
      checks.assertSeen(file, content);
      commits(file, content);
      checks.assertSeen(file, content);
      for (int commit = 2; commit <= 3; commit++) {
        update(updater, content, random);
        commits(file, content);
        checks.assertSeen(file, content);
      }
    }
  }

  /** Commits that fail leave deltas of several epochs, and the next one has all of them. */
  void failThreeTimes(String root) throws IOException {
    directory(root, "rs", 3);
    Path file = new Path(root, "file");
    byte[] content = cluster.write(file, GROUP, K, 3, 60);
    Random random = new Random(60);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      update(updater, content, random);
      commits(file, content);
      update(updater, content, random);
      for (int failure = 0; failure < 3; failure++) {
        byte[] before = content.clone();
        VersionHooks.set((point, path) -> {
          if (path.equals(file.toString()) && point == VersionPoint.PARITIES_ORDERED) {
            throw new IllegalStateException("a test ends the commit");
          }
        });
        CommitStatus status = cluster.commit(file);
        VersionHooks.set(VersionHook.NONE);
        assertEquals(State.FAILED, status.state, status.toString());
        checks.assertSeen(file, before);
        update(updater, content, random);
        checks.assertSeen(file, content);
      }
      commits(file, content);
      checks.assertSeen(file, content);
    }
  }

  /** A strategy takes effect with the terms that the next commit begins. */
  void change(String root, String... strategies) throws IOException {
    cluster.directory(root, "rs", K, 3);
    Path file = new Path(root, "file");
    byte[] content = cluster.write(file, GROUP, K, 3, 70);
    Random random = new Random(70);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      for (String next : strategies) {
        update(updater, content, random);
        cluster.plugin().setUpdatable(root, true, next);
        update(updater, content, random);
        commits(file, content);
        checks.assertSeen(file, content);
      }
    }
  }
}
