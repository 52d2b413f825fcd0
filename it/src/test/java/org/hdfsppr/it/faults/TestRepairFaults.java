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
package org.hdfsppr.it.faults;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.faults.RepairScene.UnderWay;
import org.hdfsppr.it.util.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/**
 * Faults in the middle of repairs on real processes. After any fault, no node ever has a finalised
 * replica with wrong bytes, the group becomes whole, and nothing of a repair is left behind on any
 * node.
 *
 * <p>{@code -Dfaults.seed=N} chooses other content, units and nodes.
 */
@Tag("process")
@Timeout(value = 12, unit = TimeUnit.MINUTES)
class TestRepairFaults {
  private static final long SEED = Long.getLong("faults.seed", 20261120L);

  /**
   * A repair with one new plan takes some seconds here. Other load on the machine may slow it down.
   */
  private static final Duration REPLANNED_LIMIT = Duration.ofSeconds(60);

  /**
   * The limit includes the NameNode's time until it gives the task to another node or counts a node
   * as dead.
   */
  private static final Duration RESCHEDULED_LIMIT = Duration.ofSeconds(150);

  /**
   * The limit includes some windows over which rates are measured, and the time to request and to
   * end repairs over a slow link. Without a new plan, the block would take 335 s at a hundredth of
   * the links' rate.
   */
  private static final Duration SLOWLY_LIMIT = Duration.ofSeconds(150);
  private static final Duration NAMENODE_QUIET_LIMIT = Duration.ofSeconds(90);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final double SOON = 0.1;

  /** A rate that slows all links alike, but not so much that repairs are planned anew. */
  private static final Rate SLOW_FOR_ALL = Rate.parse("4mbit");

  private static FaultCluster faults;
  private static HdfsProcessCluster cluster;
  private static LeakCheck leaks;

  private final List<LogTail> logs = new ArrayList<>();
  private RepairScene scene;
  private long startNanos;
  private long faultNanos;
  private long rebuiltNanos;
  private String name;

  @BeforeAll
  static void startCluster() throws Exception {
    System.out.println("faults.seed=" + SEED);
    faults = FaultCluster.start();
    cluster = faults.processes();
    faults.client().enableErasureCodingPolicy(FaultCluster.CODE.policy());
    // The first repair has no fault. It has all daemons load the classes that they need.
    RepairScene calm = RepairScene.write(faults, "calm", SEED);
    calm.loseAndAwait(SOON);
    calm.awaitRebuilt(REPLANNED_LIMIT);
    calm.awaitWhole();
    calm.checkFile();
    calm.delete();
    leaks = new LeakCheck(faults);
  }

  @AfterAll
  static void endCluster() throws Exception {
    if (faults != null) {
      try {
        if (leaks != null) {
          leaks.awaitThreadsAsAtStart();
        }
      } finally {
        faults.close();
      }
    }
  }

  @BeforeEach
  void note(TestInfo test) throws IOException {
    name = test.getTestMethod().orElseThrow().getName();
    for (int node = 1; node <= FaultCluster.NODES; node++) {
      logs.add(LogTail.from(cluster.log(node)));
    }
    startNanos = System.nanoTime();
  }

  @AfterEach
  void tell() throws Exception {
    System.out.printf("%s: %.1f s in all; from the fault on %.1f s until rebuilt%n", name,
        (System.nanoTime() - startNanos) / 1e9, (rebuiltNanos - faultNanos) / 1e9);
    for (int node = 1; node <= FaultCluster.NODES; node++) {
      for (String line : log(node).find("attempt \\d+ failed|stock worker|rebuilt in|second task"
          + "|is refused|is given up|is already here|Failed to reconstruct|cannot be written")) {
        System.out.println("    dn" + node + " " + line);
      }
    }
    System.out.flush();
    // A fault that is left from this case must not make the next case fail.
    faults.undoFaults();
  }

  private LogTail log(int node) {
    return logs.get(node - 1);
  }

  private UnderWay repairUnderWay() throws Exception {
    return repairUnderWay(SOON);
  }

  private UnderWay repairUnderWay(double share) throws Exception {
    scene = RepairScene.write(faults, name, SEED + name.hashCode());
    UnderWay repair = scene.loseAndAwait(share);
    faultNanos = System.nanoTime();
    return repair;
  }

  private void awaitRebuilt(Duration limit) throws Exception {
    scene.awaitRebuilt(limit);
    rebuiltNanos = System.nanoTime();
  }

