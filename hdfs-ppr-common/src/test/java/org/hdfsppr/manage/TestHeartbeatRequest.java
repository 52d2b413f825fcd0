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
package org.hdfsppr.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.DescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hdfsppr.manage.proto.ManagerProtos;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.ReadGroupProto;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.RequestFeatures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a heartbeat stays within its bounds, and that the codec understands an older node. */
@InterfaceAudience.Private
@Timeout(60)
class TestHeartbeatRequest {
  private static HeartbeatRequestProto request(long seed) {
    return new RandomHeartbeats(new Random(seed)).request().toProto();
  }

  @Test
  void boundsOfAHeartbeat() throws Exception {
    HeartbeatRequestProto.Builder many = request(3).toBuilder();
    for (int i = 0; i <= ResidentBlocks.BLOCKS_MAX; i++) {
      many.getResidentBuilder().setComplete(true).addAdded(i);
    }
    many.getResidentBuilder().clearRemoved();
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatRequest.parse(many.build())).getMessage().contains("at most"));
    HeartbeatRequestProto.Builder both = request(3).toBuilder();
    both.getResidentBuilder().setComplete(true).clearAdded().clearRemoved().addRemoved(1);
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatRequest.parse(both.build())).getMessage().contains("complete"));
    HeartbeatRequestProto.Builder noNode = request(3).toBuilder();
    noNode.getNodeBuilder().setUuid("");
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatRequest.parse(noNode.build())).getMessage().contains("uuid is empty"));
    HeartbeatRequestProto.Builder reads = request(3).toBuilder();
    for (int i = 0; i <= HeartbeatRequest.READ_DEGRADED_MAX; i++) {
      reads.addReadDegraded(ReadGroupProto.newBuilder().setGroupId(-16).setGenerationStamp(i));
    }
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatRequest.parse(reads.build())).getMessage()
        .contains("read_degraded, at most"));
    for (long id : new long[] {16, 0, -17}) {
      HeartbeatRequestProto.Builder noGroup = request(3).toBuilder();
      noGroup.addReadDegraded(ReadGroupProto.newBuilder().setGroupId(id).setGenerationStamp(1));
      assertTrue(assertThrows(MalformedRequestException.class, () ->
          HeartbeatRequest.parse(noGroup.build())).getMessage().contains("group_id " + id));
    }
    HeartbeatRequestProto.Builder noStamp = request(3).toBuilder();
    noStamp.addReadDegraded(ReadGroupProto.newBuilder().setGroupId(-16).setGenerationStamp(-1));
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatRequest.parse(noStamp.build())).getMessage()
        .contains("generation_stamp"));
  }

  /** A node with more reads than fit sends the first of them, and the rest later. */
  @Test
  void moreReadsThanFitAreCut() throws Exception {
    List<ReadGroup> many = new ArrayList<>();
    for (int i = 0; i < HeartbeatRequest.READ_DEGRADED_MAX + 1; i++) {
      many.add(new ReadGroup(-16L * (i + 1), 1001));
    }
    HeartbeatRequest request = new RandomHeartbeats(new Random(5)).request();
    assertEquals(many.subList(0, HeartbeatRequest.READ_DEGRADED_MAX), HeartbeatRequest.parse(
        request.withReadDegraded(many).toProto()).readDegraded);
  }

  /** Returns the message type of a version that does not know degraded reads. */
  private static Descriptor olderRequest() throws Exception {
    FileDescriptorProto.Builder file = ManagerProtos.getDescriptor().toProto().toBuilder();
    for (DescriptorProto.Builder message : file.getMessageTypeBuilderList()) {
      if (message.getName().equals("HeartbeatRequestProto")) {
        int first = message.getFieldCount() - 5;
        assertEquals("read_degraded", message.getField(first).getName());
        while (message.getFieldCount() > first) {
          message.removeField(first);
        }
      }
    }
    return FileDescriptor.buildFrom(file.build(), ManagerProtos.getDescriptor().getDependencies()
        .toArray(new FileDescriptor[0])).findMessageTypeByName("HeartbeatRequestProto");
  }

  @Test
  void olderNodesAreUnderstoodAndUnderstand() throws Exception {
    HeartbeatRequest request =
        new RandomHeartbeats(new Random(6)).request().withSelfReport(SelfReport.NONE);
    List<ReadGroup> read = Arrays.asList(new ReadGroup(-16, 1001));
    DynamicMessage.Builder old = DynamicMessage.newBuilder(olderRequest());
    old.mergeFrom(request.withReadDegraded(read).toProto().toByteArray());
    assertEquals(1, old.build().getUnknownFields().asMap().size(), "an older node skips one field");
    byte[] said = old.setUnknownFields(UnknownFieldSet.getDefaultInstance()).build().toByteArray();
    HeartbeatRequest heard = HeartbeatRequest.parse(HeartbeatRequestProto.parseFrom(said));
    assertEquals(Collections.emptyList(), heard.readDegraded);
    assertEquals(request.withReadDegraded(Collections.emptyList()).toString(), heard.toString());
  }

  /** A stack trace in a message reaches the other side as one shortened line. */
  @Test
  void aNodeSaysWhatItKnows() throws Exception {
    HeartbeatRequest any = new RandomHeartbeats(new Random(8)).request();
    for (int version = 1; version <= 2; version++) {
      HeartbeatRequest silent = new HeartbeatRequest(version, "0.1", any.node, 1, any.load,
          any.running, any.results).withResident(any.resident);
      HeartbeatRequestProto proto = silent.toProto();
      assertFalse(proto.hasRequestFeatures() || proto.hasCommandFeatures());
      HeartbeatRequest back = HeartbeatRequest.parse(proto);
      assertEquals(RequestFeatures.UNSAID, back.requestFeatures);
      assertEquals(version == 1 ? 0 : CommandFeatures.DOUBTED, back.commandFeatures);
      back = HeartbeatRequest.parse(silent.withFeatures(RequestFeatures.KNOWN | 64, -1)
          .withReadDegraded(
              any.readDegraded).toProto());
      assertEquals(RequestFeatures.KNOWN | 64, back.requestFeatures);
      assertEquals(-1, back.commandFeatures);
    }
  }

  @Test
  void messagesFit() throws Exception {
    HeartbeatRequest one = new RandomHeartbeats(new Random(4)).request();
    HeartbeatRequest said = new HeartbeatRequest(1, "0.1", one.node, 1, one.load,
        Collections.emptyList(), Arrays.asList(RepairResult.notTried("r", 1, RepairOutcome.REFUSED,
        null, "a\nb".repeat(2000))));
    String message = HeartbeatRequest.parse(said.toProto()).results
        .get(0).message;
    assertTrue(message.startsWith("a ba b") && message.length() <= 1024, message);
  }
}
