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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.DescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hdfsppr.manage.proto.ManagerProtos;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.ReadGroupProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.Mutator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is sent arrives; what nobody would send is refused, and the error says what is wrong. */
@InterfaceAudience.Private
@Timeout(60)
class TestHeartbeatCodec {
  private static final int FUZZED = 10_000;

  private static HeartbeatRequestProto request(long seed) {
    return HeartbeatCodec.toProto(new RandomHeartbeats(new Random(seed)).request());
  }

  private static HeartbeatResponseProto response(long seed) {
    return HeartbeatCodec.toProto(new RandomHeartbeats(new Random(seed)).response());
  }

  /** A response with a command in it. */
  private static HeartbeatResponseProto order() {
    RandomHeartbeats random = new RandomHeartbeats(new Random(1));
    return HeartbeatCodec.toProto(
        HeartbeatResponse.active(5, "BP-1").repair(random.repair()).build());
  }

  @Test
  void roundTrip() throws Exception {
    for (long seed = 0; seed < 2000; seed++) {
      HeartbeatRequest request = new RandomHeartbeats(new Random(seed)).request();
      HeartbeatRequest back = HeartbeatCodec.parse(HeartbeatCodec.toProto(request));
      assertEquals(request.toString(), back.toString());
      assertEquals(request.node().uuid(), back.node().uuid());
      assertEquals(request.node().repairPort(), back.node().repairPort());
      assertEquals(request.resident().added(), back.resident().added());
      assertEquals(request.resident().removed(), back.resident().removed());
      assertEquals(request.readDegraded(), back.readDegraded());
      assertEquals(HeartbeatCodec.toProto(request), HeartbeatCodec.toProto(back));

      HeartbeatResponse response = new RandomHeartbeats(new Random(seed)).response();
      HeartbeatResponse same = HeartbeatCodec.parse(HeartbeatCodec.toProto(response));
      assertEquals(response.toString(), same.toString());
      assertEquals(Collections.emptyList(), same.unreadable());
      assertEquals(response.wantsAllResident(), same.wantsAllResident());
      for (int i = 0; i < response.repairs().size(); i++) {
        RepairCommand command = response.repairs().get(i);
        RepairCommand other = same.repairs().get(i);
        assertEquals(command.destination(), other.destination());
        assertEquals(command.groupBytes(), other.groupBytes());
        assertEquals(command.deadlineMs(), other.deadlineMs());
        assertEquals(command.targets().get(0).storageId(), other.targets().get(0).storageId());
        for (int h = 0; h < command.group().live().size(); h++) {
          Holder holder = command.group().live().get(h);
          assertEquals(holder.unit(), other.group().live().get(h).unit());
          assertEquals(holder.node(), other.group().live().get(h).node());
        }
      }
      assertEquals(HeartbeatCodec.toProto(response), HeartbeatCodec.toProto(same));
    }
  }

  /** Whatever comes: an object that is right, or a short error. */
  @Test
  void fuzz() {
    int accepted = 0;
    for (int i = 0; i < FUZZED; i++) {
      Random random = new Random(i);
      Mutator mutator = new Mutator(random);
      try {
        if (random.nextBoolean()) {
          HeartbeatRequestProto.Builder message = request(i).toBuilder();
          mutator.change(message);
          byte[] bytes = message.buildPartial().toByteArray();
          HeartbeatRequestProto proto = HeartbeatRequestProto.parseFrom(
              random.nextInt(3) == 0 ? mutator.change(bytes) : bytes);
          HeartbeatCodec.toProto(HeartbeatCodec.parse(proto));
        } else {
          HeartbeatResponseProto.Builder message = response(i).toBuilder();
          mutator.change(message);
          byte[] bytes = message.buildPartial().toByteArray();
          HeartbeatResponseProto proto = HeartbeatResponseProto.parseFrom(
              random.nextInt(3) == 0 ? mutator.change(bytes) : bytes);
          HeartbeatResponse parsed = HeartbeatCodec.parse(proto);
          HeartbeatCodec.toProto(parsed);
          parsed.unreadable().forEach(result ->
              assertTrue(result.message().length() < 1000, result.message()));
        }
        accepted++;
      } catch (MalformedRequestException e) {
        assertTrue(e.getMessage().length() < 3000, "an error of " + e.getMessage().length());
        assertTrue(e.getMessage().indexOf('\n') < 0, e.getMessage());
      } catch (InvalidProtocolBufferException e) {
        // Not even a message; Hadoop's RPC never hands such a thing on.
        assertTrue(e.getMessage() != null, e.toString());
      }
    }
    assertTrue(accepted > FUZZED / 20 && accepted < FUZZED, accepted + " accepted");
  }

