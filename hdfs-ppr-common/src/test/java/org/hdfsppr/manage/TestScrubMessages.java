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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.ResultProto;
import org.hdfsppr.manage.proto.ManagerProtos.ScrubProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the command that has a group checked, and its result. */
@InterfaceAudience.Private
@Timeout(60)
class TestScrubMessages {
  /** These bytes must not change, because nodes of different versions exchange them. */
  private static final String COMMAND =
      "CgVzY3J1YhIHc2NydWItNxgFKp8BCgRCUC0xEPD//////////wEY6QcggIDAASoCcnMwAjgBQICAQEok"
          + "CAISIAoGdXVpZC0yEggxMC4wLjAuMhoCaDIgik0olU0yAi9ySiQIABIgCgZ1dWlkLTASCDEwLjAuMC4w"
          + "GgJoMCCKTSiVTTICL3JKJAgBEiAKBnV1aWQtMRIIMTAuMC4wLjEaAmgxIIpNKJVNMgIvclCAgEBY4NQD";
  private static final String RESULT =
      "CgdzY3J1Yi03EAUYAjoPdW5pdCA0IGlzIHdyb25nQABI2QJyEQgCEAQaBnV1aWQtNCCAgMAE";

  private static UnitHolder holder(int unit) {
    return new UnitHolder(unit, new NodeRef("uuid-" + unit, "10.0.0." + unit, "h" + unit, 9866,
        9877,
        "/r"));
  }

  private static ScrubCommand command() {
    return new ScrubCommand("scrub-7", 5, ScrubCommand.of(new GroupId("BP-1", -16, 1001), 3 << 20)
        .setCodec("rs").setDataUnits(2).setParityUnits(1).setCellBytes(1 << 20)
        .setBytesPerS(1 << 20).setDeadlineMs(60_000), List.of(holder(2), holder(0), holder(1)));
  }

  private static HeartbeatResponseProto answer(CommandProto command) {
    return new HeartbeatResponse(HeartbeatResponse.active(5, "BP-1")).toProto().toBuilder()
        .addCommands(command).build();
  }

  private static RepairResult refusal(CommandProto command) throws Exception {
    HeartbeatResponse response = HeartbeatResponse.parse(answer(command));
    assertEquals(Collections.emptyList(), response.commands);
    RepairResult refused = response.unreadable.get(0);
    assertEquals("scrub-7", refused.repairId);
    assertEquals(RepairOutcome.REFUSED, refused.outcome);
    assertNull(refused.scrub);
    return refused;
  }

  private static String wrong(ScrubProto.Builder body) throws Exception {
    RepairResult refused = refusal(command().toProto().toBuilder()
        .setBody(body.build().toByteString()).build());
    assertEquals(FailureCause.PROTOCOL, refused.cause);
    return refused.message;
  }

  @Test
  void theCommandArrivesAsItWasSent() throws Exception {
    ScrubCommand sent = command();
    HeartbeatResponse response =
        HeartbeatResponse.parse(answer(sent.toProto()));
    ScrubCommand arrived = response.scrubs().get(0);
    assertEquals(sent.toString(), arrived.toString());
    assertEquals("scrub-7", arrived.id());
    assertEquals(5, arrived.term());
    assertEquals(List.of(2, 0, 1), List.of(arrived.holders.get(0).unit,
        arrived.holders.get(1).unit, arrived.holders.get(2).unit));
    assertEquals(holder(2).node, arrived.holders.get(0).node);
    assertEquals(5 << 20, arrived.unitBytes());
    assertEquals(COMMAND, Base64.getEncoder().encodeToString(
        sent.toProto().toByteArray()));
  }

