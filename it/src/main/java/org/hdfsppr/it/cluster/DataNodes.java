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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.hdfsppr.it.util.Trees;

/**
 * Starts and kills the DataNode processes of a cluster, and finds and deletes their stored data.
 * DataNodes are numbered from 1.
 */
final class DataNodes {
  /** A DataNode's maximum heap size. It is small, because some twenty JVMs share one machine. */
  private static final String DATANODE_HEAP = "256m";

  private final ClusterHome home;
  private final Network network;
  private final DaemonSettings settings;
  private final ClusterJars jars;

  DataNodes(ClusterHome home, Network network, DaemonSettings settings, ClusterJars jars) {
    this.home = home;
    this.network = network;
    this.settings = settings;
    this.jars = jars;
  }

  /** Throws an exception if the cluster has no DataNode with this number. */
  void require(int node) {
    if (node < 1 || node > home.spec.nodes) {
      throw new IllegalArgumentException("There is no dn" + node + ": the DataNodes of '"
          + home.spec.name + "' are dn1 to dn" + home.spec.nodes);
    }
  }

  Daemon daemon(int node) {
    require(node);
    return new Daemon("dn" + node, home.dir.resolve("dn" + node));
  }

  /** Returns the folder of a DataNode's only volume. */
  Path dataDir(int node) {
    return daemon(node).home.resolve("data");
  }

  Path updateLogDir(int node) {
    require(node);
    return settings.updateLogDir(node);
  }

  /**
   * Starts a DataNode, which must not be running, with further settings for this DataNode alone.
   * Does not wait until the DataNode is live.
   */
  void start(int node, Map<String, String> own) throws IOException, InterruptedException {
    Daemon daemon = daemon(node);
    Map<String, String> hdfs = new TreeMap<>(settings.dataNode(node));
    hdfs.putAll(own);
    DaemonFiles.writeConf(daemon.home.resolve("conf"), settings.core(), hdfs, daemon.log());
    List<String> command = new ArrayList<>(network.launchPrefix(node));
    command.addAll(DaemonCommand.ofDaemon(home, daemon, DATANODE_HEAP,
        jars.ofDataNode(daemon.name)));
    for (String option : home.spec.conf.getOrDefault(ClusterSpec.DATANODE_JVM_KEY, "")
        .split(" ")) {
      if (!option.isEmpty()) {
        command.add(option);
      }
    }
    command.add("org.apache.hadoop.hdfs.server.datanode.DataNode");
    daemon.start(command);
  }

  /** Deletes all data that a DataNode has stored. The DataNode must not be running. */
  void wipe(int node) throws IOException {
    if (daemon(node).isAlive()) {
      throw new IllegalStateException("dn" + node + " runs");
    }
    Trees.delete(dataDir(node));
    Trees.delete(updateLogDir(node));
  }

  void killAll() throws IOException, InterruptedException, TimeoutException {
    for (int node = 1; node <= home.spec.nodes; node++) {
      daemon(node).kill();
    }
  }

  /** Counts the replicas in the volumes of all nodes. */
  long storedReplicas() throws IOException {
    long stored = 0;
    for (int node = 1; node <= home.spec.nodes; node++) {
      stored += Trees.files(dataDir(node),
          file -> file.getFileName().toString().matches("blk_-?\\d+")).size();
    }
    return stored;
  }

  /**
   * Returns the names of the DataNodes that are not running, followed by the last log lines of the
   * first of them.
   */
  String describeDead() throws IOException {
    List<Daemon> dead = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int node = 1; node <= home.spec.nodes; node++) {
      if (!daemon(node).isAlive()) {
        dead.add(daemon(node));
        names.add(daemon(node).name);
      }
    }
    return names + (dead.isEmpty() ? "" : "\n" + dead.get(0).tail());
  }
}
