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
package org.hdfsppr.namenode.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.StockReplay;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionHooks;
import org.hdfsppr.namenode.version.VersionPoint;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.Leftovers.Kind;
import org.hdfsppr.operate.Leftovers.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Snapshots of the root at each step of a CORE group: a NameNode without the plugin starts from the
 * image and the edits afterwards. It does not if a striped file is deleted that was renamed while a
 * snapshot had it.
 */
@Timeout(600)
class TestCoreUnderSnapshots {
  private static final long SEED = 20261129;
  private static final Path ROOT = new Path("/");
  private static final List<VersionPoint> POINTS = List.of(VersionPoint.CREATED,
      VersionPoint.GROUP_ADDED, VersionPoint.MAKES_ORDERED, VersionPoint.MADE,
      VersionPoint.COMPLETED, VersionPoint.VERIFIED);

  @TempDir
  File directory;
  private CoreCluster cluster;

  private void start(boolean isPair) throws Exception {
    System.out.println("seed " + SEED);
    cluster = isPair ? CoreCluster.startPair(directory) : CoreCluster.start(directory);
    cluster.fs().allowSnapshot(ROOT);
  }

  @AfterEach
  void stop() {
    VersionHooks.set(VersionHook.NONE);
    if (cluster != null) {
      cluster.close();
    }
  }

  private void write(String path) throws Exception {
    cluster.directory(path, CoreCluster.CORE);
    for (int i = 0; i < 3; i++) {
      // Two block groups, so that one is added to a file that a snapshot may have.
      cluster.write(path + "/f" + i, CoreCluster.GROUP + 5_000 - i, SEED + i);
    }
  }

