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
package org.apache.hadoop.hdfs.server.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.UpdateAccess.EditSync;
import org.hdfsppr.loader.HadoopMembers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A wait for the edit log ends, whatever becomes of the log. */
@Timeout(120)
class TestEditSync {
  private static final String ASYNC = "dfs.namenode.edits.asynclogging";

  @TempDir
  File directory;
  private MiniDFSCluster cluster;
  private FSEditLog log;

  private void start(boolean isAsync) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, new File(directory, "dfs").getAbsolutePath());
    conf.setBoolean(ASYNC, isAsync);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    log = cluster.getNamesystem().getEditLog();
    assertEquals(isAsync, log instanceof FSEditLogAsync);
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  private int waiting() {
    return new NamespaceMembers(HadoopMembers.inPackageOf(EditSync.class)).pendingEdits(log)
        .size();
  }

  private void logOne() {
    // As stock does it, the lock keeps the log from being rolled or closed.
    cluster.getNamesystem().writeLock();
    try {
      log.logTimes("/", 1, 1);
    } finally {
      cluster.getNamesystem().writeUnlock();
    }
  }

  @Test
  void allEditsAreOnDisk() throws IOException {
    for (boolean isAsync : new boolean[] {true, false}) {
      start(isAsync);
      logOne();
      new EditSync(log).sync();
      assertTrue(log.getSyncTxId() >= log.getLastWrittenTxId());
      stop();
    }
  }

  /**
   * An edit is acknowledged when it is flushed, also while others wait for all edits. Stock's wait
   * for all edits, without the namesystem's lock, has edits that are not written yet count as
   * flushed.
   */
  @Test
  void noAcknowledgedEditWaitsInABuffer() throws Exception {
    start(true);
    EditSync sync = new EditSync(log);
    AtomicBoolean isDone = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    List<Future<?>> waiters = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      waiters.add(threads.submit(() -> {
        while (!isDone.get()) {
          sync.sync();
        }
        return null;
      }));
    }
    NamespaceMembers members =
        new NamespaceMembers(HadoopMembers.inPackageOf(EditSync.class));
    EditsDoubleBuffer buffer =
        members.buffer(log.getJournals().get(0).getCurrentStream());
    ClientProtocol client = cluster.getFileSystem().getClient().getNamenode();
    try {
      for (int i = 0; i < 3_000; i++) {
        client.mkdirs("/d" + i % 20 + "/" + i, FsPermission.getDirDefault(), true);
        assertEquals(0, buffer.countBufferedBytes(), "edit " + i + " is only in a buffer");
      }
    } finally {
      isDone.set(true);
      for (Future<?> waiter : waiters) {
        waiter.get();
      }
      threads.shutdown();
    }
  }

  /** What a NameNode has logged before it lost its role is on disk. */
  @Test
  void aLogThatIsClosedLetsNoCallerWait() throws IOException {
    start(true);
    EditSync sync = new EditSync(log, 200);
    logOne();
    log.close();
    sync.sync();
    assertEquals(0, waiting());
    log.initJournalsForWrite();
    log.openForWrite(NameNodeLayoutVersion.CURRENT_LAYOUT_VERSION);
    sync.sync();
  }

  @Test
  void aWaitHasABound() {
    FSEditLogAsync slow = mock(FSEditLogAsync.class);
    when(slow.getLastWrittenTxId()).thenReturn(5L);
    when(slow.getSyncTxId()).thenReturn(4L);
    String why =
        assertThrows(IOException.class, () -> new EditSync(slow, 50).sync()).getMessage();
    assertTrue(why.contains("within 50 ms"), why);
  }
}
