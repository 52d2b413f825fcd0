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
package org.hdfsppr.client.nbd.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.hdfsppr.client.device.MemoryDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the server with the clients that people use. */
@Timeout(300)
class TestNbdPrograms {
  private static final int SIZE = 64 << 20;

  @TempDir
  private Path directory;

  private MemoryDevice device = new MemoryDevice(SIZE, false, false);
  private NbdServer server;

  /** Serves the device through a UNIX socket where this Java has any; returns its URI. */
  private String start() throws IOException {
    return Runtime.version().feature() >= 16 ? start(UnixListener.open(
        directory.resolve("disk.sock"))) : startTcp();
  }

  private String startTcp() throws IOException {
    return start(TcpListener.open(new InetSocketAddress("127.0.0.1", 0), Optional.empty()));
  }

  private String start(NbdListener listener) {
    server = new NbdServer(device, "in memory", listener, ServerLimits.of(1L << 30));
    server.start();
    return listener.uri();
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      server.stop();
    }
  }

  private String run(String program, String... arguments) throws Exception {
    return new Programs(directory).run(program, arguments);
  }

  /** Has a file made with random bytes, and zeroes in its middle. */
  private Path image(long seed) throws IOException {
    byte[] bytes = new byte[SIZE];
    new Random(seed).nextBytes(bytes);
    java.util.Arrays.fill(bytes, SIZE / 4, SIZE / 2, (byte) 0);
    return Files.write(directory.resolve("image"), bytes);
  }

  @Test
  void nbdinfoSeesTheDevice() throws Exception {
    Programs.need("nbdinfo", "libnbd-bin");
    String uri = start();
    JsonNode export = new ObjectMapper().readTree(run("nbdinfo", "--json", uri)).path("exports")
        .path(0);
    assertEquals("", export.path("export-name").asText("none"));
    assertEquals("in memory", export.path("description").asText());
    assertEquals(SIZE, export.path("export-size").asLong());
    assertEquals(1, export.path("block_size_minimum").asInt());
    assertEquals(4096, export.path("block_size_preferred").asInt());
    assertEquals(32 << 20, export.path("block_size_maximum").asInt());
    for (String can : new String[] {"can_df", "can_fast_zero", "can_flush", "can_fua",
        "can_multi_conn", "can_zero"}) {
      assertTrue(export.path(can).asBoolean(), can + " of " + export);
    }
    // A trim would read what it clears.
    assertFalse(export.path("can_trim").asBoolean());
    assertFalse(export.path("is_read_only").asBoolean());
    assertFalse(export.path("is_rotational").asBoolean());
    JsonNode list = new ObjectMapper().readTree(run("nbdinfo", "--list", "--json", uri));
    assertEquals(1, list.path("exports").size());
    assertEquals(SIZE + "\n", run("nbdinfo", "--size", uri));
  }

  @Test
  void qemuSeesAndReadsAndWrites() throws Exception {
    Programs.need("qemu-io", "qemu-utils");
    String uri = startTcp();
    String port = uri.substring(uri.lastIndexOf(':') + 1);
    String list = run("qemu-nbd", "--list", "--bind", "127.0.0.1", "--port", port);
    assertTrue(list.contains("exports available: 1"), list);
    assertTrue(list.contains("max block: 33554432"), list);
    JsonNode info = new ObjectMapper().readTree(run("qemu-img", "info", "--output=json", uri));
    assertEquals(SIZE, info.path("virtual-size").asLong());
    String out = run("qemu-io", "-f", "raw",
        "-c", "write -P 0x5a 0 1M", "-c", "write -f -P 0x5b 1M 64k", "-c", "flush",
        "-c", "read -P 0x5a 0 1M", "-c", "read -P 0x5b 1M 64k", "-c", "write -P 1 4097 513",
        "-c", "read -P 1 4097 513", "-c", "read -P 0x5a 4096 1", "-c", "write -z 4k 8k",
        "-c", "read -P 0 4k 8k", "-c", "write -z -u 20k 8k", "-c", "discard 40k 8k",
        "-c", "read -P 0x5a 40k 8k", "-c", "read -P 0x5a 48k 8k",
        "-c", "aio_write -P 7 2M 1M", "-c", "aio_write -P 8 3M 1M", "-c", "aio_flush",
        "-c", "read -P 7 2M 1M", "-c", "read -P 8 3M 1M",
        "-c", "write -P 9 16M 32M", "-c", "read -P 9 16M 32M", uri);
    assertFalse(out.contains("failed"), out);
    assertEquals(9, device.bytes()[40 << 20]);
  }

  @Test
  void qemuDoesNotWriteWhatMayOnlyBeRead() throws Exception {
    Programs.need("qemu-io", "qemu-utils");
    device = new MemoryDevice(SIZE, true, false);
    String uri = start();
    run("qemu-io", "-f", "raw", "-r", "-c", "read -P 0 0 1M", uri);
    String refused = new Programs(directory).run(1, "qemu-io", "-f", "raw", "-c",
        "write -P 1 0 512", uri);
    assertTrue(refused.contains("Permission denied"), refused);
  }

  @Test
  void qemuImgConvertsAndCompares() throws Exception {
    Programs.need("qemu-img", "qemu-utils");
    String uri = start();
    Path image = image(1);
    run("qemu-img", "convert", "-n", "-m", "16", "-W", "-f", "raw", "-O", "raw", image.toString(),
        uri);
    device.losePower();
    assertArrayEquals(Files.readAllBytes(image), device.bytes(), "qemu-img flushes at the end");
    run("qemu-img", "compare", "-f", "raw", "-F", "raw", image.toString(), uri);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "4,64", "8,16"})
  void nbdcopyCopiesInAndOut(int connections, int requests) throws Exception {
    Programs.need("nbdcopy", "libnbd-bin");
    String uri = start();
    Path image = image(connections);
    Path copy = directory.resolve("copy");
    String[] options = {"--connections=" + connections, "--requests=" + requests};
    run("nbdcopy", options[0], options[1], "--flush", image.toString(), uri);
    device.losePower();
    run("nbdcopy", options[0], options[1], uri, copy.toString());
    assertArrayEquals(Files.readAllBytes(image), Files.readAllBytes(copy));
  }

  /** A file system in the device is whole after a loss of power. */
  @Test
  void aFileSystemSurvives() throws Exception {
    Programs.need("nbdcopy", "libnbd-bin");
    Programs.need("mkfs.ext4", "e2fsprogs");
    Path image = directory.resolve("ext4");
    Path file = Files.write(directory.resolve("file"), new byte[3_000_000]);
    try (java.io.RandomAccessFile empty = new java.io.RandomAccessFile(image.toFile(), "rw")) {
      empty.setLength(SIZE);
    }
    run("mkfs.ext4", "-q", "-F", image.toString());
    run("debugfs", "-w", "-R", "write " + file + " file", image.toString());
    String uri = start();
    run("nbdcopy", "--flush", image.toString(), uri);
    device.losePower();
    Path copy = directory.resolve("copy");
    run("nbdcopy", uri, copy.toString());
    run("e2fsck", "-f", "-n", copy.toString());
    Path out = directory.resolve("out");
    run("debugfs", "-R", "dump file " + out, copy.toString());
    assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(out));
  }

  @ParameterizedTest
  @CsvSource({
      "randwrite, 4k, 1", "randwrite, 4k, 32", "randwrite, 64k, 32", "randwrite, 1m, 1",
      "randwrite, 1m, 32", "randrw, 4k, 1", "randrw, 4k, 32", "randrw, 1m, 32", "write, 256k, 32"})
  void fioVerifies(String kind, String block, int depth) throws Exception {
    Programs.need("fio", "fio");
    String uri = start();
    long seed = Long.getLong("seed", 42);
    System.out.println("TestNbdPrograms: -Dseed=" + seed);
    String[] job = {"--name=job", "--ioengine=nbd", "--uri=" + uri, "--rw=" + kind,
        "--bs=" + block, "--iodepth=" + depth, "--size=" + (SIZE / 4), "--randseed=" + seed,
        "--verify=crc32c", "--verify_fatal=1", "--fsync=64", "--end_fsync=1",
        "--output-format=json"};
    JsonNode result = result(run("fio", job)).path("jobs").path(0);
    assertEquals(0, result.path("error").asInt());
    assertTrue(result.path("write").path("total_ios").asLong() > 0, result.toString());
    assertTrue(result.path("read").path("total_ios").asLong() > 0, result.toString());
    assertTrue(device.flushes() > 0);
    // What was written is there after a loss of power, too. fio sends no flush at its end if the
    // last answer that it got was that to a flush, although later writes may have been answered
    // before. Therefore another client flushes, which covers the writes of all connections.
    Programs.need("qemu-io", "qemu-utils");
    run("qemu-io", "-f", "raw", "-c", "flush", uri);
    device.losePower();
    job[3] = kind.startsWith("rand") ? "--rw=randread" : "--rw=read";
    if (!kind.equals("randrw")) {
      assertEquals(0, result(run("fio", job)).path("jobs").path(0).path("error").asInt());
    }
  }

  /** Lines for people may stand before the JSON. */
  private static JsonNode result(String output) throws IOException {
    return new ObjectMapper().readTree(output.substring(output.indexOf("\n{") + 1));
  }
}
