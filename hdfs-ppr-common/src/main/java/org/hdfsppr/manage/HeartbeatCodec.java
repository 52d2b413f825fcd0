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
import org.hdfsppr.manage.proto.ManagerProtos.CancelCommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.HolderProto;
import org.hdfsppr.manage.proto.ManagerProtos.LoadProto;
import org.hdfsppr.manage.proto.ManagerProtos.ReadGroupProto;
import org.hdfsppr.manage.proto.ManagerProtos.RepairCommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.ResidentProto;
import org.hdfsppr.manage.proto.ManagerProtos.ResultProto;
import org.hdfsppr.manage.proto.ManagerProtos.RunningProto;
import org.hdfsppr.manage.proto.ManagerProtos.TargetProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.RequestCodec;
import org.hdfsppr.wire.proto.PprProtos.NodeProto;

/**
 * Turns heartbeats and their answers into messages and back. What comes in is checked here, once;
 * the rest of the code trusts the objects. The bounds are those of one message: who has more to say
 * says it with the next one.
 */
@InterfaceAudience.Private
public final class HeartbeatCodec {
  /** Results in a heartbeat, and acknowledgements in an answer. */
  public static final int RESULTS_MAX = 512;
  /** Commands of one kind in an answer. */
  public static final int COMMANDS_MAX = 512;
  /** Repairs that a node may have waiting and running: more than its queue usually takes. */
  public static final int RUNNING_MAX = 4096;
  /** Resident blocks in a heartbeat, added and removed each. */
  public static final int RESIDENT_MAX = 8192;
  /** Groups in a heartbeat of which clients read what is lost. */
  public static final int READ_DEGRADED_MAX = 512;
  /** Nodes that were left out of a repair: each has a unit of the group. */
  public static final int LEFT_OUT_MAX = RequestCodec.UNITS_MAX;
  /** Who holds units of a group: several nodes each, while HDFS has replicas to spare. */
  public static final int HOLDERS_MAX = 64;

  /** Longer messages are cut: enough for what happened and where. */
  private static final int MESSAGE_MAX = 512;
  /** No counter of a sane node is larger. */
  private static final int COUNT_MAX = 1 << 20;
  private static final int CELL_BYTES_MAX = 1 << 30;
  /** Bit of must_understand: the group is doubted, and only what is checked may be rebuilt. */
  private static final long DOUBTED_BIT = 1;
  private static final long KNOWN_BITS = DOUBTED_BIT;

  private HeartbeatCodec() {
  }

  /** The message for {@code request}; what exceeds its bounds is left out. */
  public static HeartbeatRequestProto toProto(HeartbeatRequest request) {
    HeartbeatRequestProto.Builder builder = HeartbeatRequestProto.newBuilder()
        .setProtocolVersion(request.protocolVersion())
        .setSoftwareVersion(request.softwareVersion())
        .setNode(Door.toProto(request.node()))
        .setNewestTerm(request.newestTerm())
        .setLoad(toProto(request.load()));
    for (RunningRepair running : first(request.running(), RUNNING_MAX)) {
      builder.addRunning(RunningProto.newBuilder()
          .setRepairId(running.repairId())
          .setTerm(running.term())
          .setGroupId(running.groupId())
          .setGenerationStamp(running.generationStamp())
          .setDonePercent(running.donePercent()));
    }
    for (RepairResult result : first(request.results(), RESULTS_MAX)) {
      builder.addResults(toProto(result));
    }
    ResidentBlocks resident = request.resident();
    if (resident.isComplete() || !resident.added().isEmpty() || !resident.removed().isEmpty()) {
      builder.setResident(ResidentProto.newBuilder()
          .setComplete(resident.isComplete())
          .addAllAdded(first(resident.added(), RESIDENT_MAX))
          .addAllRemoved(first(resident.removed(), RESIDENT_MAX)));
    }
    for (ReadGroup group : first(request.readDegraded(), READ_DEGRADED_MAX)) {
      builder.addReadDegraded(ReadGroupProto.newBuilder()
          .setGroupId(group.groupId())
          .setGenerationStamp(group.generationStamp()));
    }
    return builder.build();
  }

  private static <T> List<T> first(List<T> list, int most) {
    return list.size() <= most ? list : list.subList(0, most);
  }

