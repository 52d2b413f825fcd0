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
package org.hdfsppr.it.codes;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.NetworkKind;

/**
 * The cluster that the tests of all codes share: processes with the plugin, over links without
 * limits.
 */
final class CodesCluster implements AutoCloseable {
  private static final String NAME = "codes";
  private static final String STOCK_BEAN = "Hadoop:service=DataNode,name=DataNodeActivity-*";

  private final HdfsProcessCluster cluster;
  private DistributedFileSystem client;

  private CodesCluster(HdfsProcessCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Starts the cluster and enables the policies.
   *
   * @param verify the value of dfs.ppr.verify, which says which slices repairs check
   */
  static CodesCluster start(int nodes, String verify, List<ErasureCodingPolicy> policies)
      throws IOException, InterruptedException, TimeoutException {
    Optional<HdfsProcessCluster> left = HdfsProcessCluster.open(NAME);
    if (left.isPresent()) {
      left.get().close();
    }
    CodesCluster made = new CodesCluster(create(nodes, verify));
    boolean up = false;
    try {
      made.cluster.up();
      made.client = made.cluster.client();
      made.enable(policies);
      up = true;
      return made;
    } finally {
      if (!up) {
        made.close();
      }
    }
  }

  private static HdfsProcessCluster create(int nodes, String verify) throws IOException {
    ClusterSpec.Builder spec = ClusterSpec.builder().name(NAME).nodes(nodes).racks(1)
        .plugin(true).codecs(true)
        .conf("dfs.ppr.verify", verify)
        // Dozens of repairs share this machine, so a slow node is no sign of a fault.
        .conf("dfs.datanode.ppr.slow.percent", "0")
        .conf("dfs.datanode.ppr.stall.timeout.ms", "60000")
        // A node may run four repairs at a time. No node counts as too busy to be a source, because
        // recipes would then lack helpers.
        .conf("dfs.namenode.replication.max-streams", "4")
        .conf("dfs.namenode.replication.max-streams-hard-limit", "1000");
    try {
      return HdfsProcessCluster.create(spec.build());
    } catch (IOException e) {
      System.out.println("Nodes have no links of their own: " + e.getMessage());
      return HdfsProcessCluster.create(spec.network(NetworkKind.LOOPBACK).build());
    }
  }

  private void enable(List<ErasureCodingPolicy> policies) throws IOException {
    for (AddErasureCodingPolicyResponse added : client.addErasureCodingPolicies(
        policies.toArray(new ErasureCodingPolicy[0]))) {
      if (!added.isSucceed()) {
        throw new IOException("The policy cannot be added: " + added);
      }
      client.enableErasureCodingPolicy(added.getPolicy().getName());
    }
  }

  HdfsProcessCluster processes() {
    return cluster;
  }

  DistributedFileSystem client() {
    return client;
  }

  /** Describes the repairs that the NameNode still has to do; empty if there are none. */
  String backlog() throws IOException {
    JsonNode state =
        cluster.state().nameNodeJmx("Hadoop:service=NameNode,name=FSNamesystemState");
    long low = state.get("LowRedundancyBlocks").asLong();
    long pending = state.get("PendingReconstructionBlocks").asLong();
    return low == 0 && pending == 0 ? "" : low + " low, " + pending + " pending";
  }

  /** Returns one of Hadoop's own counters for each node. */
  Map<Integer, Long> stockCounter(String counter) throws IOException {
    Map<Integer, Long> values = new HashMap<>();
    for (int node = 1; node <= cluster.spec().nodes; node++) {
      values.put(node, cluster.state().jmx(node, STOCK_BEAN).get(counter).asLong());
    }
    return values;
  }

  @Override
  public void close() throws IOException {
    try {
      if (client != null) {
        client.close();
      }
    } finally {
      cluster.close();
    }
  }
}
