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
package org.hdfsppr.namenode.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.coder.io.FileAdvice;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.proto.ManagerProtos.RepairCommandProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The test's manager orders repairs. DataNodes rebuild only what it names: the right bytes, once,
 * or a result with the reason. Stock schedules nothing.
 */
@Timeout(300)
class TestCommandedRepair {
  private static final int CELL = 1 << 20;
  private static final int NODES = 10;
  private static final long DEADLINE_MS = 100_000;
  /**
   * The throttler lets the bytes of a tenth of a second pass at once, which is less than a unit.
   */
  private static final long FAST_BYTES_PER_SECOND = 10 << 20;
  /** The rate for repairs that a test has to observe: a unit of two cells takes some 15 s. */
  private static final long SLOW_BYTES_PER_SECOND = 64 << 10;

  @TempDir
  private static File directory;
  private static final ScriptedManager MANAGER = new ScriptedManager();
  private static RepairManagerServer server;
  private static Configuration conf;
  private static RepairCluster cluster;
  private static int repairs;

  @BeforeAll
  static void start() throws Exception {
    conf = RepairCluster.configuration(directory);
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 100);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 3600);
    conf.setLong(DFSConfigKeys.DFS_DATANODE_EC_RECONSTRUCT_WRITE_BANDWIDTHPERSEC_KEY,
        FAST_BYTES_PER_SECOND);
    serve();
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + server.address().getPort());
    cluster = RepairCluster.start(conf, NODES);
    MANAGER.manage(cluster.mini().getNamesystem().getBlockPoolId());
    RepairCluster.await("all DataNodes have sent heartbeats", () -> MANAGER.nodes() == NODES);
  }

  private static void serve() throws IOException {
    server = RepairManagerServer.start(conf, null, (uuid, address) -> true, MANAGER);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    server.close();
  }

  /** A group whose units a test loses. */
  private static final class Loss {
    private final Path file;
    private final byte[] data;
    private final LocatedStripedBlock group;
    private final Map<Integer, DatanodeInfo> holders;
    /** Nodes that hold or have held a unit. The NameNode hears of a loss a little later. */
    private final Set<String> occupied = new HashSet<>();
    private final int k;
    private final int m;

    Loss(String policy, int k, int m, int... lost) throws IOException {
      this.k = k;
      this.m = m;
      repairs++;
      file = new Path(cluster.directory("/" + policy, policy), "file" + repairs);
      data = cluster.write(file, 2 * k * CELL - CELL / 3, 2L * CELL, repairs);
      cluster.awaitUnits(file, k + m);
      group = cluster.groups(file).get(0);
      holders = RepairCluster.holders(group);
      holders.values().forEach(holder -> occupied.add(holder.getDatanodeUuid()));
      for (int unit : lost) {
        RepairCluster.drop(cluster.datanode(holders.get(unit)),
            RepairCluster.internalBlock(group, unit));
        holders.remove(unit);
      }
    }

    GroupId id() {
      ExtendedBlock block = group.getBlock();
      return new GroupId(block.getBlockPoolId(), block.getBlockId(), block.getGenerationStamp());
    }

    /** Returns the nodes that never held a unit of the group. */
    List<NodeRef> free() {
      List<NodeRef> free = new ArrayList<>();
      for (DataNode datanode : cluster.mini().getDataNodes()) {
        if (!occupied.contains(datanode.getDatanodeUuid())) {
          free.add(node(datanode));
        }
      }
      return free;
    }

    RepairCommand command(String id, NodeRef[] nodes, int... units) {
      return command(rest -> { }, id, nodes, units);
    }

    RepairCommand command(Consumer<RepairCommandProto.Builder> change, String id, NodeRef[] nodes,
        int... units) {
      List<UnitHolder> live = new ArrayList<>();
      holders.forEach((unit, holder) ->
          live.add(new UnitHolder(unit, node(cluster.datanode(holder)))));
      Collections.reverse(live);
      List<CommandTarget> targets = new ArrayList<>();
      for (int i = 0; i < units.length; i++) {
        targets.add(new CommandTarget(units[i], nodes[i], "", StorageType.DISK));
      }
      RepairCommandProto.Builder rest =
          RepairCommand.of(id, MANAGER.term(), id(), group.getBlockSize()).setCodec("rs")
              .setDataUnits(k).setParityUnits(m).setCellBytes(CELL).setTopology("chain")
              .setDeadlineMs(DEADLINE_MS);
      change.accept(rest);
      return new RepairCommand(rest, List.of(), live, targets);
    }

    void assertRepaired() throws IOException {
      cluster.awaitUnits(file, k + m);
      assertTrue(cluster.hasContent(file, data), "the file has its bytes");
    }
  }

  private static NodeRef node(DataNode datanode) {
    NodeRef heard = MANAGER.last(datanode.getDatanodeUuid()).node;
    return new NodeRef(heard.uuid, heard.ipAddr, heard.hostName, heard.xferPort,
        heard.repairPort, "/default-rack");
  }

  private static RepairResult result(String id) {
    RepairCluster.await("a result of " + id, () -> MANAGER.result(id) != null);
    return MANAGER.result(id);
  }

  private static void assertIdle() {
    for (DataNode datanode : cluster.mini().getDataNodes()) {
      RepairCluster.await("transfers are accounted", () -> datanode.getXmitsInProgress() == 0);
      RepairCluster.await("no DataNode reports a running repair", () -> {
        HeartbeatRequest last = MANAGER.last(datanode.getDatanodeUuid());
        return last.running.isEmpty() && last.results.isEmpty()
            && last.load.asDestination == 0;
      });
    }
  }

  @ParameterizedTest
  @CsvSource({
      "RS-3-2-1024k, 3, 2, chain",
      "RS-6-3-1024k, 6, 3, ppr",
      "RS-6-3-1024k, 6, 3, rack"})
  void aLostUnitComesBack(String policy, int k, int m, String topology) throws Exception {
    Loss loss = new Loss(policy, k, m, 1);
    NodeRef destination = loss.free().get(0);
    String id = "one-" + policy + topology;
    MANAGER.order(destination.uuid, loss.command(rest -> rest.setTopology(topology), id,
        new NodeRef[] {destination}, 1));
    RepairResult result = result(id);
    assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    assertEquals(Collections.singletonList(1), result.rebuiltUnits);
    assertEquals(2L * CELL, result.bytes);
    assertEquals(MANAGER.term(), result.term);
    loss.assertRepaired();
    assertEquals(destination.uuid,
        RepairCluster.holders(cluster.groups(loss.file).get(0)).get(1).getDatanodeUuid());
    assertIdle();
  }

  @Test
  void twoUnitsInOneRepair() throws Exception {
    Loss loss = new Loss("RS-3-2-1024k", 3, 2, 0, 4);
    NodeRef[] nodes = loss.free().subList(0, 2).toArray(new NodeRef[0]);
    // The unit of the destination need not be the one with the lowest index.
    MANAGER.order(nodes[0].uuid, loss.command("two", nodes, 4, 0));
    RepairResult result = result("two");
    assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    assertEquals(Arrays.asList(0, 4), result.rebuiltUnits);
    loss.assertRepaired();
    assertIdle();
  }

  /** The destination goes on with other holders, without asking the manager. */
  @Test
  void aHelperWithoutItsReplica() throws Exception {
    Loss loss = new Loss("RS-3-2-1024k", 3, 2, 0);
    NodeRef destination = loss.free().get(0);
    RepairCommand command = loss.command("gone", new NodeRef[] {destination}, 0);
    UnitHolder first = command.group.live.get(0);
    DatanodeInfo holder = loss.holders.get(first.unit);
    RepairCluster.drop(cluster.datanode(holder),
        RepairCluster.internalBlock(loss.group, first.unit));
    MANAGER.order(destination.uuid, command);
    RepairResult result = result("gone");
    assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    assertIdle();
  }

  @Test
  void tooFewHelpers() throws Exception {
    Loss loss = new Loss("RS-3-2-1024k", 3, 2, 0, 1, 2);
    NodeRef destination = loss.free().get(0);
    MANAGER.order(destination.uuid,
        loss.command("few", new NodeRef[] {destination}, 0));
    RepairResult result = result("few");
    assertEquals(RepairOutcome.FAILED, result.outcome, result.toString());
    assertTrue(result.message.contains("determine"), result.message);
    assertFalse(cluster.holds(loss.file, 0), "the unit is not rebuilt");
    assertIdle();
  }

  /** The units contradict each other, and no unit is left over to check them with. */
  @Test
  void aDoubtedGroupWithNoUnitToSpare() throws Exception {
    Loss loss = new Loss("RS-3-2-1024k", 3, 2, 0, 1);
    NodeRef[] here = {loss.free().get(0)};
    MANAGER.order(here[0].uuid, loss.command(rest -> rest.setDoubted(true), "doubted", here, 0));
    RepairResult result = result("doubted");
    assertEquals(RepairOutcome.FAILED, result.outcome, result.toString());
    assertTrue(result.message.contains("every byte has to be checked"), result.message);
    assertFalse(cluster.holds(loss.file, 0), "the unit is not rebuilt");
    MANAGER.order(here[0].uuid, loss.command("trusted", here, 0));
    assertEquals(RepairOutcome.REBUILT, result("trusted").outcome);
    assertIdle();
  }

  @Test
  void commandsThatAreRefused() throws Exception {
    Loss loss = new Loss("RS-3-2-1024k", 3, 2, 0);
    NodeRef destination = loss.free().get(0);
    NodeRef other = loss.free().get(1);
    NodeRef[] here = {destination};
    MANAGER.order(other.uuid, loss.command("elsewhere", here, 0));
    MANAGER.order(destination.uuid, loss.command(rest -> rest.setTopology("circle"), "circle", here,
        0));
    MANAGER.order(destination.uuid, loss.command(rest -> rest.setBlockPoolId("BP-other"),
        "pool", here, 0));
    assertRefused("elsewhere", RepairOutcome.REFUSED, null, "first target");
    assertRefused("circle", RepairOutcome.REFUSED, FailureCause.UNSUPPORTED, "circle");
    assertRefused("pool", RepairOutcome.REFUSED, FailureCause.PROTOCOL, "block_pool_id");
    // A node that holds another unit of the group knows the group's generation stamp.
    NodeRef holder = node(cluster.datanode(loss.holders.get(1)));
    MANAGER.order(holder.uuid, loss.command(
        rest -> rest.setGenerationStamp(rest.getGenerationStamp() - 1), "old",
        new NodeRef[] {holder}, 0));
    assertRefused("old", RepairOutcome.STALE, FailureCause.STALE_REPLICA, "generation stamp");
    assertFalse(cluster.holds(loss.file, 0), "the unit is not rebuilt");
    assertIdle();
  }

  private static void assertRefused(String id, RepairOutcome outcome, FailureCause cause,
      String said) {
    RepairResult result = result(id);
    assertEquals(outcome, result.outcome, result.toString());
    assertEquals(cause, result.cause, result.toString());
    assertTrue(result.message.contains(said), result.toString());
  }

  @Test
  void staleTerms() throws Exception {
    Loss loss = new Loss("RS-3-2-1024k", 3, 2, 0);
    NodeRef destination = loss.free().get(0);
    RepairCommand old = loss.command("stale", new NodeRef[] {destination}, 0);
    MANAGER.setTerm(MANAGER.term() + 1);
    MANAGER.order(destination.uuid, old);
    assertRefused("stale", RepairOutcome.STALE, null, "newest term is " + MANAGER.term());
    assertFalse(cluster.holds(loss.file, 0), "the unit is not rebuilt");
    assertEquals(MANAGER.term(), MANAGER.last(destination.uuid).newestTerm);
    assertIdle();
  }

  /** DataNodes must ignore commands in the answer of a standby. */
  @Test
  void inactiveManagers() throws Exception {
    Loss loss = new Loss("RS-3-2-1024k", 3, 2, 0);
    NodeRef destination = loss.free().get(0);
    MANAGER.setActive(false);
    try {
      RepairCluster.await("no manager is active", () -> cluster.gauge("ManagersActive") == 0);
      MANAGER.order(destination.uuid,
          loss.command("standby", new NodeRef[] {destination}, 0));
      RepairCluster.await("the command was sent", MANAGER::hasSent);
      int before = MANAGER.heartbeats();
      RepairCluster.await("more heartbeats", () -> MANAGER.heartbeats() > before + 2 * NODES);
      assertEquals(null, MANAGER.result("standby"));
      assertFalse(cluster.holds(loss.file, 0), "the unit is not rebuilt");
      assertEquals(NODES, cluster.gauge("ManagersAnswering"));
    } finally {
      MANAGER.setActive(true);
    }
    assertIdle();
  }

  @Test
  void aCommandThatComesTwice() throws Exception {
    Loss loss = new Loss("RS-3-2-1024k", 3, 2, 0);
    NodeRef destination = loss.free().get(0);
    RepairCommand command = loss.command("twice", new NodeRef[] {destination}, 0);
    long received = cluster.counter("CommandsReceived");
    long repeated = cluster.counter("CommandsRepeated");
    long rebuilt = cluster.counter("CommandsRebuilt");
    MANAGER.order(destination.uuid, command);
    MANAGER.order(destination.uuid, command);
    assertEquals(RepairOutcome.REBUILT, result("twice").outcome);
    assertIdle();
    // The first answer was lost, and the manager orders the same repair again after it has ended.
    MANAGER.order(destination.uuid, command);
    RepairCluster.await(
        "the node recognises the repeated "
        + "command", () -> cluster.counter("CommandsRepeated") == repeated + 2);
    assertEquals(received + 1, cluster.counter("CommandsReceived"));
    assertEquals(rebuilt + 1, cluster.counter("CommandsRebuilt"));
    assertEquals(RepairOutcome.REBUILT, result("twice").outcome);
    assertIdle();
    loss.assertRepaired();
  }

  @Test
  void resultsAreRepeatedUntilAcknowledged() throws Exception {
    Loss loss = new Loss("RS-3-2-1024k", 3, 2, 0);
    NodeRef destination = loss.free().get(0);
    MANAGER.setAcknowledges(false);
    try {
      MANAGER.order(destination.uuid,
          loss.command("again", new NodeRef[] {destination}, 0));
      result("again");
      int before = MANAGER.heartbeats();
      RepairCluster.await("more heartbeats", () -> MANAGER.heartbeats() > before + 3 * NODES);
      assertEquals(1, MANAGER.last(destination.uuid).results.size());
    } finally {
      MANAGER.setAcknowledges(true);
    }
    assertIdle();
  }

  @Test
  void aManagerThatGoesAndComesBack() throws Exception {
    Loss loss = new Loss("RS-6-3-1024k", 6, 3, 2);
    NodeRef destination = loss.free().get(0);
    long rebuilt = cluster.counter("CommandsRebuilt");
    MANAGER.setAcknowledges(false);
    MANAGER.order(destination.uuid,
        loss.command("orphan", new NodeRef[] {destination}, 2));
    RepairCluster.await("the command was sent", MANAGER::hasSent);
    server.close();
    RepairCluster.await("no manager answers", () -> cluster.gauge("ManagersAnswering") == 0);
    RepairCluster.await(
        "the repair goes on", () -> cluster.counter("CommandsRebuilt") == rebuilt + 1);
    MANAGER.setTerm(MANAGER.term() + 1);
    serve();
    MANAGER.setAcknowledges(true);
    assertEquals(RepairOutcome.REBUILT, result("orphan").outcome);
    RepairCluster.await(
        "all DataNodes know an active manager "
        + "again", () -> cluster.gauge("ManagersActive") == NODES);
    loss.assertRepaired();
    assertIdle();
  }

  @Test
  void whatTakesTooLong() throws Exception {
    Loss loss = new Loss("RS-3-2-1024k", 3, 2, 0);
    NodeRef destination = loss.free().get(0);
    DataNode datanode = datanode(destination);
    try {
      throttle(datanode, SLOW_BYTES_PER_SECOND);
      MANAGER.order(destination.uuid, loss.command(rest -> rest.setDeadlineMs(1500), "slow",
          new NodeRef[] {destination}, 0));
      RepairResult late = result("slow");
      assertEquals(RepairOutcome.FAILED, late.outcome, late.toString());
      assertTrue(late.message.contains("1500 ms"), late.toString());

      RepairCommand command = loss.command("cancelled", new NodeRef[] {destination}, 0);
      MANAGER.order(destination.uuid, command);
      RepairCluster.await("the repair runs", () -> cluster.gauge("RepairsInFlight") == 1
          && MANAGER.last(destination.uuid).running.size() == 1);
      assertEquals(1, datanode.getXmitsInProgress());
      assertEquals(1, MANAGER.last(destination.uuid).load.asDestination);
      MANAGER.order(destination.uuid, loss.command("second", new NodeRef[] {destination}, 0));
      assertRefused("second", RepairOutcome.REFUSED, null, "under way");
      MANAGER.order(destination.uuid, new CancelCommand("cancelled", MANAGER.term(), "a test"));
      RepairResult cancelled = result("cancelled");
      assertEquals(RepairOutcome.FAILED, cancelled.outcome, cancelled.toString());
      assertTrue(cancelled.message.contains("a test"), cancelled.toString());
      assertFalse(cluster.holds(loss.file, 0), "the unit is not rebuilt");
      assertIdle();
    } finally {
      throttle(datanode, FAST_BYTES_PER_SECOND);
    }
    // Nothing of the failed repairs may hinder the next one.
    MANAGER.order(destination.uuid,
        loss.command("at last", new NodeRef[] {destination}, 0));
    assertEquals(RepairOutcome.REBUILT, result("at last").outcome);
    loss.assertRepaired();
  }

  @Test
  void blocksInMemoryAreReported() throws Exception {
    Loss loss = new Loss("RS-3-2-1024k", 3, 2);
    assertTrue(cluster.hasContent(loss.file, loss.data), "the file has its bytes");
    if (FileAdvice.isPossible()) {
      String holder = loss.holders.get(1).getDatanodeUuid();
      RepairCluster.await("a unit that was just read is reported",
          () -> MANAGER.resident(holder).contains(loss.id().blockId(1)));
    }
  }

  private static DataNode datanode(NodeRef node) {
    for (DataNode datanode : cluster.mini().getDataNodes()) {
      if (datanode.getDatanodeUuid().equals(node.uuid)) {
        return datanode;
      }
    }
    throw new IllegalArgumentException(node.toString());
  }

  /** Limits what a DataNode writes for repairs. */
  private static void throttle(DataNode datanode, long bytesPerSecond) {
    datanode.getEcReconstuctWriteThrottler().setBandwidth(bytesPerSecond);
  }
}
