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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.ReportCounts;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.StockReplay;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stock fails to delete a striped file that was renamed while a snapshot had it, and then ends each
 * NameNode that replays what follows. No version leaves such a file behind, wherever snapshots are
 * taken: after each case, users delete what they have, the standby follows, and a stock NameNode
 * starts.
 */
@Timeout(900)
class TestVersionSnapshots {
  private static final int BYTES = (int) (VersionCluster.BLOCK * 6 + 70_001);
  private static final Path ROOT = new Path("/");

  @TempDir
  static File directory;
  private static VersionCluster cluster;
  private static DistributedFileSystem fs;
  private static int cases;

  private Path dir;
  private Path file;
  private byte[] data;

  @BeforeAll
  static void start() throws IOException {
    cluster = VersionCluster.startPair(directory);
    fs = cluster.fs();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void write() throws IOException {
    dir = new Path("/ec/snapshots" + cases++);
    file = new Path(dir, "f");
    fs.mkdirs(dir);
    fs.setQuota(dir, 1_000, 1L << 30);
    data = cluster.write(file.toString(), BYTES, cases);
  }

  /** Users delete all that they have, with and without snapshots, and each NameNode bears it. */
  @AfterEach
  void end() throws IOException {
    VersionHooks.set(VersionHook.NONE);
    if (cluster.active() != 0) {
      cluster.failOver();
    }
    cluster.engine(0);
    assertFollowed();
    assertTrue(fs.delete(file, false));
    cluster.write(file.toString(), BYTES, 99);
    assertFollowed();
    for (Path root : new Path[] {dir, ROOT}) {
      for (FileStatus one : snapshots(root)) {
        fs.deleteSnapshot(root, one.getPath().getName());
      }
      if (fs.exists(new Path(root, ".snapshot"))) {
        fs.disallowSnapshot(root);
      }
    }
    assertTrue(fs.delete(dir, true));
    assertFollowed();
    cluster.awaitNothingLeft();
  }

  private static FileStatus[] snapshots(Path root) throws IOException {
    Path all = new Path(root, ".snapshot");
    return fs.exists(all) ? fs.listStatus(all) : new FileStatus[0];
  }

  private static void assertFollowed() throws IOException {
    StockReplay.assertStandbyFollows(cluster.mini(), cluster.active());
    StockReplay.assertStarts(cluster.mini(), new File(directory, "replays"), "/ec");
  }

  private interface Act {
    void run(int time) throws IOException;
  }

  /** Makes a version, and acts each time when it comes to a point. */
  private VersionOutcome make(VersionPoint when, Act act) throws Exception {
    AtomicInteger times = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    VersionHooks.set((point, path) -> {
      if (point == when) {
        try {
          act.run(times.incrementAndGet());
        } catch (IOException | RuntimeException | AssertionError e) {
          failure.set(e);
        }
      }
    });
    VersionOutcome outcome =
        cluster.make(0, cluster.request(file.toString(), VersionCluster.XOR).build());
    VersionHooks.set(VersionHook.NONE);
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
    assertTrue(times.get() > 0, when + " is not reached: " + outcome);
    return outcome;
  }

  private void assertPublished(VersionOutcome outcome) throws IOException {
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    assertEquals(VersionCluster.XOR, cluster.policyOf(file.toString()));
    cluster.assertContent(file.toString(), data);
  }

  private void assertKept(RefusalReason reason, VersionOutcome outcome) throws IOException {
    assertEquals(VersionEnd.REFUSED, outcome.end, outcome.toString());
    assertEquals(reason, outcome.reason, outcome.toString());
    assertEquals(VersionCluster.RS, cluster.policyOf(file.toString()));
    cluster.assertContent(file.toString(), data);
    cluster.awaitNothingLeft();
  }

  /** Takes a snapshot of a directory that has all versions. */
  private static void snapshotOfRoot(String name) throws IOException {
    fs.allowSnapshot(ROOT);
    fs.createSnapshot(ROOT, name);
  }

  private void snapshot(String name) throws IOException {
    fs.allowSnapshot(dir);
    fs.createSnapshot(dir, name);
  }

  private void assertInSnapshot(String name, byte[] content) throws IOException {
    cluster.assertContent(dir + "/.snapshot/" + name + "/f", content);
  }

  /** The work file is in the snapshot. It is made anew, and is not when it gets the path. */
  @Test
  void aSnapshotOfTheRootIsTakenWhileAVersionIsMade() throws Exception {
    for (VersionPoint point : new VersionPoint[] {VersionPoint.CREATED, VersionPoint.VERIFIED}) {
      AtomicInteger tries = new AtomicInteger();
      assertPublished(make(point, time -> {
        tries.set(time);
        if (time == 1) {
          snapshotOfRoot("r" + point);
        }
      }));
      assertEquals(2, tries.get(), point.toString());
      assertFollowed();
      fs.delete(file, false);
      data = cluster.write(file.toString(), BYTES, cases);
    }
  }

  @Test
  void snapshotsOfTheRootAreTakenAllTheTime() throws Exception {
    VersionOutcome outcome = make(VersionPoint.VERIFIED, time -> {
      assertTrue(time <= 3, "at most three tries");
      snapshotOfRoot("r" + time);
    });
    assertKept(RefusalReason.BUSY, outcome);
    assertTrue(outcome.sentence.contains("snapshot"), outcome.sentence);
  }

  /** One edit: there is no old version in the work directory, and no moment without a file. */
  @Test
  void aFileOfASnapshotGetsItsVersion() throws Exception {
    snapshot("s");
    assertPublished(make(VersionPoint.PUBLISHED, time -> { }));
    cluster.awaitNothingLeft();
    assertInSnapshot("s", data);
    try (StockReplay stock = StockReplay.start(cluster.mini(), new File(directory, "replays"))) {
      stock.assertSameUsage(cluster.mini().getFileSystem(0), dir);
    }
    fs.createSnapshot(dir, "t");
    VersionOutcome back =
        cluster.make(0, cluster.request(file.toString(), VersionCluster.NONXOR).build());
    assertEquals(VersionEnd.PUBLISHED, back.end, back.toString());
    assertInSnapshot("s", data);
    assertInSnapshot("t", data);
    assertFollowed();
    fs.deleteSnapshot(dir, "s");
    assertInSnapshot("t", data);
    cluster.assertContent(file.toString(), data);
  }

  @Test
  void aSnapshotIsTakenAtTheLastMoment() throws Exception {
    assertPublished(make(VersionPoint.VERIFIED, time -> snapshot("s")));
    cluster.awaitNothingLeft();
    assertInSnapshot("s", data);
  }

  /** The old version could go with the snapshot at any time, so that nothing would keep it. */
  @Test
  void aNewVersionThatHasLostAUnitIsMadeAnew() throws Exception {
    snapshot("s");
    AtomicInteger tries = new AtomicInteger();
    assertPublished(make(VersionPoint.VERIFIED, time -> {
      tries.set(time);
      if (time == 1) {
        spoilUnit(new Path(cluster.left().get(0), VersionNamespace.NEW));
      }
    }));
    assertEquals(2, tries.get());
    cluster.awaitNothingLeft();
    assertInSnapshot("s", data);
  }

  /** The NameNode cannot know whether a node that has started again has its units still. */
  @Test
  void aNewVersionWhoseNodeHasNotReportedAllOfItsUnitsIsMadeAnew() throws Exception {
    snapshot("s");
    AtomicInteger tries = new AtomicInteger();
    assertPublished(make(VersionPoint.VERIFIED, time -> {
      tries.set(time);
      if (time == 1) {
        Path made = new Path(cluster.left().get(0), VersionNamespace.NEW);
        ReportCounts.forget(cluster.mini().getNamesystem(0).getBlockManager(),
            cluster.cluster.groups(made).get(0).getLocations()[0].getDatanodeUuid());
      } else {
        cluster.mini().triggerBlockReports();
      }
    }));
    assertEquals(2, tries.get());
    cluster.awaitNothingLeft();
    assertInSnapshot("s", data);
  }

  /** Lets the NameNode believe that a replica is corrupt. */
  private static void spoilUnit(Path path) throws IOException {
    LocatedStripedBlock group = cluster.cluster.groups(path).get(0);
    int unit = group.getBlockIndices()[0];
    cluster.mini().getNameNodeRpc(0).reportBadBlocks(new LocatedBlock[] {
        new LocatedBlock(RepairCluster.internalBlock(group, unit),
            new DatanodeInfo[] {group.getLocations()[0]}, new String[] {group.getStorageIDs()[0]},
            new StorageType[] {group.getStorageTypes()[0]})});
  }

  /** Stock has noted the file's attributes beside it, and no blocks. */
  @Test
  void aFileThatHasChangedSinceTheSnapshot() throws Exception {
    snapshot("s");
    fs.setPermission(file, new FsPermission((short) 0604));
    assertPublished(make(VersionPoint.PUBLISHED, time -> { }));
    assertEquals(0604, fs.getFileStatus(file).getPermission().toShort());
    assertInSnapshot("s", data);
    cluster.awaitNothingLeft();
  }

  private void moveAwayAndBack() throws IOException {
    Path away = new Path(dir, "away");
    assertTrue(fs.rename(file, away));
    assertTrue(fs.rename(away, file));
  }

  /** Stock cannot delete this file, so that nothing may take its path. */
  private void unhold() throws Exception {
    fs.deleteSnapshot(dir, "s");
    assertPublished(cluster.makeAtActive(file.toString()));
  }

  @Test
  void aFileThatItsUserHasRenamedUnderASnapshot() throws Exception {
    snapshot("s");
    moveAwayAndBack();
    assertKept(RefusalReason.SNAPSHOT_HELD, cluster.makeAtActive(file.toString()));
    unhold();
  }

  /** The note of the later snapshot has no blocks. */
  @Test
  void aFileThatItsUserHasRenamedUnderASnapshotBeforeAnotherOne() throws Exception {
    snapshot("s");
    moveAwayAndBack();
    fs.createSnapshot(dir, "t");
    fs.setPermission(file, new FsPermission((short) 0604));
    assertKept(RefusalReason.SNAPSHOT_HELD, cluster.makeAtActive(file.toString()));
    unhold();
  }

  @Test
  void aFileThatItsUserRenamesUnderASnapshotAtTheLastMoment() throws Exception {
    snapshot("s");
    assertKept(RefusalReason.SNAPSHOT_HELD,
        make(VersionPoint.VERIFIED, time -> moveAwayAndBack()));
    unhold();
  }

  private void append() throws IOException {
    try (OutputStream out = fs.append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK),
        4096, null)) {
      out.write(1);
    }
    byte[] grown = Arrays.copyOf(data, data.length + 1);
    grown[data.length] = 1;
    data = grown;
  }

  /** The new blocks would go at once, and with them the grace. */
  @Test
  void aFileThatWasAppendedToSinceTheSnapshot() throws Exception {
    snapshot("s");
    append();
    assertKept(RefusalReason.SNAPSHOT_GROWN, cluster.makeAtActive(file.toString()));
    fs.createSnapshot(dir, "t");
    assertPublished(cluster.makeAtActive(file.toString()));
    assertInSnapshot("t", data);
    cluster.awaitNothingLeft();
  }

  /** A commit needs no grace. The blocks that no snapshot has are removed, as stock does. */
  @Test
  void theUpdatesOfAFileThatWasAppendedToSinceTheSnapshot() throws Exception {
    snapshot("s");
    byte[] before = data;
    append();
    String attribute = "hdfs-ppr.test";
    fs.setXAttr(file, "trusted." + attribute, new byte[] {1});
    VersionRequest request = cluster.request(file.toString(), VersionCluster.RS).build();
    TargetFile target = access().file(file.toString(), request.inodeId,
        System.getProperty("user.name")).orElseThrow();
    VersionRecord record = VersionRecord.begin(request, target, 1);
    Path made = new Path(record.directory(), VersionNamespace.NEW);
    fs.mkdirs(made.getParent());
    fs.setXAttr(made.getParent(), "trusted." + VersionNamespace.XATTR, record.toBytes());
    fs.setErasureCodingPolicy(made.getParent(), VersionCluster.RS);
    byte[] content = cluster.write(made.toString(), BYTES, 77);
    FileFacts facts = access().facts(made.toString(), System.getProperty("user.name"));
    PublishAnswer answer = access().publish(new PublishOrder(record, target, facts.inodeId,
        facts.groups, PublishOrder.ANY_ATIME, new CommitPlan(attribute, new byte[] {1},
            inode -> new byte[] {2}, List.of(), "cau", Map.of())));
    assertTrue(answer.isPublished(), answer.toString());
    cluster.assertContent(file.toString(), content);
    assertInSnapshot("s", before);
    List<FileGroup> old = target.groups;
    BlockManager blocks = cluster.mini().getNamesystem(0).getBlockManager();
    assertNull(blocks.getStoredBlock(new Block(old.get(old.size() - 1).id.groupId)));
    assertNotNull(blocks.getStoredBlock(new Block(old.get(0).id.groupId)));
    assertTrue(fs.delete(new Path(record.directory()), true));
  }

  /** Each rename under this directory is in the snapshot of another one. */
  @Test
  void aFileOfADirectoryThatWasRenamed() throws Exception {
    snapshot("s");
    Path sub = new Path(dir, "sub");
    fs.mkdirs(sub);
    Path inner = new Path(sub, "g");
    byte[] content = cluster.write(inner.toString(), BYTES, 7);
    fs.createSnapshot(dir, "t");
    Path moved = new Path(dir, "moved");
    assertTrue(fs.rename(sub, moved));
    Path now = new Path(moved, "g");
    VersionOutcome outcome = cluster.makeAtActive(now.toString());
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    assertEquals(VersionCluster.XOR, cluster.policyOf(now.toString()));
    cluster.assertContent(now.toString(), content);
    cluster.assertContent(dir + "/.snapshot/t/sub/g", content);
    cluster.awaitNothingLeft();
    assertTrue(fs.delete(moved, true));
  }

  private NamespaceAccess access() {
    return new NamespaceAccess(cluster.mini().getNamesystem(cluster.active()),
        cluster.mini().getConfiguration(cluster.active()), VersionHook.NONE);
  }

  /** Lays down by hand what a crash leaves between the two renames. */
  private VersionRecord halfSwapped() throws IOException {
    VersionRequest request =
        cluster.request(file.toString(), VersionCluster.XOR).graceMs(0).build();
    VersionRecord record = VersionRecord.begin(request, access().file(file.toString(),
        request.inodeId, System.getProperty("user.name")).orElseThrow(), 1).publishing(1);
    Path work = new Path(record.directory());
    fs.mkdirs(work);
    fs.setErasureCodingPolicy(work, VersionCluster.XOR);
    cluster.write(new Path(work, VersionNamespace.NEW).toString(), BYTES, cases);
    assertTrue(fs.rename(file, new Path(work, VersionNamespace.OLD)));
    return record;
  }

  /** The new version is in a snapshot. It waits in its place until that is deleted. */
  @Test
  void aSnapshotOfTheRootIsTakenBetweenTheRenames() throws Exception {
    VersionRecord record = halfSwapped();
    snapshotOfRoot("r");
    assertFalse(access().finish(record).isPublished());
    assertFalse(fs.exists(file));
    assertFollowed();
    fs.deleteSnapshot(ROOT, "r");
    assertTrue(access().finish(record).isPublished());
    cluster.assertContent(file.toString(), data);
    assertTrue(fs.delete(new Path(record.directory()), true));
  }

  /** Nothing moves back. The path gets its version as soon as the rename succeeds. */
  @Test
  void theSecondRenameFails() throws Exception {
    // The hook is called under the namesystem's lock, which this thread may take again.
    VersionOutcome outcome = make(VersionPoint.PUBLISH_MOVED, time ->
        cluster.mini().getNameNodeRpc(0).setQuota(dir.toString(), 1,
            HdfsConstants.QUOTA_DONT_SET, null));
    assertEquals(VersionEnd.FAILED, outcome.end, outcome.toString());
    assertTrue(outcome.sentence.contains("which has no file now"), outcome.sentence);
    assertFalse(fs.exists(file));
    assertFollowed();
    String left = cluster.left().get(0) + "/";
    cluster.assertContent(left + VersionNamespace.OLD, data);
    cluster.assertContent(left + VersionNamespace.NEW, data);
    fs.setQuota(dir, 1_000, HdfsConstants.QUOTA_DONT_SET);
    // The janitor of the other NameNode looks at once.
    cluster.failOver();
    cluster.engine(1);
    RepairCluster.await("the path has its version", () -> exists());
    assertEquals(VersionCluster.XOR, cluster.policyOf(file.toString()));
    cluster.assertContent(file.toString(), data);
  }

  private boolean exists() {
    try {
      return fs.exists(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
