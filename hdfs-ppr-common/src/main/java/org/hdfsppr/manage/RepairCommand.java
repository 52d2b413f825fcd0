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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.CrossedCode;
import org.hdfsppr.coder.code.UnsupportedCodeException;
import org.hdfsppr.manage.proto.ManagerProtos.HolderProto;
import org.hdfsppr.manage.proto.ManagerProtos.RepairCommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.TargetProto;
import org.hdfsppr.plan.BlockLayout;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.ListedBlocks;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.WireRules;
import org.hdfsppr.wire.proto.PprProtos.BlockProto;

/**
 * A repair that a manager orders. It names the group, the nodes to read from and to write to, the
 * shape of the tree, and the deadline. Immutable.
 */
@InterfaceAudience.Private
public final class RepairCommand implements ManagerCommand {
  /** The name of this kind of command in messages. */
  public static final String KIND = "repair";
  /**
   * The longest deadline: a day, in milliseconds. If a command is lost on the way, the manager
   * starts no other repair of its group until the deadline.
   */
  public static final long DEADLINE_MS_MAX = 86_400_000;

  /**
   * How many holders a command may list. There can be more holders than units, because a unit can
   * have surplus replicas for some time.
   */
  private static final int HOLDERS_MAX = 64;

  /** Id of the repair, unique within the term */
  public final String repairId;
  private final long term;
  /** Name of the group's codec */
  public final String codec;
  /** Bytes of file data in the group */
  public final long groupBytes;
  /**
   * The group, with the holders of its live units, best holders first, and with the units to
   * rebuild and their targets
   */
  public final GroupSnapshot group;
  /**
   * The blocks over which the code is calculated, in the order of the code; empty if these are the
   * internal blocks of the group
   */
  public final List<BlockRef> blocks;
  /** The units to rebuild and their storages, at least one */
  public final List<CommandTarget> targets;
  /** Name of the tree's shape */
  public final String topology;
  /**
   * True if the repair reads from the first holders that suffice; false if it uses a recipe of the
   * code, which may read less
   */
  public final boolean byDecoding;
  /**
   * Whether units of the group are known to contradict each other. The destination may then rebuild
   * a unit only if it checks every byte of the unit.
   */
  public final boolean doubted;
  /**
   * True if the group cannot afford to lose a further unit, so that the repair does not wait for
   * transfers of users
   */
  public final boolean urgent;
  /** Milliseconds that the repair may take, counted from the arrival of the command */
  public final long deadlineMs;

  private final RepairCommandProto proto;

