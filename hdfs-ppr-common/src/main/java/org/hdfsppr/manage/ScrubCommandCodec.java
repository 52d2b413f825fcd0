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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.HolderProto;
import org.hdfsppr.manage.proto.ManagerProtos.ScrubProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.RequestBounds;

/** Turns a {@link ScrubCommand} into a message and back. */
@InterfaceAudience.Private
final class ScrubCommandCodec {
  private ScrubCommandCodec() {
  }

  static CommandProto toProto(ScrubCommand command) {
    ScrubProto.Builder body = ScrubProto.newBuilder()
        .setBlockPoolId(command.groupId().poolId)
        .setGroupId(command.groupId().groupId)
        .setGenerationStamp(command.groupId().generationStamp)
        .setGroupBytes(command.groupBytes)
        .setCodec(command.codec)
        .setDataUnits(command.layout.dataUnits())
        .setParityUnits(command.layout.parityUnits())
        .setCellBytes(command.layout.cellBytes())
        .setBytesPerS(command.bytesPerSecond)
        .setDeadlineMs(command.deadlineMs);
    for (Holder holder : command.holders) {
      body.addHolders(HolderProto.newBuilder()
          .setUnit(holder.unit).setNode(Door.toProto(holder.node)));
    }
    return CommandProto.newBuilder()
        .setKind(ScrubCommand.KIND)
        .setCommandId(command.id())
        .setTerm(command.term())
        .setBody(body.build().toByteString())
        .build();
  }

  /**
   * Reads a command. The caller has checked its kind, and that this version knows all bits of
   * must_understand.
   *
   * @param pool the NameNode's block pool
   * @throws IllegalArgumentException naming the field that is wrong
   */
  static ScrubCommand parse(CommandProto command, String pool) {
    ScrubProto proto;
    try {
      proto = ScrubProto.parseFrom(command.getBody());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("body is no " + ScrubCommand.KIND + " message: "
          + e.getMessage(), e);
    }
    if (!proto.getBlockPoolId().equals(pool)) {
      throw new IllegalArgumentException("block_pool_id is not that of the NameNode, " + pool);
    }
    Fields.atMost("holders", proto.getHoldersCount(), RequestBounds.UNITS_MAX);
    int k = Door.within("data_units", proto.getDataUnits(), 1, RequestBounds.UNITS_MAX - 1);
    int m = Door.within("parity_units", proto.getParityUnits(), 1, RequestBounds.UNITS_MAX - k);
    long group = Fields.group(proto.getGroupId());
    List<Holder> holders = new ArrayList<>();
    for (HolderProto holder : proto.getHoldersList()) {
      holders.add(new Holder(Door.within("unit", holder.getUnit(), 0, k + m - 1),
          Fields.node(holder.getNode())));
    }
    return ScrubCommand.of(Fields.id(command.getCommandId()), Fields.term(command.getTerm()))
        .group(new GroupId(pool, group, proto.getGenerationStamp()),
            Fields.groupBytes(proto.getGroupBytes()))
        .code(Door.name("codec", proto.getCodec()), k, m, Fields.cellBytes(proto.getCellBytes()))
        .holders(holders)
        .bytesPerSecond(proto.getBytesPerS())
        .deadlineMs(proto.getDeadlineMs())
        .build();
  }
}
