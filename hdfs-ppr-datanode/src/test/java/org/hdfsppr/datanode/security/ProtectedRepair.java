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
package org.hdfsppr.datanode.security;

import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.Assertions;

/**
 * A repair on a cluster whose data transfer is protected as its configuration says: by block
 * tokens, SASL or encryption. It writes a file, loses data units, and checks that the plugin alone
 * has rebuilt them.
 */
@InterfaceAudience.Private
final class ProtectedRepair {
  private static final String POLICY = "RS-3-2-1024k";
  private static final int UNITS = 5;
  private static final int CELL = 1 << 20;

  private final Configuration conf;
  private final String topology;
  private final int losses;
  private final boolean stockHelper;

  /**
   * @param conf the configuration of the cluster; it says how data transfer is protected
   * @param losses how many data units are lost at the same time, 1 or 2
   * @param stockHelper whether one helper runs without the extension
   */
  ProtectedRepair(Configuration conf, File directory, String topology, int losses,
      boolean stockHelper) {
    this.conf = RepairCluster.configure(conf, directory);
    this.topology = topology;
    this.losses = losses;
    this.stockHelper = stockHelper;
    conf.set(PprKeys.PLAN_TOPOLOGY_KEY, topology);
  }

  /** Runs the repair. */
  void run() throws Exception {
    try (RepairCluster cluster = RepairCluster.start(conf, UNITS + losses)) {
      Path dir = cluster.directory("/ec", POLICY);
      Path file = new Path(dir, "file");
      byte[] data = cluster.write(file, 2 * 3 * CELL + CELL / 3, 4L * CELL, 11);
      cluster.awaitUnits(file, UNITS);
      Assertions.assertEquals(1, cluster.groups(file).size(), "groups");
      LocatedStripedBlock group = cluster.groups(file).get(0);
      Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group);
      if (stockHelper) {
        RepairPort.of(cluster.datanode(holders.get(1))).plugin.stop();
      }
      killTogether(cluster, holders);
      cluster.awaitUnits(file, UNITS);
      // The lost units are data units, so a plain read uses the rebuilt replicas.
      Assertions.assertTrue(cluster.hasContent(file, data), "the file has its bytes");
      assertDoneByPlugin(cluster);
      if (stockHelper) {
        Assertions.assertTrue(RepairPort.sum(cluster, "ReceivedByStockReadsBytes") > 0,
            "stock reads");
      }
      long unit = data.length - 2L * 2 * CELL;
      Assertions.assertEquals(unit, RepairPort.sum(cluster, "ReplicaWrittenBytes"),
          "bytes of the first unit, written where they were rebuilt");
      Assertions.assertEquals((losses - 1) * 2L * CELL,
          RepairPort.sum(cluster, "SentToRemoteTargetsBytes"),
          "bytes of the other unit, sent to another DataNode");
    }
  }

  /** Stops the nodes together, so that one repair rebuilds all units. */
  private void killTogether(RepairCluster cluster, Map<Integer, DatanodeInfo> holders)
      throws IOException {
    Set<DatanodeInfo> lost = new HashSet<>();
    Map<String, Integer> indices = new HashMap<>();
    for (int i = 0; i < losses; i++) {
      lost.add(holders.get(2 * i));
    }
    for (DatanodeInfo node : lost) {
      MiniDFSCluster mini = cluster.mini();
      indices.clear();
      for (int i = 0; i < mini.getDataNodes().size(); i++) {
        indices.put(mini.getDataNodes().get(i).getDatanodeUuid(), i);
      }
      mini.stopDataNode(indices.get(node.getDatanodeUuid()));
    }
    for (DatanodeInfo node : lost) {
      cluster.mini().setDataNodeDead(node);
    }
  }

  private void assertDoneByPlugin(RepairCluster cluster) {
    RepairCluster.await("the plugin counts its repair",
        () -> RepairPort.sum(cluster, "RepairsSucceeded") > 0);
    Assertions.assertEquals(0, RepairPort.sum(cluster, "RepairsFailed"), "repairs that failed");
    for (String reason : new String[] {"UnknownCodec", "ProbeFailed", "TooFewHelpers",
        "RepeatedFailure", "QueueFull", "NotReady", "Stopping", "LocalWriteFailed", "Other"}) {
      Assertions.assertEquals(0, RepairPort.sum(cluster, "Fallbacks" + reason),
          "repairs left to stock: " + reason);
    }
    Assertions.assertTrue(RepairPort.sum(cluster, "ReceivedFromChildrenBytes") > 0,
        "bytes came over the repair port, in the shape of " + topology);
    for (DataNode datanode : cluster.mini().getDataNodes()) {
      RepairCluster.await("transfers are accounted", () -> datanode.getXmitsInProgress() == 0);
    }
  }
}
