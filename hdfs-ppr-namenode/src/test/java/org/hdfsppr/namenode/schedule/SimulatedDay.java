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
package org.hdfsppr.namenode.schedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.hdfsppr.core.RepairStrategies;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * A day of a cluster, in which nodes are lost, users come and go, and repairs begin and end. The
 * dispatcher decides all; what happens is the same for each seed. A repair takes as long as was
 * predicted.
 */
final class SimulatedDay {
  static final int HOURS = 24;
  private static final int NODES = 60;
  private static final int RACKS = 10;
  private static final int STOCK = 1;
  private static final int OLD = 1;
  private static final int GROUPS_OF_A_NODE = 64;
  private static final int STARTS_MAX = 50;
  private static final long TICK_MS = 5_000;
  private static final long REPORT_MS = 30_000;
  private static final long HOUR_MS = 3_600_000;
  private static final double CROSS_RACK = 4 * Clusters.LINK;
  private static final GroupPolicy[] POLICIES = {
    new GroupPolicy("rs", 6, 3, Clusters.MIB),
    new GroupPolicy("lrc-l2", 6, 4, Clusters.MIB),
    new GroupPolicy("hitchhiker-xorplus", 10, 4, Clusters.MIB),
    new GroupPolicy("less-a4", 10, 4, Clusters.MIB),
    new GroupPolicy("core-t5", 12, 2, Clusters.MIB)};
  private static final int CORE = 4;
  private static final int CORE_ROWS = 5;

  private final Random random;
  private final List<NodeRef> nodes = new ArrayList<>();
  private final Fleet fleet;
  private final RepairQueue queue = new RepairQueue();
  private final RepairDispatcher dispatcher;
  private final PriorityQueue<Running> running = new PriorityQueue<>();
  private final List<List<String>> hours = new ArrayList<>();
  /** By node, its blocks of groups that were lost in the last hour. */
  private final Map<String, Set<Long>> inMemory = new HashMap<>();
  private long nowMs;
  private int groups;

  /** A repair with the time when it ends. At equal times, the repair that began first is first. */
  private static final class Running implements Comparable<Running> {
    private final long endMs;
    private final int number;
    private final RepairProposal repair;

    Running(long endMs, int number, RepairProposal repair) {
      this.endMs = endMs;
      this.number = number;
      this.repair = repair;
    }

    @Override
    public int compareTo(Running other) {
      return endMs != other.endMs ? Long.compare(endMs, other.endMs)
          : Integer.compare(number, other.number);
    }
  }

  SimulatedDay(String scheduler, String strategy, long seed) {
    random = new Random(seed);
    RepairScheduler chosen = new CoreScheduler(Clusters.scheduler(scheduler), Clusters.options(64),
        RepairStrategies.byName(strategy));
    fleet = new Fleet(chosen.rank(), CROSS_RACK);
    dispatcher = new RepairDispatcher(queue, fleet, chosen,
        new RepairAdmission(RepairAdmission.DEPTH_DEFAULT, 0),
        (group, node) -> (group.id.blockId(0) / 16 + node.uuid.hashCode()) % 11 != 0);
    for (int i = 0; i < NODES; i++) {
      String rack = "/r" + i % RACKS;
      NodeRef node = i < STOCK ? Clusters.stockNode("s" + i, rack)
          : Clusters.node("n" + i, rack);
      nodes.add(node);
      fleet.join(node, i % 7 == 3
          ? new NodeCapacity(Clusters.LINK / 2, Clusters.LINK, 8e6, 4e6)
          : NodeCapacity.ofLink(Clusters.LINK));
    }
  }

  /** Runs the day, and returns what begins and what is refused in each hour, a line each. */
  List<List<String>> run() {
    long nextReportMs = 0;
    int starts = 0;
    while (hours.size() <= HOURS) {
      if (nowMs % HOUR_MS == 0) {
        hours.add(new ArrayList<>());
        if (hours.size() > HOURS) {
          break;
        }
        loseNode(hours.size() - 1);
      }
      if (nowMs >= nextReportMs) {
        report();
        nextReportMs = nowMs + REPORT_MS;
      }
      while (!running.isEmpty() && running.peek().endMs <= nowMs) {
        end(running.poll());
      }
      for (RepairProposal repair : dispatcher.dispatch(nowMs, STARTS_MAX)) {
        say(repair);
        running.add(new Running(nowMs + (long) Math.ceil(repair.seconds * 10) * 100, starts++,
            repair));
      }
      nowMs += TICK_MS;
    }
    return hours.subList(0, HOURS);
  }

  int waiting() {
    return queue.size();
  }

  /** One repair of sixteen fails, and its group waits again. */
  private void end(Running one) {
    fleet.remove(one.repair.load);
    LostGroup group = one.repair.assignment().get().group;
    if (one.number % 16 == 5) {
      queue.put(group, nowMs + 5_000);
      line("failed " + name(group));
    }
  }

  /** A node leaves, and another one comes back that was gone for an hour. */
  private void loseNode(int hour) {
    int gone = STOCK + hour * 7 % (NODES - STOCK);
    if (hour > 0) {
      NodeRef back = nodes.get(STOCK + (hour - 1) * 7 % (NODES - STOCK));
      fleet.join(back, NodeCapacity.ofLink(Clusters.LINK));
      fleet.quarantine(back, false);
    }
    if (hour % 3 == 2) {
      fleet.quarantine(nodes.get(gone), true);
    } else {
      fleet.leave(nodes.get(gone));
    }
    line("lost " + nodes.get(gone).uuid);
    inMemory.clear();
    for (int i = 0; i < GROUPS_OF_A_NODE; i++) {
      LostGroup group = lose(gone, i);
      queue.put(group);
      takeIntoMemory(group);
    }
  }

