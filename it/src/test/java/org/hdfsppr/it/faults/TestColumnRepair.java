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
package org.hdfsppr.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.NetworkKind;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.RequestFeatures;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Real processes rebuild a block as the XOR of blocks of other files. Block tokens are on, so each
 * source is read with a token of its own. One DataNode behaves like an older version. Another one
 * is restarted in the middle of a repair.
 */
@Tag("process")
@Timeout(value = 12, unit = TimeUnit.MINUTES)
class TestColumnRepair {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int NODES = 9;
  private static final int UNITS = 5;
  private static final int CELL = 1 << 20;
  private static final int BLOCK_BYTES = 16 * CELL;
  private static final int FILE_BYTES = 3 * BLOCK_BYTES;
  private static final int FILES = 3;
  /** With this limit a block takes 8 s. A block is much larger than the buffers of the sockets. */
  private static final int WRITE_BYTES_PER_SECOND = 2 << 20;
  private static final long DEADLINE_MS = 120_000;

  /** The block groups of three files and, last, of the file with their XOR. */
  private final List<BlockGroup> rows = new ArrayList<>();
  /** Maps the id of a rebuilt block to its node. */
  private final Map<Long, NodeRef> rebuilt = new HashMap<>();
  private HdfsProcessCluster cluster;
  private OrderingManager manager;

  @Test
  void aBlockIsTheXorOfBlocksOfOtherFiles() throws Exception {
    try (OrderingManager ordering = OrderingManager.start()) {
      manager = ordering;
      ClusterSpec spec = ClusterSpec.builder().name("column").nodes(NODES).racks(1)
          .network(NetworkKind.LOOPBACK).plugin(true)
          .conf("dfs.block.access.token.enable", "true")
          .conf(PprKeys.NAMENODE_RPC_ADDRESS_KEY, manager.address())
          .conf(PprKeys.DATANODE_HEARTBEAT_MS_KEY, "200")
          // Stock schedules no repairs, so every rebuilt block was ordered by the test.
          .conf("dfs.namenode.redundancy.interval.seconds", "3600")
          .conf("dfs.datanode.ec.reconstruct.write.bandwidthPerSec", "" + WRITE_BYTES_PER_SECOND)
          .build();
      try (HdfsProcessCluster processes = HdfsProcessCluster.create(spec)) {
        cluster = processes;
        cluster.up();
        try (DistributedFileSystem client = cluster.client()) {
          writeColumn(client);
        }
        Await.until(
            "all DataNodes have sent heartbeats", LIMIT, POLL, () -> manager.nodes() == NODES);
        manager.manage(rows.get(0).units.get(0).block.getBlockPoolId());
        repairWithAnOlderNode();
        repairWithAHelperThatRestarts();
      }
    }
  }

  private void writeColumn(DistributedFileSystem client) throws Exception {
    Path directory = new Path("/column");
    client.mkdirs(directory);
    client.enableErasureCodingPolicy("RS-3-2-1024k");
    client.setErasureCodingPolicy(directory, "RS-3-2-1024k");
    byte[] xor = new byte[FILE_BYTES];
    Random random = new Random(11);
    for (int row = 0; row <= FILES; row++) {
      // Each file is shorter than the one before. For the XOR, the bytes after a file's end count
      // as zeros.
      byte[] data = row == FILES ? xor : new byte[FILE_BYTES - row * (CELL + 4321)];
      if (row < FILES) {
        random.nextBytes(data);
        for (int i = 0; i < data.length; i++) {
          xor[i] ^= data[i];
        }
      }
      Path file = new Path(directory, "row" + row);
      try (OutputStream out = client.create(file, true, CELL, (short) 1, BLOCK_BYTES)) {
        out.write(data);
      }
      Await.until("the NameNode knows all units of " + file, LIMIT, POLL,
          () -> BlockGroup.of(cluster, client, file).get(0).distinctUnits() == UNITS);
      rows.add(BlockGroup.of(cluster, client, file).get(0));
    }
  }

  private Unit unit(int row, int unit) {
    return rows.get(row).units.get(unit);
  }

  private static BlockRef reference(ExtendedBlock block) {
    return new BlockRef(block.getBlockPoolId(), block.getBlockId(), block.getGenerationStamp(),
        block.getNumBytes());
  }

  private NodeRef node(String uuid) {
    NodeRef heard = manager.last(uuid).node;
    return new NodeRef(heard.uuid, heard.ipAddr, heard.hostName, heard.xferPort,
        heard.repairPort, "/default-rack");
  }

  private NodeRef holder(int row, int unit) {
    NodeRef moved = rebuilt.get(unit(row, unit).block.getBlockId());
    return moved != null ? moved : node(unit(row, unit).location.getDatanodeUuid());
  }

  /**
   * Returns a node that holds no block of the column, and no other block of the group that has lost
   * a block.
   */
  private NodeRef free(int row, int unit) {
    Set<Integer> taken = new HashSet<>();
    rows.get(row).units.forEach(one -> taken.add(one.node));
    for (int other = 0; other <= FILES; other++) {
      taken.add(cluster.nodeAt(holder(other, unit).ipAddr));
    }
    for (BlockGroup group : rows) {
      for (Unit one : group.units) {
        if (!taken.contains(one.node)) {
          return node(one.location.getDatanodeUuid());
        }
      }
    }
    throw new IllegalStateException("Each node has a block of the column or of the group: "
        + taken);
  }

