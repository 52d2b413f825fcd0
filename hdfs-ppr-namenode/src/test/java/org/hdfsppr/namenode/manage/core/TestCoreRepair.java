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
package org.hdfsppr.namenode.manage.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.util.ToolRunner;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.hdfsppr.namenode.manage.ManagerService;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Repairs by columns of CORE, with both plugins. A normal write of the XOR of some files gives
 * exactly the parity file's blocks, because the code is linear. The record of the group is on
 * paper.
 */
@Timeout(300)
class TestCoreRepair {
  private static final int NODES = 9;
  private static final int CELL = 16 << 10;
  private static final long BLOCK = 2L * CELL;
  private static final GroupPolicy POLICY = new GroupPolicy("rs", 3, 2, CELL);
  private static final int ROUNDS_MAX = 5;
  private static final int[] BYTES = {250_000, 3 * 32_768 + 10_000};

  /** The plugin, found by the NameNode in which it runs. */
  public static final class Plugin extends PprNameNodePlugin {
    private static final Map<Object, Plugin> OF =
        Collections.synchronizedMap(new WeakHashMap<>());

    @Override
    public synchronized void start(Object daemon) {
      super.start(daemon);
      OF.put(daemon, this);
    }
  }

  @TempDir
  File directory;
  private RepairCluster cluster;
  private final PaperCoreGroupLookup book = new PaperCoreGroupLookup();
  /** The files of the group, the parity file last, and their contents. */
  private final List<Path> files = new ArrayList<>();
  private final List<byte[]> contents = new ArrayList<>();
  private final Map<String, byte[]> replicas = new HashMap<>();

