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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.cost.CodeCost;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Repairs over narrow links between DataNodes, and among DataNodes of an older version. */
@Timeout(300)
class TestNarrowRepairs {
  private static final int CELL = 64 << 10;
  private static final int STRIPES = 4;
  private static final LinearCode CODE = PprCodec.HITCHHIKER_XORPLUS.shippedCodes().stream()
      .filter(code -> code.dataUnits() == 6).findFirst().orElseThrow();

  private static Configuration configuration(File dir) throws IOException {
    Configuration conf = RepairCluster.configuration(dir);
    conf.set(PprKeys.PLAN_TOPOLOGY_KEY, "star");
    conf.set(PprKeys.VERIFY_KEY, "off");
    return conf;
  }

  private static byte[] replica(RepairCluster cluster, Path path, int unit) throws IOException {
    LocatedStripedBlock group = cluster.groups(path).get(0);
    ExtendedBlock block = RepairCluster.internalBlock(group, unit);
    DataNode datanode = cluster.datanode(RepairCluster.holders(group).get(unit));
    return Files.readAllBytes(Paths.get(
        datanode.getFSDataset().getBlockLocalPathInfo(block).getBlockPath()));
  }

  /** Loses a unit of a new file, and waits until it is back. */
  private static void loseOne(RepairCluster cluster, Path dir, int unit) throws IOException {
    Path path = new Path(dir, "unit-" + unit);
    byte[] content = cluster.write(path, CODE.dataUnits() * STRIPES * CELL, 1 << 20, unit);
    cluster.awaitUnits(path, CODE.units());
    byte[] before = replica(cluster, path, unit);
    LocatedStripedBlock group = cluster.groups(path).get(0);
    RepairCluster.drop(cluster.datanode(RepairCluster.holders(group).get(unit)),
        RepairCluster.internalBlock(group, unit));
    RepairCluster.await("unit " + unit + " is back", () -> cluster.holds(path, unit));
    assertArrayEquals(before, replica(cluster, path, unit));
    assertTrue(cluster.hasContent(path, content));
  }

  /** The links of a star carry what the helpers read, and no more than 5 % for frames. */
  @Test
  void aStarMovesWhatTheRecipeReads(@TempDir File dir) throws IOException {
    try (RepairCluster cluster = RepairCluster.start(configuration(dir), CODE.units() + 2)) {
      Path files = cluster.directory(PprCodec.HITCHHIKER_XORPLUS, CODE, CELL);
      long before = cluster.counter("ReceivedFromChildrenBytes");
      double units = 0;
      for (int unit = 0; unit < 3; unit++) {
        loseOne(cluster, files, unit);
        units += CodeCost.of(CODE).repair(unit).unitsRead();
      }
      cluster.awaitQuiet();
      long moved = cluster.counter("ReceivedFromChildrenBytes") - before;
      double least = units * STRIPES * CELL;
      assertTrue(moved >= least && moved <= 1.05 * least, moved + " bytes, not " + least);
      assertEquals(0, cluster.counter("RepairsFailed"));
    }
  }

  /** Some DataNodes refuse requests with narrow links. The next attempt has wide ones. */
  @Test
  void olderDataNodesArePlannedAround(@TempDir File dir) throws IOException {
    Configuration conf = configuration(dir);
    try (RepairCluster cluster = RepairCluster.start(conf, CODE.units() - 4)) {
      Configuration old = new Configuration(conf);
      old.setInt(PprKeys.DATANODE_FEATURES_WITHHELD_KEY, 16);
      cluster.mini().startDataNodes(old, 6, true, null, null);
      cluster.mini().waitActive();
      Path files = cluster.directory(PprCodec.HITCHHIKER_XORPLUS, CODE, CELL);
      for (int unit = 0; unit < 3; unit++) {
        loseOne(cluster, files, unit);
      }
      assertEquals(0, cluster.counter("RepairsFailed"));
    }
  }
}
