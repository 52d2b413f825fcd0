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
package org.hdfsppr.namenode.manage.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the view says of a running NameNode's DataNodes. */
@InterfaceAudience.Private
class TestNamesystemView {
  private static void heardBefore(DatanodeDescriptor node, long seconds) {
    node.setLastUpdateMonotonic(Time.monotonicNow() - TimeUnit.SECONDS.toMillis(seconds));
  }

  @Test
  void aNodeThatHasMissedSeveralHeartbeatsIsSilentUntilItsBlocksAreLost(@TempDir File directory)
      throws Exception {
    Configuration conf = new Configuration();
    // The NameNode removes no dead node in this test.
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 300_000);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory).numDataNodes(1).build()) {
      cluster.waitActive();
      NamesystemView view = new NamesystemView(cluster.getNamesystem(), conf);
      DataNode datanode = cluster.getDataNodes().get(0);
      DatanodeManager manager = cluster.getNamesystem().getBlockManager().getDatanodeManager();
      DatanodeDescriptor node = manager.getDatanode(datanode.getDatanodeId());
      DataNodeTestUtils.setHeartbeatsDisabledForTests(datanode, true);
      heardBefore(node, 9);
      assertEquals(0, view.silentNodes(), "three heartbeats are missing");
      heardBefore(node, 13);
      assertEquals(1, view.silentNodes());
      assertEquals(1, view.liveNodes().size());
      heardBefore(node, 640);
      assertEquals(0, view.liveNodes().size());
      assertEquals(1, view.silentNodes(), "its units count as there");
      heardBefore(node, 13);
      node.startMaintenance();
      node.setInMaintenance();
      assertEquals(0, view.silentNodes(), "an operator has taken it out of service");
      node.stopMaintenance();
      assertEquals(1, view.silentNodes());
      // With heartbeats every minute, a silence of 13 s means nothing.
      manager.setHeartbeatInterval(60);
      assertEquals(0, view.silentNodes());
    }
  }
}
