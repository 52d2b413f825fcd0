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
package org.apache.hadoop.hdfs.server.datanode.erasurecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.datanode.replica.EcCluster;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.datanode.takeover.StockTask;
import org.hdfsppr.datanode.takeover.TaskHandler;
import org.hdfsppr.datanode.takeover.TaskOutcome;
import org.hdfsppr.loader.HadoopMembers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that each task goes either to the plugin's handler or to stock, and that the DataNode's
 * counters are balanced afterwards.
 */
class TestErasureCodingWorkerAccess {
  private static final int WAIT_MS = EcCluster.WAIT_MS;
  private static final int LENGTH = 5_000_123;

  @TempDir
  static Path dir;
  private static EcCluster cluster;

  private final List<ErasureCodingWorkerAccess> installed = new ArrayList<>();
  private final List<Keeper> keepers = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    cluster = new EcCluster(dir, EcCluster.conf());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void balance() throws Exception {
    installed.forEach(ErasureCodingWorkerAccess::uninstall);
    for (DataNode dn : cluster.cluster.getDataNodes()) {
      assertEquals(ThreadPoolExecutor.class, pool(dn).getClass());
      GenericTestUtils.waitFor(() -> {
        settleWhatIsLeft();
        return dn.getXmitsInProgress() == 0;
      }, 50, WAIT_MS);
    }
  }

  /** Settles leftovers: the NameNode may have sent a task again that the test had under way. */
  private void settleWhatIsLeft() {
    keepers.stream().flatMap(keeper -> keeper.offered.stream())
        .filter(task -> !task.isSettled())
        .forEach(task -> task.finishedByUs(TaskOutcome.failed(0, 0, 0)));
  }

  private Keeper keeper() {
    Keeper keeper = new Keeper();
    keepers.add(keeper);
    return keeper;
  }

  private void install(TaskHandler handler) throws IOException {
    for (DataNode dn : cluster.cluster.getDataNodes()) {
      installed.add(ErasureCodingWorkerAccess.install(dn, handler));
    }
  }

  private static ThreadPoolExecutor pool(DataNode dn) {
    return HadoopMembers.get(WorkerMembers.ofThisHadoop().pool, dn.getErasureCodingWorker(),
        ThreadPoolExecutor.class);
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new java.util.Random(length).nextBytes(bytes);
    return bytes;
  }

  /** A handler that keeps the tasks that it is offered. */
  private static final class Keeper implements TaskHandler {
    final Queue<StockTask> offered = new ConcurrentLinkedQueue<>();
    final BlockingQueue<StockTask> tasks = new LinkedBlockingQueue<>();

    @Override
    public boolean offer(StockTask task) {
      offered.add(task);
      return tasks.add(task);
    }

    StockTask next() throws InterruptedException {
      StockTask task = tasks.poll(WAIT_MS, TimeUnit.MILLISECONDS);
      assertTrue(task != null, "no task was offered");
      return task;
    }
  }

  @Test
  void everythingIsThere() {
    assertEquals(Collections.emptyList(), ErasureCodingWorkerAccess.missing());
  }

  @Test
  void whatTheHandlerRefusesStockRepairs() throws Exception {
    List<StockTask> offered = Collections.synchronizedList(new ArrayList<>());
    install(task -> {
      offered.add(task);
      return false;
    });
    LocatedStripedBlock group = cluster.write("/refused", bytes(LENGTH));
    cluster.lose(group, 1);
    cluster.awaitLive("/refused", 5);
    cluster.assertReads("/refused", bytes(LENGTH));
    StockTask task = offered.get(0);
    assertTrue(task.isSettled());
    assertThrows(IllegalStateException.class, task::runStock);
    assertThrows(IllegalStateException.class,
        () -> task.finishedByUs(TaskOutcome.succeeded(0, 0, 0)));
  }

  @Test
  void whatBreaksTheHandlerStockRepairs() throws Exception {
    install(task -> {
      throw new IllegalArgumentException("thrown by the test");
    });
    LocatedStripedBlock group = cluster.write("/broken", bytes(LENGTH));
    cluster.lose(group, 2);
    cluster.awaitLive("/broken", 5);
  }

  /** The thread of the DataNode's commands would end with such an error. */
  @Test
  void whatBreaksTheHandlerWithAnErrorStockRepairs() throws Exception {
    for (Error error : List.of(new AssertionError("thrown by the test"),
        new StackOverflowError("thrown by the test"))) {
      String file = "/" + error.getClass().getSimpleName();
      LocatedStripedBlock group = cluster.write(file, bytes(LENGTH));
      install(task -> {
        throw error;
      });
      cluster.lose(group, 2);
      cluster.awaitLive(file, 5);
      installed.forEach(ErasureCodingWorkerAccess::uninstall);
      installed.clear();
    }
  }

