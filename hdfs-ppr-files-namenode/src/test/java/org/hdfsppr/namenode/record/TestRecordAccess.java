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
package org.hdfsppr.namenode.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.RecordAccess;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.hdfsppr.namenode.convert.NameNodeJobFolder;
import org.hdfsppr.namenode.core.CoreFolder;
import org.hdfsppr.namenode.core.NameNodeCoreFolder;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.record.RecordStore.Change;
import org.hdfsppr.namenode.update.NameNodeUpdateFolder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records are changed by compare-and-set, in a NameNode's namespace. */
class TestRecordAccess {
  private static final String NAME = "hdfs-ppr.test";
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2};
  private static final byte[] THREE = {3};
  private static final int XATTR_BYTES_MAX = 1_000;
  private static final int WRITERS = 4;
  private static final int WRITES = 200;

  @TempDir
  static File directory;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;
  private static RecordStore records;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.getAbsolutePath());
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_KEY, XATTR_BYTES_MAX);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    fs = cluster.getFileSystem();
    records = new RecordAccess(cluster.getNamesystem(), conf);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  private static long make(String path) throws IOException {
    fs.mkdirs(new Path(path));
    return fs.getClient().getFileInfo(path).getFileId();
  }

  private static byte[] value(String path, String name) throws IOException {
    return fs.getXAttrs(new Path(path)).get("trusted." + name);
  }

  /**
   * Writers read a number and write the next one. Reading and writing in two holds of the lock
   * would lose some: two writers would both go from the same number to the next one.
   */
  @Test
  void ofWritersThatHaveReadTheSameOneSucceeds() throws Exception {
    long inodeId = make("/race");
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        boolean isByPath = i % 2 == 0;
        all.add(pool.submit(() -> {
          int succeeded = 0;
          for (int write = 0; write < WRITES; write++) {
            byte[] before = records.attribute(inodeId, NAME).orElse(null);
            byte[] after = ByteBuffer.allocate(Integer.BYTES)
                .putInt(before == null ? 1 : ByteBuffer.wrap(before).getInt() + 1).array();
            Change change = isByPath ? new Change("/race", NAME, before, after)
                : new Change(inodeId, NAME, before, after);
            succeeded += records.change(List.of(change)) ? 1 : 0;
          }
          return succeeded;
        }));
      }
      int succeeded = 0;
      for (Future<Integer> one : all) {
        succeeded += one.get();
      }
      assertEquals(succeeded, ByteBuffer.wrap(value("/race", NAME)).getInt());
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void severalChangesAreMadeTogetherOrNotAtAll() throws IOException {
    long first = make("/first");
    make("/second");
    assertTrue(records.change(List.of(new Change(first, NAME, null, ONE),
        new Change("/second", NAME, null, TWO))));
    assertFalse(records.change(List.of(new Change(first, NAME, ONE, THREE),
        new Change("/second", NAME, ONE, THREE))));
    assertFalse(records.change(List.of(new Change(first, NAME, null, THREE))));
    assertArrayEquals(ONE, value("/first", NAME));
    assertArrayEquals(TWO, value("/second", NAME));
    assertTrue(records.change(List.of(new Change(first, NAME, ONE, null),
        new Change("/second", NAME, TWO, null))));
    assertEquals(Map.of(), fs.getXAttrs(new Path("/first")));
    assertEquals(Optional.empty(), records.attribute(first, NAME));
    assertThrows(FileNotFoundException.class,
        () -> records.change(List.of(new Change("/nowhere", NAME, null, ONE))));
  }

  @Test
  void limitsOfTheNameNodeHold() throws IOException {
    long inodeId = make("/limits");
    byte[] longest = new byte[XATTR_BYTES_MAX - NAME.length()];
    assertTrue(records.change(List.of(new Change(inodeId, NAME, null, longest))));
    HadoopIllegalArgumentException e = assertThrows(HadoopIllegalArgumentException.class,
        () -> records.change(List.of(new Change(inodeId, NAME, longest,
            new byte[longest.length + 1]))));
    assertTrue(e.getMessage().contains("takes up to " + XATTR_BYTES_MAX), e.getMessage());
    assertArrayEquals(longest, value("/limits", NAME));
    fs.setSafeMode(SafeModeAction.ENTER);
    try {
      assertThrows(SafeModeException.class,
          () -> records.change(List.of(new Change(inodeId, NAME, longest, ONE))));
    } finally {
      fs.setSafeMode(SafeModeAction.LEAVE);
    }
  }

  /** A NameNode that starts again reads what was written from its edit log. */
  @Test
  void changesAreInTheEditLog() throws IOException {
    long inodeId = make("/log");
    assertTrue(records.change(List.of(new Change(inodeId, NAME, null, ONE),
        new Change("/log", "hdfs-ppr.gone", null, ONE))));
    assertTrue(records.change(List.of(new Change(inodeId, NAME, ONE, TWO),
        new Change("/log", "hdfs-ppr.gone", ONE, null))));
    cluster.restartNameNodes();
    records = new RecordAccess(cluster.getNamesystem(), cluster.getConfiguration(0));
    assertArrayEquals(TWO, records.attribute(inodeId, NAME).orElseThrow());
    assertEquals(Optional.empty(), records.attribute(inodeId, "hdfs-ppr.gone"));
  }

  @Test
  void theRecordOfAJobIsNotWrittenOver() throws IOException {
    NameNodeJobFolder jobs = new NameNodeJobFolder(cluster::getNameNodeRpc, records);
    assertTrue(jobs.add("j", ONE));
    assertFalse(jobs.add("j", TWO));
    assertTrue(jobs.replace("j", ONE, TWO));
    assertFalse(jobs.replace("j", ONE, THREE));
    assertArrayEquals(TWO, jobs.read("j").orElseThrow());
    jobs.remove("j");
    assertThrows(FileNotFoundException.class, () -> jobs.replace("j", TWO, THREE));
  }

  @Test
  void theProtectionOfADirectoryIsNotWrittenOver() throws IOException {
    CoreFolder core = new NameNodeCoreFolder(cluster::getNameNodeRpc, records);
    long inodeId = make("/data");
    assertTrue(core.protect(inodeId, null, ONE));
    fs.setXAttr(new Path("/data"), "trusted." + CoreNamespace.XATTR, TWO);
    assertFalse(core.protect(inodeId, ONE, THREE));
    assertFalse(core.unprotect(inodeId, ONE));
    assertFalse(core.unprotect(inodeId, null));
    assertArrayEquals(TWO, value("/data", CoreNamespace.XATTR));
    assertEquals(List.of(inodeId), core.protectedIds());
    assertTrue(core.unprotect(inodeId, TWO));
    assertEquals(List.of(), core.protectedIds());
  }

  @Test
  void aParityFileGetsOneRecord() throws IOException {
    CoreFolder core = new NameNodeCoreFolder(cluster::getNameNodeRpc, records);
    core.makeShards();
    Path made = new Path("/made");
    fs.create(made, (short) 1).close();
    long inodeId = fs.getClient().getFileInfo("/made").getFileId();
    assertThrows(IOException.class, () -> core.publish(inodeId, ONE), "not at its place");
    assertTrue(fs.rename(made, new Path(CoreFolder.parity(inodeId))));
    core.publish(inodeId, ONE);
    IOException e = assertThrows(IOException.class, () -> core.publish(inodeId, TWO));
    assertTrue(e.getMessage().contains("has a record already"), e.getMessage());
    assertArrayEquals(ONE, core.record(inodeId).orElseThrow());
  }

  @Test
  void whatLetsFilesBeUpdatedIsSetAndRemoved() throws IOException {
    NameNodeUpdateFolder updates = new NameNodeUpdateFolder(cluster::getNameNodeRpc, records);
    long inodeId = make("/images");
    assertTrue(updates.setUpdatable(inodeId, "true"));
    assertFalse(updates.setUpdatable(inodeId, "true"));
    assertTrue(updates.setUpdatable(inodeId, "cau"));
    assertArrayEquals(new byte[] {'c', 'a', 'u'}, value("/images", "hdfs-ppr.updatable"));
    assertTrue(updates.setUpdatable(inodeId, null));
    assertFalse(updates.setUpdatable(inodeId, null));
    // Another writer comes between the look at the attribute and the change.
    NameNodeUpdateFolder late = new NameNodeUpdateFolder(cluster::getNameNodeRpc,
        new Between(() -> updates.setUpdatable(inodeId, "cau")));
    assertThrows(IOException.class, () -> late.setUpdatable(inodeId, "true"));
    assertEquals(Optional.of("cau"), updates.updatable(inodeId));
  }

  /** Has another writer act after each look of a caller, before its change. */
  private static final class Between implements RecordStore {
    private interface Act {
      void act() throws IOException;
    }

    private final Act other;

    Between(Act other) {
      this.other = other;
    }

    @Override
    public Optional<byte[]> attribute(long inodeId, String name) throws IOException {
      return records.attribute(inodeId, name);
    }

    @Override
    public boolean change(List<Change> changes) throws IOException {
      other.act();
      return records.change(changes);
    }
  }
}
