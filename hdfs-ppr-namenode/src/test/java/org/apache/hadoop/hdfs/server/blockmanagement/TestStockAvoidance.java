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
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that nodes are avoided exactly when stock's settings make stock avoid them. */
@InterfaceAudience.Private
public class TestStockAvoidance {
  @TempDir
  private Path dir;

  private MiniDFSCluster cluster(boolean byType) throws Exception {
    Configuration conf = QueueCluster.conf();
    conf.setInt("dfs.heartbeat.interval", 3600);
    conf.setBoolean("dfs.namenode.redundancy.considerLoadByStorageType", byType);
    conf.setBoolean("dfs.datanode.peer.stats.enabled", true);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, dir.toFile()).numDataNodes(3).build();
    cluster.waitActive();
    return cluster;
  }

  private static List<DatanodeDescriptor> nodes(MiniDFSCluster cluster) {
    List<DatanodeDescriptor> nodes = new ArrayList<>();
    for (DataNode node : cluster.getDataNodes()) {
      nodes.add(cluster.getNamesystem().getBlockManager().getDatanodeManager()
          .getDatanode(node.getDatanodeUuid()));
    }
    return nodes;
  }

  /** Makes all nodes report this number of transfers. */
  private static void heartbeat(MiniDFSCluster cluster, int transfers) {
    HeartbeatManager heartbeats =
        cluster.getNamesystem().getBlockManager().getDatanodeManager().getHeartbeatManager();
    for (DatanodeDescriptor node : nodes(cluster)) {
      heartbeats.updateHeartbeat(node, BlockManagerTestUtil.getStorageReportsForDatanode(node), 0,
          0, transfers, 0, null);
    }
  }

  private static StockAvoidance avoidance(MiniDFSCluster cluster) {
    return new StockAvoidance(cluster.getNamesystem().getBlockManager(),
        cluster.getConfiguration(0));
  }

  @Test
  public void slowNodes() throws Exception {
    try (MiniDFSCluster cluster = cluster(false)) {
      DatanodeDescriptor slow = nodes(cluster).get(1);
      StockAvoidance avoidance = avoidance(cluster);
      cluster.getNamesystem().getBlockManager().getDatanodeManager()
          .addSlowPeers(slow.getDatanodeUuid());
      try {
        assertFalse(avoidance.avoids(slow), "the operator's setting does not ask for it");
        cluster.getNamesystem().getBlockManager().setExcludeSlowNodesEnabled(true);
        assertTrue(avoidance.avoids(slow));
        assertFalse(avoidance.avoids(nodes(cluster).get(0)));
      } finally {
        DatanodeManager.getSlowNodesUuidSet().clear();
      }
    }
  }

  @Test
  public void busyNodes() throws Exception {
    for (boolean byType : new boolean[] {false, true}) {
      try (MiniDFSCluster cluster = cluster(byType)) {
        heartbeat(cluster, 10);
        DatanodeDescriptor busy = nodes(cluster).get(1);
        StockAvoidance avoidance = avoidance(cluster);
        BlockPlacementPolicyDefault stock = (BlockPlacementPolicyDefault) cluster.getNamesystem()
            .getBlockManager().getStriptedBlockPlacementPolicy();
        // A MiniDFSCluster switches this off in spite of the setting.
        stock.considerLoad = true;
        for (int count = 0; count < 100; count++) {
          busy.setXceiverCount(count);
          assertTrue(avoidance.avoids(busy) == stock.excludeNodeByLoad(busy),
              count + " transfers, by storage type: " + byType);
        }
        assertTrue(avoidance.avoids(busy));
      }
    }
    try (MiniDFSCluster cluster = cluster(false)) {
      heartbeat(cluster, 10);
      DatanodeDescriptor busy = nodes(cluster).get(1);
      busy.setXceiverCount(100);
      assertFalse(avoidance(cluster).avoids(busy), "the operator's setting does not ask for it");
    }
  }
}
