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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.hdfsppr.namenode.StockReplay;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What stock does to striped files that snapshots have: the facts on which {@code PublishOrder}s
 * are carried out. No plugin runs here.
 */
@Timeout(600)
class TestStockSnapshotRenames {
  private static final String POLICY = "RS-3-2-1024k";
  private static final int BYTES = 40_000;
  private static final Path WORK = new Path("/work");

  @TempDir
  static File directory;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;
  private static int cases;

  private Path dir;
  private Path file;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, new File(directory, "dfs").getAbsolutePath());
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 1024);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(5).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    fs.enableErasureCodingPolicy(POLICY);
    fs.mkdirs(WORK);
    fs.setErasureCodingPolicy(WORK, POLICY);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  @BeforeEach
  void begin() throws IOException {
    dir = new Path("/case" + cases++);
    file = new Path(dir, "f");
    fs.mkdirs(dir);
    fs.setErasureCodingPolicy(dir, POLICY);
    fs.setQuota(dir, 1_000, 1L << 40);
    write(file, 1);
    fs.allowSnapshot(dir);
  }

  @AfterEach
  void end() throws IOException {
    // Each case has to leave a namespace that starts, since the next one compares all of it.
    if (fs.exists(dir)) {
      for (FileStatus one : fs.listStatus(new Path(dir, ".snapshot"))) {
        fs.deleteSnapshot(dir, one.getPath().getName());
      }
      assertReplays();
      fs.delete(dir, true);
    }
    assertReplays();
  }

  private static void write(Path path, int seed) throws IOException {
    try (OutputStream out = fs.create(path, true, 4096, (short) 1, 1 << 20)) {
      out.write(data(seed));
    }
  }

  private static byte[] data(int seed) {
    byte[] data = new byte[BYTES];
    new Random(seed).nextBytes(data);
    return data;
  }

  private static void assertContent(Path path, int seed) throws IOException {
    assertTrue(Arrays.equals(data(seed), DFSTestUtil.readFileAsBytes(fs, path)), path.toString());
  }

  private static void assertReplays() throws IOException {
    StockReplay.assertStarts(cluster, new File(directory, "replays"), "/");
  }

  /** Compares the counters of the quota, too, which a replay counts anew. */
  private void assertUsage() throws IOException {
    try (StockReplay stock = StockReplay.start(cluster, new File(directory, "replays"))) {
      stock.assertSameUsage(fs, dir);
      stock.checkpoint();
      stock.assertSameUsage(fs, dir);
    }
  }

  private static void overwrite(Path at, int seed) throws IOException {
    Path made = new Path(WORK, "new");
    write(made, seed);
    fs.setTimes(made, seed, seed);
    fs.rename(made, at, Options.Rename.OVERWRITE);
    assertContent(at, seed);
  }

  private Path inSnapshot(String snapshot) {
    return new Path(dir, ".snapshot/" + snapshot + "/f");
  }

  @Test
  void aFileOfASnapshotIsOverwritten() throws Exception {
    fs.createSnapshot(dir, "s");
    overwrite(file, 2);
    assertContent(inSnapshot("s"), 1);
    assertReplays();
    assertUsage();
    fs.delete(file, false);
    assertReplays();
    overwrite(file, 3);
    assertContent(inSnapshot("s"), 1);
    assertUsage();
    fs.deleteSnapshot(dir, "s");
    assertUsage();
  }

  @Test
  void aFileOfSeveralSnapshotsIsOverwritten() throws Exception {
    for (int i = 1; i <= 4; i++) {
      fs.createSnapshot(dir, "s" + i);
      fs.createSnapshot(dir, "t" + i);
      overwrite(file, i + 1);
    }
    assertReplays();
    assertUsage();
    for (int i : new int[] {2, 1, 4, 3}) {
      assertContent(inSnapshot("s" + i), i);
      fs.deleteSnapshot(dir, "s" + i);
      assertReplays();
      assertContent(inSnapshot("t" + i), i);
      fs.deleteSnapshot(dir, "t" + i);
      assertReplays();
    }
    assertContent(file, 5);
  }

  @Test
  void aFileThatHasChangedSinceTheSnapshotIsOverwritten() throws Exception {
    fs.createSnapshot(dir, "s");
    fs.setTimes(file, 7, 7);
    fs.createSnapshot(dir, "t");
    fs.setPermission(file, new FsPermission((short) 0600));
    overwrite(file, 2);
    assertContent(inSnapshot("s"), 1);
    assertContent(inSnapshot("t"), 1);
    assertReplays();
    assertUsage();
    fs.deleteSnapshot(dir, "t");
    assertContent(inSnapshot("s"), 1);
    assertReplays();
  }

  /** Blocks that were added since the snapshot have no owner any more, and go at once. */
  @Test
  void aFileThatWasAppendedToSinceTheSnapshotIsOverwritten() throws Exception {
    fs.createSnapshot(dir, "s");
    try (OutputStream out = fs.append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK),
        4096, null)) {
      out.write(data(9));
    }
    overwrite(file, 2);
    assertEquals(BYTES, fs.getFileStatus(inSnapshot("s")).getLen());
    assertContent(inSnapshot("s"), 1);
    fs.deleteSnapshot(dir, "s");
  }

  /** The directory is a reference then. */
  @Test
  void aFileOfADirectoryThatWasRenamedIsOverwritten() throws Exception {
    Path sub = new Path(dir, "sub");
    fs.mkdirs(sub);
    write(new Path(sub, "f"), 5);
    fs.createSnapshot(dir, "s");
    Path moved = new Path(dir, "moved");
    assertTrue(fs.rename(sub, moved));
    overwrite(new Path(moved, "f"), 2);
    assertContent(new Path(dir, ".snapshot/s/sub/f"), 5);
    assertReplays();
    fs.createSnapshot(dir, "t");
    overwrite(new Path(moved, "f"), 3);
    assertContent(new Path(dir, ".snapshot/t/moved/f"), 2);
    assertReplays();
    fs.delete(moved, true);
    assertContent(new Path(dir, ".snapshot/s/sub/f"), 5);
    assertReplays();
  }

  /** The snapshot has the file before and after it has moved, so that its old path is no bomb. */
  @Test
  void aFileIsWhereASnapshotHasIt() throws Exception {
    fs.createSnapshot(dir, "s");
    overwrite(file, 2);
    fs.createSnapshot(dir, "t");
    fs.deleteSnapshot(dir, "s");
    assertReplays();
    assertContent(inSnapshot("t"), 2);
  }

  /** The fault of stock. If this test fails, Hadoop may have mended it. */
  @Test
  void aFileThatIsRenamedWhileASnapshotHasItEndsTheNameNode() throws Exception {
    fs.createSnapshot(dir, "s");
    Path away = new Path("/away");
    try (StockReplay stock = StockReplay.start(cluster, new File(directory, "replays"))) {
      stock.fs().rename(file, away, Options.Rename.OVERWRITE);
      stock.restart();
      assertThrows(IOException.class, () -> stock.fs().delete(away, false));
      assertFalse(stock.fs().exists(away));
      stock.restart();
      assertTrue(stock.fs().exists(away), "the delete is in no edit");
      assertThrows(IOException.class, () -> stock.fs().delete(away, false));
      stock.fs().create(away, true, 4096, (short) 1, 1 << 20).close();
      assertThrows(IOException.class, stock::restart);
    }
  }
}
