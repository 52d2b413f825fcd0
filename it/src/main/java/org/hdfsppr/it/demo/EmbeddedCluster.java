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
package org.hdfsppr.it.demo;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.it.util.Trees;

/**
 * An HDFS within this JVM. Nodes are numbered from 1. This class recognises a node by its UUID,
 * which does not change when the node restarts. The node's position in MiniDFSCluster's list does
 * change.
 */
final class EmbeddedCluster implements Closeable {
  private final Path base;
  private final MiniDFSCluster cluster;
  private final Map<String, Integer> nodeByUuid = new HashMap<>();
  private final Map<Integer, Path> volumes = new HashMap<>();

  private EmbeddedCluster(Path base, MiniDFSCluster cluster) {
    this.base = base;
    this.cluster = cluster;
    List<DataNode> datanodes = cluster.getDataNodes();
    for (int i = 0; i < datanodes.size(); i++) {
      DataNode datanode = datanodes.get(i);
      nodeByUuid.put(datanode.getDatanodeUuid(), i + 1);
      volumes.put(i + 1, Paths.get(
          DataNode.getStorageLocations(datanode.getConf()).get(0).getUri().getPath()));
    }
  }

  /**
   * Starts a cluster of {@code nodes} DataNodes that repair with {@code worker}. No other cluster
   * may use the folder {@code base}.
   */
  static EmbeddedCluster start(Path base, int nodes, Worker worker) throws IOException {
    Trees.delete(base);
    Configuration conf = new HdfsConfiguration();
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setLong("dfs.namenode.fs-limits.min-block-size", 4096);
    // The NameNode ignores the DataNodes' load when it chooses nodes, because all nodes share this
    // JVM.
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    worker.settings.forEach(conf::set);
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf, base.toFile())
        .numDataNodes(nodes).storagesPerDatanode(1).build();
    boolean done = false;
    try {
      cluster.waitActive();
      done = true;
    } finally {
      if (!done) {
        cluster.shutdown(true);
      }
    }
    return new EmbeddedCluster(base, cluster);
  }

  DistributedFileSystem client() throws IOException {
    return cluster.getFileSystem();
  }

  int nodes() {
    return nodeByUuid.size();
  }

  int nodeOf(DatanodeInfo location) {
    return nodeByUuid.get(location.getDatanodeUuid());
  }

  /**
   * Returns the folder of a node's only volume. The folder exists also while the node is stopped.
   */
  Path volume(int node) {
    return volumes.get(node);
  }

  /**
   * Stops a node, and makes the NameNode treat the node as dead at once. By default, a NameNode
   * treats a silent node as dead only after minutes.
   */
  DataNodeProperties stop(int node) throws IOException {
    List<DataNode> datanodes = cluster.getDataNodes();
    for (int i = 0; i < datanodes.size(); i++) {
      if (nodeByUuid.get(datanodes.get(i).getDatanodeUuid()) == node) {
        DataNodeProperties stopped = cluster.stopDataNode(i);
        cluster.setDataNodeDead(stopped.getDatanode().getDatanodeId());
        return stopped;
      }
    }
    throw new IllegalArgumentException("node " + node + " does not run");
  }

  /** Starts a stopped node again and waits until it is registered. */
  void restart(DataNodeProperties stopped) throws IOException {
    if (!cluster.restartDataNode(stopped, true)) {
      throw new IOException("A stopped DataNode does not start again");
    }
    cluster.waitActive();
  }

  @Override
  public void close() throws IOException {
    cluster.shutdown(true);
    Trees.delete(base);
  }
}
