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
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.HolderProto;
import org.hdfsppr.manage.proto.ManagerProtos.ScrubProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.WireRules;

/**
 * Orders a DataNode to check whether the units of a block group agree. The node builds a chain of
 * all holders, and receives the sums at its end. Each link of the chain carries as many bytes as
 * one unit has. The check writes nothing. It is less important than all other work of the nodes.
 * Immutable.
 */
@InterfaceAudience.Private
public final class ScrubCommand implements ManagerCommand.OfKind {
  /** The name of this kind of command in messages. */
  public static final String KIND = "scrub";
  /**
   * How many checks a DataNode accepts at a time, including the check that runs. The check of a
   * small group takes milliseconds, but orders and results wait for heartbeats. With a queue, the
   * node need not wait for a heartbeat after each check.
   */
  public static final int AT_A_TIME = 16;
  /** The lowest rate that a command may allow, bytes per second. */
  public static final long BYTES_PER_SECOND_MIN = RequestBounds.BYTES_PER_SECOND_MIN;
  /** The highest rate that a command may allow, bytes per second. */
  public static final long BYTES_PER_SECOND_MAX = RequestBounds.BYTES_PER_SECOND_MAX;

  private final String commandId;
  private final long term;
  /** Name of the group's codec */
  public final String codec;
  /** Bytes of file data in the group */
  public final long groupBytes;
  /** The internal blocks of the group */
  public final StripedLayout layout;
  /**
   * One holder for each unit that can be read, in the order of the chain; the first holder sends
   * the sums to the node that receives the command
   */
  public final List<UnitHolder> holders;
  /** The most bytes of a unit that any node may read in a second */
  public final long bytesPerSecond;
  /** Milliseconds that the check may take, counted from the arrival of the command */
  public final long deadlineMs;

  private final ScrubProto proto;

  /**
   * @param commandId id of the check; no other command of the term has it, not even a repair
   * @param term the manager's term
   * @param rest a message from {@link #of}, in which the caller has set the code of the group and
   *     two more fields: {@code bytes_per_s}, the most bytes of a unit that any node may read in a
   *     second, {@link #BYTES_PER_SECOND_MIN} to {@link #BYTES_PER_SECOND_MAX}, and {@code
   *     deadline_ms}, the time for the check in milliseconds from the arrival of the command, 1 to
   *     {@link RepairCommand#DEADLINE_MS_MAX}. The deadline must leave time to read wrong slices a
   *     second time, which are up to 16 slices of each unit
   * @param holders one holder for each unit that can be read, at least two, in the order of the
   *     chain; the first holder should be the node that receives the command
   * @throws IllegalArgumentException if a number is out of range, if a unit has no bytes or is
   *     named twice, or if there are fewer than two units
   */
  public ScrubCommand(String commandId, long term, ScrubProto.Builder rest,
      List<UnitHolder> holders) {
    this.commandId = Objects.requireNonNull(commandId, "commandId");
    this.term = term;
    codec = rest.getCodec();
    groupBytes = rest.getGroupBytes();
    layout = new StripedLayout(
        new GroupId(rest.getBlockPoolId(), rest.getGroupId(), rest.getGenerationStamp()),
        groupBytes, rest.getDataUnits(), rest.getParityUnits(), rest.getCellBytes());
    this.holders = Collections.unmodifiableList(new ArrayList<>(holders));
    bytesPerSecond = within("bytes per second", rest.getBytesPerS(), BYTES_PER_SECOND_MIN,
        BYTES_PER_SECOND_MAX);
    deadlineMs = within("ms until its deadline", rest.getDeadlineMs(), 1,
        RepairCommand.DEADLINE_MS_MAX);
    checkHolders();
    proto = rest.clearHolders().addAllHolders(FieldRules.holders(holders)).build();
  }

  /**
   * Starts a command.
   *
   * @param group block pool, id and generation stamp
   * @param groupBytes bytes of file data in the group
   * @return a message with only these fields, for the constructor
   */
  public static ScrubProto.Builder of(GroupId group, long groupBytes) {
    return ScrubProto.newBuilder()
        .setBlockPoolId(group.poolId)
        .setGroupId(group.groupId)
        .setGenerationStamp(group.generationStamp)
        .setGroupBytes(groupBytes);
  }

  private long within(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException("Check " + commandId + " has " + value + " " + what
          + ", allowed are " + least + " to " + most);
    }
    return value;
  }

  private void checkHolders() {
    int seen = 0;
    for (UnitHolder holder : holders) {
      int unit = holder.unit;
      if (unit < 0 || unit >= units() || layout.length(unit) == 0 || (seen & 1 << unit) != 0) {
        throw new IllegalArgumentException("Check " + commandId + " names unit " + unit
            + ", which is not there or named twice: " + holders);
      }
      seen |= 1 << unit;
    }
    if (holders.size() < 2) {
      throw new IllegalArgumentException("Check " + commandId + " names " + holders.size()
          + " units, which nothing can contradict");
    }
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public String id() {
    return commandId;
  }

  @Override
  public long term() {
    return term;
  }

  /** @return the group to check */
  public GroupId groupId() {
    return layout.id();
  }

  /** @return the number of all units, k + m */
  public int units() {
    return layout.dataUnits() + layout.parityUnits();
  }

  /** @return length of all units that the check reads, together, bytes */
  public long unitBytes() {
    return holders.stream().mapToLong(holder -> layout.length(holder.unit)).sum();
  }

  @Override
  public CommandProto toProto() {
    return FieldRules.command(this, proto).build();
  }

  /**
   * Reads a command. The caller has checked its kind, and that this version knows all bits of
   * must_understand.
   *
   * @param pool the NameNode's block pool
   * @throws IllegalArgumentException naming the field that is wrong
   */
  static ScrubCommand parse(CommandProto command, String pool) {
    ScrubProto proto = FieldRules.body(command, ScrubProto.parser());
    FieldRules.pool(proto.getBlockPoolId(), pool);
    FieldRules.atMost("holders", proto.getHoldersCount(), RequestBounds.UNITS_MAX);
    int k = WireRules.within("data_units", proto.getDataUnits(), 1, RequestBounds.UNITS_MAX - 1);
    int m = WireRules.within("parity_units", proto.getParityUnits(), 1, RequestBounds.UNITS_MAX
        - k);
    FieldRules.group(proto.getGroupId());
    List<UnitHolder> holders = new ArrayList<>();
    for (HolderProto holder : proto.getHoldersList()) {
      holders.add(FieldRules.holder(holder, k + m));
    }
    FieldRules.groupBytes(proto.getGroupBytes());
    WireRules.name("codec", proto.getCodec());
    FieldRules.cellBytes(proto.getCellBytes());
    return new ScrubCommand(FieldRules.id(command.getCommandId()),
        FieldRules.term(command.getTerm()),
        proto.toBuilder(), holders);
  }

  @Override
  public String toString() {
    return "check " + commandId + " of term " + term + ": " + groupId() + " of " + groupBytes
        + " bytes, " + codec + "-" + layout.dataUnits() + "-" + layout.parityUnits() + ", at "
        + bytesPerSecond + " bytes/s within " + deadlineMs + " ms, over " + holders;
  }
}
