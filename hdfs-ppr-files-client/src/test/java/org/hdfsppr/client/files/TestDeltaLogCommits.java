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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;
import org.hdfsppr.update.CommitWays;
import org.hdfsppr.update.RackLogs;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.StripeUpdates;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Under the strategy delta-log, one node in the rack with most parity units is the collector: its
 * logs have deltas of all data units in other racks. A commit takes the changes of these units from
 * the collector's logs, and the data units' nodes send nothing there.
 */
@Timeout(600)
class TestDeltaLogCommits extends CommitsOnCluster {
  private static final int K = StrategyCommits.K;
  private static final int GROUP = StrategyCommits.GROUP;
  private static final int M = 3;

  private static StrategyCommits runs;

  @BeforeAll
  static void chooseStrategy() {
    runs = new StrategyCommits(cluster, "delta-log");
  }

  private static long forwarded() {
    return cluster.hdfs().counter("UnitChangesForwarded");
  }

  private static long wrong() {
    return cluster.hdfs().counter("UnitChangesWrong");
  }

  /** Where the units of a group are, and which racks have deltas. */
  private static final class Places {
    private final StripeRacks racks;
    /** By rack. */
    private final Map<Integer, Long> logged = new HashMap<>();

    Places(LocatedStripedBlock group) {
      Map<Integer, DatanodeInfo> nodes = RepairCluster.holders(group);
      Map<String, Integer> numbers = new HashMap<>();
      int[] rackOf = new int[K + M];
      // The racks of parity units have the first numbers, because the NameNode, too, takes the
      // rack of the first parity unit if several racks have as many.
      for (int i = 0; i < K + M; i++) {
        int unit = (K + i) % (K + M);
        numbers.putIfAbsent(nodes.get(unit).getNetworkLocation(), numbers.size());
        rackOf[unit] = numbers.get(nodes.get(unit).getNetworkLocation());
      }
      racks = new StripeRacks(K, numbers.size(), rackOf);
      for (int unit = 0; unit < K; unit++) {
        int first = racks.logRacks().get(0);
        int rack = first == racks.rack(unit) ? racks.logRacks().get(1) : first;
        if (racks.parities(rack) > 0) {
          logged.merge(rack, 1L << unit, (a, b) -> a | b);
        }
      }
    }

    /** Returns how many changes parity nodes have in their logs if all data units have changed. */
    int known() {
      return logged.values().stream().mapToInt(Long::bitCount).sum();
    }

    /**
     * Returns how many changes parity nodes get from data units' nodes as they are, and keep for
     * other parity nodes of their racks.
     */
    int forwarded(StripeUpdates updates) {
      CommitWays ways = new CommitWays("delta-log", racks, updates, new RackLogs(logged));
      int forwarded = 0;
      for (int rack = 0; rack < racks.racks; rack++) {
        for (int unit = 0; unit < K && racks.parities(rack) > 0; unit++) {
          boolean isForwarded =
              !ways.forwarded(unit, racks.parityUnitsIn(rack).get(0)).isEmpty();
          boolean isLogged = (logged.getOrDefault(rack, 0L) >> unit & 1) != 0;
          forwarded += isForwarded && !isLogged ? 1 : 0;
        }
      }
      return forwarded;
    }

    /** Returns the parity unit whose node is the collector. */
    int collector() {
      return racks.parityUnitsIn(racks.logRacks().get(0)).get(0);
    }

    /** Returns a data unit whose deltas the collector has. */
    int elsewhere() {
      return Long.numberOfTrailingZeros(logged.get(racks.logRacks().get(0)));
    }
  }

  private static Places places(Path file) throws IOException {
    return new Places(cluster.hdfs().groups(file).get(0));
  }

  /** Writes the same range of all data units of each group, and two more ranges of two units. */
  private static StripeUpdates update(FileUpdater updater, byte[] content, Random random)
      throws IOException {
    StripeUpdates updates = new StripeUpdates();
    for (int group = 0; group * GROUP < content.length; group++) {
      for (int unit = 0; unit < K; unit++) {
        write(updater, content, random, updates, group, unit, 1_000, 4_000);
      }
      for (int unit : new int[] {1, 3}) {
        write(updater, content, random, updates, group, unit, 9_000, 9_100 + unit);
        write(updater, content, random, updates, group, unit, 3_990, 4_010);
      }
    }
    updater.hflush();
    return updates;
  }

  /** Writes into the first cell of a unit. */
  private static void write(FileUpdater updater, byte[] content, Random random,
      StripeUpdates updates, int group, int unit, int from, int to) throws IOException {
    TestCommitStrategies.write(updater, content, random,
        group * GROUP + unit * UpdateCluster.CELL + from, to - from);
    updates.add(unit, from, to);
  }

