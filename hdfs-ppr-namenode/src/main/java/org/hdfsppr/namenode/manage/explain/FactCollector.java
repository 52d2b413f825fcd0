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
package org.hdfsppr.namenode.manage.explain;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.charge.Charge;
import org.hdfsppr.namenode.manage.charge.PauseKeeper;
import org.hdfsppr.namenode.manage.launch.Compromises;
import org.hdfsppr.namenode.manage.launch.Obstacle;
import org.hdfsppr.namenode.manage.nodes.Agents;
import org.hdfsppr.namenode.manage.nodes.ClusterWatch;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeState;
import org.hdfsppr.namenode.schedule.QueuedGroup;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.track.Concession;
import org.hdfsppr.namenode.track.Doubts;
import org.hdfsppr.namenode.track.FailedTry;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.RepairProgress;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.RetryPolicy;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/**
 * Collects the facts about one group from the manager's parts. It takes no lock of the NameNode,
 * but for two look-ups, and changes nothing. Its work grows with the number of DataNodes only. Used
 * by the manager's thread.
 */
@InterfaceAudience.Private
public final class FactCollector {
  private final ClusterWatch cluster;
  private final Charge charge;
  private final PauseKeeper pauses;
  private final Agents agents;
  private final Fleet fleet;
  private final RepairQueue queue;
  private final RepairTracker tracker;
  private final GroupBook groups;
  private final Doubts doubts;
  private final RetryPolicy retries;
  private final Compromises compromises;
  private final long delayMs;
  private final int inFlightMax;

  /**
   * @param cluster the NameNode's DataNodes, as of the last look
   * @param charge says whether this NameNode schedules repairs
   * @param pauses says whether an operator has paused repairs
   * @param agents the DataNodes that run the extension
   * @param fleet the load of each DataNode
   * @param queue the groups that wait for a repair
   * @param tracker the repairs under way
   * @param groups the state of each group
   * @param doubts the groups whose units may contradict each other
   * @param retries the history of failed repairs, and notes of what was tried
   * @param compromises says which nodes may be destinations
   * @param delayMs how long groups wait for lost nodes to come back, ms
   * @param inFlightMax how many repairs may be under way
   */
  public FactCollector(ClusterWatch cluster, Charge charge, PauseKeeper pauses, Agents agents,
      Fleet fleet, RepairQueue queue, RepairTracker tracker, GroupBook groups, Doubts doubts,
      RetryPolicy retries, Compromises compromises, long delayMs, int inFlightMax) {
    this.cluster = cluster;
    this.charge = charge;
    this.pauses = pauses;
    this.agents = agents;
    this.fleet = fleet;
    this.queue = queue;
    this.tracker = tracker;
    this.groups = groups;
    this.doubts = doubts;
    this.retries = retries;
    this.compromises = compromises;
    this.delayMs = delayMs;
    this.inFlightMax = inFlightMax;
  }

  /**
   * Explains why a group is not repaired yet.
   *
   * @param number the group's id, without its generation stamp
   * @param nowMs the time now, monotonic, ms
   * @return the explanation, as of this cycle
   */
  public Explanation explain(long number, long nowMs) {
    return Explainer.explain(collect(number, nowMs));
  }

  private GroupFacts collect(long number, long nowMs) {
    GroupFacts facts = new GroupFacts(number, nowMs);
    ofCluster(facts.cluster, nowMs);
    facts.end = retries.notes.end(number);
    facts.version = cluster.versionOf(number).orElse("");
    GroupId group = groups.find(number).orElse(null);
    if (group == null) {
      return facts;
    }
    facts.state = groups.state(group);
    facts.isDoubtOpen = doubts.isOpen(group);
    facts.isSuspected = doubts.isSuspected(group);
    facts.failures = retries.failures(group);
    facts.retryAtMs = retries.notBeforeMs(group);
    facts.concessions = EnumSet.allOf(Concession.class).stream()
        .filter(one -> groups.hasConceded(group, one)).collect(Collectors.toSet());
    ofNotes(facts, group);
    tracker.grant(group).ifPresent(record -> {
      facts.repair = tracker.byGroup(group).map(RepairProgress::new);
      facts.topology = record.assignment.topology;
    });
    queue.entry(group).ifPresent(queued -> ofQueued(facts, queued));
    return facts;
  }

