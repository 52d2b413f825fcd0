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

import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.RepairTally;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.web.metrics.MetricsText.Family;

/** Writes what the manager has counted since its start. */
@InterfaceAudience.Private
final class CounterFamilies {
  private static final double NANOS_PER_SECOND = 1e9;

  private CounterFamilies() {
  }

  static void write(ManagerMetrics metrics, MetricsText text) {
    repairs(metrics, text);
    Map<String, Long> counters = metrics.counters();
    text.counter("hdfs_ppr_repairs_started_total", "Commands sent to DataNodes.")
        .sample(counters.get("RepairsStarted"));
    text.counter("hdfs_ppr_repairs_by_column_total",
        "Commands sent to DataNodes that rebuild a unit from its column of CORE.")
        .sample(counters.get("RepairsByColumnTotal"));
    text.counter("hdfs_ppr_repairs_planned_total", "Repairs planned.")
        .sample(counters.get("Plans"));
    text.counter("hdfs_ppr_planning_seconds_total", "Time spent on planning.")
        .sample(counters.get("PlanningNanos") / NANOS_PER_SECOND);
    Family refused = text.counter("hdfs_ppr_groups_without_plan_total",
        "How often the scheduler had no plan for a group, by reason.");
    metrics.refusals().forEach((reason, count) -> refused.sample(count, "reason", reason.label()));
    text.counter("hdfs_ppr_groups_left_to_stock_total",
        "Groups left to stock because there was no plan or repairs have failed too often.")
        .sample(counters.get("GroupsLeftToStock"));
    text.counter("hdfs_ppr_groups_promoted_total",
        "Groups that went before others because clients read them.")
        .sample(counters.get("GroupsPromoted"));
    text.counter("hdfs_ppr_rescue_failures_total",
        "Groups that could not be handed to stock with their priority while no cycle ran.")
        .sample(counters.get("RescueFailures"));
    text.counter("hdfs_ppr_group_look_failures_total",
        "Groups that could not be looked at or taken in, and are looked at again later.")
        .sample(counters.get("GroupLooksFailedTotal"));
    text.counter("hdfs_ppr_scrubbed_groups_total",
        "Groups of which a background check has compared all units.")
        .sample(counters.get("ScrubbedGroupsTotal"));
    text.counter("hdfs_ppr_scrubbed_bytes_total",
        "Bytes of the units that background checks have compared.")
        .sample(counters.get("ScrubbedBytesTotal"));
    text.counter("hdfs_ppr_scrub_contradictions_total",
        "Groups in which a background check has found units that contradict each other.")
        .sample(counters.get("ScrubContradictionsTotal"));
    text.counter("hdfs_ppr_scrub_not_checked_total",
        "Groups that a background check has left out: open, not whole, doubted or unreadable.")
        .sample(counters.get("ScrubNotCheckedTotal"));
    text.durations(text.histogram("hdfs_ppr_cycle_duration_seconds",
        "Time of a cycle of the repair manager."), metrics.cycles());
    text.counter("hdfs_ppr_cycle_failures_total", "Cycles that ended with an error.")
        .sample(counters.get("CyclesFailed"));
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
    text.counter("hdfs_ppr_rebuilt_bytes_total", "Bytes of the units rebuilt.")
        .sample(metrics.counters().get("BytesRebuiltTotal"));
    Family times = text.histogram("hdfs_ppr_repair_duration_seconds",
        "Time from the plan of a repair to the block report, for repairs that are done, by codec.");
    tally.times().forEach((codec, snapshot) -> text.durations(times, snapshot, "codec", codec));
  }
}
