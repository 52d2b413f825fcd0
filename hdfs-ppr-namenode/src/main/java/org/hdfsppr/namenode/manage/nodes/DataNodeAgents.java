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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.util.Time;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.ReadGroup;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.namenode.doctor.NodeFacts;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.rpc.WaitingCall;
import org.hdfsppr.plan.NodeRef;

/**
 * The DataNodes that run this project's plugin, as their heartbeats report. The server accepts
 * heartbeats only from the NameNode's live DataNodes, which bounds the number of entries.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class DataNodeAgents {
  /**
   * The time without a heartbeat after which a node counts as silent, ms: ten heartbeats. Stock
   * counts a node as dead only after more than ten minutes.
   */
  public static final long SILENCE_MS_MAX = 10_000;

  /**
   * The greatest number of groups on which one node can claim to be at work. It equals the greatest
   * number of orders that can wait for a node.
   */
  public static final int AT_WORK_MAX = DataNodeAgent.ORDERS_MAX;

  /**
   * How long a DataNode that became silent is remembered, ms. An operator may have removed the
   * plugin on purpose, and then needs no reminder for ever.
   */
  static final long SILENT_KEPT_MS = 3_600_000;
  /** How many silent DataNodes are remembered at most. No cluster has more DataNodes. */
  static final int SILENT_MAX = 20_000;

  /** The orders of DataNodes, except repairs, until they have ended */
  public final OrderBook orders = new OrderBook();
  private final LongSupplier clockMs;
  private final LongSupplier wallClockMs;
  private final Map<String, DataNodeAgent> agents = new ConcurrentHashMap<>();
  /** The nodes that {@link #tidy} has forgotten because they are silent. */
  private final Map<String, DataNodeAgent> silent = new ConcurrentHashMap<>();
  private final LateCancels lateCancels = new LateCancels();
  private volatile Set<String> distrusted = Set.of();

  /** @param clockMs the time, monotonic, ms */
  public DataNodeAgents(LongSupplier clockMs) {
    this(clockMs, Time::now);
  }

  /**
   * Makes an instance that compares the clocks of DataNodes with a clock of its own.
   *
   * @param clockMs the time, monotonic, ms
   * @param wallClockMs the time of day, ms since 1970 (UTC)
   */
  public DataNodeAgents(LongSupplier clockMs, LongSupplier wallClockMs) {
    this.clockMs = clockMs;
    this.wallClockMs = wallClockMs;
  }

  /**
   * Takes note of a heartbeat.
   *
   * @param request the node's heartbeat
   * @param wantsResident whether the scheduler asks for the blocks that a node has in memory
   * @return the state of that DataNode, with this heartbeat
   */
  public DataNodeAgent hear(HeartbeatRequest request, boolean wantsResident) {
    DataNodeAgent agent = agents.computeIfAbsent(request.node.uuid, uuid -> new DataNodeAgent());
    // The answer to this heartbeat brings the node these cancellations.
    lateCancels.take(request.node.uuid).forEach(agent::cancel);
    agent.hear(request, clockMs.getAsLong(), wallClockMs.getAsLong(), wantsResident);
    silent.remove(request.node.uuid);
    return agent;
  }

  /**
   * @param uuid the DataNode's UUID
   * @return the DataNode, if it is not silent
   */
  public Optional<DataNodeAgent> live(String uuid) {
    DataNodeAgent agent = agents.get(uuid);
    return agent != null && isLive(agent) ? Optional.of(agent) : Optional.empty();
  }

  /**
   * @param uuid the DataNode's UUID
   * @param features bits of {@link CommandFeatures}
   * @return whether the DataNode is not silent, and knows all of them
   */
  public boolean knows(String uuid, long features) {
    return live(uuid).filter(agent -> agent.knows(features)).isPresent();
  }

  /**
   * @param uuid the DataNode's UUID
   * @param features bits of {@link CommandFeatures}
   * @return whether the DataNode is not silent, knows all of them, and does not seem to calculate
   *     wrongly
   */
  public boolean canWork(String uuid, long features) {
    return !distrusted.contains(uuid) && knows(uuid, features);
  }

  /**
   * Orders a DataNode to do something; see {@link DataNodeAgent#order}.
   *
   * @param uuid the DataNode's UUID
   * @param command what it is to do
   * @return false if the DataNode is silent, or too many orders wait for it
   */
  public boolean order(String uuid, ManagerCommand command) {
    return live(uuid).filter(agent -> agent.order(command)).isPresent();
  }

  /**
   * Cancels an order of a DataNode. If the DataNode is silent, or becomes silent before it fetches
   * the cancellation, the answer to its next heartbeat brings the cancellation.
   *
   * @param uuid the DataNode's UUID
   * @param command names the job to stop
   */
  public void cancel(String uuid, CancelCommand command) {
    DataNodeAgent agent = live(uuid).orElse(null);
    if (agent == null) {
      lateCancels.add(uuid, command);
      return;
    }
    agent.cancel(command);
    if (agents.get(uuid) != agent) {
      // The agent has just been forgotten, and tidy() has not seen the cancellation.
      keepCancels(uuid, agent);
    }
  }

  /** Keeps the cancellations that a DataNode has not fetched, because the agent is forgotten. */
  private void keepCancels(String uuid, DataNodeAgent agent) {
    agent.takeCancels().forEach(command -> lateCancels.add(uuid, command));
  }

  /**
   * Keeps the call of a DataNode until there are orders for it.
   *
   * @param uuid the DataNode's UUID
   * @param waitMs how long the call may be kept, ms
   * @param call the call
   * @throws RetriableException if the DataNode has not sent a heartbeat lately
   */
  public void awaitOrders(String uuid, int waitMs, WaitingCall call) throws RetriableException {
    DataNodeAgent agent = live(uuid).orElseThrow(() -> new RetriableException("DataNode " + uuid
        + " has not sent a heartbeat here lately; send one, and then wait for orders"));
    agent.await(call, clockMs.getAsLong() + waitMs);
    if (agents.get(uuid) != agent) {
      // The agent has just been forgotten, so that endWaits() does not see the call.
      agent.endWait(Long.MAX_VALUE);
    }
  }

  /** Answers the calls of DataNodes that have waited for orders for as long as they may. */
  public void endWaits() {
    long now = clockMs.getAsLong();
    agents.values().forEach(agent -> agent.endWait(now));
  }

  private boolean isLive(DataNodeAgent agent) {
    return clockMs.getAsLong() - agent.heardMs() <= SILENCE_MS_MAX;
  }

  /**
   * Sets the nodes that seem to calculate wrongly. They count as nodes without this project's
   * plugin: they do not run repairs and do not sum, and their units are read as stock reads them,
   * with checksums. If a group cannot be repaired without them, the group's plan may use them
   * again.
   *
   * @param uuids UUIDs of these nodes; they replace the UUIDs of the last call
   */
  void distrust(Set<String> uuids) {
    distrusted = Set.copyOf(uuids);
  }

  /** @return UUIDs of the nodes that seem to calculate wrongly */
  public Set<String> distrusted() {
    return distrusted;
  }

  /**
   * @param node the DataNode as its heartbeats describe it
   * @return the same node, without its repair port if it seems to calculate wrongly
   */
  public NodeRef asTrusted(NodeRef node) {
    return distrusted.contains(node.uuid) ? node.withRepairPort(NodeRef.NO_REPAIR_PORT) : node;
  }

  /**
   * @param uuid the DataNode's UUID
   * @return the node's repair port, or {@link NodeRef#NO_REPAIR_PORT} if the node has none or must
   *     not serve repairs
   */
  public int repairPort(String uuid) {
    return distrusted.contains(uuid) ? NodeRef.NO_REPAIR_PORT
        : live(uuid).map(agent -> agent.node().repairPort).orElse(NodeRef.NO_REPAIR_PORT);
  }

  /** @return the DataNodes that are not silent */
  public List<DataNodeAgent> live() {
    List<DataNodeAgent> live = new ArrayList<>(agents.values());
    live.removeIf(agent -> !isLive(agent));
    return live;
  }

  /** Returns how many DataNodes {@link #live} has. */
  int liveCount() {
    int count = 0;
    for (DataNodeAgent agent : agents.values()) {
      count += isLive(agent) ? 1 : 0;
    }
    return count;
  }

  /**
   * @return how many of the DataNodes that are not silent can tell whether clients read old
   *     versions of files
   */
  public int seeingReads() {
    return (int) live().stream().filter(DataNodeAgent::seesReads).count();
  }

  /** Forgets the DataNodes that are silent. */
  public void tidy() {
    agents.forEach((uuid, agent) -> {
      // An agent whose first heartbeat is under way is no silent one.
      if (agent.isHeard() && !isLive(agent)) {
        if (silent.size() < SILENT_MAX) {
          silent.put(uuid, agent);
        }
        agents.remove(uuid, agent);
        keepCancels(uuid, agent);
        agent.endWait(Long.MAX_VALUE);
      }
    });
    long oldest = clockMs.getAsLong() - SILENT_KEPT_MS;
    silent.values().removeIf(agent -> agent.heardMs() < oldest);
  }

  /**
   * @return what each DataNode has said about itself, including those that have become silent in
   *     the last hour
   */
  public List<NodeFacts> facts() {
    long now = clockMs.getAsLong();
    List<NodeFacts> facts = new ArrayList<>();
    agents.forEach((uuid, agent) -> {
      // The first heartbeat of a node may be on its way into the agent.
      if (agent.isHeard()) {
        facts.add(agent.facts(now, !isLive(agent)));
      }
    });
    silent.forEach((uuid, agent) -> {
      if (!agents.containsKey(uuid)) {
        facts.add(agent.facts(now, true));
      }
    });
    facts.removeIf(node -> node.heardMsAgo > SILENT_KEPT_MS);
    return facts;
  }

  /**
   * Collects the groups on which DataNodes claim to be at work. Claims that are not believed are
   * left out.
   *
   * @param believed decides, by a node's UUID, whether the node can be at work on the repair that
   *     it names
   * @return the groups' ids, without generation stamps
   */
  public Set<Long> groupsAtWork(BiPredicate<String, RunningRepair> believed) {
    Set<Long> groups = new HashSet<>();
    for (DataNodeAgent agent : live()) {
      String uuid = agent.node().uuid;
      agent.running().stream().filter(repair -> believed.test(uuid, repair)).limit(AT_WORK_MAX)
          .forEach(repair -> groups.add(repair.groupId));
    }
    return groups;
  }

  /**
   * Returns whether clients have lately read the group degraded. Only reports of nodes that have
   * replicas of the group count, because other nodes cannot have helped such a read.
   *
   * @param group the group, as the NameNode describes it
   * @return whether a node with a replica of the group has reported such a read
   */
  public boolean isReadDegraded(LostGroup group) {
    ReadGroup read = new ReadGroup(group.id.groupId, group.id.generationStamp);
    long now = clockMs.getAsLong();
    for (NodeRef holder : group.occupied()) {
      DataNodeAgent agent = agents.get(holder.uuid);
      if (agent != null && agent.saysReadDegraded(read, now)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Forgets the orders that have not been sent to their DataNodes yet, because another NameNode is
   * in charge.
   */
  public void dropOrders() {
    lateCancels.clear();
    agents.values().forEach(DataNodeAgent::dropOrders);
  }

  /**
   * Cancellations for DataNodes that are silent, until these are heard again. A node whose
   * heartbeats do not arrive goes on with what it was ordered, and later writes a unit that another
   * node has made since. Thread-safe.
   */
  static final class LateCancels {
    /**
     * For how many nodes cancellations are kept at most: several racks. If more nodes are silent,
     * most new versions have lost units anyway. The node with the oldest cancellations is then
     * forgotten, because it is the least likely to come back.
     */
    static final int NODES_MAX = 256;
    /**
     * How many cancellations are kept for one node at most: twice as many as commands for versions
     * wait at a node. Besides these, some commands run, and some are ordered again when the node
     * comes back for a moment.
     */
    static final int ORDERS_MAX = 256;

    /**
     * The cancellations that wait, by the UUID of their DataNode. The DataNode for which some
     * have waited the longest comes first.
     */
    private final Map<String, Deque<CancelCommand>> nodes = new LinkedHashMap<>();

    /** Keeps a cancellation, and drops the oldest one if there are too many. */
    synchronized void add(String uuid, CancelCommand command) {
      if (!nodes.containsKey(uuid) && nodes.size() == NODES_MAX) {
        nodes.remove(nodes.keySet().iterator().next());
      }
      Deque<CancelCommand> cancels = nodes.computeIfAbsent(uuid, node -> new ArrayDeque<>());
      if (cancels.size() == ORDERS_MAX) {
        cancels.remove();
      }
      cancels.add(command);
    }

    /** Returns the cancellations for a node, oldest first, and forgets them. */
    synchronized Iterable<CancelCommand> take(String uuid) {
      Deque<CancelCommand> cancels = nodes.remove(uuid);
      return cancels == null ? new ArrayDeque<>() : cancels;
    }

    synchronized void clear() {
      nodes.clear();
    }
  }
}