  @Test
  void aCommandThatContradictsItselfIsRefused() throws Exception {
    ScrubProto valid =
        ScrubProto.parseFrom(command().toProto().getBody());
    assertTrue(wrong(valid.toBuilder().setBlockPoolId("BP-2")).contains("block_pool_id"));
    assertTrue(wrong(valid.toBuilder().setGroupId(16)).contains("group_id 16"));
    assertTrue(wrong(valid.toBuilder().setCellBytes(1000)).contains("cell_bytes 1000"));
    assertTrue(wrong(valid.toBuilder().setDataUnits(16)).contains("data_units 16"));
    assertTrue(wrong(valid.toBuilder().setDeadlineMs(0)).contains("0 ms until its deadline"));
    assertTrue(wrong(valid.toBuilder().setBytesPerS(1000)).contains("1000 bytes per second"));
    assertTrue(wrong(valid.toBuilder().addHolders(valid.getHolders(0))).contains("unit 2"));
    assertTrue(wrong(valid.toBuilder().clearHolders().addHolders(valid.getHolders(0)))
        .contains("names 1 units"));
    // Unit 1 has no bytes if the group has half a cell.
    assertTrue(wrong(valid.toBuilder().setGroupBytes(1 << 19)).contains("unit 1"));
  }

  @Test
  void aBodyThatIsNoCheckIsRefused() throws Exception {
    CommandProto odd = command().toProto().toBuilder()
        .setBody(ByteString.copyFromUtf8("what is this")).build();
    assertTrue(refusal(odd).message.contains("no scrub message"), refusal(odd).message);
  }

  @Test
  void aCheckThatNeedsMoreThanThisVersionIsRefused() throws Exception {
    CommandProto newer = command().toProto().toBuilder()
        .setMustUnderstand(1L << 40).build();
    assertEquals(FailureCause.UNSUPPORTED, refusal(newer).cause);
  }

  @Test
  void theResultSaysWhichUnitIsWrong() {
    RepairResult sent = RepairResult.ofScrub("scrub-7", 5, new ScrubFinding(
        ScrubOutcome.CONTRADICTION, 4, List.of("uuid-4"), 9 << 20), "unit 4 is wrong", 345);
    ResultProto proto = sent.toProto();
    assertEquals(RESULT, Base64.getEncoder().encodeToString(proto.toByteArray()));
    RepairResult arrived = RepairResult.parse(proto);
    assertEquals(sent.toString(), arrived.toString());
    assertEquals(ScrubOutcome.CONTRADICTION, arrived.scrub.outcome);
    assertEquals(4, arrived.scrub.wrongUnit);
    assertEquals(List.of("uuid-4"), arrived.scrub.suspects);
    assertEquals(9 << 20, arrived.scrub.unitBytes);
    // A manager that takes no notice of the finding must not take the job for a repair that is
    // done, and must not doubt a group because of it.
    assertEquals(RepairOutcome.FAILED, arrived.outcome);
    assertFalse(arrived.leavesDoubt());
    assertNull(arrived.cause);
  }

  @Test
  void aFindingOfANewerVersionSaysNothing() {
    ResultProto.Builder newer = RepairResult.ofScrub("scrub-7", 5,
        new ScrubFinding(ScrubOutcome.AGREES, ScrubFinding.NO_UNIT, List.of(), 0), "", 1).toProto()
        .toBuilder();
    newer.getScrubBuilder().setOutcome(99);
    assertEquals(ScrubOutcome.NOT_CHECKED, RepairResult.parse(newer.build()).scrub.outcome);
  }

  @Test
  void aFindingThatContradictsItselfIsRefused() {
    ResultProto.Builder proto = RepairResult.ofScrub("scrub-7", 5,
        new ScrubFinding(ScrubOutcome.AGREES, ScrubFinding.NO_UNIT, List.of(), 0), "", 1).toProto()
        .toBuilder();
    proto.getScrubBuilder().setWrongUnit(3);
    assertTrue(assertThrows(IllegalArgumentException.class,
        () -> RepairResult.parse(proto.build())).getMessage().contains("without a contradiction"));
    proto.getScrubBuilder().setOutcome(2).setWrongUnit(16);
    assertTrue(assertThrows(IllegalArgumentException.class,
        () -> RepairResult.parse(proto.build())).getMessage().contains("wrong_unit 16"));
  }
}
