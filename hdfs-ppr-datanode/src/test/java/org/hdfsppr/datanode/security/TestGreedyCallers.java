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
import org.hdfsppr.stream.BufferPool;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RequestCodec;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Callers with every right to ask that ask for as much memory as they can and take no bytes. The
 * node still serves others, and the repairs that it leads have their memory.
 */
@InterfaceAudience.Private
class TestGreedyCallers {
  private static final int CELL = ServedFile.CELL;
  private static final int STALL_MS = 1_000;
  private static final long BUFFER_BYTES = 64L << 20;
  /** The further bound of all open replicas together. */
  private static final long REPLICA_BUFFER_BYTES = 48L << 20;
  private static final long SEED = 20261123;
  private static final int PLACES = 40;
  private static final String GREEDY = "127.0.0.2";
  /** A stream too long for any socket buffer. */
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
        .stall(RequestCodec.STALL_TIMEOUT_MS_MAX);
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
    assertEquals(cause.number(), answer.getFailure().getCause(), answer.toString());
  }

  private PartialSumResponseProto ask(PartialSumRequest request) throws IOException {
    WireClient client = WireClient.connect(port.port(), GREEDY);
    greedy.add(client);
    client.send(request);
    return client.answer();
  }

  /** Eight rows of eight sub-chunks in slices of a megabyte, which no code here has. */
  @Test
  void theLargestShapeOfTheWireIsNotServed() throws Exception {
    PartialSumResponseProto answer =
        ask(requests.stream(ENDLESS).shaped(0, 8, 64, 1 << 20));
    assertFailed(FailureCause.UNSUPPORTED, answer);
    assertTrue(answer.toString().contains(PprKeys.SLICE_BYTES_KEY), answer.toString());
    RepairCluster.await("nothing is held", () -> port.buffersInUse() == 0);
  }

  /** One caller sends its whole share of requests of the largest shape that the node serves. */
  @Test
  void oneCallerLeavesMemoryToOthers() throws Exception {
    PartialSumRequest largest = requests.stream(ENDLESS).shaped(0, 4, 60, Requests.SLICE);
    PartialSumResponseProto answer = ask(largest);
    while (answer.getStatus() == Status.SUCCESS_VALUE) {
      answer = ask(largest);
      assertTrue(greedy.size() < 100, "one caller is served as often as it likes");
    }
    assertFailed(FailureCause.OVERLOADED, answer);
    assertTrue(port.buffersInUse() <= BUFFER_BYTES / 4, port.buffersInUse() + " bytes");
    assertServes();
    try (BufferPool.Lease lease = port.memory().leading().lease(4 * CELL, 4 * CELL, 4 * CELL)) {
      assertTrue(lease != null, "repairs that the node leads have their memory");
    }
  }

  /** One caller sends a small request for each place, to see whether it gets them all. */
  @Test
  void oneCallerLeavesPlacesToOthers() throws Exception {
    PartialSumRequest small = requests.stream(ENDLESS).shaped(0, 2, 2, 512);
    PartialSumResponseProto answer = ask(small);
    while (answer.getStatus() == Status.SUCCESS_VALUE) {
      answer = ask(small);
      assertTrue(greedy.size() <= PLACES, "one caller has all places");
    }
    assertFailed(FailureCause.OVERLOADED, answer);
    assertServes();
  }

  /** The node does not wait as long as the caller claims to be patient, ten minutes. */
  @Test
  void aCallerThatTakesNothingIsGivenUp() throws Exception {
    assertEquals(Status.SUCCESS_VALUE, ask(requests.stream(ENDLESS).single(0)).getStatus());
    RepairCluster.await("it is being served", () -> port.buffersInUse() > 0);
    PartialSumRequest clamped = requests.stall(STALL_MS).single(0);
    long start = System.nanoTime();
    port.awaitIdle();
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(tookMs < 2 * clamped.patienceMs(), tookMs + " ms");
  }

  /**
   * Requests of random shapes, some held and some read to the end. The JVM's direct memory grows by
   * no more than the bound of repairs; the rest of the process gets the remainder.
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
