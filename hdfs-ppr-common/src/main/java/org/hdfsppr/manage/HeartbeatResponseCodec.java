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

import java.util.Map;
import java.util.function.BiFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.manage.proto.ManagerProtos.CancelCommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.RepairCommandProto;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * Converts answers to heartbeats into messages and back. A DataNode checks an answer here, once,
 * and trusts the object afterwards.
 */
@InterfaceAudience.Private
final class HeartbeatResponseCodec {
  /** Reads commands other than repairs and cancellations, by their kind. */
  private static final Map<String, BiFunction<CommandProto, String, Command>> READERS = Map.of(
      ScrubCommand.KIND, ScrubCommand::parse,
      LinkCommand.KIND, LinkCommand::parse,
      MakeCommand.KIND, MakeCommand::parse,
      PatchCommand.KIND, PatchCommand::parse);

  private HeartbeatResponseCodec() {
  }

  /**
   * Encodes an answer.
   *
   * @throws IllegalArgumentException if the response exceeds the message's bounds, which is an
   *     error of the manager, or if it has a command without a codec
   */
  static HeartbeatResponseProto toProto(HeartbeatResponse response) {
    Fields.atMost("acknowledged", response.acknowledged.size(), HeartbeatRequest.RESULTS_MAX);
    Fields.atMost("repairs", response.repairs().size(), HeartbeatResponse.COMMANDS_MAX);
    Fields.atMost("cancels", response.cancels().size(), HeartbeatResponse.COMMANDS_MAX);
    Fields.atMost("checks, links, makings and patches", response.scrubs().size()
        + response.links().size() + response.makes().size() + response.patches().size(),
        HeartbeatResponse.COMMANDS_MAX);
    HeartbeatResponseProto.Builder builder = HeartbeatResponseProto.newBuilder()
        .setActive(response.active)
        .setTerm(response.term)
        .setBlockPoolId(response.blockPoolId)
        .addAllAcknowledged(response.acknowledged);
    for (Command command : response.commands) {
      if (command instanceof RepairCommand) {
        builder.addRepairs(((RepairCommand) command).toProto());
      } else if (command instanceof CancelCommand) {
        builder.addCancels(((CancelCommand) command).toProto());
      } else if (command instanceof ScrubCommand) {
        builder.addCommands(((ScrubCommand) command).toProto());
      } else if (command instanceof LinkCommand) {
        builder.addCommands(((LinkCommand) command).toProto());
      } else if (command instanceof MakeCommand) {
        builder.addCommands(((MakeCommand) command).toProto());
      } else if (command instanceof PatchCommand) {
        builder.addCommands(((PatchCommand) command).toProto());
      } else {
        throw new IllegalArgumentException("The command '" + command.kind() + "' has no codec");
      }
    }
    if (response.ignoresResident) {
      builder.setIgnoresResident(true);
    }
    if (response.wantsAllResident) {
      builder.setWantsAllResident(true);
    }
    if (response.wantsSelf) {
      builder.setWantsSelf(true);
    }
    if (response.wantsAllOldReads) {
      builder.setWantsAllOldReads(true);
    }
    if (response.saysPressure()) {
      builder.setPressurePercent(response.pressure)
          .setLinkBytesPerS(response.linkBytesPerSecond);
    }
    if (response.orderWaitMs > 0) {
      builder.setOrderWaitMs(response.orderWaitMs);
    }
    return builder.build();
  }

