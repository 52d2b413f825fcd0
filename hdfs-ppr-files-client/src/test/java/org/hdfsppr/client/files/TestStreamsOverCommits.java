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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionHooks;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Streams go on in the versions that commits make of their file, and never in another file. */
@Timeout(300)
class TestStreamsOverCommits {
  private static final int GROUP = UpdateCluster.GROUP;

  /** What has become of a file by updates. */
  private enum Past {
    /** It was never updated. */
    NEW,
    /** Its first group has updates that are in no version. */
    LOGGED,
    /** Its first group has such updates, and others that are in its version. */
    COMMITTED
  }

  @TempDir
  static java.nio.file.Path directory;
  private static UpdateCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = UpdateCluster.start(directory);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void hookNothing() {
    VersionHooks.set(VersionHook.NONE);
  }

  /** Updates some bytes of a group, as a client of its own. */
  private static void update(UpdateCluster at, Path file, byte[] content, int group, long seed)
      throws IOException {
    int position = group * GROUP + 777;
    byte[] update =
        new byte[Math.min(2 * UpdateCluster.CELL, content.length - position)];
    new Random(seed).nextBytes(update);
    try (PprFileSystem fs = at.client(); FileUpdater updater = fs.openForUpdate(file)) {
      updater.write(position, update);
      updater.hflush();
    }
    System.arraycopy(update, 0, content, position, update.length);
  }

  private static void commit(UpdateCluster at, Path file) throws IOException {
    CommitStatus status = at.commit(file);
    assertEquals(State.PUBLISHED, status.state, status.toString());
  }

  /** A stream sees what the file has now, and one that goes on at its position sees it, too. */
  private static void assertSees(FSDataInputStream in, byte[] content, String when)
      throws IOException {
    byte[] read = new byte[content.length];
    in.readFully(0, read);
    assertArrayEquals(content, read, when);
    int at = (int) in.getPos();
    byte[] rest = new byte[content.length - at];
    in.readFully(rest);
    assertArrayEquals(Arrays.copyOfRange(content, at, content.length), rest, when);
    in.seek(at);
  }

  /** Reads a few bytes of a group by the position of the stream. */
  private static void readSome(FSDataInputStream in, byte[] content, int group)
      throws IOException {
    byte[] read = new byte[100];
    in.seek(group * GROUP);
    in.readFully(read);
    assertArrayEquals(Arrays.copyOfRange(content, group * GROUP, group * GROUP + 100), read);
  }

  @Test
  void streamsFromBeforeTheFirstUpdateGoOn() throws IOException {
    Path file = UpdateCluster.path("first");
    byte[] content = cluster.write("first", 1);
    try (PprFileSystem fs = cluster.client(); FSDataInputStream early = fs.open(file);
        FSDataInputStream patient = fs.open(file); FSDataInputStream late = fs.open(file)) {
      List<FSDataInputStream> streams = List.of(early, patient, late);
      for (int group = 0; group < streams.size(); group++) {
        readSome(streams.get(group), content, group);
      }
      update(cluster, file, content, 0, 2);
      commit(cluster, file);
      assertSees(early, content, "after the first commit");
      // The other two have not asked the NameNode meanwhile.
      update(cluster, file, content, 1, 3);
      commit(cluster, file);
      assertSees(early, content, "after the second commit");
      assertSees(patient, content, "after the second commit");
      update(cluster, file, content, 0, 4);
      commit(cluster, file);
      update(cluster, file, content, 2, 5);
      for (FSDataInputStream in : streams) {
        assertSees(in, content, "after the third commit");
      }
    }
  }

