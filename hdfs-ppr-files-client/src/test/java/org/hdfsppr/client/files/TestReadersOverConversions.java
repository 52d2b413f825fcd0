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

import static org.hdfsppr.client.files.ConvertCluster.ALICE;
import static org.hdfsppr.client.files.ConvertCluster.GROUP;
import static org.hdfsppr.client.files.ConvertCluster.HITCHHIKER;
import static org.hdfsppr.client.files.ConvertCluster.RS;
import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.version.VersionHome;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionHooks;
import org.hdfsppr.namenode.version.VersionPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stock streams that were opened before a conversion. DataNodes see those that read; a file with
 * such a reader is not converted, and an old version with one is kept.
 */
@Timeout(300)
class TestReadersOverConversions {
  private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);
  private static final int SOME = 1_000;

  @TempDir
  static File directory;
  private static ConvertCluster cluster;
  private static FileSystem stock;

  @BeforeAll
  static void start() throws IOException {
    cluster = new ConvertCluster(directory);
    cluster.awaitInCharge();
    Configuration conf = new Configuration(cluster.hdfs().clientConf());
    conf.unset("fs.hdfs.impl");
    conf.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10);
    stock = FileSystem.newInstance(cluster.hdfs().fs.getUri(), conf);
    assertEquals(DistributedFileSystem.class, stock.getClass());
  }

  @AfterAll
  static void stop() throws IOException {
    if (stock != null) {
      stock.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void hookNothing() {
    VersionHooks.set(VersionHook.NONE);
  }

  /** Writes a file that seems idle. A stream that stays open for days renews no access time. */
  private static byte[] write(Path file, int groups, long seed) throws IOException {
    byte[] content = cluster.write(file, RS, groups * GROUP, seed);
    seemIdle(file);
    return content;
  }

  private static void seemIdle(Path file) throws IOException {
    long before = System.currentTimeMillis() - 3 * DAY_MS;
    cluster.hdfs().fs.setTimes(file, before, before);
  }

  private static FSDataInputStream open(Path file) throws IOException {
    FSDataInputStream in = stock.open(file);
    seemIdle(file);
    return in;
  }

  private static int convert(Path file, String... more) throws Exception {
    List<String> words = new ArrayList<>(List.of("-convert", "-policy", HITCHHIKER));
    words.addAll(List.of(more));
    words.addAll(List.of("-wait", file.toString()));
    return cluster.run(ALICE, words.toArray(new String[0]));
  }

  /** Does something once, when the version of a file reaches a point. */
  private static void at(VersionPoint wanted, Path file, Work work) {
    VersionHooks.set((point, path) -> {
      if (point == wanted && path.equals(file.toString())) {
        VersionHooks.set(VersionHook.NONE);
        try {
          work.run();
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      }
    });
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void pread(FSDataInputStream in, byte[] content, int position)
      throws IOException {
    byte[] read = new byte[SOME];
    in.readFully(position, read);
    assertArrayEquals(Arrays.copyOfRange(content, position, position + SOME), read);
  }

  private static boolean isOldKept(long inode) throws IOException {
    return cluster.hdfs().fs.exists(new Path(VersionHome.CONVERSIONS.directory(inode)))
        || cluster.hdfs().fs.exists(new Path(VersionHome.FLAT.directory(inode)));
  }

  private static long inode(Path file) throws IOException {
    return cluster.hdfs().fs.getClient().getFileInfo(file.toString()).getFileId();
  }

  private static void assertInUse(int code) {
    assertEquals(1, code, cluster.out());
    assertTrue(cluster.out().contains("refused: in_use"), cluster.out());
    assertTrue(cluster.out().contains("is being read: DataNode "), cluster.out());
  }

  @Test
  void aPositionalReadDuringTheMakingRefusesTheVersion() throws Exception {
    Path file = new Path("/warm/pread");
    byte[] content = write(file, 2, 1);
    try (FSDataInputStream in = open(file)) {
      pread(in, content, 0);
      at(VersionPoint.MADE, file, () -> pread(in, content, GROUP + 100));
      assertInUse(convert(file));
      assertEquals(RS, cluster.policy(file));
    }
    // The DataNodes know it without a new read: the time for which a file has to be idle counts.
    assertInUse(convert(file));
    assertEquals(0, convert(file, "-idle", "1s"), cluster.out());
    assertEquals(HITCHHIKER, cluster.policy(file));
    assertTrue(cluster.hdfs().hasContent(file, content));
  }

  @Test
  void aReadThatLastsRefusesTheVersion() throws Exception {
    Path file = new Path("/warm/stream");
    byte[] content = write(file, 40, 2);
    try (FSDataInputStream in = open(file)) {
      // The DataNodes' sockets hold the rest of what they send of the unit.
      in.seek(5);
      at(VersionPoint.VERIFIED, file, () -> {
        byte[] read = new byte[SOME];
        in.readFully(read);
        assertArrayEquals(Arrays.copyOfRange(content, 5, 5 + SOME), read);
      });
      assertInUse(convert(file));
    }
  }

  @Test
  void forcedFilesAreConvertedAllTheSame() throws Exception {
    Path file = new Path("/warm/forced");
    byte[] content = write(file, 1, 3);
    try (FSDataInputStream in = open(file)) {
      at(VersionPoint.MADE, file, () -> pread(in, content, 0));
      assertEquals(0, convert(file, "-force"), cluster.out());
      assertEquals(HITCHHIKER, cluster.policy(file));
    }
  }

  /** Repairs, and the nodes that make the new version, read the old units as well. */
  @Test
  void theMakingItselfIsNoReader() throws Exception {
    Path file = new Path("/warm/quiet");
    byte[] content = write(file, 3, 4);
    try (FSDataInputStream idle = open(file)) {
      // A stream that is open and reads nothing is not seen.
      assertEquals(0, convert(file, "-full-check"), cluster.out());
      assertEquals(HITCHHIKER, cluster.policy(file));
      assertEquals(0, idle.getPos());
    }
    assertTrue(cluster.hdfs().hasContent(file, content));
  }

  /** The stream decodes with the old code what the new one's parity units say. */
  @Test
  void anIdleStreamThatIsNotSeenReadsWrongBytesAfterTheGrace() throws Exception {
    Path file = new Path("/warm/idle");
    byte[] content = write(file, 1, 5);
    LocatedStripedBlock old = cluster.hdfs().groups(file).get(0);
    try (FSDataInputStream in = open(file)) {
      assertEquals(0, convert(file, "-grace", "1s"), cluster.out());
      await("the DataNodes have deleted the old version", () ->
          RepairCluster.holders(old).entrySet().stream().noneMatch(holder ->
              cluster.hdfs().datanode(holder.getValue()).getFSDataset()
                  .contains(RepairCluster.internalBlock(old, holder.getKey()))));
      LocatedStripedBlock group = cluster.hdfs().groups(file).get(0);
      // A unit of the new version is lost, too.
      RepairCluster.drop(cluster.hdfs().datanode(RepairCluster.holders(group).get(0)),
          RepairCluster.internalBlock(group, 0));
      byte[] read = new byte[content.length];
      in.readFully(0, read);
      assertFalse(Arrays.equals(content, read), "documented in docs/convert.md");
    }
  }

  private static boolean isGone(long inode) {
    try {
      return !isOldKept(inode);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theOldVersionOfAReaderIsKept() throws Exception {
    Path file = new Path("/warm/grace");
    byte[] content = write(file, 1, 6);
    long inode = inode(file);
    long graceMs = 4_000;
    try (FSDataInputStream in = open(file)) {
      pread(in, content, 0);
      assertEquals(0, convert(file, "-grace", graceMs / 1_000 + "s"), cluster.out());
      long published = System.nanoTime();
      // It reads in each grace; without that, the old version would be deleted within two.
      while (System.nanoTime() - published < TimeUnit.MILLISECONDS.toNanos(3 * graceMs)) {
        assertTrue(isOldKept(inode), "the stream still reads");
        pread(in, content, GROUP / 2);
        Thread.sleep(graceMs / 8);
      }
    }
    await("a grace has passed without a read", () -> isGone(inode));
    FileStatus status = stock.getFileStatus(file);
    assertEquals(content.length, status.getLen());
  }
}