  private static LoadProto toProto(NodeLoad load) {
    LoadProto.Builder builder = LoadProto.newBuilder()
        .setRepairsAsDestination(load.asDestination())
        .setRepairsAsHelper(load.asHelper())
        .setFreeSlots(load.freeSlots())
        .setUserReadBytesPerS(load.userReadBytesPerSecond())
        .setUserWrittenBytesPerS(load.userWrittenBytesPerSecond())
        .setXceivers(load.xceivers());
    if (load.cpuPercent() != NodeLoad.UNKNOWN) {
      builder.setCpuPercent(load.cpuPercent());
    }
    if (load.diskReadBytesPerSecond() != NodeLoad.UNKNOWN) {
      builder.setDiskReadBytesPerS(load.diskReadBytesPerSecond());
    }
    if (load.diskWrittenBytesPerSecond() != NodeLoad.UNKNOWN) {
      builder.setDiskWrittenBytesPerS(load.diskWrittenBytesPerSecond());
    }
    if (load.knowsDisks()) {
      builder.setDiskUsersBusyPercent(load.diskUsersBusyPercent())
          .setDiskBytesPerS(load.diskBytesPerSecond());
    }
    if (load.readLimitBytesPerSecond() != NodeLoad.UNLIMITED) {
      builder.setReadLimitBytesPerS(load.readLimitBytesPerSecond());
    }
    if (load.writeLimitBytesPerSecond() != NodeLoad.UNLIMITED) {
      builder.setWriteLimitBytesPerS(load.writeLimitBytesPerSecond());
    }
    return builder.build();
  }

  private static ResultProto toProto(RepairResult result) {
    ResultProto.Builder builder = ResultProto.newBuilder()
        .setRepairId(result.repairId())
        .setTerm(result.term())
        .setOutcome(result.outcome().number())
        .addAllRebuiltUnits(result.rebuiltUnits())
        .setMessage(message(result.message()))
        .setBytes(result.bytes())
        .setElapsedMs(result.elapsedMs());
    if (result.failedNode() != null) {
      builder.setFailedNode(result.failedNode());
    }
    if (result.cause() != null) {
      builder.setCause(result.cause().number());
    }
    builder.addAllLeftOut(first(result.leftOut(), LEFT_OUT_MAX));
    if (result.unitsAgree()) {
      builder.setUnitsAgree(true);
    }
    builder.addAllReadUnits(result.readUnits());
    if (result.isUndecided()) {
      builder.setUndecided(true);
    }
    return builder.build();
  }

  private static String message(String text) {
    String line = PeerText.oneLine(text);
    return line.length() <= MESSAGE_MAX ? line : line.substring(0, MESSAGE_MAX);
  }

