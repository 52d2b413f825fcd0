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

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.ManagerFacts;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.NodeStatus;
import org.hdfsppr.namenode.manage.status.RepairTally;
import org.hdfsppr.namenode.manage.status.StatusLists;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.manage.status.WorkStatus;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.web.PageResponse;
import org.hdfsppr.namenode.web.PageSource;
import org.hdfsppr.namenode.web.metrics.MetricsText.Family;
import org.hdfsppr.service.Services;

/**
 * The page {@code /ppr/metrics} for Prometheus, in the text format 0.0.4. {@code docs/metrics.md}
 * lists its metrics. The page is written anew for each request, because counters also rise while
 * cycles fail and no new status is published. Thread-safe.
 */
@InterfaceAudience.Private
public final class MetricsPage implements PageSource {
  private static final String PATH = "/metrics";

  private final Supplier<ManagerStatus> status;
  private final ManagerMetrics metrics;
  private final List<MetricFamily> others;

  /**
   * @param status returns the manager's status at the end of its last cycle
   * @param metrics the manager's counters
   * @param others metrics of other parts of the plugin, in the order in which the page shows them
   */
  public MetricsPage(Supplier<ManagerStatus> status, ManagerMetrics metrics,
      List<MetricFamily> others) {
    this.status = Objects.requireNonNull(status, "status");
    this.metrics = Objects.requireNonNull(metrics, "metrics");
    this.others = List.copyOf(others);
  }

  @Override
  public Optional<PageResponse> find(String path) {
    return PATH.equals(path) ? Optional.of(page()) : Optional.empty();
  }

  private PageResponse page() {
    MetricsText text = new MetricsText();
    ManagerStatus now = status.get();
    StatusFamilies.write(now, text);
    CounterFamilies.write(metrics, text);
    others.forEach(family -> family.write(text));
    ServiceFamilies.write(metrics.services, text);
    NodeFamilies.write(now, text);
    return PageResponse.of(MetricsText.CONTENT_TYPE, null, text.bytes());
  }

  /** Writes the manager's state at the end of its last cycle. */
  static final class StatusFamilies {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MS_PER_SECOND = 1e3;

    private StatusFamilies() {
    }

    static void write(ManagerStatus status, MetricsText text) {
      charge(status, text);
      queue(status, text);
      repairs(status, text);
      text.numbers(status, StatusNumber.AGENTS, StatusNumber.DATA_NODES,
          StatusNumber.DATA_NODES_SILENT, StatusNumber.QUARANTINED);
      lock(status.lockTimes, text);
    }

    private static void charge(ManagerStatus status, MetricsText text) {
      ManagerFacts facts = status.facts;
      text.gauge("hdfs_ppr_build_info", "Always 1; version of the plugin, name of its scheduler.")
          .sample(1, "version", facts.software, "scheduler", facts.scheduler);
      Family states = text.gauge("hdfs_ppr_state", "1 for the present state, 0 for the others.");
      for (ManagerState state : ManagerState.values()) {
        states.sample(state == status.state ? 1 : 0, "state", state.word());
      }
      text.gauge("hdfs_ppr_paused", "1 while an operator has paused all repairs.")
          .sample(status.pause.isPresent() ? 1 : 0);
      text.gauge("hdfs_ppr_left_to_stock", "1 while an operator has left all repairs to stock.")
          .sample(status.leftToStock.isPresent() ? 1 : 0);
      text.gauge("hdfs_ppr_in_charge",
          "1 if this NameNode's plugin schedules repairs, 0 if all repairs are stock's.")
          .sample(status.inCharge ? 1 : 0);
      if (status.unreadCoreRecords > 0) {
        text.gauge("hdfs_ppr_unread_core_records", "Parity files of CORE groups whose columns this"
            + " NameNode does not know, because it has no jar that reads them.")
            .sample(status.unreadCoreRecords);
      }
    }