  @Test
  void whatCannotBeReadStockRepairs() throws Exception {
    LocatedStripedBlock group = cluster.write("/unread", bytes(LENGTH));
    DataNode dn = cluster.cluster.getDataNodes().get(0);
    for (Throwable thrown : List.of(new IllegalStateException("thrown by the test"),
        new AssertionError("thrown by the test"), new OutOfMemoryError("thrown by the test"))) {
      StripedBlockReconstructor work = mock(StripedBlockReconstructor.class);
      when(work.getBlockGroup()).thenReturn(group.getBlock());
      when(work.getStripedReader()).thenThrow(thrown);
      CountDownLatch ran = new CountDownLatch(1);
      doAnswer(run -> {
        ran.countDown();
        return null;
      }).when(work).run();
      install(task -> true);
      pool(dn).submit(work);
      assertTrue(ran.await(WAIT_MS, TimeUnit.MILLISECONDS), "stock runs it after " + thrown);
      installed.forEach(ErasureCodingWorkerAccess::uninstall);
      installed.clear();
    }
  }

  @Test
  void theHandlerSeesWhatStockWouldDo() throws Exception {
    Keeper keeper = keeper();
    install(keeper);
    LocatedStripedBlock group = cluster.write("/seen", bytes(LENGTH));
    cluster.lose(group, 0);
    StockTask task = keeper.next();

    assertEquals(group.getBlock(), task.blockGroup());
    assertEquals(group.getBlock().getGenerationStamp(), task.blockGroup().getGenerationStamp());
    assertEquals(LENGTH, task.blockGroup().getNumBytes());
    assertNotSame(task.blockGroup(), task.blockGroup());
    assertEquals(EcCluster.POLICY, task.policy());
    assertEquals(Arrays.asList(1, 2, 3, 4), new ArrayList<>(task.sources().keySet()));
    for (int index = 1; index < 5; index++) {
      assertEquals(1, task.sources().get(index).size());
      assertEquals(cluster.holder(group, index).getDatanodeUuid(),
          task.sources().get(index).get(0).getDatanodeUuid());
    }
    assertEquals(1, task.targets().size());
    RepairTarget target = task.targets().get(0);
    assertEquals(0, target.index);
    assertEquals(EcCluster.unit(group, 0).getNumBytes(), target.length);
    assertEquals(StorageType.DISK, target.storageType);
    DataNode destination = cluster.dataNode(target.node);
    assertTrue(destination.getFSDataset().getVolumeList().stream()
        .anyMatch(v -> v.getStorageID().equals(target.storageId)));
    // Stock counts three sources with weight 0.5 each, rounded down.
    assertEquals(1, task.xmits());
    GenericTestUtils.waitFor(() -> destination.getXmitsInProgress() == 1, 20, WAIT_MS);

    assertFalse(task.isSettled());
    assertTrue(task.runStock());
    assertTrue(task.isSettled());
    assertThrows(IllegalStateException.class, task::runStock);
    cluster.awaitLive("/seen", 5);
    cluster.assertReads("/seen", bytes(LENGTH));
  }

  @Test
  void theNameNodeTriesAgainWhatTheHandlerFails() throws Exception {
    Keeper keeper = keeper();
    install(keeper);
    LocatedStripedBlock group = cluster.write("/failed", bytes(LENGTH));
    cluster.lose(group, 4);
    StockTask task = keeper.next();
    DataNode destination = cluster.dataNode(task.targets().get(0).node);
    GenericTestUtils.waitFor(() -> destination.getXmitsInProgress() == 1, 20, WAIT_MS);
    long tasks = counter(destination, "EcReconstructionTasks");
    long failed = counter(destination, "EcFailedReconstructionTasks");
    long read = counter(destination, "EcReconstructionBytesRead");
    long remote = counter(destination, "EcReconstructionRemoteBytesRead");
    long written = counter(destination, "EcReconstructionBytesWritten");
    task.finishedByUs(TaskOutcome.failed(1000, 100, 10));
    assertEquals(0, destination.getXmitsInProgress());
    assertEquals(tasks + 1, counter(destination, "EcReconstructionTasks"));
    assertEquals(failed + 1, counter(destination, "EcFailedReconstructionTasks"));
    assertEquals(read + 1000, counter(destination, "EcReconstructionBytesRead"));
    assertEquals(remote + 100, counter(destination, "EcReconstructionRemoteBytesRead"));
    assertEquals(written + 10, counter(destination, "EcReconstructionBytesWritten"));
    assertThrows(IllegalStateException.class,
        () -> task.finishedByUs(TaskOutcome.failed(0, 0, 0)));

    StockTask again = keeper.next();
    assertEquals(task.blockGroup(), again.blockGroup());
    assertTrue(again.runStock());
    cluster.awaitLive("/failed", 5);
  }

