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
package org.hdfsppr.namenode.web;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.RepairRates;
import org.hdfsppr.namenode.manage.status.BusyNode;
import org.hdfsppr.namenode.manage.status.ExtensionStatus;
import org.hdfsppr.namenode.manage.status.History;
import org.hdfsppr.namenode.manage.status.LossStatus;
import org.hdfsppr.namenode.manage.status.ManagerFacts;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.Moment;
import org.hdfsppr.namenode.manage.status.NodeStatus;
import org.hdfsppr.namenode.manage.status.RepairPause;
import org.hdfsppr.namenode.manage.status.StatusLists;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.manage.status.WaitReason;
import org.hdfsppr.namenode.manage.status.WaitingGroup;
import org.hdfsppr.namenode.manage.status.WorkStatus;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.model.UnitReads;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;
import org.hdfsppr.namenode.schedule.Loads;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.NodeState;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.namenode.track.DoubtView;
import org.hdfsppr.namenode.track.RepairProgress;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.RepairWork;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/** Makes the status of a manager in which everything happens at once, for {@link Worlds}. */
@InterfaceAudience.Private
public final class FullStatus {
  private static final Instant NOW = Instant.parse("2026-01-31T12:04:58.250Z");
  private static final long NOW_MS = Samples.NOW_MS;
  private static final long UNIT_BYTES = 64L << 20;
  private static final double LINK = 1.25e8;
  private static final int NODES = 8;

  private FullStatus() {
  }

  private static LostGroup group(int number, String codec, int data, int parity, int spare,
      Integer... lost) {
    List<UnitHolder> live = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    for (int unit = 0; unit < data + parity; unit++) {
      if (!List.of(lost).contains(unit)) {
        live.add(new UnitHolder(unit, Samples.node(unit)));
        occupied.add(Samples.node(unit));
      }
    }
    return new LostGroup(new GroupId("BP-1", Long.MIN_VALUE + 16L * number, 1001),
        data * UNIT_BYTES, new GroupPolicy(codec, data, parity, 1 << 20), live, List.of(lost),
        spare, NOW_MS - 60_000L * number).occupying(occupied);
  }

  private static LostGroup rs(int number) {
    return group(number, "rs", 6, 3, 2, 0);
  }

  private static UnitHolder to(int unit, int node) {
    return new UnitHolder(unit, Samples.node(node));
  }

  /** Plans in each form of a tree. */
  private static List<Assignment> assignments() {
    LostGroup rs = rs(41);
    LostGroup two = group(60, "lrc-l2", 6, 4, 1, 0, 7);
    List<UnitHolder> six = rs.live.subList(0, 6);
    List<UnitHolder> withStock = new ArrayList<>(six.subList(0, 4));
    withStock.add(new UnitHolder(5, Samples.stockNode(5)));
    withStock.add(new UnitHolder(6, Samples.stockNode(6)));
    List<UnitHolder> shared = List.of(to(1, 1), to(2, 1), to(3, 3), to(4, 4), to(5, 5), to(6, 6));
    List<CoreRows.Row> rows = new ArrayList<>();
    List<UnitHolder> column = new ArrayList<>();
    List<UnitHolder> ofColumn = new ArrayList<>();
    for (int row = 0; row < 3; row++) {
      rows.add(new CoreRows.Row(new GroupId("BP-1", Long.MIN_VALUE + 16L * (900 + row), 1001),
          6 * UNIT_BYTES, false));
      column.add(to(row, 20 + row));
      ofColumn.add(to(9 + row, 20 + row));
    }
    return List.of(
        new Assignment(rs(41), rs.live.subList(0, 7), List.of(to(0, 99)), "chain"),
        new Assignment(rs(42), rs.live.subList(0, 8), List.of(to(0, 99)), "ppr", true),
        new Assignment(rs(43), six, List.of(to(0, 99)), "star").onAnyStorage(),
        new Assignment(rs(44), withStock, List.of(to(0, 99)), "rack").doubted(),
        new Assignment(rs(45), shared, List.of(to(0, 99)), "chain"),
        new Assignment(two, two.live, List.of(to(0, 98), to(7, 99)), "chain"),
        new Assignment(rs(46), rs.live.subList(0, 7), List.of(to(0, 99)), "free-sum")
            .reading(new UnitReads(2, new int[] {0, 2, 2, 1, 1, 1, 1, 0})),
        new Assignment(rs(47), ofColumn, List.of(to(0, 99)), "chain", false,
            new CoreColumn(rs.policy, 0, rows, column)));
  }

