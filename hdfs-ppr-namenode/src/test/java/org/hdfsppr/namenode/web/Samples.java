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
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.NodeState;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.namenode.track.DoubtView;
import org.hdfsppr.namenode.track.RepairProgress;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.RepairWork;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/** Makes statuses with something in each field. */
@InterfaceAudience.Private
final class Samples {
  static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);
  static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  static final long NOW_MS = 5_000_000;
  private static final long UNIT_BYTES = 64L << 20;
  private static final double LINK = 25e6;

  private Samples() {
  }

  static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0." + number / 250 + "." + number % 250,
        "host" + number, 9866, 9877, "/r" + number % 10);
  }

  static NodeRef stockNode(int number) {
    return node(number).withRepairPort(NodeRef.NO_REPAIR_PORT);
  }

  /** Returns a group whose unit 0 is lost; unit u is on node first + u. */
  static LostGroup group(int number, int first) {
    List<UnitHolder> live = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    for (int unit = 1; unit < 9; unit++) {
      live.add(new UnitHolder(unit, node(first + unit)));
      occupied.add(node(first + unit));
    }
    return new LostGroup(new GroupId("BP-1", Long.MIN_VALUE + 16L * number, 1001), 6 * UNIT_BYTES,
        RS, live, List.of(0), 2, NOW_MS - 60_000).occupying(occupied);
  }

  static Assignment assignment(LostGroup group, String topology) {
    return new Assignment(group, group.live.subList(0, 7),
        List.of(new UnitHolder(0, node(99))), topology);
  }

  static List<RepairProgress> repairs(int count) {
    RepairTracker tracker = new RepairTracker(() -> NOW_MS - 4_000);
    for (int i = 0; i < count; i++) {
      LostGroup group = group(i, i % 900);
      RepairGrant grant = new RepairGrant(i + 1, 3, group.id,
          List.of(new CommandTarget(0, node(99), "s", StorageType.DISK)));
      tracker.next(tracker.open(assignment(group, "chain"), grant, RepairLoad.none(), 5_000, 0));
    }
    tracker.all().forEach(repair -> {
      tracker.sent(repair.id);
      tracker.running(repair.id, 40);
    });
    return tracker.progress(StatusLists.ENTRIES_MAX);
  }

  static List<NodeStatus> nodes(int count) {
    Fleet fleet = new Fleet(NodeState::seconds);
    List<NodeStatus> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fleet.join(node(i), NodeCapacity.ofLink(LINK));
      boolean takesPart = i % 10 != 9;
      nodes.add(new NodeStatus(node(i),
          takesPart ? new ExtensionStatus(new NodeLoad(1, 5, 3, 0, 0, 0).withMachine(0, 0, 0)
              .withRepairRates(new RepairRates(7_000, 9_000, 0, 0)), NOW_MS - 800, "0.2.0",
              "isal") : null, i == 3 ? "has failed in repairs" : null,
          fleet.find(node(i))));
    }
    return nodes;
  }

  static DoubtView doubt(int number, boolean certain) {
    return new DoubtView(group(number, 0).id, NOW_MS - 9_000, certain,
        RepairScope.of(assignment(group(number, 0), "chain")).live);
  }

  static StatusLists lists(long cycle, int groups, int nodes, int repairs, int total) {
    List<WaitingGroup> waiting = new ArrayList<>();
    for (int i = 0; i < groups; i++) {
      waiting.add(i % 2 == 0
          ? new WaitingGroup(group(i, i % 900), WaitReason.BACKOFF, 2, NOW_MS + 7_000, true, false)
          : new WaitingGroup(group(i, i % 900), WaitReason.QUEUED, 0, Long.MIN_VALUE, false, true));
    }
    return new StatusLists.Builder().made(new Moment(NOW_MS, NOW), cycle)
        .groups(waiting, total, new EnumMap<>(
            Map.of(WaitReason.BACKOFF, groups / 2, WaitReason.QUEUED, total - groups / 2)))
        .repairs(repairs(repairs), repairs)
        .nodes(nodes(nodes), nodes)
        .doubts(List.of(doubt(1, true), doubt(2, false)), 2)
        .build();
  }

  static ManagerStatus.Builder status(long cycle, StatusLists lists) {
    RepairWork work = new RepairWork.Builder().done(10, 10 * UNIT_BYTES)
        .add(UNIT_BYTES, 0.5, true).build();
    return new ManagerStatus.Builder()
        .made(new Moment(NOW_MS, NOW), cycle, "BP-1",
            new ManagerFacts("0.2.0", "balanced", 100, LINK, 1_700_000_000_000L))
        .charge(true, "17 of 18 DataNodes take part", 3, 0)
        .state(ManagerState.AT_RISK, false, new RepairPause(NOW.minusSeconds(60), null))
        .queue(Map.of(0, 2, 1, 118))
        .work(new WorkStatus(work, 4, 120 * UNIT_BYTES, 4.56e7,
            OptionalDouble.of(270.25), OptionalDouble.empty()))
        .past(List.of(new LossStatus(List.of(node(7), node(8)), NOW_MS - 60_000, null, 150, 122,
            150 * UNIT_BYTES, 122 * UNIT_BYTES),
            new LossStatus(List.of(node(9)), NOW_MS - 900_000, NOW_MS - 600_000, 50, 0,
                50 * UNIT_BYTES, 0)),
            new History(NOW_MS - 3_000, new double[] {0, 4.5e7}, new int[] {0, 120},
                new int[] {0, 30}))
        .nodes(Map.of("uuid-3", "has failed in repairs"),
            List.of(new BusyNode(node(5), 12.5)))
        .handedToStock(2)
        .set(StatusNumber.GROUPS_QUEUED, 120).set(StatusNumber.READ_DEGRADED, 1)
        .set(StatusNumber.REPAIRS_IN_FLIGHT, 30).set(StatusNumber.AT_RISK, 3)
        .set(StatusNumber.DOUBTED, 1).set(StatusNumber.SUSPECTED, 1)
        .set(StatusNumber.DATA_NODES, 18).set(StatusNumber.AGENTS, 17)
        .set(StatusNumber.WAITING_FOR_STOCK, 1).set(StatusNumber.WITH_STOCK, 3)
        .lock(new LockTimes(new LockTimes.Holds(10, 2_000_000, 500_000),
            new LockTimes.Holds(20, 3_000_000, 700_000), 0, 40))
        .lists(lists);
  }
}
