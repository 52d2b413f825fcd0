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

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
import org.hdfsppr.datanode.RepairCluster;
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

  @TempDir
  File directory;
  private final ExecutorService threads = Executors.newFixedThreadPool(PUBLISHERS);
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
    return swaps.access().lockTimes()[0];
  }

  private List<PublishAnswer> publish(List<PublishOrder> orders) throws Exception {
    List<Future<PublishAnswer>> all = new ArrayList<>();
    for (PublishOrder order : orders) {
      all.add(threads.submit(() -> swaps.access().publish(order)));
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
      assertEquals(order.newInodeId(), swaps.inode(order.record().path()));
      swaps.clean(order);
    }
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
      return swaps.access().publish(order);
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
    assertTrue(swaps.access().publish(order).isPublished());
    assertEquals(order.newInodeId(), swaps.inode("/ec/f"));
  }
}
