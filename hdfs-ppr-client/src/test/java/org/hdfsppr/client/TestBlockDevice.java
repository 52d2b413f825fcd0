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
package org.hdfsppr.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.nbd.server.NbdClient;
import org.hdfsppr.client.nbd.server.Programs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writes through {@code hdfs ppr -nbd} into files of a cluster, also while a DataNode fails. */
@Timeout(600)
class TestBlockDevice {
  private static final String LOOPBACK = "127.0.0.1:0";
  private static final int FUA = 1;

  @TempDir
  static Path directory;
  private static UpdateCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = UpdateCluster.start(directory.resolve("cluster"));
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
      assertEquals(0, one.call(0, NbdClient.TRIM, 1000, 100_000).error());
      Arrays.fill(expected, 1000, 101_000, (byte) 0);
      other.flush();
      assertArrayEquals(expected, read("file", expected.length));
      assertEquals(0, run.end());
    }
    try (NbdRun run = run("--listen", LOOPBACK, "--read-only", "/images/file");
        NbdClient client = NbdClient.open(run.port())) {
      assertArrayEquals(expected, client.read(0, expected.length));
      assertEquals(1, client.call(0, NbdClient.WRITE, 0, 1, (byte) 1).error());
      assertEquals(0, run.end());
    }
  }

  /** fio checks a device of many files while a DataNode that holds logs ends. */
  @Test
  void fioVerifiesWhileADataNodeFails() throws Exception {
    Programs.need("fio", "fio");
    long seed = Long.getLong("seed", 42);
    System.out.println("TestBlockDevice: -Dseed=" + seed);
    try (NbdRun run = run("--create", "--size", "2m", "--object", "144k", "--listen", LOOPBACK,
        "/images/fio")) {
      String uri = run.uri();
      fio(uri, "randwrite", 32, seed);
      DataNodeProperties ended = cluster.hdfs().mini().stopDataNode(0);
      fio(uri, "randrw", 8, seed + 1);
      cluster.hdfs().mini().restartDataNode(ended, true);
      assertEquals(0, run.end());
    }
  }

  private static void fio(String uri, String kind, int depth, long seed) throws Exception {
    String out = new Programs(directory).run("fio", "--name=job", "--ioengine=nbd",
        "--uri=" + uri, "--rw=" + kind, "--bsrange=4k-64k", "--iodepth=" + depth, "--size=1m",
        "--randseed=" + seed, "--verify=crc32c", "--verify_fatal=1", "--fsync=16",
        "--end_fsync=1", "--output-format=json");
    JsonNode job = new ObjectMapper().readTree(out.substring(out.indexOf("\n{") + 1))
        .path("jobs").path(0);
    assertEquals(0, job.path("error").asInt());
    assertTrue(job.path("write").path("total_ios").asLong() > 0, out);
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
