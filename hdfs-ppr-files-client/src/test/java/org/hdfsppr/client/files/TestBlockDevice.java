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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.device.DeviceLayout;
import org.hdfsppr.client.nbd.server.NbdClient;
import org.hdfsppr.client.nbd.server.Programs;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.operate.CommitStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes through {@code hdfs ppr -nbd} into files of a cluster, also while a DataNode fails. */
@Timeout(600)
class TestBlockDevice {
  private static final String LOOPBACK = "127.0.0.1:0";
  private static final int FUA = 1;
  /** The least that a log may have. */
  private static final int LOG_BYTES = 32 << 20;

  @TempDir
  static Path directory;
  private static UpdateCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = UpdateCluster.start(directory.resolve("cluster"),
        PprKeys.NAMENODE_COMMIT_GRACE_KEY, "0");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static NbdRun run(String... args) {
    return new NbdRun(cluster.hdfs().clientConf(), args);
  }

  private static byte[] read(String name, int length) throws Exception {
    byte[] bytes = new byte[length];
    try (PprFileSystem fs = cluster.client();
        FSDataInputStream in = fs.open(UpdateCluster.path(name))) {
      in.readFully(0, bytes);
    }
    return bytes;
  }

  @Test
  void aFileIsReadAndWritten() throws Exception {
    byte[] expected = cluster.write("file", 1);
    try (NbdRun run = run("--listen", LOOPBACK, "/images/file");
        NbdClient one = NbdClient.open(run.port());
        NbdClient other = NbdClient.openStructured(run.port())) {
      assertArrayEquals(expected, one.read(0, expected.length));
      Random random = new Random(1);
      for (int i = 0; i < 30; i++) {
        byte[] data = new byte[1 + random.nextInt(40_000)];
        random.nextBytes(data);
        int offset = random.nextInt(expected.length - data.length);
        one.write(i % 3 == 0 ? FUA : 0, offset, data);
        System.arraycopy(data, 0, expected, offset, data.length);
        // Other connections, and other clients of HDFS, see what was answered.
        assertArrayEquals(data, other.read(offset, data.length));
      }
      assertEquals(0, one.call(0, NbdClient.TRIM, 1000, 100_000).error);
      Arrays.fill(expected, 1000, 101_000, (byte) 0);
      other.flush();
      assertArrayEquals(expected, read("file", expected.length));
      assertEquals(0, run.end());
    }
    try (NbdRun run = run("--listen", LOOPBACK, "--read-only", "/images/file");
        NbdClient client = NbdClient.open(run.port())) {
      assertArrayEquals(expected, client.read(0, expected.length));
      assertEquals(1, client.call(0, NbdClient.WRITE, 0, 1, (byte) 1).error);
      assertEquals(0, run.end());
    }
  }

  /** A commit changes the files under both kinds of servers. */
  @Test
  void serversGoOnOverCommits() throws Exception {
    byte[] expected = cluster.write("committed", 2);
    try (NbdRun first = run("--listen", LOOPBACK, "/images/committed");
        NbdRun second = run("--listen", LOOPBACK, "/images/committed");
        NbdRun reader = run("--listen", LOOPBACK, "--read-only", "/images/committed");
        NbdClient writing = NbdClient.open(first.port());
        NbdClient later = NbdClient.open(second.port());
        NbdClient reading = NbdClient.open(reader.port())) {
      for (int i = 0; i < 4; i++) {
        // The second server writes only after a commit of what the first one has written.
        NbdClient client = i == 3 ? later : writing;
        byte[] data = {1, 2, 3, (byte) i};
        client.write(0, 1000 * i, data);
        System.arraycopy(data, 0, expected, 1000 * i, data.length);
        assertArrayEquals(expected, reading.read(0, expected.length));
        client.flush();
        assertEquals(CommitStatus.State.PUBLISHED,
            cluster.commit(UpdateCluster.path("committed")).state);
        assertArrayEquals(expected, reading.read(0, expected.length));
        assertArrayEquals(expected, client.read(0, expected.length));
      }
      assertEquals(0, first.end());
      assertEquals(0, second.end());
      assertEquals(0, reader.end());
    }
  }