  /**
   * A stream of stock knows nothing of commits. It goes on in the old version while that is there,
   * and in the new one when it has to ask again: docs/updates.md says which files are not for it.
   */
  @Test
  void aStreamOfStockMayMixTheVersions() throws IOException {
    Path file = UpdateCluster.path("stock");
    byte[] before = cluster.write("stock", 31);
    byte[] after = before.clone();
    List<LocatedStripedBlock> old = cluster.hdfs().groups(file);
    Configuration conf = new Configuration(cluster.hdfs().clientConf());
    conf.unset("fs.hdfs.impl");
    try (FileSystem stock = FileSystem.newInstance(cluster.hdfs().fs.getUri(), conf);
        FSDataInputStream in = stock.open(file)) {
      byte[] first = new byte[GROUP];
      in.readFully(0, first);
      update(cluster, file, after, 0, 32);
      update(cluster, file, after, 1, 33);
      commit(cluster, file);
      // As at the end of the grace, here for the first group alone.
      RepairCluster.holders(old.get(0)).forEach((unit, node) -> {
        try {
          RepairCluster.drop(cluster.hdfs().datanode(node),
              RepairCluster.internalBlock(old.get(0), unit));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      byte[] read = new byte[2 * GROUP];
      in.readFully(0, read);
      assertArrayEquals(Arrays.copyOf(before, GROUP), first);
      assertArrayEquals(Arrays.copyOf(after, 2 * GROUP), read);
    }
    try (PprFileSystem fs = cluster.client(); FSDataInputStream in = fs.open(file)) {
      assertSees(in, after, "PprFileSystem");
    }
  }

  @Test
  void streamsThatHaveReadOnlyGroupsWithoutUpdatesGoOn() throws IOException {
    for (Past past : List.of(Past.LOGGED, Past.COMMITTED)) {
      Path file = UpdateCluster.path("other-" + past);
      byte[] content = cluster.write(file.getName(), 11);
      bring(file, content, past, 12);
      try (PprFileSystem fs = cluster.client(); FSDataInputStream in = fs.open(file)) {
        readSome(in, content, 1);
        commit(cluster, file);
        assertSees(in, content, "after the commit of a file that was " + past);
        // The first update of the group that was read.
        update(cluster, file, content, 1, 13);
        commit(cluster, file);
        assertSees(in, content, "after a commit of the group");
      }
    }
  }

  /** The commit is the first one, and the stream has read only what had no updates. */
  @Test
  void eachMomentOfACommitShowsTheSame() throws IOException {
    Path file = UpdateCluster.path("moments");
    byte[] content = cluster.write("moments", 21);
    List<Throwable> failures = new ArrayList<>();
    List<FSDataInputStream> streams = new ArrayList<>();
    try (PprFileSystem fs = cluster.client()) {
      for (int i = 0; i < 64; i++) {
        streams.add(fs.open(file));
        readSome(streams.get(i), content, 1);
      }
      update(cluster, file, content, 0, 22);
      VersionHooks.set((point, path) -> {
        if (!path.equals(file.toString()) || point.name().startsWith("PUBLISH_")
            || streams.isEmpty()) {
          return;
        }
        // A stream that has read once in this way would know the file by its log.
        try (FSDataInputStream in = streams.remove(0)) {
          assertSees(in, content, "at " + point);
        } catch (IOException | AssertionError e) {
          failures.add(e);
        }
      });
      commit(cluster, file);
      VersionHooks.set(VersionHook.NONE);
      assertEquals(List.of(), failures);
      assertTrue(streams.size() < 50, streams.size() + " streams are left");
      for (FSDataInputStream in : streams) {
        assertSees(in, content, "after the commit");
        in.close();
      }
    }
  }

  private static boolean isThere(UpdateCluster at, LocatedStripedBlock group) {
    for (Map.Entry<Integer, DatanodeInfo> unit : RepairCluster.holders(group).entrySet()) {
      DataNode node = at.hdfs().datanode(unit.getValue());
      ExtendedBlock block = RepairCluster.internalBlock(group, unit.getKey());
      if (node.getFSDataset().contains(block)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void streamsGoOnWhenTheOldVersionIsGone(@TempDir java.nio.file.Path own) throws IOException {
    Path file = UpdateCluster.path("gone");
    try (UpdateCluster hasty = UpdateCluster.start(own, PprKeys.NAMENODE_COMMIT_GRACE_KEY, "0");
        PprFileSystem fs = hasty.client()) {
      byte[] content = hasty.write("gone", 31);
      List<LocatedStripedBlock> before = hasty.hdfs().groups(file);
      try (FSDataInputStream in = fs.open(file)) {
        readSome(in, content, 1);
        update(hasty, file, content, 0, 32);
        commit(hasty, file);
        for (LocatedStripedBlock group : before) {
          RepairCluster.await("no DataNode has units of " + group.getBlock(),
              () -> !isThere(hasty, group));
        }
        assertSees(in, content, "without the old version");
      }
    }
  }

  private static void bring(Path file, byte[] content, Past past, long seed)
      throws IOException {
    if (past == Past.COMMITTED) {
      update(cluster, file, content, 0, seed);
      commit(cluster, file);
    }
    if (past != Past.NEW) {
      update(cluster, file, content, 0, seed + 1);
    }
  }

  private static void assertRefused(FSDataInputStream in, int position) throws IOException {
    byte[] read = new byte[GROUP / 2];
    String why = assertThrows(IOException.class, () -> in.readFully(position, read)).getMessage();
    assertTrue(why.contains("open it anew"), why);
    in.seek(position);
    why = assertThrows(IOException.class, () -> in.readFully(read)).getMessage();
    assertTrue(why.contains("open it anew"), why);
  }

  /** The other file has the same length and policy, and other bytes. */
  @Test
  void noStreamGoesOnInAnotherFile() throws IOException {
    for (Past old : Past.values()) {
      for (Past past : Past.values()) {
        Path file = UpdateCluster.path(old + "-" + past);
        byte[] content = cluster.write(file.getName(), 41);
        bring(file, content, old, 42);
        Path kept = file.suffix("-kept");
        Path other = file.suffix("-other");
        try (PprFileSystem fs = cluster.client(); FSDataInputStream in = fs.open(file);
            FSDataInputStream late = fs.open(file)) {
          readSome(in, content, 1);
          readSome(late, content, 1);
          byte[] foreign = cluster.write(other.getName(), 43);
          bring(other, foreign, past, 44);
          assertTrue(cluster.hdfs().fs.rename(file, kept));
          assertTrue(cluster.hdfs().fs.rename(other, file));
          for (int position : new int[] {0, GROUP, 2 * GROUP - 10}) {
            assertRefused(in, position);
          }
          // The file that has the path gets updates and versions of its own.
          update(cluster, file, foreign, 1, 45);
          commit(cluster, file);
          assertRefused(in, 0);
          assertRefused(in, GROUP);
          assertRefused(late, GROUP);
          try (FSDataInputStream anew = fs.open(file)) {
            assertSees(anew, foreign, "of the other file");
          }
          // The path gets the file back, in a version of its own.
          assertTrue(cluster.hdfs().fs.delete(file, false));
          update(cluster, kept, content, 2, 46);
          commit(cluster, kept);
          assertTrue(cluster.hdfs().fs.rename(kept, file));
          assertSees(in, content, "when the file is back that was " + old);
          assertSees(late, content, "when the file is back that was " + old);
        }
      }
    }
  }

  @Test
  void aFileThatIsWrittenAnewIsAnother() throws IOException {
    for (Past past : Past.values()) {
      Path file = UpdateCluster.path("anew-" + past);
      byte[] content = cluster.write(file.getName(), 51);
      bring(file, content, past, 52);
      try (PprFileSystem fs = cluster.client(); FSDataInputStream in = fs.open(file)) {
        readSome(in, content, 1);
        // It overwrites the file.
        cluster.write(file.getName(), 53);
        assertRefused(in, 0);
        assertRefused(in, GROUP);
      }
    }
  }
}
