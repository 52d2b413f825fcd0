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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the view says of a running NameNode's DataNodes. */
@InterfaceAudience.Private
class TestNamesystemView {
  @Test
  void aNodeThatHasMissedSeveralHeartbeatsIsSilentAndLive(@TempDir File directory)
      throws Exception {
    Configuration conf = new Configuration();
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory).numDataNodes(1).build()) {
      cluster.waitActive();
      NamesystemView view = new NamesystemView(cluster.getNamesystem(), conf);
      DataNode datanode = cluster.getDataNodes().get(0);
      DatanodeDescriptor node = cluster.getNamesystem().getBlockManager().getDatanodeManager()
          .getDatanode(datanode.getDatanodeId());
      DataNodeTestUtils.setHeartbeatsDisabledForTests(datanode, true);
      node.setLastUpdateMonotonic(Time.monotonicNow() - 9_000);
      assertFalse(view.liveNodes().get(0).silent, "three heartbeats are missing");
      node.setLastUpdateMonotonic(Time.monotonicNow() - 13_000);
      assertTrue(view.liveNodes().get(0).silent);
      assertEquals(1, view.liveNodes().size());
      // With heartbeats every minute, a silence of 13 s means nothing.
      Configuration slow = new Configuration(conf);
      slow.set("dfs.heartbeat.interval", "60s");
      assertFalse(new NamesystemView(cluster.getNamesystem(), slow).liveNodes().get(0).silent);
    }
  }
}
