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
import org.hdfsppr.coder.code.CrossedCode;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.namenode.manage.endings.RepairCompletion;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeState;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.track.GrantRecord;
import org.hdfsppr.namenode.track.RelaxedRule;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders the commands of a grant. It orders each command when DataNodes have reported that all
 * commands on which this command depends are done. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class RepairCommandSequencer {
  private static final Logger LOG = LoggerFactory.getLogger(RepairCommandSequencer.class);

  private final ManagerKnowledge known;
  private final PeerLog peerLog = new PeerLog(LOG);
  private final Fleet fleet;
  private final RepairCompletion endings;

  /**
   * @param known the state and the settings that the manager's parts share
   * @param fleet the load of each DataNode
   * @param endings ends repairs
   */
  public RepairCommandSequencer(ManagerKnowledge known, Fleet fleet, RepairCompletion endings) {
    this.known = known;
    this.fleet = fleet;
    this.endings = endings;
  }

  /**
   * Orders the commands that depend on a command that has been reported as done, if they wait for
   * no other command.
   *
   * @param reported the command that has been reported as done
   * @param nowMs the time now, monotonic, ms
   */
  public void follow(TrackedRepair reported, long nowMs) {
    GrantRecord record =
        known.tracker.grant(reported.assignment.group.id).orElse(null);
    if (record == null || record.isSingle()) {
      return;
    }
    if (record.grant.term != known.books.term()) {
      // DataNodes refuse commands of an old term.
      endings.fail(reported, EndReason.TERM_OVER,
          "its term is over, and commands under it have not begun", null, false);
      return;
    }
    orderNext(record, nowMs);
  }

  /** Orders the commands under a grant that wait for no other command any more. */
  void orderNext(GrantRecord record, long nowMs) {
    for (TrackedRepair repair : known.tracker.next(record)) {
      // If a command before this one could not be ordered, the grant has ended with all its
      // commands.
      if (known.tracker.byId(repair.id).isPresent()) {
        order(repair, nowMs);
      }
    }
  }

  private void order(TrackedRepair repair, long nowMs) {
    String destination = repair.destination().uuid;
    try {
      boolean trusts = known.groups.hasConceded(repair.assignment.group.id,
          RelaxedRule.WITH_DISTRUSTED);
      RepairCommand command = RepairCommandMaker.of(repair, nowMs, node -> mayRead(repair, node),
          trusts ? UnaryOperator.identity() : known.agents::asTrusted);
      if (known.agents.order(destination, command)) {
        known.metrics.count(ManagerCounter.REPAIRS_STARTED);
        if (repair.assignment.column().isPresent()) {
          known.metrics.count(ManagerCounter.REPAIRS_BY_COLUMN);
        }
      } else {
        endings.fail(repair, EndReason.NO_ORDERS, "its destination takes no orders", destination,
            false);
      }
    } catch (RuntimeException | LinkageError e) {
      // An error in one command must not keep the other commands from being ordered.
      peerLog.error(e.getClass().getName(), "{} cannot be ordered", repair, e);
      endings.fail(repair, EndReason.ERROR, e.toString(), null, false);
    }
  }

  /**
   * Returns whether the command may name this node to the destination. It may name a node that is
   * not kept out of repairs. Once a repair of the group has failed, or if there is no plan without
   * the nodes that are kept out, it may name every node. If units of the group contradict each
   * other, it also names every node, because the destination needs all units to find the wrong one.
   */
  private boolean mayRead(TrackedRepair repair, NodeRef node) {
    NodeState state = fleet.find(node);
    GroupId group = repair.assignment.group.id;
    return state != null && state.isUsable() || known.retries.hasFailed(group)
        || known.groups.hasConceded(group, RelaxedRule.WITH_FAILING)
        || known.groups.isDoubtOpen(group);
  }

  /** Makes the command for the destination of a repair. */
  static final class RepairCommandMaker {
    private RepairCommandMaker() {
    }

    /**
     * Makes the command of a repair.
     *
     * @param nowMs the time now on the clock of the repair's deadline, ms
     * @param mayRead accepts the nodes from which the scheduler chose. The command names only these
     *     nodes, if they suffice. If it named others, too, the destination might choose another way
     *     to rebuild the unit, which reads from them
     * @param asTrusted turns a node that must not sum into a node that can only be read
     */
    static RepairCommand of(TrackedRepair repair, long nowMs, Predicate<NodeRef> mayRead,
        UnaryOperator<NodeRef> asTrusted) {
      Assignment assignment = repair.assignment;
      if (assignment.column().isPresent()) {
        return ofColumn(repair, assignment.column().get(), nowMs, asTrusted);
      }
      LostGroup group = assignment.group;
      GroupPolicy policy = group.policy;
      // The chosen helpers come first, in their order. After them come the units that can replace
      // them.
      List<UnitHolder> live = new ArrayList<>(assignment.helpers);
      group.live.stream().filter(holder -> !isAmong(assignment.helpers, holder))
          .forEach(live::add);
      // Units that are to be rebuilt are not named, although a node that is being decommissioned
      // may still have one of them.
      live.removeIf(holder -> group.lost.contains(holder.unit)
          && !repair.rebuiltBefore.contains(holder.unit));
      List<UnitHolder> named = new ArrayList<>(live);
      named.removeIf(holder -> !mayRead.test(holder.node));
      if (units(named) > group.unitsToDecode()) {
        live = named;
      }
      live.replaceAll(holder -> new UnitHolder(holder.unit, asTrusted.apply(holder.node)));
      return new RepairCommand(RepairCommand.of(repair.id, repair.term(), group.id,
          group.groupBytes)
          .setCodec(policy.codec).setDataUnits(policy.dataUnits).setParityUnits(policy.parityUnits)
          .setCellBytes(policy.cellBytes).setTopology(assignment.topology)
          .setByDecoding(assignment.byDecoding).setDoubted(assignment.doubted)
          .setUrgent(group.spareUnits <= 0).setDeadlineMs(leftMs(repair, nowMs)), List.of(), live,
          repair.targets());
    }

    private static long leftMs(TrackedRepair repair, long nowMs) {
      return Math.max(1, Math.min(RepairCommand.DEADLINE_MS_MAX, repair.deadlineMs - nowMs));
    }

    /**
     * Makes the command of a repair by a column of CORE. It lists the blocks of the column, and the
     * units of the row: with them the destination checks the result, and if a block of the column
     * cannot be read, it rebuilds the unit from the row.
     */
    private static RepairCommand ofColumn(TrackedRepair repair, CoreColumn column, long nowMs,
        UnaryOperator<NodeRef> asTrusted) {
      Assignment assignment = repair.assignment;
      LostGroup group = assignment.group;
      GroupPolicy policy = group.policy;
      int units = policy.dataUnits + policy.parityUnits;
      ColumnRepairIndices crossing = new ColumnRepairIndices(policy, column.unit, column.size());
      BlockRef[] blocks = new BlockRef[crossing.units()];
      for (int unit = 0; unit < units; unit++) {
        blocks[crossing.ofRow(unit)] = group.id.block(unit, group.unitBytes(unit));
      }
      for (int block = 0; block < column.size(); block++) {
        blocks[crossing.ofColumn(block)] = column.blocks().get(block);
      }
      List<UnitHolder> live = new ArrayList<>();
      for (UnitHolder helper : assignment.helpers) {
        add(live, helper.unit < units ? crossing.ofRow(helper.unit)
            : crossing.ofColumn(helper.unit - units), asTrusted.apply(helper.node));
      }
      for (UnitHolder holder : column.holders) {
        add(live, crossing.ofColumn(holder.unit), asTrusted.apply(holder.node));
      }
      for (UnitHolder holder : group.live) {
        if (!group.lost.contains(holder.unit)) {
          add(live, crossing.ofRow(holder.unit), asTrusted.apply(holder.node));
        }
      }
      List<CommandTarget> targets = new ArrayList<>();
      repair.targets().forEach(target -> targets.add(new CommandTarget(
          crossing.ofRow(target.unit), target.node, target.storageId, target.storageType)));
      return new RepairCommand(RepairCommand.of(repair.id, repair.term(), group.id,
          group.groupBytes)
          .setCodec(crossing.codec()).setDataUnits(crossing.dataUnits())
          .setParityUnits(crossing.units() - crossing.dataUnits()).setCellBytes(policy.cellBytes)
          .setTopology(assignment.topology).setDoubted(assignment.doubted)
          .setUrgent(group.spareUnits <= 0).setDeadlineMs(leftMs(repair, nowMs)), List.of(blocks),
          live, targets);
    }

    private static void add(List<UnitHolder> live, int index, NodeRef node) {
      UnitHolder one = new UnitHolder(index, node);
      if (!isAmong(live, one)) {
        live.add(one);
      }
    }

    /**
     * Returns whether the list has the same unit on the same node. The node's address may differ.
     */
    private static boolean isAmong(List<UnitHolder> holders, UnitHolder one) {
      return holders.stream().anyMatch(holder ->
          holder.unit == one.unit && holder.node.equals(one.node));
    }

    private static long units(List<UnitHolder> holders) {
      return holders.stream().map(holder -> holder.unit).distinct().count();
    }
  }

  /**
   * The indices of a row's units and a column's blocks in the command of a repair by that column.
   * The row and the column together form a code, see {@link CrossedCode}. The NameNode needs only
   * its indices; the destination makes the code itself.
   */
  static final class ColumnRepairIndices {
    private final GroupPolicy policy;
    private final int unit;
    private final int others;

    ColumnRepairIndices(GroupPolicy policy, int unit, int others) {
      this.policy = policy;
      this.unit = unit;
      this.others = others;
    }

    /** Returns the name of the code that the row and the column form. */
    String codec() {
      return CrossedCode.name(policy.codec + "-" + policy.dataUnits + "-"
          + policy.parityUnits, unit, others);
    }

    int dataUnits() {
      return policy.dataUnits + others - 1;
    }

    int units() {
      return policy.dataUnits + policy.parityUnits + others;
    }

    int ofRow(int rowUnit) {
      return CrossedCode.ofRow(policy.dataUnits, others, rowUnit);
    }

    int ofColumn(int block) {
      return CrossedCode.ofColumn(policy.dataUnits, policy.parityUnits, others, block);
    }
  }
}
