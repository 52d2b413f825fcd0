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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.update.log.DiskLog;
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.manage.RepairManagerProtocol;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.hdfsppr.namenode.files.FilesNameNodeExtension;
import org.hdfsppr.namenode.manage.ManagerService;
import org.hdfsppr.namenode.update.TicketSettings;
import org.hdfsppr.update.append.UnitId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the terms and logs of files that are deleted, moved or joined. */
@Timeout(300)
class TestUpdateRecords {
  private static final long CHECK_MS = 300;

  /** A NameNode's plugin that looks at all records again and again. */
  public static final class Eager extends PprNameNodePlugin {
    @Override
    protected ManagerService open(NameNode namenode) throws IOException {
      return ManagerService.start(namenode.getNamesystem(), namenode.getConf(),
          new FilesNameNodeExtension().read(namenode.getConf(),
              TicketSettings.of(namenode.getConf(), CHECK_MS)), RepairManagerProtocol.KEPT_MS_MAX);
    }
  }

  @TempDir
  java.nio.file.Path directory;
  private UpdateCluster cluster;

  private static Path path(String name) {
    return UpdateCluster.path(name);
  }

  /** Writes a file and updates its first bytes; returns what it has then. */
  private byte[] updated(PprFileSystem fs, String name) throws IOException {
    byte[] content = cluster.hdfs().write(path(name), UpdateCluster.GROUP, UpdateCluster.UNIT,
        name.hashCode());
    byte[] update = new byte[3_000];
    Arrays.fill(update, (byte) name.length());
    try (FileUpdater updater = fs.openForUpdate(path(name))) {
      updater.write(0, update);
    }
    System.arraycopy(update, 0, content, 0, update.length);
    return content;
  }

  /** Returns the UUID by which logs know a file: 16 bytes of its attribute, after the format. */
  private UUID uuid(Path file) throws IOException {
    ByteBuffer tag = ByteBuffer.wrap(
        cluster.hdfs().fs.getXAttr(file, "trusted.hdfs-ppr.update"));
    tag.position(1);
    return new UUID(tag.getLong(), tag.getLong());
  }

  private boolean hasTerms(UUID file) {
    try {
      return cluster.hdfs().fs.exists(new Path("/.hdfs-ppr/updates/" + file + "/0"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertContent(PprFileSystem fs, Path file, byte[] content)
      throws IOException {
    byte[] read = new byte[content.length];
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(0, read);
    }
    assertArrayEquals(content, read);
  }

  /** Lets the NameNode look at all records several times. */
  private void awaitPasses(PprFileSystem fs, String name) throws IOException {
    updated(fs, name);
    UUID file = uuid(path(name));
    cluster.hdfs().fs.delete(path(name), false);
    RepairCluster.await("the terms of " + name + " are gone", () -> !hasTerms(file));
  }

  @Test
  void onlyFilesThatAreGoneLeaveNothing() throws Exception {
    UUID gone;
    UUID moved;
    String pool;
    try (UpdateCluster running = UpdateCluster.start(directory,
        "dfs.namenode.plugins", Eager.class.getName()); PprFileSystem fs = running.client()) {
      cluster = running;
      pool = cluster.hdfs().mini().getNamesystem().getBlockPoolId();
      updated(fs, "gone");
      gone = uuid(path("gone"));
      byte[] content = updated(fs, "moved");
      moved = uuid(path("moved"));
      cluster.hdfs().fs.mkdirs(path("snap"));
      updated(fs, "snap/kept");
      UUID snapshot = uuid(path("snap/kept"));
      cluster.hdfs().fs.allowSnapshot(path("snap"));
      cluster.hdfs().fs.createSnapshot(path("snap"), "s");
      assertTrue(hasTerms(gone));

      cluster.hdfs().fs.delete(path("gone"), false);
      cluster.hdfs().fs.delete(path("snap/kept"), false);
      Path elsewhere = new Path("/moved");
      assertTrue(cluster.hdfs().fs.rename(path("moved"), elsewhere));
      awaitPasses(fs, "first");
      awaitPasses(fs, "second");
      assertFalse(hasTerms(gone));
      assertTrue(hasTerms(moved));
      assertTrue(hasTerms(snapshot), "a snapshot has the file");
      assertContent(fs, elsewhere, content);
      cluster.hdfs().fs.deleteSnapshot(path("snap"), "s");
      RepairCluster.await("the terms are gone with the snapshot", () -> !hasTerms(snapshot));
      awaitPasses(fs, "third");
    }
    int has = 0;
    for (int i = 0; i < UpdateCluster.NODES; i++) {
      File folder = directory.resolve("log-" + i).resolve(pool).toFile();
      if (folder.exists()) {
        try (UpdateLog log = DiskLog.open(folder.toPath(),
            LogLimits.of(PprKeys.DATANODE_UPDATE_LOG_BYTES_DEFAULT))) {
          assertEquals(Optional.empty(), log.state(new UnitId(gone, 0, 0)));
          has += log.state(new UnitId(moved, 0, 0)).map(state -> state.pending).orElse(0);
        }
      }
    }
    assertEquals(3, has,
        "the updates of the file that was moved are at the leader and two others");
  }

  @Test
  void readersOfJoinedFilesAreRefusedUntilTheUpdatesAreGivenUp() throws Exception {
    try (UpdateCluster running = UpdateCluster.start(directory,
        "dfs.namenode.plugins", Eager.class.getName()); PprFileSystem fs = running.client()) {
      cluster = running;
      byte[] target = updated(fs, "target");
      updated(fs, "source");
      UUID source = uuid(path("source"));
      cluster.hdfs().fs.concat(path("target"), new Path[] {path("source")});
      String[] refusal = new String[1];
      RepairCluster.await("the second half is refused", () -> {
        refusal[0] = readFailure(fs);
        return refusal[0] != null;
      });
      assertTrue(refusal[0].contains("/.hdfs-ppr/updates/" + source), refusal[0]);
      assertContent(fs, path("target"), target);
      assertTrue(hasTerms(source));
      cluster.hdfs().fs.setXAttr(new Path("/.hdfs-ppr/updates/" + source),
          "trusted.hdfs-ppr.gone-since", new byte[Long.BYTES]);
      RepairCluster.await("the second half is read again", () -> readFailure(fs) == null);
      assertFalse(hasTerms(source));
    }
  }

  /** Returns why the first bytes of the target's second group cannot be read; null if they can. */
  private static String readFailure(PprFileSystem fs) {
    try (FSDataInputStream in = fs.open(path("target"))) {
      in.readFully(UpdateCluster.GROUP, new byte[10]);
      return null;
    } catch (IOException e) {
      return e.toString();
    }
  }
}
