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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.host.DataNodeConnector;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.Connection;
import org.hdfsppr.stream.Connector;
import org.hdfsppr.stream.LocalServers;
import org.hdfsppr.stream.NodeMemory;
import org.hdfsppr.stream.RateMemory;
import org.hdfsppr.stream.TargetHost;
import org.hdfsppr.wire.WriteGrant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commanded repairs of two units, one of which an inner target writes, on a cluster with block
 * tokens. The lost units' replicas still exist elsewhere, so that the test knows the right bytes.
 */
@Timeout(300)
class TestInnerTargetRepair {
  private static final int K = 2;
  private static final int M = 3;
  private static final int CELL = 64 << 10;
  private static final int UNIT_BYTES = 1 << 20;
  private static final String NAME = "TestInnerTargetRepair";

  @TempDir
  private File directory;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private RepairCluster cluster;
  private RepairMetrics metrics;
  private PeerDirectory peers;
  private LocatedStripedBlock group;
  /** The nodes without a unit of the group: the leader, the inner target, and a third one. */
  private List<DataNode> spares;
  /** Runs once, in the thread of the leader, when it has read half of its first sums. */
  private Runnable inTheMiddle;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 3600);
    conf.setBoolean(PprKeys.DATANODE_INNER_TARGETS_KEY, true);
    cluster = RepairCluster.start(conf, K + M + 3);
    String policy = cluster.fs().addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs", K, M), CELL)})[0].getPolicy().getName();
    cluster.directory("/ec", policy);
    metrics = RepairMetrics.register(new Configuration(false), NAME);
    peers = new PeerDirectory(0, 1_000, false, System::nanoTime);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/ec/file");
    cluster.write(file, K * UNIT_BYTES, UNIT_BYTES, 1);
    cluster.awaitUnits(file, K + M);
    group = cluster.groups(file).get(0);
    Set<String> occupied = new HashSet<>();
    RepairCluster.holders(group).values().forEach(one -> occupied.add(one.getDatanodeUuid()));
    spares = cluster.mini().getDataNodes().stream()
        .filter(node -> !occupied.contains(node.getDatanodeUuid())).collect(Collectors.toList());
    assertEquals(3, spares.size());
  }

  @AfterEach
  void stop() {
    timer.shutdownNow();
    if (metrics != null) {
      metrics.unregister();
      peers.close();
    }
    cluster.close();
  }

  private static NodeRef node(DataNode datanode) {
    Integer port = LocalServers.port(datanode.getXferPort());
    return new NodeRef(datanode.getDatanodeUuid(), "127.0.0.1", "localhost",
        datanode.getXferPort(), port == null ? NodeRef.NO_REPAIR_PORT : port, "/default-rack");
  }

  /** Unit 0 goes to the first node, unit 1 to the second. */
  private RepairCommand command(String name, DataNode... targets) {
    return command(name, false, targets);
  }

  /** @param doubted whether units of the group are known to contradict each other */
  private RepairCommand command(String name, boolean doubted, DataNode... targets) {
    Map<Integer, DatanodeInfo> at = RepairCluster.holders(group);
    List<Holder> holders = new ArrayList<>();
    for (int unit = 2; unit < K + M; unit++) {
      holders.add(new Holder(unit, node(cluster.datanode(at.get(unit)))));
    }
    List<CommandTarget> wanted = new ArrayList<>();
    for (int unit = 0; unit < targets.length; unit++) {
      if (targets[unit] != null) {
        wanted.add(new CommandTarget(unit, node(targets[unit]), "", StorageType.DISK));
      }
    }
    ExtendedBlock block = group.getBlock();
    return RepairCommand.of(name, 1)
        .group(new GroupId(block.getBlockPoolId(), block.getBlockId(),
            block.getGenerationStamp()), group.getBlockSize())
        .code("rs", K, M, CELL)
        .live(holders)
        .targets(wanted)
        .topology("chain")
        .doubted(doubted)
        .deadlineMs(200_000)
        .build();
  }

  private RepairResult run(DataNode leader, RepairCommand command) {
    Connector real = new DataNodeConnector(leader, 5_000);
    Connector connector = (to, block, token) -> new Watched(real.connect(to, block, token));
    RepairContext context = new RepairContext(leader, RepairSettings.of(leader.getConf()),
        DataNodeHost.leading(leader, node(leader).repairPort(), new RepairTraffic()), connector,
        Kernels.select(PprKeys.KERNEL_DEFAULT), new NodeMemory(32 << 20, 0, 0), peers,
        new RateMemory(), metrics, System::nanoTime);
    AtomicReference<RepairResult> result = new AtomicReference<>();
    new RepairJob(context, new CommandedOrder(context, command, result::set), command.repairId(),
        timer).run();
    return result.get();
  }

  /** A connection that runs {@link #inTheMiddle} when half of a unit has come. */
  private final class Watched implements Connection {
    private final Connection real;
    private final InputStream in;
    private long bytes;

    Watched(Connection real) {
      this.real = real;
      this.in = new FilterInputStream(real.in()) {
        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          int more = super.read(into, offset, length);
          bytes += more;
          if (bytes > UNIT_BYTES / 2 && inTheMiddle != null) {
            Runnable once = inTheMiddle;
            inTheMiddle = null;
            once.run();
          }
          return more;
        }
      };
    }

    @Override
    public InputStream in() {
      return in;
    }

    @Override
    public OutputStream out() {
      return real.out();
    }

    @Override
    public void setTimeout(int timeoutMs) throws IOException {
      real.setTimeout(timeoutMs);
    }

    @Override
    public void abort() {
      real.abort();
    }

    @Override
    public void close() {
      real.close();
    }
  }

  private ExtendedBlock unit(int unit) {
    return RepairCluster.internalBlock(group, unit);
  }

  private void assertHasUnit(DataNode datanode, int unit) throws IOException {
    DataNode holder = cluster.datanode(RepairCluster.holders(group).get(unit));
    assertArrayEquals(bytes(holder, unit), bytes(datanode, unit), "unit " + unit);
  }

  private byte[] bytes(DataNode datanode, int unit) throws IOException {
    return Files.readAllBytes(Paths.get(
        datanode.getFSDataset().getBlockLocalPathInfo(unit(unit)).getBlockPath()));
  }

  /** The unfinished replicas on the disks of all DataNodes. */
  private List<String> unfinished() {
    try (Stream<Path> files = Files.walk(directory.toPath())) {
      return files.filter(Files::isRegularFile).map(Path::toString)
          .filter(name -> name.contains("/rbw/") || name.contains("/tmp/blk_"))
          .collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void bothUnitsComeFromOneReading() throws IOException {
    List<String> seen = new ArrayList<>();
    inTheMiddle = () -> seen.addAll(unfinished());
    RepairResult result =
        run(spares.get(0), command("both", spares.get(0), spares.get(1)));
    assertEquals(RepairOutcome.REBUILT, result.outcome(), result.toString());
    assertEquals(List.of(0, 1), result.rebuiltUnits());
    assertNull(result.cause(), result.toString());
    assertEquals(2L * UNIT_BYTES, result.bytes());
    assertHasUnit(spares.get(0), 0);
    assertHasUnit(spares.get(1), 1);
    // The inner target has its replica from the beginning on, and not from the leader at the end.
    String block = "blk_" + unit(1).getBlockId();
    assertTrue(seen.stream().anyMatch(name -> name.contains(block)), seen.toString());
    assertEquals(List.of(), unfinished());
  }

  /** An inner target could calculate wrongly, and would add to the doubt. */
  @Test
  void aDoubtedGroupIsRepairedWithoutInnerTargets() throws IOException {
    RepairResult result =
        run(spares.get(0), command("doubted", true, spares.get(0), spares.get(1)));
    assertEquals(RepairOutcome.REBUILT, result.outcome(), result.toString());
    assertEquals(List.of(0, 1), result.rebuiltUnits());
    assertEquals(UNIT_BYTES, MetricsAsserts.getLongCounter("SentToRemoteTargetsBytes",
        MetricsAsserts.getMetrics("PprDataNode-" + NAME)), "the leader sends unit 1 itself");
    assertHasUnit(spares.get(0), 0);
    assertHasUnit(spares.get(1), 1);
    assertEquals(List.of(), unfinished());
  }

  /** Stops a DataNode, which thereby forgets and drops all that it was at. */
  private void kill(DataNode datanode) {
    MiniDFSCluster mini = cluster.mini();
    for (int i = 0; i < mini.getDataNodes().size(); i++) {
      if (mini.getDataNodes().get(i) == datanode) {
        mini.stopDataNode(i);
        return;
      }
    }
  }

  @Test
  void aTargetThatDiesInTheMiddle() throws IOException {
    List<String> seen = new ArrayList<>();
    inTheMiddle = () -> {
      seen.addAll(unfinished());
      kill(spares.get(1));
    };
    RepairResult result = run(spares.get(0), command("dies", spares.get(0), spares.get(1)));
    String block = "blk_" + unit(1).getBlockId();
    assertTrue(seen.stream().anyMatch(name -> name.contains(block)), seen.toString());
    assertEquals(RepairOutcome.REBUILT, result.outcome(), result.toString());
    assertEquals(List.of(0), result.rebuiltUnits(), result.toString());
    assertEquals(spares.get(1).getDatanodeUuid(), result.failedNode(), result.toString());
    assertHasUnit(spares.get(0), 0);
    RepairCluster.await("nothing unfinished is left", () -> unfinished().isEmpty());
    // The manager orders the other unit once more, elsewhere.
    RepairResult next = run(spares.get(2), command("next", null, spares.get(2)));
    assertEquals(List.of(1), next.rebuiltUnits(), next.toString());
    assertHasUnit(spares.get(2), 1);
    assertEquals(List.of(), unfinished());
  }

  @Test
  void aCallerNeedsTheRightToWrite() throws IOException {
    DataNode datanode = spares.get(1);
    TargetHost targets = DataNodeHost.helping(datanode, node(datanode).repairPort(), 0, null,
        new RepairTraffic()).targets();
    BlockRef block = new BlockRef(unit(1).getBlockPoolId(), unit(1).getBlockId(),
        unit(1).getGenerationStamp(), UNIT_BYTES);
    assertNull(targets.refusal(block, grant(1, AccessMode.WRITE, StorageType.DISK, "DS-1")));
    assertNotNull(targets.refusal(block, grant(1, AccessMode.READ, StorageType.DISK, "DS-1")));
    assertNotNull(targets.refusal(block, grant(0, AccessMode.WRITE, StorageType.DISK, "DS-1")));
    WriteGrant right = grant(1, AccessMode.WRITE, StorageType.DISK, "DS-1");
    assertNotNull(targets.refusal(block,
        new WriteGrant(right.token(), StorageType.ARCHIVE, "DS-1")), "another kind of storage");
    assertNotNull(targets.refusal(block,
        new WriteGrant(right.token(), StorageType.DISK, "DS-2")), "another storage");
    byte[] forged = right.token().getPassword();
    forged[0] ^= 1;
    assertNotNull(targets.refusal(block, right), "a forged token: " + Arrays.toString(forged));
    assertFalse(datanode.getFSDataset().contains(unit(1)));
    DataNode holder = cluster.datanode(RepairCluster.holders(group).get(1));
    TargetHost there = DataNodeHost.helping(holder, node(holder).repairPort(), 0, null,
        new RepairTraffic()).targets();
    assertNotNull(there.refusal(block, grant(1, AccessMode.WRITE, StorageType.DISK, "DS-1")),
        "a replica is already there");
  }

  private WriteGrant grant(int unit, AccessMode mode, StorageType type, String storage)
      throws IOException {
    return new WriteGrant(spares.get(0).getBlockAccessToken(unit(unit), EnumSet.of(mode),
        new StorageType[] {type}, new String[] {storage}), type, storage);
  }
}
