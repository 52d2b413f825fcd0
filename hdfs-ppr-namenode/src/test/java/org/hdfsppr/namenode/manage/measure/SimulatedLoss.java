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
package org.hdfsppr.namenode.manage.measure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.namenode.track.GrantRecord;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.RepairWork;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * The repairs after a node's loss, in simulated time: repairs wait for a heartbeat, share the links
 * of nodes as TCP shares them, report whole per cents once a second, and are done when a block
 * report comes. Each is a chain of six helpers and a destination. The tracker and the meter are the
 * real ones; the bound is calculated as {@link LoadMeasure} does.
 */
final class SimulatedLoss {
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);
  private static final int STEP_MS = 50;
  private static final int CYCLE_MS = 250;
  private static final int HEARTBEAT_MS = 1_000;
  private static final int HELPERS = 6;

  /** What the meter said at one time. */
  static final class Said {
    final long ms;
    final OptionalDouble eta;
    final double rate;
    /** Whether no group waits any more. */
    final boolean last;

    Said(long ms, OptionalDouble eta, double rate, boolean last) {
      this.ms = ms;
      this.eta = eta;
      this.rate = rate;
      this.last = last;
    }
  }

  private static final class Running {
    private final GrantRecord record;
    private final TrackedRepair repair;
    private final long fromMs;
    private final long phaseMs;
    /** The links that carry a unit: of node n, 2 n upwards and 2 n + 1 downwards. */
    private final int[] links;
    private double bytes;
    private double rate;
    private long doneMs = Long.MAX_VALUE;

    Running(GrantRecord record, TrackedRepair repair, long fromMs, long phaseMs, int... links) {
      this.links = links;
      this.record = record;
      this.repair = repair;
      this.fromMs = fromMs;
      this.phaseMs = phaseMs;
    }
  }

  private final Random random;
  private final long unitBytes;
  private final int nodes;
  private final int slots;
  private final double setRate;
  private final LongToDoubleFunction linkRate;
  private final Deque<LostGroup> waiting = new ArrayDeque<>();
  private final List<Running> running = new ArrayList<>();
  private final List<Said> said = new ArrayList<>();
  private final WorkMeter meter = new WorkMeter();
  private final RepairTracker tracker = new RepairTracker(() -> this.now);
  private long pauseFromMs = Long.MAX_VALUE;
  private long pauseToMs = Long.MAX_VALUE;
  private long laterMs = Long.MAX_VALUE;
  private int laterGroups;
  private double slowNode = 1;
  private long activeBefore = -1;
  private double secondsPerByte;
  private long now;
  private long grants;
  private int begun;

  /**
   * @param nodes how many nodes there are
   * @param slots how many repairs run at a time
   * @param setRate the rate of a link as the settings have it, bytes/s
   * @param linkRate the true rate of a link, bytes/s, by time in ms
   */
  SimulatedLoss(long seed, int groups, long unitBytes, int nodes, int slots, double setRate,
      LongToDoubleFunction linkRate) {
    this.random = new Random(seed);
    this.unitBytes = unitBytes;
    this.nodes = nodes;
    this.slots = slots;
    this.setRate = setRate;
    this.linkRate = linkRate;
    lose(groups);
  }

  private void lose(int groups) {
    for (int i = 0; i < groups; i++) {
      waiting.add(group(begun++));
    }
  }

  /** Loses another node at this time. */
  SimulatedLoss withAnother(long atMs, int groups) {
    laterMs = atMs;
    laterGroups = groups;
    return this;
  }

  /** Gives node 0 only this share of a link's rate. */
  SimulatedLoss withSlowNode(double share) {
    slowNode = share;
    return this;
  }

  SimulatedLoss withPause(long fromMs, long toMs) {
    pauseFromMs = fromMs;
    pauseToMs = toMs;
    return this;
  }

  private LostGroup group(int number) {
    List<UnitHolder> live = new ArrayList<>();
    for (int unit = 1; unit < 9; unit++) {
      live.add(new UnitHolder(unit, node(unit)));
    }
    return new LostGroup(new GroupId("BP", -16L * number - 16, 1), 6 * unitBytes, RS, live,
        List.of(0), 2, 0).occupying(List.of());
  }

  private static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h" + number, 9866, 9877, "/r");
  }

  private boolean isPaused() {
    return now >= pauseFromMs && now < pauseToMs;
  }

  private void begin() {
    LostGroup group = waiting.remove();
    Assignment assignment = new Assignment(group, group.live.subList(0, 6),
        List.of(new UnitHolder(0, node(10))), "chain");
    RepairGrant grant = new RepairGrant(++grants, 1, group.id,
        List.of(new CommandTarget(0, node(10), "s", StorageType.DISK)));
    GrantRecord record = tracker.open(assignment, grant, RepairLoad.none(), 1_000, 0);
    TrackedRepair repair = tracker.next(record).get(0);
    long fetchMs = random.nextInt(HEARTBEAT_MS);
    int[] links = new int[2 * HELPERS];
    List<Integer> chain = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      chain.add(i);
    }
    Collections.shuffle(chain, random);
    int[] load = new int[nodes];
    running.forEach(one -> Arrays.stream(one.links).forEach(link -> load[link / 2]++));
    chain.sort(Comparator.comparingInt(node -> load[node]));
    Collections.shuffle(chain.subList(0, HELPERS + 1), random);
    for (int i = 0; i < HELPERS; i++) {
      links[2 * i] = 2 * chain.get(i);
      links[2 * i + 1] = 2 * chain.get(i + 1) + 1;
    }
    running.add(new Running(record, repair, now + fetchMs + 300, (now + fetchMs) % HEARTBEAT_MS,
        links));
  }

  /** Shares the links: all rates rise together, and a repair's stops where a link is full. */
  private void share(List<Running> active) {
    double[] free = new double[2 * nodes];
    Arrays.fill(free, 1);
    free[0] = slowNode;
    free[1] = slowNode;
    List<Running> rising = new ArrayList<>(active);
    active.forEach(one -> one.rate = 0);
    while (!rising.isEmpty()) {
      int[] users = new int[2 * nodes];
      rising.forEach(one -> Arrays.stream(one.links).forEach(link -> users[link]++));
      double step = Double.MAX_VALUE;
      for (int link = 0; link < free.length; link++) {
        step = users[link] == 0 ? step : Math.min(step, free[link] / users[link]);
      }
      for (int link = 0; link < free.length; link++) {
        free[link] -= step * users[link];
      }
      double more = step;
      rising.forEach(one -> one.rate += more);
      rising.removeIf(one -> Arrays.stream(one.links).anyMatch(link -> free[link] < 1e-9));
    }
  }

  private void advance() {
    List<Running> active = running.stream()
        .filter(one -> one.fromMs <= now && one.bytes < unitBytes).collect(Collectors.toList());
    long which = active.stream().mapToLong(one -> one.record.grant.number).sum() * 1_000
        + active.size();
    if (which != activeBefore) {
      activeBefore = which;
      share(active);
    }
    double bytes = linkRate.applyAsDouble(now) * STEP_MS / 1_000;
    for (Running one : new ArrayList<>(running)) {
      if (one.fromMs <= now && one.bytes < unitBytes) {
        one.bytes += bytes * one.rate;
        one.doneMs = one.bytes >= unitBytes ? now + 200 : Long.MAX_VALUE;
      }
      if (now % HEARTBEAT_MS == one.phaseMs / STEP_MS * STEP_MS) {
        tracker.sent(one.repair.id);
        if (one.fromMs <= now) {
          tracker.running(one.repair.id, (int) Math.min(100, 100 * one.bytes / unitBytes));
        }
      }
      if (now >= one.doneMs) {
        tracker.end(one.record, true);
        running.remove(one);
      }
    }
  }

  /** Returns when all can be rebuilt at best, by the settings and by what nodes report. */
  private OptionalDouble bound(long bytesWaiting, long bytesUnderWay) {
    double[] seconds = new double[2 * nodes];
    for (Running one : running) {
      double left = unitBytes * (1 - tracker.doneShare(one.repair));
      Arrays.stream(one.links).forEach(link -> seconds[link] += left / setRate);
    }
    double all = 0;
    double most = 0;
    for (int node = 0; node < nodes; node++) {
      double busy = Math.max(seconds[2 * node], seconds[2 * node + 1]);
      all += busy;
      most = Math.max(most, busy);
    }
    if (bytesUnderWay > 0) {
      double cost = all / bytesUnderWay;
      secondsPerByte =
          secondsPerByte == 0 ? cost : secondsPerByte + 0.25 * (cost - secondsPerByte);
    }
    return OptionalDouble.of(Math.max(most, (all + secondsPerByte * bytesWaiting) / nodes));
  }

  /** Runs until all is rebuilt. Returns what the meter said in each cycle. */
  List<Said> run() {
    OptionalDouble bound = OptionalDouble.empty();
    while (!waiting.isEmpty() || !running.isEmpty()) {
      if (now >= laterMs) {
        lose(laterGroups);
        laterMs = Long.MAX_VALUE;
      }
      while (!isPaused() && !waiting.isEmpty() && running.size() < slots) {
        begin();
      }
      if (now % CYCLE_MS == 0) {
        long left = waiting.size() * unitBytes;
        RepairWork work = tracker.work();
        if (now % HEARTBEAT_MS == 0) {
          bound = bound(left, work.bytesLeft());
        }
        meter.take(work, left, bound, !isPaused(), true, now);
        said.add(new Said(now, meter.etaSeconds(), meter.bytesPerSecond(),
            waiting.isEmpty()));
      }
      now += STEP_MS;
      advance();
    }
    return said;
  }

  long endMs() {
    return now;
  }
}