  private LostGroup lose(int gone, int number) {
    int kind = number % POLICIES.length;
    GroupPolicy policy = POLICIES[kind];
    List<NodeRef> holders = new ArrayList<>(nodes);
    holders.remove(gone);
    Collections.shuffle(holders, random);
    int units = policy.dataUnits + policy.parityUnits;
    int lost = random.nextInt(units);
    holders = new ArrayList<>(holders.subList(0, units));
    holders.set(lost, nodes.get(gone));
    List<Integer> all = new ArrayList<>(List.of(lost));
    // Some groups have lost more: one of eight another unit, one of 64 as many as they may.
    int chance = random.nextInt(64);
    int most = chance == 0 ? policy.parityUnits : chance < 8 ? 2 : 1;
    for (int unit = 0; unit < units && all.size() < most; unit++) {
      if (unit != lost && random.nextInt(3) == 0) {
        all.add(unit);
      }
    }
    Collections.sort(all);
    long bytes = (chance % 4 == 1 ? 16L : 64L) * Clusters.MIB * policy.dataUnits;
    LostGroup group = Clusters.group(++groups, policy, holders, all, nowMs, bytes);
    if (kind == CORE) {
      group = withColumns(group, holders, all);
    }
    if (chance == 9) {
      queue.put(group);
      queue.markReadDegraded(group.id);
    }
    return group;
  }

  private LostGroup withColumns(LostGroup group, List<NodeRef> row, List<Integer> lost) {
    Map<Integer, CoreColumn> columns = new HashMap<>();
    Map<Integer, Set<String>> nodesOf = new HashMap<>();
    for (int unit : lost) {
      List<NodeRef> others = new ArrayList<>(nodes.subList(STOCK, NODES));
      others.removeAll(row);
      Collections.shuffle(others, random);
      List<CoreRows.Row> rows = new ArrayList<>();
      List<UnitHolder> holders = new ArrayList<>();
      for (int i = 0; i < CORE_ROWS; i++) {
        holders.add(new UnitHolder(i, others.get(i)));
        rows.add(new CoreRows.Row(new GroupId("pool", 1_600_000 + 1_600L * groups + 16 * i, 1),
            group.groupBytes, false));
      }
      columns.put(unit, new CoreColumn(group.policy, unit, rows, holders));
      nodesOf.put(unit, new HashSet<>(holders.stream().map(holder -> holder.node.uuid)
          .collect(Collectors.toSet())));
    }
    return group.withCore(
        new CoreWork(CoreWork.State.ALONE, columns, nodesOf, new ArrayList<>()));
  }

  /** All nodes say how busy users keep them, and how far the repairs are that they lead. */
  private void report() {
    for (int i = 0; i < NODES; i++) {
      NodeState node = fleet.find(nodes.get(i));
      NodeReport report = new NodeReport(random.nextInt(4) == 0 ? 10e6 * random.nextDouble() : 0,
          random.nextInt(4) == 0 ? 20e6 * random.nextDouble() : 0,
          random.nextInt(3) == 0 ? random.nextDouble() : 0, 1 + random.nextInt(12),
          random.nextInt(50) != 0, inMemory.getOrDefault(nodes.get(i).uuid, Set.of()));
      if (i % 5 == 1) {
        report = report.withDisks(10e6 + 60e6 * random.nextDouble());
      }
      if (i % 9 == 2) {
        report = report.withLimits(6e6, 3e6);
      }
      boolean isNew = i >= STOCK + OLD;
      if (node != null) {
        fleet.report(nodes.get(i), report.withNarrowLinks(isNew).withColumns(isNew));
      }
    }
    for (Running one : running) {
      if (one.number % 3 == 0) {
        fleet.progress(one.repair.load, 0.5);
      }
    }
  }

  /** One of three of the blocks that are read soon is in its node's memory. */
  private void takeIntoMemory(LostGroup group) {
    for (UnitHolder holder : group.live) {
      long block = group.id.blockId(holder.unit);
      if (block % 3 == 0) {
        inMemory.computeIfAbsent(holder.node.uuid, node -> new HashSet<>()).add(block);
      }
    }
  }

  private void say(RepairProposal repair) {
    Assignment assignment = repair.assignment().get();
    StringBuilder line = new StringBuilder(name(assignment.group));
    line.append(String.format(Locale.ROOT, " takes %.1f", repair.seconds));
    if (repair.secondsMax > repair.seconds) {
      line.append(String.format(Locale.ROOT, "..%.1f", repair.secondsMax));
    }
    line.append(" s");
    for (Assignment step : assignment.parts()) {
      line.append(step.after.isEmpty() ? ":" : " | after "
          + step.after.stream().sorted().collect(Collectors.toList()) + ":");
      line.append(" to ").append(places(step.targets)).append(' ').append(step.topology);
      line.append(step.byDecoding ? " decodes" : "");
      line.append(step.column().isPresent() ? " column " : " ").append(places(step.helpers));
    }
    line(line.toString());
  }

  private void line(String text) {
    hours.get(hours.size() - 1).add(String.format(Locale.ROOT, "%02d:%02d:%02d %s", nowMs / HOUR_MS,
        nowMs / 60_000 % 60, nowMs / 1_000 % 60, text));
  }

  private static String name(LostGroup group) {
    return group.policy.codec + " " + group.id.blockId(0) / 16 + " lost "
        + group.lost.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static String places(List<UnitHolder> holders) {
    return holders.stream().map(holder -> holder.unit + "@" + holder.node.uuid)
        .collect(Collectors.joining(","));
  }
}
