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
package org.hdfsppr.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;
import org.junit.jupiter.api.Test;

/** Answers, and failures wherever they travel. */
@InterfaceAudience.Private
class TestPartialSumResponse {
  private static final NodeRef CHILD =
      new NodeRef("uuid-1", "10.0.0.1", "host1", 9866, 9877, "/rack");
  private static final NodeRef OTHER =
      new NodeRef("uuid-2", "10.0.0.2", "host2", 9866, 9877, "/rack");
  private static final PlanNode TREE = new PlanNode(CHILD, Collections.emptyList(),
      Collections.singletonList(
          new PlanNode(OTHER, Collections.emptyList(), Collections.emptyList())));

  @Test
  void anAnswerSaysWhatItsSenderKnows() throws Exception {
    PartialSumResponseProto ready = PartialSumResponse.ready(
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512));
    assertEquals(OptionalLong.of(RequestFeatures.UNSAID),
        PartialSumResponse.features(ready.toByteArray()));
    assertEquals(ready, PartialSumResponse.withFeatures(ready, RequestFeatures.UNSAID));
    PartialSumResponseProto more = PartialSumResponse.withFeatures(ready, 13);
    assertEquals(OptionalLong.of(13), PartialSumResponse.features(more.toByteArray()));
    assertEquals(PartialSumResponse.parse(ready.toByteArray(), TREE),
        PartialSumResponse.parse(more.toByteArray(), TREE));
    assertFalse(PartialSumResponse.features(new byte[] {1, 2, 3}).isPresent());
    assertFalse(PartialSumResponse.features(
        PartialSumResponse.tokenRefused().toByteArray()).isPresent());
  }

  private static RepairException failure(PartialSumResponseProto answer) {
    return assertThrows(RepairException.class,
        () -> PartialSumResponse.parse(answer.toByteArray(), TREE));
  }

  @Test
  void readyTellsTheChecksum() throws RepairException {
    for (DataChecksum.Type type : new DataChecksum.Type[] {DataChecksum.Type.CRC32,
        DataChecksum.Type.CRC32C, DataChecksum.Type.NULL}) {
      for (int bytes : new int[] {1, 512, 4096, 1 << 20}) {
        DataChecksum checksum = DataChecksum.newDataChecksum(type, bytes);
        assertEquals(checksum, PartialSumResponse.parse(
            PartialSumResponse.ready(checksum).toByteArray(), TREE));
      }
    }
  }

  @Test
  void aChecksumThatMakesNoSenseIsTheSendersFault() {
    PartialSumResponseProto ready = PartialSumResponse.ready(
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512));
    for (int type : new int[] {-1, 3, 4, 5, Integer.MAX_VALUE}) {
      RepairException e = failure(ready.toBuilder().setChecksumType(type).build());
      assertSame(FailureCause.PROTOCOL, e.failureCause, "type " + type);
      assertEquals(CHILD, e.node);
    }
    for (int bytes : new int[] {-1, 0, (1 << 20) + 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertSame(FailureCause.PROTOCOL,
          failure(ready.toBuilder().setBytesPerChecksum(bytes).build()).failureCause);
    }
    assertSame(FailureCause.PROTOCOL,
        failure(ready.toBuilder().clearChecksumType().clearBytesPerChecksum().build())
            .failureCause);
  }

  @Test
  void everyFailureArrives() {
    Set<Integer> numbers = new HashSet<>();
    for (FailureCause cause : FailureCause.values()) {
      assertTrue(numbers.add(cause.number), cause + " has a number of another");
      RepairException e = failure(PartialSumResponse.failed(
          new RepairException(cause, OTHER, "what happened", null)));
      if (!cause.excludesNode()) {
        // No helper can know; one that says so is to be left out itself.
        assertSame(FailureCause.PROTOCOL, e.failureCause);
        assertEquals(CHILD, e.node);
        continue;
      }
      assertSame(cause, e.failureCause);
      assertEquals(OTHER, e.node);
      assertEquals(OTHER.ipAddr, e.node.ipAddr);
      assertEquals(OTHER.repairPort, e.node.repairPort);
      assertEquals("what happened", e.getMessage());
    }
  }

  /** They are in the log files of clusters and in the messages of older nodes. */
  @Test
  void numbersOfCausesDoNotChange() {
    FailureCause[] causes = {FailureCause.DEAD, FailureCause.STALLED, FailureCause.SLOW,
        FailureCause.CORRUPT_REPLICA, FailureCause.NO_SUCH_BLOCK, FailureCause.STALE_REPLICA,
        FailureCause.ACCESS_TOKEN, FailureCause.OVERLOADED, FailureCause.PROTOCOL,
        FailureCause.INTERNAL, FailureCause.VERIFICATION, FailureCause.WRITE,
        FailureCause.UNREACHABLE, FailureCause.UNSUPPORTED};
    for (int i = 0; i < causes.length; i++) {
      assertEquals(i + 1, causes[i].number);
      assertSame(causes[i], FailureCause.ofNumber(i + 1));
    }
    assertEquals(causes.length, FailureCause.values().length);
    for (int unknown : new int[] {0, -1, 99, Integer.MIN_VALUE}) {
      assertSame(FailureCause.INTERNAL, FailureCause.ofNumber(unknown));
    }
  }

  @Test
  void aFailureThatMakesNoSenseIsTheSendersFault() {
    PartialSumResponseProto.Builder answer = PartialSumResponse.failed(
        new RepairException(FailureCause.DEAD, OTHER, "x", null)).toBuilder();
    answer.getFailureBuilder().getNodeBuilder().setXferPort(70_000);
    RepairException e = failure(answer.build());
    assertSame(FailureCause.PROTOCOL, e.failureCause);
    assertEquals(CHILD, e.node);
    assertSame(FailureCause.PROTOCOL, PartialSumResponse.parseFailure(new byte[] {1, 2, 3}, TREE)
        .failureCause);
  }

  @Test
  void whoBlamesAStrangerIsToBlame() {
    NodeRef stranger = new NodeRef("uuid-3", "10.0.0.3", "host3", 9866, 9877, "/rack");
    PartialSumResponseProto answer = PartialSumResponse.failed(
        new RepairException(FailureCause.CORRUPT_REPLICA, stranger, "x", null));
    RepairException e = failure(answer);
    assertSame(FailureCause.PROTOCOL, e.failureCause);
    assertEquals(CHILD, e.node);
    assertEquals(CHILD,
        PartialSumResponse.parseFailure(answer.getFailure().toByteArray(), TREE).node);
  }

  @Test
  void aRefusedTokenIsTheSenders() {
    RepairException e = failure(PartialSumResponse.tokenRefused());
    assertSame(FailureCause.ACCESS_TOKEN, e.failureCause);
    assertEquals(CHILD, e.node);
  }

  @Test
  void longMessagesAreCut() {
    PartialSumResponseProto answer = PartialSumResponse.failed(
        new RepairException(FailureCause.DEAD, OTHER, "\u20ac".repeat(100_000), null));
    assertTrue(answer.getSerializedSize() < PartialSumResponse.RESPONSE_BYTES_MAX);
    assertTrue(failure(answer).getMessage().length() < 3000);
    // What a peer says is not believed to be short.
    PartialSumResponseProto.Builder other = answer.toBuilder();
    other.getFailureBuilder().setMessage("x".repeat(30_000));
    assertTrue(failure(other.build()).getMessage().length() < 3000);
  }

  /** Messages of other nodes reach the log; a line break in one would forge a line. */
  @Test
  void messagesHaveOneLine() {
    RepairException e = failure(PartialSumResponse.failed(new RepairException(FailureCause.DEAD,
        OTHER, "disk\r\n2026-01-01 INFO all is well\u001b[2J", null)));
    assertTrue(e.getMessage().chars().noneMatch(Character::isISOControl), e.getMessage());
    RepairException other = failure(PartialSumResponseProto.newBuilder()
        .setStatus(Status.ERROR_VALUE).setMessage("disk\n2026-01-01 INFO all is well").build());
    assertTrue(other.getMessage().chars().noneMatch(Character::isISOControl), other.getMessage());
  }

  @Test
  void stockUnderstandsStatusAndMessage() throws Exception {
    BlockOpResponseProto refused =
        BlockOpResponseProto.parseFrom(PartialSumResponse.tokenRefused().toByteArray());
    assertSame(Status.ERROR_ACCESS_TOKEN, refused.getStatus());
    BlockOpResponseProto failed = BlockOpResponseProto.parseFrom(PartialSumResponse.failed(
        new RepairException(FailureCause.DEAD, OTHER, "gone", null)).toByteArray());
    assertSame(Status.ERROR, failed.getStatus());
    assertTrue(failed.getMessage().contains("gone"));
  }

  @Test
  void fuzz() {
    Random random = new Random(1);
    Mutator mutator = new Mutator(random);
    PartialSumResponseProto[] valid = {
        PartialSumResponse.ready(DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512)),
        PartialSumResponse.failed(new RepairException(FailureCause.DEAD, OTHER, "gone", null)),
        PartialSumResponse.tokenRefused()};
    for (int i = 0; i < 30_000; i++) {
      PartialSumResponseProto proto = valid[random.nextInt(valid.length)];
      byte[] bytes;
      switch (random.nextInt(3)) {
        case 0:
          bytes = mutator.bytes(200);
          break;
        case 1:
          bytes = mutator.change(proto.toByteArray());
          break;
        default:
          PartialSumResponseProto.Builder builder = proto.toBuilder();
          mutator.change(builder);
          bytes = builder.buildPartial().toByteArray();
          break;
      }
      try {
        assertTrue(PartialSumResponse.parse(bytes, TREE).getBytesPerChecksum() > 0);
      } catch (RepairException e) {
        assertTrue(e.toString().length() < 10_000);
      }
      PartialSumResponse.parseFailure(bytes, TREE);
    }
  }
}
