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
package org.hdfsppr.client.files;

import static org.hdfsppr.client.files.ConvertCluster.ALICE;
import static org.hdfsppr.client.files.ConvertCluster.GROUP;
import static org.hdfsppr.client.files.ConvertCluster.HITCHHIKER;
import static org.hdfsppr.client.files.ConvertCluster.LRC;
import static org.hdfsppr.client.files.ConvertCluster.RS;
import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hdfs ppr -convert} where DataNodes, or all of them, have no plugin. */
@Timeout(300)
class TestConvertWithoutPlugins {
  private static final Path FILE = new Path("/warm/f");
  private static final int GROUPS = 8;

  @TempDir
  File directory;
  private ConvertCluster cluster;

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** The units on a DataNode without the plugin are read, and made on other DataNodes. */
  @Test
  void aDataNodeWithoutThePluginIsASource() throws Exception {
    cluster = new ConvertCluster(directory);
    cluster.awaitInCharge();
    MiniDFSCluster mini = cluster.hdfs().mini();
    Configuration conf = new Configuration(mini.getConfiguration(0));
    conf.set("dfs.datanode.plugins", "");
    mini.startDataNodes(conf, 1, true, null, null);
    mini.waitActive();
    String without = mini.getDataNodes().get(ConvertCluster.NODES).getDatanodeUuid();
    byte[] content = cluster.write(FILE, RS, GROUPS * GROUP, 1);
    assertTrue(cluster.hdfs().groups(FILE).stream().anyMatch(group ->
        RepairCluster.holders(group).values().stream().anyMatch(node ->
            node.getDatanodeUuid().equals(without))), "no group has a unit there");
    assertEquals(0, cluster.run(ALICE, "-convert", "-policy", LRC, "-idle", "0", "-wait",
        FILE.toString()), cluster.out() + cluster.err());
    assertEquals(LRC, cluster.policy(FILE));
    assertTrue(cluster.hdfs().hasContent(FILE, content));
    assertTrue(cluster.hdfs().groups(FILE).stream().noneMatch(group ->
        RepairCluster.holders(group).values().stream().anyMatch(node ->
            node.getDatanodeUuid().equals(without))), "it makes nothing");

    // All holders have the plugin now.
    Map<Integer, DatanodeInfo> holders =
        RepairCluster.holders(cluster.hdfs().groups(FILE).get(0));
    cluster.hdfs().kill(holders.get(0));
    cluster.hdfs().kill(holders.get(1));
    cluster.awaitAgents(ConvertCluster.NODES - 2);
    Path other = new Path("/warm/g");
    cluster.write(other, RS, GROUP, 2);
    assertEquals(1, cluster.run(ALICE, "-convert", "-policy", LRC, "-idle", "0", "-wait",
        other.toString()), "ten units need ten nodes, and nine are left: " + cluster.out());
    assertTrue(cluster.out().contains("1 refused: no_nodes"), cluster.out());
    assertEquals(RS, cluster.policy(other));
  }

  /** Reads are not noted where access times are off. */
  @Test
  void withoutAccessTimesTheCodeOrTheUserHasToMakeItSafe() throws Exception {
    cluster = new ConvertCluster(directory, "dfs.namenode.accesstime.precision", "0");
    cluster.awaitInCharge();
    cluster.write(FILE, RS, GROUP, 1);
    cluster.hdfs().fs.setTimes(FILE, System.currentTimeMillis() - 100_000_000, -1);
    assertEquals(1, cluster.run(ALICE, "-convert", "-policy", HITCHHIKER, "-wait",
        FILE.toString()), cluster.out());
    assertTrue(cluster.err().contains("dfs.namenode.accesstime.precision is 0")
        && cluster.err().contains("force it if nothing reads it"), cluster.err());
    assertEquals(0, cluster.run(ALICE, "-convert", "-policy", HITCHHIKER, "-force", "-dry-run",
        FILE.toString()), cluster.err());
    assertTrue(cluster.out().contains("1 would be converted"), cluster.out());
    assertEquals(0, cluster.run(ALICE, "-convert", "-policy", LRC, "-dry-run", FILE.toString()),
        cluster.err());
    assertTrue(cluster.out().contains("1 would be converted"), "it keeps RS's first parity unit: "
        + cluster.out());

    assertEquals(0, cluster.run(UserGroupInformation.getCurrentUser(), "-pause"), cluster.err());
    Map<Integer, DatanodeInfo> holders =
        RepairCluster.holders(cluster.hdfs().groups(FILE).get(0));
    cluster.hdfs().kill(holders.get(0));
    cluster.hdfs().kill(holders.get(8));
    assertEquals(1, cluster.run(ALICE, "-convert", "-policy", LRC, FILE.toString()),
        "a second parity unit would be needed: " + cluster.out());
    assertTrue(cluster.err().contains("dfs.namenode.accesstime.precision is 0"), cluster.err());
    assertEquals(0, cluster.run(ALICE, "-convert", "-policy", LRC, "-force", "-dry-run",
        FILE.toString()), cluster.err());
    assertTrue(cluster.out().contains("1 would be converted"), cluster.out());
  }

  @Test
  void withoutThePluginOnDataNodesNothingIsInCharge() throws Exception {
    cluster = new ConvertCluster(directory, "dfs.datanode.plugins", "");
    cluster.write(FILE, RS, GROUP, 1);
    await("the plugin has decided", () ->
        cluster.document("status").path("state").asText().equals("not_in_charge"));
    assertEquals(1, cluster.run(ALICE, "-convert", "-policy", LRC, "-idle", "0",
        FILE.toString()), cluster.out());
    assertTrue(cluster.err().contains("This NameNode takes no conversions: hdfs-ppr is not in"
        + " charge of repairs here") && cluster.err().contains("hdfs ppr -doctor"), cluster.err());
  }
}
