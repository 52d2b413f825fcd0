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
package org.hdfsppr.datanode.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.test.MetricsAsserts;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.host.DataNodeConnector;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.repair.PeerDirectory.PeerConnector;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.stream.NodeMemory;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ending of a job that cannot do all of its work. The DataNodes have no plugin: the job runs in
 * the test, on the node that has no unit of the group, and reads from the others as stock does.
 */
@Timeout(120)
class TestRepairJob {
  /** Enough parities to check the units without any one of them, though two are lost. */
  private static final ErasureCodingPolicy POLICY =
      new ErasureCodingPolicy(new ECSchema("rs", 2, 4), 64 << 10);
  private static final int LOST = 0;
  /** Some orders call this unit lost as well, although a replica exists. */
  private static final int ALSO_LOST = 5;
  private static final String NAME = "TestRepairJob";

  @TempDir
  static File directory;
  private static RepairCluster cluster;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private RepairMetrics metrics;
  private PeerDirectory peers;
  private RepairJob job;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    conf.set(PprKeys.VERIFY_KEY, "full");
    cluster = RepairCluster.start(conf, POLICY.getNumDataUnits() + POLICY.getNumParityUnits() + 1);
    String name = cluster.fs.addErasureCodingPolicies(
        new ErasureCodingPolicy[] {POLICY})[0].getPolicy().getName();
    cluster.directory("/ec", name);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void register() {
    metrics = RepairMetrics.register(new Configuration(false), NAME);
    peers = new PeerDirectory(0, 1_000, false, System::nanoTime);
  }

  @AfterEach
  void unregister() {
    metrics.unregister();
    peers.close();
    timer.shutdownNow();
  }

  /** Orders one or two units of a group, and notes the ending. */
  private static final class Order implements RepairOrder {
    private final LocatedStripedBlock written;
    private final DataNode destination;
    /** From this call on (which is an attempt), the order has no place to write to. */
    private final int noPlaceFrom;
    /** The target of the second unit, or null if the order is for one unit. */
    private final DataNode other;
    private int asked;
    private String ended = "";
    private JobEnding ending;

    Order(LocatedStripedBlock written, DataNode destination, int noPlaceFrom) {
      this(written, destination, noPlaceFrom, null);
    }

    Order(LocatedStripedBlock written, DataNode destination, int noPlaceFrom, DataNode other) {
      this.written = written;
      this.destination = destination;
      this.noPlaceFrom = noPlaceFrom;
      this.other = other;
    }

    @Override
    public GroupId group() {
      ExtendedBlock block = written.getBlock();
      return new GroupId(block.getBlockPoolId(), block.getBlockId(), block.getGenerationStamp());
    }

    @Override
    public long groupBytes() {
      return written.getBlockSize();
    }

    @Override
    public ErasureCodingPolicy policy() {
      return POLICY;
    }

    @Override
    public List<UnitHolder> live() {
      List<UnitHolder> live = new ArrayList<>();
      RepairCluster.holders(written).forEach((unit, node) -> {
        if (unit != LOST && unit != ALSO_LOST) {
          live.add(new UnitHolder(unit, new NodeRef(node.getDatanodeUuid(), node.getIpAddr(),
              node.getHostName(), node.getXferPort(), NodeRef.NO_REPAIR_PORT,
              node.getNetworkLocation())));
        }
      });
      return live;
    }

    /** The job calls this once for the plans, and then for each attempt. */
    @Override
    public List<RepairTarget> targets() {
      boolean isPlace = asked++ < noPlaceFrom;
      RepairTarget first =
          target(LOST, destination, isPlace ? StorageType.DISK : StorageType.ARCHIVE);
      return other == null ? List.of(first)
          : List.of(first, target(ALSO_LOST, other, StorageType.DISK));
    }

    private RepairTarget target(int unit, DataNode datanode, StorageType type) {
      DatanodeInfo node = new DatanodeInfoBuilder().setNodeID(datanode.getDatanodeId()).build();
      return new RepairTarget(unit, written.getBlockSize() / 2, node, type, "");
    }

    @Override
    public String topology() {
      return "star";
    }

    @Override
    public PlanOptions options(int checkOneIn, long seed) {
      return new PlanOptions(TreeTopologies.byName("star"), 16 << 10, checkOneIn, seed);
    }

