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

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.NetworkKind;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.Shell;
import org.hdfsppr.it.util.EcCode;

/**
 * The cluster that all faults share: processes with the plugin, one small volume of memory for each
 * DataNode, and links so slow that a repair takes some seconds. Without root there are neither
 * volumes nor links of their own, and the stock limit for reconstruction slows repairs down; so
 * it is with {@code -Dfaults.loopback=true}.
 */
final class FaultCluster implements AutoCloseable {
  static final EcCode CODE = EcCode.RS_6_3;

  /** A group's holders and two nodes more: one dies, or fails to write, and one is left. */
  static final int NODES = CODE.units() + 2;

  static final Rate RATE = Rate.parse("40mbit");

  /** With {@link #RATE} a repair takes 3.5 s. */
  static final long BLOCK_BYTES = 16L << 20;

  /**
   * The NameNode plans a repair anew when it has not heard of it for this long, once or twice: more
   * than a repair takes, or all of them would be doubled.
   */
  static final int PENDING_TIMEOUT_SEC = 8;

  private static final String NAME = "faults";
  /**
   * Memory is taken as it is filled. To the NameNode a striped block is as long as its group when
   * it looks for room, and each one that it has ordered and not heard of, for up to ten minutes,
   * takes as much.
   */
  private static final String VOLUME_BYTES = "1g";
  private static final Duration LIVE_LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(200);

  private final HdfsProcessCluster cluster;
  private final boolean volumes;
  private final Set<Integer> paused = new TreeSet<>();
  private final Set<Integer> cut = new TreeSet<>();
  private boolean reshaped;
  private DistributedFileSystem client;

  private FaultCluster(HdfsProcessCluster cluster) {
    this.cluster = cluster;
    this.volumes = cluster.spec().network() == NetworkKind.NAMESPACES;
  }

  static FaultCluster start() throws IOException, InterruptedException, TimeoutException {
    Optional<HdfsProcessCluster> left = HdfsProcessCluster.open(NAME);
    if (left.isPresent()) {
      new FaultCluster(left.get()).close();
    }
    FaultCluster made = new FaultCluster(create());
    boolean up = false;
    try {
      made.mountVolumes();
      made.cluster.up();
      made.client = made.cluster.client();
      up = true;
      return made;
    } finally {
      if (!up) {
        made.close();
      }
    }
  }

  private static HdfsProcessCluster create() throws IOException {
    ClusterSpec.Builder spec = ClusterSpec.builder().name(NAME).nodes(NODES).racks(1).plugin(true)
        .conf("dfs.namenode.reconstruction.pending.timeout-sec", "" + PENDING_TIMEOUT_SEC)
        // No second chance for nodes that are dead and not yet counted so: saves half a minute.
        .conf("dfs.namenode.avoid.write.stale.datanode", "true")
        // Or a node that repairs would be sent no other task, and so none twice.
        .conf("dfs.namenode.replication.max-streams", "20")
        .conf("dfs.namenode.replication.max-streams-hard-limit", "40")
        // Volumes this small would count as full with the default of 1 GB to spare.
        .conf("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0")
        // The default is about as long as a repair here, which would end before it is judged.
        .conf("dfs.datanode.ppr.slow.window.ms", "1000");
    try {
      if (Boolean.getBoolean("faults.loopback")) {
        throw new IOException("-Dfaults.loopback is set");
      }
      return HdfsProcessCluster.create(spec.rate(RATE).build());
    } catch (IOException e) {
      System.out.println("Nodes have no links of their own, some faults are left out: "
          + e.getMessage());
      return HdfsProcessCluster.create(spec.rate(Rate.UNLIMITED).network(NetworkKind.LOOPBACK)
          .conf("dfs.datanode.ec.reconstruct.write.bandwidthPerSec",
              "" + RATE.bitsPerSecond() / 8).build());
    }
  }

  private void mountVolumes() throws IOException, InterruptedException {
    if (volumes) {
      for (int node = 1; node <= NODES; node++) {
        Path data = Files.createDirectories(cluster.dataDir(node));
        Shell.run("mount", "-t", "tmpfs", "-o", "size=" + VOLUME_BYTES, "faults", data.toString());
      }
    }
  }

  private void unmountVolumes() throws IOException, InterruptedException {
    String mounted = Files.readString(Path.of("/proc/mounts"));
    for (int node = 1; node <= NODES; node++) {
      String data = cluster.dataDir(node).toString();
      if (mounted.contains(" " + data + " ")) {
        Shell.run("umount", "-l", data);
      }
    }
  }

  HdfsProcessCluster processes() {
    return cluster;
  }

  DistributedFileSystem client() {
    return client;
  }

  /** Kills the NameNode and starts it again; returns when all nodes are live again. */
  void restartNameNode() throws IOException, InterruptedException, TimeoutException {
    cluster.nameNode().kill();
    cluster.startNameNode();
    cluster.state().awaitLive(NODES, LIVE_LIMIT);
    // The old one would find its connection broken, at a call that need not be repeatable.
    client.close();
    client = cluster.client();
    Await.until("the NameNode has left safe mode", LIVE_LIMIT, POLL,
        () -> !client.isInSafeMode());
  }

