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
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.LongToDoubleFunction;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.Grant;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.namenode.track.GrantRecord;
import org.hdfsppr.namenode.track.Repair;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;

/**
 * The repairs after a node's loss, in simulated time: repairs wait for a heartbeat, share a rate,
 * report whole per cents once a second, and are done when a block report comes. The tracker and the
 * meter are the real ones.
 */
final class SimulatedLoss {
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);
  private static final int STEP_MS = 50;
  private static final int CYCLE_MS = 250;
  private static final int HEARTBEAT_MS = 1_000;

  /** What the meter said at one time. */
  static final class Said {
    private final long ms;
    private final OptionalDouble eta;
    private final double rate;
    private final boolean last;

    Said(long ms, OptionalDouble eta, double rate, boolean last) {
      this.ms = ms;
      this.eta = eta;
      this.rate = rate;
      this.last = last;
    }

    long ms() {
      return ms;
    }

    OptionalDouble eta() {
      return eta;
    }

    double rate() {
      return rate;
    }

    /** Returns whether no group waits any more. */
    boolean isLast() {
      return last;
    }
  }

  private static final class Running {
    private final GrantRecord record;
    private final Repair repair;
    private final long fromMs;
    private final long phaseMs;
    private final double share;
    private double bytes;
    private long doneMs = Long.MAX_VALUE;

    Running(GrantRecord record, Repair repair, long fromMs, long phaseMs, double share) {
      this.share = share;
      this.record = record;
      this.repair = repair;
      this.fromMs = fromMs;
      this.phaseMs = phaseMs;
    }
  }

  private final Random random;
  private final long unitBytes;
  private final int slots;
  private final double faster;
  private final LongToDoubleFunction bytesPerSecond;
  private final Deque<LostGroup> waiting = new ArrayDeque<>();
  private final List<Running> running = new ArrayList<>();
  private final List<Said> said = new ArrayList<>();
  private final WorkMeter meter = new WorkMeter();
  private final RepairTracker tracker = new RepairTracker(() -> this.now);
  private long pauseFromMs = Long.MAX_VALUE;
  private long pauseToMs = Long.MAX_VALUE;
  private long now;
  private long grants;

  /**
   * @param slots how many repairs run at a time
   * @param faster how much faster a repair can get when it need not share links with others
   * @param bytesPerSecond the rate that all repairs share, by time in ms
   */
  SimulatedLoss(long seed, int groups, long unitBytes, int slots, double faster,
      LongToDoubleFunction bytesPerSecond) {
    this.faster = faster;
    this.random = new Random(seed);
    this.unitBytes = unitBytes;
    this.slots = slots;
    this.bytesPerSecond = bytesPerSecond;
    for (int i = 0; i < groups; i++) {
      waiting.add(group(i));
    }
  }

  SimulatedLoss withPause(long fromMs, long toMs) {
    pauseFromMs = fromMs;
    pauseToMs = toMs;
    return this;
  }

  private LostGroup group(int number) {
    List<Holder> live = new ArrayList<>();
    for (int unit = 1; unit < 9; unit++) {
      live.add(new Holder(unit, node(unit)));
    }
    return new LostGroup(new GroupId("BP", -16L * number - 16, 1), 6 * unitBytes, RS, live,
        List.of(0), List.of(), 2, 0);
  }

  private static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h" + number, 9866, 9877, "/r");
  }

  private boolean isPaused() {
    return now >= pauseFromMs && now < pauseToMs;
  }

  private void begin() {
    LostGroup group = waiting.remove();
    Assignment assignment = new Assignment(group, group.live().subList(0, 6),
        List.of(new Holder(0, node(10))), "chain");
    Grant grant = new Grant(++grants, 1, group.id(),
        List.of(new CommandTarget(0, node(10), "s", StorageType.DISK)));
    GrantRecord record = tracker.open(assignment, grant, RepairLoad.none(), 1_000, 0);
    Repair repair = tracker.next(record).get(0);
    long fetchMs = random.nextInt(HEARTBEAT_MS);
    // Nodes differ, so that repairs that begin together do not end together.
    running.add(new Running(record, repair, now + fetchMs + 300, (now + fetchMs) % HEARTBEAT_MS,
        0.7 + 0.6 * random.nextDouble()));
  }

  private void advance() {
    long active = running.stream().filter(one -> one.fromMs <= now && one.bytes < unitBytes)
        .count();
    double each = bytesPerSecond.applyAsDouble(now) * STEP_MS / 1_000
        / Math.max(slots / faster, Math.max(1, active));
    for (Running one : new ArrayList<>(running)) {
      if (one.fromMs <= now && one.bytes < unitBytes) {
        one.bytes += each * one.share;
        one.doneMs = one.bytes >= unitBytes ? now + 200 : Long.MAX_VALUE;
      }
      if (now % HEARTBEAT_MS == one.phaseMs / STEP_MS * STEP_MS) {
        tracker.sent(one.repair.id());
        if (one.fromMs <= now) {
          tracker.running(one.repair.id(), (int) Math.min(100, 100 * one.bytes / unitBytes));
        }
      }
      if (now >= one.doneMs) {
        tracker.end(one.record, true);
        running.remove(one);
      }
    }
  }

  /** Runs until all is rebuilt. Returns what the meter said in each cycle. */
  List<Said> run() {
    while (!waiting.isEmpty() || !running.isEmpty()) {
      while (!isPaused() && !waiting.isEmpty() && running.size() < slots) {
        begin();
      }
      if (now % CYCLE_MS == 0) {
        long left = waiting.size() * unitBytes;
        meter.take(tracker.work(), left, !isPaused(), true, now);
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