    @Override
    public boolean hasStockWorker() {
      return true;
    }

    @Override
    public void rebuilt(JobEnding how) {
      settle("rebuilt", how);
    }

    @Override
    public void giveUp(JobEnding how) {
      settle("to stock", how);
    }

    @Override
    public void failed(JobEnding how) {
      settle("failed", how);
    }

    private void settle(String how, JobEnding what) {
      assertEquals("", ended, "it is settled once");
      ended = how;
      ending = what;
    }

    @Override
    public boolean isSettled() {
      return !ended.isEmpty();
    }
  }

  private static LocatedStripedBlock write(String name) throws IOException {
    Path path = new Path("/ec/" + name);
    cluster.write(path, 4 * POLICY.getCellSize(), 1L << 20, name.hashCode());
    cluster.awaitUnits(path, POLICY.getNumDataUnits() + POLICY.getNumParityUnits());
    return cluster.groups(path).get(0);
  }

  /** The node that has no unit of a group. */
  private static DataNode spare(LocatedStripedBlock group) {
    Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group);
    return cluster.mini().getDataNodes().stream()
        .filter(node -> holders.values().stream()
            .noneMatch(holder -> holder.getDatanodeUuid().equals(node.getDatanodeUuid())))
        .findFirst().get();
  }

  /** Changes a byte of a unit, and its checksum accordingly. */
  private static void falsify(LocatedStripedBlock group, int unit) throws IOException {
    DataNode holder = cluster.datanode(RepairCluster.holders(group).get(unit));
    BlockLocalPathInfo files = holder.getFSDataset()
        .getBlockLocalPathInfo(RepairCluster.internalBlock(group, unit));
    byte[] data = Files.readAllBytes(Paths.get(files.getBlockPath()));
    data[0] ^= 1;
    Files.write(Paths.get(files.getBlockPath()), data);
    DataChecksum checksum;
    try (DataInputStream in =
        new DataInputStream(Files.newInputStream(Paths.get(files.getMetaPath())))) {
      checksum = BlockMetadataHeader.readHeader(in).getChecksum();
    }
    byte[] meta = Files.readAllBytes(Paths.get(files.getMetaPath()));
    checksum.calculateChunkedSums(data, 0, data.length, meta, BlockMetadataHeader.getHeaderSize());
    Files.write(Paths.get(files.getMetaPath()), meta);
  }

  /** Returns a DataNode that refuses unit {@link #ALSO_LOST} of a group, as it has that unit. */
  private static DataNode refusing(LocatedStripedBlock group) {
    return cluster.datanode(RepairCluster.holders(group).get(ALSO_LOST));
  }

  private void run(Order order) throws IOException {
    run(order, timer);
  }

  private void run(Order order, ScheduledExecutorService guards) throws IOException {
    DataNode datanode = order.destination;
    RepairSettings settings = RepairSettings.of(datanode.getConf());
    RepairContext context = new RepairContext(settings,
        DataNodeHost.leading(datanode, NodeRef.NO_REPAIR_PORT, new RepairTraffic()),
        new PeerConnector(new DataNodeConnector(datanode, settings.connectTimeoutMs()), peers),
        Kernels.select("java"), new NodeMemory(settings.bufferBytes, 0, 0), metrics,
        System::nanoTime);
    job = new RepairJob(context, order, "repair-" + order.group().groupId, guards);
    job.run();
  }

  private static long counter(String name) {
    return MetricsAsserts.getLongCounterWithoutCheck(name,
        MetricsAsserts.getMetrics("PprDataNode-" + NAME));
  }

  /** Shows that the doubt makes the difference in the next test. */
  @Test
  void aFailedWriteGoesToStock() throws Exception {
    LocatedStripedBlock group = write("sound");
    Order order = new Order(group, spare(group), 1);
    run(order);
    assertEquals("to stock", order.ended);
    assertEquals(FailureCause.WRITE, order.ending.failure.failureCause);
    assertEquals(1, counter("FallbacksLocalWriteFailed"));
  }

  /** The stock worker would use any of the units, and write the wrong result. */
  @Test
  void aFailedWriteAfterAContradictionDoesNotGoToStock() throws Exception {
    LocatedStripedBlock group = write("false");
    falsify(group, 1);
    Order order = new Order(group, spare(group), 2);
    run(order);
    assertEquals(1, counter("VerificationFailures"));
    assertEquals(3, order.asked, "the second attempt is the last one");
    assertEquals("failed", order.ended);
    assertTrue(order.ending.message.contains("contradict")
        && order.ending.message.contains("no rebuilt unit could be written"),
        order.ending.message);
    // A manager decides by this cause.
    assertEquals(FailureCause.VERIFICATION, order.ending.failure.failureCause);
    assertEquals(0, counter("FallbacksLocalWriteFailed"));
  }

  /** The manager leaves this node out next time. */
  @Test
  void oneOfTwoTargetsThatFailsIsNamed() throws Exception {
    LocatedStripedBlock group = write("sound-two");
    DataNode refusing = refusing(group);
    Order order = new Order(group, spare(group), Integer.MAX_VALUE, refusing);
    run(order);
    assertPartlyRebuilt(order, FailureCause.WRITE, refusing);
    assertEquals(0, counter("VerificationFailures"));
  }

  /** The manager learns of the contradiction, and also which target to leave out. */
  @Test
  void oneOfTwoTargetsThatFailsIsNamedAfterAContradiction() throws Exception {
    LocatedStripedBlock group = write("false-two");
    falsify(group, 1);
    DataNode refusing = refusing(group);
    Order order = new Order(group, spare(group), Integer.MAX_VALUE, refusing);
    run(order);
    assertTrue(counter("VerificationFailures") > 0, "it was seen");
    assertPartlyRebuilt(order, FailureCause.VERIFICATION, refusing);
    String message = order.ending.message;
    assertTrue(message.contains("contradict") && message.contains("check relation"), message);
  }

  private static void assertPartlyRebuilt(Order order, FailureCause cause, DataNode failed) {
    assertEquals("rebuilt", order.ended);
    assertEquals(List.of(LOST), order.ending.rebuilt);
    assertEquals(cause, order.ending.failure.failureCause);
    assertEquals(failed.getDatanodeUuid(), order.ending.failure.node.uuid);
    assertTrue(order.ending.message.contains(
        FailureCause.WRITE + " at " + order.ending.failure.node), order.ending.message);
  }

  /** The rebuilt unit is right, and the next repair must still know of the wrong unit. */
  @Test
  void whoHadToLeaveOutAUnitSaysSo() throws Exception {
    LocatedStripedBlock sound = write("sound-whole");
    Order order = new Order(sound, spare(sound), Integer.MAX_VALUE);
    run(order);
    assertEquals("rebuilt", order.ended);
    assertNull(order.ending.failure);
    LocatedStripedBlock group = write("false-whole");
    falsify(group, 1);
    order = new Order(group, spare(group), Integer.MAX_VALUE);
    run(order);
    assertEquals("rebuilt", order.ended);
    assertEquals(List.of(LOST), order.ending.rebuilt);
    assertEquals(FailureCause.VERIFICATION, order.ending.failure.failureCause);
    assertTrue(order.ending.message.contains("one unit was left out"),
        order.ending.message);
  }

  /** The cancellation comes while the job drops the attempt's replica. */
  @Test
  void aCancellationRightAfterAContradictionDoesNotHideIt() throws Exception {
    LocatedStripedBlock group = write("cancelled");
    falsify(group, 1);
    // A failed attempt first ends its guard.
    ScheduledFuture<?> looks = mock(ScheduledFuture.class);
    doAnswer(end -> {
      job.end("its time is over");
      return true;
    }).when(looks).cancel(false);
    ScheduledExecutorService guards = mock(ScheduledExecutorService.class);
    doReturn(looks).when(guards).scheduleWithFixedDelay(any(), anyLong(), anyLong(), any());
    Order order = new Order(group, spare(group), Integer.MAX_VALUE);
    run(order, guards);
    assertEquals(2, order.asked, "there is one attempt");
    assertEquals("failed", order.ended);
    assertEquals(FailureCause.VERIFICATION, order.ending.failure.failureCause);
    assertEquals(1, counter("VerificationFailures"));
    assertTrue(order.ending.message.contains("its time is over")
        && order.ending.message.contains("contradict"), order.ending.message);
  }
}
