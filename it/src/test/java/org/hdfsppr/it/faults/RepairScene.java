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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.util.StringUtils;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.LossKind;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.TestFile;

/** A file of one block group that loses a unit, and the checks of the repair. */
final class RepairScene {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration SLOW_POLL = Duration.ofMillis(100);
  private static final Duration WRITTEN_LIMIT = Duration.ofSeconds(60);
  private static final Duration UNDER_WAY_LIMIT = Duration.ofSeconds(90);
  private static final Duration WHOLE_LIMIT = Duration.ofSeconds(180);
  private static final Duration GONE_LIMIT = Duration.ofSeconds(60);

  /** The last stripe is not full, so the units have different lengths. */
  private static final long FILE_BYTES =
      FaultCluster.BLOCK_BYTES * FaultCluster.CODE.dataUnits() - (5L << 19) - 123;

  private final FaultCluster faults;
  private final HdfsProcessCluster cluster;
  private final org.apache.hadoop.fs.Path file;
  private final UnitOracle oracle;
  private final Random random;
  private List<Unit> units;
  private Unit lost;
  private final List<String> digests = new ArrayList<>();
  /** The replicas that the test has damaged, as node and unit. */
  private final Set<String> spoilt = new HashSet<>();
  /** The replicas that were found right, as node, unit and the file's identity. */
  private final Set<String> right = new HashSet<>();

  private RepairScene(FaultCluster faults, String name, long seed) throws IOException {
    this.faults = faults;
    this.cluster = faults.processes();
    this.file = new org.apache.hadoop.fs.Path("/faults/" + name);
    this.random = new Random(seed);
    this.oracle = UnitOracle.of(FaultCluster.CODE.dataUnits(), FaultCluster.CODE.parityUnits(),
        FILE_BYTES, seed);
  }

  /** Writes the file, and compares the stored units with the oracle. */
  static RepairScene write(FaultCluster faults, String name, long seed)
      throws IOException, InterruptedException, TimeoutException {
    RepairScene scene = new RepairScene(faults, name, seed);
    scene.write(seed);
    return scene;
  }

  private void write(long seed) throws IOException, InterruptedException, TimeoutException {
    faults.client().mkdirs(file.getParent());
    faults.client().setErasureCodingPolicy(file.getParent(), FaultCluster.CODE.policy());
    TestFile.write(faults.client(), file, FaultCluster.BLOCK_BYTES, FILE_BYTES, seed);
    Await.until("the NameNode knows all units of " + file, WRITTEN_LIMIT, SLOW_POLL,
        () -> group().distinctUnits() == FaultCluster.CODE.units());
    units = group().units;
    lost = units.get(random.nextInt(FaultCluster.CODE.units()));
    for (Unit unit : units) {
      UnitFiles replica = UnitFiles.of(cluster, unit.node, unit.block);
      assertEquals(oracle.digest(unit.index), sha256(Files.newInputStream(replica.data)),
          () -> unit + " as written");
      digests.add(replica.digest());
    }
  }

  private BlockGroup group() throws IOException {
    return BlockGroup.of(cluster, faults.client(), file).get(0);
  }

  /** A repair that is running. */
  static final class UnderWay {
    final int destination;
    private final RepairLinks[] links;

    private UnderWay(int destination, RepairLinks[] links) {
      this.destination = destination;
      this.links = links;
    }

    RepairLinks links(int node) {
      return links[node];
    }

    /** Returns the nodes that send sums to another node and also receive sums. */
    private List<Integer> middles() {
      List<Integer> nodes = new ArrayList<>();
      for (int node = 1; node < links.length; node++) {
        if (node != destination && links[node] != null && links[node].inMiddle()) {
          nodes.add(node);
        }
      }
      return nodes;
    }
  }

  /**
   * Loses a unit, and returns when this share of it (0 to 1), but not all of it, has been rebuilt.
   */
  UnderWay loseAndAwait(double share) throws IOException, InterruptedException, TimeoutException {
    LossKind.REPORT.lose(cluster, faults.client(), List.of(lost));
    List<UnderWay> found = new ArrayList<>();
    Await.until(() -> "the repair of " + lost + " is under way", UNDER_WAY_LIMIT, POLL, () -> {
      for (int node = 1; node <= FaultCluster.NODES && found.isEmpty(); node++) {
        if (unfinishedBytes(node) > share * lost.block.getNumBytes()) {
          found.add(new UnderWay(node, faults.repairLinks()));
        }
      }
      return !found.isEmpty();
    });
    UnderWay repair = found.get(0);
    assertTrue(!repair.middles().isEmpty(), "no node is in the middle of " + repair.destination
        + "'s tree: " + List.of(repair.links(repair.destination)));
    return repair;
  }

