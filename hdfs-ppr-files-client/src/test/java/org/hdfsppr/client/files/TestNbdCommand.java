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

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.hdfsppr.client.device.DeviceMaker;
import org.hdfsppr.client.device.ReadOnlyFiles;
import org.hdfsppr.client.device.UpdatableBytes;
import org.hdfsppr.client.nbd.server.NbdClient;
import org.hdfsppr.client.nbd.server.TlsStores;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code hdfs ppr -nbd} on a cluster: what it serves, makes and refuses. */
@Timeout(300)
class TestNbdCommand {
  private static final int UNIT = 1 << 20;
  private static final int FILE_BYTES = 7 * UNIT + 12_345;
  private static final String LOOPBACK = "127.0.0.1:0";

  @TempDir
  static File directory;
  private static RepairCluster cluster;
  private static Configuration conf;
  private static byte[] content;

  @BeforeAll
  static void start() throws IOException {
    cluster = RepairCluster.start(RepairCluster.configuration(directory), 5);
    conf = cluster.clientConf();
    // There is no plugin at the NameNode.
    conf.setBoolean("dfs.client.ppr.updates", false);
    cluster.directory("/ec", "RS-3-2-1024k");
    content = cluster.write(new Path("/ec/disk"), FILE_BYTES, UNIT, 1);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static void assertRefused(int code, String sentence, String... args) throws Exception {
    try (NbdRun run = new NbdRun(conf, args)) {
      assertEquals(code, run.code(), run::toString);
      assertTrue(run.err().contains(sentence), run::toString);
      assertFalse(run.err().contains("\tat ") || run.err().contains("Exception"), run::toString);
    }
  }

  @Test
  void aFileIsRead() throws Exception {
    try (NbdRun run = new NbdRun(conf, "--listen", LOOPBACK, "--read-only", "/ec/disk");
        NbdClient client = NbdClient.openStructured(run.port())) {
      assertArrayEquals(content, client.read(0, FILE_BYTES));
      assertArrayEquals(Arrays.copyOfRange(content, 1_000_000, 3_000_000),
          client.read(1_000_000, 2_000_000));
      assertEquals(22, client.call(0, 0, FILE_BYTES - 1, 2).error);
      assertEquals(1, client.call(0, 1, 0, 1, (byte) 1).error);
      client.flush();
      assertTrue(run.out().startsWith(
          "/ec/disk (7.0 MiB, read-only) is served at nbd://127.0.0.1:"), run.out());
      assertEquals(0, run.end());
    }
  }

  @Test
  void aUnixSocketGoesWithItsServer() throws Exception {
    if (Runtime.version().feature() < 16) {
      assertRefused(1, "UNIX sockets need Java 16", "--read-only", "/ec/disk");
      return;
    }
    java.nio.file.Path socket = directory.toPath().resolve("disk.sock");
    try (NbdRun run = new NbdRun(conf, "--unix", socket.toString(), "--read-only", "/ec/disk")) {
      assertEquals("nbd+unix:///?socket=" + socket, run.uri());
      assertTrue(Files.exists(socket));
      assertEquals(0, run.end());
      assertFalse(Files.exists(socket));
    }
    try (NbdRun run = new NbdRun(conf, "-json", "--read-only", "/ec/disk")) {
      while (!run.out().contains("}")) {
        Thread.sleep(1);
      }
      assertTrue(run.out().startsWith("{\"uri\":\"nbd+unix:///?socket="), run.out());
      assertTrue(run.out().contains(",\"path\":\"/ec/disk\",\"size\":" + FILE_BYTES
          + ",\"read_only\":true}"), run.out());
      assertEquals(0, run.end());
    }
  }

  @Test
  void aDeviceIsMadeAndRead() throws Exception {
    try (NbdRun run = new NbdRun(conf, "--create", "--size", "10m", "--object", "4m",
        "--listen", LOOPBACK, "--read-only", "/ec/made");
        NbdClient client = NbdClient.open(run.port())) {
      assertTrue(run.out().startsWith("Making /ec/made: 12582912 bytes in 2 objects of 6291456"
          + " bytes"), run.out());
      assertArrayEquals(new byte[12 << 20], client.read(0, 12 << 20));
      assertEquals(22, client.call(0, 0, 12 << 20, 1).error);
      assertEquals(0, run.end());
    }
    FileStatus[] files = cluster.fs.listStatus(new Path("/ec/made"));
    assertEquals(3, files.length);
    // The disk of a machine is private, also where the umask lets all users read.
    assertEquals("rwx------", permission("/ec/made"));
    for (FileStatus file : files) {
      assertEquals("rw-------", file.getPermission().toString());
    }
    assertEquals("_device", files[0].getPath().getName());
    assertEquals("object-0000000", files[1].getPath().getName());
    assertEquals(6 << 20, files[1].getLen());
    assertEquals(1, cluster.groups(new Path("/ec/made/object-0000000")).size());
    // Bytes of objects are bytes of the device.
    cluster.fs.delete(new Path("/ec/made/object-0000001"), false);
    byte[] second = cluster.write(new Path("/ec/made/object-0000001"), 6 << 20, 2 << 20, 2);
    try (NbdRun run = new NbdRun(conf, "--listen", LOOPBACK, "--read-only", "/ec/made");
        NbdClient client = NbdClient.open(run.port())) {
      assertArrayEquals(Arrays.copyOf(second, 1000), client.read(6 << 20, 1000));
      assertEquals(0, client.read((6 << 20) - 1, 2)[0]);
      assertEquals(second[0], client.read((6 << 20) - 1, 2)[1]);
      assertEquals(0, run.end());
    }
    assertRefused(1, "/ec/made is not empty", "--create", "--size", "10m", "--read-only",
        "--listen", LOOPBACK, "/ec/made");
    cluster.fs.delete(new Path("/ec/made/object-0000000"), false);
    assertRefused(1, "/ec/made lacks 1 of 2 objects of the device, the first of them"
        + " object-0000000", "--listen", LOOPBACK, "--read-only", "/ec/made");
    cluster.write(new Path("/ec/made/object-0000000"), 5 << 20, 2 << 20, 2);
    assertRefused(1, "/ec/made/object-0000000 has 5242880 bytes, and the device wants 6291456",
        "--listen", LOOPBACK, "--read-only", "/ec/made");
  }

  private static String permission(String path) throws IOException {
    return cluster.fs.getFileStatus(new Path(path)).getPermission().toString();
  }

  /** An operator who has made the directory has decided about its permissions. */
  @Test
  void aDirectoryThatWasThereKeepsItsPermissions() throws Exception {
    Path shared = new Path("/ec/shared/above");
    cluster.fs.mkdirs(shared);
    cluster.fs.setPermission(shared, new FsPermission((short) 0750));
    for (String device : List.of("/ec/shared/above", "/ec/fresh/below/device")) {
      try (NbdRun run = new NbdRun(conf, "--create", "--size", "1m", "--listen", LOOPBACK,
          "--read-only", device)) {
        // It listens once the device is there.
        run.port();
        assertEquals(0, run.end());
      }
    }
    assertEquals("rwxr-x---", permission("/ec/shared/above"));
    assertEquals("rw-r--r--", permission("/ec/shared/above/object-0000000"));
    assertEquals("rw-r--r--", permission("/ec/shared/above/_device"));
    assertEquals("rwx------", permission("/ec/fresh/below/device"));
    assertEquals("rw-------", permission("/ec/fresh/below/device/_device"));
    assertEquals("rwxr-xr-x", permission("/ec/fresh/below"));
  }

  @Test
  void whatIsNoDeviceIsRefused() throws Exception {
    assertRefused(1, "/ec/none", "--listen", LOOPBACK, "--read-only", "/ec/none");
    assertRefused(1, "/ec is a directory, and no device", "--listen", LOOPBACK, "--read-only",
        "/ec");
    assertRefused(1, "has no erasure coding policy", "--create", "--size", "1m", "--read-only",
        "--listen", LOOPBACK, "/plain");
    assertThrows(FileNotFoundException.class,
        () -> cluster.fs.getFileStatus(new Path("/plain")));
    assertRefused(2, "'64x' is no number of bytes", "--create", "--size", "64x", "--read-only",
        "/ec/new");
    assertRefused(1, "choose longer objects", "--create", "--size", "1024t", "--object", "1",
        "--read-only", "--listen", LOOPBACK, "/ec/new");
    assertThrows(FileNotFoundException.class,
        () -> cluster.fs.getFileStatus(new Path("/ec/new")));
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() throws Exception {
    assertRefused(2, "use one of --unix and --listen", "--unix", "x", "--listen", LOOPBACK, "/x");
    assertRefused(2, "'10809' is no address", "--listen", "10809", "/x");
    assertRefused(2, "'127.0.0.1:99999' is no address", "--listen", "127.0.0.1:99999", "/x");
    assertRefused(2, "TLS belongs to --listen", "--tls", "/x");
    assertRefused(2, "TLS belongs to --listen", "--tls-client", "vm1", "/x");
    assertRefused(2, "contradict", "--listen", LOOPBACK, "--tls-any-client", "--tls-client", "vm1",
        "/x");
    assertRefused(2, "--create, --size and --object belong together", "--create", "/x");
    assertRefused(2, "--create, --size and --object belong together", "--object", "1m", "/x");
    assertRefused(2, "needs --tls-password-file", "--listen", LOOPBACK, "--tls-keystore", "x",
        "/x");
  }

  @Test
  void otherHostsNeedTls() throws Exception {
    Configuration none = new Configuration(conf);
    none.set("hadoop.ssl.server.conf", "no-such-ssl-server.xml");
    try (NbdRun run = new NbdRun(none, "--listen", "0.0.0.0:0", "--read-only", "/ec/disk")) {
      assertEquals(1, run.code());
      assertTrue(run.err().contains("'0.0.0.0:0' needs TLS"), run.err());
      assertTrue(run.err().contains("neither --tls-keystore nor ssl.server.keystore.location"),
          run.err());
    }
    java.nio.file.Path keys = Files.createDirectory(directory.toPath().resolve("keys"));
    TlsStores stores = new TlsStores(keys);
    java.nio.file.Path password = Files.writeString(keys.resolve("password"),
        TlsStores.PASSWORD + "\n");
    String[] args = {"--listen", "0.0.0.0:0", "--read-only", "--tls-keystore",
        stores.server().toString(), "--tls-password-file", password.toString()};
    assertRefused(1, "TLS alone keeps no client out", with(args, "/ec/disk"));
    try (NbdRun run = new NbdRun(conf, with(args, "--tls-truststore",
        stores.trusted().toString(), "/ec/disk"));
        NbdClient client = NbdClient.connect(run.port()).flags()) {
      client.option(7, new byte[6]);
      assertEquals(1 << 31 | 5, client.answer());
      client.startTls(stores.context(stores.client())).go();
      assertArrayEquals(content, client.read(0, FILE_BYTES));
      assertEquals(0, run.end());
    }
    // The same from Hadoop's settings.
    java.nio.file.Path classes = java.nio.file.Path.of(
        TestNbdCommand.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    java.nio.file.Path settings = Files.createTempFile(classes, "ssl-", ".xml");
    Files.writeString(settings, "<configuration>"
        + property("keystore.location", stores.server().toString())
        + property("keystore.password", TlsStores.PASSWORD)
        + property("truststore.location", stores.trusted().toString())
        + property("truststore.password", TlsStores.PASSWORD) + "</configuration>");
    Configuration hadoop = new Configuration(conf);
    hadoop.set("hadoop.ssl.server.conf", settings.getFileName().toString());
    try (NbdRun run = new NbdRun(hadoop, "--listen", LOOPBACK, "--tls", "--read-only",
        "/ec/disk");
        NbdClient client = NbdClient.connect(run.port()).flags()) {
      client.startTls(stores.context(stores.client())).go();
      assertEquals(content[5], client.read(5, 1)[0]);
      assertEquals(0, run.end());
    } finally {
      Files.delete(settings);
    }
  }

  private static String property(String name, String value) {
    return "<property><name>ssl.server." + name + "</name><value>" + value
        + "</value></property>";
  }

  private static String[] with(String[] args, String... more) {
    String[] all = Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return all;
  }

  /** A device shows one state of its files, and never bytes of another file. */
  @Test
  void aFileThatIsReplacedIsNotMixed() throws Exception {
    cluster.fs.mkdirs(new Path("/copies"));
    cluster.directory("/ec/replaced", "RS-3-2-1024k");
    for (String parent : new String[] {"/copies", "/ec/replaced"}) {
      Path file = new Path(parent, "disk");
      byte[] first = write(file, 5);
      ReadOnlyFiles files = new ReadOnlyFiles(cluster.fs);
      try (UpdatableBytes before = files.open(file)) {
        assertArrayEquals(first, read(before));
        cluster.fs.delete(file, false);
        write(file, 6);
        try {
          assertArrayEquals(first, read(before), "the bytes of the first file, or none");
        } catch (IOException e) {
          assertTrue(e.getMessage() != null, e::toString);
        }
        assertTrue(assertThrows(IOException.class, () -> files.open(file)).getMessage()
            .startsWith(file + " was replaced or changed while it was served"));
      }
      // What was found when the device was opened counts from then on.
      ReadOnlyFiles later = new ReadOnlyFiles(cluster.fs);
      later.found(cluster.fs.getFileStatus(file));
      cluster.fs.delete(file, false);
      write(file, 7);
      assertThrows(IOException.class, () -> later.open(file));
    }
  }

  private static byte[] write(Path file, int value) throws IOException {
    byte[] bytes = new byte[100_000];
    Arrays.fill(bytes, (byte) value);
    try (FSDataOutputStream out = cluster.fs.create(file)) {
      out.write(bytes);
    }
    return bytes;
  }

  private static byte[] read(UpdatableBytes file) throws IOException {
    ByteBuffer into = ByteBuffer.allocate((int) file.length());
    file.read(0, into);
    return into.array();
  }

  @Test
  void aFileOfASnapshotIsThatOfTheSnapshot() throws Exception {
    Path parent = new Path("/snapped");
    cluster.fs.mkdirs(parent);
    byte[] first = write(new Path(parent, "disk"), 5);
    cluster.fs.allowSnapshot(parent);
    Path snapshot = cluster.fs.createSnapshot(parent, "s");
    try (FSDataOutputStream out = cluster.fs.append(new Path(parent, "disk"))) {
      out.write(6);
    }
    try (UpdatableBytes file =
        new ReadOnlyFiles(cluster.fs).open(new Path(snapshot, "disk"))) {
      assertArrayEquals(first, read(file));
    }
  }

  @Test
  void aFileThatIsBeingWrittenIsRefused() throws Exception {
    Path file = new Path("/open/disk");
    try (FSDataOutputStream out = cluster.fs.create(file)) {
      out.write(new byte[1000]);
      out.hflush();
      assertRefused(1, "/open/disk is being written", "--listen", LOOPBACK, "--read-only",
          "/open/disk");
    }
    try (UpdatableBytes opened = new ReadOnlyFiles(cluster.fs).open(file)) {
      assertEquals(1000, opened.length());
    }
  }

  /** What is wrong with the address is said before objects are made. */
  @Test
  void aWrongAddressMakesNothing() throws Exception {
    assertRefused(1, "There is no directory for the socket", "--create", "--size", "1m",
        "--read-only", "--unix", directory + "/none/disk.sock", "/ec/unmade");
    assertThrows(FileNotFoundException.class,
        () -> cluster.fs.getFileStatus(new Path("/ec/unmade")));
  }

  /** The end of the process clears up, too. */
  @Test
  void aDeviceThatIsGivenUpIsClearedUp() throws Exception {
    cluster.directory("/ec/half", "RS-3-2-1024k");
    DeviceMaker maker = new DeviceMaker(cluster.fs, new Path("/ec/half/device"));
    CountDownLatch hasObjects = new CountDownLatch(1);
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    Thread making = new Thread(() -> {
      try {
        maker.make(3L << 30, 3 << 20, layout -> { }, made -> hasObjects.countDown());
      } catch (IOException | RuntimeException e) {
        failures.add(e);
      }
    });
    making.start();
    hasObjects.await();
    maker.giveUp();
    assertEquals(0, cluster.fs.listStatus(new Path("/ec/half")).length);
    making.join();
    assertEquals(1, failures.size());
  }

  /** A device that could not be made leaves nothing behind. */
  @Test
  void aFailureIsClearedUp() throws Exception {
    cluster.directory("/ec/full", "RS-3-2-1024k");
    cluster.fs.setQuota(new Path("/ec/full"), 4, Long.MAX_VALUE - 1);
    DeviceMaker maker = new DeviceMaker(cluster.fs, new Path("/ec/full/device"));
    assertThrows(IOException.class,
        () -> maker.make(30 << 20, 3 << 20, layout -> { }, made -> { }));
    assertEquals(0, cluster.fs.listStatus(new Path("/ec/full")).length);
    cluster.fs.mkdirs(new Path("/ec/full/mine"), FsPermission.getDirDefault());
    DeviceMaker other = new DeviceMaker(cluster.fs, new Path("/ec/full/mine"));
    assertThrows(IOException.class,
        () -> other.make(30 << 20, 3 << 20, layout -> { }, made -> { }));
    assertEquals(0, cluster.fs.listStatus(new Path("/ec/full/mine")).length);
  }
}