  /** Clients that go away in the middle of their requests leave the server as it was. */
  @Test
  void clientsMayGoAway() throws Exception {
    byte[] expected = cluster.write("left", 3);
    try (NbdRun run = run("--listen", LOOPBACK, "/images/left")) {
      for (int i = 0; i < 100; i++) {
        try (NbdClient client = NbdClient.open(run.port())) {
          client.write(0, i, (byte) i);
          expected[i] = (byte) i;
          client.send(0, NbdClient.WRITE, 200 + i, 1, (byte) i);
          expected[200 + i] = (byte) i;
        }
      }
      try (NbdClient client = NbdClient.open(run.port())) {
        // The last writes end some time after their clients have gone.
        while (!Arrays.equals(Arrays.copyOf(expected, 300), client.read(0, 300))) {
          Thread.sleep(5);
        }
        client.flush();
        assertArrayEquals(expected, client.read(0, expected.length));
      }
      assertEquals(0, run.end());
    }
  }

  @ParameterizedTest
  @CsvSource({"randwrite, 4k, 1", "randwrite, 4k, 32", "randrw, 4k, 32", "randrw, 64k, 8",
      "randwrite, 1m, 1", "randrw, 1m, 32", "write, 256k, 32"})
  void fioVerifies(String kind, String block, int depth) throws Exception {
    Programs.need("fio", "fio");
    try (NbdRun run = run("--create", "--size", "8m", "--object", "960k", "--listen", LOOPBACK,
        "/images/fio-" + kind + block + depth)) {
      fio(run.uri(), kind, block, depth, "8m");
      assertEquals(0, run.end());
    }
  }

  /** fio checks a device of many files while they are committed and a DataNode ends. */
  @Test
  @Tag("slow")
  void fioVerifiesOverCommitsAndAFailure() throws Exception {
    Programs.need("fio", "fio");
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (NbdRun run = run("--create", "--size", "2m", "--object", "144k", "--listen", LOOPBACK,
        "/images/fio")) {
      String uri = run.uri();
      fio(uri, "randwrite", "4k", 32, "2m");
      Future<?> more = thread.submit(() -> {
        for (int i = 0; i < 4; i++) {
          fio(uri, i % 2 == 0 ? "randrw" : "randwrite", i < 2 ? "4k" : "64k", 16, "2m");
        }
        return null;
      });
      int commits = commitAll();
      DataNodeProperties ended = cluster.hdfs().mini().stopDataNode(0);
      do {
        commits += commitAll();
      } while (!more.isDone());
      more.get();
      System.out.println("TestBlockDevice: " + commits + " commits");
      assertTrue(commits > 0);
      cluster.hdfs().mini().restartDataNode(ended, true);
      assertEquals(0, run.end());
    } finally {
      thread.shutdownNow();
    }
  }

  /** Commits the objects of a device; returns how many commits were made. */
  private static int commitAll() throws Exception {
    int commits = 0;
    for (int object = 0; object < 15; object++) {
      try {
        commits += cluster.commit(UpdateCluster.path("fio/" + DeviceLayout.nameOf(object)))
            .state == CommitStatus.State.PUBLISHED ? 1 : 0;
      } catch (IOException | UncheckedIOException e) {
        // While a DataNode is away, a commit may be refused, and a later one does it.
        System.out.println("TestBlockDevice: " + e.getMessage());
      }
    }
    return commits;
  }

  private static void fio(String uri, String kind, String block, int depth, String size)
      throws Exception {
    long seed = Long.getLong("seed", 42);
    System.out.println("TestBlockDevice: -Dseed=" + seed + " " + kind + " " + block);
    String out = new Programs(directory).run("fio", "--name=job", "--ioengine=nbd",
        "--uri=" + uri, "--rw=" + kind, "--bs=" + block, "--iodepth=" + depth, "--size=" + size,
        "--randseed=" + seed, "--verify=crc32c", "--verify_fatal=1", "--fsync=16",
        "--end_fsync=1", "--output-format=json");
    JsonNode job = new ObjectMapper().readTree(out.substring(out.indexOf("\n{") + 1))
        .path("jobs").path(0);
    assertEquals(0, job.path("error").asInt());
    assertTrue(job.path("write").path("total_ios").asLong() > 0, out);
    System.out.println("TestBlockDevice: " + kind + " " + block + " depth " + depth + ": "
        + job.path("write").path("iops").asInt() + " writes/s, "
        + job.path("read").path("iops").asInt() + " reads/s, p50 "
        + job.path("write").path("clat_ns").path("percentile").path("50.000000").asLong() / 1000
        + " us, flushes p50 "
        + job.path("sync").path("lat_ns").path("percentile").path("50.000000").asLong() / 1000
        + " us");
  }

