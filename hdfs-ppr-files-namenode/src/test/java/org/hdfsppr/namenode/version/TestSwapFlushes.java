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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.namenode.FlushRecorder;
import org.apache.hadoop.util.VersionInfo;
import org.hdfsppr.namenode.StockReplay;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * No flush of the edit log comes between the two renames of a swap, while other threads and clients
 * log edits all the time. The files have no blocks, so that no DataNode is needed.
 */
@Timeout(1800)
class TestSwapFlushes {
  private static final String QUEUE = "dfs.namenode.edits.asynclogging.pending.queue.size";
  private static final int BUFFER = 512 << 10;
  /** Threads that swap, each a file of its own. */
  private static final int SWAPPERS = 4;
  private static final int CLIENTS = 3;
  private static final int SWAPS = Integer.getInteger("hdfs.ppr.test.swaps", 200);
  private static final int MANY = Integer.getInteger("hdfs.ppr.test.swaps.many", 10_000);

  @TempDir
  File directory;
  private MiniDFSCluster cluster;
  /** Null if the edits are in directories. */
  private MiniQJMHACluster quorum;
  private EmptySwaps swaps;
  private FlushRecorder recorder;
  /** The numbers of the first renames. */
  private final Set<Long> firsts = ConcurrentHashMap.newKeySet();
  private final AtomicInteger later = new AtomicInteger();

