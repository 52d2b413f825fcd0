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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;
import org.hdfsppr.wire.SliceReader;
import org.hdfsppr.wire.proto.PprProtos.FailureProto;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests children that lie, stall or never end. A helper reports them to its parent within a bounded
 * time and gives back everything that it took. A repair does without them.
 */
class TestHostileChildren {
  private static final int CELL = 1 << 20;
  private static final int STALL_MS = 1_000;
  /** The time that a node waits for a slice, and additional time for busy test machines. */
  private static final int BOUND_MS = 2 * (STALL_MS + 8_000) + 4_000 + 8_000;

  @TempDir
  private static File directory;
  private static RepairCluster cluster;
  private static Path dir;

  private FakePeer fake;
  private RepairPort replaced;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setInt(PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY, STALL_MS);
    conf.set(PprKeys.PLAN_TOPOLOGY_KEY, "star");
    cluster = RepairCluster.start(conf, 6);
    dir = cluster.directory("/ec", "RS-3-2-1024k");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    if (replaced != null) {
      replaced.pretendAt(replaced.port());
    }
    if (fake != null) {
      fake.close();
    }
    for (DataNode datanode : cluster.mini().getDataNodes()) {
      RepairPort.of(datanode).awaitIdle();
    }
  }

  private Requests write(Path file) throws IOException {
    cluster.write(file, 3 * CELL, 2L * CELL, 17);
    cluster.awaitUnits(file, 5);
    return new Requests(cluster, cluster.groups(file).get(0), CELL);
  }

  @ParameterizedTest
  @EnumSource(HostileChild.class)
  void helperTellsOfTheChild(HostileChild child) throws Exception {
    Requests requests = write(new Path(dir, "helper")).stall(STALL_MS).stream(2 * Requests.SLICE);
    RepairPort helper = requests.port(0);
    fake = FakePeer.start(child);
    NodeRef childNode = fake.asChild("child");
    PlanNode tree = requests.node(helper.node(),
        Collections.singletonList(requests.share(0, helper.node())),
        requests.leaf(1, childNode));
    PartialSumRequest request = requests.of(tree);
    long start = System.nanoTime();
    try (WireClient client = WireClient.connect(helper.port())) {
      client.send(request);
      PartialSumResponseProto answer = client.answer();
      if (answer.getStatus() == Status.SUCCESS_VALUE) {
        RepairException e = assertThrows(RepairException.class,
            () -> receive(client.slices(request), request));
        assertBlamed(child, e.failureCause, e.node.uuid);
      } else {
        FailureProto failure = answer.getFailure();
        assertBlamed(child, FailureCause.ofNumber(failure.getCause()),
            failure.getNode().getUuid());
      }
      assertEquals(0, client.bytesUntilClosed(5_000), "bytes after the failure");
    }
    helper.awaitIdle();
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(tookMs < BOUND_MS, tookMs + " ms");
  }

  /** Closing the connections of a stock read does not end the read. Only an interrupt does. */
  @Test
  @Tag("slow")
  void holderThatNeverCompletesItsAnswer() throws Exception {
    Requests requests = write(new Path(dir, "holder")).stall(STALL_MS).stream(2 * Requests.SLICE);
    RepairPort helper = requests.port(0);
    fake = FakePeer.start(socket -> {
      // The length prefix announces an answer of 2000 bytes.
      socket.getOutputStream().write(new byte[] {(byte) 0xd0, 15});
      while (true) {
        socket.getOutputStream().write(8);
        TimeUnit.MILLISECONDS.sleep(100);
      }
    });
    PlanNode tree = requests.node(helper.node(), Arrays.asList(
        requests.share(0, helper.node()), requests.share(1, fake.asHolder("holder"))));
    PartialSumRequest request = requests.of(tree);
    long start = System.nanoTime();
    try (WireClient client = WireClient.connect(helper.port())) {
      client.send(request);
      assertNotEquals(-1, client.bytesUntilClosed(3 * BOUND_MS), "the read still runs");
    }
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(tookMs > STALL_MS && fake.connections() == 1,
        "the holder was read: " + tookMs + " ms");
    helper.awaitIdle();
  }

  private static void receive(SliceReader reader, PartialSumRequest request) throws IOException {
    SliceBuffer buffer = new SliceBuffer(ByteBuffer.allocateDirect(
        SliceBuffer.bytesFor(1, Requests.SLICE)), 1);
    for (int slice = 0; slice < request.geometry.slices(); slice++) {
      buffer.shape(1, request.geometry.length(slice));
      reader.receive(slice, buffer);
    }
  }

  private static void assertBlamed(HostileChild child, FailureCause cause, String uuid) {
    assertEquals("child", uuid, "the node that is blamed for " + cause);
    if (child.cause != null) {
      assertEquals(child.cause, cause);
    }
  }

  /** The repair ends without the child, without stock. */
  @ParameterizedTest
  @EnumSource(value = HostileChild.class, names = {"NEVER_ANSWERS", "ANSWERS_NOISE",
      "BLAMES_A_LINE_BREAK", "STOPS_AFTER_THE_ANSWER", "TOO_LARGE_ROWS", "DAMAGED_ROWS",
      "PROGRESS_WITHOUT_END"})
  void repairDoesWithoutTheChild(HostileChild child) throws Exception {
    repair(child, child.name());
    assertNotEquals(0, fake.connections(), "it was asked");
    assertEquals(0, RepairPort.sum(cluster, "RepairsFailed"), "the child was asked");
  }

  /** The parent waits for as long as the child makes progress, up to a bound. */
  @Test
  @Tag("slow")
  void repairDoesWithoutAChildThatSendsByteByByte() throws Exception {
    repairDoesWithoutTheChild(HostileChild.ONE_BYTE_AT_A_TIME);
  }

  private void repair(FakePeer.Behaviour child, String name) throws Exception {
    Path file = new Path(dir, name);
    Requests requests = write(file);
    byte[] data = new byte[3 * CELL];
    new java.util.Random(17).nextBytes(data);
    long succeededBefore = RepairPort.sum(cluster, "RepairsSucceeded");
    fake = FakePeer.start(child);
    replaced = requests.port(1);
    replaced.pretendAt(fake.port());
    long start = System.nanoTime();
    requests.lose(0);
    RepairCluster.await("the NameNode knows of the loss or its repair", () ->
        RepairPort.sum(cluster, "RepairsStarted") > succeededBefore);
    cluster.awaitUnits(file, 5);
    RepairCluster.await("the plugin counts its repair",
        () -> RepairPort.sum(cluster, "RepairsSucceeded") == succeededBefore + 1);
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(tookMs < 2 * BOUND_MS, tookMs + " ms");
    assertTrue(cluster.hasContent(file, data), "the file has its bytes");
  }

  /** After a lost packet, another node may have the address to which the parent has connected. */
  @Test
  void aChildOfAnotherTrade() throws Exception {
    repair(socket -> socket.getOutputStream().write("220 smtp ready\r\n".getBytes()), "smtp");
  }
}
