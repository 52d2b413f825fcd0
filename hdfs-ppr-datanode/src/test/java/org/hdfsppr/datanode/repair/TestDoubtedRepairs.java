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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.host.AttemptGuard;
import org.hdfsppr.datanode.host.DataNodeConnector;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.repair.PeerDirectory.PeerConnector;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.datanode.server.OpHandler;
import org.hdfsppr.datanode.server.PartialSumHandler;
import org.hdfsppr.datanode.server.TransferServer;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.stream.BufferPool;
import org.hdfsppr.stream.HelperSession;
import org.hdfsppr.stream.LocalServers;
import org.hdfsppr.stream.NodeMemory;
import org.hdfsppr.stream.RateMemory;
import org.hdfsppr.stream.RequestLimits;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.stream.UnreachableException;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The work of a commanded job on a group that has one wrong unit with right checksums. Either the
 * manager knows of it, or the job finds it out and then fails for another reason. And the job's
 * reaction to a child that hangs up on its parent.
 */
@Timeout(120)
class TestDoubtedRepairs {
  private static final int K = 2;
  private static final int M = 3;
  private static final int CELL = 64 << 10;
  private static final int UNIT_BYTES = 1 << 20;
  private static final int SLICE_BYTES = 16 << 10;
  private static final int SLICES = UNIT_BYTES / SLICE_BYTES;
  /** The number of slices: the job checks one of them, and the last one. */
  private static final int CHECK_ONE_IN = SLICES;
  /** The unit to rebuild. Its replica still exists, so that the test knows the right bytes. */
  private static final int LOST = 0;
  private static final int WRONG = 2;
  private static final String NAME = "TestDoubtedRepairs";