  /** FUA, zeroes, a discard that is not announced and changes nothing, and overlapping requests. */
  @Test
  void qemuReadsAndWrites() throws Exception {
    Programs.need("qemu-io", "qemu-utils");
    try (NbdRun run = run("--create", "--size", "4m", "--object", "480k", "--listen", LOOPBACK,
        "/images/qemu")) {
      String out = new Programs(directory).run("qemu-io", "-f", "raw",
          "-c", "write -P 0x5a 0 1M", "-c", "write -f -P 0x5b 1M 64k", "-c", "flush",
          "-c", "read -P 0x5a 0 1M", "-c", "read -P 0x5b 1M 64k", "-c", "write -P 1 4097 513",
          "-c", "read -P 1 4097 513", "-c", "read -P 0x5a 4096 1", "-c", "write -z 4k 8k",
          "-c", "read -P 0 4k 8k", "-c", "write -z -u -f 20k 8k", "-c", "discard 40k 8k",
          "-c", "read -P 0x5a 40k 8k", "-c", "read -P 0x5a 48k 8k",
          "-c", "aio_write -P 7 1M 1M", "-c", "aio_write -P 8 2M 1M", "-c", "aio_flush",
          "-c", "read -P 7 1M 1M", "-c", "read -P 8 2M 1M",
          "-c", "write -z 0 4M", "-c", "read -P 0 0 4M", run.uri());
      assertFalse(out.contains("failed"), out);
      assertEquals(0, run.end());
    }
  }

  /** Logs that are full make writers wait for commits, and lose nothing. No term ends for them. */
  @Test
  @Tag("slow")
  void commitsMakeRoom() throws Exception {
    long seed = Long.getLong("seed", 42);
    System.out.println("TestBlockDevice: -Dseed=" + seed);
    Random random = new Random(seed);
    int size = UpdateCluster.GROUP;
    byte[] data = new byte[size];
    try (UpdateCluster small = UpdateCluster.start(directory.resolve("small"),
        PprKeys.NAMENODE_COMMIT_GRACE_KEY, "0", PprKeys.DATANODE_UPDATE_LOG_BYTES_KEY,
        Integer.toString(LOG_BYTES));
        LoggedLines terms = new LoggedLines("org.hdfsppr.namenode.update.TicketRound",
            "/images/full/", ": group 0 has ");
        LoggedLines commits = new LoggedLines("org.hdfsppr.namenode.commit.CommitRunner",
            "/images/full/", " is published");
        NbdRun run = new NbdRun(small.hdfs().clientConf(), "--create", "--size",
            Integer.toString(size), "--listen", LOOPBACK, "/images/full");
        NbdClient client = NbdClient.open(run.port())) {
      // Each of the three units gets more than its log takes.
      for (int written = 0; written < 2 * LOG_BYTES; written += UpdateCluster.UNIT) {
        random.nextBytes(data);
        client.write(0, 0, data);
      }
      client.flush();
      assertArrayEquals(data, client.read(0, size));
      assertEquals(0, run.end());
      System.out.println("TestBlockDevice: " + commits.count() + " commits, terms changed "
          + terms.count() + " times");
      assertTrue(commits.count() >= 2);
      // The first terms, those of each commit, and a few that slow nodes may end.
      assertTrue(terms.count() <= commits.count() + 4);
    }
  }

  @Test
  void aFileSystemComesBack() throws Exception {
    Programs.need("nbdcopy", "libnbd-bin");
    Programs.need("mkfs.ext4", "e2fsprogs");
    Programs programs = new Programs(directory);
    Path image = directory.resolve("ext4");
    Path file = Files.write(directory.resolve("content"), new Random(3).ints(300_000)
        .collect(java.io.ByteArrayOutputStream::new, (out, one) -> out.write(one), (a, b) -> { })
        .toByteArray());
    try (RandomAccessFile empty = new RandomAccessFile(image.toFile(), "rw")) {
      empty.setLength(2 << 20);
    }
    programs.run("mkfs.ext4", "-q", "-F", image.toString());
    programs.run("debugfs", "-w", "-R", "write " + file + " content", image.toString());
    try (NbdRun run = run("--create", "--size", "2m", "--object", "144k", "--listen", LOOPBACK,
        "/images/ext4")) {
      programs.run("nbdcopy", "--flush", image.toString(), run.uri());
      assertEquals(0, run.end());
    }
    Path copy = directory.resolve("copy");
    try (NbdRun run = run("--listen", LOOPBACK, "--read-only", "/images/ext4")) {
      programs.run("nbdcopy", run.uri(), copy.toString());
      assertEquals(0, run.end());
    }
    byte[] bytes = Files.readAllBytes(copy);
    assertArrayEquals(Files.readAllBytes(image), Arrays.copyOf(bytes, 2 << 20));
    programs.run("e2fsck", "-f", "-n", copy.toString());
    Path out = directory.resolve("out");
    programs.run("debugfs", "-R", "dump content " + out, copy.toString());
    assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(out));
  }
}