  /** Orders the repair of block {@code unit} of a row from the blocks of all other rows. */
  private NodeRef order(String id, int row, int unit, Set<String> readAsStock) {
    NodeRef destination = free(row, unit);
    List<BlockRef> blocks = new ArrayList<>();
    List<UnitHolder> live = new ArrayList<>();
    for (int other = 0; other <= FILES; other++) {
      blocks.add(reference(unit(other, unit).block));
      NodeRef holder = holder(other, unit);
      if (other != row) {
        live.add(new UnitHolder(other, readAsStock.contains(holder.uuid)
            ? holder.withRepairPort(NodeRef.NO_REPAIR_PORT) : holder));
      }
    }
    ExtendedBlock lost = unit(row, unit).block;
    manager.order(new RepairCommand(RepairCommand.of(id, 1, new GroupId(lost.getBlockPoolId(),
        lost.getBlockId() - unit, lost.getGenerationStamp()), FILE_BYTES).setCodec("xor")
        .setDataUnits(FILES).setParityUnits(1).setCellBytes(CELL).setTopology("chain")
        .setDeadlineMs(DEADLINE_MS), blocks, live,
        Collections.singletonList(new CommandTarget(row, destination, "", StorageType.DISK))));
    return destination;
  }

  private RepairResult result(String id) throws Exception {
    Await.until("a result of " + id, LIMIT, POLL, () -> manager.result(id) != null);
    return manager.result(id);
  }

  /** Deletes a block of the column from its disk, and returns the digest of its bytes. */
  private String lose(int row, int unit) throws IOException {
    UnitFiles replica = UnitFiles.of(cluster, unit(row, unit).node,
        unit(row, unit).block);
    String digest = replica.digest();
    Files.delete(replica.meta());
    Files.delete(replica.data);
    return digest;
  }

  private void assertRebuilt(String id, int row, int unit, NodeRef destination, String digest)
      throws Exception {
    RepairResult result = result(id);
    assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    assertEquals(Arrays.asList(row), result.rebuiltUnits);
    assertEquals(digest, UnitFiles.of(cluster, cluster.nodeAt(destination.ipAddr),
        unit(row, unit).block).digest());
    rebuilt.put(unit(row, unit).block.getBlockId(), destination);
  }

  private String log(NodeRef node) throws IOException {
    return Files.readString(cluster.log(cluster.nodeAt(node.ipAddr)), StandardCharsets.UTF_8);
  }

  private void restart(int node, String uuid, Map<String, String> own) throws Exception {
    cluster.kill(node);
    manager.forget(uuid);
    cluster.start(node, own);
    Await.until("dn" + node + " is back", LIMIT, POLL, () -> manager.last(uuid) != null);
  }

  private void repairWithAnOlderNode() throws Exception {
    Unit older = unit(2, 1);
    String uuid = older.location.getDatanodeUuid();
    restart(older.node, uuid, Map.of(PprKeys.DATANODE_FEATURES_WITHHELD_KEY,
        "" + RequestFeatures.BLOCKS));
    HeartbeatRequest said = manager.last(uuid);
    assertFalse(RequestFeatures.covers(said.requestFeatures, RequestFeatures.BLOCKS));
    for (Unit other : rows.get(2).units) {
      assertEquals(other.node == older.node
          ? RequestFeatures.KNOWN & ~RequestFeatures.BLOCKS : RequestFeatures.KNOWN,
          manager.last(other.location.getDatanodeUuid()).requestFeatures);
    }
    String digest = lose(1, 1);
    // The plan does not know that the node is an older version. The node answers UNSUPPORTED, and
    // the next plan reads its block the stock way.
    NodeRef destination = order("ignorant", 1, 1, Collections.emptySet());
    assertRebuilt("ignorant", 1, 1, destination, digest);
    assertTrue(log(destination).contains("UNSUPPORTED"), "an attempt has failed");
    // The plan uses the features that the heartbeat reports, so no attempt fails.
    digest = lose(0, 1);
    destination = order("informed", 0, 1, Collections.singleton(uuid));
    assertRebuilt("informed", 0, 1, destination, digest);
    assertTrue(log(destination).lines().noneMatch(
        line -> line.contains("informed") && line.contains("failed")));
    restart(older.node, uuid, Collections.emptyMap());
    assertEquals(RequestFeatures.KNOWN, manager.last(uuid).requestFeatures);
  }

  private void repairWithAHelperThatRestarts() throws Exception {
    // The node next to the destination passes on the sums of all other nodes.
    Unit helper = unit(1, 4);
    String uuid = helper.location.getDatanodeUuid();
    String digest = lose(0, 4);
    NodeRef destination = order("cut", 0, 4, Collections.emptySet());
    Await.until("a part of the block is rebuilt", LIMIT, POLL, () ->
        manager.last(destination.uuid).running.stream()
            .anyMatch(one -> one.donePercent >= 5));
    restart(helper.node, uuid, Collections.emptyMap());
    // No other block can replace this one, so nothing is rebuilt, and the result tells the manager
    // the cause.
    RepairResult cut = result("cut");
    assertEquals(RepairOutcome.FAILED, cut.outcome, cut.toString());
    assertFalse(UnitFiles.of(cluster, cluster.nodeAt(destination.ipAddr),
        unit(0, 4).block).exists(), "no replica is finalised");
    NodeRef again = order("again", 0, 4, Collections.emptySet());
    assertRebuilt("again", 0, 4, again, digest);
  }
}
