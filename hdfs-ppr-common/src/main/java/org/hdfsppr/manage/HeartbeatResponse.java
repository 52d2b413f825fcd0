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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.manage.proto.ManagerProtos.CancelCommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.RepairCommandProto;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.WireRules;

/**
 * A repair manager's answer to a DataNode's heartbeat. {@link #parse} checks the message once, and
 * the DataNode then trusts the object. Immutable.
 */
@InterfaceAudience.Private
public final class HeartbeatResponse {
  private static final List<CommandKind> KINDS = kinds();
  /** How many commands of one kind an answer may have. */
  public static final int COMMANDS_MAX = 512;
  /**
   * The longest time for which a manager may hold a call that waits for orders, ms. A message must
   * not name a longer time.
   */
  public static final int ORDER_WAIT_MS_MAX = 60_000;

  /** Whether the manager schedules repairs */
  public final boolean active;
  /**
   * The manager's term. Whenever a manager of the nameservice becomes active, it gets a higher term
   * than all active managers before it
   */
  public final long term;
  /** Block pool of the manager's NameNode */
  public final String blockPoolId;
  /**
   * Ids of repairs whose results the manager has received, so that the DataNode need not repeat
   * them
   */
  public final List<String> acknowledged;
  /** All commands, in the order in which the DataNode has to start them */
  public final List<ManagerCommand> commands;
  /**
   * Whether the DataNode has to send its complete list of resident blocks with the next heartbeat
   */
  public final boolean wantsAllResident;
  /**
   * True if the manager does not use the DataNode's list of resident blocks; an older manager does
   * not say it
   */
  public final boolean ignoresResident;
  /** Whether the DataNode has to send its {@link NodeSelf} with the next heartbeat */
  public final boolean wantsSelf;
  /**
   * Whether the DataNode has to list all watched blocks that have been read in the next heartbeat
   */
  public final boolean wantsAllOldReads;
  /**
   * The part of a link's bandwidth left free by users that repairs may take, percent, see {@link
   * org.hdfsppr.conf.Pressure}; 0 if the answer does not say it
   */
  public final int pressure;
  /**
   * The capacity of a DataNode's link in each direction, bytes/s; 0 if the manager does not know it
   */
  public final long linkBytesPerSecond;
  /**
   * How long the manager holds a call that waits for orders, ms; 0 if it accepts no such calls, as
   * an older manager does not
   */
  public final int orderWaitMs;
  /**
   * A refusal for each command that this version does not understand. The DataNode reports these
   * results to the manager.
   */
  public final List<RepairResult> unreadable;

  private final HeartbeatResponseProto said;

  /**
   * @param said a message from {@link #active} or {@link #inactive}, in which the caller may have
   *     set further fields; {@code acknowledged} must also have results of repairs that the manager
   *     does not know, because the DataNode would otherwise repeat them for ever
   * @param commands the orders; the DataNode starts them in this order
   */
  public HeartbeatResponse(HeartbeatResponseProto.Builder said, List<ManagerCommand> commands) {
    this(said, commands, List.of());
  }

  /**
   * @param said as in {@link #HeartbeatResponse(HeartbeatResponseProto.Builder, List)}
   * @param commands the orders
   */
  public HeartbeatResponse(HeartbeatResponseProto.Builder said, ManagerCommand... commands) {
    this(said, Arrays.asList(commands));
  }

  private HeartbeatResponse(HeartbeatResponseProto.Builder said, List<ManagerCommand> commands,
      List<RepairResult> unreadable) {
    this.said = said.clearRepairs().clearCancels().clearCommands().build();
    this.commands = Collections.unmodifiableList(new ArrayList<>(commands));
    this.unreadable = Collections.unmodifiableList(new ArrayList<>(unreadable));
    active = said.getActive();
    term = said.getTerm();
    blockPoolId = said.getBlockPoolId();
    acknowledged = this.said.getAcknowledgedList();
    wantsAllResident = said.getWantsAllResident();
    ignoresResident = said.getIgnoresResident();
    wantsSelf = said.getWantsSelf();
    wantsAllOldReads = said.getWantsAllOldReads();
    pressure = said.getPressurePercent();
    linkBytesPerSecond = said.getLinkBytesPerS();
    orderWaitMs = said.getOrderWaitMs();
  }