  private static long counter(DataNode dn, String name) {
    return MetricsAsserts.getLongCounter(
        name, MetricsAsserts.getMetrics(dn.getMetrics().name()));
  }

  @Test
  void tasksOutliveTheTakeOver() throws Exception {
    Keeper keeper = keeper();
    install(keeper);
    LocatedStripedBlock group = cluster.write("/outlives", bytes(LENGTH));
    cluster.lose(group, 3);
    StockTask task = keeper.next();
    installed.forEach(ErasureCodingWorkerAccess::uninstall);
    installed.forEach(ErasureCodingWorkerAccess::uninstall);
    assertTrue(task.runStock());
    cluster.awaitLive("/outlives", 5);

    LocatedStripedBlock later = cluster.write("/later", bytes(LENGTH));
    cluster.lose(later, 3);
    cluster.awaitLive("/later", 5);
    assertEquals(0, keeper.tasks.size());
  }

  /**
   * The lost block has index 0. Unused entries of stock's arrays are 0 as well, and must not count
   * as losses.
   */
  @Test
  void aGroupShorterThanACell() throws Exception {
    Keeper keeper = keeper();
    install(keeper);
    LocatedStripedBlock group = cluster.write("/short", bytes(100));
    cluster.lose(group, 0);
    StockTask task = keeper.next();
    assertEquals(Arrays.asList(3, 4), new ArrayList<>(task.sources().keySet()));
    assertEquals(1, task.targets().size());
    assertEquals(0, task.targets().get(0).index);
    assertEquals(100, task.targets().get(0).length);
    assertTrue(task.runStock());
    cluster.awaitLive("/short", 3);
    cluster.assertReads("/short", bytes(100));
  }

  /** The NameNode has counted more losses than there are. The additional nodes are no targets. */
  @Test
  void targetsThatAreNotMeantAreLeftOut() throws Exception {
    LocatedStripedBlock group = cluster.write("/extra", bytes((1 << 20) + 100));
    DataNode dn = cluster.cluster.getDataNodes().get(0);
    List<RepairTarget> targets = targets(dn, group, new byte[] {0, 3, 4}, 2, new byte[0]);
    assertEquals(1, targets.size());
    assertEquals(1, targets.get(0).index);
    assertEquals(100, targets.get(0).length);

    targets = targets(dn, group, new byte[] {3, 4}, 2, new byte[0]);
    assertEquals(2, targets.size());
    assertEquals(0, targets.get(0).index);
    assertEquals(1, targets.get(1).index);
    assertEquals(cluster.cluster.getDataNodes().get(1).getDatanodeUuid(),
        targets.get(1).node.getDatanodeUuid());

    targets = targets(dn, group, new byte[] {3, 4}, 2, new byte[] {0});
    assertEquals(1, targets.size());
    assertEquals(1, targets.get(0).index);
    assertEquals(cluster.cluster.getDataNodes().get(0).getDatanodeUuid(),
        targets.get(0).node.getDatanodeUuid());

    assertEquals(0, targets(dn, group, new byte[] {0, 1, 3}, 1, new byte[] {4}).size());
  }

  private static List<RepairTarget> targets(DataNode dn, LocatedStripedBlock group, byte[] live,
      int nodes, byte[] excluded) {
    return intercepted(dn, group, live, nodes, excluded, pool(dn)).targets();
  }

  private static InterceptedTask intercepted(DataNode dn, LocatedStripedBlock group, byte[] live,
      int nodes, byte[] excluded, ThreadPoolExecutor pool) {
    DatanodeInfo[] targets = new DatanodeInfo[nodes];
    StorageType[] types = new StorageType[nodes];
    String[] ids = new String[nodes];
    for (int i = 0; i < nodes; i++) {
      targets[i] = new DatanodeInfo.DatanodeInfoBuilder()
          .setNodeID(cluster.cluster.getDataNodes().get(i).getDatanodeId()).build();
      types[i] = StorageType.DISK;
      ids[i] = "storage" + i;
    }
    DatanodeInfo[] sources = new DatanodeInfo[live.length];
    Arrays.fill(sources, targets[0]);
    return new InterceptedTask(dn, pool, WorkerMembers.ofThisHadoop(),
        new StripedBlockReconstructor(dn.getErasureCodingWorker(),
            new StripedReconstructionInfo(group.getBlock(), EcCluster.POLICY, live, sources,
                targets, types, ids, excluded)));
  }

