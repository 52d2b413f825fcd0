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
package org.hdfsppr.namenode.manage.nodes;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.NodeReport;
import org.hdfsppr.plan.NodeRef;

/**
 * Keeps the fleet, which has the load of each DataNode, up to date with the NameNode's list of
 * DataNodes and with the heartbeats. The fleet also has the nodes without the extension: repairs
 * can read from them, but do not give them rebuilt units. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class FleetKeeper {
  private static final double PERCENT = 100;

  private final Fleet fleet;
  private final NodeCapacity capacity;
  private final DataNodeAgents agents;
  private final Map<String, NodeRef> joined = new HashMap<>();
  private final Map<String, Long> heardMs = new HashMap<>();
  private final Map<String, Boolean> accepting = new HashMap<>();
  private Set<String> quarantined = Collections.emptySet();

  /**
   * Makes an instance for a fleet without nodes.
   *
   * @param fleet the load of each DataNode
   * @param capacity the rates of each node's links and disks, bytes/s
   * @param agents the DataNodes that run this project's plugin
   */
  public FleetKeeper(Fleet fleet, NodeCapacity capacity, DataNodeAgents agents) {
    this.fleet = fleet;
    this.capacity = capacity;
    this.agents = agents;
  }

  /**
   * Updates the fleet with the changes since the last call.
   *
   * @param nodes the live DataNodes
   * @param nowQuarantined UUIDs of the nodes to be kept out of repairs
   */
  public void update(List<NameNodeView.LiveNode> nodes, Set<String> nowQuarantined) {
    Set<String> live = new HashSet<>();
    for (NameNodeView.LiveNode one : nodes) {
      live.add(one.node.uuid);
      update(one, nowQuarantined);
    }
    Set<String> left = new HashSet<>(joined.keySet());
    left.removeAll(live);
    for (String uuid : left) {
      fleet.leave(joined.remove(uuid));
      heardMs.remove(uuid);
      accepting.remove(uuid);
    }
    quarantined = new HashSet<>(nowQuarantined);
  }

  private void update(NameNodeView.LiveNode one, Set<String> nowQuarantined) {
    String uuid = one.node.uuid;
    NodeRef node = one.node.withRepairPort(agents.repairPort(uuid));
    NodeRef before = joined.get(uuid);
    // A node that registers again may have another address, and commands contain the address.
    boolean isNew = before == null || !before.saysTheSameAs(node);
    if (isNew) {
      fleet.join(node, capacity);
      joined.put(uuid, node);
    }
    Optional<DataNodeAgent> agent = agents.live(uuid);
    long heard = agent.map(DataNodeAgent::heardMs).orElse(Long.MIN_VALUE);
    boolean accepts = one.acceptsBlocks && agent.isPresent();
    Long heardBefore = heardMs.put(uuid, heard);
    Boolean acceptedBefore = accepting.put(uuid, accepts);
    if (isNew || heardBefore == null || heardBefore != heard || acceptedBefore != accepts) {
      fleet.report(node, report(agent, accepts));
    }
    if (isNew || nowQuarantined.contains(uuid) != quarantined.contains(uuid)) {
      fleet.quarantine(node, nowQuarantined.contains(uuid));
    }
  }

  /**
   * Makes a plan for a group that needs a node that seems to calculate wrongly. Meanwhile the fleet
   * treats all nodes as if none of them calculated wrongly.
   *
   * @param <T> the type of the plan
   * @param planning makes the plan
   * @return the plan
   */
  public <T> T trusting(Supplier<T> planning) {
    List<NodeRef> distrusted = agents.distrusted().stream().map(joined::get)
        .filter(Objects::nonNull).collect(Collectors.toList());
    try {
      for (NodeRef node : distrusted) {
        agents.live(node.uuid).ifPresent(agent ->
            fleet.join(node.withRepairPort(agent.node().repairPort), capacity));
      }
      return planning.get();
    } finally {
      distrusted.forEach(node -> fleet.join(node, capacity));
    }
  }

  /**
   * Makes a plan for a group that needs a node with which repairs have failed. Meanwhile the fleet
   * keeps out no such node.
   *
   * @param <T> the type of the plan
   * @param planning makes the plan
   * @return the plan
   */
  public <T> T readmitting(Supplier<T> planning) {
    List<NodeRef> out = quarantined.stream().map(joined::get).filter(Objects::nonNull)
        .collect(Collectors.toList());
    try {
      out.forEach(node -> fleet.quarantine(node, false));
      return planning.get();
    } finally {
      out.forEach(node -> fleet.quarantine(node, true));
    }
  }

  private static NodeReport report(Optional<DataNodeAgent> agent, boolean accepts) {
    if (!agent.isPresent()) {
      return new NodeReport(0, 0, 0, Integer.MAX_VALUE, accepts, Collections.emptySet());
    }
    NodeLoad load = agent.get().load();
    NodeReport report = new NodeReport(load.userReadBytesPerSecond,
        load.userWrittenBytesPerSecond,
        load.knowsDisks() ? load.diskUsersBusyPercent / PERCENT : 0, load.freeSlots, accepts,
        agent.get().resident());
    if (load.knowsDisks()) {
      report = report.withDisks(load.diskBytesPerSecond);
    }
    return report.withLimits(limit(load.readLimitBytesPerSecond),
        limit(load.writeLimitBytesPerSecond))
        .withNarrowLinks(agent.get().knowsNarrowLinks())
        .withColumns(agent.get().knows(CommandFeatures.CORE));
  }

  private static double limit(long bytesPerSecond) {
    return bytesPerSecond == NodeLoad.UNLIMITED ? NodeCapacity.UNLIMITED : bytesPerSecond;
  }
}
