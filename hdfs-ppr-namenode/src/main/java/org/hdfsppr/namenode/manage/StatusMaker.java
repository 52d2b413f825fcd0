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
package org.hdfsppr.namenode.manage;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.hdfsppr.namenode.manage.endings.StockHandOver;
import org.hdfsppr.namenode.manage.measure.HistoryRing;
import org.hdfsppr.namenode.manage.measure.LoadMeasure;
import org.hdfsppr.namenode.manage.measure.LossLog;
import org.hdfsppr.namenode.manage.measure.WaitingList;
import org.hdfsppr.namenode.manage.measure.WorkMeter;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgent;
import org.hdfsppr.namenode.manage.nodes.KeptOutNodes;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.status.ManagerFacts;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.Moment;
import org.hdfsppr.namenode.manage.status.NodeStatus;
import org.hdfsppr.namenode.manage.status.RepairPause;
import org.hdfsppr.namenode.manage.status.StatusLists;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.manage.status.WorkStatus;
import org.hdfsppr.namenode.queue.QueueCounts;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeState;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.track.GroupState;
import org.hdfsppr.namenode.track.RepairWork;
import org.hdfsppr.plan.NodeRef;

/**
 * Makes the published status from the state of the manager's parts. No other class reads this state
 * for operators. Used by the manager's thread.
 */
final class StatusMaker {
  /**
   * The lists are made at most once in this time, ms, which is often enough for an operator's page.
   */
  static final long LISTS_EVERY_MS = 1_000;
  /**
   * For each multiple of this number of waiting groups, the time between two makings of the lists
   * is a second longer.
   */
  private static final int LISTED_PER_SECOND = 100_000;

  private final ManagerKnowledge known;
  private final KeptOutNodes keptOut;
  private final Fleet fleet;
  private final StockHandOver handOver;
  private final LossLog losses;
  private final ManagerFacts facts;
  private final DueGroups due;
  private final Clock wallClock;
  private final WorkMeter meter = new WorkMeter();
  private final LoadMeasure loads = new LoadMeasure();
  private final HistoryRing history = new HistoryRing();
  private final WaitingList waiting;
  private StatusLists lists = StatusLists.NONE;
  private long cycle;

  StatusMaker(ManagerKnowledge known, Fleet fleet, KeptOutNodes keptOut, StockHandOver handOver,
      LossLog losses, Clock wallClock) {
    this.known = known;
    this.fleet = fleet;
    this.keptOut = keptOut;
    this.handOver = handOver;
    this.losses = losses;
    this.facts = known.settings.facts(wallClock.millis());
    this.due = new DueGroups(known.queue, known.settings.delayMs);
    this.wallClock = wallClock;
    this.waiting =
        new WaitingList(known.queue, known.groups, known.retries, known.settings.delayMs);
  }

  /**
   * Makes the status of the cycle that ends.
   *
   * @param isNew whether this cycle has looked at the nodes
   * @param wantsLists whether anything has lately asked for the status
   */
  ManagerStatus make(boolean isNew, boolean wantsLists, long nowMs) {
    cycle++;
    Moment now = new Moment(nowMs, wallClock.instant());
    RepairWork work = known.tracker.work();
    if (isNew) {
      losses.look(known.cluster.nodes().stream().map(node -> node.node)
          .collect(Collectors.toList()));
      loads.look(fleet, work.bytesLeft());
    }
    due.look(cycle);
    QueueCounts counts = known.books.counts();
    RepairPause paused = known.pauses.pause().orElse(null);
    boolean listens = known.charge.isActive() && !known.charge.hasListened(nowMs);
    OptionalDouble bound = loads.boundSeconds(known.queue.lostBytes());
    meter.take(work, known.queue.lostBytes(), bound,
        known.charge.isInCharge() && paused == null && !listens,
        work.groups() > 0 || due.isThereAny(), nowMs);
    history.take(nowMs, meter.advancedBytes(), known.queue.size(), known.tracker.size());
    // The NameNode may also hold back groups whose doubt this manager has forgotten.
    int doubted = Math.max(0, counts.heldBack - known.doubts.suspected());
    Map<String, String> out = keptOut.all();
    int withStock = known.groups.count(GroupState.STOCKS_TURN) + counts.released;
    int atRisk = work.atRisk() + known.queue.bySpareUnits().getOrDefault(0, 0)
        + counts.releasedAtRisk;
    if (wantsLists && (lists.made == null
        || nowMs - lists.made.ms >= listsEveryMs())) {
      lists = makeLists(now, counts, doubted, out, paused != null);
    }
    return new ManagerStatus.Builder()
        .made(now, cycle, known.cluster.blockPoolId(), facts)
        .charge(known.charge.isInCharge(), known.charge.why(nowMs), known.books.term(),
            known.charge.closedForMs(nowMs))
        .state(state(listens, paused, atRisk, withStock), listens, paused)
        .leftToStock(known.pauses.leftToStock().orElse(null))
        .queue(known.queue.bySpareUnits())
        .unreadCore(known.charge.unreadCoreRecords())
        .oldestWait(paused != null ? 0 : Math.max(0, nowMs - due.oldestMs().orElse(nowMs)))
        .work(new WorkStatus(work, known.retries.failedRepairs(), known.queue.lostBytes(),
            meter.bytesPerSecond(), meter.etaSeconds(), bound))
        .past(losses.status(), history.history())
        .nodes(out, loads.busiest())
        .handedToStock(handOver.handedOver())
        .set(StatusNumber.GROUPS_QUEUED, known.queue.size())
        .set(StatusNumber.UNRECOVERABLE, known.queue.aside())
        .set(StatusNumber.RECOVERABLE_THROUGH_CORE, known.core.recoverable())
        .set(StatusNumber.READ_DEGRADED, known.queue.readDegraded())
        .set(StatusNumber.DOUBTED, doubted)
        .set(StatusNumber.SUSPECTED, known.doubts.suspected())
        .set(StatusNumber.REPAIRS_IN_FLIGHT, known.tracker.size())
        .set(StatusNumber.AGENTS, known.cluster.participants())
        .set(StatusNumber.DATA_NODES, known.cluster.nodes().size())
        .set(StatusNumber.DATA_NODES_SILENT, known.cluster.silent())
        .set(StatusNumber.AT_RISK, atRisk)
        .set(StatusNumber.WAITING_FOR_STOCK, known.groups.count(GroupState.STOCKS_TURN))
        .set(StatusNumber.WITH_STOCK, counts.released)
        .lock(known.books.lockTimes())
        .lists(lists)
        .build();
  }