  private static List<RepairProgress> repairs() {
    RepairTracker tracker = new RepairTracker(() -> NOW_MS - 4_000);
    int number = 0;
    for (Assignment assignment : assignments()) {
      LostGroup group = assignment.group;
      List<CommandTarget> targets = new ArrayList<>();
      assignment.targets.forEach(target -> targets.add(
          new CommandTarget(target.unit, target.node, "s", StorageType.DISK)));
      for (TrackedRepair repair : tracker.next(tracker.open(assignment,
          new RepairGrant(++number, 3, group.id, targets), RepairLoad.none(), 5_000, 0))) {
        // Each state that a command under way can be in.
        if (number > 1) {
          tracker.sent(repair.id);
        }
        if (number > 2) {
          tracker.running(repair.id, 11 * number);
        }
        if (number == 4) {
          tracker.reported(repair.id, true, List.of());
        }
      }
    }
    return tracker.progress(StatusLists.ENTRIES_MAX);
  }

  /** Nodes with the plugin and without, old, silent for long, kept out, busy and idle. */
  public static List<NodeStatus> nodes() {
    Fleet fleet = new Fleet(NodeState::seconds);
    List<NodeStatus> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      NodeRef node = i == 6 ? Samples.stockNode(i) : Samples.node(i);
      fleet.join(node, NodeCapacity.ofLink(LINK));
      if (i > 0) {
        fleet.add(Loads.of(i, Kind.UP, i * UNIT_BYTES));
        fleet.add(Loads.of(i, Kind.DOWN, 2 * i * UNIT_BYTES));
      }
      NodeLoad load = new NodeLoad(i, 2 * i, 3, 4, 5, 6).withMachine(7, 8, 9);
      if (i % 2 == 0) {
        load = load.withRepairRates(
            new RepairRates(7_000_000 + i, 9_000_000 + i, 80_000_000, 90_000_000));
      }
      nodes.add(new NodeStatus(node, i == 6 ? null
          : new ExtensionStatus(load, NOW_MS - 800L * (i + 1), i == 4 ? null : "0.3." + i,
              i == 4 ? null : i == 5 ? "java" : "isal"),
          i == 3 ? "it calculates wrongly" : null, fleet.find(node)));
    }
    return nodes;
  }

  private static List<DoubtView> doubts() {
    Assignment rs = assignments().get(0);
    Assignment two = assignments().get(5);
    return List.of(
        new DoubtView(rs.group.id, NOW_MS - 9_000, true,
            RepairScope.of(rs).live),
        new DoubtView(two.group.id, NOW_MS - 3_600_000, false,
            RepairScope.of(two).live));
  }

  private static StatusLists lists() {
    List<WaitingGroup> waiting = new ArrayList<>();
    Map<WaitReason, Integer> reasons = new EnumMap<>(WaitReason.class);
    for (WaitReason reason : WaitReason.values()) {
      int i = reason.ordinal();
      waiting.add(new WaitingGroup(i % 3 == 0 ? group(i + 1, "rs", 6, 3, 2, 0)
          : i % 3 == 1 ? group(i + 1, "lrc-l2", 6, 4, 1, 1, 8)
              : group(i + 1, "hitchhiker-xorplus", 10, 4, -1, 0, 1, 2, 12, 13),
          reason, i, i % 2 == 0 ? Long.MIN_VALUE : NOW_MS + 7_000L * i, i % 4 == 1, i % 4 == 2));
      reasons.put(reason, 11 + i);
    }
    List<RepairProgress> repairs = repairs();
    return new StatusLists.Builder().made(new Moment(NOW_MS, NOW), 1_230)
        .groups(waiting, 120, reasons).repairs(repairs, repairs.size() + 2)
        .nodes(nodes(), NODES + 1).doubts(doubts(), 3).build();
  }

  /** @return a manager that has something of everything, and may be changed */
  public static ManagerStatus.Builder make() {
    RepairWork work = new RepairWork.Builder().done(1_234, 1_234 * UNIT_BYTES)
        .add(UNIT_BYTES, 0.5, true).build();
    Map<Integer, Integer> bySpareUnits = new TreeMap<>(Map.of(-1, 3, 0, 2, 1, 15, 2, 100));
    return new ManagerStatus.Builder()
        .made(new Moment(NOW_MS, NOW), 1_234, "BP-1",
            new ManagerFacts("0.3.0", "balanced", 100, LINK, 1_700_000_000_000L))
        .charge(true, "17 of 18 DataNodes take part", 3, 60_000)
        .state(ManagerState.DATA_LOST, true,
          new RepairPause(NOW.minusSeconds(60), NOW.plusSeconds(600)))
        .leftToStock(new RepairPause(NOW.minusSeconds(30), NOW.plusSeconds(3_600)))
        .queue(bySpareUnits).unreadCore(4)
        .oldestWait(90_500)
        .work(new WorkStatus(work, 4, 120 * UNIT_BYTES, 4.56e7,
            OptionalDouble.of(270.25), OptionalDouble.of(200.1251)))
        .past(List.of(new LossStatus(List.of(Samples.node(7), Samples.node(8)), NOW_MS - 60_000,
            null, 150, 122, 150 * UNIT_BYTES, 122 * UNIT_BYTES),
            new LossStatus(List.of(Samples.node(9)), NOW_MS - 900_000, NOW_MS - 600_000, 50, 0,
                50 * UNIT_BYTES, 0)),
            new History(NOW_MS - 3_000, new double[] {0, 4.5e7, 1234.5678},
                new int[] {0, 120, 119}, new int[] {0, 30, 31}))
        .nodes(Map.of("uuid-3", "it calculates wrongly"),
            List.of(new BusyNode(Samples.node(5), 12.5), new BusyNode(Samples.node(2), 0.001)))
        .handedToStock(20)
        .set(StatusNumber.GROUPS_QUEUED, 120).set(StatusNumber.UNRECOVERABLE, 3)
        .set(StatusNumber.READ_DEGRADED, 5).set(StatusNumber.RECOVERABLE_THROUGH_CORE, 2)
        .set(StatusNumber.REPAIRS_IN_FLIGHT, 10).set(StatusNumber.AT_RISK, 4)
        .set(StatusNumber.DOUBTED, 1).set(StatusNumber.SUSPECTED, 2)
        .set(StatusNumber.DATA_NODES, NODES + 1).set(StatusNumber.AGENTS, NODES - 1)
        .set(StatusNumber.DATA_NODES_SILENT, 2)
        .set(StatusNumber.WAITING_FOR_STOCK, 1).set(StatusNumber.WITH_STOCK, 3)
        .lock(new LockTimes(new LockTimes.Holds(10, 2_000_000, 500_000),
            new LockTimes.Holds(20, 3_000_000, 700_000), 2, 40))
        .lists(lists());
  }

  private static ManagerStatus.Builder noneWaits(ManagerStatus.Builder status) {
    return status.queue(Map.of()).set(StatusNumber.GROUPS_QUEUED, 0)
        .set(StatusNumber.UNRECOVERABLE, 0).set(StatusNumber.READ_DEGRADED, 0);
  }

  private static ManagerStatus.Builder noneIsAtRisk(ManagerStatus.Builder status) {
    return status.unreadCore(0).work(WorkStatus.NONE).set(StatusNumber.AT_RISK, 0)
        .set(StatusNumber.RECOVERABLE_THROUGH_CORE, 0)
        .set(StatusNumber.WAITING_FOR_STOCK, 0).set(StatusNumber.WITH_STOCK, 0);
  }

  /** @return a manager in this state, with all that its page can show in this state */
  static ManagerStatus inState(ManagerState state) {
    ManagerStatus.Builder status = make().state(state, state == ManagerState.STARTING,
        state == ManagerState.PAUSED ? new RepairPause(NOW.minusSeconds(60), null) : null)
        .leftToStock(null);
    switch (state) {
      case STANDBY:
      case STARTING:
        return noneWaits(status).charge(false, "this NameNode is a standby", 0, 0).build();
      case NOT_IN_CHARGE:
        return status.charge(false, "2 of 18 DataNodes take part, too few", 3, 0)
            .leftToStock(new RepairPause(NOW.minusSeconds(30), NOW.plusSeconds(86_400))).build();
      case OK:
        return noneIsAtRisk(noneWaits(status)).handedToStock(0).set(StatusNumber.DOUBTED, 0)
            .set(StatusNumber.SUSPECTED, 0).set(StatusNumber.REPAIRS_IN_FLIGHT, 0)
            .past(List.of(), History.NONE).oldestWait(0).lists(StatusLists.NONE).build();
      case REPAIRING:
        return noneIsAtRisk(noneWaits(status)).handedToStock(0).queue(Map.of(1, 1))
            .set(StatusNumber.GROUPS_QUEUED, 1).set(StatusNumber.REPAIRS_IN_FLIGHT, 1).build();
      default:
        return status.build();
    }
  }
}
