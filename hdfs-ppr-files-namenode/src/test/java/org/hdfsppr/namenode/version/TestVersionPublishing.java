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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.FlushRecorder;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a user or an operator does last, when a new version is verified and not published yet: the
 * comparison under the namesystem's lock sees it, and the old version keeps its path.
 */
@Timeout(600)
class TestVersionPublishing {
  private static final long IDLE_MS = 3_600_000;

  @TempDir
  static File directory;
  private static VersionCluster cluster;
  private static DistributedFileSystem fs;
  private static int files;

  /** Whether the last version has come beyond the comparison. */
  private final AtomicBoolean isSwapBegun = new AtomicBoolean();
  private Path file;
  private byte[] data;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = VersionCluster.conf(directory);
    // With both, stock renames nothing out of a snapshottable directory.
    conf.setBoolean("dfs.namenode.snapshot.deletion.ordered", true);
    conf.setBoolean("dfs.namenode.snapshot.trashroot.enabled", true);
    conf.setLong("dfs.namenode.accesstime.precision", 1);
    cluster = VersionCluster.start(conf);
    fs = cluster.fs();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void unhook() {
    VersionHooks.set(VersionHook.NONE);
  }

  private interface Act {
    void run() throws IOException;
  }

  private VersionRequest.Builder write() throws IOException {
    file = new Path("/ec/publish" + files++ + "/f");
    fs.mkdirs(file.getParent());
    data = cluster.write(file.toString(), (int) VersionCluster.BLOCK, files);
    return cluster.request(file.toString(), VersionCluster.XOR);
  }

  /** Makes a version, and acts when it is verified. */
  private VersionOutcome make(VersionRequest.Builder request, Act act) throws Exception {
    return make(request, VersionPoint.VERIFIED, act);
  }

  private VersionOutcome make(VersionRequest.Builder request, VersionPoint when, Act act)
      throws Exception {
    AtomicReference<String> acted = new AtomicReference<>("not done");
    isSwapBegun.set(false);
    VersionHooks.set((point, path) -> {
      if (point == VersionPoint.PUBLISH_RECORDED) {
        isSwapBegun.set(true);
      }
      if (point == when) {
        try {
          act.run();
          acted.set("done");
        } catch (IOException e) {
          acted.set(e.toString());
        }
      }
    });
    VersionOutcome outcome = cluster.make(request.build());
    VersionHooks.set(VersionHook.NONE);
    assertEquals("done", acted.get(), outcome.toString());
    return outcome;
  }

  private void assertKept(RefusalReason reason, VersionOutcome outcome) throws IOException {
    assertEquals(VersionEnd.REFUSED, outcome.end, outcome.toString());
    assertEquals(reason, outcome.reason, outcome.toString());
    assertKept();
  }

  /** Stock would refuse some swaps as well, after a part of them. */
  private void assertKept() throws IOException {
    assertFalse(isSwapBegun.get(), "the swap is begun");
    assertEquals(VersionCluster.RS, cluster.policyOf(file.toString()));
    cluster.assertContent(file.toString(), data);
    cluster.awaitNothingLeft();
  }

  /** Neither the blocks nor the time of the last change say that a writer has it open. */
  @Test
  void aFileThatIsOpenedForAppending() throws Exception {
    VersionRequest.Builder request = write();
    AtomicReference<OutputStream> writer = new AtomicReference<>();
    VersionOutcome outcome = make(request, () -> writer.set(fs.append(file,
        EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)));
    assertEquals(VersionEnd.CHANGED, outcome.end, outcome.toString());
    assertTrue(outcome.sentence.contains("opened for writing"), outcome.sentence);
    byte[] more = {1, 2, 3};
    writer.get().write(more);
    writer.get().close();
    byte[] all = DFSTestUtil.readFileAsBytes(fs, file);
    assertArrayEquals(data, Arrays.copyOf(all, data.length));
    assertArrayEquals(more, Arrays.copyOfRange(all, data.length, all.length));
    cluster.awaitNothingLeft();
  }

