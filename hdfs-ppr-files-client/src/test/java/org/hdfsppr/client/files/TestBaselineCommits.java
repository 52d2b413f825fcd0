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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.update.FileUpdater;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Under the strategy baseline, the logs of all nodes with parity units have deltas. Commits take
 * changes from these logs, and readers add the deltas if the node with a unit is lost.
 */
@Timeout(600)
class TestBaselineCommits extends CommitsOnCluster {
  private static final int K = StrategyCommits.K;
  private static final int GROUP = StrategyCommits.GROUP;

  private static StrategyCommits runs;

  @BeforeAll
  static void chooseStrategy() {
    runs = new StrategyCommits(cluster, "baseline");
  }

  /** Several commits of one writer, and one of two, ask no other node for a change. */
  @ParameterizedTest
  @CsvSource({"rs, 3", "hitchhiker-xorplus, 3", "lrc-rs-l2, 4"})
  void changesComeFromLogs(String codec, int m) throws IOException {
    runs.commitsFromLogs("/known-" + codec, codec, m);
  }

  /** At each step of a commit, a client overwrites some of what the commit takes. */
  @ParameterizedTest
  @Tag("slow")
  @CsvSource({"rs, 3", "hitchhiker-xorplus, 3"})
  void updatesDuringACommitComeFromLogsInTheNextOne(String codec, int m) throws IOException {
    long asked = runs.asked();
    runs.updateDuringCommits("/during-" + codec, codec, m);
    assertEquals(0, runs.asked() - asked, "changes from other nodes");
  }

  /**
   * A parity node that starts again follows in a new term. What it then copies of the history may
   * be what updates write, and no deltas.
   */
  @Test
  void aFollowerThatStartsAgain() throws IOException {
    runs.directory("/restarted", "rs", 3);
    Path file = new Path("/restarted", "file");
    byte[] content = cluster.write(file, GROUP, K, 3, 30);
    Random random = new Random(30);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      StrategyCommits.update(updater, content, random);
      runs.restart(runs.holder(file, K + 1));
      StrategyCommits.update(updater, content, random);
      checks.assertSeen(file, content);
      long known = runs.known();
      runs.commits(file, content);
      assertTrue(runs.known() - known >= 2, "changes from logs");
      StrategyCommits.update(updater, content, random);
      long asked = runs.asked();
      runs.commits(file, content);
      assertEquals(0, runs.asked() - asked, "changes from other nodes after that");
    }
  }

  /**
   * The node of a unit is lost. Readers decode the unit and add deltas, and the next leader sends
   * what updates write. The node comes back, and a commit makes its block from a log with both.
   */
  @ParameterizedTest
  @Tag("slow")
  @CsvSource({"rs, 3, true", "hitchhiker-xorplus, 3, false", "lrc-rs-l2, 4, false"})
  void aLeaderThatIsLost(String codec, int m, boolean isCommitted) throws IOException {
    runs.loseALeader("/lost-" + codec, codec, m, isCommitted);
  }

  /** A data unit and a parity unit are lost: two other parity nodes have the deltas. */
  @Test
  void twoHoldersAreLost() throws IOException {
    runs.directory("/two", "rs", 3);
    Path file = new Path("/two", "file");
    byte[] content = cluster.write(file, GROUP, K, 3, 50);
    Random random = new Random(50);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      StrategyCommits.update(updater, content, random);
      List<MiniDFSCluster.DataNodeProperties> killed = new ArrayList<>();
      killed.add(cluster.kill(runs.holder(file, 2)));
      checks.assertSeen(file, content);
      killed.add(cluster.kill(runs.holder(file, K)));
      checks.assertSeen(file, content);
      StrategyCommits.update(updater, content, random);
      checks.assertSeen(file, content);
      runs.comeBack(killed, file, 3);
      runs.commits(file, content);
      checks.assertSeen(file, content);
    }
  }

  /** Commits that fail leave deltas of several epochs, and the next commit adds all of them up. */
  @Test
  @Tag("slow")
  void commitsThatFail() throws IOException {
    long asked = runs.asked();
    runs.failThreeTimes("/failing");
    assertEquals(0, runs.asked() - asked, "changes from other nodes");
  }

  /** Each change of the strategy takes effect with the terms that the next commit begins. */
  @Test
  @Tag("slow")
  void strategiesChangeFromCommitToCommit() throws IOException {
    runs.change("/changing", "cau", "baseline", "baseline", "parix", "baseline", "collect",
        "baseline", "delta-log");
  }
}