  private Configuration configuration() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.set("dfs.namenode.plugins", Plugin.class.getName());
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 200);
    return conf;
  }

  /** This strategy reads a column wherever it can. The load of the machine changes nothing. */
  private Configuration columnFirst() throws IOException {
    Configuration conf = configuration();
    conf.set(PprKeys.NAMENODE_CORE_STRATEGY_KEY, "column-first");
    return conf;
  }

  private void start(Configuration conf) throws IOException {
    cluster = RepairCluster.start(conf, NODES);
    String policy = cluster.fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs", 3, 2), CELL)})[0].getPolicy().getName();
    Path dir = cluster.directory("/core", policy);
    byte[] xor = new byte[BYTES[0]];
    for (int i = 0; i < BYTES.length; i++) {
      files.add(new Path(dir, "f" + i));
      contents.add(cluster.write(files.get(i), BYTES[i], BLOCK, 20 + i));
      for (int at = 0; at < BYTES[i]; at++) {
        xor[at] ^= contents.get(i)[at];
      }
    }
    files.add(new Path(dir, "parity"));
    contents.add(xor);
    try (OutputStream out =
        cluster.fs.create(files.get(BYTES.length), true, 4096, (short) 1, BLOCK)) {
      out.write(xor);
    }
    cluster.awaitQuiet();
    record();
    rememberReplicas();
    RepairCluster.await("all nodes take part",
        () -> service() != null && service().status().get(StatusNumber.AGENTS) == NODES);
    service().useColumns(book);
  }

  private ManagerService service() {
    Plugin plugin = Plugin.OF.get(cluster.mini().getNameNode());
    return plugin == null ? null : plugin.service();
  }

  /** Writes down the block groups of all files as they are now. */
  private void record() throws IOException {
    List<List<LocatedStripedBlock>> groups = new ArrayList<>();
    for (Path file : files) {
      groups.add(cluster.groups(file));
    }
    for (int index = 0; index < groups.get(files.size() - 1).size(); index++) {
      List<CoreRows.Row> rows = new ArrayList<>();
      for (List<LocatedStripedBlock> of : groups) {
        rows.add(index >= of.size() ? null : row(of.get(index).getBlock()));
      }
      book.add(99, index, POLICY, rows);
    }
  }

  private static CoreRows.Row row(ExtendedBlock block) {
    return new CoreRows.Row(new GroupId(block.getBlockPoolId(), block.getBlockId(),
        block.getGenerationStamp()), block.getNumBytes(), false);
  }

  private void rememberReplicas() throws IOException {
    for (Path file : files) {
      for (LocatedStripedBlock group : cluster.groups(file)) {
        RepairCluster.holders(group).keySet().forEach(unit ->
            replicas.put(name(group, unit), bytes(group, unit)));
      }
    }
  }

  private static String name(LocatedStripedBlock group, int unit) {
    return group.getBlock().getBlockId() + " " + unit;
  }

  private byte[] bytes(LocatedStripedBlock group, int unit) {
    try {
      return Files.readAllBytes(Paths.get(cluster.datanode(RepairCluster.holders(group).get(unit))
          .getFSDataset().getBlockLocalPathInfo(RepairCluster.internalBlock(group, unit))
          .getBlockPath()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private LocatedStripedBlock group(int row, int index) throws IOException {
    return cluster.groups(files.get(row)).get(index);
  }

  /** Makes the nodes of some units delete them, and waits until the NameNode knows. */
  private void drop(int row, int index, int... units) throws IOException {
    LocatedStripedBlock before = group(row, index);
    for (int unit : units) {
      RepairCluster.drop(cluster.datanode(RepairCluster.holders(before).get(unit)),
          RepairCluster.internalBlock(before, unit));
    }
    RepairCluster.await("the NameNode knows that they are gone", () -> {
      try {
        Map<Integer, DatanodeInfo> now = RepairCluster.holders(group(row, index));
        return Arrays.stream(units).allMatch(unit -> now.get(unit) == null
            || !now.get(unit).equals(RepairCluster.holders(before).get(unit)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  /** Waits until a group has all its units again, and compares them with what they were. */
  private void awaitWhole(int row, int index) {
    RepairCluster.await("row " + row + " is whole", () -> {
      try {
        LocatedStripedBlock group = group(row, index);
        return replicas.keySet().stream()
            .filter(name -> name.startsWith(group.getBlock().getBlockId() + " "))
            .allMatch(name -> RepairCluster.holders(group)
                .containsKey(Integer.parseInt(name.split(" ")[1])));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    try {
      LocatedStripedBlock group = group(row, index);
      RepairCluster.holders(group).keySet().forEach(unit ->
          assertArrayEquals(replicas.get(name(group, unit)), bytes(group, unit),
              "unit " + unit + " of row " + row));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertContents() throws IOException {
    for (int i = 0; i < files.size(); i++) {
      assertTrue(cluster.hasContent(files.get(i), contents.get(i)), files.get(i).toString());
    }
  }

  /** No node has two blocks of a row, or a rebuilt block beside another one of its column. */
  private void assertSpread(int index, int unit, int rebuiltRow) throws IOException {
    String target = RepairCluster.holders(group(rebuiltRow, index)).get(unit).getDatanodeUuid();
    for (int row = 0; row < files.size(); row++) {
      if (index < cluster.groups(files.get(row)).size()) {
        Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group(row, index));
        Set<String> uuids = new HashSet<>();
        holders.values().forEach(holder -> uuids.add(holder.getDatanodeUuid()));
        assertEquals(holders.size(), uuids.size(), "row " + row);
        assertTrue(row == rebuiltRow || holders.get(unit) == null
            || !holders.get(unit).getDatanodeUuid().equals(target), "column of row " + row);
      }
    }
  }

  /** Runs a command of the plugin as an operator without the client role does. */
  private int operate(String command) throws Exception {
    return ToolRunner.run(new DFSAdmin(cluster.mini().getConfiguration(0)), new String[] {
        "-refresh", "localhost:" + cluster.mini().getNameNodePort(), "ppr", command});
  }

  private long byColumn() {
    return service().metrics.counted(ManagerCounter.REPAIRS_BY_COLUMN);
  }

  /**
   * Loses a unit until the manager orders its repair by the column. A DataNode whose heartbeat is
   * late takes no part for a moment, and then the manager rightly reads the row. The bytes must be
   * right either way.
   */
  private void rebuildByColumn(int row, int index, int unit) throws IOException {
    List<String> rounds = new ArrayList<>();
    for (int round = 0; round < ROUNDS_MAX; round++) {
      long before = byColumn();
      drop(row, index, unit);
      awaitWhole(row, index);
      if (byColumn() > before) {
        assertSpread(index, unit, row);
        return;
      }
      rounds.add(Stream.of(ManagerCounter.values())
          .map(each -> each + "=" + service().metrics.counted(each))
          .collect(Collectors.joining(" ")));
      System.out.println("The row was read for unit " + unit + " of row " + row + ": " + rounds);
    }
    fail("No column was read for unit " + unit + " of row " + row + ": " + rounds);
  }

  /** A data unit, a parity unit, one of the shorter row, and one of the parity file. */
  @Test
  void aLostUnitIsRebuiltFromItsColumn() throws Exception {
    start(columnFirst());
    int[][] losses = {{0, 0, 1}, {0, 0, 4}, {1, 0, 3}, {2, 1, 0}, {0, 1, 2}};
    for (int[] loss : losses) {
      rebuildByColumn(loss[0], loss[1], loss[2]);
    }
    assertContents();
    assertEquals(0, cluster.counter("RepairsFailed"));
  }

  /** The last group of the shorter file ends before some units of the parity file. */
  @Test
  void aColumnWithZerosIsRead() throws Exception {
    start(columnFirst());
    int index = cluster.groups(files.get(1)).size() - 1;
    rebuildByColumn(0, index, 2);
    rebuildByColumn(1, index, 0);
    assertContents();
  }

  /** The centre row has lost three units of five, and the code bears two. */
  @ParameterizedTest
  @ValueSource(strings = {"rgs", "row-first"})
  void aPlusOfLossesComesBack(String strategy) throws Exception {
    repairAPlus(strategy);
  }

  @Test
  @Tag("slow")
  void aPlusOfLossesComesBackColumnFirst() throws Exception {
    repairAPlus("column-first");
  }

  private void repairAPlus(String strategy) throws Exception {
    Configuration conf = configuration();
    conf.set(PprKeys.NAMENODE_CORE_STRATEGY_KEY, strategy);
    start(conf);
    assertEquals(0, operate("pause"));
    drop(1, 0, 1, 2, 3);
    drop(0, 0, 2);
    drop(2, 0, 2);
    RepairCluster.await("the NameNode knows all losses, and that they are recoverable",
        () -> service().status().get(StatusNumber.GROUPS_QUEUED) == 3
            && service().status().get(StatusNumber.RECOVERABLE_THROUGH_CORE) == 1
            && service().status().waitingBySpareUnits.equals(Map.of(-1, 1, 1, 2)));
    assertEquals(0, service().status().get(StatusNumber.UNRECOVERABLE));
    assertEquals(0, operate("resume"));
    for (int row = 0; row < 3; row++) {
      awaitWhole(row, 0);
    }
    assertContents();
    assertTrue(byColumn() > 0, "the centre row cannot do without a column");
    RepairCluster.await("nothing is left",
        () -> service().status().get(StatusNumber.GROUPS_QUEUED) == 0
        && service().status().get(StatusNumber.UNRECOVERABLE) == 0);
  }

  /** The book says that the row is as it was, and the NameNode knows better. */
  @Test
  void aRowThatHasChangedIsNeverRead() throws Exception {
    start(columnFirst());
    long id = group(1, 0).getBlock().getBlockId();
    cluster.fs.delete(files.get(1), false);
    contents.set(1, cluster.write(files.get(1), BYTES[1], BLOCK, 77));
    assertTrue(id != group(1, 0).getBlock().getBlockId());
    drop(0, 0, 1);
    awaitWhole(0, 0);
    assertContents();
    assertEquals(0, byColumn());
  }

  /** Wrong generation stamps in the record: the blocks are others than the record means. */
  @Test
  void aRowWithAnotherIdentityIsNeverRead() throws Exception {
    start(columnFirst());
    List<CoreRows.Row> rows = new ArrayList<>();
    for (int row = 0; row < 3; row++) {
      ExtendedBlock block = group(row, 0).getBlock();
      rows.add(new CoreRows.Row(new GroupId(block.getBlockPoolId(), block.getBlockId(),
          block.getGenerationStamp() + (row == 1 ? 1 : 0)), block.getNumBytes(), false));
    }
    book.add(99, 0, POLICY, rows);
    drop(0, 0, 1);
    awaitWhole(0, 0);
    assertContents();
    assertEquals(0, byColumn());
  }

  /**
   * A block of the column is wrong, although its checksums are right. The row contradicts the
   * column, nothing is written, and the row rebuilds the unit.
   */
  @Test
  void aWrongColumnIsFoundByTheRow() throws Exception {
    Configuration conf = columnFirst();
    conf.set("dfs.ppr.verify", "full");
    start(conf);
    cluster.spoil(group(1, 0), 1, 5000, true);
    drop(0, 0, 1);
    RepairCluster.await("a column was tried", () -> byColumn() > 0);
    awaitWhole(0, 0);
    assertTrue(cluster.hasContent(files.get(0), contents.get(0)));
    assertTrue(cluster.counter("VerificationFailures") > 0);
  }
}