  private void start(Configuration conf, int bufferBytes) throws IOException {
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, new File(directory, "dfs").getAbsolutePath());
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 1024);
    record(new MiniDFSCluster.Builder(conf).numDataNodes(0).build(), bufferBytes);
  }

  /** Two NameNodes, whose shared edits are on three JournalNodes. */
  private void startPair(Configuration conf, int bufferBytes) throws IOException {
    String base = new File(directory, "pair").getAbsolutePath();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, base);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 1024);
    quorum = new MiniQJMHACluster.Builder(conf).baseDir(base + "/journals").build();
    quorum.getDfsCluster().transitionToActive(0);
    record(quorum.getDfsCluster(), bufferBytes);
  }

  private void record(MiniDFSCluster started, int bufferBytes) throws IOException {
    cluster = started;
    swaps = new EmptySwaps(cluster, (point, path) -> {
      if (point == VersionPoint.PUBLISH_MOVED) {
        firsts.add(recorder.lastEdit());
      }
    });
    recorder = new FlushRecorder(cluster.getNamesystem(0), bufferBytes);
  }

  @AfterEach
  void stop() throws IOException {
    if (quorum != null) {
      quorum.shutdown();
    } else if (cluster != null) {
      cluster.shutdown();
    }
  }

  private void swap(String path) throws IOException {
    PublishOrder order = swaps.order(path);
    PublishAnswer answer = swaps.access.publish(order);
    while (answer.later().isPresent()) {
      later.incrementAndGet();
      answer = swaps.access.publish(order);
    }
    assertTrue(answer.isPublished(), answer.toString());
    assertEquals(order.newInodeId, swaps.inode(path));
    swaps.clean(order);
  }

  /** Swaps, while clients make directories, and write attributes of many sizes. */
  private void swapUnderLoad(int count) throws Exception {
    AtomicBoolean isDone = new AtomicBoolean();
    AtomicInteger left = new AtomicInteger(count);
    ExecutorService threads = Executors.newFixedThreadPool(SWAPPERS + CLIENTS);
    List<Future<?>> swappers = new ArrayList<>();
    List<Future<?>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      int number = i;
      clients.add(threads.submit(() -> {
        try (FileSystem fs = FileSystem.newInstance(cluster.getURI(0),
            cluster.getConfiguration(0))) {
          Path path = new Path("/load" + number);
          for (int n = 0; !isDone.get(); n++) {
            fs.mkdirs(new Path(path, Integer.toString(n % 50)));
            fs.setXAttr(path, "user.x", new byte[n * 37 % 700]);
            fs.delete(new Path(path, Integer.toString((n + 7) % 50)), true);
            recorder.syncAll();
          }
        }
        return null;
      }));
    }
    for (int i = 0; i < SWAPPERS; i++) {
      String path = "/ec/f" + i;
      swaps.create(path);
      swappers.add(threads.submit(() -> {
        while (left.getAndDecrement() > 0) {
          swap(path);
        }
        return null;
      }));
    }
    try {
      for (Future<?> one : swappers) {
        one.get(30, TimeUnit.MINUTES);
      }
    } finally {
      isDone.set(true);
    }
    for (Future<?> one : clients) {
      one.get(1, TimeUnit.MINUTES);
    }
    threads.shutdown();
    Set<Long> apart = new HashSet<>(firsts);
    apart.retainAll(recorder.flushed);
    System.out.println(firsts.size() + " swaps, " + recorder.flushed.size() + " flushes, "
        + apart.size() + " swaps flushed apart, " + later + " times later");
    assertEquals(Collections.emptySet(), apart, "first renames that were flushed alone");
    assertEquals(count, firsts.size());
  }

  private void assertReplay() throws IOException {
    StockReplay.assertStarts(cluster, new File(directory, "replays"), "/");
  }

  @Test
  void withAQueue() throws Exception {
    start(new HdfsConfiguration(), BUFFER);
    swapUnderLoad(SWAPS);
    assertReplay();
  }

  /** Each buffer is full after some edits, and an edit often waits for a place. */
  @Test
  void withASmallQueueAndSmallBuffers() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setInt(QUEUE, 4);
    start(conf, 1024);
    swapUnderLoad(SWAPS);
    assertReplay();
  }

  @Test
  void withoutAQueue() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean("dfs.namenode.edits.asynclogging", false);
    start(conf, 1024);
    swapUnderLoad(SWAPS);
    assertReplay();
  }

  /** The other NameNode, which has no plugin, has all files and no gap after a failover. */
  @Test
  void onAQuorumOfJournals() throws Exception {
    startPair(new HdfsConfiguration(), BUFFER);
    swapOverFailover(SWAPS);
  }

  @Test
  void onAQuorumOfJournalsWithASmallQueueAndSmallBuffers() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setInt(QUEUE, 4);
    startPair(conf, 1024);
    swapOverFailover(SWAPS);
  }

  private void swapOverFailover(int count) throws Exception {
    assertEquals(3, recorder.journals(), "two directories of its own, and the quorum");
    swapUnderLoad(count);
    List<Long> inodes = new ArrayList<>();
    for (int i = 0; i < SWAPPERS; i++) {
      inodes.add(swaps.inode("/ec/f" + i));
    }
    cluster.shutdownNameNode(0);
    cluster.transitionToActive(1);
    for (int i = 0; i < SWAPPERS; i++) {
      assertEquals(inodes.get(i), cluster.getNameNodeRpc(1).getFileInfo("/ec/f" + i).getFileId());
    }
  }

  /** Slow, since each swap is preceded by some edits that have to be on disk. */
  @Test
  @Tag("slow")
  void manyWithAQueue() throws Exception {
    start(new HdfsConfiguration(), BUFFER);
    swapUnderLoad(MANY);
  }

  /** Slow, as the one before. */
  @Test
  @Tag("slow")
  void manyWithASmallQueueAndSmallBuffers() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setInt(QUEUE, 4);
    start(conf, 1024);
    swapUnderLoad(MANY);
  }

  /** Slow, as the one before. */
  @Test
  @Tag("slow")
  void manyWithoutAQueue() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean("dfs.namenode.edits.asynclogging", false);
    start(conf, 1024);
    swapUnderLoad(MANY);
  }

  /** Slow, as the one before. */
  @Test
  @Tag("slow")
  void manyOnAQuorumOfJournals() throws Exception {
    startPair(new HdfsConfiguration(), BUFFER);
    swapOverFailover(MANY);
  }

  private void assertBusy(String why) throws IOException {
    swaps.create("/ec/f");
    PublishOrder order = swaps.order("/ec/f");
    long before = recorder.lastEdit();
    VersionRefusal refusal = swaps.access.publish(order).refusal().orElseThrow();
    assertEquals(RefusalReason.BUSY, refusal.reason, refusal.toString());
    assertTrue(refusal.sentence.contains(why), refusal.sentence);
    assertEquals(before, recorder.lastEdit(), "nothing has changed");
    assertTrue(firsts.isEmpty());
    assertFalse(recorder.flushed.isEmpty());
  }

  @Test
  void aRenameThatFillsABufferIsRefused() throws Exception {
    start(new HdfsConfiguration(), 200);
    assertBusy("of a journal of edits has 200 bytes");
  }

  @Test
  void aQueueWithOnePlaceIsRefused() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setInt(QUEUE, 1);
    start(conf, BUFFER);
    assumeTrue(
        VersionInfo.getVersion().compareTo("3.4") > 0,
        "the queue has its size from that setting");
    assertBusy(QUEUE);
  }
}
