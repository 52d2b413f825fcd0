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

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A number of the manager's status, with its names and words in all places that show it: the JSON
 * document, the record {@code PprNameNode} of Metrics2, and the page for Prometheus. The document's
 * name is that of the constant, so that operators' programs depend on it.
 */
@InterfaceAudience.Private
public enum StatusNumber {
  /** Prometheus has these by spare units. */
  GROUPS_QUEUED("GroupsQueued", "Groups that wait", null),
  UNRECOVERABLE("GroupsUnrecoverable", "Waiting groups that have lost too many units",
      "hdfs_ppr_groups_unrecoverable"),
  RECOVERABLE_THROUGH_CORE("GroupsRecoverableThroughCore",
      "Groups that have lost more units than their code can rebuild, and that CORE repairs",
      "hdfs_ppr_groups_recoverable_through_core",
      "Groups that have lost too many units for their code, and are repaired through CORE."),
  READ_DEGRADED("GroupsReadDegraded", "Waiting groups that clients read degraded",
      "hdfs_ppr_groups_read_degraded", "Waiting groups that clients read."),
  DOUBTED("GroupsDoubted",
      "Groups whose units contradict each other, so that one is wrong; they are kept from stock,"
          + " also while stock schedules repairs",
      "hdfs_ppr_groups_doubted", "Groups with a wrong unit."),
  SUSPECTED("GroupsSuspected",
      "Groups in which one node found units that contradict each other; another node repairs"
          + " them next, and they are kept from stock until then",
      "hdfs_ppr_groups_suspected",
      "Groups in which one node found units that contradict each other."),
  REPAIRS_IN_FLIGHT("RepairsInFlight", "Repairs under way",
      "hdfs_ppr_repairs_in_flight", "Commands under way."),
  AGENTS("Agents", "DataNodes that run the extension",
      "hdfs_ppr_agents", "DataNodes that run the extension and are not silent."),
  QUARANTINED("NodesQuarantined", "DataNodes kept out of repairs",
      "hdfs_ppr_nodes_quarantined"),
  DATA_NODES("DataNodes", "Live DataNodes, with the extension or without",
      "hdfs_ppr_data_nodes"),
  DATA_NODES_SILENT("DataNodesSilent",
      "Live DataNodes that have missed several heartbeats, so that they may be gone",
      "hdfs_ppr_data_nodes_silent"),
  AT_RISK("GroupsAtRisk", "Groups without a spare unit, waiting, in repair or with stock",
      "hdfs_ppr_groups_at_risk",
      "Groups, waiting, in repair or with stock, that lose data if one more unit is lost."),
  WAITING_FOR_STOCK("GroupsWaitingForStock", "Groups that are about to be handed to stock",
      "hdfs_ppr_groups_waiting_for_stock"),
  WITH_STOCK("GroupsWithStock", "Groups that stock has for a time",
      "hdfs_ppr_groups_with_stock");

  /** The name in Metrics2 */
  final String metric;
  /** What the number is, in Metrics2 */
  final String words;
  /** The family of the page for Prometheus; null if it has none of its own */
  public final String family;
  /** What the number is, as a sentence of that page */
  public final String help;

  /** @param family a family for which the page says the same words, or null */
  StatusNumber(String metric, String words, String family) {
    this(metric, words, family, words + ".");
  }

  StatusNumber(String metric, String words, String family, String help) {
    this.metric = metric;
    this.words = words;
    this.family = family;
    this.help = help;
  }

  /** @return the name of the field in the JSON document */
  public String field() {
    return name().toLowerCase(Locale.ROOT);
  }
}
