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
package org.hdfsppr.namenode;

import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A nameservice that {@code dfsadmin -refreshNamenodes} adds while DataNodes run has its repairs
 * scheduled by its plugin. A nameservice that is removed gets no more heartbeats.
 */
@Timeout(240)
class TestNameservicesChange {
  private static final String HEARTBEAT_THREAD = "ppr-heartbeat to ";

  @TempDir
  File directory;
  private MiniDFSCluster cluster;

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  @Test
  void nameservicesComeAndGoWhileDataNodesRun() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.set("dfs.namenode.plugins", PprNameNodePlugin.class.getName());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 200);
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ".ns1", "127.0.0.1:" + FreePort.choose());
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(2)
        .nnTopology(MiniDFSNNTopology.simpleFederatedTopology(1)).build();
    cluster.waitActive(0);
    awaitActive(1);
    Set<String> before = heartbeats();
    assertEquals(1, before.size(), before::toString);

    // The first configuration does not contain the address of the second manager either.
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ".ns2", "127.0.0.1:" + FreePort.choose());
    cluster.addNameNode(conf, 0);
    cluster.waitActive(1);
    refresh(conf);
    awaitActive(2);
    Set<String> both = heartbeats();
    assertEquals(2, both.size(), both::toString);
    assertTrue(both.containsAll(before), "the heartbeats to the first one go on: " + both);

    Configuration without = new Configuration(conf);
    without.set(DFSConfigKeys.DFS_NAMESERVICES, "ns1");
    refresh(without);
    awaitActive(1);
    await("heartbeats to the second nameservice have ended", () -> heartbeats().equals(before));

    refresh(conf);
    awaitActive(2);
    assertEquals(both, heartbeats(), "the first nameservice has come back");
  }

  /** Does what a DataNode does on the command, which reads the configuration files again. */
  private void refresh(Configuration conf) throws IOException {
    for (DataNode datanode : cluster.getDataNodes()) {
      datanode.setConf(new Configuration(conf));
      datanode.refreshNamenodes(datanode.getConf());
    }
  }

  private void awaitActive(int managers) {
    for (DataNode datanode : cluster.getDataNodes()) {
      String source = "PprDataNode-" + datanode.getDisplayName().replace(':', '-');
      await(managers + " managers schedule repairs on " + datanode, () -> managers
          == MetricsAsserts.getIntGauge("ManagersActive", MetricsAsserts.getMetrics(source)));
    }
  }

  /** Returns the NameNodes to which threads of all DataNodes send heartbeats. */
  private static Set<String> heartbeats() {
    Set<String> names = new TreeSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith(HEARTBEAT_THREAD)) {
        names.add(thread.getName().substring(HEARTBEAT_THREAD.length()));
      }
    }
    return names;
  }
}
