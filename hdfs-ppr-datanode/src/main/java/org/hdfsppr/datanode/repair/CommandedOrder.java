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
package org.hdfsppr.datanode.repair;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.hdfsppr.coder.code.CrossedCode;
import org.hdfsppr.coder.code.UnsupportedCodeException;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.BlockLayout;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.TreeTopology;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestFeatures;

/**
 * A repair that a manager ordered. Its plan has the shape and the node order that the manager
 * chose. The stock worker takes no part in it: the manager gets the result of each repair, and
 * decides what follows.
 */
@InterfaceAudience.Private
public class CommandedOrder implements RepairOrder {
  /** The name under which metrics count repairs by a CORE column, for all codes. */
  private static final String COLUMN_LABEL = "core-column";

  private final RepairContext context;
  private final RepairCommand command;
  private final TreeTopology topology;
  private final boolean byDecoding;
  /** The row and the column of CORE that the command names; null if it names none. */
  private final CrossedCode.Parts crossing;
  private final ErasureCodingPolicy policy;
  private final List<RepairTarget> targets;
  private final Consumer<RepairResult> whenEnded;
  private final long startNanos;
  private final AtomicBoolean settled = new AtomicBoolean();

  /**
   * @param context the parts that all repairs of this DataNode share
   * @param command the manager's command
   * @param whenEnded takes the result of the repair; called once
   * @throws IllegalArgumentException if the command names a tree shape that this DataNode does not
   *     know, or a malformed code
   */
  protected CommandedOrder(RepairContext context, RepairCommand command,
      Consumer<RepairResult> whenEnded) {
    this.context = context;
    this.command = command;
    this.whenEnded = whenEnded;
    this.topology = TreeTopologies.byName(command.topology);
    this.byDecoding = command.byDecoding;
    this.crossing = crossing(command.codec);
    GroupSnapshot shape = command.group;
    this.policy = new ErasureCodingPolicy(new ECSchema(command.codec, shape.dataUnits(),
        shape.units() - shape.dataUnits()), shape.cellBytes());
    List<RepairTarget> all = new ArrayList<>();
    for (CommandTarget target : command.targets) {
      all.add(new RepairTarget(target.unit, shape.unitBytes(target.unit), info(target.node),
          target.storageType, target.storageId));
    }
    this.targets = Collections.unmodifiableList(all);
    this.startNanos = context.nanoClock.getAsLong();
  }

  private static CrossedCode.Parts crossing(String codec) {
    try {
      return CrossedCode.isName(codec) ? CrossedCode.parts(codec) : null;
    } catch (UnsupportedCodeException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static DatanodeInfo info(NodeRef node) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID(node.ipAddr, node.hostName, node.uuid, node.xferPort, 0,
            0, 0))
        .setNetworkLocation(node.rack)
        .build();
  }

  @Override
  public GroupId group() {
    return command.groupId();
  }

  @Override
  public long groupBytes() {
    return command.groupBytes;
  }

  @Override
  public BlockLayout layout() {
    return command.group.layout;
  }

  @Override
  public ErasureCodingPolicy policy() {
    return policy;
  }

  @Override
  public List<UnitHolder> live() {
    long needed = command.blocks.isEmpty() ? 0 : RequestFeatures.BLOCKS;
    List<UnitHolder> live = new ArrayList<>();
    for (UnitHolder holder : command.group.live) {
      live.add(new UnitHolder(holder.unit, context.peers.asFarAsKnown(holder.node, needed)));
    }
    return live;
  }

  @Override
  public List<RepairTarget> targets() {
    return targets;
  }

  @Override
  public String topology() {
    return topology.name();
  }

  @Override
  public PlanOptions options(int checkOneIn, long seed) {
    PlanOptions options = new PlanOptions(topology, context.settings.sliceBytes, checkOneIn,
        seed).inGivenOrder();
    return byDecoding ? options.byDecoding() : options;
  }

  @Override
  public boolean isDoubted() {
    return command.doubted;
  }

  @Override
  public boolean isUrgent() {
    // A NameNode of an older version does not set the flag.
    return command.urgent || RepairOrder.super.isUrgent();
  }

  @Override
  public String label() {
    return crossing == null ? RepairOrder.super.label() : COLUMN_LABEL;
  }

  @Override
  public boolean isOfHadoopsCodec() {
    return crossing == null && RepairOrder.super.isOfHadoopsCodec();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Returns false for a repair by a column of a CORE group. The blocks of the column belong to
   * several block groups, only one equation holds for them, and the manager expects no findings
   * about the other groups from this command. If the column contradicts the row, the manager next
   * orders a repair of the unit by its row, which checks the units of the row.
   */
  @Override
  public boolean seeksWrongUnit() {
    return crossing == null;
  }

  @Override
  public boolean hasStockWorker() {
    return false;
  }

  @Override
  public void rebuilt(JobEnding ending) {
    end(RepairOutcome.REBUILT, ending);
  }

  @Override
  public void giveUp(JobEnding ending) {
    end(RepairOutcome.FAILED, ending);
  }

  @Override
  public void failed(JobEnding ending) {
    end(RepairOutcome.FAILED, ending);
  }

  private void end(RepairOutcome outcome, JobEnding ending) {
    if (!settled.compareAndSet(false, true)) {
      throw new IllegalStateException("The " + command + " is settled already");
    }
    count(ending);
    RepairException failure = ending.failure;
    long elapsedMs =
        TimeUnit.NANOSECONDS.toMillis(context.nanoClock.getAsLong() - startNanos);
    RepairResult result = new RepairResult(command.repairId, command.term(), outcome,
        ofGroup(ending.rebuilt), ending.outcome.bytesWritten, elapsedMs)
        .withFailure(failure == null ? null : failure.node.uuid,
            failure == null ? null : failure.failureCause, ending.message)
        .withLeftOut(ending.suspicion.leftOut, ending.suspicion.unitsAgree)
        .withReadUnits(ofGroup(ending.readUnits));
    whenEnded.accept(marked(ending.suspicion.undecided ? result.asUndecided() : result));
  }

  /**
   * Returns the units of the group among these indices, without blocks of a column that belong to
   * other groups.
   */
  private List<Integer> ofGroup(List<Integer> indices) {
    return crossing == null ? indices : indices.stream().map(crossing::rowUnit)
        .filter(unit -> unit >= 0).collect(Collectors.toList());
  }

  /**
   * Counts the bytes that the job has moved, as stock counts its own repairs.
   *
   * @param ending how the job ended
   */
  protected void count(JobEnding ending) {
    ending.outcome.count(context.datanode.getMetrics());
  }

  /**
   * Adds to a result the fields that only its kind of command needs; by default none.
   *
   * @param result the result
   * @return the result that the manager gets
   */
  protected RepairResult marked(RepairResult result) {
    return result;
  }

  @Override
  public boolean isSettled() {
    return settled.get();
  }

  @Override
  public String toString() {
    return command.toString();
  }
}
