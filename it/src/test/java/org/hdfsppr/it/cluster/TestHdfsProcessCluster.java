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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.TestFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the harness, on which all process tests depend. The loopback network needs no root. */
@Tag("slow")
@Tag("process")
class TestHdfsProcessCluster {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int UNITS = 5;

  @Test
  void losesAUnitAndGetsItBack() throws Exception {
    ClusterSpec spec = ClusterSpec.builder().name("itself").nodes(7).racks(3)
        .network(NetworkKind.LOOPBACK).build();
    try (HdfsProcessCluster cluster = HdfsProcessCluster.create(spec)) {
      cluster.up();
      assertTrue(HdfsProcessCluster.names().contains("itself"));
      try (DistributedFileSystem client = cluster.client()) {
        repairOneUnit(cluster, client);
      }
      cluster.kill(7);
      assertFalse(cluster.dataNode(7).isAlive());
      cluster.state().awaitLive(6, LIMIT);
      cluster.start(7);
      cluster.state().awaitLive(7, LIMIT);
    }
    assertFalse(HdfsProcessCluster.names().contains("itself"));
  }

  private void repairOneUnit(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws Exception {
    Path file = new Path("/ec/file");
    client.mkdirs(file.getParent());
    client.enableErasureCodingPolicy("RS-3-2-1024k");
    client.setErasureCodingPolicy(file.getParent(), "RS-3-2-1024k");
    TestFile.write(client, file, 4L << 20, 12L << 20, 1);
    awaitWhole(cluster, client, file);
    Unit lost = BlockGroup.of(cluster, client, file).get(0).units.get(1);
    String digest = UnitFiles.of(cluster, lost.node, lost.block).digest();
    CommandLogs logs = CommandLogs.from(cluster);
    LossKind.REPORT.lose(cluster, client, List.of(lost));
    awaitWhole(cluster, client, file);
    Unit rebuilt = BlockGroup.of(cluster, client, file).get(0).replicasOf(1).get(0);
    assertTrue(rebuilt.node != lost.node);
    assertEquals(digest, UnitFiles.of(cluster, rebuilt.node, rebuilt.block).digest());
    assertTrue(logs.firstRepairCommandMs().isPresent());
  }

  private static void awaitWhole(HdfsProcessCluster cluster, DistributedFileSystem client,
      Path file) throws Exception {
    Await.until(file + " is whole", LIMIT, POLL,
        () -> BlockGroup.of(cluster, client, file).get(0).distinctUnits() == UNITS);
  }
}