  /** Whether nodes have links that can be shaped, cut and reset. */
  boolean hasLinks() {
    return cluster.spec().network() == NetworkKind.NAMESPACES;
  }

  /** Whether nodes have volumes that can be filled and made immutable. */
  boolean hasVolumes() {
    return volumes;
  }

  boolean runs(int node) throws IOException {
    return cluster.dataNode(node).isAlive();
  }

  /** Whether a node runs and can be asked. */
  boolean answers(int node) throws IOException {
    return runs(node) && !paused.contains(node) && !cut.contains(node);
  }

  void pause(int node) throws IOException, InterruptedException {
    cluster.dataNode(node).pause();
    paused.add(node);
  }

  /** Cuts a node's link without a word, until {@link #undoFaults}. */
  void cutLink(int node) throws IOException, InterruptedException {
    cut.add(node);
    cluster.links().setLinkUp(node, false);
  }

  /** Shapes one node's link until {@link #undoFaults}. */
  void setRate(int node, Rate rate) throws IOException, InterruptedException {
    reshaped = true;
    cluster.links().setRate(node, rate);
  }

  /** Shapes all links alike, until {@link #undoFaults}. */
  void setRates(Rate rate) throws IOException, InterruptedException {
    for (int node = 1; node <= NODES; node++) {
      setRate(node, rate);
    }
  }

  /** The connections for repairs of all nodes that run, by node from 1; null where none runs. */
  RepairLinks[] repairLinks() throws IOException {
    RepairLinks[] links = new RepairLinks[NODES + 1];
    for (int node = 1; node <= NODES; node++) {
      Optional<Long> pid = cluster.dataNode(node).pid();
      if (pid.isPresent()) {
        links[node] = RepairLinks.of(pid.get(), cluster.nodeAddress(node));
      }
    }
    return links;
  }

  /** The folder of a node's volume that holds the block pool. */
  Optional<Path> blockPool(int node) throws IOException {
    Path current = cluster.dataDir(node).resolve("current");
    return list(current).stream().filter(p -> p.getFileName().toString().startsWith("BP-"))
        .findFirst();
  }

  /** What is in a folder; nothing if it is not there. */
  static List<Path> list(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    String[] names = folder.toFile().list();
    if (names != null) {
      for (String name : names) {
        all.add(folder.resolve(name));
      }
    }
    return all;
  }

  /** Leaves no byte free on a node's volume. */
  void fillVolume(int node) throws IOException {
    Path filler = filler(node);
    try (OutputStream out = Files.newOutputStream(filler)) {
      for (int bytes = 1 << 20; bytes >= 1; bytes /= 2) {
        writeWhilePossible(out, new byte[bytes]);
      }
    }
  }

  private static void writeWhilePossible(OutputStream out, byte[] bytes) {
    try {
      while (true) {
        out.write(bytes);
      }
    } catch (IOException e) {
      // Full, which was wanted.
      return;
    }
  }

  /** Whether nothing can be added to, or deleted from, the folder of finalised replicas. */
  void setFinalizedImmutable(int node, boolean on) throws IOException, InterruptedException {
    Optional<Path> pool = blockPool(node);
    if (pool.isPresent() && Files.exists(pool.get().resolve("current/finalized"))) {
      Shell.run("chattr", "-R", on ? "+i" : "-i",
          pool.get().resolve("current/finalized").toString());
    }
  }

  private Path filler(int node) {
    return cluster.dataDir(node).resolve("filler");
  }

  /** Undoes whatever faults are left; returns when all nodes are live. */
  void undoFaults() throws IOException, InterruptedException, TimeoutException {
    for (int node : paused) {
      cluster.dataNode(node).resume();
    }
    paused.clear();
    for (int node : cut) {
      cluster.links().setLinkUp(node, true);
    }
    cut.clear();
    if (reshaped) {
      cluster.links().setShaping(true);
      reshaped = false;
    }
    for (int node = 1; node <= NODES; node++) {
      if (volumes) {
        Files.deleteIfExists(filler(node));
        setFinalizedImmutable(node, false);
      }
      if (!runs(node)) {
        cluster.start(node);
      }
    }
    cluster.state().awaitLive(NODES, LIVE_LIMIT);
  }

  /** Waits until the NameNode has neither work nor orders that nobody has carried out. */
  void awaitQuietNameNode(Duration limit)
      throws IOException, InterruptedException, TimeoutException {
    Await.until(() -> "the NameNode is done: " + backlog(), limit, POLL,
        () -> backlog().equals("0 low, 0 pending"));
  }

  private String backlog() {
    try {
      JsonNode state =
          cluster.state().nameNodeJmx("Hadoop:service=NameNode,name=FSNamesystemState");
      return state.get("LowRedundancyBlocks").asLong() + " low, "
          + state.get("PendingReconstructionBlocks").asLong() + " pending";
    } catch (IOException e) {
      return "unknown, " + e;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (client != null) {
        client.close();
      }
      for (int node = 1; node <= NODES; node++) {
        cluster.kill(node);
      }
      unmountVolumes();
    } catch (TimeoutException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      cluster.close();
    }
  }
}
