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
package org.hdfsppr.namenode.manage.status;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What the plugin of a NameNode counts from its start: the name and the words of the counter in the
 * record {@code PprNameNode}, which has them in this order, and the family of the page for
 * Prometheus. Counters without a family are shown there by a label, in another unit, or not at
 * all.
 *
 * <p>The counters of files are here, too. So the order of the record's values is always the same,
 * with or without that module.
 */
@InterfaceAudience.Private
public enum ManagerCounter {
  REPAIRS_STARTED("RepairsStarted", "Repairs ordered",
      "hdfs_ppr_repairs_started_total", "Commands sent to DataNodes."),
  REPAIRS_BY_COLUMN("RepairsByColumnTotal",
      "Repairs ordered that rebuild a unit from its column of CORE",
      "hdfs_ppr_repairs_by_column_total",
      "Commands sent to DataNodes that rebuild a unit from its column of CORE."),
  REPAIRS_DONE("RepairsDone", "Repairs done"),
  UNITS_REBUILT("UnitsRebuilt", "Internal blocks rebuilt"),
  BYTES_REBUILT("BytesRebuiltTotal", "Bytes of the internal blocks rebuilt",
      "hdfs_ppr_rebuilt_bytes_total", "Bytes of the units rebuilt."),
  REPAIRS_FAILED("RepairsFailed", "Repairs failed"),
  PLANS_REFUSED("PlansRefused", "Groups without a plan"),
  GROUPS_LEFT_TO_STOCK("GroupsLeftToStock", "Groups left to stock for a time",
      "hdfs_ppr_groups_left_to_stock_total",
      "Groups left to stock because there was no plan or repairs have failed too often."),
  GROUPS_PROMOTED("GroupsPromoted",
      "Groups that went before others, while they waited, because clients read them",
      "hdfs_ppr_groups_promoted_total",
      "Groups that went before others because clients read them."),
  CYCLES_FAILED("CyclesFailed", "Cycles that ended with an error",
      "hdfs_ppr_cycle_failures_total"),
  RESCUE_FAILURES("RescueFailures",
      "Groups that could not be handed to stock with their priority while no cycle ran",
      "hdfs_ppr_rescue_failures_total"),
  GROUP_LOOKS_FAILED("GroupLooksFailedTotal",
      "Groups that could not be looked at or taken in, and are looked at again later",
      "hdfs_ppr_group_look_failures_total"),
  PLANS("Plans", "Repairs planned", "hdfs_ppr_repairs_planned_total"),
  PLANNING_NANOS("PlanningNanos", "Nanoseconds spent planning"),
  REPAIRS_DROPPED("RepairsDroppedTotal",
      "Repairs that ended before they were done, without a fault: the units came back, the file"
          + " was deleted, or this NameNode does not schedule any more"),
  SCRUBBED_GROUPS("ScrubbedGroupsTotal",
      "Groups of which a background check has compared all units",
      "hdfs_ppr_scrubbed_groups_total"),
  SCRUBBED_BYTES("ScrubbedBytesTotal",
      "Bytes of the units that background checks have compared",
      "hdfs_ppr_scrubbed_bytes_total"),
  SCRUB_CONTRADICTIONS("ScrubContradictionsTotal",
      "Groups in which a background check has found units that contradict each other",
      "hdfs_ppr_scrub_contradictions_total"),
  SCRUB_NOT_CHECKED("ScrubNotCheckedTotal",
      "Groups that a background check has left out: open, not whole, doubted or unreadable",
      "hdfs_ppr_scrub_not_checked_total"),
  CORE_GROUPS_FORMED("CoreGroupsFormedTotal", "CORE groups formed",
      "hdfs_ppr_core_groups_formed_total"),
  CORE_GROUPS_DISSOLVED("CoreGroupsDissolvedTotal", "CORE groups dissolved",
      "hdfs_ppr_core_groups_dissolved_total"),
  CORE_GROUPS_FAILED("CoreGroupsFailedTotal", "Tries to form a CORE group that have failed",
      "hdfs_ppr_core_groups_failed_total"),
  CORE_MEMBER_BYTES("CoreMemberBytesTotal",
      "Bytes of file data in the members of CORE groups that were formed",
      "hdfs_ppr_core_formed_member_bytes_total"),
  CORE_MOVED_BYTES("CoreMovedBytesTotal",
      "Bytes that went from node to node to form CORE groups, as planned",
      "hdfs_ppr_core_moved_bytes_total"),
  CONVERTED_FILES("ConvertedFilesTotal", "Files converted", "hdfs_ppr_converted_files_total"),
  CONVERTED_BYTES("ConvertedBytesTotal", "Bytes of file data in converted files",
      "hdfs_ppr_converted_bytes_total"),
  CONVERSION_MOVED_BYTES("ConversionMovedBytesTotal",
      "Bytes that went from node to node for conversions, as planned",
      "hdfs_ppr_conversion_moved_bytes_total"),
  CONVERSION_REFUSED("ConversionRefusedTotal",
      "Files and directories whose conversion was refused"),
  CONVERSION_CHANGED("ConversionChangedTotal",
      "Files that users changed while they were converted"),
  CONVERSION_FAILED("ConversionFailedTotal", "Files whose conversion failed"),
  COMMITS("CommitsTotal", "Commits that have put updates into versions of files",
      "hdfs_ppr_commits_total"),
  COMMITS_FAILED("CommitsFailedTotal", "Commits that have failed; the updates stay in the logs",
      "hdfs_ppr_commits_failed_total"),
  COMMITTED_UPDATES("CommittedUpdatesTotal", "Updates that commits have put into versions",
      "hdfs_ppr_committed_updates_total"),
  COMMITTED_BYTES("CommittedBytesTotal", "Bytes of files that commits have changed in versions",
      "hdfs_ppr_committed_bytes_total");

  /** The name in Metrics2 */
  public final String metric;
  /** What is counted, in Metrics2 */
  public final String words;
  /** The family of the page for Prometheus; null if it has none of its own */
  public final String family;
  /** What is counted, as a sentence of that page */
  public final String help;

  ManagerCounter(String metric, String words) {
    this(metric, words, null);
  }

  /** @param family a family for which the page says the same words, or null */
  ManagerCounter(String metric, String words, String family) {
    this(metric, words, family, words + ".");
  }

  ManagerCounter(String metric, String words, String family, String help) {
    this.metric = metric;
    this.words = words;
    this.family = family;
    this.help = help;
  }
}
