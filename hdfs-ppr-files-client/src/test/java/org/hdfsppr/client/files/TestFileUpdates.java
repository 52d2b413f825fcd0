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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.StreamChecksum;
import org.apache.hadoop.hdfs.UpdatedInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.PprTool;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.UpdatingProgram;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.UpdateRefusedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients update files in place on a cluster with both plugins, and see what others update. */
@Timeout(300)
class TestFileUpdates {
  private static final UserGroupInformation BOB =
      UserGroupInformation.createUserForTesting("bob", new String[] {"others"});

  @TempDir
  static java.nio.file.Path directory;
  private static UpdateCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = UpdateCluster.start(directory);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Path path(String name) {
    return UpdateCluster.path(name);
  }

  private static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void place(byte[] content, int position, byte[] update) {
    System.arraycopy(update, 0, content, position, update.length);
  }

  /** Reads a file by one positional read. */
  private static byte[] read(FileSystem fs, Path file, int length) throws IOException {
    byte[] read = new byte[length];
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(0, read);
    }
    return read;
  }

  private static void assertContent(FileSystem fs, Path file, byte[] content)
      throws IOException {
    assertArrayEquals(content, read(fs, file, content.length));
  }

  private static LocatedStripedBlock group(Path file, int index) throws IOException {
    return cluster.hdfs().groups(file).get(index);
  }

  private static DatanodeInfo holder(Path file, int index, int unit) throws IOException {
    return RepairCluster.holders(group(file, index)).get(unit);
  }

  @Test
  void otherClientsSeeAcknowledgedUpdatesAtOnceAndStockDoesNot() throws IOException {
    byte[] before = cluster.write("seen", 1);
    byte[] content = before.clone();
    Path file = path("seen");
    try (PprFileSystem writer = cluster.client(); PprFileSystem reader = cluster.client();
        FSDataInputStream in = reader.open(file)) {
      assertTrue(in.getWrappedStream() instanceof UpdatedInputStream);
      try (FileUpdater updater = writer.openForUpdate(file)) {
        assertEquals(content.length, updater.length());
        Random random = new Random(2);
        for (int i = 0; i < 40; i++) {
          byte[] update = bytes(1 + random.nextInt(3 * UpdateCluster.CELL), i);
          int position = random.nextInt(content.length - update.length + 1);
          updater.write(position, update);
          place(content, position, update);
          if (i % 4 == 0) {
            updater.hflush();
            byte[] seen = new byte[content.length];
            in.readFully(0, seen);
            assertArrayEquals(content, seen, "after update " + i);
          }
        }
        updater.hsync();
      }
      byte[] seen = new byte[content.length];
      in.seek(0);
      in.readFully(seen);
      assertArrayEquals(content, seen, "by a stateful read");
      assertEquals(-1, in.read());
      assertContent(writer, file, content);
    }
    assertContent(cluster.hdfs().fs, file, before);
  }

  @Test
  void aProgramOf020Writes() throws IOException {
    byte[] content = cluster.write("program", 7);
    try (PprFileSystem fs = cluster.client()) {
      UpdatingProgram.load().write(fs, path("program"));
      place(content, content.length - 8, new byte[] {5, 6, 7, 8, 1, 2, 3, 4});
      assertContent(fs, path("program"), content);
    }
  }

  @Test
  void theLastOfUpdatesOfTheSameBytesCounts() throws IOException {
    byte[] content = cluster.write("order", 3);
    try (PprFileSystem fs = cluster.client();
        FileUpdater updater = fs.openForUpdate(path("order"))) {
      Random random = new Random(4);
      for (int i = 0; i < 300; i++) {
        byte[] update = bytes(1 + random.nextInt(500), i);
        int position = random.nextInt(2_000);
        updater.write(position, update);
        place(content, position, update);
      }
      updater.hflush();
      assertContent(fs, path("order"), content);
    }
  }

  @Test
  void aFileWithoutUpdatesIsReadAsItIs() throws IOException {
    byte[] content = cluster.write("quiet", 5);
    try (PprFileSystem fs = cluster.client()) {
      assertContent(fs, path("quiet"), content);
      Path elsewhere = cluster.hdfs().directory("/elsewhere", UpdateCluster.POLICY);
      Path file = new Path(elsewhere, "file");
      byte[] other = cluster.hdfs().write(file, 50_000, UpdateCluster.UNIT, 6);
      try (FSDataInputStream in = fs.open(file)) {
        assertFalse(in.getWrappedStream() instanceof UpdatedInputStream);
      }
      assertContent(fs, file, other);
    }
  }

  @Test
  void aDataNodeThatLeadsDiesAndReadersAndWritersGoOn() throws IOException {
    byte[] content = cluster.write("killed", 7);
    Path file = path("killed");
    DatanodeInfo leader = holder(file, 0, 0);
    try (PprFileSystem writer = cluster.client(); PprFileSystem reader = cluster.client();
        FSDataInputStream in = reader.open(file);
        FileUpdater updater = writer.openForUpdate(file)) {
      byte[] update = bytes(10_000, 8);
      updater.write(100, update);
      place(content, 100, update);
      updater.hflush();
      byte[] seen = new byte[content.length];
      in.readFully(0, seen);
      assertArrayEquals(content, seen);

      DataNodeProperties killed = cluster.kill(leader);
      in.readFully(0, seen);
      assertArrayEquals(content, seen, "the unit is lost, its updates are not");
      update = bytes(5_000, 9);
      updater.write(2_000, update);
      place(content, 2_000, update);
      updater.hsync();
      in.readFully(0, seen);
      assertArrayEquals(content, seen, "updates of a lost unit");
      assertContent(reader, file, content);

      assertTrue(cluster.hdfs().mini().restartDataNode(killed, true));
      cluster.hdfs().mini().waitActive();
      cluster.awaitInCharge(UpdateCluster.NODES);
      in.readFully(0, seen);
      assertArrayEquals(content, seen, "the old leader is back");
      update = bytes(300, 10);
      updater.write(50, update);
      place(content, 50, update);
      updater.hflush();
      assertContent(reader, file, content);
    }
  }

  /** Without this, a block device would fail at each place that was never written before. */
  @Test
  void aUnitThatIsLostIsUpdatedForTheFirstTime() throws Exception {
    try {
      for (String strategy : List.of("cau", "parix", "baseline", "delta-log")) {
        cluster.plugin().setUpdatable(UpdateCluster.DIRECTORY, true, strategy);
        updateLostUnit("first-" + strategy);
      }
    } finally {
      cluster.plugin().setUpdatable(UpdateCluster.DIRECTORY, true);
    }
  }

  private static void updateLostUnit(String name) throws Exception {
    byte[] content = cluster.write(name, 70);
    Path file = path(name);
    DataNodeProperties killed = cluster.kill(holder(file, 0, 0));
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      byte[] update = bytes(10_000, 71);
      updater.write(100, update);
      place(content, 100, update);
      updater.hsync();
      assertContent(fs, file, content);
      assertTrue(cluster.hdfs().mini().restartDataNode(killed, true));
      cluster.hdfs().mini().waitActive();
      cluster.awaitInCharge(UpdateCluster.NODES);
      update = bytes(300, 72);
      updater.write(50, update);
      place(content, 50, update);
      updater.hflush();
      assertContent(fs, file, content);
    }
    RepairCluster.await("the updates of " + name + " are committed", () -> {
      try {
        return cluster.commit(file).state == CommitStatus.State.PUBLISHED;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    new CommitChecks(cluster).assertCommitted(file, content);
  }

  @Test
  void termsSurviveARestartOfTheNameNode() throws IOException {
    byte[] content = cluster.write("restart", 11);
    Path file = path("restart");
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      byte[] update = bytes(70_000, 12);
      updater.write(40_000, update);
      place(content, 40_000, update);
      updater.hflush();
      cluster.hdfs().mini().restartNameNode();
      cluster.awaitInCharge(UpdateCluster.NODES);
      update = bytes(1_000, 13);
      updater.write(39_500, update);
      place(content, 39_500, update);
      updater.hflush();
      assertContent(fs, file, content);
    }
    try (PprFileSystem fs = cluster.client(); FileUpdater updater = fs.openForUpdate(file)) {
      byte[] update = bytes(20_000, 14);
      updater.write(45_000, update);
      place(content, 45_000, update);
      updater.hsync();
      assertContent(fs, file, content);
    }
  }

  @Test
  void anotherWriterContinuesWhereTheFirstHasEnded() throws IOException {
    byte[] content = cluster.write("two", 15);
    try (PprFileSystem one = cluster.client(); PprFileSystem two = cluster.client();
        FileUpdater first = one.openForUpdate(path("two"));
        FileUpdater second = two.openForUpdate(path("two"))) {
      for (int i = 0; i < 20; i++) {
        byte[] update = bytes(700, i);
        FileUpdater updater = i % 2 == 0 ? first : second;
        updater.write(300 * i, update);
        updater.hflush();
        place(content, 300 * i, update);
      }
      assertContent(one, path("two"), content);
    }
  }

  private static String refusal(String name) throws IOException {
    try (PprFileSystem fs = cluster.client()) {
      return assertThrows(UpdateRefusedException.class, () ->
          fs.openForUpdate(name.startsWith("/") ? new Path(name) : path(name))).getMessage();
    }
  }

  private static void assertHas(String part, String text) {
    assertTrue(text.contains(part), text);
  }

  @Test
  void filesThatCannotBeUpdatedAreRefusedByName() throws IOException {
    Path outside = new Path(cluster.hdfs().directory("/outside", UpdateCluster.POLICY), "file");
    cluster.hdfs().write(outside, 1_000, UpdateCluster.UNIT, 16);
    assertHas("No directory above /outside/file is updatable", refusal("/outside/file"));

    Path replicated = path("replicated/file");
    cluster.hdfs().fs.mkdirs(replicated.getParent());
    cluster.hdfs().fs.setErasureCodingPolicy(replicated.getParent(), "replication");
    cluster.hdfs().write(replicated, 1_000, UpdateCluster.UNIT, 17);
    assertHas("is replicated", refusal("replicated/file"));

    try (FSDataOutputStream out = cluster.hdfs().fs.create(path("open"))) {
      out.write(1);
      assertHas("is open for writing", refusal("open"));
    }

    cluster.write("snap/file", 18);
    cluster.hdfs().fs.allowSnapshot(path("snap"));
    cluster.hdfs().fs.createSnapshot(path("snap"), "s");
    assertHas("is in a snapshot", refusal("snap/.snapshot/s/file"));

    try (FSDataOutputStream out = cluster.hdfs().fs.create(path("empty"))) {
      out.hflush();
    }
    try (PprFileSystem fs = cluster.client()) {
      assertHas("no bytes", assertThrows(IOException.class, () ->
          fs.openForUpdate(path("empty"))).getMessage());
      assertThrows(IOException.class, () -> fs.openForUpdate(path("nothing")));
      cluster.write("end", 19);
      try (FileUpdater updater = fs.openForUpdate(path("end"))) {
        assertHas("past the end", assertThrows(EOFException.class, () ->
            updater.write(updater.length() - 3, new byte[4])).getMessage());
        assertThrows(EOFException.class, () -> updater.write(-1, new byte[1]));
        updater.write(updater.length() - 3, new byte[3]);
      }
    }
  }

  @Test
  void aClientWithoutTheSettingUpdatesNothing() throws IOException {
    cluster.write("off", 20);
    Configuration conf = cluster.clientConf();
    conf.unset(PprKeys.CLIENT_UPDATES_KEY);
    try (PprFileSystem fs = (PprFileSystem) FileSystem.newInstance(
        cluster.hdfs().fs.getUri(), conf)) {
      assertHas(PprKeys.CLIENT_UPDATES_KEY, assertThrows(IOException.class, () ->
          fs.openForUpdate(path("off"))).getMessage());
    }
  }

  @Test
  void nothingIsUpdatedInSafeModeAndReadersGoOn() throws IOException {
    byte[] content = cluster.write("safe", 21);
    cluster.hdfs().mini().getNameNodeRpc().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
    try (PprFileSystem fs = cluster.client()) {
      assertHas("safe mode", refusal("safe"));
      assertContent(fs, path("safe"), content);
    } finally {
      cluster.hdfs().mini().getNameNodeRpc().setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
    }
  }

  @Test
  void reservedPathsShowUpdatesAndTheChecksumIsThatOfTheVersion() throws IOException {
    byte[] content = cluster.write("reserved", 41);
    Path file = path("reserved");
    try (PprFileSystem fs = cluster.client()) {
      FileChecksum before;
      try (FSDataInputStream in = fs.open(file)) {
        before = StreamChecksum.of(in, content.length);
      }
      try (FileUpdater updater = fs.openForUpdate(file)) {
        updater.write(0, bytes(100, 42));
      }
      place(content, 0, bytes(100, 42));
      assertContent(fs, new Path("/.reserved/raw" + file.toUri().getPath()), content);
      try (FSDataInputStream in = fs.open(file)) {
        assertEquals(before, StreamChecksum.of(in, content.length));
      }
    }
  }

  @Test
  void onlyUsersWithTheRightUpdateAndRead() throws Exception {
    byte[] content = cluster.write("mine", 22);
    Path file = path("mine");
    cluster.hdfs().fs.setPermission(file, new FsPermission((short) 0644));
    try (PprFileSystem own = cluster.client(); PprFileSystem bob = cluster.client(BOB)) {
      byte[] update = bytes(100, 23);
      try (FileUpdater updater = own.openForUpdate(file)) {
        updater.write(0, update);
      }
      place(content, 0, update);
      assertContent(bob, file, content);
      assertThrows(AccessControlException.class, () -> bob.openForUpdate(file));
      try (FSDataInputStream in = bob.open(file)) {
        in.readFully(0, new byte[10]);
        cluster.hdfs().fs.setPermission(file, new FsPermission((short) 0600));
        assertThrows(AccessControlException.class, () -> bob.open(file));
        byte[] seen = new byte[10];
        in.readFully(0, seen);
        assertArrayEquals(Arrays.copyOf(content, 10), seen, "tokens are valid for a while");
      }
    }
  }

  private static int tool(StringWriter out, UserGroupInformation user, String... args)
      throws Exception {
    Configuration conf = cluster.hdfs().clientConf();
    return user.doAs((PrivilegedExceptionAction<Integer>) () -> PprTool.run(
        () -> conf, new PrintWriter(out), new PrintWriter(out), args));
  }

  @Test
  void commandsMakeADirectoryUpdatableAndUpdateAFile() throws Exception {
    Path dir = cluster.hdfs().directory("/tool", UpdateCluster.POLICY);
    Path file = new Path(dir, "file");
    byte[] content = cluster.hdfs().write(file, 100_000, UpdateCluster.UNIT, 24);
    java.nio.file.Path local = directory.resolve("local");
    byte[] update = bytes(40_000, 25);
    Files.write(local, update);
    UserGroupInformation own = UserGroupInformation.getCurrentUser();
    StringWriter out = new StringWriter();
    String[] write = {"-update", file.toString(), "-offset", "30000", "-from", local.toString()};
    assertEquals(1, tool(out, own, write));
    assertHas("No directory above /tool/file is updatable", out.toString());
    assertEquals(1, tool(out, BOB, "-updatable", "/tool"));
    assertHas("Permission denied", out.toString());
    assertEquals(0, tool(out, own, "-updatable", "/tool"), out.toString());
    assertHas("may be updated in place", out.toString());
    assertEquals(0, tool(out, own, "-updatable", "/tool", "-json"), out.toString());
    assertHas("\"changed\":false", out.toString());
    assertEquals(0, tool(out, own, write), out.toString());
    assertHas("40000 bytes at 30000", out.toString());
    place(content, 30_000, update);
    try (PprFileSystem fs = cluster.client()) {
      assertContent(fs, file, content);
      out.getBuffer().setLength(0);
      assertEquals(1, tool(out, own, "-updatable", "/tool", "-off"));
      assertHas("have updates that are in no version", out.toString());
      assertHas("/tool/file", out.toString());
      assertEquals(0, tool(out, own, write), out.toString());
      assertContent(fs, file, content);
    }
    assertEquals(1, tool(out, own, "-updatable", file.toString()));
    assertEquals(2, tool(out, own, "-update", file.toString()));
  }

  private static boolean hasTag(Path file) throws IOException {
    return cluster.hdfs().fs.getXAttrs(file).containsKey("trusted.hdfs-ppr.update");
  }

  @Test
  void aFileThatWasOnlyReadIsNoFileOfUpdates() throws IOException {
    byte[] content = cluster.write("onlyread", 51);
    try (PprFileSystem fs = cluster.client(); FSDataInputStream in = fs.open(path("onlyread"))) {
      assertContent(fs, path("onlyread"), content);
      assertFalse(hasTag(path("onlyread")));
      byte[] seen = new byte[content.length];
      in.readFully(0, seen);
      // This stream knows for a moment that there are no updates. The first writer waits for it.
      try (FileUpdater updater = fs.openForUpdate(path("onlyread"))) {
        byte[] update = bytes(5_000, 52);
        updater.write(100, update);
        place(content, 100, update);
        updater.hflush();
        in.readFully(0, seen);
        assertArrayEquals(content, seen);
      }
      assertTrue(hasTag(path("onlyread")));
    }
  }

  @Test
  void aFileThatWasOpenedAndNotWrittenIsOneNoMore() throws Exception {
    Path dir = cluster.hdfs().directory("/off", UpdateCluster.POLICY);
    Path file = new Path(dir, "file");
    byte[] content = cluster.hdfs().write(file, 100_000, UpdateCluster.UNIT, 53);
    StringWriter out = new StringWriter();
    UserGroupInformation own = UserGroupInformation.getCurrentUser();
    assertEquals(0, tool(out, own, "-updatable", "/off"), out.toString());
    try (PprFileSystem fs = cluster.client()) {
      FileUpdater updater = fs.openForUpdate(file);
      assertTrue(hasTag(file));
      assertEquals(0, tool(out, own, "-updatable", "/off", "-off"), out.toString());
      assertFalse(hasTag(file));
      // Its tickets are of no use any more.
      updater.write(0, new byte[] {1});
      assertThrows(IOException.class, updater::hflush);
      assertContent(fs, file, content);
    }
  }

  @Test
  void aCopyWithTheAttributeOfTheOriginalShowsNoUpdatesOfIt() throws IOException {
    cluster.write("original", 26);
    byte[] copied = cluster.write("copy", 27);
    try (PprFileSystem fs = cluster.client()) {
      try (FileUpdater updater = fs.openForUpdate(path("original"))) {
        updater.write(0, bytes(100, 28));
      }
      String name = "trusted.hdfs-ppr.update";
      cluster.hdfs().fs.setXAttr(path("copy"), name,
          cluster.hdfs().fs.getXAttr(path("original"), name));
      assertHas("of another file", refusal("copy"));
      assertContent(fs, path("copy"), copied);
      cluster.hdfs().fs.removeXAttr(path("copy"), name);
      assertContent(fs, path("copy"), copied);
    }
  }
}
