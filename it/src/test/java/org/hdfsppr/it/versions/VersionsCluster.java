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
package org.hdfsppr.it.versions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Masters;
import org.hdfsppr.it.cluster.NetworkKind;
import org.hdfsppr.it.convert.PointStops;
import org.hdfsppr.it.convert.StoppingNameNodePlugin;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;

/**
 * The cluster of the tests of versions: processes with both plugins, whose NameNodes can be stopped
 * at each named moment of a version, or of a parity file of CORE. Links have no limit.
 */
final class VersionsCluster implements AutoCloseable {

  /**
   * The widest code here has ten units. A DataNode with a corrupt replica takes no unit of its
   * group, so that a group of nine with four of them needs 13 nodes. One more may be dead.
   */
  static final int NODES = 14;

  /** With more racks, Hadoop moves units of groups with few units between racks all the time. */
  private static final int RACKS = 1;

  private static final Duration LIVE_LIMIT = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofMillis(200);

  private final int nodes;
  final HdfsProcessCluster processes;
  final PointStops stops;
  private DistributedFileSystem client;

  private VersionsCluster(int nodes, HdfsProcessCluster processes, PointStops stops) {
    this.nodes = nodes;
    this.processes = processes;
    this.stops = stops;
  }

  /**
   * Starts the cluster, after it has taken down what an earlier run of the test has left.
   *
   * @param conf more settings
   */
  static VersionsCluster start(String name, boolean ha, Map<String, String> conf)
      throws IOException, InterruptedException, TimeoutException {
    return start(name, ha, NODES, RACKS, conf);
  }

  /** As above, with another number of nodes and racks. */
  static VersionsCluster start(String name, boolean ha, int nodes, int racks,
      Map<String, String> conf) throws IOException, InterruptedException, TimeoutException {
    Optional<HdfsProcessCluster> left = HdfsProcessCluster.open(name);
    if (left.isPresent()) {
      left.get().close();
    }
    Path folder = Files.createTempDirectory("versions-" + name);
    ClusterSpec.Builder spec = ClusterSpec.builder().name(name).nodes(nodes).racks(racks).ha(ha);
    VersionsCluster made =
        new VersionsCluster(nodes, create(spec, folder, conf), new PointStops(folder));
    boolean up = false;
    try {
      made.processes.up();
      made.client = made.processes.client();
      for (EcCode code : VersionFile.CODES) {
        code.enable(made.client);
      }
      up = true;
      return made;
    } finally {
      if (!up) {
        made.close();
      }
    }
  }

  private static HdfsProcessCluster create(ClusterSpec.Builder spec, Path stops,
      Map<String, String> conf) throws IOException {
    spec.plugin(true).codecs(true).nameNodePlugin(true)
        .conf("dfs.namenode.plugins", StoppingNameNodePlugin.class.getName())
        .conf(PointStops.FOLDER_KEY, stops.toString())
        .conf("dfs.namenode.reconstruction.pending.timeout-sec", "10")
        .conf("dfs.namenode.avoid.write.stale.datanode", "true")
        // Otherwise a restarted NameNode rebuilds units that are only not reported yet.
        .conf("dfs.namenode.safemode.extension", "3000")
        // After a failover, the NameNode deletes excess replicas only when every node has reported
        // all of its blocks.
        .conf("dfs.blockreport.intervalMsec", "15000")
        .conf("dfs.client.failover.sleep.max.millis", "2000")
        .conf(conf);
    try {
      if (Boolean.getBoolean("faults.loopback")) {
        throw new IOException("-Dfaults.loopback is set");
      }
      return HdfsProcessCluster.create(spec.build());
    } catch (IOException e) {
      System.out.println("Nodes have no links of their own: " + e.getMessage());
      return HdfsProcessCluster.create(spec.network(NetworkKind.LOOPBACK).build());
    }
  }

  DistributedFileSystem client() {
    return client;
  }

  /**
   * Kills the active NameNode with SIGKILL. With two NameNodes the other one becomes active, and
   * the killed one starts again as standby; otherwise it starts again. Returns when all live nodes
   * have reported to the active NameNode and it has left safe mode.
   */
  void killActiveNameNode() throws IOException, InterruptedException, TimeoutException {
    Masters nameNodes = processes.nameNodes();
    if (nameNodes.count() == 1) {
      nameNodes.daemon(1).kill();
      stops.clear();
      processes.startNameNode();
      nameNodes.awaitAnswers(1);
    } else {
      OptionalInt active = nameNodes.active();
      // A NameNode that is stopped under its write lock does not say whether it is active.
      int killed = active.isPresent() ? active.getAsInt() : onlyOneWithoutAnswer(nameNodes);
      nameNodes.daemon(killed).kill();
      stops.clear();
      nameNodes.failOver(3 - killed);
      nameNodes.start(killed);
      nameNodes.awaitAnswers(killed);
    }
    awaitReady();
  }

  private static int onlyOneWithoutAnswer(Masters nameNodes) throws IOException {
    for (int number = 1; number <= nameNodes.count(); number++) {
      try {
        nameNodes.jmx(number, "Hadoop:service=NameNode,name=NameNodeStatus");
      } catch (IOException e) {
        return number;
      }
    }
    throw new IOException("No NameNode is active, and both answer");
  }

  /** Starts all DataNodes that are down, and waits until the NameNode is ready. */
  void heal() throws IOException, InterruptedException, TimeoutException {
    long begunMs = System.currentTimeMillis();
    boolean isOneStarted = false;
    for (int node = 1; node <= nodes; node++) {
      if (!processes.dataNode(node).isAlive()) {
        processes.start(node);
        isOneStarted = true;
      }
    }
    awaitReady();
    if (isOneStarted) {
      // The NameNode may take one that has just been killed for live, and name it to a writer.
      Await.until("each DataNode has sent a heartbeat", LIVE_LIMIT, POLL, () ->
          Arrays.stream(client.getDataNodeStats(HdfsConstants.DatanodeReportType.LIVE))
              .filter(node -> node.getLastUpdate() > begunMs).count() == nodes);
    }
  }

  private void awaitReady() throws IOException, InterruptedException, TimeoutException {
    int running = 0;
    for (int node = 1; node <= nodes; node++) {
      running += processes.dataNode(node).isAlive() ? 1 : 0;
    }
    processes.state().awaitLive(running, LIVE_LIMIT);
    Await.until("the NameNode has left safe mode", LIVE_LIMIT, POLL, () ->
        processes.state().nameNodeJmx("Hadoop:service=NameNode,name=NameNodeInfo").get("Safemode")
            .asText().isEmpty());
    // The old client would find its connection broken at its next call.
    client.close();
    client = processes.client();
  }

  List<Integer> nodesUp() throws IOException {
    List<Integer> up = new ArrayList<>();
    for (int node = 1; node <= nodes; node++) {
      if (processes.dataNode(node).isAlive()) {
        up.add(node);
      }
    }
    return up;
  }

  @Override
  public void close() throws IOException {
    stops.clear();
    try {
      if (client != null) {
        client.close();
      }
    } finally {
      processes.close();
    }
  }
}
