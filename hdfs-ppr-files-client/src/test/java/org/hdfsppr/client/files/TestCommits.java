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
package org.hdfsppr.client.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.version.VersionHome;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionHooks;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;
import org.hdfsppr.operate.WaitingUpdates;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits put updates into versions that all clients read. */
@Timeout(300)
class TestCommits extends CommitsOnCluster {
  @BeforeAll
  static void makeDirectories() throws IOException {
    cluster.directory("/hh", "hitchhiker-xorplus", 6, 3);
    cluster.directory("/rs", "rs", 6, 3);
    cluster.directory("/lrc", "lrc-rs-l2", 6, 4);
  }

  /** Updates ranges at random, and changes the content in the same way. */
  static void update(FileUpdater updater, byte[] content, Random random, int updates, int most)
      throws IOException {
    for (int i = 0; i < updates; i++) {
      byte[] update = new byte[1 + random.nextInt(Math.min(most, content.length))];
      random.nextBytes(update);
      int position = random.nextInt(content.length - update.length + 1);
      updater.write(position, update);
      System.arraycopy(update, 0, content, position, update.length);
    }
    updater.hflush();
  }

  private void update(Path file, byte[] content, long seed, int updates, int most)
      throws IOException {
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      update(updater, content, new Random(seed), updates, most);
    }
  }

  private void assertPublished(CommitStatus status, long commit) {
    assertEquals(State.PUBLISHED, status.state, status.toString());
    assertEquals(commit, status.commit);
    assertEquals("", status.message);
  }

  @Test
  void aCommitPutsAllUpdatesIntoAVersionThatStockReads() throws IOException {
    Path file = UpdateCluster.path("committed");
    byte[] content = cluster.write("committed", 1);
    byte[] before = content.clone();
    FileStatus old = cluster.hdfs().fs.getFileStatus(file);
    update(file, content, 2, 60, 3 * UpdateCluster.CELL);
    assertArrayEquals(before, CommitChecks.read(cluster.hdfs().fs, file, before.length));
    WaitingUpdates pending = checks.pending(file);
    assertEquals(0, pending.committed);
    assertEquals(1, pending.next);
    assertTrue(pending.updates >= 60 && pending.stripes >= 3, pending.updates + " updates");
    assertPublished(cluster.commit(file), 1);
    checks.assertCommitted(file, content);
    checks.assertSeen(file, content);
    checks.assertTrimmed(file);
    FileStatus made = cluster.hdfs().fs.getFileStatus(file);
    assertTrue(made.getModificationTime() > old.getModificationTime());
    assertEquals(old.getPermission(), made.getPermission());
    assertEquals(old.getLen(), made.getLen());
    assertEquals(State.NOTHING, cluster.commit(file).state);
    // What comes now is in the next commit.
    update(file, content, 3, 5, 100);
    CommitStatus second = cluster.commit(file);
    assertEquals(State.PUBLISHED, second.state, second.toString());
    assertTrue(second.commit > 1);
    checks.assertCommitted(file, content);
    checks.assertTrimmed(file);
  }

  /** A writer gets tickets of all units of the group, and uses one of them. */
  @Test
  void unitsWithoutUpdatesAreNotSilent() throws IOException {
    Path file = UpdateCluster.path("one-unit");
    cluster.write("one-unit", 3);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      updater.write(5, new byte[100]);
      updater.hflush();
    }
    WaitingUpdates pending = checks.pending(file);
    assertEquals(1, pending.updates);
    assertEquals(UpdateCluster.K, pending.units);
    assertEquals(0, pending.silentUnits);
  }

  @Test
  void openStreamsAndWritersGoOnInTheNewVersion() throws IOException {
    Path file = UpdateCluster.path("open");
    byte[] content = cluster.write("open", 4);
    Random random = new Random(5);
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file);
        FSDataInputStream in = fs.open(file)) {
      for (int commit = 1; commit <= 3; commit++) {
        update(updater, content, random, 10, 2 * UpdateCluster.CELL);
        byte[] read = new byte[content.length];
        in.readFully(0, read);
        assertArrayEquals(content, read, "before commit " + commit);
        CommitStatus status = cluster.commit(file);
        assertEquals(State.PUBLISHED, status.state, status.toString());
        in.readFully(0, read);
        assertArrayEquals(content, read, "after commit " + commit);
        in.seek(0);
        in.readFully(read);
        assertArrayEquals(content, read, "by a stateful read after commit " + commit);
        updater.hsync();
      }
    }
    checks.assertCommitted(file, content);
  }

  /** A stream that has returned no byte reads from the version that the path has by then. */
  @Test
  void streamsThatHaveReadNothingGoOnAfterCommits() throws IOException {
    Path file = UpdateCluster.path("unread");
    byte[] content = cluster.write("unread", 6);
    try (PprFileSystem fs = cluster.client(); FSDataInputStream early = fs.open(file)) {
      update(file, content, 7, 10, UpdateCluster.CELL);
      assertEquals(State.PUBLISHED, cluster.commit(file).state);
      try (FSDataInputStream late = fs.open(file)) {
        update(file, content, 8, 10, UpdateCluster.CELL);
        assertEquals(State.PUBLISHED, cluster.commit(file).state);
        for (FSDataInputStream in : List.of(early, late)) {
          byte[] read = new byte[content.length];
          in.readFully(0, read);
          assertArrayEquals(content, read);
        }
      }
    }
  }

  /** Writes and reads at each moment of a commit. */
  @Test
  void updatesDuringACommitAreKeptAndSeen() throws Exception {
    Path file = UpdateCluster.path("during");
    byte[] content = cluster.write("during", 6);
    Random random = new Random(7);
    List<Throwable> failures = new ArrayList<>();
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file);
        FSDataInputStream in = fs.open(file)) {
      update(updater, content, random, 20, UpdateCluster.CELL);
      byte[] committed = content.clone();
      VersionHooks.set((point, path) -> {
        boolean isUnderLock = point.name().startsWith("PUBLISH_");
        // Writers wait while the terms of a commit begin.
        boolean isFenced = point == VersionPoint.COMMIT_BEGUN || point == VersionPoint.TERMS_BEGUN;
        if (!path.equals(file.toString()) || isUnderLock || !failures.isEmpty()) {
          return;
        }
        try {
          if (!isFenced) {
            update(updater, content, random, 2, UpdateCluster.CELL);
          }
          byte[] read = new byte[content.length];
          in.readFully(0, read);
          assertArrayEquals(content, read, "at " + point);
        } catch (IOException | AssertionError e) {
          failures.add(e);
        }
      });
      CommitStatus status = cluster.commit(file);
      VersionHooks.set(VersionHook.NONE);
      assertEquals(List.of(), failures);
      assertPublished(status, 1);
      checks.assertCommitted(file, committed);
      checks.assertSeen(file, content);
      assertTrue(checks.pending(file).updates > 0);
      assertEquals(State.PUBLISHED, cluster.commit(file).state);
      checks.assertCommitted(file, content);
      checks.assertTrimmed(file);
    }
  }

  private void commitUnder(String root, int length, long seed) throws IOException {
    Path file = new Path(root, "f" + length);
    byte[] content = cluster.hdfs().write(file, length, UpdateCluster.UNIT, seed);
    for (int commit = 1; commit <= 2; commit++) {
      update(file, content, seed + commit, 6, 5_000);
      CommitStatus status = cluster.commit(file);
      assertEquals(State.PUBLISHED, status.state, file + ": " + status);
      checks.assertCommitted(file, content);
      checks.assertSeen(file, content);
      checks.assertTrimmed(file);
    }
  }

  /** Lengths around the ends of cells, stripes and groups; each file in each code. */
  @Test
  void shortFilesAndPartialStripesOfAllCodes() throws IOException {
    int cell = UpdateCluster.CELL;
    for (int length : new int[] {1, 777, cell, cell + 1, 3 * cell + 5, 6 * cell - 1,
        7 * cell + 333, 18 * cell, 20 * cell + 4_097}) {
      commitUnder("/rs", length, length);
    }
    for (String root : new String[] {"/hh", "/lrc"}) {
      for (int length : new int[] {777, 3 * cell + 5, 7 * cell + 333, 20 * cell + 4_097}) {
        commitUnder(root, length, length);
      }
    }
  }

  @Test
  void attributesOwnersAndSnapshotsStay() throws IOException {
    Path file = UpdateCluster.path("attributes");
    byte[] content = cluster.write("attributes", 8);
    DistributedFileSystem fs = cluster.hdfs().fs;
    fs.setOwner(file, "carol", "painters");
    fs.setPermission(file, new FsPermission((short) 0640));
    fs.setXAttr(file, "user.colour", new byte[] {1, 2, 3});
    Path root = new Path(UpdateCluster.DIRECTORY);
    fs.allowSnapshot(root);
    fs.createSnapshot(root, "zero");
    byte[] zero = content.clone();
    update(file, content, 9, 20, UpdateCluster.CELL);
    assertEquals(State.PUBLISHED, cluster.commit(file).state);
    fs.createSnapshot(root, "one");
    byte[] one = content.clone();
    update(file, content, 10, 20, UpdateCluster.CELL);
    assertEquals(State.PUBLISHED, cluster.commit(file).state);
    FileStatus status = fs.getFileStatus(file);
    assertEquals("carol", status.getOwner());
    assertEquals("painters", status.getGroup());
    assertEquals(new FsPermission((short) 0640), status.getPermission());
    assertArrayEquals(new byte[] {1, 2, 3}, fs.getXAttr(file, "user.colour"));
    assertArrayEquals(zero, CommitChecks.read(fs, new Path(root, ".snapshot/zero/attributes"),
        zero.length));
    assertArrayEquals(one, CommitChecks.read(fs, new Path(root, ".snapshot/one/attributes"),
        one.length));
    checks.assertCommitted(file, content);
    fs.deleteSnapshot(root, "zero");
    fs.deleteSnapshot(root, "one");
    fs.disallowSnapshot(root);
  }

  @Test
  void onlyThoseWhoMayWriteCommit() throws Exception {
    Path file = UpdateCluster.path("rights");
    byte[] content = cluster.write("rights", 11);
    cluster.hdfs().fs.setPermission(file, new FsPermission((short) 0644));
    update(file, content, 12, 3, 100);
    UserGroupInformation bob =
        UserGroupInformation.createUserForTesting("bob", new String[] {"others"});
    assertThrows(AccessControlException.class, () ->
        cluster.pluginOf(bob).commit(file.toString(), null));
    assertTrue(cluster.pluginOf(bob).pendingUpdates(file.toString()).updates >= 3);
    cluster.hdfs().fs.setPermission(file, new FsPermission((short) 0600));
    assertThrows(AccessControlException.class, () ->
        cluster.pluginOf(bob).pendingUpdates(file.toString()));
    assertEquals(State.PUBLISHED, cluster.commit(file).state);
    checks.assertCommitted(file, content);
  }

  @Test
  void aFileThatIsRenamedOrDeletedMeanwhileStaysAsItsUsersLeftIt() throws IOException {
    Path file = UpdateCluster.path("renamed");
    Path other = UpdateCluster.path("renamed-2");
    byte[] content = cluster.write("renamed", 13);
    byte[] before = content.clone();
    update(file, content, 14, 10, UpdateCluster.CELL);
    FileSystem fs = cluster.hdfs().fs;
    VersionHooks.set((point, path) -> {
      if (point == VersionPoint.VERIFIED && path.equals(file.toString())) {
        try {
          assertTrue(fs.rename(file, other));
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
    });
    CommitStatus status = cluster.commit(file);
    assertEquals(State.FAILED, status.state, status.toString());
    VersionHooks.set(VersionHook.NONE);
    assertArrayEquals(before, CommitChecks.read(fs, other, before.length));
    checks.assertSeen(other, content);
    assertEquals(State.PUBLISHED, cluster.commit(other).state);
    checks.assertCommitted(other, content);
    VersionHooks.set((point, path) -> {
      if (point == VersionPoint.COLLECTED && path.equals(other.toString())) {
        try {
          assertTrue(fs.delete(other, false));
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
    });
    update(other, content, 15, 2, 100);
    assertEquals(State.FAILED, cluster.commit(other).state);
    assertThrows(IOException.class, () -> fs.getFileStatus(other));
  }

  /** Deletes the replica of a unit of the first group. */
  private static void lose(Path path, int unit) throws IOException {
    LocatedStripedBlock group = cluster.hdfs().groups(path).get(0);
    RepairCluster.drop(cluster.hdfs().datanode(RepairCluster.holders(group).get(unit)),
        RepairCluster.internalBlock(group, unit));
    RepairCluster.await("the NameNode knows that a unit is lost", () -> {
      try {
        return !RepairCluster.holders(cluster.hdfs().groups(path).get(0)).containsKey(unit);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  /** A unit that no node has is repaired before it is committed. */
  @Test
  void aLostUnitIsNotCommitted() throws IOException {
    Path file = UpdateCluster.path("lost");
    byte[] content = cluster.write("lost", 16);
    update(file, content, 17, 20, UpdateCluster.CELL);
    lose(file, 1);
    CommitStatus status = cluster.commit(file);
    assertEquals(State.FAILED, status.state, status.toString());
    assertTrue(status.message.contains("repair"), status.message);
    checks.assertSeen(file, content);
  }

  /** No log has the updates any more as soon as a version with them is published. */
  @Test
  void aVersionThatLosesAUnitBeforeItIsPublishedIsMadeAnew() throws IOException {
    Path file = UpdateCluster.path("lost-meanwhile");
    byte[] content = cluster.write("lost-meanwhile", 22);
    update(file, content, 23, 20, UpdateCluster.CELL);
    Path made = new Path(VersionHome.COMMITS.directory(
        ((HdfsFileStatus) cluster.hdfs().fs.getFileStatus(file)).getFileId()), "new");
    int units = RepairCluster.holders(cluster.hdfs().groups(file).get(0)).size();
    AtomicInteger tries = new AtomicInteger();
    AtomicInteger published = new AtomicInteger();
    VersionHooks.set((point, path) -> {
      try {
        if (point == VersionPoint.VERIFIED && path.equals(file.toString())
            && tries.incrementAndGet() == 1) {
          lose(made, 1);
        } else if (point == VersionPoint.PUBLISHED && path.equals(file.toString())) {
          published.set(RepairCluster.holders(cluster.hdfs().groups(file).get(0)).size());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    assertPublished(cluster.commit(file), 1);
    assertEquals(units, published.get(), "units of the version when it was published");
    assertEquals(2, tries.get());
    checks.assertCommitted(file, content);
  }

  /** Writers whose logs are full wait for commits, which a pause of repairs must not hold. */
  @Test
  void aPauseOfRepairsHoldsNoCommit() throws IOException {
    Path file = UpdateCluster.path("paused");
    byte[] content = cluster.write("paused", 18);
    StrategyCommits runs = new StrategyCommits(cluster, "cau");
    runs.pauseRepairs();
    try {
      update(file, content, 19, 20, UpdateCluster.CELL);
      assertPublished(cluster.commit(file), 1);
      checks.assertCommitted(file, content);
    } finally {
      runs.resumeRepairs();
    }
  }

  @Test
  void aDataNodeThatStartsAgainInTheMiddleEndsNothing() throws IOException {
    Path file = UpdateCluster.path("restarted");
    byte[] content = cluster.write("restarted", 18);
    update(file, content, 19, 20, UpdateCluster.CELL);
    int node = cluster.hdfs().mini().getDataNodes().indexOf(cluster.hdfs().datanode(
        RepairCluster.holders(cluster.hdfs().groups(file).get(0)).get(0)));
    VersionHooks.set((point, path) -> {
      if (point == VersionPoint.COLLECTED && path.equals(file.toString())) {
        try {
          assertTrue(cluster.hdfs().mini().restartDataNode(node, true));
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
    });
    CommitStatus status = cluster.commit(file);
    VersionHooks.set(VersionHook.NONE);
    checks.assertSeen(file, content);
    if (status.state == State.FAILED) {
      // The node was away for too long. Nothing is lost, and the next commit has all.
      cluster.hdfs().mini().waitActive();
      status = cluster.commit(file);
    }
    assertEquals(State.PUBLISHED, status.state, status.toString());
    checks.assertCommitted(file, content);
    checks.assertSeen(file, content);
  }
}
