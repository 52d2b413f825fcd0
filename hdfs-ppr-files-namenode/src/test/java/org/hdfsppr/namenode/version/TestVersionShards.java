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

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.StockReplay;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.Leftovers.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where versions lie, beside those of 0.2.0, on clusters with both plugins. */
@Timeout(600)
class TestVersionShards {
  private static final int FILE_BYTES = (int) (VersionCluster.BLOCK * 6 + 70_001);
  private static final String XATTR = "trusted." + VersionNamespace.XATTR;
  private static final long HOUR_MS = 3_600_000;

  @TempDir
  File directory;
  private VersionCluster cluster;

  @AfterEach
  void stop() {
    VersionHooks.set(VersionHook.NONE);
    if (cluster != null) {
      cluster.close();
    }
  }

  private long inode(String path) throws Exception {
    return ((HdfsFileStatus) cluster.fs().getFileStatus(new Path(path))).getFileId();
  }

  private VersionOutcome convert(String path, long graceMs) throws Exception {
    return convert(path, VersionCluster.XOR, graceMs);
  }

  private VersionOutcome convert(String path, String policy, long graceMs) throws Exception {
    return cluster.make(cluster.active(),
        cluster.request(path, policy).graceMs(graceMs).build());
  }

  /** What 0.2.0's janitor does at a NameNode that has become active. */
  private void walkAs020() throws Exception {
    Path versions = new Path("/.hdfs-ppr/versions");
    NamespaceAccess namespace = new NamespaceAccess(
        cluster.mini().getNamesystem(cluster.active()),
        cluster.mini().getConfiguration(cluster.active()), VersionHook.NONE);
    for (FileStatus one : cluster.fs().exists(versions) ? cluster.fs().listStatus(versions)
        : new FileStatus[0]) {
      if (!one.getPath().getName().matches("[0-9]+")) {
        continue;
      }
      byte[] text = cluster.fs().getXAttrs(one.getPath()).get(XATTR);
      if (text == null) {
        if (cluster.fs().listStatus(one.getPath()).length == 0) {
          cluster.fs().delete(one.getPath(), true);
        }
        continue;
      }
      VersionRecord record = VersionRecord.parse(text);
      VersionFate fate = VersionFate.of(record, namespace.places(record),
          System.currentTimeMillis());
      if (fate == VersionFate.UNDO || fate == VersionFate.CLEAN) {
        cluster.fs().delete(one.getPath(), true);
      }
    }
  }

  /**
   * A version is in the middle of its way when a NameNode becomes active that looks at the flat
   * directory alone. The next NameNode that knows shards ends it.
   */
  @Test
  void aNameNodeThatKnowsTheFlatDirectoryAloneTouchesNoShard() throws Exception {
    cluster = VersionCluster.startPair(directory);
    for (VersionPoint point : new VersionPoint[] {VersionPoint.RECORDED, VersionPoint.MADE,
        VersionPoint.PUBLISHED}) {
      byte[] data = cluster.write("/ec/f", FILE_BYTES, point.ordinal());
      String version = VersionHome.CONVERSIONS.directory(inode("/ec/f"));
      cluster.haltAt(point, 1, "/ec/f");
      assertEquals(List.of(version), cluster.left(), "both NameNodes know shards");
      walkAs020();
      assertEquals(List.of(version), cluster.left());
      cluster.failOver();
      cluster.engine(cluster.active());
      cluster.awaitNothingLeft();
      cluster.awaitUnits("/ec/f", 9);
      cluster.assertContent("/ec/f", data);
      assertEquals(point == VersionPoint.PUBLISHED ? VersionCluster.XOR : VersionCluster.RS,
          cluster.policyOf("/ec/f"));
      assertTrue(cluster.fs().delete(new Path("/ec/f"), false));
      cluster.restartStandby();
    }
  }