  private long unfinishedBytes(int node) throws IOException {
    Optional<Path> pool = faults.blockPool(node);
    if (pool.isEmpty()) {
      return 0;
    }
    Path replica = pool.get().resolve("tmp").resolve(lost.block.getBlockName());
    try {
      return Files.size(replica);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** Returns a node in the middle of the tree. The same seed and plan give the same node. */
  int someMiddle(UnderWay repair) {
    List<Integer> middles = repair.middles();
    return middles.get(random.nextInt(middles.size()));
  }

  /** Returns another helper, which may also be at the end of the tree. */
  int someHelperBut(UnderWay repair, int other) {
    List<Integer> helpers = new ArrayList<>();
    for (int node = 1; node < repair.links.length; node++) {
      RepairLinks links = repair.links[node];
      if (node != repair.destination && node != other && links != null && links.helps()) {
        helpers.add(node);
      }
    }
    return helpers.get(random.nextInt(helpers.size()));
  }

  /** Damages the end of a node's replica, which a running repair has not yet read. */
  void spoil(int node) throws IOException {
    Unit unit = unitOn(node);
    spoilt.add(key(node, unit));
    UnitFiles replica = UnitFiles.of(cluster, node, unit.block);
    for (int i = 0; i < 8; i++) {
      replica.flipBit(unit.block.getNumBytes() - 1 - random.nextInt(1 << 20));
    }
  }

  private Unit unitOn(int node) {
    return units.stream().filter(unit -> unit.node == node).findFirst()
        .orElseThrow(() -> new IllegalStateException("no unit was written to dn" + node));
  }

  /** Returns the nodes that held no unit of the group when the file was written. */
  List<Integer> nodesWithoutUnit() {
    List<Integer> nodes = new ArrayList<>();
    for (int node = 1; node <= FaultCluster.NODES; node++) {
      int candidate = node;
      if (units.stream().noneMatch(unit -> unit.node == candidate)) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  void delete() throws IOException {
    assertTrue(faults.client().delete(file, false), "deleted " + file);
  }

  /** Waits until another node has the lost unit. */
  void awaitRebuilt(Duration limit) throws IOException, InterruptedException, TimeoutException {
    Await.until(() -> lost + " is rebuilt", limit, POLL, () -> {
      checkReplicas();
      for (int node = 1; node <= FaultCluster.NODES; node++) {
        if (node != lost.node && UnitFiles.of(cluster, node, lost.block).exists()) {
          return true;
        }
      }
      return false;
    });
  }

  /** Waits until every unit is right, and is on a running node that the NameNode knows. */
  void awaitWhole() throws IOException, InterruptedException, TimeoutException {
    List<Integer> missing = new ArrayList<>();
    Await.until(() -> "units " + missing + " of " + file + " are there again", WHOLE_LIMIT,
        SLOW_POLL, () -> {
          checkReplicas();
          BlockGroup now = group();
          missing.clear();
          for (Unit unit : units) {
            boolean there = false;
            for (Unit replica : now.replicasOf(unit.index)) {
              there |= !spoilt.contains(key(replica.node, unit))
                  && faults.runs(replica.node)
                  && UnitFiles.of(cluster, replica.node, unit.block).exists();
            }
            if (!there) {
              missing.add(unit.index);
            }
          }
          return missing.isEmpty();
        });
  }

  /** Waits until no node has a replica of the group. */
  void awaitGone() throws IOException, InterruptedException, TimeoutException {
    List<String> left = new ArrayList<>();
    Await.until(() -> "replicas of a deleted file go away: " + left, GONE_LIMIT, SLOW_POLL, () -> {
      checkReplicas();
      left.clear();
      for (int node = 1; node <= FaultCluster.NODES; node++) {
        for (Unit unit : units) {
          if (UnitFiles.of(cluster, node, unit.block).exists()) {
            left.add(key(node, unit));
          }
        }
      }
      return left.isEmpty();
    });
  }

  /** Returns whether the node has a finalised replica of the lost unit. */
  boolean rebuiltOn(int node) {
    return UnitFiles.of(cluster, node, lost.block).exists();
  }

  /**
   * Checks that every finalised replica of the group on any node has the right bytes and checksums.
   */
  void checkReplicas() throws IOException {
    for (int node = 1; node <= FaultCluster.NODES; node++) {
      for (Unit unit : units) {
        checkReplica(node, unit);
      }
    }
  }

  /** As {@link #checkReplicas}, but also checks replicas that were found right before. */
  void checkReplicasAgain() throws IOException {
    right.clear();
    checkReplicas();
  }

  private void checkReplica(int node, Unit unit) throws IOException {
    UnitFiles replica = UnitFiles.of(cluster, node, unit.block);
    if (spoilt.contains(key(node, unit)) || !replica.exists()) {
      return;
    }
    try {
      String identity = key(node, unit) + " " + Files.readAttributes(replica.data,
          "unix:ino,ctime,size").toString();
      if (right.contains(identity)) {
        return;
      }
      String digest = replica.digest();
      // The replica is read a second time, because a replica that was deleted during the first
      // reading is no wrong replica.
      if (replica.exists()) {
        assertEquals(digests.get(unit.index), digest,
            () -> "unit " + unit.index + " on dn" + node);
        right.add(identity);
      }
    } catch (NoSuchFileException e) {
      // The replica was deleted meanwhile, which is no fault either.
      return;
    }
  }

  private static String key(int node, Unit unit) {
    return "dn" + node + " unit " + unit.index;
  }

  /** Checks that a client reads exactly the bytes that were written. */
  void checkFile() throws IOException {
    assertEquals(oracle.fileDigest, sha256(faults.client().open(file)), () -> file + " as read");
  }

  private static String sha256(InputStream content) throws IOException {
    MessageDigest digest = UnitOracle.sha256();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = content) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
    }
    return StringUtils.byteToHexString(digest.digest());
  }
}