  private void ofCluster(GroupFacts.OfCluster facts, long nowMs) {
    facts.isActive = charge.isActive();
    facts.isInSafeMode = !facts.isActive && cluster.isInSafeMode();
    facts.isInCharge = charge.isInCharge();
    facts.isAllowed = charge.isAllowed();
    facts.isListening = !charge.hasListened(nowMs);
    facts.closedForMs = charge.closedForMs(nowMs);
    facts.why = charge.why(nowMs);
    facts.pause = pauses.pause();
    facts.leftToStock = pauses.leftToStock();
    facts.waiting = queue.size();
    facts.inFlight = tracker.size();
    facts.inFlightMax = inFlightMax;
  }

  private void ofNotes(GroupFacts facts, GroupId group) {
    facts.noPlan = retries.notes.noPlan(group);
    facts.notBegun = retries.notes.notBegun(group);
    facts.whyNotBegun = retries.notes.whyNotBegun(group);
    facts.tries = retries.notes.tries(group);
    facts.tried = facts.tries.stream().map(one -> inWords(one, facts.nowMs))
        .collect(Collectors.toList());
    if (!facts.tries.isEmpty()) {
      facts.lastNode =
          facts.tries.get(facts.tries.size() - 1).node().map(this::nameOf).orElse("");
    }
  }

  private String inWords(FailedTry failed, long nowMs) {
    String cause = failed.cause().map(Enum::name).orElse("")
        + failed.node().map(uuid -> " at " + nameOf(uuid)).orElse("");
    return Words.ago(nowMs - failed.endedMs) + ": " + failed.text
        + (cause.isEmpty() ? "" : " (" + cause.trim() + ")");
  }

  /** Returns a node as HOST:PORT; its UUID if it is not live. */
  private String nameOf(String uuid) {
    return cluster.find(uuid).map(FactCollector::nameOf).orElse(uuid);
  }

  private static String nameOf(NodeRef node) {
    return node.hostName + ":" + node.xferPort;
  }

  private void ofQueued(GroupFacts facts, QueuedGroup queued) {
    LostGroup group = queued.group;
    facts.queued = Optional.of(queued);
    facts.delayUntilMs = delayMs == 0 ? Long.MIN_VALUE : group.sinceMs + delayMs;
    if (queued.place() == QueuedGroup.Place.PARKED) {
      facts.parkedAt = queued.parkedAt() < 0 ? "a rack's link to other racks"
          : nameOf(fleet.node(queued.parkedAt()).ref());
    }
    Set<String> occupied = group.occupied().stream().map(ref -> ref.uuid)
        .collect(Collectors.toCollection(HashSet::new));
    for (NameNodeView.LiveNode one : cluster.nodes()) {
      Obstacle why = obstacle(group, one, occupied);
      if (why == null) {
        facts.destinations.accept();
      } else {
        facts.destinations.refuse(why, nameOf(one.node));
      }
    }
    List<String> keptOut = new ArrayList<>();
    group.live.forEach(holder -> {
      if (agents.distrusted().contains(holder.node.uuid) || isQuarantined(holder.node)) {
        keptOut.add(nameOf(holder.node));
      }
    });
    facts.keptOutHolders = keptOut;
  }

  private boolean isQuarantined(NodeRef node) {
    NodeState state = fleet.find(node);
    return state != null && state.isQuarantined();
  }

  /** Returns why the node may not be the group's destination, or null if it may. */
  private Obstacle obstacle(LostGroup group, NameNodeView.LiveNode one, Set<String> occupied) {
    NodeRef node = one.node;
    if (occupied.contains(node.uuid)) {
      return Obstacle.HOLDS_UNIT;
    }
    if (!agents.live(node.uuid).isPresent()) {
      return Obstacle.NO_AGENT;
    }
    if (!one.acceptsBlocks) {
      return Obstacle.NO_NEW_BLOCKS;
    }
    if (isQuarantined(node)) {
      return Obstacle.QUARANTINED;
    }
    return compromises.obstacle(group, node).orElse(null);
  }
}