  /** A user may set any time. */
  @Test
  void aFileThatIsWrittenAndHasItsOldTimeAgain() throws Exception {
    VersionRequest.Builder request = write();
    long mtime = fs.getFileStatus(file).getModificationTime();
    byte[] more = {1, 2, 3};
    VersionOutcome outcome = make(request, () -> {
      try (OutputStream out = fs.append(file,
          EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
        out.write(more);
      }
      fs.setTimes(file, mtime, -1);
    });
    assertEquals(VersionEnd.CHANGED, outcome.end, outcome.toString());
    assertEquals(data.length + more.length, fs.getFileStatus(file).getLen());
    assertEquals(VersionCluster.RS, cluster.policyOf(file.toString()));
    cluster.awaitNothingLeft();
  }

  @Test
  void aFileThatItsUserMayNotWriteAnyMore() throws Exception {
    VersionRequest.Builder request = write().user("alice");
    fs.setOwner(file, "alice", "users");
    fs.setOwner(file.getParent(), "alice", "users");
    assertKept(RefusalReason.NO_PERMISSION,
        make(request, () -> fs.setPermission(file, new FsPermission((short) 0400))));
    // It takes the place of another file in the directory.
    fs.setPermission(file, new FsPermission((short) 0600));
    assertKept(RefusalReason.NO_PERMISSION,
        make(request, () -> fs.setPermission(file.getParent(), new FsPermission((short) 0500))));
    fs.setPermission(file.getParent(), new FsPermission((short) 0700));
    VersionOutcome outcome = make(request, () -> { });
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
  }

  /** Its reader has the decoder of the old code, and this code keeps no parity unit. */
  @Test
  void aFileThatIsRead() throws Exception {
    VersionRequest.Builder request = write().idleMs(IDLE_MS);
    long past = System.currentTimeMillis() - 10 * IDLE_MS;
    fs.setTimes(file, past, past);
    assertKept(RefusalReason.IN_USE, make(request, () -> fs.open(file).close()));
    fs.setTimes(file, past, past);
    VersionOutcome outcome = make(request.force(true), () -> fs.open(file).close());
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
  }

  @Test
  void aQuotaThatIsLowered() throws Exception {
    VersionRequest.Builder request = write();
    assertKept(RefusalReason.QUOTA,
        make(request, () -> fs.setQuota(file.getParent(), HdfsConstants.QUOTA_DONT_SET, 1)));
    fs.setQuota(file.getParent(), HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
  }

  @Test
  void aDirectoryThatMayHaveSnapshots() throws Exception {
    VersionRequest.Builder request = write();
    assertKept(RefusalReason.SNAPSHOT_RULES,
        make(request, () -> fs.allowSnapshot(file.getParent())));
    VersionOutcome outcome = cluster.make(request.build());
    assertEquals(RefusalReason.SNAPSHOT_RULES, outcome.reason, outcome.toString());
    fs.disallowSnapshot(file.getParent());
  }

  /**
   * The first attempt notes in the record that the version is being published, and finds no room in
   * the edit log. As nothing was renamed, the version is of no use when its file is gone.
   */
  @Test
  void aFileThatIsDeletedBetweenTwoAttemptsLeavesNothing() throws Exception {
    VersionRequest.Builder request = write();
    ClientProtocol namenode = cluster.mini().getNameNodeRpc(0);
    AtomicInteger attempts = new AtomicInteger();
    AtomicReference<Thread> user = new AtomicReference<>();
    VersionOutcome outcome = make(request, VersionPoint.PUBLISH_COPIED, () -> {
      if (attempts.incrementAndGet() > 1) {
        return;
      }
      // The publisher's thread holds the lock here, which the user gets as soon as that gives it
      // back.
      user.set(new Thread(() -> {
        try {
          namenode.delete(file.toString(), false);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }));
      user.get().start();
      RepairCluster.await("the user waits for the lock",
          () -> user.get().getState() == Thread.State.WAITING);
      // The attempt cannot know how long this edit is, and has no time left to wait for it.
      FlushRecorder.logEdit(cluster.mini().getNamesystem().getEditLog());
      pass(1_000);
    });
    user.get().join();
    assertEquals(1, attempts.get());
    assertEquals(VersionEnd.CHANGED, outcome.end, outcome.toString());
    assertFalse(fs.exists(file));
    cluster.awaitNothingLeft();
  }

  private static void pass(long ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The record says what is to get the path; another file there is none of ours. */
  @Test
  void aWorkFileThatIsNotWhatWasMade() throws Exception {
    VersionRequest.Builder request = write();
    long inode = request.build().inodeId;
    Path work = new Path(VersionHome.CONVERSIONS.directory(inode), VersionNamespace.NEW);
    VersionOutcome outcome = make(request, () -> {
      fs.delete(work, false);
      cluster.write(work.toString(), data.length, 99);
    });
    assertEquals(VersionEnd.CHANGED, outcome.end, outcome.toString());
    assertKept();
  }

  /** Before it is verified, what is wrong with the work file is no change that a user has made. */
  @Test
  void aWorkFileThatIsNotWhatWasOrderedIsMadeAnew() throws Exception {
    VersionRequest.Builder request = write();
    long inode = request.build().inodeId;
    Path work = new Path(VersionHome.CONVERSIONS.directory(inode), VersionNamespace.NEW);
    AtomicInteger tries = new AtomicInteger();
    VersionOutcome outcome = make(request, VersionPoint.COMPLETED, () -> {
      if (tries.incrementAndGet() == 1) {
        fs.delete(work, false);
        cluster.write(work.toString(), data.length, 99);
      }
    });
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    assertEquals(2, tries.get());
    assertEquals(VersionCluster.XOR, cluster.policyOf(file.toString()));
    cluster.assertContent(file.toString(), data);
    cluster.awaitNothingLeft();
  }
}
