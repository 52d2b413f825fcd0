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
package org.hdfsppr.datanode.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.server.TransferServer;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.RequestFraming;
import org.hdfsppr.wire.SliceBuffer;
import org.hdfsppr.wire.SliceReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests faulty and hostile callers on the repair port. After a bounded time no thread, socket or
 * buffer of theirs is left, and the node serves the next honest request.
 */
class TestHostileCallers {
  private static final int THREADS = 8;
  /** The number of connections that may be silent at the same time, as TransferServer bounds it. */
  private static final int STRANGERS = 64;
  private static final int THREADS_MOST = THREADS + 2 * STRANGERS;
  private static final int REQUEST_TIMEOUT_MS = 1_500;
  /** Additional time in the limits, because the machines that run tests are busy. */
  private static final int SLACK_MS = 8_000;
  private static final int HANG_UP_MS = 2 * REQUEST_TIMEOUT_MS + SLACK_MS;

  @TempDir
  private static File directory;
  private static ServedFile file;

  private Requests requests;
  private RepairPort port;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setInt(PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY, REQUEST_TIMEOUT_MS);
    conf.setInt(PprKeys.DATANODE_HELPER_THREADS_KEY, THREADS);
    file = ServedFile.start(conf);
  }

  @AfterAll
  static void stop() {
    file.close();
  }

  @BeforeEach
  void find() throws IOException {
    requests = file.requests().stall(500);
    port = requests.port(0);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    port.awaitIdle();
    file.assertServes(port, requests.single(0), 0);
  }

  static Stream<Arguments> nonsense() {
    byte[] noise = new byte[1 << 20];
    new Random(3).nextBytes(noise);
    byte[] http = "GET /jmx HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    return Stream.of(
        Arguments.of("noise", noise),
        Arguments.of("HTTP", http),
        Arguments.of("an older version", new byte[] {0, 27, (byte) 200, 1, 0}),
        Arguments.of("a newer version", new byte[] {0, 29, (byte) 200, 1, 0}),
        Arguments.of("stock's read", new byte[] {0, 28, 81, 1, 0}),
        Arguments.of("no opcode", new byte[] {0, 28, 0, 1, 0}),
        Arguments.of("TLS", new byte[] {22, 3, 1, 2, 0, 1, 0, 1, -4, 3, 3}),
        Arguments.of("Hadoop RPC", "hrpc\u0009\u0000\u0000".getBytes(StandardCharsets.US_ASCII)),
        Arguments.of("SASL", new byte[] {(byte) 0xde, (byte) 0xad, (byte) 0xbe, (byte) 0xef}),
        Arguments.of("2 GiB", lengths(0xff, 0xff, 0xff, 0xff, 7)),
        Arguments.of("4 GiB", lengths(0xff, 0xff, 0xff, 0xff, 15)),
        Arguments.of("negative", lengths(0x80, 0x80, 0x80, 0x80, 8)),
        Arguments.of("2^32 + 1", lengths(0x81, 0x80, 0x80, 0x80, 16)),
        Arguments.of("endless varint", lengths(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
        Arguments.of("one byte too long", varint(RequestBounds.REQUEST_BYTES_MAX + 1)),
        Arguments.of("nothing in it", lengths(0, 0, 0, 0, 0)),
        Arguments.of("noise in it",
            ByteBuffer.allocate(309).put(lengths(0xac, 2)).put(noise, 0, 300).array()));
  }

  private static byte[] lengths(int... varint) {
    ByteBuffer bytes = ByteBuffer.allocate(3 + varint.length);
    bytes.putShort((short) 28).put((byte) RequestFraming.OP_PARTIAL_SUM);
    for (int each : varint) {
      bytes.put((byte) each);
    }
    return bytes.array();
  }

  private static byte[] varint(int value) {
    return lengths(value & 0x7f | 0x80, value >> 7 & 0x7f | 0x80, value >> 14);
  }

  /**
   * No caller gets a byte of an answer, because an answer could show which service listens here.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource("nonsense")
  void nonsenseIsDropped(String name, byte[] bytes) throws Exception {
    long malformedBefore = port.rejected("Malformed");
    try (WireClient client = WireClient.connect(port.port())) {
      try {
        client.send(bytes);
      } catch (IOException e) {
        // The server dropped the connection while the caller was still sending.
        assertTrue(bytes.length > 1000, e.toString());
      }
      assertEquals(0, client.bytesUntilClosed(SLACK_MS), name + " is answered or kept");
    }
    RepairCluster.await(name + " is counted",
        () -> port.rejected("Malformed") == malformedBefore + 1);
  }

  @Test
  void damagedRequestIsDropped() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    RequestFraming.write(new DataOutputStream(bytes), requests.single(0));
    byte[] request = bytes.toByteArray();
    for (int at : new int[] {6, request.length / 2, request.length - 1}) {
      byte[] damaged = request.clone();
      damaged[at] ^= 0x10;
      nonsenseIsDropped("a request damaged at " + at, damaged);
    }
  }

  /**
   * Every single read makes progress, so only the limit for the whole request ends the connection.
   */
  @Test
  void requestThatNeverCompletes() throws Exception {
    long timeoutsBefore = port.rejected("Timeout");
    long start = System.nanoTime();
    try (WireClient client = WireClient.connect(port.port())) {
      client.send(varint(1000));
      boolean dropped = false;
      while (!dropped) {
        TimeUnit.MILLISECONDS.sleep(100);
        assertTrue(System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(HANG_UP_MS),
            "the server still listens to the caller");
        try {
          client.send((byte) 8);
        } catch (IOException e) {
          dropped = true;
        }
      }
    }
    RepairCluster.await(
        "the timeout is counted", () -> port.rejected("Timeout") == timeoutsBefore + 1);
  }

  @Test
  void silence() throws Exception {
    long timeoutsBefore = port.rejected("Timeout");
    try (WireClient client = WireClient.connect(port.port());
        WireClient half = WireClient.connect(port.port())) {
      half.send((byte) 0, (byte) 28, (byte) 200);
      assertEquals(0, client.bytesUntilClosed(HANG_UP_MS), "the silent connection is closed");
      assertEquals(0, half.bytesUntilClosed(HANG_UP_MS), "the connection that stopped is closed");
    }
    RepairCluster.await(
        "the timeouts are counted", () -> port.rejected("Timeout") == timeoutsBefore + 2);
  }

  @Test
  void halfClosedBeforeTheRequest() throws Exception {
    try (WireClient client = WireClient.connect(port.port())) {
      client.send((byte) 0, (byte) 28);
      client.socket.shutdownOutput();
      assertEquals(0, client.bytesUntilClosed(REQUEST_TIMEOUT_MS - 200),
          "the connection is closed at once");
    }
  }

  @Test
  void halfClosedAfterTheRequest() throws Exception {
    PartialSumRequest request = requests.single(0);
    try (WireClient client = WireClient.connect(port.port())) {
      client.send(request);
      client.socket.shutdownOutput();
      file.assertAnswered(client, request, 0);
    }
  }

  /** Many callers connect and leave, as probes do. */
  @Test
  void connectAndLeave() throws Exception {
    int threadsBefore = RepairPort.threads().size();
    long malformedBefore = port.rejected("Malformed");
    for (int i = 0; i < 500; i++) {
      try (WireClient client = WireClient.connect(port.port())) {
        if (i % 3 == 0) {
          // The client ends the connection with a reset instead of an orderly end.
          client.socket.setSoLinger(true, 0);
        }
      }
    }
    port.awaitIdle();
    assertTrue(RepairPort.threads().size() <= threadsBefore + THREADS_MOST, "threads");
    assertEquals(malformedBefore, port.rejected("Malformed"), "no request was malformed");
  }

  /** The connections that were silent longest are closed. A caller with a request is served. */
  @Test
  void aCrowdThatSaysNothing() throws Exception {
    long droppedBefore = port.rejected("Timeout");
    List<WireClient> crowd = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        crowd.add(WireClient.connect(port.port()));
      }
      RepairCluster.await("the oldest connections are closed",
          () -> port.rejected("Timeout") >= droppedBefore + 200 - STRANGERS);
      assertTrue(RepairPort.busyThreads().size() <= STRANGERS, "threads: "
          + RepairPort.busyThreads());
      assertTrue(RepairPort.openSockets(port.port()) <= STRANGERS, "sockets");
      try (WireClient honest = WireClient.connect(port.port())) {
        honest.send(requests.single(0));
        assertEquals(Status.SUCCESS_VALUE, honest.answer().getStatus());
      }
      for (WireClient client : crowd) {
        assertEquals(0, client.bytesUntilClosed(HANG_UP_MS), "all silent connections are closed");
      }
    } finally {
      for (WireClient client : crowd) {
        client.close();
      }
    }
    port.awaitIdle();
    int threads = port.handlers().getPoolSize();
    assertTrue(threads <= THREADS_MOST, threads + " threads");
  }

  @Test
  void aParentThatLeavesInTheMiddle() throws Exception {
    PartialSumRequest request = requests.stream(1L << 30).single(0);
    try (WireClient client = WireClient.connect(port.port())) {
      client.send(request);
      assertEquals(Status.SUCCESS_VALUE, client.answer().getStatus());
      SliceReader reader = client.slices(request);
      SliceBuffer buffer = new SliceBuffer(ByteBuffer.allocateDirect(
          SliceBuffer.bytesFor(1, Requests.SLICE)), 1);
      for (int slice = 0; slice < 5; slice++) {
        buffer.shape(1, Requests.SLICE);
        reader.receive(slice, buffer);
      }
      assertTrue(port.buffersInUse() > 0, "the request is being served");
    }
    long start = System.nanoTime();
    port.awaitIdle();
    assertTrue(System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(SLACK_MS),
        "the request ends at once");
    requests.stream(ServedFile.CELL);
  }

  /** In an outage, readers use the first answer that arrives, and close their other requests. */
  @Test
  void aLogIsNotFilledByParentsThatLeave() throws Exception {
    PartialSumRequest request = requests.stream(1L << 30).single(0);
    try (SpokenLines lines = SpokenLines.of(TransferServer.class)) {
      for (int i = 0; i < 10; i++) {
        try (WireClient client = WireClient.connect(port.port())) {
          client.send(request);
          assertEquals(Status.SUCCESS_VALUE, client.answer().getStatus());
        }
        port.awaitIdle();
      }
      lines.assertAtMost(1, "went away");
    }
    requests.stream(ServedFile.CELL);
  }

  @Test
  void aParentThatNeverReads() throws Exception {
    PartialSumRequest request = requests.stream(1L << 30).single(0);
    long sentBefore = port.counter("SentToParentsBytes");
    try (WireClient client = WireClient.connect(port.port())) {
      client.send(request);
      RepairCluster.await("the request is being served", () -> port.buffersInUse() > 0);
      long start = System.nanoTime();
      port.awaitIdle();
      long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(tookMs < request.patienceMs() + SLACK_MS, tookMs + " ms");
    }
    assertTrue(port.counter("SentToParentsBytes") - sentBefore < 64 << 20,
        "bytes that were sent and not read");
    requests.stream(ServedFile.CELL);
  }

  /**
   * The machine has too many threads, and no new one can be made. Stock's server survives this, so
   * this server must too.
   */
  @Test
  void noThreadCanBeMade() throws Exception {
    RepairPort other = requests.port(1);
    ThreadFactory factory = other.handlers().getThreadFactory();
    // No idle thread may be left that could take the connection.
    other.handlers().setKeepAliveTime(1, TimeUnit.MILLISECONDS);
    RepairCluster.await("the idle threads have ended", () -> other.handlers().getPoolSize() == 0);
    other.handlers().setThreadFactory(work -> {
      throw new OutOfMemoryError("unable to create native thread (injected)");
    });
    try (WireClient client = WireClient.connect(other.port())) {
      assertEquals(0, client.bytesUntilClosed(SLACK_MS), "the connection is closed");
    } finally {
      other.handlers().setThreadFactory(factory);
    }
    file.assertServes(other, requests.single(1), 1);
    other.awaitIdle();
  }
}
