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
package org.hdfsppr.namenode.manage.launch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.namenode.manage.endings.RepairAborts;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.RepairDispatcher;
import org.hdfsppr.namenode.schedule.RepairProposal;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.track.GrantRecord;
import org.hdfsppr.namenode.track.RelaxedRule;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the repairs that the dispatcher has planned. The NameNode records them as pending, and
 * {@link RepairCommandSequencer} orders their commands. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class RepairLauncher {
  private static final Logger LOG = LoggerFactory.getLogger(RepairLauncher.class);
  /**
   * The greatest number of repairs that begin in one cycle. To plan this number takes some tens of
   * milliseconds.
   */
  private static final int STARTS_MAX = 500;
  /** Pause of a group whose repair could not begin because nodes are at work on the group, ms. */
  private static final long AGAIN_MS = 1_000;

  private final ManagerKnowledge known;
  private final PeerLog peerLog = new PeerLog(LOG);
  private final RepairDispatcher dispatcher;
  private final Fleet fleet;
  private final WaitingGroups waiting;
  private final DestinationRules compromises;
  private final RepairCommandSequencer orders;
  private final RepairAborts aborts;

  /**
   * @param known the state and the settings that the manager's parts share
   * @param dispatcher chooses the repairs that begin now
   * @param fleet the load of each DataNode
   * @param waiting puts groups into the queue
   * @param compromises decides which rules are relaxed for a group if no plan is found
   * @param orders sends commands to DataNodes
   * @param aborts gives up failed repairs that the NameNode still has as pending
   */
  public RepairLauncher(ManagerKnowledge known, RepairDispatcher dispatcher, Fleet fleet,
      WaitingGroups waiting,
      DestinationRules compromises, RepairCommandSequencer orders, RepairAborts aborts) {
    this.known = known;
    this.dispatcher = dispatcher;
    this.fleet = fleet;
    this.waiting = waiting;
    this.compromises = compromises;
    this.orders = orders;
    this.aborts = aborts;
  }

  /**
   * Plans and begins as many repairs as there is room for.
   *
   * @param nowMs the time now, monotonic, ms
   * @param roomMax how many repairs may begin
   */
  public void start(long nowMs, int roomMax) {
    int room = Math.min(STARTS_MAX, roomMax);
    if (room <= 0) {
      return;
    }
    long planningStart = System.nanoTime();
    List<RepairProposal> proposals = dispatcher.dispatch(nowMs, room);
    known.metrics.count(ManagerCounter.PLANS, proposals.size());
    known.metrics.count(ManagerCounter.PLANNING_NANOS, System.nanoTime() - planningStart);
    // Repairs that are still in this set at the end did not begin. They give back their loads, and
    // their groups are tried again. This also holds after an exception.
    Set<RepairProposal> unsettled = new LinkedHashSet<>(proposals);
    // The plans that may not begin any more, and why: the manager plans their groups anew.
    Map<RepairProposal, String> outdated = new HashMap<>();
    try {
      compromises.settle(known.charge.judgesSilence(nowMs), nowMs);
      Set<Long> atWork = proposals.isEmpty() ? Collections.emptySet()
          : known.agents.groupsAtWork((uuid, running) -> isBelieved(uuid, running, nowMs));
      // A group waits if another NameNode has ordered its repair, or if a DataNode still runs a
      // repair that this manager gave up. It is not known where such a repair puts its units.
      Set<Long> unknown = atWork.isEmpty() ? Collections.emptySet()
          : known.agents.groupsAtWork((uuid, running) -> isBelieved(uuid, running, nowMs)
              && known.tracker.byId(running.repairId).isEmpty());
      List<RepairProposal> free = proposals.stream()
          .filter(one -> !atWork.contains(groupOf(one).id.groupId)
              && !isBeside(groupOf(one), unknown))
          .collect(Collectors.toList());
      Predicate<Assignment> isApart = known.core.apart();
      for (RepairProposal one : free) {
        if (!known.core.mayRead(one.assignment().get())) {
          outdated.put(one, "its plan reads a column of CORE with a block that may be wrong");
        } else if (!isApart.test(one.assignment().get())) {
          outdated.put(one,
              "its plan did not know a row of its CORE group, or where that row is repaired");
        }
      }
      Map<Boolean, List<RepairProposal>> byRackRule = free.stream()
          .filter(one -> !outdated.containsKey(one))
          .collect(Collectors.partitioningBy(
              one -> known.groups.hasConceded(groupOf(one).id, RelaxedRule.ANY_RACK)));
      for (boolean onAnyRack : new boolean[] {false, true}) {
        begin(byRackRule.get(onAnyRack), onAnyRack, nowMs, unsettled);
      }
    } finally {
      unsettled.forEach(one -> {
        fleet.remove(one.load);
        known.retries.notes.notBegun(groupOf(one).id, BeginResult.Refusal.AT_WORK,
            outdated.getOrDefault(one,
                "a DataNode is still at work on it, or on another row of its CORE group"));
        // An outdated plan is made again at once. The new plan takes account of the doubt, or of
        // the destinations of the other rows.
        waiting.put(groupOf(one), outdated.containsKey(one) ? nowMs : nowMs + AGAIN_MS);
      });
    }
  }

  /** Returns whether a group shares columns of CORE with one of {@code others}. */
  private boolean isBeside(LostGroup group, Set<Long> others) {
    return !others.isEmpty() && known.core.recordedBeside(group.id.groupId).stream()
        .anyMatch(other -> others.contains(other.groupId));
  }

  private static LostGroup groupOf(RepairProposal proposal) {
    return proposal.assignment().get().group;
  }

  /**
   * Returns whether a DataNode's claim to run a repair is believed. A false claim must not keep the
   * group from being repaired.
   */
  private boolean isBelieved(String uuid, RunningRepair running, long nowMs) {
    return known.tracker.isOrdered(running.repairId, uuid, running.groupId)
        || known.charge.isOthersTurn(running.term, nowMs);
  }

  /**
   * Returns whether every byte has to be checked. This is so if the group's units may contradict
   * each other. It is also so if a node that seems to calculate wrongly takes part in the repair or
   * stores a unit that the repair reads, provided that one more unit can be read than the repair
   * needs.
   */
  private boolean isToBeChecked(Assignment one) {
    LostGroup group = one.group;
    return known.groups.isDoubtOpen(group.id)
        || Stream.concat(one.helpers.stream(), one.targets.stream())
            .anyMatch(holder -> known.agents.distrusted().contains(holder.node.uuid))
        && group.live.stream().map(holder -> holder.unit).distinct().count() > group.unitsToDecode()
        && !known.groups.hasConceded(group.id, RelaxedRule.UNCHECKED);
  }

  private Assignment asToOrder(Assignment one) {
    Assignment order = known.groups.hasConceded(one.group.id, RelaxedRule.ANY_STORAGE)
        ? one.onAnyStorage() : one;
    order = known.groups.hasConceded(one.group.id, RelaxedRule.ON_COLUMN)
        ? order.besideColumn() : order;
    return isToBeChecked(order) ? order.doubted() : order;
  }

  /**
   * Begins repairs in the NameNode, and orders those that it grants.
   *
   * @param unsettled the plans whose loads the caller would give back; this method removes those
   *     whose loads it gives back or passes on itself
   */
  private void begin(List<RepairProposal> proposals, boolean onAnyRack, long nowMs,
      Set<RepairProposal> unsettled) {
    if (proposals.isEmpty()) {
      return;
    }
    List<Assignment> assignments = new ArrayList<>();
    proposals.forEach(proposal -> assignments.add(asToOrder(proposal.assignment().get())));
    List<BeginResult> begun = known.books.begin(known.books.term(), assignments, onAnyRack);
    int settled = 0;
    try {
      for (; settled < begun.size(); settled++) {
        RepairProposal proposal = proposals.get(settled);
        // From now on, settle() gives back the load of this plan if its repair does not begin.
        unsettled.remove(proposal);
        settle(proposal, begun.get(settled), nowMs);
      }
    } finally {
      // After an exception, the manager would send no commands for the rest of the repairs, so it
      // gives them up.
      begun.subList(settled, begun.size())
          .forEach(result -> result.grant().ifPresent(aborts::add));
    }
  }

  private void settle(RepairProposal proposal, BeginResult result, long nowMs) {
    try {
      if (result.grant().isPresent()) {
        GroupId group = result.assignment.group.id;
        GrantRecord record = known.tracker.open(result.assignment, result.grant().get(),
            proposal.load, (long) (proposal.secondsMax * 1000), known.retries.failures(group));
        known.groups.begun(group);
        known.retries.notes.begun(group);
        orders.orderNext(record, nowMs);
      } else {
        fleet.remove(proposal.load);
        compromises.refused(result, nowMs);
      }
    } catch (RuntimeException | LinkageError e) {
      // The repairs of the other groups have begun, too. An error in one group must not keep them
      // from being ordered.
      peerLog.error(e.getClass().getName(), "{} cannot be ordered", result, e);
      takeBack(proposal, result);
    }
  }

  /**
   * Ends a repair that could not be ordered, and gives back its load. Its group is tried again
   * after a pause.
   */
  private void takeBack(RepairProposal proposal, BeginResult result) {
    GroupId group = result.assignment.group.id;
    fleet.remove(proposal.load);
    known.retries.failed(group, null, false);
    known.metrics.failed(result.assignment.group.policy.codec, EndReason.ERROR);
    result.grant().ifPresent(grant -> {
      // Another repair of the group, if one is under way, goes on.
      known.tracker.grant(group).filter(record -> record.grant == grant).ifPresent(record -> {
        known.tracker.end(record, false);
        known.groups.failed(group);
      });
      aborts.add(grant);
    });
  }
}
