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
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.client.update.FileUpdater;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Under PARIX, parity nodes know the changes that a commit needs, or ask for what they lack. */
@Timeout(600)
class TestParixCommits extends CommitsOnCluster {
  private static final int K = StrategyCommits.K;
  private static final int GROUP = StrategyCommits.GROUP;

  private static StrategyCommits runs;

  @BeforeAll
  static void chooseStrategy() {
    runs = new StrategyCommits(cluster, "parix");
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

  /** A parity node that starts again has lost its old bytes; the others have theirs. */
  @Test
  @Tag("slow")
  void aFollowerThatStartedAgainAsksOthers() throws IOException {
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
      long asked = runs.asked();
      runs.commits(file, content);
      assertTrue(runs.asked() - asked >= 1, "changes from other nodes");
      assertTrue(runs.known() - known >= 2, "changes from logs");
      StrategyCommits.update(updater, content, random);
      asked = runs.asked();
      runs.commits(file, content);
      assertEquals(0, runs.asked() - asked, "changes from other nodes after that");
    }
  }

  /** Another node leads in a later term of the same commit, and the first one comes back. */
  @Test
  void aLeaderThatFailsOver() throws IOException {
    runs.directory("/failover", "rs", 3);
    Path file = new Path("/failover", "file");
    byte[] content = cluster.write(file, GROUP, K, 3, 40);
    Random random = new Random(40);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      StrategyCommits.update(updater, content, random);
      DatanodeInfo leader = runs.holder(file, 1);
      MiniDFSCluster.DataNodeProperties properties = cluster.kill(leader);
      StrategyCommits.update(updater, content, random);
      checks.assertSeen(file, content);
      runs.comeBack(List.of(properties), file, 3);
      StrategyCommits.update(updater, content, random);
      runs.commits(file, content);
      checks.assertSeen(file, content);
      for (int commit = 2; commit <= 3; commit++) {
        StrategyCommits.update(updater, content, random);
        runs.commits(file, content);
        checks.assertSeen(file, content);
      }
    }
  }

  /** Each change of the strategy takes effect with the terms that the next commit begins. */
  @Test
  void strategiesChangeFromCommitToCommit() throws IOException {
    runs.change("/changing", "cau", "parix", "parix", "collect", "parix", "cau");
  }
}
