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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.test.MetricsAsserts;
import org.apache.hadoop.util.ToolRunner;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests both plugins together on files that a stock client wrote: a node is lost, and all its units
 * are rebuilt.
 */
@Timeout(240)
class TestNodeLoss {
  private static final int FILE_BYTES = 3 << 20;
  private static final int FILES = 8;
  private static final int NODES = 9;
  private static final String[] RACKS = {"/a", "/a", "/a", "/b", "/b", "/b", "/c", "/c", "/c"};

  @TempDir
  File directory;
  private RepairCluster cluster;
  private final Map<Path, byte[]> files = new LinkedHashMap<>();

  private Configuration configuration() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.set("dfs.namenode.plugins", PprNameNodePlugin.class.getName());
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 200);
    return conf;
  }

  private void start(Configuration conf) throws IOException {
    cluster = RepairCluster.start(conf, NODES, RACKS);
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private void write(String policy) throws IOException {
    Path dir = cluster.directory("/" + policy, policy);
    for (int i = 0; i < FILES; i++) {
      Path file = new Path(dir, "f" + i);
      files.put(file, cluster.write(file, FILE_BYTES + i * 12_345, 2 << 20, i));
    }
  }

  /**
   * In a process that has had several NameNodes, Hadoop may add a number to the names of metrics
   * sources.
   */
  private static MetricsSource source() {
    MetricsSource[] found = new MetricsSource[1];
    await("the manager's metrics are there", () -> {
      for (int number = 0; number < 10 && found[0] == null; number++) {
        found[0] = DefaultMetricsSystem.instance()
            .getSource(number == 0 ? "PprNameNode" : "PprNameNode-" + number);
      }
      return found[0] != null;
    });
    return found[0];
  }

  /** Reads the counter directly, because JMX may show a value that is ten seconds old. */
  private static long counter(String name) {
    return MetricsAsserts.getLongCounter(name, MetricsAsserts.getMetrics(source()));
  }

  private static int gauge(String name) {
    return MetricsAsserts.getIntGauge(name, MetricsAsserts.getMetrics(source()));
  }

  private BlockManager blocks() {
    return cluster.mini().getNamesystem().getBlockManager();
  }

  private boolean isWhole() {
    BlockManagerTestUtil.updateState(blocks());
    return blocks().getLowRedundancyBlocksCount() == 0
        && blocks().getPendingReconstructionBlocksCount() == 0;
  }

  private void assertContents() throws IOException {
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      assertTrue(cluster.hasContent(file.getKey(), file.getValue()), file.getKey().toString());
    }
  }

  private void loseAndAwaitWhole(int index) throws Exception {
    loseNode(index);
    await("the NameNode has noticed a loss", () -> !isWhole());
    await("all groups are whole", this::isWhole);
    assertContents();
  }

  /** Returns how many internal blocks of all files a node holds. */
  private int unitsOn(int index) throws IOException {
    String uuid = cluster.mini().getDataNodes().get(index).getDatanodeUuid();
    int units = 0;
    for (Path file : files.keySet()) {
      for (LocatedStripedBlock group : cluster.groups(file)) {
        units += RepairCluster.holders(group).values().stream()
            .anyMatch(node -> node.getDatanodeUuid().equals(uuid)) ? 1 : 0;
      }
    }
    return units;
  }

  private int fullestNode() throws IOException {
    return fullestNode(0, NODES);
  }

  /**
   * Returns the node with most units among those from one number up to another. The NameNode
   * chooses nodes at random, so that a given node may have no unit.
   */
  private int fullestNode(int from, int to) throws IOException {
    int fullest = from;
    for (int other = from + 1; other < to; other++) {
      fullest = unitsOn(other) > unitsOn(fullest) ? other : fullest;
    }
    return fullest;
  }

  /** Returns the id of a group with a unit on a node. */
  private long groupOn(int index) throws IOException {
    String uuid = cluster.mini().getDataNodes().get(index).getDatanodeUuid();
    for (Path file : files.keySet()) {
      for (LocatedStripedBlock group : cluster.groups(file)) {
        if (RepairCluster.holders(group).values().stream()
            .anyMatch(node -> node.getDatanodeUuid().equals(uuid))) {
          return group.getBlock().getBlockId();
        }
      }
    }
    throw new AssertionError("no group has a unit on node " + index);
  }

  /** Stops a node for good, and waits until the NameNode has noticed. */
  private void loseNode(int index) throws Exception {
    DatanodeID lost = cluster.mini().getDataNodes().get(index).getDatanodeId();
    assertNotNull(cluster.mini().stopDataNode(index));
    cluster.mini().setDataNodeDead(lost);
  }

  @ParameterizedTest
  @ValueSource(strings = {"balanced", "mppr", "fifo", "star"})
  void aLostNodesBlocksComeBack(String scheduler) throws Exception {
    Configuration conf = configuration();
    conf.set(PprKeys.NAMENODE_SCHEDULER_KEY, scheduler);
    start(conf);
    write("RS-3-2-1024k");
    write("XOR-2-1-1024k");
    await("all agents have sent heartbeats", () -> gauge("Agents") == NODES);
    int node = fullestNode();
    int lost = unitsOn(node);
    loseNode(node);
    await("the NameNode has noticed a loss", () -> !isWhole());
    await("all groups are whole", this::isWhole);
    assertContents();
    assertEquals(0, counter("RepairsFailed"));
    assertEquals(0, counter("GroupsLeftToStock"));
    // The blocks are in the NameNode before the manager has polled the ends of its repairs.
    await("the ends of repairs are counted", () -> gauge("RepairsInFlight") == 0
        && counter("RepairsDone") == counter("RepairsStarted"));
    assertEquals(lost, counter("UnitsRebuilt"), "units rebuilt by order");
  }

  /**
   * Stock copies some units of a leaving node, and the plugin rebuilds the others, or stock copies
   * all of them.
   */
  @ParameterizedTest
  @ValueSource(strings = {"both", "copy"})
  void aNodeThatLeavesIsEmptied(String how) throws Exception {
    Configuration conf = configuration();
    conf.set(PprKeys.NAMENODE_DECOMMISSION_KEY, how);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_KEY, 1);
    start(conf);
    write("RS-3-2-1024k");
    await("all agents have sent heartbeats", () -> gauge("Agents") == NODES);
    // Stock takes some units of the node and the plugin others, so that it needs several.
    int index = fullestNode();
    int units = unitsOn(index);
    DataNode node = cluster.mini().getDataNodes().get(index);
    DatanodeManager datanodes = blocks().getDatanodeManager();
    DatanodeDescriptor leaving = datanodes.getDatanode(node.getDatanodeUuid());
    cluster.mini().getNamesystem().writeLock();
    try {
      datanodes.getDatanodeAdminManager().startDecommission(leaving);
    } finally {
      cluster.mini().getNamesystem().writeUnlock();
    }
    await("the node has left", leaving::isDecommissioned);
    assertContents();
    long rebuilt = counter("UnitsRebuilt");
    if (how.equals("both")) {
      assertTrue(rebuilt > 0 && rebuilt < units, rebuilt + " of " + units + " units rebuilt");
    } else {
      assertEquals(0, counter("RepairsStarted"));
    }
    loseNode(index);
    assertContents();
    if (how.equals("copy")) {
      loseAndAwaitWhole(fullestNode(0, NODES - 1));
      assertTrue(counter("RepairsStarted") > 0, "lost units are rebuilt");
    }
  }

  /** Runs a command of the plugin as an operator without the client role does. */
  private int operate(String... command) throws Exception {
    List<String> args = new ArrayList<>(List.of("-refresh",
        "localhost:" + cluster.mini().getNameNodePort(), "ppr"));
    args.addAll(List.of(command));
    return ToolRunner.run(new DFSAdmin(cluster.mini().getConfiguration(0)),
        args.toArray(new String[0]));
  }

  /** Stock's own scheduling runs during the pause, and finds nothing that it may repair. */
  @Test
  void duringAPauseNeitherThePluginNorStockRepairs() throws Exception {
    start(configuration());
    write("RS-3-2-1024k");
    await("all agents have sent heartbeats", () -> gauge("Agents") == NODES);
    int node = fullestNode();
    int lost = unitsOn(node);
    String group = "blk_" + groupOn(node);
    assertEquals(0, operate("pause"));
    loseNode(node);
    await("the groups wait", () -> gauge("GroupsQueued") == lost);
    for (int i = 0; i < 3; i++) {
      BlockManagerTestUtil.computeAllPendingWork(blocks());
    }
    BlockManagerTestUtil.updateState(blocks());
    assertEquals(0, blocks().getPendingReconstructionBlocksCount());
    assertEquals(0, counter("RepairsStarted"));
    assertEquals("paused", explain(group).path("cause").asText());
    assertEquals(1, operate("prioritize", "blk_-16"), "there is no such group");
    assertEquals(0, operate("prioritize", group));
    assertEquals(0, operate("resume"));
    await("all groups are whole", this::isWhole);
    assertContents();
    assertEquals(0, counter("GroupsLeftToStock"));
    await("the manager knows that the group is whole",
        () -> explain(group).path("cause").asText().equals("whole"));
  }

  /** DataNodes carry out stock's tasks by the plugin's trees, but the NameNode's plugin rests. */
  @Test
  void anOperatorLeavesAllRepairsToStockAndTakesThemBack() throws Exception {
    start(configuration());
    write("RS-3-2-1024k");
    await("all agents have sent heartbeats", () -> gauge("Agents") == NODES);
    assertEquals(0, operate("pause"));
    int node = fullestNode();
    String group = "blk_" + groupOn(node);
    int lost = unitsOn(node);
    loseNode(node);
    await("the groups wait", () -> gauge("GroupsQueued") == lost);
    assertEquals(0, operate("stock"));
    await("all groups are whole", this::isWhole);
    assertContents();
    assertEquals(0, counter("RepairsStarted"));
    assertEquals(1, gauge("LeftToStock"));
    assertEquals("left_to_stock", explain(group).path("cause").asText());
    assertEquals(0, operate("resume"));
    await("the plugin is in charge", () -> gauge("InCharge") == 1);
    loseAndAwaitWhole(fullestNode(0, NODES - 1));
    assertTrue(counter("RepairsStarted") > 0);
  }

  /** Asks the NameNode's web server why a group is not repaired. */
  private JsonNode explain(String group) {
    try {
      return new ObjectMapper().readTree(
          new URL(cluster.mini().getHttpUri(0) + "/ppr/v1/explain/" + group));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void withoutAgentsAllIsStocks() throws Exception {
    Configuration conf = configuration();
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 0);
    start(conf);
    write("RS-3-2-1024k");
    loseAndAwaitWhole(fullestNode());
    assertEquals(0, counter("RepairsStarted"));
  }

  /** DataNodes without the plugin are read, but get no orders. Stock may give them repairs. */
  @Test
  @Tag("slow")
  void halfTheDataNodesAreEnough() throws Exception {
    Configuration conf = configuration();
    cluster = RepairCluster.start(conf, 5, "/a", "/a", "/b", "/b", "/c");
    Configuration plain = new Configuration(conf);
    plain.unset("dfs.datanode.plugins");
    cluster.mini().startDataNodes(plain, 4, true, null, new String[] {"/a", "/b", "/c", "/c"},
        null);
    cluster.mini().waitActive();
    write("RS-3-2-1024k");
    await("all agents have sent heartbeats", () -> gauge("Agents") == 5);
    loseAndAwaitWhole(fullestNode(5, NODES));
    loseAndAwaitWhole(fullestNode(0, 5));
    assertTrue(counter("RepairsStarted") > 0);
  }

  @Test
  void aNameNodeThatRestartsGoesOn() throws Exception {
    start(configuration());
    write("RS-3-2-1024k");
    await("all agents have sent heartbeats", () -> gauge("Agents") == NODES);
    loseNode(fullestNode());
    cluster.mini().restartNameNode(false);
    await("all groups are whole", () -> isWholeOn(NODES - 1));
    assertContents();
  }

  /**
   * Returns whether all nodes are live and all files are whole. The nodes are counted, because a
   * NameNode that lacks reports finds nothing missing.
   */
  private boolean isWholeOn(int nodes) {
    return blocks().getDatanodeManager().getNumLiveDataNodes() == nodes && isWhole()
        && files.keySet().stream().allMatch(this::isWhole);
  }

  private boolean isWhole(Path file) {
    try {
      for (LocatedStripedBlock group : cluster.groups(file)) {
        if (RepairCluster.holders(group).size() < 5) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      // The connection to the old NameNode is broken. The next call opens another one.
      return false;
    }
  }
}