  /** The standby may become active with what it has, so that it counts before a version begins. */
  @Test
  void versionsAreFlatUntilTheOtherNameNodeAnswers() throws Exception {
    cluster = VersionCluster.startPair(directory);
    cluster.mini().shutdownNameNode(1);
    // The NameNode that is left has to forget what it knows.
    cluster.mini().restartNameNode(0, true);
    cluster.mini().transitionToActive(0);
    cluster.write("/ec/f", FILE_BYTES, 1);
    long flat = inode("/ec/f");
    assertEquals(VersionEnd.PUBLISHED, convert("/ec/f", HOUR_MS).end);
    assertEquals(List.of("/.hdfs-ppr/versions/" + flat), cluster.left());
    VersionRecord record = VersionRecord.parse(
        cluster.fs().getXAttrs(new Path("/.hdfs-ppr/versions/" + flat)).get(XATTR));
    assertFalse(new String(record.toBytes(), StandardCharsets.UTF_8).contains("home"));
    cluster.mini().restartNameNode(1, true);
    RepairCluster.await("a version lies in a shard", () -> {
      try {
        String path = "/ec/g" + cluster.left().size();
        cluster.write(path, FILE_BYTES, 2);
        long inode = inode(path);
        assertEquals(VersionEnd.PUBLISHED, convert(path, HOUR_MS).end);
        return cluster.left().contains(VersionHome.CONVERSIONS.directory(inode));
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
    assertTrue(cluster.left().contains("/.hdfs-ppr/versions/" + flat));
  }

  /** The text has no field that 0.2.0 does not write. */
  private void leaveAs020(String path, String step, long publishedMs) throws Exception {
    FileStatus parent = cluster.fs().getFileStatus(new Path(path).getParent());
    long inode = inode(path);
    Path version = new Path("/.hdfs-ppr/versions/" + inode);
    cluster.fs().mkdirs(version);
    cluster.fs().setXAttr(version, XATTR, SealedText.seal("version", 1, "{\"step\":\"" + step
        + "\",\"job\":\"j\",\"path\":\"" + path + "\",\"inode\":" + inode + ",\"parent\":"
        + ((HdfsFileStatus) parent).getFileId() + ",\"name\":\"" + new Path(path).getName()
        + "\",\"user\":\"u\",\"policy\":\"P\",\"digest\":\"d\",\"term\":1,\"grace_ms\":" + HOUR_MS
        + ",\"published_ms\":" + publishedMs + "}"), EnumSet.of(XAttrSetFlag.CREATE));
    if (step.equals("PUBLISHING")) {
      assertTrue(cluster.fs().rename(new Path(path), new Path(version, "old")));
      cluster.write(path, 1_000, 4);
    } else {
      cluster.write(version + "/new", 1_000, 5);
    }
  }

  @Test
  void whatAnEarlierReleaseHasLeftIsClearedUp() throws Exception {
    cluster = VersionCluster.start(directory);
    cluster.fs().mkdirs(new Path("/.hdfs-ppr"));
    long now = System.currentTimeMillis();
    for (String name : List.of("/ec/over", "/ec/kept", "/ec/made", "/ec/gone", "/ec/there")) {
      cluster.write(name, FILE_BYTES, name.length());
    }
    long kept = inode("/ec/kept");
    long there = inode("/ec/there");
    long gone = inode("/ec/gone");
    assertEquals(VersionEnd.PUBLISHED, convert("/ec/gone", HOUR_MS).end);
    assertEquals(VersionEnd.PUBLISHED, convert("/ec/there", HOUR_MS).end);
    // It may be a later version that its user has deleted: no NameNode remembers.
    assertTrue(cluster.fs().delete(new Path("/ec/gone"), false));
    leaveAs020("/ec/over", "PUBLISHING", now - 2 * HOUR_MS);
    leaveAs020("/ec/kept", "PUBLISHING", now);
    leaveAs020("/ec/made", "MAKING", 0);
    assertEquals(5, cluster.left().size());
    cluster.restartNameNode();
    cluster.engine();
    assertEquals(new TreeSet<>(List.of("/.hdfs-ppr/versions/" + kept,
        VersionHome.CONVERSIONS.directory(there), VersionHome.CONVERSIONS.directory(gone))),
        new TreeSet<>(cluster.left()));
    assertEquals(3, cluster.engine().status().kept);
    // The old version of a file that has one in the flat directory gets no other one.
    assertTrue(cluster.fs().rename(new Path("/.hdfs-ppr/versions/" + kept + "/old"),
        new Path("/ec/back")));
    assertEquals(RefusalReason.BUSY, convert("/ec/back", 0).reason);
    StockReplay.assertStarts(cluster.mini(), new File(directory, "replay"), "/");
  }

  private Leftovers survey(boolean isCleared) throws Exception {
    Leftovers.Builder left = new Leftovers.Builder();
    cluster.engine(cluster.active()).survey(left, isCleared, 60_000);
    return left.build();
  }

  /** What has the path of a conversion that was converted again is a later version. */
  @Test
  void theGraceOutlastsARenameAndALaterVersionAndNoDeletion() throws Exception {
    cluster = VersionCluster.start(directory);
    cluster.write("/ec/f", FILE_BYTES, 1);
    String first = VersionHome.CONVERSIONS.directory(inode("/ec/f"));
    assertEquals(VersionEnd.PUBLISHED, convert("/ec/f", HOUR_MS).end);
    assertEquals(VersionEnd.PUBLISHED, convert("/ec/f", VersionCluster.NONXOR, 0).end);
    RepairCluster.await("the version in between is deleted", () -> {
      try {
        return survey(true).count() == 1;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
    assertTrue(cluster.fs().rename(new Path("/ec/f"), new Path("/ec/g")));
    assertEquals(1, survey(true).count(Leftovers.Kind.CONVERSION, State.GRACE));
    assertEquals(List.of(first), cluster.left());
    assertTrue(cluster.fs().delete(new Path("/ec/g"), false));
    assertEquals(1, survey(true).cleared);
    assertEquals(List.of(), cluster.left());
  }

  /** A NameNode that was active before remembers what another one has changed since. */
  @Test
  void theGraceOutlastsALaterVersionOfAnotherNameNode() throws Exception {
    cluster = VersionCluster.startPair(directory);
    cluster.write("/ec/f", FILE_BYTES, 1);
    String first = VersionHome.CONVERSIONS.directory(inode("/ec/f"));
    assertEquals(VersionEnd.PUBLISHED, convert("/ec/f", HOUR_MS).end);
    cluster.failOver();
    assertEquals(VersionEnd.PUBLISHED, convert("/ec/f", VersionCluster.NONXOR, 0).end);
    RepairCluster.await("the version in between is deleted", () -> {
      try {
        return cluster.left().equals(List.of(first));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
    cluster.failOver();
    assertTrue(cluster.fs().rename(new Path("/ec/f"), new Path("/ec/g")));
    assertEquals(1, survey(true).count(Leftovers.Kind.CONVERSION, State.GRACE));
    assertEquals(List.of(first), cluster.left());
  }

  /** The one in between is in a snapshot alone, which no NameNode remembers after a failover. */
  @Test
  void theGraceOutlastsTheSnapshotThatHasTheVersionInBetween() throws Exception {
    cluster = VersionCluster.start(directory);
    Path above = new Path("/ec/d");
    cluster.write("/ec/d/f", FILE_BYTES, 1);
    String first = VersionHome.CONVERSIONS.directory(inode("/ec/d/f"));
    assertEquals(VersionEnd.PUBLISHED, convert("/ec/d/f", HOUR_MS).end);
    cluster.fs().allowSnapshot(above);
    cluster.fs().createSnapshot(above, "s1");
    assertEquals(VersionEnd.PUBLISHED, convert("/ec/d/f", VersionCluster.NONXOR, 0).end);
    cluster.restartNameNode();
    cluster.engine();
    assertEquals(1, survey(true).count(Leftovers.Kind.CONVERSION, State.GRACE));
    cluster.fs().deleteSnapshot(above, "s1");
    assertTrue(cluster.fs().rename(new Path("/ec/d/f"), new Path("/ec/d/g")));
    assertEquals(1, survey(true).count(Leftovers.Kind.CONVERSION, State.GRACE));
    assertEquals(List.of(first), cluster.left());
  }

  /** A striped file that was renamed while a snapshot had it: Hadoop fails to delete that. */
  @Test
  void anOperatorSeesWhatWaitsForASnapshotAndClearsWhatMayGo() throws Exception {
    cluster = VersionCluster.startPair(directory);
    for (String name : List.of("/ec/d/held", "/ec/kept", "/ec/made")) {
      cluster.write(name, FILE_BYTES, name.length());
    }
    cluster.fs().allowSnapshot(new Path("/ec/d"));
    cluster.fs().createSnapshot(new Path("/ec/d"), "s1");
    String held = "/.hdfs-ppr/versions/" + inode("/ec/d/held");
    String kept = VersionHome.CONVERSIONS.directory(inode("/ec/kept"));
    String made = "/.hdfs-ppr/versions/" + inode("/ec/made");
    assertEquals(VersionEnd.PUBLISHED, convert("/ec/kept", HOUR_MS).end);
    leaveAs020("/ec/d/held", "PUBLISHING", 0);
    leaveAs020("/ec/made", "MAKING", 0);
    cluster.fs().mkdirs(new Path("/.hdfs-ppr/versions/readme"));
    for (boolean isCleared : new boolean[] {false, true, true}) {
      Leftovers left = survey(isCleared);
      Map<String, Leftovers.Item> items = new HashMap<>();
      left.named.forEach(item -> items.put(item.path, item));
      assertEquals(State.HELD, items.get(held).state);
      assertEquals(List.of("/ec/d/.snapshot/s1"), items.get(held).snapshots);
      assertEquals("/ec/d/held", items.get(held).file);
      assertEquals(State.GRACE, items.get(kept).state);
      assertTrue(items.get(kept).untilMs > System.currentTimeMillis());
      assertEquals(State.ASK, items.get("/.hdfs-ppr/versions/readme").state);
      assertEquals(isCleared ? 3 : 4, left.count());
      assertEquals(!isCleared, items.containsKey(made));
      assertEquals(!isCleared, cluster.left().contains(made));
      assertTrue(cluster.fs().exists(new Path(held + "/old")));
    }
    assertReplays();
    cluster.fs().deleteSnapshot(new Path("/ec/d"), "s1");
    assertTrue(cluster.fs().delete(new Path("/.hdfs-ppr/versions/readme"), false));
    assertTrue(cluster.fs().delete(new Path("/ec/kept"), false));
    Leftovers left = survey(true);
    assertEquals(2, left.cleared);
    assertEquals(0, left.count());
    for (VersionHome home : VersionHome.values()) {
      assertFalse(cluster.fs().exists(new Path(home.root)), home.root);
    }
    // The next version makes its home anew.
    assertEquals(VersionEnd.PUBLISHED, convert("/ec/made", HOUR_MS).end);
    assertEquals(1, cluster.left().size());
    assertReplays();
  }

  /** The standby reads each edit, and a stock NameNode starts and has the same files. */
  private void assertReplays() throws IOException {
    StockReplay.assertStandbyFollows(cluster.mini(), cluster.active());
    StockReplay.assertStarts(cluster.mini(), new File(directory, "replay"), "/");
  }

  private Leftovers.Item asking(String path) throws Exception {
    Leftovers.Item item = survey(false).named.stream().filter(one -> one.path.equals(path))
        .findAny().orElseThrow();
    assertEquals(State.ASK, item.state);
    return item;
  }

  /** The operator would rename a file under a snapshot, and its deletion ends NameNodes. */
  @Test
  void snapshotsThatForbidARenameAreNamedBeforeItIsAdvised() throws Exception {
    cluster = VersionCluster.startPair(directory);
    for (String name : List.of("/ec/d/held", "/ec/f")) {
      cluster.write(name, FILE_BYTES, name.length());
    }
    cluster.fs().allowSnapshot(new Path("/ec/d"));
    cluster.fs().createSnapshot(new Path("/ec/d"), "s1");
    String held = "/.hdfs-ppr/versions/" + inode("/ec/d/held");
    String free = "/.hdfs-ppr/versions/" + inode("/ec/f");
    String unread = "/.hdfs-ppr/versions/18";
    leaveAs020("/ec/d/held", "PUBLISHING", System.currentTimeMillis());
    leaveAs020("/ec/f", "PUBLISHING", System.currentTimeMillis());
    for (String path : List.of(held, free, unread)) {
      cluster.write(path + "/new", 1_000, 6);
    }
    assertEquals(List.of("/ec/d/.snapshot/s1"), asking(held).snapshots);
    for (String path : List.of(free, unread)) {
      assertEquals(List.of(), asking(path).snapshots);
      assertTrue(asking(path).why.contains("rename what is needed"), asking(path).why);
    }
    cluster.fs().deleteSnapshot(new Path("/ec/d"), "s1");
    cluster.fs().disallowSnapshot(new Path("/ec/d"));
    assertEquals(List.of(), asking(held).snapshots);
    // They are older than what was left, or younger.
    Path root = new Path("/");
    cluster.fs().allowSnapshot(root);
    cluster.fs().createSnapshot(root, "r1");
    cluster.fs().createSnapshot(root, "r0");
    cluster.write(held + "/new", 1_000, 7);
    for (String path : List.of(held, free, unread)) {
      assertEquals(List.of("/.snapshot/r0", "/.snapshot/r1"), asking(path).snapshots);
      assertTrue(asking(path).why.contains("nothing of it may be renamed"),
          asking(path).why);
    }
    cluster.fs().deleteSnapshot(root, "r0");
    assertEquals(List.of("/.snapshot/r1"), asking(free).snapshots);
    cluster.fs().deleteSnapshot(root, "r1");
    cluster.fs().createSnapshot(root, "before");
    cluster.write("/ec/g", FILE_BYTES, 8);
    String young = "/.hdfs-ppr/versions/" + inode("/ec/g");
    leaveAs020("/ec/g", "MAKING", 0);
    assertTrue(cluster.fs().rename(new Path(young + "/new"), new Path(young + "/old")));
    assertEquals(List.of(), asking(young).snapshots, "the snapshot does not have it");
    assertEquals(List.of("/.snapshot/before"), asking(free).snapshots);
    assertReplays();
    // An operator deletes what may be deleted, in the order in which it may be.
    assertTrue(cluster.fs().delete(new Path(young), true));
    cluster.fs().deleteSnapshot(root, "before");
    for (String path : List.of(held, free, unread)) {
      assertEquals(List.of(), asking(path).snapshots);
      assertTrue(cluster.fs().delete(new Path(path), true));
    }
    assertReplays();
  }
}
