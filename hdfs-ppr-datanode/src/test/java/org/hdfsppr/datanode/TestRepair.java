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
package org.hdfsppr.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the plugin repairs files of a stock client under a stock NameNode: with the right
 * bytes, without the stock worker, and with nothing left behind.
 */
class TestRepair {
  private static final int CELL = 1 << 20;

  @TempDir
  private File directory;

  @ParameterizedTest
  @CsvSource({
      "RS-3-2-1024k, 3, 2, star, 1",
      "RS-3-2-1024k, 3, 2, rack, 2",
      "RS-6-3-1024k, 6, 3, ppr, 1",
      "RS-6-3-1024k, 6, 3, chain, 1",
      "RS-6-3-1024k, 6, 3, rack, 3",
      "RS-LEGACY-6-3-1024k, 6, 3, chain, 2",
      "XOR-2-1-1024k, 2, 1, chain, 1",
      "RS-10-4-1024k, 10, 4, ppr, 2"})
  void lostUnitsComeBack(String policy, int k, int m, String topology, int losses)
      throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.set(PprKeys.PLAN_TOPOLOGY_KEY, topology);
    try (RepairCluster cluster = RepairCluster.start(conf, k + m + losses)) {
      Path dir = cluster.directory("/ec", policy);
      Path file = new Path(dir, "file");
      // Two full groups, and one group that ends within its second cell.
      int length = 2 * k * 2 * CELL + CELL + CELL / 3;
      byte[] data = cluster.write(file, length, 2L * CELL, 7);
      LocatedStripedBlock group = cluster.groups(file).get(0);
      Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group);
      for (int lost = 0; lost < losses; lost++) {
        cluster.kill(holders.get(lost * 2));
      }
      for (LocatedStripedBlock each : cluster.groups(file)) {
        long cells = (each.getBlockSize() + CELL - 1) / CELL;
        int units = (int) Math.min(k, cells) + m;
        awaitGroup(cluster, file, each, units);
      }
      assertTrue(cluster.hasContent(file, data), "the file has its bytes");
      readThroughRebuilt(cluster, file, data);
      assertTrue(cluster.counter("RepairsSucceeded") > 0, "the plugin made the repair");
      assertEquals(0, cluster.counter("RepairsFailed"), "repairs that failed");
      assertEquals(0, cluster.counter("ChunkCacheHits") + cluster.counter("ChunkCacheMisses"),
          "repairs of whole units do not use the readers' cache");
      for (DataNode datanode : cluster.mini().getDataNodes()) {
        RepairCluster.await("transfers are accounted", () -> datanode.getXmitsInProgress() == 0);
      }
    }
  }

  private static void awaitGroup(RepairCluster cluster, Path file, LocatedStripedBlock group,
      int units) {
    RepairCluster.await(units + " units of " + group.getBlock(), () -> {
      try {
        for (LocatedStripedBlock now : cluster.groups(file)) {
          if (now.getBlock().getBlockId() == group.getBlock().getBlockId()) {
            return RepairCluster.holders(now).size() >= units;
          }
        }
        return false;
      } catch (java.io.IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  /** Stops further nodes, as many as the code survives, so that reads need the rebuilt units. */
  private static void readThroughRebuilt(RepairCluster cluster, Path file, byte[] data)
      throws Exception {
    LocatedStripedBlock group = cluster.groups(file).get(0);
    DatanodeInfo other = RepairCluster.holders(group).get(1);
    cluster.kill(other);
    assertTrue(cluster.hasContent(file, data), "the file has its bytes, read degraded");
  }
}