    private static void queue(ManagerStatus status, MetricsText text) {
      Family bySpare = text.gauge("hdfs_ppr_groups_waiting",
          "Groups that wait, by how many units each may still lose; negative if data are lost.");
      status.waitingBySpareUnits.forEach((spare, groups) ->
          bySpare.sample(groups, "spare_units", spare.toString()));
      Family byReason = text.gauge("hdfs_ppr_groups_waiting_by_reason",
          "Groups that wait, by reason.");
      status.lists.reasons.forEach((reason, groups) ->
          byReason.sample(groups, "reason", reason.code()));
      text.gauge("hdfs_ppr_oldest_wait_seconds",
          "Time since the loss for the oldest group that could be repaired and does not wait on"
              + " purpose.").sample(status.oldestWaitMs / MS_PER_SECOND);
      text.numbers(status, StatusNumber.AT_RISK, StatusNumber.UNRECOVERABLE,
          StatusNumber.RECOVERABLE_THROUGH_CORE, StatusNumber.READ_DEGRADED,
          StatusNumber.DOUBTED, StatusNumber.SUSPECTED, StatusNumber.WAITING_FOR_STOCK,
          StatusNumber.WITH_STOCK);
      text.counter("hdfs_ppr_groups_handed_to_stock_total", "Groups handed to stock.")
          .sample(status.handedToStock);
    }

    private static void repairs(ManagerStatus status, MetricsText text) {
      text.numbers(status, StatusNumber.REPAIRS_IN_FLIGHT);
      text.gauge("hdfs_ppr_repairs_in_flight_limit", "The greatest number of commands under way.")
          .sample(status.facts.inFlightMax);
      WorkStatus work = status.work;
      text.gauge("hdfs_ppr_left_bytes",
          "Bytes that are still to be rebuilt, in groups that wait and in those under way.")
          .sample(work.bytesLeft());
      text.gauge("hdfs_ppr_rate_bytes_per_second",
          "Rebuilt bytes per second over the last minute, with the progress of repairs under way.")
          .sample(work.bytesPerSecond);
      Family eta = text.gauge("hdfs_ppr_eta_seconds",
          "Time until all is rebuilt at the present rate; absent if that is not known.");
      work.etaSeconds.ifPresent(eta::sample);
      Family bound = text.gauge("hdfs_ppr_eta_bound_seconds",
          "Time until all can be rebuilt at best; absent if that is not known.");
      work.etaBoundSeconds.ifPresent(bound::sample);
    }

    private static void lock(LockTimes times, MetricsText text) {
      text.counter("hdfs_ppr_lock_holds_total",
          "How often the repair manager has held the NameNode's lock, by mode (read, write).")
          .sample(times.read.count, "mode", "read").sample(times.write.count, "mode", "write");
      text.counter("hdfs_ppr_lock_hold_seconds_total",
          "How long the repair manager has held the NameNode's lock, by mode.")
          .sample(times.read.nanos / NANOS_PER_SECOND, "mode", "read")
          .sample(times.write.nanos / NANOS_PER_SECOND, "mode", "write");
      text.gauge("hdfs_ppr_lock_hold_longest_seconds",
          "Longest hold of the NameNode's lock since the start, by mode.")
          .sample(times.read.nanosMax / NANOS_PER_SECOND, "mode", "read")
          .sample(times.write.nanosMax / NANOS_PER_SECOND, "mode", "write");
      text.counter("hdfs_ppr_lock_long_holds_total", "Holds of the NameNode's lock beyond 5 ms.")
          .sample(times.longHolds);
    }
  }

  /** Writes what the manager has counted since its start. */
  static final class CounterFamilies {
    private static final double NANOS_PER_SECOND = 1e9;

    private CounterFamilies() {
    }

    static void write(ManagerMetrics metrics, MetricsText text) {
      repairs(metrics, text);
      text.counters(metrics, ManagerCounter.REPAIRS_STARTED, ManagerCounter.REPAIRS_BY_COLUMN,
          ManagerCounter.PLANS);
      text.counter("hdfs_ppr_planning_seconds_total", "Time spent on planning.")
          .sample(metrics.counted(ManagerCounter.PLANNING_NANOS) / NANOS_PER_SECOND);
      Family refused = text.counter("hdfs_ppr_groups_without_plan_total",
          "How often the scheduler had no plan for a group, by reason.");
      metrics.refusals().forEach((reason, count) -> refused.sample(count, "reason",
          reason.label()));
      text.counters(metrics, ManagerCounter.GROUPS_LEFT_TO_STOCK, ManagerCounter.GROUPS_PROMOTED,
          ManagerCounter.RESCUE_FAILURES, ManagerCounter.GROUP_LOOKS_FAILED,
          ManagerCounter.SCRUBBED_GROUPS, ManagerCounter.SCRUBBED_BYTES,
          ManagerCounter.SCRUB_CONTRADICTIONS, ManagerCounter.SCRUB_NOT_CHECKED);
      text.durations(text.histogram("hdfs_ppr_cycle_duration_seconds",
          "Time of a cycle of the repair manager."), metrics.cycles());
      text.counters(metrics, ManagerCounter.CYCLES_FAILED);
    }

