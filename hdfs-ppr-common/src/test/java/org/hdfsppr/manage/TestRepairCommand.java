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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.RepairCommandProto;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that a command is refused if it contradicts itself or needs a feature that this version
 * does not have.
 */
@InterfaceAudience.Private
@Timeout(60)
class TestRepairCommand {
  private static final List<UnitHolder> LIVE =
      List.of(new UnitHolder(1, node(1)), new UnitHolder(2, node(2)));
  private static final List<CommandTarget> TARGETS =
      List.of(new CommandTarget(0, node(3), "DS-1", StorageType.DISK));

  /** Returns a response that contains a command. */
  private static HeartbeatResponseProto order() {
    RandomHeartbeats random = new RandomHeartbeats(new Random(1));
    return new HeartbeatResponse(HeartbeatResponse.active(5, "BP-1"), random.repair()).toProto();
  }

  @Test
  void aCommandThatIsNotUnderstoodIsRefusedAndNoOther() throws Exception {
    HeartbeatResponseProto.Builder message = order().toBuilder();
    message.addRepairs(message.getRepairs(0).toBuilder().setRepairId("new")
        .setMustUnderstand(CommandFeatures.KNOWN + 1));
    message.addRepairs(message.getRepairs(0).toBuilder().setRepairId("odd").clearTargets());
    HeartbeatResponse response = HeartbeatResponse.parse(message.build());
    assertEquals(1, response.repairs().size());
    RepairResult unknown = response.unreadable.get(0);
    assertEquals("new", unknown.repairId);
    assertEquals(RepairOutcome.REFUSED, unknown.outcome);
    assertEquals(FailureCause.UNSUPPORTED, unknown.cause);
    RepairResult odd = response.unreadable.get(1);
    assertEquals("odd", odd.repairId);
    assertEquals(FailureCause.PROTOCOL, odd.cause);
    assertTrue(odd.message.contains("no target"), odd.message);
  }

  /** A node that ignored the doubt would rebuild the group unchecked. */
  @Test
  void doubtTravelsAndAnOlderNodeRefuses() throws Exception {
    RepairCommandProto.Builder command = RepairCommand.of("r", 1,
        new GroupId("BP-1", -16, 1001), 1 << 20).setCodec("rs").setDataUnits(2).setParityUnits(1)
        .setCellBytes(1 << 20).setTopology("chain").setDeadlineMs(1);
    for (boolean doubted : new boolean[] {false, true}) {
      HeartbeatResponseProto proto = new HeartbeatResponse(HeartbeatResponse.active(1, "BP-1"),
          new RepairCommand(command.setDoubted(doubted), List.of(), LIVE, TARGETS)).toProto();
      assertEquals(doubted, proto.getRepairs(0).getMustUnderstand() != 0);
      assertEquals(doubted, HeartbeatResponse.parse(proto).repairs().get(0).doubted);
    }
    HeartbeatRequest any = new RandomHeartbeats(new Random(7)).request();
    assertTrue(HeartbeatRequest.PROTOCOL_VERSION >= 2);
    for (int version = 1; version <= HeartbeatRequest.PROTOCOL_VERSION; version++) {
      HeartbeatRequest said = new HeartbeatRequest(version, "0.1", any.node, 1, any.load,
          any.running, any.results).withResident(any.resident);
      assertEquals(version >= 2,
          HeartbeatRequest.parse(said.toProto()).knowsDoubt());
    }
  }

  private static RepairCommandProto.Builder column() {
    return RepairCommand.of("r", 1, new GroupId("BP-1", -160, 1001), 1 << 20).setCodec("xor")
        .setDataUnits(2).setParityUnits(1).setCellBytes(1 << 20).setTopology("chain")
        .setDeadlineMs(1);
  }

  @Test
  void aCommandMayListTheBlocksOfItsCode() throws Exception {
    BlockRef[] blocks = {new BlockRef("BP-1", -158, 1001, 10), new BlockRef("BP-1", -318, 1002, 9),
        new BlockRef("BP-1", 77, 1003, 0)};
    HeartbeatResponseProto proto = new HeartbeatResponse(HeartbeatResponse.active(1, "BP-1"),
        new RepairCommand(column(), List.of(blocks), LIVE, TARGETS)).toProto();
    assertEquals(2, proto.getRepairs(0).getMustUnderstand());
    RepairCommand back = HeartbeatResponse.parse(proto).repairs().get(0);
    assertEquals(Arrays.asList(blocks), back.blocks);
    for (int unit = 0; unit < blocks.length; unit++) {
      assertEquals(blocks[unit], back.group.block(unit));
    }
    HeartbeatResponseProto.Builder message = proto.toBuilder();
    message.getRepairsBuilder(0).clearMustUnderstand();
    assertTrue(odd(message).contains("3 blocks and must_understand 0"), odd(message));
    message = proto.toBuilder();
    message.getRepairsBuilder(0).clearBlocks();
    assertTrue(odd(message).contains("0 blocks and must_understand 2"), odd(message));
    message = proto.toBuilder();
    message.getRepairsBuilder(0).removeBlocks(2);
    assertTrue(odd(message).contains("2 blocks for k=2, m=1"), odd(message));
    message = proto.toBuilder();
    message.getRepairsBuilder(0).getBlocksBuilder(1).setBlockId(-158);
    assertTrue(odd(message).contains("named twice"), odd(message));
    message = proto.toBuilder();
    message.getRepairsBuilder(0).getBlocksBuilder(1).setBlockPoolId("BP-2");
    assertTrue(odd(message).contains("not of the NameNode's pool"), odd(message));
    message = proto.toBuilder();
    message.getRepairsBuilder(0).getBlocksBuilder(1).clearLength();
    assertTrue(odd(message).contains("says no length"), odd(message));
    message = proto.toBuilder();
    message.getRepairsBuilder(0).getBlocksBuilder(0).setLength(0);
    assertTrue(odd(message).contains("it is empty"), odd(message));
  }