  /** Checks the state of the cluster at the end of every case. */
  private void finish() throws Exception {
    faults.undoFaults();
    scene.awaitWhole();
    faults.awaitQuietNameNode(NAMENODE_QUIET_LIMIT);
    leaks.awaitNothingLeft();
    scene.checkReplicasAgain();
    scene.checkFile();
    scene.delete();
  }

  /** Checks that a node's log blames one of {@code suspects} for {@code cause}. */
  private void assertBlamed(int destination, String cause, List<Integer> suspects)
      throws IOException {
    List<String> addresses = new ArrayList<>();
    suspects.forEach(node -> addresses.add(cluster.nodeAddress(node)));
    List<String> failures = log(destination).find("attempt \\d+ failed, " + cause + " at ");
    assertTrue(failures.stream().anyMatch(line -> {
      String blamed = line.substring(line.indexOf(" at "), line.indexOf("; plan"));
      return addresses.stream().anyMatch(address -> blamed.contains(address + ":"));
    }), () -> "blames one of " + addresses + " for being " + cause + ": " + failures);
  }

  @Test
  void helperKilled() throws Exception {
    UnderWay repair = repairUnderWay();
    int helper = scene.someMiddle(repair);
    cluster.kill(helper);
    awaitRebuilt(REPLANNED_LIMIT);
    assertTrue(scene.rebuiltOn(repair.destination), "the same destination went on");
    // The node starts again only after the unit that it held is rebuilt too.
    scene.awaitWhole();
    finish();
  }

  @Test
  void destinationKilled() throws Exception {
    UnderWay repair = repairUnderWay();
    cluster.kill(repair.destination);
    awaitRebuilt(RESCHEDULED_LIMIT);
    finish();
  }

  @Test
  void linkSlowed() throws Exception {
    assumeTrue(faults.hasLinks(), "no links that can be slowed");
    // Half of the unit is rebuilt, so the destination knows how fast this repair has been.
    UnderWay repair = repairUnderWay(0.5);
    int helper = scene.someMiddle(repair);
    faults.setRate(helper, Rate.parse(FaultCluster.RATE.bitsPerSecond() / 100_000 + "kbit"));
    // The slow link has two ends. The destination may leave out first one node and then the other.
    awaitRebuilt(SLOWLY_LIMIT);
    List<Integer> suspects = new ArrayList<>(List.of(helper));
    repair.links(helper).neighbours().forEach(address -> suspects.add(cluster.nodeAt(address)));
    assertBlamed(repair.destination, "SLOW", suspects);
    finish();
  }

  @Test
  void helperReplicaCorrupted() throws Exception {
    UnderWay repair = repairUnderWay();
    int helper = scene.someMiddle(repair);
    scene.spoil(helper);
    awaitRebuilt(REPLANNED_LIMIT);
    assertBlamed(repair.destination, "CORRUPT_REPLICA", List.of(helper));
    // The NameNode notices the damaged unit without help from the test, and schedules its repair
    // too.
    scene.awaitWhole();
    finish();
  }

  @Test
  void diskFull() throws Exception {
    assumeTrue(faults.hasVolumes(), "no volumes that can be filled");
    assumeTrue(faults.hasLinks(), "no links that can be slowed");
    UnderWay repair = repairUnderWay();
    // The repair must still be running when the volume is full.
    faults.setRate(repair.destination, SLOW_FOR_ALL);
    faults.fillVolume(repair.destination);
    faults.setRate(repair.destination, FaultCluster.RATE);
    awaitRebuilt(RESCHEDULED_LIMIT);
    assertFalse(scene.rebuiltOn(repair.destination), "rebuilt where no byte is free");
    finish();
  }

  @Test
  void folderImmutable() throws Exception {
    assumeTrue(faults.hasVolumes(), "no volumes with folders that can be made immutable");
    UnderWay repair = repairUnderWay();
    faults.setFinalizedImmutable(repair.destination, true);
    awaitRebuilt(RESCHEDULED_LIMIT);
    assertFalse(scene.rebuiltOn(repair.destination), "rebuilt where nothing can be renamed");
    finish();
  }