    private static void repairs(ManagerMetrics metrics, MetricsText text) {
      RepairTally tally = metrics.tally;
      Family ended = text.counter("hdfs_ppr_repairs_ended_total",
          "Repairs that have ended, by outcome (done, failed, dropped), reason and codec.");
      for (RepairTally.Count count : tally.counts()) {
        ended.sample(count.repairs, "codec", count.codec,
            "outcome", count.reason.outcome.label(), "reason", count.reason.label(),
            "scheduler", metrics.scheduler);
      }
      Family units = text.counter("hdfs_ppr_rebuilt_units_total", "Units rebuilt, by codec.");
      for (RepairTally.Count count : tally.counts()) {
        if (count.reason == EndReason.REBUILT) {
          units.sample(count.units, "codec", count.codec);
        }
      }
      // This series is there from the start, so that an alert can compare it with 0.
      text.counters(metrics, ManagerCounter.BYTES_REBUILT);
      Family times = text.histogram("hdfs_ppr_repair_duration_seconds",
          "Time from the plan of a repair to the block report, for repairs that are done, "
              + "by codec.");
      tally.times().forEach((codec, snapshot) -> text.durations(times, snapshot, "codec", codec));
    }
  }

  /**
   * Writes, for each thread of the plugin, the age of its last step and the number of its failed
   * steps.
   */
  static final class ServiceFamilies {
    private static final double NANOS_PER_SECOND = 1e9;

    private ServiceFamilies() {
    }

    static void write(Services services, MetricsText text) {
      List<Services.Health> all = services.health();
      Family ages = text.gauge("hdfs_ppr_service_step_age_seconds",
          "Time since a thread of the plugin has last taken a step.");
      all.forEach(each -> ages.sample(each.ageNanos / NANOS_PER_SECOND, "service", each.name));
      Family failures = text.counter("hdfs_ppr_service_step_failures_total",
          "Steps of a thread of the plugin that ended with an error; the thread goes on.");
      all.forEach(each -> failures.sample(each.failures, "service", each.name));
    }
  }

  /**
   * Writes the pending work of repairs in flight at each DataNode that the status lists: at most
   * {@value StatusLists#ENTRIES_MAX} DataNodes, each with five series.
   */
  static final class NodeFamilies {
    private NodeFamilies() {
    }

    static void write(ManagerStatus status, MetricsText text) {
      Map<String, NodeStatus> listed = byName(status.lists.nodes);
      text.gauge("hdfs_ppr_nodes_left_out",
          "Live DataNodes without series of their own, because the list is bounded or not "
              + "made yet.")
          .sample(Math.max(0, status.get(StatusNumber.DATA_NODES) - listed.size()));
      Family pending = text.gauge("hdfs_ppr_node_pending_bytes",
          "Bytes that repairs in flight still have to move from (up) or to (down) a DataNode.");
      each(listed, pending, each -> each.pendingUpBytes, "direction", "up");
      each(listed, pending, each -> each.pendingDownBytes, "direction", "down");
      each(listed, text.gauge("hdfs_ppr_node_busy_seconds",
          "Time for which repairs in flight keep the busiest link or the disks of a DataNode busy,"
              + " as predicted."), each -> each.busySeconds);
      Family repairs = text.gauge("hdfs_ppr_node_repairs",
          "Repairs in flight that read from (helper) or write to (destination) a DataNode.");
      each(listed, repairs, each -> each.helping, "role", "helper");
      each(listed, repairs, each -> each.receiving, "role", "destination");
    }

    /**
     * Returns the nodes by the value of their label {@code node}. A node whose address another node
     * has, too, gets its UUID in the label, because two series must not have the same labels.
     */
    private static Map<String, NodeStatus> byName(List<NodeStatus> nodes) {
      Map<String, List<NodeStatus>> byAddress = nodes.stream().collect(
          Collectors.groupingBy(one -> one.node.hostName + ":" + one.node.xferPort));
      Map<String, NodeStatus> byName = new TreeMap<>();
      byAddress.forEach((address, some) -> some.forEach(one ->
          byName.put(some.size() == 1 ? address : address + " " + one.node.uuid, one)));
      return byName;
    }

    private static void each(Map<String, NodeStatus> nodes, Family family,
        ToDoubleFunction<NodeStatus> value, String... label) {
      nodes.forEach((name, one) -> {
        if (label.length == 0) {
          family.sample(value.applyAsDouble(one), "node", name);
        } else {
          family.sample(value.applyAsDouble(one), "node", name, label[0], label[1]);
        }
      });
    }
  }
}
