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
import org.hdfsppr.namenode.manage.launch.DestinationObstacle;
import org.hdfsppr.namenode.manage.launch.DestinationRules;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeState;
import org.hdfsppr.namenode.schedule.QueuedGroup;
import org.hdfsppr.namenode.track.FailedTry;
import org.hdfsppr.namenode.track.RelaxedRule;
import org.hdfsppr.namenode.track.RepairProgress;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/**
 * Collects the facts about one group from the manager's parts. It takes no lock of the NameNode,
 * but for two look-ups, and changes nothing. Its work grows with the number of DataNodes only. Used
 * by the manager's thread.
 */
@InterfaceAudience.Private
public final class FactCollector {
  private final ManagerKnowledge known;
  private final Fleet fleet;
  private final DestinationRules compromises;

  /**
   * @param known the state and the settings that the manager's parts share
   * @param fleet the load of each DataNode
   * @param compromises says which nodes may be destinations
   */
  public FactCollector(ManagerKnowledge known, Fleet fleet, DestinationRules compromises) {
    this.known = known;
    this.fleet = fleet;
    this.compromises = compromises;
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
    facts.end = known.retries.notes.end(number);
    facts.version = known.cluster.versionOf(number).orElse("");
    GroupId group = known.groups.find(number).orElse(null);
    if (group == null) {
      return facts;
    }
    facts.state = known.groups.state(group);
    facts.isDoubtOpen = known.doubts.isOpen(group);
    facts.isSuspected = known.doubts.isSuspected(group);
    facts.failures = known.retries.failures(group);
    facts.retryAtMs = known.retries.notBeforeMs(group);
    facts.concessions = EnumSet.allOf(RelaxedRule.class).stream()
        .filter(one -> known.groups.hasConceded(group, one)).collect(Collectors.toSet());
    ofNotes(facts, group);
    known.tracker.grant(group).ifPresent(record -> {
      facts.repair = known.tracker.byGroup(group).map(RepairProgress::new);
      facts.topology = record.assignment.topology;
    });
    known.queue.entry(group).ifPresent(queued -> ofQueued(facts, queued));
    return facts;
  }

  private void ofCluster(GroupFacts.OfCluster facts, long nowMs) {
    facts.isActive = known.charge.isActive();
    facts.isInSafeMode = !facts.isActive && known.cluster.isInSafeMode();
    facts.isInCharge = known.charge.isInCharge();
    facts.isAllowed = known.charge.isAllowed();
    facts.isListening = !known.charge.hasListened(nowMs);
    facts.closedForMs = known.charge.closedForMs(nowMs);
    facts.why = known.charge.why(nowMs);
    facts.pause = known.pauses.pause();
    facts.leftToStock = known.pauses.leftToStock();
    facts.waiting = known.queue.size();
    facts.inFlight = known.tracker.size();
    facts.inFlightMax = known.settings.inFlightMax;
  }

  private void ofNotes(GroupFacts facts, GroupId group) {
    facts.noPlan = known.retries.notes.noPlan(group);
    facts.notBegun = known.retries.notes.notBegun(group);
    facts.whyNotBegun = known.retries.notes.whyNotBegun(group);
    facts.tries = known.retries.notes.tries(group);
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
    return known.cluster.find(uuid).map(FactCollector::nameOf).orElse(uuid);
  }

  private static String nameOf(NodeRef node) {
    return node.hostName + ":" + node.xferPort;
  }

  private void ofQueued(GroupFacts facts, QueuedGroup queued) {
    LostGroup group = queued.group;
    facts.queued = Optional.of(queued);
    facts.delayUntilMs = known.settings.delayMs == 0 ? Long.MIN_VALUE
        : group.sinceMs + known.settings.delayMs;
    if (queued.place() == QueuedGroup.Place.PARKED) {
      facts.parkedAt = queued.parkedAt() < 0 ? "a rack's link to other racks"
          : nameOf(fleet.node(queued.parkedAt()).ref());
    }
    Set<String> occupied = group.occupied().stream().map(ref -> ref.uuid)
        .collect(Collectors.toCollection(HashSet::new));
    for (NameNodeView.LiveNode one : known.cluster.nodes()) {
      DestinationObstacle why = obstacle(group, one, occupied);
      if (why == null) {
        facts.destinations.accept();
      } else {
        facts.destinations.refuse(why, nameOf(one.node));
      }
    }
    List<String> keptOut = new ArrayList<>();
    group.live.forEach(holder -> {
      if (known.agents.distrusted().contains(holder.node.uuid) || isQuarantined(holder.node)) {
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
  private DestinationObstacle obstacle(LostGroup group, NameNodeView.LiveNode one,
      Set<String> occupied) {
    NodeRef node = one.node;
    if (occupied.contains(node.uuid)) {
      return DestinationObstacle.HOLDS_UNIT;
    }
    if (!known.agents.live(node.uuid).isPresent()) {
      return DestinationObstacle.NO_AGENT;
    }
    if (!one.acceptsBlocks) {
      return DestinationObstacle.NO_NEW_BLOCKS;
    }
    if (isQuarantined(node)) {
      return DestinationObstacle.QUARANTINED;
    }
    return compromises.obstacle(group, node).orElse(null);
  }
}
