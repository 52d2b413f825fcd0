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
package org.hdfsppr.datanode.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.datanode.host.DataNodeConnector;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.repair.RepairService;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.manage.proto.ManagerProtos.ScrubProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.stream.BufferSource;
import org.hdfsppr.stream.FreshBuffers;
import org.hdfsppr.verify.GroupReadings;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks groups of a cluster whose NameNode starts no repairs. */
@Timeout(120)
class TestScrubExecutor {
  private static final int CELL = 16 << 10;
  private static final int NODES = 11;
  private static final int MIB = 1 << 20;
  private static final long FAST = 1L << 40;
  private static final int WAIT_SECONDS = 60;

  @TempDir
  static File directory;
  private static final Map<DataNode, RepairService> SERVICES = new LinkedHashMap<>();
  private static final AtomicInteger SERIAL = new AtomicInteger();
  private static RepairCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.unset("dfs.datanode.plugins");
    cluster = RepairCluster.start(conf, NODES);
    for (DataNode datanode : cluster.mini().getDataNodes()) {
      SERVICES.put(datanode, RepairService.start(datanode));
    }
  }

  @AfterAll
  static void stop() {
    SERVICES.values().forEach(RepairService::stop);
    cluster.close();
  }

  /** Makes a directory under a policy, such as {@code rs-6-3}. */
  private static Path directory(String spec, String name) throws IOException {
    int parity = spec.lastIndexOf('-');
    int data = spec.lastIndexOf('-', parity - 1);
    return cluster.directory(name, cluster.fs.addErasureCodingPolicies(
        new ErasureCodingPolicy[] {new ErasureCodingPolicy(new ECSchema(spec.substring(0, data),
            Integer.parseInt(spec.substring(data + 1, parity)),
            Integer.parseInt(spec.substring(parity + 1))), CELL)})[0].getPolicy().getName());
  }

  /** Writes a file of one group, and waits until the NameNode knows all of its units. */
  private static LocatedStripedBlock write(Path path, int bytes) throws IOException {
    cluster.write(path, bytes, 4 * MIB, bytes);
    ErasureCodingPolicy policy = cluster.fs.getErasureCodingPolicy(path);
    RepairCluster.await("all units of " + path + " are there", () -> {
      try {
        LocatedStripedBlock group = cluster.groups(path).get(0);
        return group.getLocations().length == units(group, policy);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    return cluster.groups(path).get(0);
  }

  /** Returns the number of units that have bytes. */
  private static long units(LocatedStripedBlock group, ErasureCodingPolicy policy) {
    return Math.min(policy.getNumDataUnits(), (group.getBlockSize() - 1) / CELL + 1)
        + policy.getNumParityUnits();
  }

  private static ScrubCommand command(LocatedStripedBlock group, ErasureCodingPolicy policy,
      Consumer<ScrubProto.Builder> change) {
    List<UnitHolder> holders = new ArrayList<>();
    RepairCluster.holders(group).forEach((unit, info) ->
        holders.add(new UnitHolder(unit, node(info))));
    ScrubProto.Builder check = ScrubCommand.of(new GroupId(group.getBlock().getBlockPoolId(),
        group.getBlock().getBlockId(), group.getBlock().getGenerationStamp()),
        group.getBlockSize())
        .setCodec(policy.getCodecName()).setDataUnits(policy.getNumDataUnits())
        .setParityUnits(policy.getNumParityUnits()).setCellBytes(policy.getCellSize())
        .setBytesPerS(FAST).setDeadlineMs(TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
    change.accept(check);
    return new ScrubCommand("check-" + SERIAL.incrementAndGet(), 1, check, holders);
  }

  private static ScrubCommand command(LocatedStripedBlock group, ErasureCodingPolicy policy) {
    return command(group, policy, check -> { });
  }

  private static ScrubCommand command(Path file, Consumer<ScrubProto.Builder> change)
      throws IOException {
    return command(cluster.groups(file).get(0), cluster.fs.getErasureCodingPolicy(file), change);
  }

  private static ScrubCommand command(Path file) throws IOException {
    return command(file, check -> { });
  }

  private static NodeRef node(DatanodeInfo info) {
    return new NodeRef(info.getDatanodeUuid(), info.getIpAddr(), info.getHostName(),
        info.getXferPort(), SERVICES.get(cluster.datanode(info)).port(), "/default-rack");
  }

  private static CompletableFuture<RepairResult> begin(CommandExecutor<ScrubCommand> executor,
      ScrubCommand command) {
    CompletableFuture<RepairResult> result = new CompletableFuture<>();
    executor.start(command, ended ->
        assertTrue(result.complete(ended), "the result comes once"));
    return result;
  }

  private static RepairResult end(CompletableFuture<RepairResult> result) throws Exception {
    RepairResult ended = result.get(WAIT_SECONDS, TimeUnit.SECONDS);
    assertEquals(RepairOutcome.FAILED, ended.outcome, "no manager takes it for a repair");
    return ended;
  }

  /** Has the holder of a unit check the group. */
  private static RepairResult check(LocatedStripedBlock group, int leader, ScrubCommand command)
      throws Exception {
    RepairService service =
        SERVICES.get(cluster.datanode(RepairCluster.holders(group).get(leader)));
    RepairResult result = end(begin(service.commandedChecks(), command));
    assertEquals(command.id(), result.repairId);
    assertEquals(1, result.term);
    return result;
  }

  /** Makes a scrubber of a DataNode with other repairs and memory than its service has. */
  private static ScrubExecutor scrubber(DatanodeInfo info, AtomicBoolean hasRepairs,
      BufferSource memory) {
    DataNode datanode = cluster.datanode(info);
    int port = SERVICES.get(datanode).port();
    return new ScrubExecutor(datanode, DataNodeHost.leading(datanode, port, new RepairTraffic()),
        new GroupReadings.Parts(new DataNodeConnector(datanode, 5_000), Kernels.select("java"),
            memory, memory, 10_000, System::nanoTime), node -> node, hasRepairs::get,
        SliceGeometry.SLICE_BYTES, System::nanoTime);
  }

  private static void assertNotChecked(String text, RepairResult result) {
    assertEquals(ScrubOutcome.NOT_CHECKED, result.scrub.outcome, result.toString());
    assertTrue(result.message.contains(text), result.message);
  }

  /** One flipped byte, whose checksum is right, in each unit in turn: that unit is named. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "lrc-l2-6-4", "hitchhiker-xor-6-3", "rotated-rs-r4-6-3",
    "less-a3-6-3"})
  void theWrongUnitIsNamed(String spec) throws Exception {
    Path files = directory(spec, "/wrong-" + spec);
    int k = 6;
    for (int unit = 0; unit < k + (spec.startsWith("lrc") ? 4 : 3); unit++) {
      Path file = new Path(files, "f" + unit);
      // The last stripe is short.
      LocatedStripedBlock group = write(file, 3 * k * CELL + 7 * unit + 1234);
      int leader = (unit + 5) % group.getLocations().length;
      ScrubCommand command = command(file);
      RepairResult whole = check(group, leader, command);
      assertEquals(ScrubOutcome.AGREES, whole.scrub.outcome, whole.toString());
      assertEquals("", whole.message);
      assertEquals(command.unitBytes(), whole.scrub.unitBytes);
      cluster.spoil(group, unit, unit % 3 == 0 ? 2 * CELL + 5 * unit : CELL / 2 + unit, true);
      RepairResult result = check(group, leader, command(file));
      assertEquals(ScrubOutcome.CONTRADICTION, result.scrub.outcome, result.toString());
      assertEquals(unit, result.scrub.wrongUnit, result.toString());
      assertEquals(Collections.singletonList(
          RepairCluster.holders(group).get(unit).getDatanodeUuid()), result.scrub.suspects);
    }
  }

  @Test
  void oneParityDetectsWithoutNaming() throws Exception {
    Path file = new Path(directory("xor-2-1", "/xor"), "f");
    LocatedStripedBlock group = write(file, 5 * CELL + 99);
    cluster.spoil(group, 1, CELL + 3, true);
    RepairResult result = check(group, 0, command(file));
    assertEquals(ScrubOutcome.CONTRADICTION, result.scrub.outcome, result.toString());
    assertEquals(ScrubFinding.NO_UNIT, result.scrub.wrongUnit);
    assertEquals(3, result.scrub.suspects.size());
  }

  @Test
  void aWrongChecksumIsUnreadableAndNoContradiction() throws Exception {
    Path file = new Path(directory("rs-6-3", "/checksum"), "f");
    LocatedStripedBlock group = write(file, 20 * CELL);
    ScrubCommand command = command(file);
    cluster.spoil(group, 4, 17, false);
    RepairResult result = check(group, 0, command);
    assertEquals(ScrubOutcome.UNREADABLE, result.scrub.outcome, result.toString());
    assertEquals(Collections.singletonList(
        RepairCluster.holders(group).get(4).getDatanodeUuid()), result.scrub.suspects);
    assertTrue(result.message.contains("unit 4"), result.message);
  }

  /** What the command says is not what is there any more: nothing is accused. */
  @Test
  void aGroupThatHasChangedIsNotChecked() throws Exception {
    Path file = new Path(directory("rs-6-3", "/changed"), "f");
    LocatedStripedBlock group = write(file, 20 * CELL);
    ErasureCodingPolicy policy = cluster.fs.getErasureCodingPolicy(file);
    assertNotChecked("has changed", check(group, 0,
        command(group, policy, check -> check.setGenerationStamp(
            check.getGenerationStamp() + 1))));
    for (int change : new int[] {-9 * CELL, 9 * CELL}) {
      assertNotChecked("has changed", check(group, 0,
          command(group, policy, check -> check.setGroupBytes(
              check.getGroupBytes() + change))));
    }
    ScrubCommand command = command(file);
    RepairCluster.drop(cluster.datanode(RepairCluster.holders(group).get(5)),
        RepairCluster.internalBlock(group, 5));
    RepairResult remote = check(group, 0, command);
    assertNotChecked("NO_SUCH_BLOCK", remote);
    assertEquals(Collections.emptyList(), remote.scrub.suspects);
    assertNotChecked("not on this DataNode any more", check(group, 5,
        command(group, policy)));
  }

  @Test
  void aCheckKeepsToItsRateAndEndsWhenCancelled() throws Exception {
    Path file = new Path(directory("rs-3-2", "/rate"), "f");
    LocatedStripedBlock group = write(file, 3 * MIB / 2);
    long begin = System.nanoTime();
    RepairResult result = check(group, 1, command(file, check -> check.setBytesPerS(MIB / 4)));
    assertEquals(ScrubOutcome.AGREES, result.scrub.outcome, result.toString());
    long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertTrue(ms >= 2_000, "half a MiB of each unit was read within " + ms + " ms");
    assertTrue(result.elapsedMs >= 2_000, result.elapsedMs + " ms are said");

    CommandExecutor<ScrubCommand> executor = SERVICES.get(cluster.datanode(
        RepairCluster.holders(group).get(1))).commandedChecks();
    ScrubCommand slow = command(file, check -> check.setBytesPerS(
        ScrubCommand.BYTES_PER_SECOND_MIN));
    CompletableFuture<RepairResult> running = begin(executor, slow);
    assertNull(executor.running(slow), "heartbeats list repairs only");
    executor.cancel(command(file), "another one");
    executor.cancel(slow, "the test wants it");
    RepairResult cancelled = end(running);
    assertNotChecked("cancelled: the test wants it", cancelled);
    assertEquals(Collections.emptyList(), cancelled.scrub.suspects);
    assertTrue(cancelled.elapsedMs < 7_000, "all would take 8 s");
    assertEquals(ScrubOutcome.AGREES, check(group, 1, command(file)).scrub.outcome,
        "the node is free again");
  }

  /** No node reads faster than the rate, even if the buffers of the links could hold more. */
  @Test
  void everyNodeKeepsToTheRate() throws Exception {
    Path file = new Path(directory("rs-6-3", "/ahead"), "f");
    LocatedStripedBlock group = write(file, 6 * 4 * MIB);
    Map<DataNode, Long> before = new LinkedHashMap<>();
    SERVICES.forEach((datanode, service) -> before.put(datanode, service.traffic().bytesRead()));
    CommandExecutor<ScrubCommand> executor = SERVICES.get(cluster.datanode(
        RepairCluster.holders(group).get(2))).commandedChecks();
    ScrubCommand command = command(file, check -> check.setBytesPerS(MIB / 2));
    long begin = System.nanoTime();
    CompletableFuture<RepairResult> running = begin(executor, command);
    try {
      RepairCluster.await("a MiB of each unit is read", () -> {
        int done = 0;
        for (UnitHolder holder : command.holders) {
          DataNode datanode = cluster.mini().getDataNodes().stream()
              .filter(each -> each.getDatanodeUuid().equals(holder.node.uuid))
              .findFirst().get();
          long read = SERVICES.get(datanode).traffic().bytesRead() - before.get(datanode);
          double seconds = (System.nanoTime() - begin) / 1e9;
          // A few slices of 64 KiB are on their way through the node's own buffers.
          assertTrue(read <= seconds * MIB / 2 + (384 << 10), datanode + " has read " + read
              + " bytes in " + seconds + " s");
          done += read >= MIB ? 1 : 0;
        }
        return done == command.holders.size();
      });
    } finally {
      executor.cancel(command, "it is enough");
      assertNotChecked("it is enough", end(running));
    }
  }

  /** The reading of single units would take longer than the check may. */
  @Test
  void theDeadlineEndsACheckAndAccusesNothing() throws Exception {
    Path file = new Path(directory("rs-3-2", "/deadline"), "f");
    LocatedStripedBlock group = write(file, 3 * MIB / 8);
    cluster.spoil(group, 2, 70_000, true);
    assertNotChecked("not done within 1500 ms", check(group, 0,
        command(file, check -> check.setBytesPerS(MIB / 8).setDeadlineMs(1_500))));
    assertNotChecked("its units of 131072 bytes take 1000 ms", check(group, 0,
        command(file, check -> check.setBytesPerS(MIB / 8).setDeadlineMs(999))));
    assertEquals(2, check(group, 0, command(file)).scrub.wrongUnit);
  }

  @Test
  void repairsGoFirst() throws Exception {
    Path file = new Path(directory("rs-3-2", "/first"), "f");
    LocatedStripedBlock group = write(file, 3 * MIB / 2);
    AtomicBoolean hasRepairs = new AtomicBoolean(true);
    try (ScrubExecutor scrubber = scrubber(RepairCluster.holders(group).get(0), hasRepairs,
        new FreshBuffers())) {
      RepairResult refused = end(begin(scrubber, command(file)));
      assertNotChecked("repairs on this node go first", refused);
      assertEquals(FailureCause.OVERLOADED, refused.cause, "the manager asks again");
      hasRepairs.set(false);
      CompletableFuture<RepairResult> running = begin(scrubber,
          command(file, check -> check.setBytesPerS(ScrubCommand.BYTES_PER_SECOND_MIN)));
      hasRepairs.set(true);
      RepairResult result = end(running);
      // The check may have begun to read by then, or not.
      assertNotChecked("first", result);
      assertEquals(FailureCause.OVERLOADED, result.cause);
      assertTrue(result.elapsedMs < 7_000, "all would take 8 s");
    }
  }

  /** They run one after the other, and each has its own end. */
  @Test
  void checksWaitForTheirTurn() throws Exception {
    Path file = new Path(directory("rs-3-2", "/turns"), "f");
    LocatedStripedBlock group = write(file, 3 * MIB / 2);
    AtomicBoolean hasRepairs = new AtomicBoolean();
    try (ScrubExecutor scrubber = scrubber(RepairCluster.holders(group).get(0), hasRepairs,
        new FreshBuffers())) {
      ScrubCommand slow =
          command(file, check -> check.setBytesPerS(ScrubCommand.BYTES_PER_SECOND_MIN));
      CompletableFuture<RepairResult> running = begin(scrubber, slow);
      List<ScrubCommand> commands = new ArrayList<>();
      List<CompletableFuture<RepairResult>> waiting = new ArrayList<>();
      for (int i = 1; i < ScrubCommand.AT_A_TIME; i++) {
        commands.add(command(file));
        waiting.add(begin(scrubber, commands.get(i - 1)));
      }
      RepairResult refused = end(begin(scrubber, command(file)));
      assertNotChecked("16 checks are under way here already", refused);
      assertEquals(FailureCause.OVERLOADED, refused.cause);
      scrubber.cancel(commands.get(3), "as the test says");
      assertFalse(running.isDone());
      scrubber.cancel(slow, "as the test says");
      assertNotChecked("cancelled", end(running));
      for (int i = 0; i < waiting.size(); i++) {
        assertEquals(i == 3 ? ScrubOutcome.NOT_CHECKED : ScrubOutcome.AGREES,
            end(waiting.get(i)).scrub.outcome);
      }
      assertEquals(ScrubOutcome.AGREES,
          end(begin(scrubber, command(file))).scrub.outcome, "all places are free");
    }
  }

  /** A check that has not begun says nothing about its group, and its place is free at once. */
  @Test
  void aCheckWhoseTurnDoesNotComeIsPutOff() throws Exception {
    Path file = new Path(directory("rs-3-2", "/late"), "f");
    // Half a minute at the least rate.
    LocatedStripedBlock group = write(file, 6 * MIB);
    try (ScrubExecutor scrubber = scrubber(RepairCluster.holders(group).get(0), new AtomicBoolean(),
        new FreshBuffers())) {
      ScrubCommand slow =
          command(file, check -> check.setBytesPerS(ScrubCommand.BYTES_PER_SECOND_MIN));
      CompletableFuture<RepairResult> running = begin(scrubber, slow);
      ScrubCommand waits = command(file);
      CompletableFuture<RepairResult> cancelled = begin(scrubber, waits);
      List<CompletableFuture<RepairResult>> late = new ArrayList<>();
      for (int i = 2; i < ScrubCommand.AT_A_TIME; i++) {
        late.add(begin(scrubber, command(file, check -> check.setDeadlineMs(1_000))));
      }
      for (CompletableFuture<RepairResult> one : late) {
        RepairResult result = end(one);
        assertNotChecked("not done within 1000 ms, other checks", result);
        assertEquals(FailureCause.OVERLOADED, result.cause, "the manager asks again");
      }
      scrubber.cancel(waits, "as the test says");
      RepairResult gone = end(cancelled);
      assertNotChecked("cancelled: as the test says", gone);
      assertNull(gone.cause);
      assertFalse(running.isDone());
      CompletableFuture<RepairResult> last = null;
      for (int i = 1; i < ScrubCommand.AT_A_TIME; i++) {
        last = begin(scrubber, command(file));
        assertFalse(last.isDone(), "there is a place");
      }
      scrubber.cancel(slow, "as the test says");
      assertNotChecked("cancelled", end(running));
      assertEquals(ScrubOutcome.AGREES, end(last).scrub.outcome);
    }
  }

  @Test
  void withoutMemoryACheckGivesUp() throws Exception {
    Path file = new Path(directory("rs-3-2", "/memory"), "f");
    LocatedStripedBlock group = write(file, MIB);
    BufferSource none = new BufferSource() {
      @Override
      public Lease lease(int... pieces) {
        return null;
      }

      @Override
      public String refusal(int... pieces) {
        return null;
      }
    };
    try (ScrubExecutor scrubber = scrubber(RepairCluster.holders(group).get(0), new AtomicBoolean(),
        none)) {
      RepairResult result = end(begin(scrubber, command(file)));
      assertNotChecked("no buffers", result);
      assertEquals(Collections.emptyList(), result.scrub.suspects);
    }
  }

  @Test
  void closingEndsTheCheck() throws Exception {
    Path file = new Path(directory("rs-3-2", "/closing"), "f");
    LocatedStripedBlock group = write(file, 3 * MIB / 2);
    ScrubExecutor scrubber = scrubber(RepairCluster.holders(group).get(0), new AtomicBoolean(),
        new FreshBuffers());
    CompletableFuture<RepairResult> running = begin(scrubber,
        command(file, check -> check.setBytesPerS(ScrubCommand.BYTES_PER_SECOND_MIN)));
    scrubber.close();
    assertTrue(scrubber.awaitEnd(TimeUnit.SECONDS.toMillis(WAIT_SECONDS)));
    assertNotChecked("the DataNode stops", end(running));
    assertNotChecked("the DataNode stops", end(begin(scrubber, command(file))));
  }

  /** Files come, grow and go, and no group is accused. */
  @Test
  void noHealthyGroupIsAccusedWhileFilesChange() throws Exception {
    Path files = directory("rs-3-2", "/changing");
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> change(files, stop));
    int agree = 0;
    try {
      for (int round = 0; agree < 150; round++) {
        for (FileStatus file : cluster.fs.listStatus(files)) {
          LocatedBlocks blocks = closed(file.getPath());
          ErasureCodingPolicy policy = blocks == null ? null : blocks.getErasureCodingPolicy();
          for (LocatedBlock block : policy == null ? Collections.<LocatedBlock>emptyList()
              : blocks.getLocatedBlocks()) {
            LocatedStripedBlock group = (LocatedStripedBlock) block;
            if (group.getLocations().length == units(group, policy)) {
              agree += isWhole(group, policy, round) ? 1 : 0;
            }
          }
        }
        assertTrue(!writer.isCompletedExceptionally(), "the writer goes on");
      }
    } finally {
      stop.set(true);
      writer.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static boolean isWhole(LocatedStripedBlock group, ErasureCodingPolicy policy, int round)
      throws Exception {
    int leader = group.getBlockIndices()[round % group.getBlockIndices().length];
    RepairResult result = check(group, leader, command(group, policy));
    assertNotEquals(ScrubOutcome.CONTRADICTION, result.scrub.outcome, result.toString());
    return result.scrub.outcome == ScrubOutcome.AGREES;
  }

  /** Returns the blocks of a file that is there and closed, or null. */
  private static LocatedBlocks closed(Path file) throws IOException {
    try {
      LocatedBlocks blocks = cluster.fs.getClient().getLocatedBlocks(file.toUri().getPath(), 0,
          Long.MAX_VALUE);
      return blocks.isUnderConstruction() ? null : blocks;
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  private static void change(Path files, AtomicBoolean stop) {
    long seed = 20261123;
    Random random = new Random(seed);
    try {
      while (!stop.get()) {
        Path path = new Path(files, "f" + random.nextInt(6));
        int choice = random.nextInt(4);
        byte[] data = new byte[1 + random.nextInt(9 * CELL)];
        random.nextBytes(data);
        if (choice == 0) {
          cluster.fs.delete(path, false);
        } else if (choice == 1 && cluster.fs.exists(path)) {
          try (OutputStream out = cluster.fs.append(path,
              EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
            out.write(data);
          }
        } else {
          try (OutputStream out = cluster.fs.create(path, true)) {
            out.write(data);
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("The writer with the seed " + seed + " has failed", e);
    }
  }
}