  /**
   * Reads a heartbeat.
   *
   * @throws MalformedRequestException naming what is wrong with it
   */
  public static HeartbeatRequest parse(HeartbeatRequestProto proto)
      throws MalformedRequestException {
    try {
      return convert(proto);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The heartbeat contradicts itself: " + e.getMessage(),
          e);
    }
  }

  private static HeartbeatRequest convert(HeartbeatRequestProto proto) {
    atMost("running", proto.getRunningCount(), RUNNING_MAX);
    atMost("results", proto.getResultsCount(), RESULTS_MAX);
    atMost("read_degraded", proto.getReadDegradedCount(), READ_DEGRADED_MAX);
    List<RunningRepair> running = new ArrayList<>();
    for (RunningProto each : proto.getRunningList()) {
      running.add(new RunningRepair(id(each.getRepairId()), term(each.getTerm()),
          each.getGroupId(), each.getGenerationStamp(),
          Door.within("done_percent", each.getDonePercent(), 0, 100)));
    }
    List<RepairResult> results = new ArrayList<>();
    for (ResultProto each : proto.getResultsList()) {
      results.add(convert(each));
    }
    List<ReadGroup> read = new ArrayList<>();
    for (ReadGroupProto each : proto.getReadDegradedList()) {
      read.add(new ReadGroup(group(each.getGroupId()), Door.within("generation_stamp",
          each.getGenerationStamp(), 0, Long.MAX_VALUE)));
    }
    NodeRef node = Door.node(proto.getNode());
    Door.name("uuid", node.uuid());
    return new HeartbeatRequest(
        Door.within("protocol_version", proto.getProtocolVersion(), 1, COUNT_MAX),
        Door.text("software_version", proto.getSoftwareVersion()), node,
        term(proto.getNewestTerm()), convert(proto.getLoad()), running, results,
        proto.hasResident() ? convert(proto.getResident()) : ResidentBlocks.unchanged())
        .withReadDegraded(read);
  }

  private static NodeLoad convert(LoadProto proto) {
    NodeLoad load = new NodeLoad(count("repairs_as_destination", proto.getRepairsAsDestination()),
        count("repairs_as_helper", proto.getRepairsAsHelper()),
        count("free_slots", proto.getFreeSlots()),
        bytes("user_read_bytes_per_s", proto.getUserReadBytesPerS()),
        bytes("user_written_bytes_per_s", proto.getUserWrittenBytesPerS()),
        count("xceivers", proto.getXceivers()),
        proto.hasCpuPercent() ? Door.within("cpu_percent", proto.getCpuPercent(), 0, 100)
            : NodeLoad.UNKNOWN,
        proto.hasDiskReadBytesPerS() ? bytes("disk_read_bytes_per_s", proto.getDiskReadBytesPerS())
            : NodeLoad.UNKNOWN,
        proto.hasDiskWrittenBytesPerS()
            ? bytes("disk_written_bytes_per_s", proto.getDiskWrittenBytesPerS())
            : NodeLoad.UNKNOWN);
    if (proto.hasDiskUsersBusyPercent() && proto.hasDiskBytesPerS()) {
      load = load.withDisks(
          Door.within("disk_users_busy_percent", proto.getDiskUsersBusyPercent(), 0, 100),
          Door.within("disk_bytes_per_s", proto.getDiskBytesPerS(), 1, Long.MAX_VALUE));
    }
    return load.withLimits(
        proto.hasReadLimitBytesPerS()
            ? limit("read_limit_bytes_per_s", proto.getReadLimitBytesPerS()) : NodeLoad.UNLIMITED,
        proto.hasWriteLimitBytesPerS()
            ? limit("write_limit_bytes_per_s", proto.getWriteLimitBytesPerS())
            : NodeLoad.UNLIMITED);
  }

  private static long limit(String name, long value) {
    return Door.within(name, value, 1, Long.MAX_VALUE);
  }

  private static ResidentBlocks convert(ResidentProto proto) {
    atMost("resident blocks added", proto.getAddedCount(), RESIDENT_MAX);
    atMost("resident blocks removed", proto.getRemovedCount(), RESIDENT_MAX);
    if (proto.getComplete() && proto.getRemovedCount() > 0) {
      throw new IllegalArgumentException("a complete list of resident blocks removes "
          + proto.getRemovedCount());
    }
    return proto.getComplete() ? ResidentBlocks.all(proto.getAddedList())
        : ResidentBlocks.changed(proto.getAddedList(), proto.getRemovedList());
  }

  private static RepairResult convert(ResultProto proto) {
    atMost("rebuilt_units", proto.getRebuiltUnitsCount(), RequestCodec.UNITS_MAX);
    for (int unit : proto.getRebuiltUnitsList()) {
      Door.within("rebuilt unit", unit, 0, RequestCodec.UNITS_MAX - 1);
    }
    atMost("left_out", proto.getLeftOutCount(), LEFT_OUT_MAX);
    for (String node : proto.getLeftOutList()) {
      Door.name("left_out", node);
    }
    atMost("read_units", proto.getReadUnitsCount(), RequestCodec.UNITS_MAX);
    for (int unit : proto.getReadUnitsList()) {
      Door.within("read unit", unit, 0, RequestCodec.UNITS_MAX - 1);
    }
    RepairResult result = new RepairResult(id(proto.getRepairId()), term(proto.getTerm()),
        RepairOutcome.ofNumber(proto.getOutcome()), proto.getRebuiltUnitsList(),
        proto.hasFailedNode() ? Door.name("failed_node", proto.getFailedNode()) : null,
        proto.hasCause() ? FailureCause.ofNumber(proto.getCause()) : null,
        Door.text("message", proto.getMessage()), bytes("bytes", proto.getBytes()),
        bytes("elapsed_ms", proto.getElapsedMs()))
        .withLeftOut(proto.getLeftOutList(), proto.getUnitsAgree())
        .withReadUnits(proto.getReadUnitsList());
    return proto.getUndecided() ? result.asUndecided() : result;
  }

  /**
   * The message for {@code response}.
   *
   * @throws IllegalArgumentException if it says more than a message may, which its maker has to
   *     see to
   */
  public static HeartbeatResponseProto toProto(HeartbeatResponse response) {
    atMost("acknowledged", response.acknowledged().size(), RESULTS_MAX);
    atMost("repairs", response.repairs().size(), COMMANDS_MAX);
    atMost("cancels", response.cancels().size(), COMMANDS_MAX);
    HeartbeatResponseProto.Builder builder = HeartbeatResponseProto.newBuilder()
        .setActive(response.isActive())
        .setTerm(response.term())
        .setBlockPoolId(response.blockPoolId())
        .addAllAcknowledged(response.acknowledged());
    for (RepairCommand command : response.repairs()) {
      builder.addRepairs(toProto(command));
    }
    for (CancelCommand command : response.cancels()) {
      builder.addCancels(CancelCommandProto.newBuilder()
          .setRepairId(command.repairId())
          .setTerm(command.term())
          .setReason(message(command.reason())));
    }
    if (response.wantsAllResident()) {
      builder.setWantsAllResident(true);
    }
    return builder.build();
  }

  private static RepairCommandProto toProto(RepairCommand command) {
    GroupSnapshot group = command.group();
    RepairCommandProto.Builder builder = RepairCommandProto.newBuilder()
        .setRepairId(command.repairId())
        .setTerm(command.term())
        .setBlockPoolId(group.id().poolId())
        .setGroupId(group.id().groupId())
        .setGenerationStamp(group.id().generationStamp())
        .setGroupBytes(command.groupBytes())
        .setCodec(command.codec())
        .setDataUnits(group.dataUnits())
        .setParityUnits(group.units() - group.dataUnits())
        .setCellBytes(group.cellBytes())
        .setTopology(command.topology())
        .setByDecoding(command.isByDecoding())
        .setDeadlineMs(command.deadlineMs());
    if (command.isDoubted()) {
      builder.setDoubted(true).setMustUnderstand(DOUBTED_BIT);
    }
    for (Holder holder : group.live()) {
      builder.addLive(HolderProto.newBuilder()
          .setUnit(holder.unit()).setNode(Door.toProto(holder.node())));
    }
    for (CommandTarget target : command.targets()) {
      builder.addTargets(TargetProto.newBuilder()
          .setUnit(target.unit())
          .setNode(Door.toProto(target.node()))
          .setStorageId(target.storageId())
          .setStorageType(target.storageType().name()));
    }
    return builder.build();
  }

  /**
   * Reads an answer. A command that is not understood does not spoil the others: it becomes one of
   * {@link HeartbeatResponse#unreadable}.
   *
   * @throws MalformedRequestException naming what is wrong with the rest
   */
  public static HeartbeatResponse parse(HeartbeatResponseProto proto)
      throws MalformedRequestException {
    try {
      return convert(proto);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer to a heartbeat contradicts itself: "
          + e.getMessage(), e);
    }
  }

  private static HeartbeatResponse convert(HeartbeatResponseProto proto) {
    atMost("acknowledged", proto.getAcknowledgedCount(), RESULTS_MAX);
    atMost("repairs", proto.getRepairsCount(), COMMANDS_MAX);
    atMost("cancels", proto.getCancelsCount(), COMMANDS_MAX);
    String pool = Door.name("block_pool_id", proto.getBlockPoolId());
    long term = term(proto.getTerm());
    HeartbeatResponse.Builder builder = proto.getActive()
        ? HeartbeatResponse.active(term, pool) : HeartbeatResponse.inactive(term, pool);
    for (String id : proto.getAcknowledgedList()) {
      builder.acknowledge(id(id));
    }
    for (RepairCommandProto command : proto.getRepairsList()) {
      String repairId = id(command.getRepairId());
      long commandTerm = term(command.getTerm());
      long unknown = command.getMustUnderstand() & ~KNOWN_BITS;
      if (unknown != 0) {
        builder.unreadable(RepairResult.notTried(repairId, commandTerm, RepairOutcome.REFUSED,
            FailureCause.UNSUPPORTED, "The command needs features that this version lacks: "
                + Long.toHexString(unknown)));
        continue;
      }
      try {
        builder.repair(convert(command, pool));
      } catch (IllegalArgumentException e) {
        builder.unreadable(RepairResult.notTried(repairId, commandTerm, RepairOutcome.REFUSED,
            FailureCause.PROTOCOL, message("The command contradicts itself: " + e.getMessage())));
      }
    }
    for (CancelCommandProto command : proto.getCancelsList()) {
      builder.cancel(new CancelCommand(id(command.getRepairId()), term(command.getTerm()),
          Door.text("reason", command.getReason())));
    }
    if (proto.getWantsAllResident()) {
      builder.wantAllResident();
    }
    return builder.build();
  }

  private static RepairCommand convert(RepairCommandProto proto, String pool) {
    if (!proto.getBlockPoolId().equals(pool)) {
      throw new IllegalArgumentException("block_pool_id is not that of the NameNode, " + pool);
    }
    atMost("live", proto.getLiveCount(), HOLDERS_MAX);
    atMost("targets", proto.getTargetsCount(), RequestCodec.UNITS_MAX - 1);
    int k = Door.within("data_units", proto.getDataUnits(), 1, RequestCodec.UNITS_MAX - 1);
    int m = Door.within("parity_units", proto.getParityUnits(), 1, RequestCodec.UNITS_MAX - k);
    int cellBytes = Door.within("cell_bytes", proto.getCellBytes(), 1024, CELL_BYTES_MAX);
    if (cellBytes % 1024 != 0) {
      throw new IllegalArgumentException("cell_bytes " + cellBytes + " is no multiple of 1024");
    }
    long group = group(proto.getGroupId());
    long groupBytes = Door.within("group_bytes", proto.getGroupBytes(), 1, 1L << 50);
    List<Holder> live = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (HolderProto holder : proto.getLiveList()) {
      NodeRef node = node(holder.getNode());
      int unit = Door.within("unit", holder.getUnit(), 0, k + m - 1);
      if (!seen.add(unit + " " + node.uuid())) {
        throw new IllegalArgumentException("unit " + unit + " is named twice at " + node);
      }
      live.add(new Holder(unit, node));
    }
    List<CommandTarget> targets = new ArrayList<>();
    for (TargetProto target : proto.getTargetsList()) {
      targets.add(convert(target));
    }
    return RepairCommand.of(proto.getRepairId(), proto.getTerm())
        .group(new GroupId(pool, group, proto.getGenerationStamp()), groupBytes)
        .code(Door.name("codec", proto.getCodec()), k, m, cellBytes)
        .live(live)
        .targets(targets)
        .topology(Door.name("topology", proto.getTopology()))
        .byDecoding(proto.getByDecoding())
        // Either is reason enough to check everything.
        .doubted(proto.getDoubted() || (proto.getMustUnderstand() & DOUBTED_BIT) != 0)
        .deadlineMs(proto.getDeadlineMs())
        .build();
  }

  private static CommandTarget convert(TargetProto proto) {
    StorageType type;
    try {
      type = StorageType.valueOf(proto.getStorageType());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("storage_type '"
          + Door.text("storage_type", proto.getStorageType()) + "' is unknown to this Hadoop", e);
    }
    return new CommandTarget(proto.getUnit(), node(proto.getNode()),
        Door.text("storage_id", proto.getStorageId()), type);
  }

  private static NodeRef node(NodeProto proto) {
    NodeRef node = Door.node(proto);
    Door.name("uuid", node.uuid());
    Door.name("ip_addr", node.ipAddr());
    return node;
  }

  private static String id(String repairId) {
    return Door.name("repair_id", repairId);
  }

  private static long group(long group) {
    if (group >= 0 || group % RequestCodec.UNITS_MAX != 0) {
      throw new IllegalArgumentException("group_id " + group + " is not that of a block group");
    }
    return group;
  }

  private static long term(long term) {
    return Door.within("term", term, 0, Long.MAX_VALUE);
  }

  private static int count(String name, int value) {
    return Door.within(name, value, 0, COUNT_MAX);
  }

  private static long bytes(String name, long value) {
    return Door.within(name, value, 0, Long.MAX_VALUE);
  }

  private static void atMost(String name, int count, int most) {
    if (count > most) {
      throw new IllegalArgumentException(count + " " + name + ", at most " + most
          + " are allowed");
    }
  }
}