  /**
   * Returns the time between two makings of the lists, ms. It grows with the number of waiting
   * groups, because the lists of a million groups take half a second to make.
   */
  private long listsEveryMs() {
    return LISTS_EVERY_MS * (1 + known.queue.size() / LISTED_PER_SECOND);
  }

  private ManagerState state(boolean listens, RepairPause paused, int atRisk, int withStock) {
    if (!known.charge.isActive()) {
      return known.cluster.isInSafeMode() ? ManagerState.STARTING : ManagerState.STANDBY;
    } else if (!known.charge.isInCharge()) {
      return ManagerState.NOT_IN_CHARGE;
    } else if (listens) {
      return ManagerState.STARTING;
    } else if (known.queue.aside() > 0) {
      return ManagerState.DATA_LOST;
    } else if (paused == null && meter.isStuck()) {
      return ManagerState.STUCK;
    } else if (paused != null) {
      return ManagerState.PAUSED;
    } else if (atRisk > 0 || known.core.recoverable() > 0) {
      return ManagerState.AT_RISK;
    }
    return known.queue.size() + known.tracker.size() + withStock > 0 ? ManagerState.REPAIRING
        : ManagerState.OK;
  }

  private StatusLists makeLists(Moment now, QueueCounts counts, int doubted,
      Map<String, String> out, boolean isPaused) {
    StatusLists.Builder some = new StatusLists.Builder().made(now, cycle)
        .repairs(known.tracker.progress(StatusLists.ENTRIES_MAX), known.tracker.size())
        .nodes(lookAtNodes(out), known.cluster.nodes().size())
        .doubts(known.doubts.first(StatusLists.ENTRIES_MAX), doubted + known.doubts.suspected());
    waiting.addTo(some, known.groups.count(GroupState.STOCKS_TURN) + counts.released, isPaused,
        now.ms);
    return some.build();
  }

  private List<NodeStatus> lookAtNodes(Map<String, String> out) {
    List<NodeStatus> some = new ArrayList<>();
    for (NameNodeView.LiveNode live : known.cluster.nodes()) {
      NodeRef node = live.node;
      NodeState state = fleet.find(node);
      if (state != null && some.size() < StatusLists.ENTRIES_MAX) {
        // Unlike {@code live}, the fleet's reference has the repair port if the node may serve
        // repairs.
        some.add(new NodeStatus(state.ref(),
            known.agents.live(node.uuid).map(DataNodeAgent::status)
            .orElse(null), out.get(node.uuid),
            state));
      }
    }
    return some;
  }

  /**
   * Remembers facts that only a walk over all waiting groups can show. While few groups wait, each
   * cycle walks. A walk over a million groups takes some 0.15 seconds, in which no repair begins.
   * There are fewer walks then, and the facts are up to {@code size / WALKED_PER_CYCLE} cycles old.
   * Used by the manager's thread.
   */
  static final class DueGroups {
    /** How many groups a cycle visits at most on average, in one or two milliseconds. */
    static final int WALKED_PER_CYCLE = 10_000;

    private final RepairQueue queue;
    private final long delayMs;
    private OptionalLong oldestMs = OptionalLong.empty();
    private boolean isThereAny;
    private int walked;
    private long nextCycle;

    /**
     * @param delayMs how long a group waits for its nodes to come back before it is repaired, ms
     */
    DueGroups(RepairQueue queue, long delayMs) {
      this.queue = queue;
      this.delayMs = delayMs;
    }

    /**
     * Walks over all waiting groups, if it is time.
     *
     * @param cycle the number of the cycle
     */
    void look(long cycle) {
      int size = queue.size();
      // If many groups have gone at once, the remembered facts may be about groups that do not wait
      // any more.
      if (cycle >= nextCycle || size <= WALKED_PER_CYCLE || size < walked / 2) {
        oldestMs = queue.oldestDueMs(delayMs);
        isThereAny = queue.hasDue(delayMs);
        walked = size;
        nextCycle = cycle + 1 + size / WALKED_PER_CYCLE;
      }
    }

    /**
     * Returns when the oldest group that could be repaired was lost, see {@link
     * RepairQueue#oldestDueMs}.
     */
    OptionalLong oldestMs() {
      return oldestMs;
    }

    /**
     * Returns whether any group waits although it need not wait for its nodes or units to come
     * back.
     */
    boolean isThereAny() {
      return isThereAny;
    }
  }
}
