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
package org.hdfsppr.namenode.manage.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.Column;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.track.Repair;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;

/** Makes the command for the destination of a repair. */
@InterfaceAudience.Private
final class Commands {
  private Commands() {
  }

  /**
   * Makes the command of a repair.
   *
   * @param nowMs the time now on the clock of the repair's deadline, ms
   * @param mayRead accepts the nodes from which the scheduler chose. The command names only these
   *     nodes, if they suffice. If it named other nodes, the destination would take a recipe of the
   *     code that needs them
   * @param asTrusted turns a node that must not sum into a node that can only be read
   */
  static RepairCommand of(Repair repair, long nowMs, Predicate<NodeRef> mayRead,
      UnaryOperator<NodeRef> asTrusted) {
    Assignment assignment = repair.assignment;
    if (assignment.column().isPresent()) {
      return ofColumn(repair, assignment.column().get(), nowMs, asTrusted);
    }
    LostGroup group = assignment.group;
    GroupPolicy policy = group.policy;
    // The chosen helpers come first, in their order. After them come the units that can replace
    // them.
    List<Holder> live = new ArrayList<>(assignment.helpers);
    group.live.stream().filter(holder -> !isAmong(assignment.helpers, holder))
        .forEach(live::add);
    // Units that are to be rebuilt are not named, although a node that is being decommissioned may
    // still have one of them.
    live.removeIf(holder -> group.lost.contains(holder.unit)
        && !repair.rebuiltBefore.contains(holder.unit));
    List<Holder> named = new ArrayList<>(live);
    named.removeIf(holder -> !mayRead.test(holder.node));
    if (units(named) > group.unitsToDecode()) {
      live = named;
    }
    live.replaceAll(holder -> new Holder(holder.unit, asTrusted.apply(holder.node)));
    return new RepairCommand(RepairCommand.of(repair.id, repair.term(), group.id, group.groupBytes)
        .setCodec(policy.codec).setDataUnits(policy.dataUnits).setParityUnits(policy.parityUnits)
        .setCellBytes(policy.cellBytes).setTopology(assignment.topology)
        .setByDecoding(assignment.byDecoding).setDoubted(assignment.doubted)
        .setUrgent(group.spareUnits <= 0).setDeadlineMs(leftMs(repair, nowMs)), List.of(), live,
        repair.targets());
  }

  private static long leftMs(Repair repair, long nowMs) {
    return Math.max(1, Math.min(RepairCommand.DEADLINE_MS_MAX, repair.deadlineMs - nowMs));
  }

  /**
   * Makes the command of a repair by a column of CORE. It lists the blocks of the column, and the
   * units of the row: with them the destination checks the result, and if a block of the column
   * cannot be read, it rebuilds the unit from the row.
   */
  private static RepairCommand ofColumn(Repair repair, Column column, long nowMs,
      UnaryOperator<NodeRef> asTrusted) {
    Assignment assignment = repair.assignment;
    LostGroup group = assignment.group;
    GroupPolicy policy = group.policy;
    int units = policy.dataUnits + policy.parityUnits;
    Crossing crossing = new Crossing(policy, column.unit, column.size());
    BlockRef[] blocks = new BlockRef[crossing.units()];
    for (int unit = 0; unit < units; unit++) {
      blocks[crossing.ofRow(unit)] = group.id.block(unit, group.unitBytes(unit));
    }
    for (int block = 0; block < column.size(); block++) {
      blocks[crossing.ofColumn(block)] = column.blocks().get(block);
    }
    List<Holder> live = new ArrayList<>();
    for (Holder helper : assignment.helpers) {
      add(live, helper.unit < units ? crossing.ofRow(helper.unit)
          : crossing.ofColumn(helper.unit - units), asTrusted.apply(helper.node));
    }
    for (Holder holder : column.holders) {
      add(live, crossing.ofColumn(holder.unit), asTrusted.apply(holder.node));
    }
    for (Holder holder : group.live) {
      if (!group.lost.contains(holder.unit)) {
        add(live, crossing.ofRow(holder.unit), asTrusted.apply(holder.node));
      }
    }
    List<CommandTarget> targets = new ArrayList<>();
    repair.targets().forEach(target -> targets.add(new CommandTarget(
        crossing.ofRow(target.unit), target.node, target.storageId, target.storageType)));
    return new RepairCommand(RepairCommand.of(repair.id, repair.term(), group.id, group.groupBytes)
        .setCodec(crossing.codec()).setDataUnits(crossing.dataUnits())
        .setParityUnits(crossing.units() - crossing.dataUnits()).setCellBytes(policy.cellBytes)
        .setTopology(assignment.topology).setDoubted(assignment.doubted)
        .setUrgent(group.spareUnits <= 0).setDeadlineMs(leftMs(repair, nowMs)), List.of(blocks),
        live, targets);
  }

  private static void add(List<Holder> live, int index, NodeRef node) {
    Holder one = new Holder(index, node);
    if (!isAmong(live, one)) {
      live.add(one);
    }
  }

  /** Returns whether the list has the same unit on the same node. The node's address may differ. */
  private static boolean isAmong(List<Holder> holders, Holder one) {
    return holders.stream().anyMatch(holder ->
        holder.unit == one.unit && holder.node.equals(one.node));
  }

  private static long units(List<Holder> holders) {
    return holders.stream().map(holder -> holder.unit).distinct().count();
  }
}