  @Test
  void aCommandThatIsNotUnderstoodIsRefusedAndNoOther() throws Exception {
    HeartbeatResponseProto.Builder message = order().toBuilder();
    message.addRepairs(message.getRepairs(0).toBuilder().setRepairId("new").setMustUnderstand(4));
    message.addRepairs(message.getRepairs(0).toBuilder().setRepairId("odd").clearTargets());
    HeartbeatResponse response = HeartbeatCodec.parse(message.build());
    assertEquals(1, response.repairs().size());
    RepairResult unknown = response.unreadable().get(0);
    assertEquals("new", unknown.repairId());
    assertEquals(RepairOutcome.REFUSED, unknown.outcome());
    assertEquals(FailureCause.UNSUPPORTED, unknown.cause());
    RepairResult odd = response.unreadable().get(1);
    assertEquals("odd", odd.repairId());
    assertEquals(FailureCause.PROTOCOL, odd.cause());
    assertTrue(odd.message().contains("no target"), odd.message());
  }

  /** Who ignored that the group is doubted would rebuild it unchecked. */
  @Test
  void doubtTravelsAndWhoDoesNotKnowItRefuses() throws Exception {
    RepairCommand.Builder command = RepairCommand.of("r", 1)
        .group(new GroupId("BP-1", -16, 1001), 1 << 20)
        .code("rs", 2, 1, 1 << 20)
        .live(Arrays.asList(new Holder(1, node(1)), new Holder(2, node(2))))
        .targets(Arrays.asList(new CommandTarget(0, node(3), "DS-1", StorageType.DISK)))
        .topology("chain")
        .deadlineMs(1);
    for (boolean doubted : new boolean[] {false, true}) {
      HeartbeatResponseProto proto = HeartbeatCodec.toProto(HeartbeatResponse.active(1, "BP-1")
          .repair(command.doubted(doubted).build()).build());
      assertEquals(doubted, proto.getRepairs(0).getMustUnderstand() != 0);
      assertEquals(doubted, HeartbeatCodec.parse(proto).repairs().get(0).isDoubted());
    }
    HeartbeatRequest any = new RandomHeartbeats(new Random(7)).request();
    assertTrue(HeartbeatRequest.PROTOCOL_VERSION >= 2);
    for (int version = 1; version <= HeartbeatRequest.PROTOCOL_VERSION; version++) {
      HeartbeatRequest said = new HeartbeatRequest(version, "0.1", any.node(), 1, any.load(),
          any.running(), any.results(), any.resident());
      assertEquals(version >= 2, HeartbeatCodec.parse(HeartbeatCodec.toProto(said)).knowsDoubt());
    }
  }

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "h" + number, 9866, 9877, "/r");
  }

  private static String odd(HeartbeatResponseProto.Builder message) throws Exception {
    HeartbeatResponse response = HeartbeatCodec.parse(message.build());
    assertEquals(Collections.emptyList(), response.repairs());
    return response.unreadable().get(0).message();
  }

  @Test
  void whatACommandMustNotSay() throws Exception {
    HeartbeatResponseProto.Builder valid = order().toBuilder();
    HeartbeatResponseProto.Builder message = valid.clone();
    message.getRepairsBuilder(0).setGroupId(16);
    assertTrue(odd(message).contains("group_id 16"), odd(message));
    message = valid.clone();
    message.getRepairsBuilder(0).setGroupId(-17);
    assertTrue(odd(message).contains("group_id -17"), odd(message));
    message = valid.clone();
    message.getRepairsBuilder(0).setBlockPoolId("BP-2");
    assertTrue(odd(message).contains("block_pool_id"), odd(message));
    message = valid.clone();
    message.getRepairsBuilder(0).setCellBytes(1025);
    assertTrue(odd(message).contains("cell_bytes"), odd(message));
    message = valid.clone();
    message.getRepairsBuilder(0).setDataUnits(15).setParityUnits(2);
    assertTrue(odd(message).contains("parity_units"), odd(message));
    message = valid.clone();
    message.getRepairsBuilder(0).setDeadlineMs(0);
    assertTrue(odd(message).contains("deadline"), odd(message));
    message = valid.clone();
    message.getRepairsBuilder(0).addLive(message.getRepairs(0).getLive(0));
    assertTrue(odd(message).contains("twice"), odd(message));
    message = valid.clone();
    message.getRepairsBuilder(0).getTargetsBuilder(0).setStorageType("TAPE");
    assertTrue(odd(message).contains("TAPE"), odd(message));
    message = valid.clone();
    message.getRepairsBuilder(0).getTargetsBuilder(0).setUnit(8);
    assertTrue(odd(message).contains("held"), odd(message));
    message = valid.clone();
    message.getRepairsBuilder(0).setCodec("rs\nINFO all is well");
    assertTrue(odd(message).indexOf('\n') < 0, odd(message));
  }

  @Test
  void boundsOfAHeartbeat() throws Exception {
    HeartbeatRequestProto.Builder many = request(3).toBuilder();
    for (int i = 0; i <= HeartbeatCodec.RESIDENT_MAX; i++) {
      many.getResidentBuilder().setComplete(true).addAdded(i);
    }
    many.getResidentBuilder().clearRemoved();
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatCodec.parse(many.build())).getMessage().contains("at most"));
    HeartbeatRequestProto.Builder both = request(3).toBuilder();
    both.getResidentBuilder().setComplete(true).clearAdded().clearRemoved().addRemoved(1);
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatCodec.parse(both.build())).getMessage().contains("complete"));
    HeartbeatRequestProto.Builder nobody = request(3).toBuilder();
    nobody.getNodeBuilder().setUuid("");
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatCodec.parse(nobody.build())).getMessage().contains("uuid is empty"));
    HeartbeatRequestProto.Builder reads = request(3).toBuilder();
    for (int i = 0; i <= HeartbeatCodec.READ_DEGRADED_MAX; i++) {
      reads.addReadDegraded(ReadGroupProto.newBuilder().setGroupId(-16).setGenerationStamp(i));
    }
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatCodec.parse(reads.build())).getMessage().contains("read_degraded, at most"));
    for (long id : new long[] {16, 0, -17}) {
      HeartbeatRequestProto.Builder noGroup = request(3).toBuilder();
      noGroup.addReadDegraded(ReadGroupProto.newBuilder().setGroupId(id).setGenerationStamp(1));
      assertTrue(assertThrows(MalformedRequestException.class, () ->
          HeartbeatCodec.parse(noGroup.build())).getMessage().contains("group_id " + id));
    }
    HeartbeatRequestProto.Builder noStamp = request(3).toBuilder();
    noStamp.addReadDegraded(ReadGroupProto.newBuilder().setGroupId(-16).setGenerationStamp(-1));
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatCodec.parse(noStamp.build())).getMessage().contains("generation_stamp"));
  }

  /** Who has more to say says the first of it, and the rest later. */
  @Test
  void moreReadsThanFitAreCut() throws Exception {
    List<ReadGroup> many = new ArrayList<>();
    for (int i = 0; i < HeartbeatCodec.READ_DEGRADED_MAX + 1; i++) {
      many.add(new ReadGroup(-16L * (i + 1), 1001));
    }
    HeartbeatRequest request = new RandomHeartbeats(new Random(5)).request();
    assertEquals(many.subList(0, HeartbeatCodec.READ_DEGRADED_MAX), HeartbeatCodec.parse(
        HeartbeatCodec.toProto(request.withReadDegraded(many))).readDegraded());
  }

  /** Messages as those knew them who had not heard of degraded reads. */
  private static Descriptor olderRequest() throws Exception {
    FileDescriptorProto.Builder file = ManagerProtos.getDescriptor().toProto().toBuilder();
    for (DescriptorProto.Builder message : file.getMessageTypeBuilderList()) {
      if (message.getName().equals("HeartbeatRequestProto")) {
        int last = message.getFieldCount() - 1;
        assertEquals("read_degraded", message.getField(last).getName());
        message.removeField(last);
      }
    }
    return FileDescriptor.buildFrom(file.build(), ManagerProtos.getDescriptor().getDependencies()
        .toArray(new FileDescriptor[0])).findMessageTypeByName("HeartbeatRequestProto");
  }

  @Test
  void olderNodesAreUnderstoodAndUnderstand() throws Exception {
    HeartbeatRequest request = new RandomHeartbeats(new Random(6)).request();
    List<ReadGroup> read = Arrays.asList(new ReadGroup(-16, 1001));
    DynamicMessage.Builder old = DynamicMessage.newBuilder(olderRequest());
    old.mergeFrom(HeartbeatCodec.toProto(request.withReadDegraded(read)).toByteArray());
    assertEquals(1, old.build().getUnknownFields().asMap().size(), "it is skipped");
    byte[] said = old.setUnknownFields(UnknownFieldSet.getDefaultInstance()).build().toByteArray();
    HeartbeatRequest heard = HeartbeatCodec.parse(HeartbeatRequestProto.parseFrom(said));
    assertEquals(Collections.emptyList(), heard.readDegraded());
    assertEquals(request.withReadDegraded(Collections.emptyList()).toString(), heard.toString());
  }

  /** A stack trace in a message reaches the other side as one line, and not all of it. */
  @Test
  void messagesFit() throws Exception {
    HeartbeatRequest one = new RandomHeartbeats(new Random(4)).request();
    HeartbeatRequest said = new HeartbeatRequest(1, "0.1", one.node(), 1, one.load(),
        Collections.emptyList(), Arrays.asList(RepairResult.notTried("r", 1,
            RepairOutcome.REFUSED, null, "a\nb".repeat(2000))), ResidentBlocks.unchanged());
    String message = HeartbeatCodec.parse(HeartbeatCodec.toProto(said)).results().get(0).message();
    assertTrue(message.startsWith("a ba b") && message.length() <= 1024, message);
  }
}