  /**
   * @param rest a message from {@link #of}, in which the caller has set the code of the group, the
   *     topology, the deadline and any optional fields; the constructor itself sets the lists and
   *     {@code must_understand}
   * @param blocks k data blocks, then m parity blocks, if the code covers other blocks than the
   *     internal blocks of the group; otherwise none
   * @param live the units that can be read, with their holders: first the holders that the
   *     scheduler has chosen, best first, then all others
   * @param targets at least one unit to rebuild with its storage; the node of the first target
   *     becomes the destination
   * @throws IllegalArgumentException if there is no target, if the deadline is out of range, or if
   *     the blocks, the code and the group do not fit together
   */
  public RepairCommand(RepairCommandProto.Builder rest, List<BlockRef> blocks,
      List<UnitHolder> live,
      List<CommandTarget> targets) {
    repairId = rest.getRepairId();
    term = rest.getTerm();
    codec = rest.getCodec();
    groupBytes = rest.getGroupBytes();
    this.targets = Collections.unmodifiableList(new ArrayList<>(targets));
    topology = rest.getTopology();
    byDecoding = rest.getByDecoding();
    doubted = rest.getDoubted();
    urgent = rest.getUrgent();
    deadlineMs = rest.getDeadlineMs();
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("Repair " + repairId + " has no target");
    }
    if (deadlineMs < 1 || deadlineMs > DEADLINE_MS_MAX) {
      throw new IllegalArgumentException("Repair " + repairId + " has " + deadlineMs
          + " ms until its deadline, allowed are 1 to " + DEADLINE_MS_MAX);
    }
    this.blocks = Collections.unmodifiableList(new ArrayList<>(blocks));
    group = new GroupSnapshot(layout(rest, blocks), live, targets.stream()
        .map(target -> new UnitHolder(target.unit, target.node)).collect(Collectors.toList()),
        targets.get(0).node);
    proto = message(rest);
  }

  /**
   * Starts a command.
   *
   * @param repairId id of the repair, unique within the term
   * @param term the manager's term
   * @param group block pool, id and generation stamp
   * @param groupBytes bytes of file data in the group
   * @return a message with only these fields, for the constructor
   */
  public static RepairCommandProto.Builder of(String repairId, long term, GroupId group,
      long groupBytes) {
    return RepairCommandProto.newBuilder()
        .setRepairId(repairId)
        .setTerm(term)
        .setBlockPoolId(group.poolId)
        .setGroupId(group.groupId)
        .setGenerationStamp(group.generationStamp)
        .setGroupBytes(groupBytes);
  }

  private static BlockLayout layout(RepairCommandProto.Builder rest, List<BlockRef> blocks) {
    GroupId group =
        new GroupId(rest.getBlockPoolId(), rest.getGroupId(), rest.getGenerationStamp());
    int k = rest.getDataUnits();
    int m = rest.getParityUnits();
    if (blocks.isEmpty()) {
      return new StripedLayout(group, rest.getGroupBytes(), k, m, rest.getCellBytes());
    }
    if (blocks.size() != k + m) {
      throw new IllegalArgumentException("Repair " + rest.getRepairId() + " names "
          + blocks.size() + " blocks for k=" + k + ", m=" + m);
    }
    return new ListedBlocks(group, blocks, k, rest.getCellBytes());
  }

  /** Adds the lists, and the bits of must_understand. The message omits a flag that is false. */
  private RepairCommandProto message(RepairCommandProto.Builder rest) {
    rest.clearMustUnderstand().clearDoubted().clearUrgent().setByDecoding(byDecoding)
        .clearBlocks().clearLive().clearTargets().addAllLive(FieldRules.holders(group.live));
    targets.forEach(target -> rest.addTargets(target.toProto()));
    long bits = 0;
    if (doubted) {
      bits |= CommandFeatures.DOUBTED;
      rest.setDoubted(true);
    }
    if (urgent) {
      rest.setUrgent(true);
    }
    if (!blocks.isEmpty()) {
      bits |= CommandFeatures.BLOCKS;
      blocks.forEach(block ->
          rest.addBlocks(WireRules.toProtoWithLength(block, group.id().poolId)));
    }
    if (CrossedCode.isName(codec)) {
      bits |= CommandFeatures.CORE;
    }
    if (bits != 0) {
      rest.setMustUnderstand(bits);
    }
    return rest.build();
  }

  @Override
  public String kind() {
    return KIND;
  }

  /** Returns the same id as {@link #repairId}, because the command starts that repair. */
  @Override
  public String id() {
    return repairId;
  }

  @Override
  public long term() {
    return term;
  }

  /** @return the group that has lost a block */
  public GroupId groupId() {
    return group.id();
  }

  /** @return the node that is to lead the repair, which is the node of the first target */
  public NodeRef destination() {
    return group.destination;
  }

  /**
   * Makes a command for only some of the targets.
   *
   * @param kept the targets of the new command, at least one of this command's; the node of the
   *     first one becomes the destination
   * @return the same command with only these targets
   */
  public RepairCommand withTargets(List<CommandTarget> kept) {
    return new RepairCommand(proto.toBuilder(), blocks, group.live, kept);
  }

  public RepairCommandProto toProto() {
    return proto;
  }

  /**
   * Reads a command. The caller has checked that this version knows all bits of must_understand.
   *
   * @param pool the NameNode's block pool
   * @throws IllegalArgumentException naming the field that is wrong
   */
  public static RepairCommand parse(RepairCommandProto proto, String pool) {
    FieldRules.pool(proto.getBlockPoolId(), pool);
    FieldRules.atMost("live", proto.getLiveCount(), HOLDERS_MAX);
    FieldRules.atMost("targets", proto.getTargetsCount(), RequestBounds.UNITS_MAX - 1);
    int units = proto.getBlocksCount() > 0 ? RequestBounds.LISTED_UNITS_MAX
        : RequestBounds.UNITS_MAX;
    int k = WireRules.within("data_units", proto.getDataUnits(), 1, units - 1);
    int m = WireRules.within("parity_units", proto.getParityUnits(), 1, units - k);
    FieldRules.cellBytes(proto.getCellBytes());
    FieldRules.group(proto.getGroupId());
    FieldRules.groupBytes(proto.getGroupBytes());
    List<UnitHolder> live = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (HolderProto each : proto.getLiveList()) {
      UnitHolder holder = FieldRules.holder(each, k + m);
      if (!seen.add(holder.unit + " " + holder.node.uuid)) {
        throw new IllegalArgumentException("unit " + holder.unit + " is named twice at "
            + holder.node);
      }
      live.add(holder);
    }
    List<CommandTarget> targets = new ArrayList<>();
    for (TargetProto target : proto.getTargetsList()) {
      targets.add(CommandTarget.parse(target));
    }
    checkCrossing(proto, targets);
    FieldRules.id(proto.getRepairId());
    FieldRules.term(proto.getTerm());
    WireRules.name("codec", proto.getCodec());
    WireRules.name("topology", proto.getTopology());
    // An older manager sets only the flag "doubted", and a newer manager also sets the bit. Either
    // of them demands that every byte is checked.
    return new RepairCommand(proto.toBuilder().setDoubted(proto.getDoubted()
        || (proto.getMustUnderstand() & CommandFeatures.DOUBTED) != 0), blocks(proto, pool), live,
        targets);
  }

  /**
   * Checks the fields of a repair that uses a row and a column of CORE together. Such a command
   * lists its blocks, and has one target: the unit in which the row and the column cross. A command
   * of any other code must not have the bit CORE.
   */
  private static void checkCrossing(RepairCommandProto proto, List<CommandTarget> targets) {
    boolean crosses = CrossedCode.isName(proto.getCodec());
    boolean saysSo = (proto.getMustUnderstand() & CommandFeatures.CORE) != 0;
    if (crosses != saysSo || crosses && proto.getBlocksCount() == 0) {
      throw new IllegalArgumentException("codec '" + WireRules.text("codec", proto.getCodec())
          + "' with " + proto.getBlocksCount() + " blocks and must_understand "
          + Long.toHexString(proto.getMustUnderstand()));
    }
    if (!crosses) {
      return;
    }
    try {
      CrossedCode.Parts parts = CrossedCode.parts(proto.getCodec());
      if (targets.size() != 1 || parts.rowUnit(targets.get(0).unit) != parts.unit()) {
        throw new IllegalArgumentException("targets are " + targets + ", and the column crosses"
            + " unit " + parts.unit());
      }
    } catch (UnsupportedCodeException e) {
      throw new IllegalArgumentException("codec " + e.getMessage(), e);
    }
  }

  /**
   * Reads the listed blocks, which must belong to the NameNode's block pool. The list is empty if
   * the code covers the internal blocks of the group.
   */
  private static List<BlockRef> blocks(RepairCommandProto proto, String pool) {
    boolean listed = (proto.getMustUnderstand() & CommandFeatures.BLOCKS) != 0;
    if (listed != proto.getBlocksCount() > 0) {
      throw new IllegalArgumentException(proto.getBlocksCount() + " blocks and must_understand "
          + Long.toHexString(proto.getMustUnderstand()));
    }
    FieldRules.atMost("blocks", proto.getBlocksCount(), RequestBounds.LISTED_UNITS_MAX);
    List<BlockRef> blocks = new ArrayList<>();
    for (BlockProto each : proto.getBlocksList()) {
      blocks.add(FieldRules.block(each, pool));
    }
    return blocks;
  }

  @Override
  public String toString() {
    return "repair " + repairId + " of term " + term + ": " + targets + " of " + group.id()
        + " by " + topology + (byDecoding ? ", decoding," : "")
        + (doubted ? ", checking all," : "") + (urgent ? ", urgent," : "")
        + " from " + group.live;
  }
}
