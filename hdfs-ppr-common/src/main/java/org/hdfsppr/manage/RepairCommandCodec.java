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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.coder.code.CrossedCode;
import org.hdfsppr.coder.code.UnsupportedCodeException;
import org.hdfsppr.manage.proto.ManagerProtos.HolderProto;
import org.hdfsppr.manage.proto.ManagerProtos.RepairCommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.TargetProto;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.BlockCodec;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.proto.PprProtos.BlockProto;

/** Turns a {@link RepairCommand} into a message and back. */
@InterfaceAudience.Private
final class RepairCommandCodec {
  /**
   * The most holders in a command. There can be more holders than units, because a unit can have
   * surplus replicas for some time.
   */
  private static final int HOLDERS_MAX = 64;

  private RepairCommandCodec() {
  }

  static RepairCommandProto toProto(RepairCommand command) {
    GroupSnapshot group = command.group;
    RepairCommandProto.Builder builder = RepairCommandProto.newBuilder()
        .setRepairId(command.repairId)
        .setTerm(command.term())
        .setBlockPoolId(group.id().poolId)
        .setGroupId(group.id().groupId)
        .setGenerationStamp(group.id().generationStamp)
        .setGroupBytes(command.groupBytes)
        .setCodec(command.codec)
        .setDataUnits(group.dataUnits())
        .setParityUnits(group.units() - group.dataUnits())
        .setCellBytes(group.cellBytes())
        .setTopology(command.topology)
        .setByDecoding(command.byDecoding)
        .setDeadlineMs(command.deadlineMs);
    long bits = 0;
    if (command.doubted) {
      bits |= CommandFeatures.DOUBTED;
      builder.setDoubted(true);
    }
    if (command.urgent) {
      builder.setUrgent(true);
    }
    if (!command.blocks.isEmpty()) {
      bits |= CommandFeatures.BLOCKS;
      for (BlockRef block : command.blocks) {
        builder.addBlocks(BlockCodec.toProtoWithLength(block, group.id().poolId));
      }
    }
    if (CrossedCode.isName(command.codec)) {
      bits |= CommandFeatures.CORE;
    }
    if (bits != 0) {
      builder.setMustUnderstand(bits);
    }
    for (Holder holder : group.live) {
      builder.addLive(HolderProto.newBuilder()
          .setUnit(holder.unit).setNode(Door.toProto(holder.node)));
    }
    for (CommandTarget target : command.targets) {
      builder.addTargets(TargetProto.newBuilder()
          .setUnit(target.unit)
          .setNode(Door.toProto(target.node))
          .setStorageId(target.storageId)
          .setStorageType(target.storageType.name()));
    }
    return builder.build();
  }

  /** Returns the bits of must_understand that this version does not know; 0 if it knows all. */
  static long unknownBits(RepairCommandProto proto) {
    return proto.getMustUnderstand() & ~CommandFeatures.KNOWN;
  }

  /**
   * Reads a command. The caller has checked with {@link #unknownBits} that this version knows all
   * bits of must_understand.
   *
   * @param pool the NameNode's block pool
   * @throws IllegalArgumentException naming the field that is wrong
   */
  static RepairCommand parse(RepairCommandProto proto, String pool) {
    if (!proto.getBlockPoolId().equals(pool)) {
      throw new IllegalArgumentException("block_pool_id is not that of the NameNode, " + pool);
    }
    Fields.atMost("live", proto.getLiveCount(), HOLDERS_MAX);
    Fields.atMost("targets", proto.getTargetsCount(), RequestBounds.UNITS_MAX - 1);
    int units = proto.getBlocksCount() > 0 ? RequestBounds.LISTED_UNITS_MAX
        : RequestBounds.UNITS_MAX;
    int k = Door.within("data_units", proto.getDataUnits(), 1, units - 1);
    int m = Door.within("parity_units", proto.getParityUnits(), 1, units - k);
    int cellBytes = Fields.cellBytes(proto.getCellBytes());
    long group = Fields.group(proto.getGroupId());
    long groupBytes = Fields.groupBytes(proto.getGroupBytes());
    List<Holder> live = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (HolderProto holder : proto.getLiveList()) {
      NodeRef node = Fields.node(holder.getNode());
      int unit = Door.within("unit", holder.getUnit(), 0, k + m - 1);
      if (!seen.add(unit + " " + node.uuid)) {
        throw new IllegalArgumentException("unit " + unit + " is named twice at " + node);
      }
      live.add(new Holder(unit, node));
    }
    List<CommandTarget> targets = new ArrayList<>();
    for (TargetProto target : proto.getTargetsList()) {
      targets.add(parse(target));
    }
    checkCrossing(proto, targets);
    return RepairCommand.of(Fields.id(proto.getRepairId()),
        Fields.term(proto.getTerm()))
        .group(new GroupId(pool, group, proto.getGenerationStamp()), groupBytes)
        .code(Door.name("codec", proto.getCodec()), k, m, cellBytes)
        .blocks(blocks(proto, pool))
        .live(live)
        .targets(targets)
        .topology(Door.name("topology", proto.getTopology()))
        .byDecoding(proto.getByDecoding())
        // An older manager sets only the flag, and a newer manager sets the bit. Either of them
        // demands a full check.
        .doubted(proto.getDoubted() || (proto.getMustUnderstand() & CommandFeatures.DOUBTED) != 0)
        .urgent(proto.getUrgent())
        .deadlineMs(proto.getDeadlineMs())
        .build();
  }

  /**
   * Checks a repair by a column of CORE. Such a command lists its blocks, has a target for the unit
   * that the column crosses, and no other target.
   */
  private static void checkCrossing(RepairCommandProto proto, List<CommandTarget> targets) {
    boolean crosses = CrossedCode.isName(proto.getCodec());
    boolean saysSo = (proto.getMustUnderstand() & CommandFeatures.CORE) != 0;
    if (crosses != saysSo || crosses && proto.getBlocksCount() == 0) {
      throw new IllegalArgumentException("codec '" + Door.text("codec", proto.getCodec())
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
   * the code covers the units of the group.
   */
  private static List<BlockRef> blocks(RepairCommandProto proto, String pool) {
    boolean listed = (proto.getMustUnderstand() & CommandFeatures.BLOCKS) != 0;
    if (listed != proto.getBlocksCount() > 0) {
      throw new IllegalArgumentException(proto.getBlocksCount() + " blocks and must_understand "
          + Long.toHexString(proto.getMustUnderstand()));
    }
    Fields.atMost("blocks", proto.getBlocksCount(), RequestBounds.LISTED_UNITS_MAX);
    List<BlockRef> blocks = new ArrayList<>();
    for (BlockProto each : proto.getBlocksList()) {
      BlockRef block = BlockCodec.convertWithLength(each, pool);
      if (!block.poolId.equals(pool)) {
        throw new IllegalArgumentException("block " + block + " is not of the NameNode's pool, "
            + pool);
      }
      blocks.add(block);
    }
    return blocks;
  }

  private static CommandTarget parse(TargetProto proto) {
    StorageType type;
    try {
      type = StorageType.valueOf(proto.getStorageType());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("storage_type '"
          + Door.text("storage_type", proto.getStorageType()) + "' is unknown to this Hadoop", e);
    }
    return new CommandTarget(proto.getUnit(), Fields.node(proto.getNode()),
        Door.text("storage_id", proto.getStorageId()), type);
  }
}