  /** In several commits, the data units' nodes send no change to the collector's rack. */
  @ParameterizedTest
  @CsvSource({"rs", "hitchhiker-xorplus"})
  void theCollectorHasTheChanges(String codec) throws IOException {
    String root = "/known-" + codec;
    runs.directory(root, codec, M);
    Path file = new Path(root, "file");
    byte[] content = cluster.write(file, 3 * GROUP, K, M, 3);
    Random random = new Random(3);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      for (int commit = 1; commit <= 3; commit++) {
        StripeUpdates updates = update(updater, content, random);
        int expectedKnown = 0;
        int expectedForwarded = 0;
        for (LocatedStripedBlock group : cluster.hdfs().groups(file)) {
          Places places = new Places(group);
          expectedKnown += places.known();
          expectedForwarded += places.forwarded(updates);
        }
        long known = runs.known();
        long forwarded = forwarded();
        runs.commits(file, content);
        checks.assertSeen(file, content);
        assertEquals(expectedKnown, runs.known() - known, "changes from logs in " + commit);
        assertEquals(expectedForwarded, forwarded() - forwarded, "sent as they are in " + commit);
      }
    }
  }

  /** A local parity unit of LRC depends on some of the data units only. */
  @Test
  void aCodeWithLocalParities() throws IOException {
    runs.directory("/lrc", "lrc-rs-l2", 4);
    Path file = new Path("/lrc", "file");
    byte[] content = cluster.write(file, GROUP + 12_345, K, 4, 4);
    Random random = new Random(4);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      for (int commit = 1; commit <= 3; commit++) {
        if (commit == 2) {
          // This changes one data unit. The local parity unit of the other half stays as it is.
          TestCommitStrategies.write(updater, content, random, 100, 5_000);
          updater.hflush();
        } else {
          StrategyCommits.update(updater, content, random);
        }
        long known = runs.known();
        runs.commits(file, content);
        checks.assertSeen(file, content);
        assertTrue(runs.known() > known, "changes from logs in " + commit);
      }
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @CsvSource({"rs, 3", "lrc-rs-l2, 4"})
  void updatesDuringACommit(String codec, int m) throws IOException {
    long known = runs.known();
    runs.updateDuringCommits("/during-" + codec, codec, m);
    assertTrue(runs.known() > known, "changes from logs");
  }

  @Test
  void aCollectorThatStartsAgainHasItsDeltas() throws IOException {
    runs.directory("/restarted", "rs", M);
    Path file = new Path("/restarted", "file");
    byte[] content = cluster.write(file, GROUP, K, M, 30);
    Random random = new Random(30);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      update(updater, content, random);
      Places places = places(file);
      runs.restart(runs.holder(file, places.collector()));
      checks.assertSeen(file, content);
      long known = runs.known();
      runs.commits(file, content);
      assertTrue(runs.known() > known, "changes from logs");
      StripeUpdates updates = update(updater, content, random);
      known = runs.known();
      long forwarded = forwarded();
      runs.commits(file, content);
      assertEquals(places.known(), runs.known() - known);
      assertEquals(places.forwarded(updates), forwarded() - forwarded);
    }
  }

  /**
   * Another node takes the collector's place. A commit fails as long as the parity unit is lost.
   * The next one succeeds, and asks for the changes that the new collector does not have.
   */
  @Test
  void aCollectorThatIsLost() throws IOException {
    runs.directory("/lost", "rs", M);
    Path file = new Path("/lost", "file");
    byte[] content = cluster.write(file, GROUP, K, M, 50);
    Random random = new Random(50);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      update(updater, content, random);
      Places places = places(file);
      runs.pauseRepairs();
      MiniDFSCluster.DataNodeProperties killed =
          cluster.kill(runs.holder(file, places.collector()));
      update(updater, content, random);
      checks.assertSeen(file, content);
      CommitStatus failed = cluster.commit(file);
      assertEquals(State.FAILED, failed.state, failed.toString());
      assertTrue(failed.toString().contains("has lost 1 units"), failed.toString());
      checks.assertSeen(file, content);
      runs.comeBack(List.of(killed), file, M);
      runs.resumeRepairs();
      update(updater, content, random);
      runs.commits(file, content);
      checks.assertSeen(file, content);
      // The lost node is the collector again since that commit began.
      StripeUpdates updates = update(updater, content, random);
      long known = runs.known();
      long forwarded = forwarded();
      runs.commits(file, content);
      assertEquals(places.known(), runs.known() - known);
      assertEquals(places.forwarded(updates), forwarded() - forwarded);
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @CsvSource({"rs, 3, true", "lrc-rs-l2, 4, false"})
  void aLeaderThatIsLost(String codec, int m, boolean isCommitted) throws IOException {
    runs.loseALeader("/leader-" + codec, codec, m, isCommitted);
  }

  /**
   * One byte of a unit is wrong while a delta is made, so that the delta is wrong. The digest of
   * the change shows it, and the commit gets the change from the unit's node.
   */
  @Test
  void aWrongDeltaIsNotUsed() throws IOException {
    runs.directory("/wrong", "rs", M);
    Path file = new Path("/wrong", "file");
    byte[] content = cluster.write(file, GROUP, K, M, 80);
    Random random = new Random(80);
    Places places = places(file);
    int unit = places.elsewhere();
    LocatedStripedBlock group = cluster.hdfs().groups(file).get(0);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      cluster.hdfs().spoil(group, unit, 2_000, true);
      StripeUpdates updates = update(updater, content, random);
      cluster.hdfs().spoil(group, unit, 2_000, true);
      long known = runs.known();
      long forwarded = forwarded();
      long wrong = wrong();
      runs.commits(file, content);
      checks.assertSeen(file, content);
      assertTrue(wrong() > wrong, "wrong changes");
      assertTrue(runs.known() - known < places.known(), "changes from logs");
      assertTrue(forwarded() - forwarded > places.forwarded(updates), "sent as they are");
      update(updater, content, random);
      known = runs.known();
      runs.commits(file, content);
      assertEquals(places.known(), runs.known() - known);
    }
  }

  @Test
  @Tag("slow")
  void commitsThatFail() throws IOException {
    long known = runs.known();
    runs.failThreeTimes("/failing");
    assertTrue(runs.known() > known, "changes from logs");
  }

  @Test
  @Tag("slow")
  void strategiesChangeFromCommitToCommit() throws IOException {
    runs.change("/changing", "cau", "delta-log", "delta-log", "baseline", "delta-log", "parix",
        "delta-log", "collect");
  }
}
