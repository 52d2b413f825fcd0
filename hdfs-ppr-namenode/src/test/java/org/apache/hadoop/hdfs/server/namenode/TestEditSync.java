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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
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

  /** A NameNode loses its role. Stock waits until it has it again. */
  @Test
  void aLogThatIsClosedLetsNoCallerWait() throws IOException {
    start(true);
    EditSync sync = new EditSync(log, 200);
    sync.sync();
    log.close();
    for (int i = 0; i < 3; i++) {
      String why = assertThrows(IOException.class, sync::sync).getMessage();
      assertTrue(why.contains("has not said within 200 ms"), why);
    }
    assertEquals(1, waiting(), "callers leave no more than one mark in the queue");
    assertFalse(log.isOpenForWrite());

    log.initJournalsForWrite();
    log.openForWrite(NameNodeLayoutVersion.CURRENT_LAYOUT_VERSION);
    new EditSync(log).sync();
    sync.sync();
    assertEquals(0, waiting());
  }
}