  @Test
  void connectionReset() throws Exception {
    assumeTrue(faults.hasLinks(), "connections can be reset as root only");
    UnderWay repair = repairUnderWay();
    int helper = scene.someMiddle(repair);
    // Both ends see a reset: ss resets the connections of this node, and the packet resets the
    // peer's.
    cluster.links().runAt(helper, "ss", "-4", "-K", "dport", "=", ":9877");
    awaitRebuilt(REPLANNED_LIMIT);
    assertTrue(scene.rebuiltOn(repair.destination), "the same destination went on");
    assertFalse(log(repair.destination).find("attempt 1 failed, DEAD at ").isEmpty(),
        "the reset was noticed");
    finish();
  }

  @Test
  void taskSentTwice() throws Exception {
    assumeTrue(faults.hasLinks() && faults.hasVolumes(), "no links that can be slowed");
    UnderWay repair = repairUnderWay();
    // All links are slowed alike, until the NameNode gives the task up. No node is to blame.
    faults.setRates(SLOW_FOR_ALL);
    // No other node may get the task either.
    for (int node : scene.nodesWithoutUnit()) {
      if (node != repair.destination) {
        faults.fillVolume(node);
      }
    }
    Await.until("the NameNode sends the task again", RESCHEDULED_LIMIT, POLL,
        () -> countTasks() > 1);
    faults.setRates(FaultCluster.RATE);
    awaitRebuilt(REPLANNED_LIMIT);
    assertTrue(scene.rebuiltOn(repair.destination), "the repair under way went on");
    assertFalse(log(repair.destination).find("a second task for it is dropped").isEmpty(),
        "the second task was noticed");
    finish();
  }

  private int countTasks() throws IOException {
    int tasks = 0;
    for (LogTail log : logs) {
      tasks += log.find("DatanodeCommand action: DNA_ERASURE_CODING_RECOVERY").size();
    }
    return tasks;
  }

  @Test
  void fileDeleted() throws Exception {
    repairUnderWay();
    scene.delete();
    scene.awaitGone();
    rebuiltNanos = System.nanoTime();
    faults.undoFaults();
    faults.awaitQuietNameNode(NAMENODE_QUIET_LIMIT);
    leaks.awaitNothingLeft();
    // A repair that ended in spite of the deletion may have brought a replica back for a moment.
    scene.awaitGone();
  }

  @Test
  void helperRestarted() throws Exception {
    UnderWay repair = repairUnderWay();
    int helper = scene.someMiddle(repair);
    cluster.dataNode(helper).stop();
    cluster.start(helper);
    awaitRebuilt(REPLANNED_LIMIT);
    finish();
  }

  @Test
  void destinationRestarted() throws Exception {
    UnderWay repair = repairUnderWay();
    cluster.dataNode(repair.destination).stop();
    cluster.start(repair.destination);
    awaitRebuilt(RESCHEDULED_LIMIT);
    finish();
  }

  @Test
  void nameNodeRestarted() throws Exception {
    repairUnderWay();
    // The restarted NameNode has forgotten the loss, which a client had reported, and takes the
    // lost replica for good again.
    faults.restartNameNode();
    rebuiltNanos = System.nanoTime();
    finish();
  }

  @Test
  void helperFrozen() throws Exception {
    UnderWay repair = repairUnderWay();
    int helper = scene.someMiddle(repair);
    faults.pause(helper);
    awaitRebuilt(REPLANNED_LIMIT);
    assertBlamed(repair.destination, "STALLED", List.of(helper));
    finish();
  }

  @Test
  void destinationFrozen() throws Exception {
    UnderWay repair = repairUnderWay();
    faults.pause(repair.destination);
    awaitRebuilt(RESCHEDULED_LIMIT);
    // No message reaches the helpers, and still they must not wait for ever.
    leaks.awaitNothingLeft();
    finish();
  }

  @Test
  void linkCut() throws Exception {
    assumeTrue(faults.hasLinks(), "no links that can be cut");
    UnderWay repair = repairUnderWay();
    int helper = scene.someMiddle(repair);
    faults.cutLink(helper);
    awaitRebuilt(REPLANNED_LIMIT);
    assertBlamed(repair.destination, "STALLED", List.of(helper));
    // The helper behind the cut link must become idle too, although no message about the end can
    // reach it.
    leaks.awaitIdle(helper);
    finish();
  }

  @Test
  void helperKilledAndReplicaCorrupted() throws Exception {
    UnderWay repair = repairUnderWay();
    int helper = scene.someMiddle(repair);
    int other = scene.someHelperBut(repair, helper);
    scene.spoil(other);
    cluster.kill(helper);
    awaitRebuilt(REPLANNED_LIMIT);
    finish();
  }
}
