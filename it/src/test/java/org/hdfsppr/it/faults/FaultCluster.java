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
 * The cluster that all tests of faults share: processes with the plugin, a small volume in memory
 * for each DataNode, and links that are slow enough for a repair to take some seconds. Without
 * root, or with {@code -Dfaults.loopback=true}, there are no such volumes and no links. Then
 * stock's limit for reconstruction writes slows repairs down.
 */
final class FaultCluster implements AutoCloseable {
  static final EcCode CODE = EcCode.RS_6_3;

  /**
   * The group's holders and two further nodes: if one of the two dies or fails to write, the other
   * is left as destination.
   */
  static final int NODES = CODE.units() + 2;

  static final Rate RATE = Rate.parse("40mbit");

  /** With {@link #RATE}, a repair takes 3.5 s. */
  static final long BLOCK_BYTES = 16L << 20;

  /**
   * If a repair is not reported within this time, the NameNode schedules it again; it checks this
   * once or twice in that time. The time is longer than a repair takes, because otherwise every
   * repair would run twice.
   */
  static final int PENDING_TIMEOUT_SEC = 8;

  private static final String NAME = "faults";
  /**
   * The memory is only taken when the volume fills. The volume needs this size, because a NameNode
   * that looks for free space counts a striped block with the length of its whole group. It also
   * counts each block that it has ordered but not yet seen reported, for up to ten minutes.
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
    this.volumes = cluster.spec().network == NetworkKind.NAMESPACES;
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
        // A DataNode that is dead, but not yet counted as dead, is not chosen as destination. This
        // saves half a minute.
        .conf("dfs.namenode.avoid.write.stale.datanode", "true")
        // Otherwise the NameNode would send a node that repairs no further task, and so never the
        // same task twice.
        .conf("dfs.namenode.replication.max-streams", "20")
        .conf("dfs.namenode.replication.max-streams-hard-limit", "40")
        // With the default of 1 GB of reserved space, volumes this small would count as full.
        .conf("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0")
        // The default window is about as long as a repair here, which would end before its rate is
        // judged.
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

  /** Kills the NameNode, starts it again, and returns when all nodes are live again. */
  void restartNameNode() throws IOException, InterruptedException, TimeoutException {
    cluster.nameNode().kill();
    cluster.startNameNode();
    cluster.state().awaitLive(NODES, LIVE_LIMIT);
    // The old client would find its connection broken at its next call, and would not repeat every
    // call that fails.
    client.close();
    client = cluster.client();
    Await.until("the NameNode has left safe mode", LIVE_LIMIT, POLL,
        () -> !client.isInSafeMode());
  }

  /** Returns whether the nodes have links that can be shaped, cut and reset. */
  boolean hasLinks() {
    return cluster.spec().network == NetworkKind.NAMESPACES;
  }

  /** Returns whether the nodes have volumes that can be filled and made immutable. */
  boolean hasVolumes() {
    return volumes;
  }

  boolean runs(int node) throws IOException {
    return cluster.dataNode(node).isAlive();
  }

  /** Returns whether a node runs, is not frozen, and has a link that is not cut. */
  boolean answers(int node) throws IOException {
    return runs(node) && !paused.contains(node) && !cut.contains(node);
  }

  void pause(int node) throws IOException, InterruptedException {
    cluster.dataNode(node).pause();
    paused.add(node);
  }

  /** Cuts a node's link, which then drops packets silently, until {@link #undoFaults}. */
  void cutLink(int node) throws IOException, InterruptedException {
    cut.add(node);
    cluster.links().setLinkUp(node, false);
  }

  /** Limits the rate of one node's link, until {@link #undoFaults}. */
  void setRate(int node, Rate rate) throws IOException, InterruptedException {
    reshaped = true;
    cluster.links().setRate(node, rate);
  }

  /** Limits the rate of all links, until {@link #undoFaults}. */
  void setRates(Rate rate) throws IOException, InterruptedException {
    for (int node = 1; node <= NODES; node++) {
      setRate(node, rate);
    }
  }

  /**
   * Returns each node's connections for repairs. The index is the node, from 1; the entry is null
   * if the node does not run.
   */
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

  /** Returns the folder of the block pool in a node's volume. */
  Optional<Path> blockPool(int node) throws IOException {
    Path current = cluster.dataDir(node).resolve("current");
    return list(current).stream().filter(p -> p.getFileName().toString().startsWith("BP-"))
        .findFirst();
  }

  /** Lists a folder; empty if there is no such folder. */
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

  /** Fills a node's volume until no byte is free. */
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
      // The volume is full, as intended.
      return;
    }
  }

  /**
   * Sets whether files can neither be added to nor deleted from the folder of finalised replicas.
   */
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

  /** Undoes all remaining faults, and returns when all nodes are live. */
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

  /**
   * Waits until the NameNode has no repair to schedule, and no ordered repair that it has not seen
   * reported.
   */
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
