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
package org.hdfsppr.it.read;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.NetworkKind;
import org.hdfsppr.it.util.Await;

/**
 * A cluster of processes with the plugin, whose NameNode starts no repair. A lost unit stays lost
 * until a test undoes the loss. {@code -Dread.client=LABEL} chooses the client.
 */
final class ReadCluster implements AutoCloseable {
  /** The client that reads. */
  static final ReadClient CLIENT = ReadClient.parse(System.getProperty("read.client", "auto"));

  private static final Duration UP_LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(100);

  private final HdfsProcessCluster cluster;
  private DistributedFileSystem writer;
  private DistributedFileSystem reader;

  private ReadCluster(HdfsProcessCluster cluster) {
    this.cluster = cluster;
  }

  static ReadCluster start(String name, int nodes)
      throws IOException, InterruptedException, TimeoutException {
    Optional<HdfsProcessCluster> left = HdfsProcessCluster.open(name);
    if (left.isPresent()) {
      left.get().close();
    }
    ReadCluster made = new ReadCluster(create(name, nodes));
    boolean up = false;
    try {
      made.cluster.up();
      made.writer = made.cluster.client();
      Configuration conf = CLIENT.applyTo(made.cluster.clientConf());
      made.reader = (DistributedFileSystem) FileSystem.newInstance(
          FileSystem.getDefaultUri(conf), conf);
      System.out.println("read.client=" + CLIENT.label + ", "
          + made.reader.getClass().getName());
      up = true;
      return made;
    } finally {
      if (!up) {
        made.close();
      }
    }
  }

  private static HdfsProcessCluster create(String name, int nodes) throws IOException {
    ClusterSpec.Builder spec = ClusterSpec.builder().name(name).nodes(nodes).racks(1)
        .plugin(true).codecs(true)
        .conf("dfs.namenode.replication.max-streams", "0")
        .conf("dfs.namenode.replication.max-streams-hard-limit", "0");
    try {
      return HdfsProcessCluster.create(spec.build());
    } catch (IOException e) {
      System.out.println("Nodes have no links of their own, none is slowed down: "
          + e.getMessage());
      return HdfsProcessCluster.create(spec.network(NetworkKind.LOOPBACK).build());
    }
  }

  /** Adds policies that the NameNode does not know, and enables all of them. */
  void enable(List<ErasureCodingPolicy> policies) throws IOException {
    for (AddErasureCodingPolicyResponse added : writer.addErasureCodingPolicies(
        policies.toArray(new ErasureCodingPolicy[0]))) {
      if (!added.isSucceed()) {
        throw new IOException("The policy cannot be added: " + added);
      }
      writer.enableErasureCodingPolicy(added.getPolicy().getName());
    }
  }

  HdfsProcessCluster processes() {
    return cluster;
  }

  int nodes() {
    return cluster.spec().nodes;
  }

  /** Returns Hadoop's client, over a link without a limit. */
  DistributedFileSystem writer() {
    return writer;
  }

  /** Returns the client under test. */
  DistributedFileSystem reader() {
    return reader;
  }

  boolean canSlow() {
    return cluster.spec().network == NetworkKind.NAMESPACES;
  }

  /** Waits until a restarted node reports that it serves its replicas. */
  void awaitServing(int node) throws IOException, InterruptedException, TimeoutException {
    Await.until(() -> "dn" + node + " serves", UP_LIMIT, POLL, () -> {
      try {
        return cluster.state().jmx(node, "Hadoop:service=DataNode,name=DataNodeInfo")
            .path("BPServiceActorInfo").asText().contains("RUNNING");
      } catch (IOException e) {
        // The node does not answer yet. If it has ended, it never will.
        return false;
      }
    });
  }

  @Override
  public void close() throws IOException {
    try {
      if (reader != null) {
        reader.close();
      }
      if (writer != null) {
        writer.close();
      }
    } finally {
      cluster.close();
    }
  }
}