  /**
   * Reads an answer. A command that this version does not understand does not affect the other
   * commands: the codec adds a refusal of it to {@link HeartbeatResponse#unreadable}.
   *
   * @throws MalformedRequestException naming the field, if a field outside of the commands is wrong
   */
  static HeartbeatResponse parse(HeartbeatResponseProto proto)
      throws MalformedRequestException {
    try {
      return convert(proto);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer to a heartbeat contradicts itself: "
          + e.getMessage(), e);
    }
  }

  private static HeartbeatResponse convert(HeartbeatResponseProto proto) {
    Fields.atMost("acknowledged", proto.getAcknowledgedCount(), HeartbeatRequest.RESULTS_MAX);
    Fields.atMost("repairs", proto.getRepairsCount(), HeartbeatResponse.COMMANDS_MAX);
    Fields.atMost("cancels", proto.getCancelsCount(), HeartbeatResponse.COMMANDS_MAX);
    Fields.atMost("commands", proto.getCommandsCount(), HeartbeatResponse.COMMANDS_MAX);
    String pool = Door.name("block_pool_id", proto.getBlockPoolId());
    long term = Fields.term(proto.getTerm());
    HeartbeatResponse.Builder builder = proto.getActive()
        ? HeartbeatResponse.active(term, pool) : HeartbeatResponse.inactive(term, pool);
    for (String id : proto.getAcknowledgedList()) {
      builder.acknowledge(Fields.id(id));
    }
    for (RepairCommandProto command : proto.getRepairsList()) {
      addRepair(command, pool, builder);
    }
    for (CancelCommandProto command : proto.getCancelsList()) {
      builder.command(CancelCommand.parse(command));
    }
    for (CommandProto command : proto.getCommandsList()) {
      addOther(command, pool, builder);
    }
    if (proto.getIgnoresResident()) {
      builder.ignoreResident();
    }
    if (proto.getWantsAllResident()) {
      builder.wantAllResident();
    }
    if (proto.getWantsSelf()) {
      builder.wantSelf();
    }
    if (proto.getWantsAllOldReads()) {
      builder.wantAllOldReads();
    }
    if (proto.hasPressurePercent()) {
      builder.press(
          // Another version may allow other values, and its orders count all the same.
          Math.max(Pressure.LEAST, Math.min(Pressure.URGENT, proto.getPressurePercent())),
          Math.max(0, proto.getLinkBytesPerS()));
    }
    // Another version may keep calls for longer.
    builder.orderWait(
        Math.max(0, Math.min(RepairManagerProtocol.WAIT_MS_MAX, proto.getOrderWaitMs())));
    return builder.build();
  }

  /** Adds a command that is neither a repair nor a cancellation. */
  private static void addOther(CommandProto command, String pool,
      HeartbeatResponse.Builder builder) {
    String id = Fields.id(command.getCommandId());
    long term = Fields.term(command.getTerm());
    BiFunction<CommandProto, String, Command> reader = READERS.get(command.getKind());
    if (reader == null) {
      builder.unreadable(RepairResult.notTried(id, term, RepairOutcome.REFUSED,
          FailureCause.UNSUPPORTED, Fields.message("This version does not know the command '"
              + command.getKind() + "'")));
      return;
    }
    long unknown = command.getMustUnderstand() & ~CommandFeatures.KNOWN;
    if (unknown != 0) {
      builder.unreadable(lacks(id, term, unknown));
      return;
    }
    try {
      builder.command(reader.apply(command, pool));
    } catch (IllegalArgumentException e) {
      builder.unreadable(contradictory(id, term, e));
    }
  }

  private static RepairResult lacks(String id, long term, long unknown) {
    return RepairResult.notTried(id, term, RepairOutcome.REFUSED, FailureCause.UNSUPPORTED,
        "The command needs features that this version lacks: " + Long.toHexString(unknown));
  }

  private static RepairResult contradictory(String id, long term, IllegalArgumentException e) {
    return RepairResult.notTried(id, term, RepairOutcome.REFUSED, FailureCause.PROTOCOL,
        Fields.message("The command contradicts itself: " + e.getMessage()));
  }

  private static void addRepair(RepairCommandProto command, String pool,
      HeartbeatResponse.Builder builder) {
    String id = Fields.id(command.getRepairId());
    long term = Fields.term(command.getTerm());
    long unknown = RepairCommand.unknownBits(command);
    if (unknown != 0) {
      builder.unreadable(lacks(id, term, unknown));
      return;
    }
    try {
      builder.command(RepairCommand.parse(command, pool));
    } catch (IllegalArgumentException e) {
      builder.unreadable(contradictory(id, term, e));
    }
  }
}
