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
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.NodeStatus;
import org.hdfsppr.namenode.manage.status.StatusLists;
import org.hdfsppr.namenode.web.metrics.MetricsText.Family;

/**
 * Writes what repairs in flight still ask of each DataNode that the status lists: at most {@value
 * StatusLists#ENTRIES_MAX} DataNodes, each with five series.
 */
@InterfaceAudience.Private
final class NodeFamilies {
  private NodeFamilies() {
  }

  static void write(ManagerStatus status, MetricsText text) {
    Map<String, NodeStatus> listed = byName(status.nodes());
    text.gauge("hdfs_ppr_nodes_left_out",
        "Live DataNodes without series of their own, because the list is bounded or not made yet.")
        .sample(Math.max(0, status.dataNodes() - listed.size()));
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

  /** Returns the nodes by the value of their label. Two series must not have the same labels. */
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
