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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.proto.PprProtos.FailureProto;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests to which nodes a DataNode connects for a caller, on a cluster without block tokens, where
 * any caller may ask. The DataNode connects to no node before it has found its own replica, to no
 * node twice, and not to itself. It does not tell the caller what it has found at other nodes.
 */
class TestStrangersTrees {
  @TempDir
  private static File directory;
  private static ServedFile file;

  private Requests requests;
  private RepairPort port;
  private FakePeer fake;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
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
    fake = FakePeer.start(socket -> socket.close());
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    fake.close();
    port.awaitIdle();
    file.assertServes(port, requests.single(0), 0);
  }

  /** Sends a request for {@code tree} and returns the failure in the answer. */
  private FailureProto failure(Requests asked, PlanNode tree) throws IOException {
    try (WireClient client = WireClient.connect(port.port())) {
      client.send(asked.of(tree));
      PartialSumResponseProto answer = client.answer();
      assertEquals(Status.ERROR_VALUE, answer.getStatus(), "the request is refused");
      return answer.getFailure();
    }
  }

  private static FailureCause cause(FailureProto failure) {
    return FailureCause.ofNumber(failure.getCause());
  }

  private PlanNode parent(PlanNode... children) {
    return requests.node(port.node(), Collections.singletonList(requests.share(0, port.node())),
        children);
  }

  @Test
  void noNodeIsAskedBeforeTheOwnReplicaIsFound() throws Exception {
    // Another DataNode holds unit 1.
    FailureProto failure = failure(requests, requests.node(port.node(),
        Collections.singletonList(requests.share(1, port.node())),
        requests.leaf(2, fake.asChild("child"))));
    assertEquals(FailureCause.NO_SUCH_BLOCK, cause(failure), failure.getMessage());
    assertEquals(port.node().uuid, failure.getNode().getUuid());
    Requests none = requests.ofNoBlock();
    failure = failure(none, none.node(port.node(),
        Collections.singletonList(none.share(0, port.node())),
        none.leaf(1, fake.asChild("child"))));
    assertEquals(FailureCause.NO_SUCH_BLOCK, cause(failure), failure.getMessage());
    assertEquals(0, fake.connections(), "connections to the child");
  }

  /** The caller chooses the order of shares, but the DataNode's own share is checked first. */
  @Test
  void nothingIsReadElsewhereBeforeTheOwnReplicaIsFound() throws Exception {
    FailureProto failure = failure(requests, requests.node(port.node(), Arrays.asList(
        requests.share(2, fake.asHolder("holder")), requests.share(1, port.node()))));
    assertEquals(FailureCause.NO_SUCH_BLOCK, cause(failure), failure.getMessage());
    assertEquals(0, fake.connections(), "connections to the holder");
  }

  @Test
  void aRequestToAnotherNodeIsRefused() throws Exception {
    NodeRef here = port.node();
    NodeRef other = new NodeRef("another", here.ipAddr, here.hostName, here.xferPort,
        here.repairPort, here.rack);
    FailureProto failure = failure(requests, requests.leaf(0, other));
    assertEquals(FailureCause.UNSUPPORTED, cause(failure), failure.getMessage());
    assertEquals("another", failure.getNode().getUuid());
    assertTrue(failure.getMessage().contains("another DataNode"), failure.getMessage());
  }

  /** Otherwise one request could become as many requests as the node has names. */
  @Test
  void aNodeDoesNotCallItself() throws Exception {
    NodeRef here = port.node();
    long acceptedBefore = port.counter("HelperRequestsAccepted");
    FailureProto failure = failure(requests, parent(requests.leaf(1, new NodeRef("invented",
        here.ipAddr, here.hostName, here.xferPort, here.repairPort, here.rack))));
    assertEquals(FailureCause.UNSUPPORTED, cause(failure), failure.getMessage());
    assertEquals("invented", failure.getNode().getUuid());
    port.awaitIdle();
    assertEquals(1, port.counter("HelperRequestsAccepted") - acceptedBefore, "requests");
  }

  @Test
  void noTwoNodesAreAtOneAddress() throws Exception {
    FailureProto failure = failure(requests,
        parent(requests.leaf(1, fake.asChild("one")), requests.leaf(2, fake.asChild("two"))));
    assertEquals(FailureCause.UNSUPPORTED, cause(failure), failure.getMessage());
    assertEquals("two", failure.getNode().getUuid());
    failure = failure(requests, requests.node(port.node(), Arrays.asList(
        requests.share(0, port.node()), requests.share(1, fake.asHolder("one")),
        requests.share(2, fake.asHolder("two")))));
    assertEquals(FailureCause.UNSUPPORTED, cause(failure), failure.getMessage());
    assertEquals(0, fake.connections());
  }

  /** Otherwise the answers would tell which ports of the cluster's network are open. */
  @Test
  void whatIsAtAnAddressStaysUnsaid() throws Exception {
    FailureProto closing = failure(requests, parent(requests.leaf(1, fake.asChild("child"))));
    assertNotEquals(0, fake.connections());
    try (FakePeer smtp = FakePeer.start(
        socket -> {
          socket.getOutputStream().write("220 smtp ready\r\n".getBytes());
        })) {
      assertEquals(closing, withoutPorts(closing,
          failure(requests, parent(requests.leaf(1, smtp.asChild("child"))))));
      assertNotEquals(0, smtp.connections());
    }
    fake.close();
    FailureProto closed = failure(requests, parent(requests.leaf(1, fake.asChild("child"))));
    assertEquals(closing, closed);
    assertEquals(FailureCause.UNREACHABLE, cause(closed));
  }

  private static FailureProto withoutPorts(FailureProto model, FailureProto other) {
    return other.toBuilder().setNode(other.getNode().toBuilder()
        .setRepairPort(model.getNode().getRepairPort())
        .setXferPort(model.getNode().getXferPort())).build();
  }

  @Test
  void whatIsAtADataTransferAddressStaysUnsaid() throws Exception {
    FailureProto closing = failure(requests, holding(fake));
    assertNotEquals(0, fake.connections());
    fake.close();
    FailureProto closed = failure(requests, holding(fake));
    assertEquals(closing, closed);
    assertEquals(FailureCause.DEAD, cause(closed));
  }

  private PlanNode holding(FakePeer holder) throws IOException {
    return requests.node(port.node(), Arrays.asList(requests.share(0, port.node()),
        requests.share(1, holder.asHolder("holder"))));
  }

  /** The answer comes from a DataNode of the cluster, so its words are passed on unchanged. */
  @Test
  void nodesStillSayWhatFailed() throws Exception {
    FailureProto failure = failure(requests,
        parent(requests.node(requests.port(1).node(),
            Collections.singletonList(requests.share(2, requests.port(1).node())))));
    assertEquals(FailureCause.NO_SUCH_BLOCK, cause(failure), failure.getMessage());
    assertEquals(requests.port(1).node().uuid, failure.getNode().getUuid());
  }
}
