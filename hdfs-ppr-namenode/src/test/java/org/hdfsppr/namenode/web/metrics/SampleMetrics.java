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
package org.hdfsppr.namenode.web.metrics;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.ManagerFacts;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.Moment;
import org.hdfsppr.namenode.manage.status.NodeStatus;
import org.hdfsppr.namenode.manage.status.StatusLists;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.manage.status.WaitReason;
import org.hdfsppr.namenode.manage.status.WorkStatus;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.namenode.schedule.BalancedScheduler;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;
import org.hdfsppr.namenode.schedule.Loads;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.NoPlanReason;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.track.RepairWork;
import org.hdfsppr.plan.NodeRef;

/** A status and counters in which every metric has a sample, as during the loss of a node. */
@InterfaceAudience.Private
public final class SampleMetrics implements AutoCloseable {
  /** A mebibyte, bytes */
  public static final int MIB = 1 << 20;

  /** The counters */
  public final ManagerMetrics metrics = ManagerMetrics.register("balanced");
  final AtomicReference<ManagerStatus> status = new AtomicReference<>(ManagerStatus.NONE);
  /** The page with everything that is counted so far */
  public final MetricsPage page;

  /** Makes metrics of a NameNode without an extension. */
  SampleMetrics() {
    this(metrics -> List.of());
  }

  /** @param others returns what an extension shows */
  public SampleMetrics(Function<ManagerMetrics, List<MetricFamily>> others) {
    page = new MetricsPage(status::get, metrics, others.apply(metrics));
  }

  /** @return this, with something in everything */
  public SampleMetrics fill() {
    metrics.rebuilt("rs", 1, 64 * MIB, 3_000);
    metrics.rebuilt("rs", 2, 128 * MIB, 40_000);
    metrics.rebuilt("lrc-l2", 1, 64 * MIB, 200);
    metrics.failed("rs", EndReason.OVERDUE);
    metrics.dropped("rs", EndReason.DELETED);
    metrics.refused(NoPlanReason.NO_DESTINATION);
    metrics.count(ManagerCounter.REPAIRS_STARTED);
    metrics.count(ManagerCounter.PLANS, 4);
    metrics.count(ManagerCounter.PLANNING_NANOS, 2_000_000);
    metrics.cycleTook(4_000_000);
    metrics.services.open("ppr-core", e -> { }).failed(new OutOfMemoryError("a test"));
    show(status(nodes(3)));
    return this;
  }

  /** Publishes a status, as the manager does at the end of a cycle. */
  void show(ManagerStatus now) {
    status.set(now);
    metrics.show(now);
  }

  /** Returns a status with these DataNodes. */
  static ManagerStatus status(List<NodeStatus> nodes) {
    Moment now = new Moment(12_345, Instant.parse("2026-01-02T03:04:05Z"));
    return new ManagerStatus.Builder().charge(true, "a test", 7, 0).unreadCore(1)
        .made(now, 42, "BP-1", new ManagerFacts("0.2.0", "balanced", 100, 25e6, 1))
        .state(ManagerState.DATA_LOST, false, null)
        .queue(Map.of(-1, 1, 0, 2, 1, 117))
        .oldestWait(90_500)
        .work(new WorkStatus(new RepairWork.Builder().done(3, 256L * MIB).build(), 1,
            120L * MIB, 4.5e6, OptionalDouble.of(28), OptionalDouble.of(21.5)))
        .nodes(Map.of("u1", "it calculates wrongly"), List.of())
        .handedToStock(6)
        .set(StatusNumber.GROUPS_QUEUED, 120).set(StatusNumber.UNRECOVERABLE, 1)
        .set(StatusNumber.READ_DEGRADED, 5).set(StatusNumber.REPAIRS_IN_FLIGHT, 3)
        .set(StatusNumber.AT_RISK, 2).set(StatusNumber.DOUBTED, 1)
        .set(StatusNumber.SUSPECTED, 2).set(StatusNumber.DATA_NODES, nodes.size() + 1)
        .set(StatusNumber.AGENTS, 17).set(StatusNumber.WAITING_FOR_STOCK, 4)
        .set(StatusNumber.WITH_STOCK, 5)
        .lock(new LockTimes(new LockTimes.Holds(100, 5_000_000, 900_000),
            new LockTimes.Holds(200, 3_000_000, 800_000), 1, 50))
        .lists(new StatusLists.Builder().made(now, 42)
            .groups(List.of(), 120, Map.of(WaitReason.QUEUED, 119, WaitReason.TOO_FEW_SOURCES, 1))
            .nodes(nodes, nodes.size()).build())
        .build();
  }

  /** Returns DataNodes. Number i has i MiB to send and 2 i MiB to receive. */
  static List<NodeStatus> nodes(int count) {
    return nodes(count, "uuid-");
  }

  static List<NodeStatus> nodes(int count, String uuids) {
    Fleet fleet = new Fleet(new BalancedScheduler(new SchedulerOptions(
        new CodeReads(policy -> null), 64, new MpprWeights(1, MIB, 6))).rank());
    List<NodeStatus> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      NodeRef node = new NodeRef(uuids + i, "10.0." + i / 256 + "." + i % 256, "dn" + i, 9866,
          9877, "/r1");
      fleet.join(node, NodeCapacity.ofLink(25e6));
      fleet.add(Loads.of(i, Kind.UP, (long) i * MIB));
      fleet.add(Loads.of(i, Kind.DOWN, 2L * i * MIB));
      nodes.add(new NodeStatus(node, null, null, fleet.find(node)));
    }
    return nodes;
  }

  /** @return the page, parsed */
  public PromText text() {
    return PromText.parse(page.find("/metrics").orElseThrow().body);
  }

  @Override
  public void close() {
    metrics.unregister();
  }
}