  @TempDir
  static File directory;
  private static RepairCluster cluster;
  private static String policy;
  private static int groups;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private RepairMetrics metrics;
  private PeerDirectory peers;
  private LocatedStripedBlock group;
  private DataNode destination;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 3600);
    cluster = RepairCluster.start(conf, K + M + 1);
    policy = cluster.fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs", K, M), CELL)})[0].getPolicy().getName();
    cluster.directory("/ec", policy);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** A group on all nodes but one; that node becomes the destination. */
  @BeforeEach
  void write() throws IOException {
    metrics = RepairMetrics.register(new Configuration(false), NAME);
    peers = new PeerDirectory(0, 1_000, false, System::nanoTime);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/ec/file" + ++groups);
    cluster.write(file, K * UNIT_BYTES, UNIT_BYTES, groups);
    cluster.awaitUnits(file, K + M);
    group = cluster.groups(file).get(0);
    Set<String> occupied = new HashSet<>();
    RepairCluster.holders(group).values().forEach(one -> occupied.add(one.getDatanodeUuid()));
    for (DataNode datanode : cluster.mini().getDataNodes()) {
      if (!occupied.contains(datanode.getDatanodeUuid())) {
        destination = datanode;
      }
    }
  }

  @AfterEach
  void unregister() {
    metrics.unregister();
    peers.close();
    timer.shutdownNow();
  }

  private static NodeRef node(DataNode datanode) {
    return new NodeRef(datanode.getDatanodeUuid(), "127.0.0.1", "localhost",
        datanode.getXferPort(), LocalServers.port(datanode.getXferPort()), "/default-rack");
  }

  private RepairCommand command(boolean doubted, int... live) {
    return command(doubted, holders(live));
  }

  private List<UnitHolder> holders(int... live) {
    Map<Integer, DatanodeInfo> at = RepairCluster.holders(group);
    List<UnitHolder> holders = new ArrayList<>();
    for (int unit : live) {
      holders.add(new UnitHolder(unit, node(cluster.datanode(at.get(unit)))));
    }
    return holders;
  }

  private RepairCommand command(boolean doubted, List<UnitHolder> holders) {
    ExtendedBlock block = group.getBlock();
    return new RepairCommand(RepairCommand.of("repair" + groups, 1,
        new GroupId(block.getBlockPoolId(), block.getBlockId(), block.getGenerationStamp()),
        group.getBlockSize()).setCodec("rs").setDataUnits(K).setParityUnits(M).setCellBytes(CELL)
        .setTopology("chain").setDoubted(doubted).setDeadlineMs(100_000), List.of(), holders,
        List.of(new CommandTarget(LOST, node(destination), "", StorageType.DISK)));
  }

  /** A hook for each connection of a job; in a chain an attempt makes one. */
  @FunctionalInterface
  private interface Hook {
    Hook NOTHING = (job, attempt) -> { };

    /** @param attempt counted from 1 on */
    void connecting(RepairJob job, int attempt) throws IOException;
  }

  private RepairResult run(RepairCommand command) {
    return run(command, Hook.NOTHING);
  }

  private RepairResult run(RepairCommand command, Hook hook) {
    return run(command, hook, order -> order);
  }

  private RepairResult run(RepairCommand command, Hook hook, UnaryOperator<RepairOrder> as) {
    TransferConnector real = new DataNodeConnector(destination, 5_000);
    RepairJob[] job = new RepairJob[1];
    int[] attempts = new int[1];
    TransferConnector connector = (to, block, token) -> {
      hook.connecting(job[0], ++attempts[0]);
      return real.connect(to, block, token);
    };
    RepairContext context = new RepairContext(
        RepairSettings.of(destination.getConf(), SLICE_BYTES),
        DataNodeHost.leading(destination, node(destination).repairPort, new RepairTraffic()),
        new PeerConnector(connector, peers), Kernels.select(PprKeys.KERNEL_DEFAULT),
        new NodeMemory(32 << 20, 0, 0), metrics, System::nanoTime);
    AtomicReference<RepairResult> result = new AtomicReference<>();
    job[0] = new RepairJob(context,
        as.apply(new CommandedOrder(context, command, result::set)), command.repairId, timer);
    job[0].run();
    return result.get();
  }

  private static BlockLocalPathInfo files(DataNode holder, ExtendedBlock block)
      throws IOException {
    return holder.getFSDataset().getBlockLocalPathInfo(block);
  }

  /** Changes a byte of the wrong unit, and its checksums with it. */
  private void spoil(int slice) throws IOException {
    ExtendedBlock block = RepairCluster.internalBlock(group, WRONG);
    BlockLocalPathInfo files =
        files(cluster.datanode(RepairCluster.holders(group).get(WRONG)), block);
    Path file = Paths.get(files.getBlockPath());
    byte[] bytes = Files.readAllBytes(file);
    bytes[slice * SLICE_BYTES + 5] ^= 0x40;
    Files.write(file, bytes);
    Path meta = Paths.get(files.getMetaPath());
    DataChecksum checksum;
    try (FileInputStream in = new FileInputStream(meta.toFile())) {
      checksum = BlockMetadataHeader.readHeader(in).getChecksum();
    }
    byte[] sums = Files.readAllBytes(meta);
    int header = BlockMetadataHeader.getHeaderSize();
    checksum.calculateChunkedSums(ByteBuffer.wrap(bytes),
        ByteBuffer.wrap(sums, header, sums.length - header).slice());
    Files.write(meta, sums);
  }

  /** Returns a slice that the first attempt does not check if no doubt is known. */
  private int notSampled() {
    long seed = group.getBlock().getBlockId() / 16 + 1;
    return (int) (Math.floorMod(seed, (long) CHECK_ONE_IN) + 1) % (SLICES - 1);
  }

  private void assertNothingIsThere() {
    ExtendedBlock block = RepairCluster.internalBlock(group, LOST);
    assertFalse(destination.getFSDataset().contains(block), "nothing is committed");
  }

  private static void assertFailed(FailureCause cause, String said, RepairResult result) {
    assertEquals(RepairOutcome.FAILED, result.outcome, result.toString());
    assertEquals(cause, result.cause, result.toString());
    assertTrue(result.message.contains(said), result.toString());
  }

  @Test
  void whatCannotBeCheckedIsNotRebuilt() throws IOException {
    spoil(0);
    RepairResult result = run(command(true, WRONG, 3));
    assertFailed(null, "every byte has to be checked", result);
    assertTrue(result.saysTooFewHelpers(), result.toString());
    assertNothingIsThere();
    assertEquals(RepairOutcome.REBUILT, run(command(false, WRONG, 3)).outcome,
        "the group is not in doubt");
  }

  /** The attempt that saw the wrong bytes checked other slices than this one would. */
  @Test
  void everySliceIsChecked() throws IOException {
    spoil(notSampled());
    assertFailed(FailureCause.VERIFICATION, "contradict", run(command(true, WRONG, 3, 4)));
    assertNothingIsThere();
    assertEquals(RepairOutcome.REBUILT, run(command(false, WRONG, 3, 4)).outcome,
        "a sample says nothing");
  }

  @Test
  void theWrongUnitIsStillFoundAndLeftOut() throws IOException {
    spoil(notSampled());
    RepairResult result = run(command(true, WRONG, 3, 4, 1));
    assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    assertRebuiltRightly();
  }

  /** The attempt without the first suspect fails for another reason, and then its time is over. */
  @Test
  void aJobThatIsCancelledSaysThatUnitsContradictEachOther() throws IOException {
    spoil(SLICES - 1);
    RepairResult result = run(command(false, WRONG, 3, 4, 1), (job, attempt) -> {
      if (attempt == 2) {
        throw new UnreachableException(new ConnectException("a test"));
      } else if (attempt == 3) {
        job.end("its time is over");
        throw new ConnectException("a test");
      }
    });
    assertFailed(FailureCause.VERIFICATION, "its time is over", result);
    assertNothingIsThere();
  }

  /**
   * A node in the middle of a chain only reports that it got no answer from the next node. That
   * node may be too busy to answer, and the repair needs the node in the middle.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4})
  void aChildThatGivesNoAnswerIsLeftOut(int silent) throws Exception {
    try (ServerSocket hangsUp = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Thread server = new Thread(() -> {
        try {
          while (true) {
            hangsUp.accept().close();
          }
        } catch (IOException e) {
          // The test is over.
        }
      });
      server.setDaemon(true);
      server.start();
      List<UnitHolder> holders = holders(1, 3, 4);
      holders.replaceAll(holder -> holder.unit != silent ? holder
          : new UnitHolder(silent, holder.node.withRepairPort(hangsUp.getLocalPort())));
      RepairResult result = run(command(false, holders));
      assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    }
  }

  /** Another thread begins to write the replica. */
  @Test
  void aDuplicateSaysThatUnitsContradictEachOther() throws IOException {
    spoil(SLICES - 1);
    RepairResult result = run(command(false, WRONG, 3, 4, 1), (job, attempt) -> {
      if (attempt == 2) {
        destination.getFSDataset().createTemporary(StorageType.DISK, "",
            RepairCluster.internalBlock(group, LOST), false).close();
      }
    });
    assertFailed(FailureCause.VERIFICATION, "already here", result);
  }

  /** Adds a wrong value to the first of the sums. */
  private static final class WrongKernel implements RegionKernel {
    private final RegionKernel right = Kernels.select(PprKeys.KERNEL_DEFAULT);

    @Override
    public String name() {
      return "wrong";
    }

    @Override
    public RegionOperator prepare(GfMatrix coefficients) {
      return right.prepare(GfMatrix.generate(coefficients.rows(), coefficients.columns(),
          (row, column) -> coefficients.get(row, column) ^ (row == 0 ? 1 : 0)));
    }
  }

  /** A second server of a DataNode, which calculates wrongly. */
  private TransferServer wrongServer(DataNode datanode) throws IOException {
    return wrongServer(datanode, Integer.MAX_VALUE);
  }

  /** @param times number of repairs in which the server calculates wrongly */
  private TransferServer wrongServer(DataNode datanode, int times) throws IOException {
    AtomicInteger left = new AtomicInteger(times);
    ServerSocketChannel listener = TransferServer.listen(new InetSocketAddress("127.0.0.1", 0));
    int port = listener.socket().getLocalPort();
    DataNodeHost host = DataNodeHost.helping(datanode, port, 0, null, new RepairTraffic());
    ScheduledThreadPoolExecutor timer = TransferServer.timer();
    OpHandler sums = new PartialSumHandler(
        new RequestLimits(64 << 10, 10_000, new WrongKernel()), (toChildren, caller) ->
            new HelperSession(host, toChildren, left.getAndDecrement() > 0 ? new WrongKernel()
                : Kernels.select(PprKeys.KERNEL_DEFAULT), new BufferPool(32 << 20),
                new RateMemory(), System::nanoTime),
        new DataNodeConnector(datanode, 5_000), host, metrics, id -> { },
        new AttemptGuard.Timing(timer, System::nanoTime));
    return TransferServer.start(datanode, listener, 10, 5_000, metrics,
        Collections.singletonList(sums), timer);
  }

  /** A command that names another port for the node of one unit. */
  private RepairCommand command(int unitElsewhere, int port, int... live) {
    RepairCommand command = command(false, live);
    List<UnitHolder> holders = new ArrayList<>();
    command.group.live.forEach(holder -> holders.add(holder.unit == unitElsewhere
        ? new UnitHolder(holder.unit, holder.node.withRepairPort(port)) : holder));
    return new RepairCommand(RepairCommand.of(command.repairId, 1, command.groupId(),
        group.getBlockSize()).setCodec("rs").setDataUnits(K).setParityUnits(M).setCellBytes(CELL)
        .setTopology("chain").setDeadlineMs(100_000), List.of(), holders, command.targets);
  }

  private String holder(int unit) {
    return RepairCluster.holders(group).get(unit).getDatanodeUuid();
  }

  /** The helper has bad memory, or a processor that multiplies wrongly. */
  @Test
  void aHelperThatCalculatesWronglyHasNoWrongUnit() throws IOException {
    try (TransferServer server =
        wrongServer(cluster.datanode(RepairCluster.holders(group).get(WRONG)))) {
      RepairResult result = run(command(WRONG, server.port(), WRONG, 3, 4, 1));
      assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
      assertEquals(FailureCause.VERIFICATION, result.cause, "for managers that know no better");
      assertEquals(List.of(holder(WRONG)), result.leftOut);
      assertTrue(result.unitsAgree, result.toString());
      assertFalse(result.leavesDoubt());
      assertRebuiltRightly();
    }
  }

  /** A node other than the first suspect, whose memory flips a bit now and then. */
  @Test
  void whoIsLeftOutByItsTurnIsNotBlamedForAnothersBitFlip() throws IOException {
    int guilty = 3;
    try (TransferServer server =
        wrongServer(cluster.datanode(RepairCluster.holders(group).get(guilty)), 1)) {
      RepairResult result = run(command(guilty, server.port(), WRONG, guilty, 4, 1));
      assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
      assertEquals(FailureCause.VERIFICATION, result.cause, "it must be seen");
      assertEquals(List.of(), result.leftOut, result.toString());
      assertFalse(result.leavesDoubt(), result.toString());
      assertRebuiltRightly();
    }
  }

  /** The group has no spare unit, so that no other unit can be left out. */
  @Test
  void aHelperThatCalculatesWronglyAndCannotBeLeftOutIsReadOnly() throws IOException {
    try (TransferServer server =
        wrongServer(cluster.datanode(RepairCluster.holders(group).get(WRONG)))) {
      RepairResult result = run(command(WRONG, server.port(), WRONG, 3, 4));
      assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
      assertEquals(List.of(), result.leftOut);
      assertTrue(result.unitsAgree, result.toString());
      assertRebuiltRightly();
    }
  }

  /** The unit itself is wrong, by either way of reading it. */
  @Test
  void aWrongUnitIsNoWrongArithmetic() throws IOException {
    spoil(SLICES - 1);
    RepairResult result = run(command(false, WRONG, 3, 4, 1));
    assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    assertEquals(List.of(holder(WRONG)), result.leftOut);
    assertFalse(result.unitsAgree, result.toString());
    assertTrue(result.leavesDoubt());
    assertRebuiltRightly();
  }

  /** An order whose second plan fails with an error of any kind. */
  private RepairOrder failingAtTheEnd(RepairOrder order) {
    return (RepairOrder) Proxy.newProxyInstance(RepairOrder.class.getClassLoader(),
        new Class<?>[] {RepairOrder.class}, (proxy, method, args) -> {
          if (method.getName().equals("options")
              && args[1].equals(group.getBlock().getBlockId() / 16)) {
            throw new IllegalStateException("a test");
          }
          try {
            return method.invoke(order, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  /** The replica is there by then. */
  @Test
  void anErrorAfterTheUnitIsRebuiltFailsNothing() throws IOException {
    spoil(SLICES - 1);
    RepairResult result = run(command(false, WRONG, 3, 4, 1), Hook.NOTHING, this::failingAtTheEnd);
    assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    assertTrue(result.leavesDoubt());
    assertRebuiltRightly();
  }

  /** The job's time is over when all is rebuilt, but before the left-out unit is read again. */
  @Test
  void aCheckThatIsCutShortIsNoProof() throws IOException {
    try (TransferServer server =
        wrongServer(cluster.datanode(RepairCluster.holders(group).get(WRONG)))) {
      RepairResult result = run(command(WRONG, server.port(), WRONG, 3, 4, 1),
          (job, attempt) -> {
            if (attempt == 3) {
              job.end("its time is over");
              throw new ConnectException("a test");
            }
          });
      assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
      assertEquals(List.of(holder(WRONG)), result.leftOut);
      assertTrue(result.undecided, result.toString());
      assertTrue(result.leavesDoubt(), result.toString());
      assertRebuiltRightly();
    }
  }

  /** The job also reads units that it can do without: no unit may stay unknown. */
  @Test
  void aRepairOfADoubtedGroupReadsAllUnits() throws IOException {
    RepairResult result = run(command(true, 3, 4, 1, WRONG));
    assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    assertEquals(null, result.cause, result.toString());
    assertEquals(List.of(1, 2, 3, 4), result.readUnits);
    assertRebuiltRightly();
  }

  @Test
  void aRepairOfADoubtedGroupFindsAWrongUnitThatItCanDoWithout() throws IOException {
    spoil(0);
    RepairResult result = run(command(true, 3, 4, 1, WRONG));
    assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    assertEquals(List.of(holder(WRONG)), result.leftOut);
    assertTrue(result.leavesDoubt() && !result.undecided, result.toString());
    assertEquals(List.of(1, 3, 4), result.readUnits);
    assertRebuiltRightly();
  }

  /** The job has checked some slices only. */
  @Test
  void aRepairThatChecksSamplesSaysNothingOfWhatItHasRead() {
    assertEquals(List.of(), run(command(false, 3, 4, 1, WRONG)).readUnits);
  }

  private void assertRebuiltRightly() throws IOException {
    ExtendedBlock block = RepairCluster.internalBlock(group, LOST);
    DataNode holder = cluster.datanode(RepairCluster.holders(group).get(LOST));
    assertArrayEquals(Files.readAllBytes(Paths.get(files(holder, block).getBlockPath())),
        Files.readAllBytes(Paths.get(files(destination, block).getBlockPath())));
  }
}