  private static List<CommandKind> kinds() {
    try {
      return CommandKind.all();
    } catch (IOException e) {
      // A daemon calls CommandKind.all() when it starts, and does not start if that fails. It
      // therefore does not come here.
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts the answer of a manager that schedules repairs.
   *
   * @param term the manager's term
   * @param blockPoolId block pool of its NameNode
   * @return a message with only these fields
   */
  public static HeartbeatResponseProto.Builder active(long term, String blockPoolId) {
    return inactive(term, blockPoolId).setActive(true);
  }

  /**
   * Starts the answer of a manager that does not schedule repairs, because its NameNode is a
   * standby or leaves repairs to stock HDFS.
   *
   * @param term the manager's term
   * @param blockPoolId block pool of its NameNode
   * @return a message with only these fields
   */
  public static HeartbeatResponseProto.Builder inactive(long term, String blockPoolId) {
    return HeartbeatResponseProto.newBuilder().setActive(false).setTerm(term)
        .setBlockPoolId(blockPoolId);
  }

  /** @return the repairs among the {@link #commands} */
  public List<RepairCommand> repairs() {
    return commands(RepairCommand.class);
  }

  /** @return the cancellations among the {@link #commands} */
  public List<CancelCommand> cancels() {
    return commands(CancelCommand.class);
  }

  /** @return the checks of groups among the {@link #commands} */
  public List<ScrubCommand> scrubs() {
    return commands(ScrubCommand.class);
  }

  /**
   * @param <C> the class of the commands
   * @param type the class of the commands
   * @return the commands of this class among the {@link #commands}, in their order
   */
  public <C extends ManagerCommand> List<C> commands(Class<C> type) {
    return commands.stream().filter(type::isInstance).map(type::cast)
        .collect(Collectors.toList());
  }

  /**
   * @return whether the answer has {@link #pressure}, which the answer of an older manager lacks
   */
  public boolean saysPressure() {
    return pressure != 0;
  }

  /**
   * Encodes an answer.
   *
   * @throws IllegalArgumentException if a list is longer than a message allows, which is an error
   *     of the manager, or if a command has no form for messages
   */
  HeartbeatResponseProto toProto() {
    FieldRules.atMost("acknowledged", acknowledged.size(), HeartbeatRequest.RESULTS_MAX);
    FieldRules.atMost("repairs", repairs().size(), COMMANDS_MAX);
    FieldRules.atMost("cancels", cancels().size(), COMMANDS_MAX);
    FieldRules.atMost("checks, links, makings and patches",
        commands.size() - repairs().size() - cancels().size(), COMMANDS_MAX);
    HeartbeatResponseProto.Builder builder = said.toBuilder();
    for (ManagerCommand command : commands) {
      if (command instanceof RepairCommand) {
        builder.addRepairs(((RepairCommand) command).toProto());
      } else if (command instanceof CancelCommand) {
        builder.addCancels(((CancelCommand) command).toProto());
      } else if (command instanceof ManagerCommand.OfKind) {
        builder.addCommands(((ManagerCommand.OfKind) command).toProto());
      } else {
        throw new IllegalArgumentException("The command '" + command.kind() + "' has no message");
      }
    }
    // The message omits a field whose value is false or unknown.
    if (!ignoresResident) {
      builder.clearIgnoresResident();
    }
    if (!wantsAllResident) {
      builder.clearWantsAllResident();
    }
    if (!wantsSelf) {
      builder.clearWantsSelf();
    }
    if (!wantsAllOldReads) {
      builder.clearWantsAllOldReads();
    }
    if (!saysPressure()) {
      builder.clearPressurePercent().clearLinkBytesPerS();
    }
    if (orderWaitMs == 0) {
      builder.clearOrderWaitMs();
    }
    return builder.build();
  }

  /**
   * Reads an answer. If this version does not understand a command, it adds a refusal to {@link
   * #unreadable}, and reads the other commands as usual.
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
    FieldRules.atMost("acknowledged", proto.getAcknowledgedCount(), HeartbeatRequest.RESULTS_MAX);
    FieldRules.atMost("repairs", proto.getRepairsCount(), COMMANDS_MAX);
    FieldRules.atMost("cancels", proto.getCancelsCount(), COMMANDS_MAX);
    FieldRules.atMost("commands", proto.getCommandsCount(), COMMANDS_MAX);
    String pool = WireRules.name("block_pool_id", proto.getBlockPoolId());
    FieldRules.term(proto.getTerm());
    for (String id : proto.getAcknowledgedList()) {
      FieldRules.id(id);
    }
    List<ManagerCommand> commands = new ArrayList<>();
    List<RepairResult> unreadable = new ArrayList<>();
    for (RepairCommandProto command : proto.getRepairsList()) {
      read(FieldRules.id(command.getRepairId()), FieldRules.term(command.getTerm()),
          command.getMustUnderstand(), () -> RepairCommand.parse(command, pool), commands,
          unreadable);
    }
    for (CancelCommandProto command : proto.getCancelsList()) {
      commands.add(CancelCommand.parse(command));
    }
    for (CommandProto command : proto.getCommandsList()) {
      String id = FieldRules.id(command.getCommandId());
      long of = FieldRules.term(command.getTerm());
      Optional<CommandKind> kind =
          KINDS.stream().filter(one -> one.kind.equals(command.getKind())).findFirst();
      if (kind.isEmpty()) {
        unreadable.add(RepairResult.notTried(id, of, RepairOutcome.REFUSED,
            FailureCause.UNSUPPORTED, FieldRules.message("This version does not know the command '"
                + command.getKind() + "'")));
      } else {
        read(id, of, command.getMustUnderstand(), () -> kind.get().parse(command, pool), commands,
            unreadable);
      }
    }
    HeartbeatResponseProto.Builder said = proto.toBuilder();
    if (proto.hasPressurePercent()) {
      // A manager of another version may allow other values. They are cut to this version's bounds,
      // so that the orders in the same answer remain valid.
      said.setPressurePercent(
          Math.max(Pressure.LEAST, Math.min(Pressure.URGENT, proto.getPressurePercent())))
          .setLinkBytesPerS(Math.max(0, proto.getLinkBytesPerS()));
    } else {
      said.clearLinkBytesPerS();
    }
    // A manager of another version may hold calls for longer than this version allows.
    said.setOrderWaitMs(
        Math.max(0, Math.min(ORDER_WAIT_MS_MAX, proto.getOrderWaitMs())));
    return new HeartbeatResponse(said, commands, unreadable);
  }

  /** Adds a command to {@code commands}, or a refusal of it to {@code unreadable}. */
  private static void read(String id, long term, long mustUnderstand,
      Supplier<ManagerCommand> reader,
      List<ManagerCommand> commands, List<RepairResult> unreadable) {
    long unknown = mustUnderstand & ~CommandFeatures.KNOWN;
    if (unknown != 0) {
      unreadable.add(RepairResult.notTried(id, term, RepairOutcome.REFUSED,
          FailureCause.UNSUPPORTED, "The command needs features that this version lacks: "
              + Long.toHexString(unknown)));
      return;
    }
    try {
      commands.add(reader.get());
    } catch (IllegalArgumentException e) {
      unreadable.add(RepairResult.notTried(id, term, RepairOutcome.REFUSED, FailureCause.PROTOCOL,
          FieldRules.message("The command contradicts itself: " + e.getMessage())));
    }
  }

  @Override
  public String toString() {
    StringBuilder others = new StringBuilder();
    for (CommandKind kind : KINDS) {
      List<ManagerCommand> those = commands.stream()
          .filter(command -> command.kind().equals(kind.kind)).collect(Collectors.toList());
      others.append(those.isEmpty() ? "" : ", " + kind.plural + " " + those);
    }
    return (active ? "active" : "inactive") + " manager of " + blockPoolId + ", term " + term
        + ", acknowledged " + acknowledged + ", repairs " + repairs() + ", cancels " + cancels()
        + others;
  }
}
