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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.ManagerFacts;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.WorkStatus;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.namenode.web.metrics.MetricsText.Family;

/** Writes the manager's state at the end of its last cycle. */
@InterfaceAudience.Private
final class StatusFamilies {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MS_PER_SECOND = 1e3;

  private StatusFamilies() {
  }

  static void write(ManagerStatus status, MetricsText text) {
    charge(status, text);
    queue(status, text);
    repairs(status, text);
    nodes(status, text);
    lock(status.lockTimes(), text);
  }

  private static void charge(ManagerStatus status, MetricsText text) {
    ManagerFacts facts = status.facts();
    text.gauge("hdfs_ppr_build_info", "Always 1; version of the plugin, name of its scheduler.")
        .sample(1, "version", facts.software, "scheduler", facts.scheduler);
    Family states = text.gauge("hdfs_ppr_state", "1 for the present state, 0 for the others.");
    for (ManagerState state : ManagerState.values()) {
      states.sample(state == status.state() ? 1 : 0, "state", state.word());
    }
    text.gauge("hdfs_ppr_paused", "1 while an operator has paused all repairs.")
        .sample(status.pause().isPresent() ? 1 : 0);
    text.gauge("hdfs_ppr_left_to_stock", "1 while an operator has left all repairs to stock.")
        .sample(status.leftToStock().isPresent() ? 1 : 0);
    text.gauge("hdfs_ppr_in_charge",
        "1 if this NameNode's plugin schedules repairs, 0 if all repairs are stock's.")
        .sample(status.isInCharge() ? 1 : 0);
  }

  private static void queue(ManagerStatus status, MetricsText text) {
    Family bySpare = text.gauge("hdfs_ppr_groups_waiting",
        "Groups that wait, by how many units each may still lose; negative if data are lost.");
    status.waitingBySpareUnits().forEach((spare, groups) ->
        bySpare.sample(groups, "spare_units", spare.toString()));
    Family byReason = text.gauge("hdfs_ppr_groups_waiting_by_reason",
        "Groups that wait, by reason.");
    status.lists().reasons().forEach((reason, groups) ->
        byReason.sample(groups, "reason", reason.code()));
    text.gauge("hdfs_ppr_oldest_wait_seconds",
        "Time since the loss for the oldest group that could be repaired and does not wait on"
            + " purpose.").sample(status.oldestWaitMs() / MS_PER_SECOND);
    text.gauge("hdfs_ppr_groups_at_risk",
        "Groups, waiting, in repair or with stock, that lose data if one more unit is lost.")
        .sample(status.atRisk());
    text.gauge("hdfs_ppr_groups_unrecoverable", "Waiting groups that have lost too many units.")
        .sample(status.unrecoverable());
    text.gauge("hdfs_ppr_groups_recoverable_through_core",
        "Groups that have lost too many units for their code, and are repaired through CORE.")
        .sample(status.recoverableThroughCore());
    text.gauge("hdfs_ppr_groups_read_degraded", "Waiting groups that clients read.")
        .sample(status.readDegraded());
    text.gauge("hdfs_ppr_groups_doubted", "Groups with a wrong unit.").sample(status.doubted());
    text.gauge("hdfs_ppr_groups_suspected",
        "Groups in which one node found units that contradict each other.")
        .sample(status.suspected());
    text.gauge("hdfs_ppr_groups_waiting_for_stock", "Groups that are about to be handed to stock.")
        .sample(status.waitingForStock());
    text.gauge("hdfs_ppr_groups_with_stock", "Groups that stock has for a time.")
        .sample(status.withStock());
    text.counter("hdfs_ppr_groups_handed_to_stock_total", "Groups handed to stock.")
        .sample(status.handedToStock());
  }

  private static void repairs(ManagerStatus status, MetricsText text) {
    text.gauge("hdfs_ppr_repairs_in_flight", "Commands under way.").sample(status.inFlight());
    text.gauge("hdfs_ppr_repairs_in_flight_limit", "The greatest number of commands under way.")
        .sample(status.facts().inFlightMax);
    WorkStatus work = status.work();
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

  private static void nodes(ManagerStatus status, MetricsText text) {
    text.gauge("hdfs_ppr_agents", "DataNodes that run the extension and are not silent.")
        .sample(status.participants());
    text.gauge("hdfs_ppr_data_nodes", "Live DataNodes, with the extension or without.")
        .sample(status.dataNodes());
    text.gauge("hdfs_ppr_nodes_quarantined", "DataNodes kept out of repairs.")
        .sample(status.keptOut().size());
  }

  private static void lock(LockTimes times, MetricsText text) {
    text.counter("hdfs_ppr_lock_holds_total",
        "How often the repair manager has held the NameNode's lock, by mode (read, write).")
        .sample(times.readHolds, "mode", "read").sample(times.writeHolds, "mode", "write");
    text.counter("hdfs_ppr_lock_hold_seconds_total",
        "How long the repair manager has held the NameNode's lock, by mode.")
        .sample(times.readNanos / NANOS_PER_SECOND, "mode", "read")
        .sample(times.writeNanos / NANOS_PER_SECOND, "mode", "write");
    text.gauge("hdfs_ppr_lock_hold_longest_seconds",
        "Longest hold of the NameNode's lock since the start, by mode.")
        .sample(times.readNanosMax / NANOS_PER_SECOND, "mode", "read")
        .sample(times.writeNanosMax / NANOS_PER_SECOND, "mode", "write");
    text.counter("hdfs_ppr_lock_long_holds_total", "Holds of the NameNode's lock beyond 5 ms.")
        .sample(times.longHolds);
  }
}
