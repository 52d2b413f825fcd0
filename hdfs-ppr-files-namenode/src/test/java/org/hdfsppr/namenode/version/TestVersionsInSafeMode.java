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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.wire.RequestBounds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a NameNode that starts in the middle of a version, while a DataNode is away. */
class TestVersionsInSafeMode {
  private static final int DATA_UNITS = 6;
  private static final int GROUPS = 8;
  private static final String FILE = "/ec/f";

  @TempDir
  File directory;
  private VersionCluster cluster;

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /**
   * The groups of the unfinished version have their data units, and no parities yet, so that those
   * with a data unit on the node that is away have fewer units than stock wants. No reader needs
   * them.
   */
  @Test
  void groupsOfAnUnfinishedVersionDoNotHoldItUp() throws Exception {
    startWithUnfinishedVersion(0);
  }

  /** The NameNode then looks once more before it leaves, so that the groups must not come back. */
  @Test
  void theyDoNotWithAnExtensionEither() throws Exception {
    startWithUnfinishedVersion(3_000);
  }

  private void startWithUnfinishedVersion(int extensionMs) throws Exception {
    Configuration conf = VersionCluster.conf(directory);
    // Few parity units are made before the NameNode ends.
    conf.setLong(PprKeys.NAMENODE_VERSION_RATE_KEY, RequestBounds.BYTES_PER_SECOND_MIN);
    conf.setInt(MiniDFSCluster.DFS_NAMENODE_SAFEMODE_EXTENSION_TESTING_KEY, extensionMs);
    cluster = VersionCluster.start(conf);
    byte[] data = cluster.write(FILE, (int) VersionCluster.BLOCK * DATA_UNITS * GROUPS, 1);
    cluster.haltAt(VersionPoint.LINKED, GROUPS - 1, FILE);

    DataNodeProperties away = cluster.mini().stopDataNode(holderOfMost());
    cluster.mini().restartNameNode(0, false);
    RepairCluster.await("the NameNode has left safe mode",
        () -> !cluster.mini().getNamesystem().isInSafeMode());
    cluster.awaitNothingLeft();
    assertEquals(VersionCluster.RS, cluster.policyOf(FILE));
    assertTrue(cluster.mini().restartDataNode(away, true));
    cluster.awaitUnits(FILE, (DATA_UNITS + 3) * GROUPS);
    cluster.assertContent(FILE, data);
  }

  /** Returns the address of the DataNode that has data units of the most groups. */
  private String holderOfMost() throws Exception {
    Map<String, Integer> dataUnits = new HashMap<>();
    List<LocatedStripedBlock> groups = cluster.cluster.groups(new Path(FILE));
    for (LocatedStripedBlock group : groups) {
      Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group);
      for (int unit = 0; unit < DATA_UNITS; unit++) {
        dataUnits.merge(holders.get(unit).getXferAddr(), 1, Integer::sum);
      }
    }
    Map.Entry<String, Integer> most = dataUnits.entrySet().stream()
        .max(Map.Entry.comparingByValue()).orElseThrow();
    // A NameNode with so few groups leaves safe mode while it misses one.
    assertTrue(most.getValue() > 3, dataUnits.toString());
    return most.getKey();
  }
}
