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

import java.io.File;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.stream.BufferSource;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests callers with valid tokens that ask for as much memory as they can and take no bytes. The
 * node must still serve others and have memory for the repairs that it leads.
 */
@InterfaceAudience.Private
class TestGreedyCallers {
  private static final int CELL = ServedFile.CELL;
  private static final int STALL_MS = 1_000;
  private static final long BUFFER_BYTES = 64L << 20;
  /** The additional bound for the buffers of all open replicas together. */
  private static final long REPLICA_BUFFER_BYTES = 48L << 20;
  private static final long SEED = 20261123;
  private static final int PLACES = 40;
  private static final String GREEDY = "127.0.0.2";
  /** The length of a stream that fits into no socket buffer, bytes. */
  private static final long ENDLESS = 1L << 30;

  @TempDir
  private static File directory;
  private static ServedFile file;

  private final List<WireClient> greedy = new ArrayList<>();
  private Requests requests;
  private RepairPort port;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setInt(PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY, STALL_MS);
    conf.setLong(PprKeys.DATANODE_BUFFER_BYTES_KEY, BUFFER_BYTES);
    conf.setInt(PprKeys.DATANODE_HELPER_THREADS_KEY, PLACES);
    file = ServedFile.start(conf);
  }

  @AfterAll
  static void stop() {
    file.close();
  }

  @BeforeEach
  void find() throws IOException {
    requests = file.requests()
        .stall(RequestBounds.STALL_TIMEOUT_MS_MAX);
    port = requests.port(0);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    for (WireClient client : greedy) {
      client.close();
    }
    port.awaitIdle();
    assertServes();
  }

  private void assertServes() throws IOException {
    file.assertServes(port, requests.stream(CELL).single(0), 0);
  }

  private static void assertFailed(FailureCause cause, PartialSumResponseProto answer) {
    assertEquals(cause.number, answer.getFailure().getCause(), answer.toString());
  }

  private PartialSumResponseProto ask(PartialSumRequest request) throws IOException {
    WireClient client = WireClient.connect(port.port(), GREEDY);
    greedy.add(client);
    client.send(request);
    return client.answer();
  }

  /**
   * The request has eight rows of eight sub-chunks in slices of a megabyte. No code of the project
   * needs so much.
   */
  @Test
  void theLargestShapeOfTheWireIsNotServed() throws Exception {
    PartialSumResponseProto answer =
        ask(requests.stream(ENDLESS).shaped(0, 8, 64, 1 << 20));
    assertFailed(FailureCause.UNSUPPORTED, answer);
    assertTrue(answer.toString().contains("dfs.ppr.slice.bytes"), answer.toString());
    RepairCluster.await("no buffer is in use", () -> port.buffersInUse() == 0);
  }

  /** One caller uses its whole share for requests of the largest shape that the node serves. */
  @Test
  void oneCallerLeavesMemoryToOthers() throws Exception {
    PartialSumRequest largest = requests.stream(ENDLESS).shaped(0, 4, 60, Requests.SLICE);
    PartialSumResponseProto answer = ask(largest);
    while (answer.getStatus() == Status.SUCCESS_VALUE) {
      answer = ask(largest);
      assertTrue(greedy.size() < 100, "the node serves one caller without a limit");
    }
    assertFailed(FailureCause.OVERLOADED, answer);
    assertTrue(port.buffersInUse() <= BUFFER_BYTES / 4, port.buffersInUse() + " bytes");
    assertServes();
    try (BufferSource.Lease lease = port.memory().leading().lease(4 * CELL, 4 * CELL, 4 * CELL)) {
      assertTrue(lease != null, "repairs that this node leads have their memory");
    }
  }

  /** One caller sends a small request for each place. It must not get all places. */
  @Test
  void oneCallerLeavesPlacesToOthers() throws Exception {
    PartialSumRequest small = requests.stream(ENDLESS).shaped(0, 2, 2, 512);
    PartialSumResponseProto answer = ask(small);
    while (answer.getStatus() == Status.SUCCESS_VALUE) {
      answer = ask(small);
      assertTrue(greedy.size() <= PLACES, "one caller has taken all places");
    }
    assertFailed(FailureCause.OVERLOADED, answer);
    assertServes();
  }

  /** The caller announces a patience of ten minutes. The node does not wait that long. */
  @Test
  void aCallerThatTakesNothingIsGivenUp() throws Exception {
    assertEquals(Status.SUCCESS_VALUE, ask(requests.stream(ENDLESS).single(0)).getStatus());
    RepairCluster.await("the request is being served", () -> port.buffersInUse() > 0);
    PartialSumRequest clamped = requests.stall(STALL_MS).single(0);
    long start = System.nanoTime();
    port.awaitIdle();
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(tookMs < 2 * clamped.patienceMs(), tookMs + " ms");
  }

  /**
   * The requests have random shapes. Some are held open, and some are read to the end. The JVM's
   * direct memory must grow by no more than the bound for repairs, because the rest belongs to the
   * DataNode's other work.
   */
  @Test
  void theProcessHasNoMoreThanTheBound() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
        .stream().filter(bean -> bean.getName().equals("direct")).findFirst().get();
    int most = 0;
    long before = direct.getMemoryUsed();
    for (int i = 0; i < 400; i++) {
      int subChunks = 1 << 1 + random.nextInt(3);
      int rows = subChunks * (1 + random.nextInt(Math.min(15, 64 / subChunks)));
      int sliceBytes = 1 << 9 + random.nextInt(12);
      PartialSumResponseProto answer = ask(requests
          .stream(random.nextBoolean() ? CELL : ENDLESS).shaped(0, subChunks, rows, sliceBytes));
      most += answer.getStatus() == Status.SUCCESS_VALUE ? 1 : 0;
      while (greedy.size() > random.nextInt(12)) {
        greedy.remove(0).close();
      }
      long taken = direct.getMemoryUsed() - before;
      assertTrue(taken <= BUFFER_BYTES + REPLICA_BUFFER_BYTES,
          taken + " bytes are taken after " + i + " requests");
    }
    assertTrue(most > 100, most + " requests were served");
  }
}
