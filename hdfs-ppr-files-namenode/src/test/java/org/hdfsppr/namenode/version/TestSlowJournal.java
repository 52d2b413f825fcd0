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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.FlushRecorder;
import org.apache.hadoop.util.Time;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.track.MadeGroups;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Publishers of versions leave the namesystem's lock to others while a journal of edits is slow.
 * The files have no blocks, so that no DataNode is needed.
 */
@Timeout(300)
class TestSlowJournal {
  private static final int PUBLISHERS = 50;
  private static final int VERSIONS = 24;
  private static final int COMMITS = 2;
  /** A flush lasts for longer than a publisher waits for it in its first turn. */
  private static final long FLUSH_MS = 20;
  /** Each turn waits for twice as long as the one before. The machine may be busy. */
  private static final int VAIN_MAX = 10;
  /** Threads that are never all behind a publisher in the queue of the lock. */
  private static final int USERS = 3;
  private static final long HOLD_NANOS = 1_000_000;

  @TempDir
  File directory;
  private final ExecutorService threads = Executors.newFixedThreadPool(PUBLISHERS + USERS);
  private MiniDFSCluster cluster;
  private EmptySwaps swaps;
  private FlushRecorder recorder;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, new File(directory, "dfs").getAbsolutePath());
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 1024);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    swaps = new EmptySwaps(cluster, VersionHook.NONE);
    recorder = new FlushRecorder(cluster.getNamesystem(), 512 << 10);
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
    recorder.release();
    cluster.shutdown();
  }

  private long holds() {
    return swaps.access.lockTimes()[0];
  }

  private List<PublishAnswer> publish(List<PublishOrder> orders) throws Exception {
    List<Future<PublishAnswer>> all = new ArrayList<>();
    for (PublishOrder order : orders) {
      all.add(threads.submit(() -> swaps.access.publish(order)));
    }
    List<PublishAnswer> answers = new ArrayList<>();
    for (Future<PublishAnswer> one : all) {
      answers.add(one.get());
    }
    return answers;
  }

  /** What comes behind a flush waits in the queue, so that nothing can be published. */
  private void holdFlush() {
    recorder.hold();
    recorder.logEdit();
    RepairCluster.await("a flush lasts", recorder::isFlushHeld);
    recorder.logEdit();
  }

  @Test
  void noPublisherTakesTheLockWhileAFlushLasts() throws Exception {
    List<PublishOrder> orders = new ArrayList<>();
    for (int i = 0; i < PUBLISHERS; i++) {
      swaps.create("/ec/f" + i);
      orders.add(swaps.order("/ec/f" + i));
    }
    holdFlush();
    long before = holds();
    for (PublishAnswer answer : publish(orders)) {
      assertTrue(answer.later().isPresent(), answer.toString());
    }
    assertEquals(0, holds() - before, "holds of the lock in vain");

    recorder.release();
    List<PublishOrder> left = new ArrayList<>(orders);
    while (!left.isEmpty()) {
      List<PublishAnswer> answers = publish(left);
      for (int i = answers.size() - 1; i >= 0; i--) {
        if (answers.get(i).later().isEmpty()) {
          assertTrue(answers.get(i).isPublished(), answers.get(i).toString());
          left.remove(i);
        }
      }
    }
    assertEquals(PUBLISHERS, holds() - before, "one hold for each version");
    for (PublishOrder order : orders) {
      assertEquals(order.newInodeId, swaps.inode(order.record.path));
      swaps.clean(order);
    }
  }

  /** Logs edits as users of a busy NameNode do, until the test ends. */
  private void logEdits() {
    for (int i = 0; i < USERS; i++) {
      threads.submit(() -> {
        while (!Thread.interrupted()) {
          FlushRecorder.logEdit(cluster.getNamesystem(), HOLD_NANOS);
        }
      });
    }
  }

  /** Publishes a version as the engine does, and counts its turns in vain. */
  private PublishAnswer publish(PublishOrder order, Runnable inVain) throws Exception {
    VersionNamespace namespace = mock(VersionNamespace.class);
    when(namespace.publish(any())).thenAnswer(call -> {
      PublishAnswer answer = swaps.access.publish(call.getArgument(0));
      if (answer.later().isPresent() && answer.hadTurn()) {
        inVain.run();
      }
      return answer;
    });
    EngineParts parts = new EngineParts(
        new EngineParts.Files(namespace, VersionStores.of(() -> null)),
        new EngineParts.DataNodes(new FakeDoor(0), new OrderBook()),
        new EngineParts.Manager(mock(VersionGate.class), new MadeGroups()),
        null,
        new VersionSettings(4, 0, 1 << 20), VersionHook.NONE,
        new EngineParts.Clocks(Time::monotonicNow, Time::now));
    VersionRequest.Builder request = VersionRequest.of("job", order.record.path,
        order.record.inodeId).user("alice").policy(EmptySwaps.POLICY).force(true);
    order.commit().ifPresent(request::commit);
    MakingGuard guard = new MakingGuard(parts, Optional::empty, () -> false, () -> false);
    VersionRules rules = new VersionRules(mock(CodePaths.class), group -> false);
    Publisher publisher = new Publisher(parts, request.build(), rules, guard, () -> { });
    publisher.begin(order, null, null, 0, () -> 0);
    PhaseSteps.takeAllWithPauses(publisher);
    return publisher.answer();
  }

  /**
   * The thread that flushes begins the next flush when all edits are written, which is when a
   * publisher asks for the lock. An edit of another thread then waits for the end of that flush,
   * and the publisher with it.
   */
  @Test
  void versionsArePublishedWhileFlushesFollowEachOther() throws Exception {
    List<PublishOrder> orders = new ArrayList<>();
    for (int i = 0; i < VERSIONS; i++) {
      swaps.create("/ec/f" + i);
      orders.add(i < VERSIONS - COMMITS ? swaps.order("/ec/f" + i) : swaps.commit("/ec/f" + i));
    }
    recorder.slow(FLUSH_MS);
    logEdits();
    List<PublishOrder> published = Collections.synchronizedList(new ArrayList<>());
    Map<PublishOrder, Integer> inVain = new ConcurrentHashMap<>();
    List<Future<PublishAnswer>> all = new ArrayList<>();
    for (PublishOrder order : orders) {
      all.add(threads.submit(() -> {
        PublishAnswer answer = publish(order, () -> inVain.merge(order, 1, Integer::sum));
        published.add(order);
        return answer;
      }));
    }
    for (Future<PublishAnswer> one : all) {
      PublishAnswer answer = one.get();
      assertTrue(answer.isPublished(), answer.toString());
    }
    inVain.forEach((order, turns) -> assertTrue(turns <= VAIN_MAX, turns + " turns in vain"));
    for (PublishOrder commit : orders.subList(VERSIONS - COMMITS, VERSIONS)) {
      assertTrue(published.indexOf(commit) < VERSIONS / 2, "writers wait for commits");
    }
    recorder.slow(0);
  }

  /** No old version would be kept, and nothing has compared the units of both versions yet. */
  @Test
  void aSnapshotThatIsTakenWhileAPublisherWaitsIsNoticed() throws Exception {
    DistributedFileSystem fs = cluster.getFileSystem();
    fs.allowSnapshot(new Path("/ec"));
    swaps.create("/ec/f");
    PublishOrder order = swaps.order("/ec/f");
    holdFlush();
    AtomicReference<Thread> publisher = new AtomicReference<>();
    Future<PublishAnswer> first = threads.submit(() -> {
      publisher.set(Thread.currentThread());
      return swaps.access.publish(order);
    });
    RepairCluster.await("the publisher waits for the edit log", () -> publisher.get() != null
        && publisher.get().getState() == Thread.State.TIMED_WAITING);
    Future<Path> snapshot = threads.submit(() -> fs.createSnapshot(new Path("/ec"), "s"));
    RepairCluster.await("the snapshot is there",
        () -> cluster.getNamesystem().getNumSnapshots() == 1);
    recorder.release();
    snapshot.get();
    String later = first.get().later().orElseThrow();
    assertTrue(later.contains("a snapshot of /ec/f was taken just now"), later);
    assertTrue(swaps.access.publish(order).isPublished());
    assertEquals(order.newInodeId, swaps.inode("/ec/f"));
  }
}
