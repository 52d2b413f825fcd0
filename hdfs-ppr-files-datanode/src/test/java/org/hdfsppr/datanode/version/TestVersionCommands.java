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
package org.hdfsppr.datanode.version;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.LinkFiles;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.LinkStep;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinksAccess;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.test.MetricsAsserts;
import org.apache.hadoop.util.ToolRunner;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.datanode.command.JobPool;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.repair.RepairService;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.datanode.version.VersionParts.VersionExecutor;
import org.hdfsppr.datanode.watch.OldReadWatch;
import org.hdfsppr.digest.DigestKey;
import org.hdfsppr.digest.LinearDigest;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.stream.FreshBuffers;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RequestBounds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clones files by links and makings on a cluster whose NameNode starts no repairs. */
@Timeout(300)
@InterfaceAudience.Private
class TestVersionCommands {
  private static final int CELL = 16 << 10;
  private static final int K = 3;
  private static final int M = 2;
  private static final int NODES = 7;
  private static final int WAIT_SECONDS = 120;

  @TempDir
  static File directory;
  private static final Map<String, RepairService> SERVICES = new LinkedHashMap<>();
  private static final AtomicInteger SERIAL = new AtomicInteger();
  private static RepairCluster cluster;
  private static Path files;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.unset("dfs.datanode.plugins");
    cluster = RepairCluster.start(conf, NODES);
    for (DataNode datanode : cluster.mini().getDataNodes()) {
      SERVICES.put(datanode.getDatanodeUuid(), RepairService.start(datanode));
    }
    files = cluster.directory("/files", cluster.fs.addErasureCodingPolicies(
        new ErasureCodingPolicy[] {new ErasureCodingPolicy(new ECSchema("rs", K, M), CELL)})[0]
        .getPolicy().getName());
  }

  @AfterAll
  static void stop() {
    SERVICES.values().forEach(RepairService::stop);
    cluster.close();
  }

  /** Writes a file whose last group ends with a short cell, and begins a clone of it. */
  private static ClonedFile clone(String name, int bytes) throws IOException {
    return clone(name, bytes, 8 * CELL);
  }

  private static ClonedFile clone(String name, int bytes, int blockBytes) throws IOException {
    Path file = new Path(files, name);
    cluster.write(file, bytes, blockBytes, bytes);
    RepairCluster.await("all units of " + file + " are there", () -> {
      try {
        return cluster.groups(file).stream().allMatch(group ->
            group.getLocations().length == K + M);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    return new ClonedFile(cluster, file, new Path("/clone-of-" + name));
  }

  private static ClonedFile oneGroup(String name) throws IOException {
    ClonedFile clone = clone(name, 8 * CELL + 100);
    clone.addGroup();
    return clone;
  }

  private static DataNode datanode(ClonedFile clone, int group, int unit) {
    return cluster.datanode(clone.holders(group).get(unit));
  }

  private static RepairService service(DataNode datanode) {
    return SERVICES.get(datanode.getDatanodeUuid());
  }

  private static VersionParts parts(DataNode datanode) {
    return ((FilesDataNodeExtension.FilesParts) service(datanode).parts).versions
        .orElseThrow(AssertionError::new);
  }

  private static NodeRef node(DatanodeInfo info) {
    return new NodeRef(info.getDatanodeUuid(), info.getIpAddr(), info.getHostName(),
        info.getXferPort(), SERVICES.get(info.getDatanodeUuid()).port(), "/default-rack");
  }

  private static String id() {
    return "version-1-" + SERIAL.incrementAndGet();
  }

  private static LinkCommand links(LinkCommand.Link... links) {
    return new LinkCommand(id(), 1, List.of(links), TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
  }

  private static <C extends ManagerCommand> CompletableFuture<RepairResult> begin(
      CommandExecutor<C> executor, C command) {
    CompletableFuture<RepairResult> result = new CompletableFuture<>();
    executor.start(command, ended -> {
      assertTrue(result.complete(ended), "the result comes once");
    });
    return result;
  }

  private static RepairResult end(CompletableFuture<RepairResult> result) throws Exception {
    RepairResult ended = result.get(WAIT_SECONDS, TimeUnit.SECONDS);
    assertNotNull(ended.version, ended.toString());
    return ended;
  }

  private static RepairResult link(ClonedFile clone, int group, int unit) throws Exception {
    return end(begin(parts(datanode(clone, group, unit)).linker,
        links(clone.link(group, unit))));
  }

  /** Makes the command for parity units over the old data units and other old parity units. */
  private static MakeCommand making(ClonedFile clone, int group, long bytesPerSecond,
      long deadlineMs, List<Integer> made, List<DatanodeInfo> nodes) {
    List<BlockRef> blocks = new ArrayList<>();
    List<UnitHolder> live = new ArrayList<>();
    List<CommandTarget> targets = new ArrayList<>();
    for (int unit = 0; unit < K + M; unit++) {
      int place = made.indexOf(unit);
      blocks.add(place < 0 ? clone.oldBlock(group, unit) : clone.newBlock(group, unit));
      if (place < 0) {
        live.add(new UnitHolder(unit, node(clone.holders(group).get(unit))));
      }
    }
    for (int i = 0; i < made.size(); i++) {
      targets.add(new CommandTarget(made.get(i), node(nodes.get(i)), "", StorageType.DISK));
    }
    return new MakeCommand(new RepairCommand(RepairCommand.of(id(), 1, clone.group(group),
        clone.bytes(group)).setCodec("rs").setDataUnits(K).setParityUnits(M).setCellBytes(CELL)
        .setTopology("chain").setDeadlineMs(deadlineMs), blocks, live, targets), bytesPerSecond);
  }

  private static MakeCommand making(ClonedFile clone, int group, int parity, long bytesPerSecond) {
    return making(clone, group, bytesPerSecond, TimeUnit.SECONDS.toMillis(WAIT_SECONDS),
        List.of(parity), List.of(clone.holders(group).get(parity)));
  }

  private static BlockLocalPathInfo paths(DataNode datanode, BlockRef block) throws IOException {
    return datanode.getFSDataset().getBlockLocalPathInfo(block.toExtendedBlock());
  }

  private static byte[] bytes(DataNode datanode, BlockRef block) throws IOException {
    return Files.readAllBytes(Paths.get(paths(datanode, block).getBlockPath()));
  }

  private static byte[] sums(DataNode datanode, BlockRef block) throws IOException {
    return Files.readAllBytes(Paths.get(paths(datanode, block).getMetaPath()));
  }

  private static Object inode(String path) throws IOException {
    return Files.getAttribute(Paths.get(path), "unix:ino");
  }

  private static boolean sharesFiles(DataNode datanode, BlockRef one, BlockRef other)
      throws IOException {
    return inode(paths(datanode, one).getBlockPath())
        .equals(inode(paths(datanode, other).getBlockPath()))
        && inode(paths(datanode, one).getMetaPath())
            .equals(inode(paths(datanode, other).getMetaPath()));
  }

  /** Returns the files of a block in the whole data directory of a DataNode. */
  private static List<String> filesOf(DataNode datanode, BlockRef block) throws IOException {
    List<String> found = new ArrayList<>();
    try (FsDatasetSpi.FsVolumeReferences volumes =
        datanode.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        try (Stream<java.nio.file.Path> all = Files.walk(Paths.get(volume.getBaseURI()))) {
          all.filter(file -> file.getFileName().toString().startsWith("blk_" + block.blockId))
              .forEach(file -> found.add(file.toString()));
        }
      }
    }
    return found;
  }

  private static void assertNothingLeft(DataNode datanode, BlockRef block) throws IOException {
    assertNull(replica(datanode, block), "no replica of " + block);
    assertEquals(Collections.emptyList(), filesOf(datanode, block));
  }

  @SuppressWarnings("deprecation")
  private static Object replica(DataNode datanode, BlockRef block) {
    return datanode.getFSDataset().getReplica(block.poolId, block.blockId);
  }

  private static void assertFailed(FailureCause cause, String text, RepairResult result) {
    assertEquals(RepairOutcome.FAILED, result.outcome, result.toString());
    assertEquals(cause, result.cause, result.toString());
    assertTrue(result.message.contains(text), result.message);
  }

  private static String fsck(Path path) throws Exception {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8)) {
      ToolRunner.run(new DFSck(cluster.fs.getConf(), out), new String[] {path.toString()});
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  private static void awaitUnits(Path path) {
    cluster.awaitUnits(path, K + M);
  }

  /** Makes all units of all groups: data by links, parity by makings. */
  private static long cloneAll(ClonedFile clone) throws Exception {
    long received = 0;
    for (int group = 0; group < clone.from.size(); group++) {
      clone.addGroup();
      for (int unit = 0; unit < K; unit++) {
        RepairResult linked = link(clone, group, unit);
        assertEquals(RepairOutcome.REBUILT, linked.outcome, linked.toString());
        assertEquals(List.of(0), linked.rebuiltUnits);
        assertEquals(clone.oldBlock(group, unit).length, linked.version.linkedBytes);
        assertEquals(0, linked.version.copiedBytes);
        assertEquals("", linked.message);
      }
    }
    for (int group = 0; group < clone.from.size(); group++) {
      for (int unit = K; unit < K + M; unit++) {
        MakeCommand command = making(clone, group, unit, MakeCommand.UNLIMITED);
        RepairResult made =
            end(begin(parts(datanode(clone, group, unit)).maker, command));
        assertEquals(RepairOutcome.REBUILT, made.outcome, made.toString());
        assertEquals(List.of(unit), made.rebuiltUnits);
        assertEquals(clone.newBlock(group, unit).length, made.version.madeBytes);
        received += made.version.receivedBytes;
      }
    }
    RepairCluster.await("the clone is complete", clone::complete);
    awaitUnits(clone.path);
    return received;
  }

  private static void assertSameUnits(ClonedFile clone) throws IOException {
    for (int group = 0; group < clone.from.size(); group++) {
      for (int unit = 0; unit < K + M; unit++) {
        DataNode datanode = datanode(clone, group, unit);
        BlockRef old = clone.oldBlock(group, unit);
        BlockRef made = clone.newBlock(group, unit);
        assertArrayEquals(bytes(datanode, old), bytes(datanode, made), "unit " + unit);
        assertArrayEquals(sums(datanode, old), sums(datanode, made), "sums of unit " + unit);
        assertEquals(unit < K, sharesFiles(datanode, old, made), "unit " + unit);
      }
    }
  }

  private static byte[] content(int length) {
    byte[] data = new byte[length];
    new java.util.Random(length).nextBytes(data);
    return data;
  }

  /**
   * The clone has the content and the parity of the file, and keeps them when the file is deleted
   * and all daemons start again.
   */
  @Test
  void aFileIsClonedAndOutlivesItsSource() throws Exception {
    int length = K * 8 * CELL + 5 * CELL + 777;
    ClonedFile clone = clone("whole", length);
    assertEquals(2, clone.from.size());
    assertTrue(cloneAll(clone) > 0);
    assertSameUnits(clone);
    assertTrue(cluster.hasContent(clone.path, content(length)));
    assertTrue(fsck(clone.path).contains("is HEALTHY"), fsck(clone.path));

    DataNode first = datanode(clone, 0, 0);
    BlockRef old = clone.oldBlock(0, 0);
    cluster.fs.delete(clone.source, true);
    RepairCluster.await("the old replicas are gone", () -> {
      try {
        return replica(first, old) == null && filesOf(first, old).isEmpty();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    assertTrue(cluster.hasContent(clone.path, content(length)));
    for (int i = 0; i < NODES; i++) {
      restart(cluster.mini().getDataNodes().get(0));
    }
    cluster.mini().restartNameNode(true);
    awaitUnits(clone.path);
    assertTrue(cluster.hasContent(clone.path, content(length)));
    assertTrue(fsck(clone.path).contains("is HEALTHY"), fsck(clone.path));
  }

  /** Stops a DataNode and its service, and starts both again. */
  private static DataNode restart(DataNode datanode) throws IOException {
    String uuid = datanode.getDatanodeUuid();
    int index = cluster.mini().getDataNodes().indexOf(datanode);
    SERVICES.get(uuid).stop();
    MiniDFSCluster.DataNodeProperties properties = cluster.mini().stopDataNode(index);
    cluster.mini().restartDataNode(properties, true);
    cluster.mini().waitActive();
    for (DataNode started : cluster.mini().getDataNodes()) {
      if (started.getDatanodeUuid().equals(uuid)) {
        SERVICES.put(uuid, RepairService.start(started));
        return started;
      }
    }
    throw new AssertionError(uuid + " has not started");
  }

  @Test
  void aLinkTakesNoSpaceAndARepetitionDoesNothing() throws Exception {
    ClonedFile clone = oneGroup("twice");
    DataNode datanode = datanode(clone, 0, 1);
    FsVolumeSpi volume = datanode.getFSDataset().getVolume(
        clone.oldBlock(0, 1).toExtendedBlock());
    FsVolumeImpl used = (FsVolumeImpl) volume;
    long before = used.getDfsUsed();
    assertEquals(RepairOutcome.REBUILT, link(clone, 0, 1).outcome);
    assertEquals(before, used.getDfsUsed(), "a link takes no space");
    assertEquals(0, used.getReservedForReplicas());
    long counted = cluster.mini().getDataNodes().size();
    RepairResult again = link(clone, 0, 1);
    assertEquals(RepairOutcome.REBUILT, again.outcome, again.toString());
    assertEquals(List.of(0), again.rebuiltUnits);
    assertEquals(0, again.version.linkedBytes);
    assertEquals(NODES, counted);

    MakeCommand making = making(clone, 0, K, MakeCommand.UNLIMITED);
    VersionExecutor<MakeCommand> maker = parts(datanode(clone, 0, K)).maker;
    assertEquals(RepairOutcome.REBUILT, end(begin(maker, making)).outcome);
    RepairResult madeAgain = end(begin(maker, making(clone, 0, K, MakeCommand.UNLIMITED)));
    assertEquals(RepairOutcome.REBUILT, madeAgain.outcome, madeAgain.toString());
    assertEquals(List.of(K), madeAgain.rebuiltUnits);
    assertEquals(0, madeAgain.version.madeBytes);
    assertNull(maker.running(making), "heartbeats list repairs only");
  }

  @Test
  void whatIsNotAsTheCommandSaysIsNotLinked() throws Exception {
    ClonedFile clone = oneGroup("other");
    DataNode datanode = datanode(clone, 0, 0);
    BlockRef old = clone.oldBlock(0, 0);
    BlockRef made = clone.newBlock(0, 0);
    VersionExecutor<LinkCommand> linker = parts(datanode).linker;
    for (int change = 0; change < 3; change++) {
      long length = old.length - (change == 0 ? 1 : 0);
      BlockRef wrong = new BlockRef(old.poolId, old.blockId + (change == 1 ? 1 << 20 : 0),
          old.generationStamp + (change == 2 ? 1 : 0), length);
      BlockRef to = new BlockRef(made.poolId, made.blockId, made.generationStamp, length);
      RepairResult result = end(begin(linker, links(new LinkCommand.Link(wrong, to))));
      assertFailed(FailureCause.NO_SUCH_BLOCK, "replica of", result);
      assertEquals(Collections.emptyList(), result.rebuiltUnits);
      assertNothingLeft(datanode, made);
    }
    // A replica of the new block with another length stays, and is not taken for the right one.
    assertEquals(RepairOutcome.REBUILT, link(clone, 0, 0).outcome);
    BlockRef shorter =
        new BlockRef(made.poolId, made.blockId, made.generationStamp, made.length - 1);
    BlockRef shortOld =
        new BlockRef(old.poolId, old.blockId, old.generationStamp, old.length - 1);
    assertFailed(FailureCause.WRITE, "is here already",
        end(begin(linker, links(new LinkCommand.Link(shortOld, shorter)))));
    assertTrue(datanode.getFSDataset().isValidBlock(made.toExtendedBlock()));
  }

  /** One link of a command fails: the others are made, and the result says which. */
  @Test
  void theResultNamesTheLinksThatWereMade() throws Exception {
    ClonedFile clone = oneGroup("some");
    ClonedFile other = oneGroup("some-other");
    DataNode datanode = datanode(clone, 0, 2);
    BlockRef missing = new BlockRef(clone.oldBlock(0, 2).poolId, -7L << 40, 1,
        other.newBlock(0, 0).length);
    RepairResult result = end(begin(parts(datanode).linker, links(
        new LinkCommand.Link(missing, other.newBlock(0, 0)), clone.link(0, 2))));
    assertFailed(FailureCause.NO_SUCH_BLOCK, "there is no replica", result);
    assertEquals(List.of(1), result.rebuiltUnits);
    assertEquals(clone.oldBlock(0, 2).length, result.version.linkedBytes);
  }

  /** Stops a link at a step until it is released. */
  private static final class Halt implements LinkFiles {
    private final LinkStep where;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    Halt(LinkStep where) {
      this.where = where;
    }

    @Override
    public void link(java.nio.file.Path link, java.nio.file.Path existing) throws IOException {
      LinkFiles.OF_SYSTEM.link(link, existing);
    }

    @Override
    public void done(LinkStep step) throws IOException {
      if (step != where) {
        return;
      }
      reached.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    void awaitReached() throws InterruptedException {
      assertTrue(reached.await(WAIT_SECONDS, TimeUnit.SECONDS), "step " + where);
    }
  }

  /** For commands that ask for no digests. */
  private static final MakingRuns NO_RUNS = new MakingRuns() {
    @Override
    public Making prepare(MakeCommand command, Consumer<RepairResult> whenEnded) {
      throw new AssertionError("nothing is made");
    }

    @Override
    public int digest(BlockRef block, DigestKey key, LinearDigest.Watch watch) {
      throw new AssertionError("no command asks for it");
    }
  };

  private static DigestThrottle brakes(BooleanSupplier hasRepairs) {
    return new DigestThrottle(bytes -> { }, hasRepairs, System::nanoTime);
  }

  private static VersionReplicas replicas(DataNode datanode, LinkFiles linkFiles,
      ReplicaSyncs.Disk disk, BooleanSupplier hasRepairs) throws IOException {
    return new VersionReplicas(datanode,
        DataNodeHost.leading(datanode, service(datanode).port(), new RepairTraffic()),
        ReplicaLinksAccess.of(datanode, linkFiles), service(datanode).metrics,
        new ReplicaSyncs(datanode, disk), brakes(hasRepairs), System::nanoTime);
  }

  private static VersionExecutor<LinkCommand> linker(DataNode datanode, LinkFiles linkFiles)
      throws IOException {
    return linker(datanode, linkFiles, NO_RUNS);
  }

  private static VersionExecutor<LinkCommand> linker(DataNode datanode, LinkFiles linkFiles,
      MakingRuns runs) throws IOException {
    return linker(datanode, linkFiles, runs, () -> false);
  }

  private static VersionExecutor<LinkCommand> linker(DataNode datanode, LinkFiles linkFiles,
      MakingRuns runs, BooleanSupplier hasRepairs) throws IOException {
    return VersionParts.linker(replicas(datanode, linkFiles, ReplicaSyncs.Disk.OF_SYSTEM,
        hasRepairs), runs, new BlockLineage(), OldReadWatch.of(datanode, System::nanoTime));
  }

  /** Takes notes of what is forced to the disk, and fails where a test wants it. */
  private static final class NotedDisk implements ReplicaSyncs.Disk {
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private volatile Predicate<java.nio.file.Path> fails = file -> false;

    @Override
    public void force(java.nio.file.Path file) throws IOException {
      events.add("force " + file);
      if (fails.test(file)) {
        throw new IOException("Input/output error");
      }
      ReplicaSyncs.Disk.OF_SYSTEM.force(file);
    }

    /** Returns what was forced since the last call. */
    List<String> taken() {
      synchronized (events) {
        List<String> copy = new ArrayList<>(events);
        events.clear();
        return copy;
      }
    }

    /** Links as the file system does, and takes notes of the steps. */
    LinkFiles links() {
      return new LinkFiles() {
        @Override
        public void link(java.nio.file.Path link, java.nio.file.Path existing)
            throws IOException {
          LinkFiles.OF_SYSTEM.link(link, existing);
        }

        @Override
        public void done(LinkStep step) {
          events.add(step.toString());
        }
      };
    }
  }

  private static VersionExecutor<LinkCommand> linker(DataNode datanode, LinkFiles linkFiles,
      ReplicaSyncs.Disk disk) throws IOException {
    return VersionParts.linker(replicas(datanode, linkFiles, disk, () -> false), NO_RUNS,
        new BlockLineage(), OldReadWatch.of(datanode, System::nanoTime));
  }

  private static java.nio.file.Path directoryOf(DataNode datanode, BlockRef block)
      throws IOException {
    return Paths.get(paths(datanode, block).getBlockPath()).getParent();
  }

  /** Two links of a command: their names are forced between the last link and the first report. */
  @Test
  void linksAreForcedToTheDiskOnceBeforeTheyAreReported() throws Exception {
    ClonedFile clone = clone("forced", 3 * K * 8 * CELL);
    clone.addGroup();
    DataNode datanode = datanode(clone, 0, 0);
    BlockRef old = clone.oldBlock(0, 0);
    BlockRef made = clone.newBlock(0, 0);
    // No file has these blocks, so that the NameNode lets the DataNode delete them later. All lie
    // in one directory of the volume, because their ids differ in the last byte alone.
    BlockRef second = new BlockRef(old.poolId, made.blockId ^ 1L << 41, 7, old.length);
    NotedDisk disk = new NotedDisk();
    try (VersionExecutor<LinkCommand> linker = linker(datanode, disk.links(), disk)) {
      RepairResult result = end(begin(linker, links(clone.link(0, 0),
          new LinkCommand.Link(old, second))));
      assertEquals(List.of(0, 1), result.rebuiltUnits, result.toString());
      assertTrue(result.version.durable, result.toString());
      List<String> events = disk.taken();
      assertEquals(directoryOf(datanode, made), directoryOf(datanode, second));
      List<String> forced = new ArrayList<>();
      java.nio.file.Path top = Paths.get(datanode.getFSDataset().getVolume(
          made.toExtendedBlock()).getBaseURI());
      for (java.nio.file.Path at = directoryOf(datanode, made); !at.equals(top);
          at = at.getParent()) {
        forced.add("force " + at);
      }
      forced.add("force " + top);
      List<String> wanted = new ArrayList<>();
      for (int link = 0; link < 2; link++) {
        wanted.addAll(List.of("BEGUN", "DATA_LINKED", "META_LINKED", "FINALISED"));
      }
      wanted.addAll(forced);
      wanted.addAll(List.of("DURABLE", "DURABLE"));
      assertEquals(wanted, events);

      // The names of the directories are on the disk, so that the next link costs one sync.
      // Its directory is the same, and no other file gets this id.
      BlockRef third =
          new BlockRef(old.poolId, made.blockId ^ 1L << 40, 7, old.length);
      end(begin(linker, links(new LinkCommand.Link(old, third))));
      assertEquals(List.of("BEGUN", "DATA_LINKED", "META_LINKED", "FINALISED", forced.get(0),
          "DURABLE"), disk.taken());
      // An earlier process may have ended before its syncs.
      RepairResult again = end(begin(linker, links(clone.link(0, 0))));
      assertTrue(again.version.durable, again.toString());
      assertEquals(List.of("force " + paths(datanode, made).getBlockPath(),
          "force " + paths(datanode, made).getMetaPath(), forced.get(0)), disk.taken());
    }
  }

  /** A sync that fails is not tried again, because the kernel may say then that all is well. */
  @Test
  void aLinkWhoseNameIsNotOnTheDiskIsNotKept() throws Exception {
    ClonedFile clone = oneGroup("unforced");
    DataNode datanode = datanode(clone, 0, 0);
    String volume = datanode.getFSDataset().getVolume(
        clone.oldBlock(0, 0).toExtendedBlock()).getBaseURI().getPath();
    NotedDisk disk = new NotedDisk();
    disk.fails = file -> file.endsWith("finalized");
    try (VersionExecutor<LinkCommand> linker = linker(datanode, disk.links(), disk)) {
      RepairResult failed = end(begin(linker, links(clone.link(0, 0))));
      assertFailed(FailureCause.WRITE, "could not be forced", failed);
      assertEquals(List.of(), failed.rebuiltUnits);
      assertFalse(disk.taken().contains("DURABLE"));
      RepairCluster.await("the link is gone", () -> {
        try {
          return replica(datanode, clone.newBlock(0, 0)) == null
              && filesOf(datanode, clone.newBlock(0, 0)).isEmpty();
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
      assertTrue(datanode.getFSDataset().isValidBlock(clone.oldBlock(0, 0).toExtendedBlock()));

      disk.fails = file -> false;
      assertFailed(FailureCause.WRITE, "a sync on " + volume.replaceAll("/$", ""),
          end(begin(linker, links(clone.link(0, 0)))));
      assertEquals(List.of("BEGUN", "DATA_LINKED", "META_LINKED", "FINALISED"), disk.taken(),
          "nothing is forced on that volume any more");
    }
    RepairCluster.await("the second link is gone", () ->
        replica(datanode, clone.newBlock(0, 0)) == null);
    RepairResult afresh = link(clone, 0, 0);
    assertEquals(RepairOutcome.REBUILT, afresh.outcome, afresh.toString());
  }

  @Test
  void aReplicaThatWasThereStaysIfItCannotBeForced() throws Exception {
    ClonedFile clone = oneGroup("there-unforced");
    DataNode datanode = datanode(clone, 0, 0);
    assertEquals(RepairOutcome.REBUILT, link(clone, 0, 0).outcome);
    NotedDisk disk = new NotedDisk();
    disk.fails = file -> true;
    try (VersionExecutor<LinkCommand> linker = linker(datanode, disk.links(), disk)) {
      // A published version may have the replica: its result may have come already.
      assertFailed(FailureCause.WRITE, "could not be forced",
          end(begin(linker, links(clone.link(0, 0)))));
      assertTrue(datanode.getFSDataset().isValidBlock(clone.newBlock(0, 0).toExtendedBlock()));
    }
  }

  @Test
  void aCopyWhoseNameIsNotOnTheDiskIsNotKept() throws Exception {
    ClonedFile clone = oneGroup("copy-unforced");
    DataNode datanode = datanode(clone, 0, 0);
    NotedDisk disk = new NotedDisk();
    disk.fails = file -> true;
    try (VersionExecutor<LinkCommand> linker = linker(datanode, new NoLinks(), disk)) {
      assertFailed(FailureCause.WRITE, "could not be forced",
          end(begin(linker, links(clone.link(0, 0)))));
      RepairCluster.await("the copy is gone", () ->
          replica(datanode, clone.newBlock(0, 0)) == null);
    }
  }

  /** A node vouches for its own disks only. */
  @Test
  void aMakingIsDurableIfThisNodeStoresAllOfIt() throws Exception {
    ClonedFile clone = oneGroup("made-durable");
    DatanodeInfo one = clone.holders(0).get(K);
    VersionExecutor<MakeCommand> maker = parts(cluster.datanode(one)).maker;
    RepairResult own = end(begin(maker, making(clone, 0, K, MakeCommand.UNLIMITED)));
    assertTrue(own.version.durable, own.toString());
    ClonedFile other = oneGroup("made-elsewhere");
    DatanodeInfo leader = other.holders(0).get(K);
    RepairResult both = end(begin(parts(cluster.datanode(leader)).maker, making(other, 0,
        MakeCommand.UNLIMITED, TimeUnit.SECONDS.toMillis(WAIT_SECONDS), List.of(K, K + 1),
        List.of(leader, other.holders(0).get(K + 1)))));
    assertEquals(List.of(K, K + 1), both.rebuiltUnits, both.toString());
    assertFalse(both.version.durable, both.toString());
  }

  /** The DataNode stops after any step. When it is back, there is a whole replica or none. */
  @ParameterizedTest
  @EnumSource(LinkStep.class)
  void aDataNodeThatStopsInTheMiddleLeavesNothingWrong(LinkStep step) throws Exception {
    ClonedFile clone = oneGroup("stop-" + step);
    DataNode datanode = datanode(clone, 0, 0);
    Halt halt = new Halt(step);
    try (VersionExecutor<LinkCommand> linker = linker(datanode, halt)) {
      CompletableFuture<RepairResult> cut = begin(linker, links(clone.link(0, 0)));
      halt.awaitReached();
      DataNode back = restart(datanode);
      boolean isFinalised = step.compareTo(LinkStep.FINALISED) >= 0;
      if (isFinalised) {
        assertTrue(sharesFiles(back, clone.oldBlock(0, 0), clone.newBlock(0, 0)));
      } else {
        assertNothingLeft(back, clone.newBlock(0, 0));
      }
      RepairResult again = link(clone, 0, 0);
      assertEquals(RepairOutcome.REBUILT, again.outcome, again.toString());
      assertEquals(isFinalised ? 0 : clone.oldBlock(0, 0).length,
          again.version.linkedBytes);
      assertArrayEquals(bytes(back, clone.oldBlock(0, 0)), bytes(back, clone.newBlock(0, 0)));
      halt.released.countDown();
      end(cut);
    }
  }

  /** The old replica is deleted, and its files with it, while the link is made. */
  @Test
  void aSourceThatVanishesLeavesNothing() throws Exception {
    ClonedFile clone = oneGroup("vanished");
    for (LinkStep step : new LinkStep[] {LinkStep.BEGUN, LinkStep.DATA_LINKED}) {
      int unit = step.ordinal();
      DataNode datanode = datanode(clone, 0, unit);
      BlockLocalPathInfo old = paths(datanode, clone.oldBlock(0, unit));
      Halt halt = new Halt(step);
      try (VersionExecutor<LinkCommand> linker = linker(datanode, halt)) {
        CompletableFuture<RepairResult> result = begin(linker, links(clone.link(0, unit)));
        halt.awaitReached();
        RepairCluster.drop(datanode, clone.oldBlock(0, unit).toExtendedBlock());
        RepairCluster.await("the old meta file is gone",
            () -> !Files.exists(Paths.get(old.getMetaPath())));
        halt.released.countDown();
        assertFailed(FailureCause.NO_SUCH_BLOCK, "deleted or moved", end(result));
        assertNothingLeft(datanode, clone.newBlock(0, unit));
      }
    }
  }

  /** The NameNode gives the file up while a link is made: the DataNode keeps nothing of it. */
  @Test
  void aTargetThatIsDeletedMeanwhileLeavesNothing() throws Exception {
    ClonedFile clone = oneGroup("unwanted");
    DataNode datanode = datanode(clone, 0, 0);
    ExtendedBlock to = clone.newBlock(0, 0).toExtendedBlock();
    Halt halt = new Halt(LinkStep.BEGUN);
    try (VersionExecutor<LinkCommand> linker = linker(datanode, halt)) {
      CompletableFuture<RepairResult> result = begin(linker, links(clone.link(0, 0)));
      halt.awaitReached();
      datanode.getFSDataset().invalidate(to.getBlockPoolId(),
          new org.apache.hadoop.hdfs.protocol.Block[] {to.getLocalBlock()});
      RepairCluster.await("its files are gone", () -> {
        try {
          return filesOf(datanode, clone.newBlock(0, 0)).isEmpty();
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
      halt.released.countDown();
      assertEquals(RepairOutcome.FAILED, end(result).outcome);
      assertNothingLeft(datanode, clone.newBlock(0, 0));
      assertTrue(datanode.getFSDataset().isValidBlock(clone.oldBlock(0, 0).toExtendedBlock()));
    }
  }

  /** A file system without links. */
  private static final class NoLinks implements LinkFiles {
    @Override
    public void link(java.nio.file.Path link, java.nio.file.Path existing) {
      throw new UnsupportedOperationException("links are forbidden");
    }

    @Override
    public void done(LinkStep step) {
      // Nothing to stop.
    }
  }

  @Test
  void aVolumeWithoutLinksCopies() throws Exception {
    ClonedFile clone = oneGroup("copied");
    DataNode datanode = datanode(clone, 0, 0);
    BlockRef old = clone.oldBlock(0, 0);
    BlockRef made = clone.newBlock(0, 0);
    try (VersionExecutor<LinkCommand> linker = linker(datanode, new NoLinks())) {
      RepairResult result = end(begin(linker, links(clone.link(0, 0))));
      assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
      assertEquals(old.length, result.version.copiedBytes);
      assertEquals(0, result.version.linkedBytes);
      assertArrayEquals(bytes(datanode, old), bytes(datanode, made));
      assertArrayEquals(sums(datanode, old), sums(datanode, made));
      assertFalse(sharesFiles(datanode, old, made));
    }
  }

  @Test
  void aCopyOfACorruptReplicaIsNotKept() throws Exception {
    ClonedFile clone = oneGroup("corrupt");
    DataNode datanode = datanode(clone, 0, 1);
    cluster.spoil(clone.from.get(0), 1, 3, false);
    try (VersionExecutor<LinkCommand> linker = linker(datanode, new NoLinks())) {
      assertFailed(FailureCause.CORRUPT_REPLICA, "", end(begin(linker, links(clone.link(0, 1)))));
      assertNothingLeft(datanode, clone.newBlock(0, 1));
    }
  }

  /** Makes the volumes of a DataNode full. Returns the capacities that they had. */
  private static Map<FsVolumeImpl, Long> fill(DataNode datanode) throws IOException {
    Map<FsVolumeImpl, Long> capacities = new LinkedHashMap<>();
    try (FsDatasetSpi.FsVolumeReferences volumes =
        datanode.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        FsVolumeImpl full = (FsVolumeImpl) volume;
        capacities.put(full, full.getCapacity());
        full.setCapacityForTesting(1);
      }
    }
    return capacities;
  }

  @Test
  void aFullDiskTakesNoMadeBlock() throws Exception {
    ClonedFile clone = oneGroup("full-made");
    DataNode datanode = datanode(clone, 0, K);
    Map<FsVolumeImpl, Long> capacities = fill(datanode);
    try {
      assertFailed(FailureCause.WRITE, "OutOfSpace", end(begin(parts(datanode).maker,
          making(clone, 0, K, MakeCommand.UNLIMITED))));
      assertNothingLeft(datanode, clone.newBlock(0, K));
    } finally {
      capacities.forEach(FsVolumeImpl::setCapacityForTesting);
    }
    assertEquals(RepairOutcome.REBUILT, end(begin(parts(datanode).maker,
        making(clone, 0, K, MakeCommand.UNLIMITED))).outcome);
  }

  @Test
  void aFullDiskTakesNoCopyButALink() throws Exception {
    ClonedFile clone = oneGroup("full");
    DataNode datanode = datanode(clone, 0, 0);
    Map<FsVolumeImpl, Long> capacities = fill(datanode);
    try (VersionExecutor<LinkCommand> linker = linker(datanode, new NoLinks())) {
      assertFailed(FailureCause.WRITE, "OutOfSpace",
          end(begin(linker, links(clone.link(0, 0)))));
      assertNothingLeft(datanode, clone.newBlock(0, 0));
      assertEquals(RepairOutcome.REBUILT, link(clone, 0, 0).outcome, "a link needs no space");
    } finally {
      capacities.forEach(FsVolumeImpl::setCapacityForTesting);
    }
  }

  /** A block is made by one command at a time, and a command ends when it is to end. */
  @Test
  void commandsOfOneBlockAndTheirEnds() throws Exception {
    ClonedFile clone = oneGroup("busy");
    DataNode datanode = datanode(clone, 0, 0);
    Halt halt = new Halt(LinkStep.BEGUN);
    try (VersionExecutor<LinkCommand> linker = linker(datanode, halt)) {
      LinkCommand first = links(clone.link(0, 0));
      CompletableFuture<RepairResult> running = begin(linker, first);
      halt.awaitReached();
      RepairResult second = end(begin(linker, links(clone.link(0, 0))));
      assertEquals(RepairOutcome.REFUSED, second.outcome, second.toString());
      assertTrue(second.message.contains("at work on"), second.message);
      // Another object does not know of the first one, and finds its temporary replica.
      assertFailed(FailureCause.WRITE, "TEMPORARY", link(clone, 0, 0));
      linker.cancel(first, "the test wants it");
      halt.released.countDown();
      assertEquals(RepairOutcome.REBUILT, end(running).outcome, "a link under way is finished");
    }
  }

  @Test
  void whatWaitsEndsAtItsDeadlineAndTheQueueIsBounded() throws Exception {
    ClonedFile clone = oneGroup("queue");
    DataNode datanode = datanode(clone, 0, 0);
    BlockRef old = clone.oldBlock(0, 0);
    Halt halt = new Halt(LinkStep.BEGUN);
    VersionExecutor<LinkCommand> linker = linker(datanode, halt);
    List<CompletableFuture<RepairResult>> begun = new ArrayList<>();
    LinkCommand last = null;
    for (int i = 0; i < LinkJob.AT_A_TIME + VersionParts.WAITING_MOST; i++) {
      last = new LinkCommand(id(), 1, List.of(new LinkCommand.Link(old, new BlockRef(
          old.poolId, -(1L << 50) + 16L * i, 1, old.length))),
          i == LinkJob.AT_A_TIME ? 1 : TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
      begun.add(begin(linker, last));
      if (i == 0) {
        halt.awaitReached();
      }
    }
    RepairResult late = end(begun.get(LinkJob.AT_A_TIME));
    assertFailed(null, "not done within 1 ms", late);
    // The late one has left a place.
    begun.add(begin(linker, links(new LinkCommand.Link(old, new BlockRef(old.poolId,
        -(1L << 51), 1, old.length)))));
    RepairResult refused = end(begin(linker, links(clone.link(0, 0))));
    assertEquals(FailureCause.OVERLOADED, refused.cause, refused.toString());
    linker.cancel(last, "the test wants it");
    assertFailed(null, "cancelled: the test wants it",
        end(begun.get(LinkJob.AT_A_TIME + VersionParts.WAITING_MOST - 1)));
    linker.close();
    halt.released.countDown();
    for (CompletableFuture<RepairResult> each : begun) {
      end(each);
    }
    assertTrue(linker.awaitEnd(TimeUnit.SECONDS.toMillis(WAIT_SECONDS)));
    assertEquals(RepairOutcome.REFUSED,
        end(begin(linker, links(clone.link(0, 0)))).outcome);
  }

  /** The node of the new parity unit holds an old one, from which it makes the new one. */
  @Test
  void whatTheDestinationHoldsDoesNotTravel() throws Exception {
    int unitBytes = 128 * CELL;
    ClonedFile clone = clone("local", K * unitBytes, unitBytes);
    clone.addGroup();
    DatanodeInfo holder = clone.holders(0).get(K + 1);
    // Parity K from the first k of: old parity K + 1, which is at the destination, and data units.
    MakeCommand whole = making(clone, 0, MakeCommand.UNLIMITED,
        TimeUnit.SECONDS.toMillis(WAIT_SECONDS), List.of(K), List.of(holder));
    List<UnitHolder> nearestFirst = new ArrayList<>(whole.work.group.live);
    Collections.reverse(nearestFirst);
    assertEquals(holder.getDatanodeUuid(), nearestFirst.get(0).node.uuid);
    RepairCommand work = whole.work;
    MakeCommand command = new MakeCommand(new RepairCommand(RepairCommand.of(id(), 1,
        work.groupId(), work.groupBytes).setCodec("rs").setDataUnits(K).setParityUnits(M)
        .setCellBytes(CELL).setTopology("star").setByDecoding(true).setDeadlineMs(work.deadlineMs),
        work.blocks, nearestFirst, work.targets), MakeCommand.UNLIMITED);
    RepairResult made =
        end(begin(parts(cluster.datanode(holder)).maker, command));
    assertEquals(RepairOutcome.REBUILT, made.outcome, made.toString());
    assertArrayEquals(bytes(datanode(clone, 0, K), clone.oldBlock(0, K)),
        bytes(cluster.datanode(holder), clone.newBlock(0, K)));
    assertEquals(unitBytes, made.version.madeBytes);
    // Two data units travel whole. The slices that are checked bring a second row of each helper.
    long received = made.version.receivedBytes;
    assertTrue(received >= 2L * unitBytes && received < 5L * unitBytes / 2, made.toString());
  }

  /** A making with two targets, one of which is here already. */
  @Test
  void whatIsHereIsNotMadeAgain() throws Exception {
    ClonedFile clone = oneGroup("rest");
    DatanodeInfo one = clone.holders(0).get(K);
    DatanodeInfo two = clone.holders(0).get(K + 1);
    VersionExecutor<MakeCommand> maker = parts(cluster.datanode(one)).maker;
    assertEquals(RepairOutcome.REBUILT,
        end(begin(maker, making(clone, 0, K, MakeCommand.UNLIMITED))).outcome);
    RepairResult rest = end(begin(maker, making(clone, 0, MakeCommand.UNLIMITED,
        TimeUnit.SECONDS.toMillis(WAIT_SECONDS), List.of(K, K + 1), List.of(one, two))));
    assertEquals(RepairOutcome.FAILED, rest.outcome, rest.toString());
    assertEquals(List.of(K), rest.rebuiltUnits);
    assertTrue(rest.message.contains("another node has to make"), rest.message);
    ClonedFile fresh = oneGroup("both");
    DatanodeInfo leader = fresh.holders(0).get(K);
    RepairResult both = end(begin(parts(cluster.datanode(leader)).maker, making(fresh, 0,
        MakeCommand.UNLIMITED, TimeUnit.SECONDS.toMillis(WAIT_SECONDS), List.of(K, K + 1),
        List.of(leader, fresh.holders(0).get(K + 1)))));
    assertEquals(RepairOutcome.REBUILT, both.outcome, both.toString());
    assertEquals(List.of(K, K + 1), both.rebuiltUnits);
    for (int unit = K; unit < K + M; unit++) {
      DataNode at = datanode(fresh, 0, unit);
      assertArrayEquals(bytes(at, fresh.oldBlock(0, unit)), bytes(at, fresh.newBlock(0, unit)));
    }
  }

  private static VersionExecutor<MakeCommand> waiting(DataNode datanode, AtomicBoolean hasRepairs,
      MakingRuns runs) throws IOException {
    return VersionParts.maker(replicas(datanode, LinkFiles.OF_SYSTEM,
        ReplicaSyncs.Disk.OF_SYSTEM, hasRepairs::get), runs, hasRepairs::get);
  }

  @Test
  void repairsGoFirst() throws Exception {
    ClonedFile clone = oneGroup("first");
    DataNode datanode = datanode(clone, 0, K);
    AtomicBoolean hasRepairs = new AtomicBoolean(true);
    AtomicInteger runs = new AtomicInteger();
    MakingRuns counting = new MakingRuns() {
      @Override
      public Making prepare(MakeCommand command, Consumer<RepairResult> whenEnded) {
        return new Making() {
          @Override
          public void run() {
            runs.incrementAndGet();
            assertFalse(hasRepairs.get());
            whenEnded.accept(new RepairResult(command.id(), 1, RepairOutcome.REBUILT, List.of(K), 5,
                1).withVersion(new VersionReport(0, 0, 5, 0, 0)));
          }

          @Override
          public void cancel(String reason) {
            throw new AssertionError("it does not run");
          }
        };
      }

      @Override
      public int digest(BlockRef block, DigestKey key, LinearDigest.Watch watch) {
        throw new AssertionError("no command asks for it");
      }
    };
    try (VersionExecutor<MakeCommand> maker = waiting(datanode, hasRepairs, counting)) {
      MakeCommand cancelled = making(clone, 0, K, MakeCommand.UNLIMITED);
      CompletableFuture<RepairResult> ended = begin(maker, cancelled);
      maker.cancel(cancelled, "the test wants it");
      assertFailed(null, "cancelled: the test wants it", end(ended));
      MakeCommand late = making(clone, 0, MakeCommand.UNLIMITED, 50, List.of(K),
          List.of(clone.holders(0).get(K)));
      assertFailed(null, "repairs on this node went first", end(begin(maker, late)));
      assertEquals(0, runs.get());
      CompletableFuture<RepairResult> last =
          begin(maker, making(clone, 0, K, MakeCommand.UNLIMITED));
      assertFalse(last.isDone());
      hasRepairs.set(false);
      assertEquals(RepairOutcome.REBUILT, end(last).outcome);
      assertEquals(1, runs.get());
    }
  }

  private static int digest(byte[] bytes, DigestKey key) throws IOException {
    return LinearDigest.of(new UnitSource() {
      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public void read(long offset, ByteBuffer dst) {
        dst.put(bytes, (int) offset, dst.remaining());
      }

      @Override
      public void close() {
        throw new AssertionError("the test closes nothing");
      }
    }, key, Kernels.select(Kernels.AUTO), new FreshBuffers(), read -> { });
  }

  /** The manager compares digests of what is stored. */
  @Test
  void aMakingSendsTheDigestOfWhatIsStoredHere() throws Exception {
    ClonedFile clone = oneGroup("digest");
    DataNode at = datanode(clone, 0, K);
    MakeCommand command = making(clone, 0, K, MakeCommand.UNLIMITED);
    RepairResult made = end(begin(parts(at).maker, command.withDigestKey(DigestKey.plain(5))));
    byte[] stored = bytes(at, clone.newBlock(0, K));
    assertEquals(Map.of(K, digest(stored, DigestKey.plain(5))), made.version.digests);
    // A unit that is here already is read, too.
    RepairResult again = end(begin(parts(at).maker,
        making(clone, 0, K, MakeCommand.UNLIMITED).withDigestKey(DigestKey.folded(5))));
    assertEquals(0, again.version.madeBytes);
    assertEquals(Map.of(K, digest(stored, DigestKey.folded(5))), again.version.digests);
    assertEquals(Map.of(), end(begin(parts(at).maker,
        making(clone, 0, K, MakeCommand.UNLIMITED))).version.digests, "none was asked for");
  }

  /** A manager that knows the plain form only does not ask for a digest afterwards. */
  @Test
  void aMakingReportsWhatTakesLongToReadBeforeItIsRead() throws Exception {
    ClonedFile clone = clone("reported-first", 15 * CELL);
    clone.addGroup();
    DataNode at = datanode(clone, 0, K);
    assertTrue(clone.oldBlock(0, K).length > RequestBounds.BYTES_PER_SECOND_MIN);
    MakeCommand slow = making(clone, 0, K, RequestBounds.BYTES_PER_SECOND_MIN);
    RepairResult made = end(begin(parts(at).maker, slow.withDigestKey(DigestKey.folded(5))));
    assertEquals(List.of(K), made.rebuiltUnits);
    assertEquals(Map.of(), made.version.digests);
    RepairResult plain = end(begin(parts(at).maker, making(clone, 0, K,
        RequestBounds.BYTES_PER_SECOND_MIN).withDigestKey(DigestKey.plain(5))));
    byte[] stored = bytes(at, clone.newBlock(0, K));
    assertEquals(Map.of(K, digest(stored, DigestKey.plain(5))), plain.version.digests);
  }

  private LinkCommand digests(BlockRef... blocks) {
    return LinkCommand.digests(id(), 1, List.of(blocks), DigestKey.folded(5), MakeCommand.UNLIMITED,
        TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
  }

  /** Such a block stays as it is. One that is another than the manager believes has no digest. */
  @Test
  void blocksThatAreNotLinkedHaveDigestsToo() throws Exception {
    ClonedFile clone = oneGroup("asked");
    DataNode at = datanode(clone, 0, K);
    BlockRef block = clone.oldBlock(0, K);
    byte[] stored = bytes(at, block);
    RepairResult read = end(begin(parts(at).linker, digests(block)));
    assertEquals(RepairOutcome.REBUILT, read.outcome, read.toString());
    assertEquals(List.of(), read.rebuiltUnits);
    assertEquals(Map.of(0, digest(stored, DigestKey.folded(5))), read.version.digests);
    assertEquals(0, read.version.linkedBytes);
    assertNothingLeft(at, clone.newBlock(0, K));
    RepairResult none = end(begin(parts(at).linker, digests(new BlockRef(block.poolId,
        block.blockId, block.generationStamp + 1, block.length), new BlockRef(
        block.poolId, block.blockId - 1_000_000, block.generationStamp, block.length))));
    assertEquals(Map.of(), none.version.digests);
    cluster.spoil(clone.from.get(0), K, 11, false);
    RepairResult corrupt = end(begin(parts(at).linker, digests(block)));
    assertEquals(Map.of(), corrupt.version.digests, "its checksums are wrong");
  }

  /** A commit's writers wait for its links. */
  @Test
  void linksDoNotWaitForThoseThatAreReadForDigests() throws Exception {
    ClonedFile clone = clone("slow", K * 8 * CELL);
    clone.addGroup();
    DataNode at = datanode(clone, 0, 1);
    CountDownLatch isReading = new CountDownLatch(LinkJob.AT_A_TIME);
    CountDownLatch mayEnd = new CountDownLatch(1);
    MakingRuns slow = new MakingRuns() {
      @Override
      public Making prepare(MakeCommand command, Consumer<RepairResult> whenEnded) {
        throw new AssertionError("nothing is made");
      }

      @Override
      public int digest(BlockRef block, DigestKey key, LinearDigest.Watch watch)
          throws IOException {
        isReading.countDown();
        try {
          assertTrue(mayEnd.await(WAIT_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        throw new IOException("as the test says");
      }
    };
    try (VersionExecutor<LinkCommand> linker = linker(at, LinkFiles.OF_SYSTEM, slow)) {
      List<CompletableFuture<RepairResult>> read = new ArrayList<>();
      while (read.size() < LinkJob.AT_A_TIME) {
        read.add(begin(linker, digests(clone.oldBlock(0, 1))));
      }
      assertTrue(isReading.await(WAIT_SECONDS, TimeUnit.SECONDS));
      assertEquals(RepairOutcome.REBUILT,
          end(begin(linker, links(clone.link(0, 1)))).outcome);
      read.forEach(one -> assertFalse(one.isDone()));
      mayEnd.countDown();
      for (CompletableFuture<RepairResult> one : read) {
        RepairResult result = end(one);
        assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
        assertEquals(Map.of(), result.version.digests, "the manager checks in another way");
      }
    }
  }

  @Test
  void noDigestIsReadWhileThereAreRepairs() throws Exception {
    ClonedFile clone = oneGroup("braked");
    DataNode at = datanode(clone, 0, 1);
    AtomicBoolean hasRepairs = new AtomicBoolean(true);
    CountDownLatch isBegun = new CountDownLatch(1);
    MakingRuns reading = new MakingRuns() {
      @Override
      public Making prepare(MakeCommand command, Consumer<RepairResult> whenEnded) {
        throw new AssertionError("nothing is made");
      }

      @Override
      public int digest(BlockRef block, DigestKey key, LinearDigest.Watch watch)
          throws IOException {
        isBegun.countDown();
        watch.read(0);
        assertFalse(hasRepairs.get());
        return 7;
      }
    };
    try (VersionExecutor<LinkCommand> linker =
        linker(at, LinkFiles.OF_SYSTEM, reading, hasRepairs::get)) {
      CompletableFuture<RepairResult> read = begin(linker, digests(clone.oldBlock(0, 1)));
      assertTrue(isBegun.await(WAIT_SECONDS, TimeUnit.SECONDS));
      assertFalse(read.isDone());
      hasRepairs.set(false);
      assertEquals(Map.of(0, 7), end(read).version.digests);
    }
  }

  /** The manager asks such a node again, and has what a node cannot read checked another way. */
  @Test
  void aNodeSaysWhetherItHasNoTimeForADigestOrCannotReadTheBlock() throws Exception {
    ClonedFile clone = oneGroup("late");
    DataNode at = datanode(clone, 0, 1);
    BlockRef slow = clone.oldBlock(0, 1);
    BlockRef read = new BlockRef(slow.poolId, slow.blockId + 1, 1, 1);
    BlockRef unreadable = new BlockRef(slow.poolId, slow.blockId + 2, 1, 1);
    BlockRef withoutMemory = new BlockRef(slow.poolId, slow.blockId + 3, 1, 1);
    Semaphore isReading = new Semaphore(0);
    MakingRuns reading = new MakingRuns() {
      @Override
      public Making prepare(MakeCommand command, Consumer<RepairResult> whenEnded) {
        throw new AssertionError("nothing is made");
      }

      @Override
      public int digest(BlockRef wanted, DigestKey key, LinearDigest.Watch watch)
          throws IOException {
        if (wanted.equals(unreadable)) {
          throw new IOException("as the test says");
        } else if (wanted.equals(withoutMemory)) {
          throw new LinearDigest.NoMemoryException("as the test says");
        } else if (wanted.equals(slow)) {
          isReading.release();
          watch.read(0);
        }
        return 7;
      }
    };
    VersionExecutor<LinkCommand> linker = linker(at, LinkFiles.OF_SYSTEM, reading, () -> true);
    List<CompletableFuture<RepairResult>> running = new ArrayList<>();
    try (linker) {
      for (BlockRef other : new BlockRef[] {read, unreadable}) {
        LinkCommand command = digests(other, slow);
        CompletableFuture<RepairResult> ended = begin(linker, command);
        assertTrue(isReading.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS));
        linker.cancel(command, "the test wants it");
        if (other.equals(read)) {
          assertFailed(FailureCause.OVERLOADED, "the test wants it", end(ended));
          assertEquals(Map.of(0, 7), end(ended).version.digests, "what it has read");
        } else {
          assertUnreadable(end(ended));
        }
      }
      assertFailed(FailureCause.OVERLOADED, "memory", end(begin(linker, digests(withoutMemory))));
      assertUnreadable(end(begin(linker, digests(withoutMemory, unreadable))));
      while (running.size() < LinkJob.AT_A_TIME) {
        running.add(begin(linker, digests(slow)));
      }
      assertTrue(isReading.tryAcquire(LinkJob.AT_A_TIME, WAIT_SECONDS, TimeUnit.SECONDS));
      assertFailed(FailureCause.OVERLOADED, "not done within 50 ms, while it waited",
          end(begin(linker, LinkCommand.digests(id(), 1, List.of(read), DigestKey.folded(5),
              MakeCommand.UNLIMITED, 50))));
    }
    for (CompletableFuture<RepairResult> one : running) {
      assertFailed(FailureCause.OVERLOADED, JobPool.STOPS, end(one));
    }
    RepairResult refused = end(begin(linker, digests(slow)));
    assertEquals(RepairOutcome.REFUSED, refused.outcome);
    assertEquals(FailureCause.OVERLOADED, refused.cause, "it may be back soon");
    assertNull(end(begin(linker, links(clone.link(0, 1)))).cause, "links are made elsewhere");
  }

  private static void assertUnreadable(RepairResult result) {
    assertEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    assertNull(result.cause, "to ask again does not help");
    assertEquals(Map.of(), result.version.digests);
  }

  /** The manager has the group read over the network then, which operators have to see. */
  @Test
  void digestsThatCannotBeComputedAreCounted() throws Exception {
    ClonedFile clone = oneGroup("uncomputed");
    for (int unit : new int[] {0, 1}) {
      DataNode at = datanode(clone, 0, unit);
      long before = digestsFailed(at);
      if (unit == 1) {
        cluster.spoil(clone.from.get(0), 1, 3, false);
      }
      RepairResult read = end(begin(parts(at).linker, digests(clone.oldBlock(0, unit))));
      assertEquals(RepairOutcome.REBUILT, read.outcome, read.toString());
      assertEquals(unit == 1 ? Set.of() : Set.of(0), read.version.digests.keySet());
      assertEquals(before + unit, digestsFailed(at));
    }
  }

  private static long digestsFailed(DataNode datanode) {
    return MetricsAsserts.getLongCounter("BlockDigestsFailed",
        MetricsAsserts.getMetrics(service(datanode).metrics.sourceName()));
  }

  @Test
  void aMakingKeepsToItsRateAndEndsWhenCancelled() throws Exception {
    ClonedFile clone = clone("rate", K * 8 * CELL);
    clone.addGroup();
    // Each unit has 128 KiB, of which a node reads 64 KiB in a second.
    VersionExecutor<MakeCommand> maker = parts(datanode(clone, 0, K)).maker;
    long begin = System.nanoTime();
    RepairResult made = end(begin(maker, making(clone, 0, K, 64 << 10)));
    assertEquals(RepairOutcome.REBUILT, made.outcome, made.toString());
    long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertTrue(ms >= 900, "128 KiB of each unit were read within " + ms + " ms");
    assertArrayEquals(bytes(datanode(clone, 0, K), clone.oldBlock(0, K)),
        bytes(datanode(clone, 0, K), clone.newBlock(0, K)));

    VersionExecutor<MakeCommand> other = parts(datanode(clone, 0, K + 1)).maker;
    MakeCommand slow = making(clone, 0, K + 1, 64 << 10);
    CompletableFuture<RepairResult> running = begin(other, slow);
    RepairCluster.await("the making is under way",
        () -> replica(datanode(clone, 0, K + 1), clone.newBlock(0, K + 1)) != null);
    other.cancel(slow, "the test wants it");
    RepairResult cancelled = end(running);
    assertEquals(RepairOutcome.FAILED, cancelled.outcome, cancelled.toString());
    assertTrue(cancelled.message.contains("the test wants it"), cancelled.message);
    assertNothingLeft(datanode(clone, 0, K + 1), clone.newBlock(0, K + 1));
  }

  /** A DataNode that stops while it makes a block has forgotten it when it is back. */
  @Test
  void aMakingThatStopsInTheMiddleLeavesNothing() throws Exception {
    ClonedFile clone = clone("cut", K * 8 * CELL);
    clone.addGroup();
    DataNode datanode = datanode(clone, 0, K);
    CompletableFuture<RepairResult> cut =
        begin(parts(datanode).maker, making(clone, 0, K, 64 << 10));
    RepairCluster.await("the making is under way",
        () -> replica(datanode, clone.newBlock(0, K)) != null);
    DataNode back = restart(datanode);
    assertEquals(RepairOutcome.FAILED, end(cut).outcome);
    assertNothingLeft(back, clone.newBlock(0, K));
    assertEquals(RepairOutcome.REBUILT, end(begin(parts(back).maker,
        making(clone, 0, K, MakeCommand.UNLIMITED))).outcome);
  }

  @Test
  void aMakingFromAVanishedSourceUsesAnother() throws Exception {
    ClonedFile clone = oneGroup("source");
    RepairCluster.drop(datanode(clone, 0, 1), clone.oldBlock(0, 1).toExtendedBlock());
    RepairResult made = end(begin(parts(datanode(clone, 0, K)).maker,
        making(clone, 0, K, MakeCommand.UNLIMITED)));
    assertEquals(RepairOutcome.REBUILT, made.outcome, made.toString());
    assertArrayEquals(bytes(datanode(clone, 0, K), clone.oldBlock(0, K)),
        bytes(datanode(clone, 0, K), clone.newBlock(0, K)));
  }

  @Test
  void wrongBytesOfASourceAreNotMadeInto() throws Exception {
    ClonedFile clone = oneGroup("spoilt");
    cluster.spoil(clone.from.get(0), 0, 11, true);
    RepairCommand work = making(clone, 0, K, MakeCommand.UNLIMITED).work;
    MakeCommand checked = new MakeCommand(new RepairCommand(RepairCommand.of(id(), 1,
        work.groupId(), work.groupBytes).setCodec("rs").setDataUnits(K).setParityUnits(M)
        .setCellBytes(CELL).setTopology("chain").setDoubted(true).setDeadlineMs(work.deadlineMs),
        work.blocks, work.group.live, work.targets), MakeCommand.UNLIMITED);
    RepairResult result = end(begin(parts(datanode(clone, 0, K)).maker, checked));
    assertNotEquals(RepairOutcome.REBUILT, result.outcome, result.toString());
    assertEquals(FailureCause.VERIFICATION, result.cause, result.toString());
    assertNothingLeft(datanode(clone, 0, K), clone.newBlock(0, K));
  }

  @Test
  void theNodeAnnouncesWhatItCanDo() {
    for (RepairService service : SERVICES.values()) {
      assertEquals(CommandFeatures.KNOWN | CommandFeatures.CHECK_QUEUE,
          service.commandFeatures());
    }
  }
}