  /** Two codes of many parities together have more units than a block group. */
  @Test
  void listedBlocksMayBeMoreThanUnitsOfAGroup() throws Exception {
    BlockRef[] blocks = new BlockRef[28];
    for (int unit = 0; unit < blocks.length; unit++) {
      blocks[unit] = new BlockRef("BP-1", -160 - unit, 1001, 10);
    }
    RepairCommand command = new RepairCommand(
        column().setCodec("rs-10-4>other-10-14").setDataUnits(10).setParityUnits(18),
        List.of(blocks), LIVE,
        List.of(new CommandTarget(27, node(3), "DS-1", StorageType.DISK)));
    HeartbeatResponseProto proto = new HeartbeatResponse(HeartbeatResponse.active(1, "BP-1"),
        command).toProto();
    RepairCommand back = HeartbeatResponse.parse(proto).repairs().get(0);
    assertEquals(Arrays.asList(blocks), back.blocks);
    assertEquals(27, back.targets.get(0).unit);
    assertEquals("rs-10-4>other-10-14", back.codec);
    HeartbeatResponseProto.Builder message = proto.toBuilder();
    message.getRepairsBuilder(0).setParityUnits(19);
    assertTrue(odd(message).contains("parity_units 19"), odd(message));
    message = proto.toBuilder();
    message.getRepairsBuilder(0).clearBlocks().clearMustUnderstand();
    assertTrue(odd(message).contains("parity_units 18"), odd(message));
  }

  /** A row of RS (3,2) that unit 1 leaves, and two other blocks of its column. */
  @Test
  void aRowAndAColumnTravelTogether() throws Exception {
    BlockRef[] blocks = new BlockRef[7];
    for (int unit = 0; unit < blocks.length; unit++) {
      blocks[unit] = new BlockRef("BP-1", -160 - 16 * unit, 1001, 10);
    }
    RepairCommand command = new RepairCommand(
        column().setCodec("rs-3-2*1x2").setDataUnits(4).setParityUnits(3), List.of(blocks),
        List.of(new UnitHolder(3, node(1)), new UnitHolder(6, node(2))),
        List.of(new CommandTarget(1, node(3), "DS-1", StorageType.DISK)));
    HeartbeatResponseProto proto = new HeartbeatResponse(HeartbeatResponse.active(1, "BP-1"),
        command).toProto();
    assertEquals(CommandFeatures.BLOCKS | CommandFeatures.CORE,
        proto.getRepairs(0).getMustUnderstand());
    RepairCommand back = HeartbeatResponse.parse(proto).repairs().get(0);
    assertEquals("rs-3-2*1x2", back.codec);
    assertEquals(Arrays.asList(blocks), back.blocks);
    HeartbeatResponseProto.Builder message = proto.toBuilder();
    message.getRepairsBuilder(0).setMustUnderstand(CommandFeatures.BLOCKS);
    assertTrue(odd(message).contains("must_understand 2"), odd(message));
    message = proto.toBuilder();
    message.getRepairsBuilder(0).setCodec("rs");
    assertTrue(odd(message).contains("must_understand 12"), odd(message));
    message = proto.toBuilder();
    message.getRepairsBuilder(0).setCodec("rs-3-2*");
    assertTrue(odd(message).contains("rs-3-2*"), odd(message));
    message = proto.toBuilder();
    message.getRepairsBuilder(0).setCodec("rs-3-2*4x2");
    assertTrue(odd(message).contains("crosses unit 4"), odd(message));
    message = proto.toBuilder();
    message.getRepairsBuilder(0).clearBlocks();
    assertTrue(odd(message).contains("0 blocks"), odd(message));
  }

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "h" + number, 9866, 9877, "/r");
  }

  private static String odd(HeartbeatResponseProto.Builder message) throws Exception {
    HeartbeatResponse response = HeartbeatResponse.parse(message.build());
    assertEquals(Collections.emptyList(), response.repairs());
    return response.unreadable.get(0).message;
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
}