  @Test
  void severalNodesMayHaveTheSameBlock() throws Exception {
    LocatedStripedBlock group = cluster.write("/twice", bytes(LENGTH));
    DataNode dn = cluster.cluster.getDataNodes().get(0);
    InterceptedTask task =
        intercepted(dn, group, new byte[] {2, 0, 2, 1}, 2, new byte[0], pool(dn));
    assertEquals(Arrays.asList(0, 1, 2), new ArrayList<>(task.sources().keySet()));
    assertEquals(2, task.sources().get(2).size());
    assertThrows(UnsupportedOperationException.class, () -> task.sources().remove(0));
    assertThrows(UnsupportedOperationException.class, () -> task.targets().remove(0));
  }

  @Test
  void aTaskHandedBackToAStoppedPoolIsAccountedFor() throws Exception {
    LocatedStripedBlock group = cluster.write("/stopped", bytes(LENGTH));
    DataNode dn = cluster.cluster.getDataNodes().get(0);
    ThreadPoolExecutor stopped =
        new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    stopped.shutdown();
    InterceptedTask task =
        intercepted(dn, group, new byte[] {0, 1, 2}, 2, new byte[0], stopped);
    dn.incrementXmitsInProcess(task.xmits());
    assertFalse(task.runStock());
    assertEquals(0, dn.getXmitsInProgress());
    assertTrue(task.isSettled());
    assertTrue(task.end().isDone());
  }

  /**
   * A command thread may have read the pool's field just before the pools were exchanged. So each
   * pool must still serve it.
   */
  @Test
  void bothPoolsServeTheThreadsThatStillSeeThem() throws Exception {
    DataNode dn = cluster.cluster.getDataNodes().get(0);
    ThreadPoolExecutor stock = pool(dn);
    ErasureCodingWorkerAccess access = ErasureCodingWorkerAccess.install(dn, task -> true);
    ThreadPoolExecutor intercepting = pool(dn);
    assertNotSame(stock, intercepting);
    assertEquals("ran", stock.submit(() -> "ran").get());
    assertEquals("ran", intercepting.submit(() -> "ran").get());
    Thread[] ranOn = new Thread[1];
    intercepting.submit(() -> {
      ranOn[0] = Thread.currentThread();
    }).get();
    assertTrue(ranOn[0].getName().startsWith("StripedBlockReconstruction-"), ranOn[0].getName());
    access.uninstall();
    assertSame(stock, pool(dn));
    assertEquals("ran", intercepting.submit(() -> "ran").get());
    assertFalse(stock.isShutdown());
  }

  @Test
  void onlyOneTakeOverAtATime() throws Exception {
    DataNode dn = cluster.cluster.getDataNodes().get(0);
    ErasureCodingWorkerAccess first = ErasureCodingWorkerAccess.install(dn, task -> false);
    try {
      assertThrows(IOException.class,
          () -> ErasureCodingWorkerAccess.install(dn, task -> false));
    } finally {
      first.uninstall();
    }
    ErasureCodingWorkerAccess.install(dn, task -> false).uninstall();
  }

  /** A StripedWriter with the members of another Hadoop version. */
  @SuppressWarnings("unused")
  private static final class OtherWriter {
    private DatanodeInfo[] targets;
    private int[] targetIndices;
    private StorageType[] targetStorageTypes;
  }

  /** An ErasureCodingWorker that keeps its pool for good. */
  @SuppressWarnings("unused")
  private static final class FinalWorker {
    private final ThreadPoolExecutor stripedReconstructionPool = null;

    float getXmitWeight() {
      return 0;
    }
  }

  private static WorkerMembers membersWith(String name, Class<?> other) {
    return new WorkerMembers(asked -> {
      if (asked.equals(name)) {
        if (other == null) {
          throw new ClassNotFoundException(name);
        }
        return other;
      }
      return Class.forName(WorkerMembers.class.getPackage().getName() + "." + asked);
    });
  }

  @Test
  void nothingIsTakenOverFromAnotherHadoop() throws Exception {
    DataNode dn = cluster.cluster.getDataNodes().get(0);
    ThreadPoolExecutor stock = pool(dn);
    WorkerMembers other = membersWith("StripedWriter", OtherWriter.class);
    assertEquals(Arrays.asList(
        "field StripedBlockReconstructor.stripedWriter of type OtherWriter (it is a"
            + " StripedWriter)",
        "field StripedWriter.targetIndices of type short[] (it is a int[])",
        "field StripedWriter.targetStorageIds of type String[]"), other.missing());
    IOException e = assertThrows(IOException.class,
        () -> ErasureCodingWorkerAccess.install(dn, task -> true, other));
    assertTrue(e.getMessage().contains("targetStorageIds"), e.getMessage());
    assertSame(stock, pool(dn));

    assertEquals(Collections.singletonList("class StripedReader"),
        membersWith("StripedReader", null).missing());
    assertEquals(Collections.singletonList(
        "ErasureCodingWorker.stripedReconstructionPool is final"),
        membersWith("ErasureCodingWorker", FinalWorker.class).missing());
  }
}