  private void snapshot(String name) {
    try {
      cluster.fs().createSnapshot(ROOT, name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A stock NameNode starts, and has the same files. */
  private void assertReplays() throws IOException {
    // Snapshots of the root have some hundred directories of CORE each, so that they are left out.
    StockReplay.assertStarts(cluster.mini(), new File(directory, "replay"), CoreFolder.ROOT);
  }

  private boolean isEmpty() {
    try {
      return cluster.kept().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aStockNameNodeStartsWhereverASnapshotFalls() throws Exception {
    start(false);
    for (VersionPoint point : POINTS) {
      String path = "/" + point.name().toLowerCase(Locale.ROOT);
      write(path);
      List<String> taken = new ArrayList<>();
      VersionHooks.set((reached, file) -> {
        if (reached == point && taken.isEmpty()) {
          taken.add(file);
          snapshot(point.name());
        }
      });
      cluster.protect(path, false, 3);
      cluster.awaitGroups(1);
      assertEquals(1, taken.size());
      VersionHooks.set(VersionHook.NONE);
      cluster.unprotect(path);
      cluster.awaitGroups(0);
      RepairCluster.await("the parity file is deleted", this::isEmpty);
      assertReplays();
    }
    // What an operator does who tidies up.
    assertTrue(cluster.fs().delete(new Path(CoreFolder.GROUPS), true));
    assertReplays();
    for (VersionPoint point : POINTS) {
      cluster.fs().deleteSnapshot(ROOT, point.name());
    }
    assertReplays();
    assertEquals(Map.of("unprotected", (long) POINTS.size()), cluster.status().dissolved);
  }

  /**
   * Does what hdfs-ppr 0.2.0 did while a snapshot had its parity file. The name is the same again.
   */
  private void renameAsBefore(Path parity) throws Exception {
    Path work = new Path(CoreFolder.WORK, "w");
    cluster.fs().mkdirs(work.getParent());
    assertTrue(cluster.fs().rename(parity, work));
    assertTrue(cluster.fs().rename(work, parity));
  }

  @Test
  void aParityFileThatWasRenamedUnderASnapshotIsKeptUntilTheSnapshotGoes() throws Exception {
    start(false);
    write("/old");
    cluster.protect("/old", false, 3);
    cluster.awaitGroups(1);
    snapshot("s");
    Path parity = cluster.parity();
    renameAsBefore(parity);
    assertEquals(1, cluster.leftovers().count(Kind.CORE_PARITY, State.USED));
    cluster.unprotect("/old");
    cluster.awaitGroups(0);
    RepairCluster.await("the file is kept", () -> cluster.status().keptParities == 1);
    assertHeld(parity, Kind.CORE_PARITY);
    assertReplays();
    // Another NameNode knows it, too.
    cluster.restartNameNode();
    RepairCluster.await("the file is kept", () -> cluster.status().keptParities == 1);
    assertHeld(parity, Kind.CORE_PARITY);
    cluster.fs().deleteSnapshot(ROOT, "s");
    cluster.restartNameNode();
    RepairCluster.await("the file is deleted", this::isEmpty);
    RepairCluster.await("the status says so", () -> cluster.status().keptParities == 0);
    assertEquals(0, cluster.leftovers().count());
    assertReplays();
  }

  /** hdfs-ppr 0.2.0 renamed no file within its directory of unfinished ones; a superuser can. */
  @Test
  void anUnfinishedFileThatWasRenamedUnderASnapshotIsKeptUntilTheSnapshotGoes() throws Exception {
    start(false);
    cluster.awaitEngine();
    cluster.directory(CoreFolder.WORK, CoreCluster.RS);
    cluster.write(CoreFolder.WORK + "/v", CoreCluster.GROUP, SEED);
    cluster.write(CoreFolder.WORK + "/w", CoreCluster.GROUP, SEED);
    snapshot("s");
    Path held = new Path(CoreFolder.WORK, "renamed");
    assertTrue(cluster.fs().rename(new Path(CoreFolder.WORK, "v"), held));
    cluster.restartNameNode();
    RepairCluster.await("the other one is deleted", () -> !exists(CoreFolder.WORK + "/w"));
    assertHeld(held, Kind.CORE_WORK);
    assertReplays();
    cluster.fs().deleteSnapshot(ROOT, "s");
    cluster.restartNameNode();
    RepairCluster.await("the file is deleted", this::isEmpty);
    assertReplays();
  }

  private boolean exists(String path) {
    try {
      return cluster.fs().exists(new Path(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An operator sees that a file, and nothing else, is left, and which snapshot has to go. */
  private void assertHeld(Path file, Kind kind) throws IOException {
    assertEquals(file.toUri().getPath(), cluster.parity().toUri().getPath());
    Leftovers left = cluster.leftovers();
    assertEquals(1, left.count());
    assertEquals(1, left.count(kind, State.HELD));
    assertEquals(1, left.named.size());
    assertEquals(file.toUri().getPath(), left.named.get(0).path);
    assertEquals(List.of("/.snapshot/s"), left.named.get(0).snapshots);
  }

  /** The standby reads each edit, and takes over. */
  @Test
  void aStandbyFollowsWhereverASnapshotFalls() throws Exception {
    start(true);
    for (VersionPoint point : List.of(VersionPoint.GROUP_ADDED, VersionPoint.VERIFIED)) {
      String path = "/" + point.name().toLowerCase(Locale.ROOT);
      write(path);
      List<String> taken = new ArrayList<>();
      VersionHooks.set((reached, file) -> {
        if (reached == point && taken.isEmpty()) {
          taken.add(file);
          snapshot(point.name());
        }
      });
      cluster.protect(path, false, 3);
      cluster.awaitGroups(1);
      assertEquals(1, taken.size());
      VersionHooks.set(VersionHook.NONE);
      cluster.repairs().failOver();
      cluster.awaitEngine();
      cluster.awaitGroups(1);
      cluster.unprotect(path);
      cluster.awaitGroups(0);
      RepairCluster.await("the parity file is deleted", this::isEmpty);
      cluster.repairs().failOver();
      cluster.awaitEngine();
      assertTrue(isEmpty());
      assertEquals(1 << 8, cluster.fs().listStatus(new Path(CoreFolder.GROUPS)).length);
    }
    assertTrue(cluster.fs().delete(new Path(CoreFolder.GROUPS), true));
    StockReplay.assertStandbyFollows(cluster.mini(), cluster.repairs().active());
  }
}
