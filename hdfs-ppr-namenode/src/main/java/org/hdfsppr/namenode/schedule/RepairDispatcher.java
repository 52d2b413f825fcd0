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
package org.hdfsppr.namenode.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which repairs begin now, from the queue, the load of the nodes and the time. It tries
 * groups by priority. A group whose nodes are too busy does not block the groups behind it: it
 * waits at the busiest node and is tried again when that node has less to do. The groups behind it
 * cannot delay it for ever either. After some tries, or at once if one more loss would lose data or
 * an operator wants the group first, the busy nodes of the group take no new repairs of lower
 * priority until the group's repair has begun.
 *
 * <p>This class has no clock and does no I/O. Not thread-safe.
 */
@InterfaceAudience.Private
public final class RepairDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(RepairDispatcher.class);
  /** How often a group must have waited for busy nodes before these nodes are kept free for it. */
  private static final int PARKINGS_MAX = 16;
  /**
   * One group may keep its busy nodes free, and one group more for every {@value} nodes of the
   * fleet. Because of this limit, only some per cent of the nodes take no new repairs.
   */
  private static final int NODES_PER_HOLDER = 256;
  /**
   * How many groups that wait for a node or rack are tried when that node or rack has less to do.
   * Where links are busy everywhere, most of these groups only find another busy link, and to try
   * all groups at once would cost more than it gains. Later calls try more of them, see {@link
   * #again}, so that no group is forgotten.
   */
  private static final int WAKES_MAX = 2;
  /** At how many nodes and racks of {@link #again} one call tries groups. */
  private static final int AGAIN_MAX = 64;
  /** How long a group without a plan waits before the next try, ms. */
  private static final long RETRY_MS = 10_000;
  /**
   * How many plans one call makes at most for each repair that it may begin. This bounds the time
   * of a call to some tens of milliseconds. The next call goes on with the other groups.
   */
  private static final int TRIES_PER_START = 16;
  private static final int TRIES_MIN = 256;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final RepairQueue queue;
  private final Fleet fleet;
  private final RepairScheduler scheduler;
  private final RepairAdmission admission;
  private final DestinationFilter filter;
  private final BiConsumer<LostGroup, NoPlanReason> refused;
  private final NodeReservations holds;
  private final RepairReplanner secondLook;
  /**
   * Nodes and racks that may have room for more groups than have been tried there. A group that
   * waits there is tried in a later call.
   */
  private final Set<Integer> again = new LinkedHashSet<>();
  private long plans;

  /**
   * Makes a dispatcher that reports no refusals.
   *
   * @param queue the groups that wait for a repair
   * @param fleet the load of each DataNode
   * @param scheduler plans one repair
   * @param admission says which nodes are too busy
   * @param filter decides whether a node may be the destination of a group
   */
  public RepairDispatcher(RepairQueue queue, Fleet fleet, RepairScheduler scheduler,
      RepairAdmission admission,
      DestinationFilter filter) {
    this(queue, fleet, scheduler, admission, filter, (group, why) -> { });
  }

  /**
   * Makes a dispatcher that reports groups without a plan.
   *
   * @param queue the groups that wait for a repair
   * @param fleet the load of each DataNode; it must have been made with the scheduler's rank
   * @param scheduler plans one repair
   * @param admission says which nodes are too busy
   * @param filter decides whether a node may be the destination of a group
   * @param refused called for each group without a plan; the group stays in the queue for a later
   *     try
   */
  public RepairDispatcher(RepairQueue queue, Fleet fleet, RepairScheduler scheduler,
      RepairAdmission admission,
      DestinationFilter filter, BiConsumer<LostGroup, NoPlanReason> refused) {
    this.refused = Objects.requireNonNull(refused, "refused");
    this.queue = Objects.requireNonNull(queue, "queue");
    this.fleet = Objects.requireNonNull(fleet, "fleet");
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    this.admission = Objects.requireNonNull(admission, "admission");
    this.filter = Objects.requireNonNull(filter, "filter");
    this.holds = new NodeReservations(queue);
    this.secondLook = new RepairReplanner(fleet, scheduler, filter, (first, load) ->
        admission.mayReplace(fleet, first, load) && !holds.isAnyHeld(load),
        load -> admission.mostSeconds(fleet, load));
  }

  /**
   * Takes out of the queue the groups whose repairs can begin, and adds the loads of these repairs
   * to the fleet. When a repair has ended, the caller removes its load with {@link Fleet#remove}.
   * If the repair has failed, the caller puts the group into the queue again.
   *
   * @param nowMs the time, monotonic, ms
   * @param startsMax how many repairs may begin at most
   * @return the plans that begin now
   */
  public List<RepairProposal> dispatch(long nowMs, int startsMax) {
    queue.release(nowMs);
    holds.releaseGone();
    wake();
    List<RepairProposal> starts = new ArrayList<>();
    boolean done = false;
    try {
      dispatch(nowMs, startsMax, starts);
      done = true;
    } finally {
      if (!done) {
        // The caller does not get these plans, and so cannot remove their loads from the fleet.
        starts.forEach(start -> takeBack(start, nowMs));
      }
    }
    return starts;
  }

  private void takeBack(RepairProposal start, long nowMs) {
    fleet.remove(start.load);
    queue.put(start.assignment().get().group, nowMs + RETRY_MS);
  }

  private void dispatch(long nowMs, int startsMax, List<RepairProposal> starts) {
    long tries = TRIES_MIN + (long) TRIES_PER_START * startsMax;
    for (QueuedGroup next = queue.peek();
        next != null && starts.size() < startsMax && tries > 0; next = queue.peek(), tries--) {
      Integer wokenAt = next.wokenAt();
      int wakes = next.wakes();
      next.setWokenAt(null, 0);
      int parkedAt = attempt(next, nowMs, starts);
      // The node or rack at which this group waited may have room for the next group, too.
      if (wokenAt != null && wokenAt != parkedAt) {
        if (wakes > 1) {
          queue.wake(wokenAt, wakes - 1);
        } else {
          again.add(wokenAt);
        }
      }
    }
    secondLook.at(starts);
  }

  private void wake() {
    List<Integer> places = fleet.takeRelieved();
    places.forEach(again::remove);
    Iterator<Integer> before = again.iterator();
    for (int i = 0; i < AGAIN_MAX && before.hasNext(); i++) {
      places.add(before.next());
      before.remove();
    }
    for (int place : places) {
      queue.wake(place, WAKES_MAX);
    }
  }

  /** Plans one group. An error in its plan must not keep the other groups from being repaired. */
  private RepairProposal plan(LostGroup group) {
    try {
      return scheduler.plan(fleet, group, filter);
    } catch (RuntimeException | LinkageError e) {
      peerLog.error(e.getClass().getName(), "{} cannot be planned", group, e);
      return RepairProposal.refused(NoPlanReason.FAILED);
    }
  }

  /**
   * Tries to begin the repair of one group.
   *
   * @return the node or rack for which the group now waits, or {@link RepairAdmission#NONE} if it
   *     does not wait for a node or rack
   */
  private int attempt(QueuedGroup next, long nowMs, List<RepairProposal> starts) {
    plans++;
    RepairProposal proposal = plan(next.group);
    if (!proposal.assignment().isPresent()) {
      holds.release(next);
      queue.postpone(next, nowMs + RETRY_MS);
      refused.accept(next.group, proposal.refusal);
      return RepairAdmission.NONE;
    }
    RepairLoad load = proposal.load;
    int blocker = admission.blocker(fleet, load);
    if (blocker == RepairAdmission.NONE) {
      blocker = holds.blocker(load, next);
    } else if ((next.parkings() >= PARKINGS_MAX || next.group.spareUnits <= 0
        || next.prioritized)
        && holds.admit(next, 1 + fleet.size() / NODES_PER_HOLDER)) {
      for (int i = 0; i < load.size(); i++) {
        if (admission.isBusy(fleet, load, i)) {
          holds.hold(LinkOrDisk.place(load.resource(i)), next);
        }
      }
    }
    if (blocker == RepairAdmission.NONE) {
      fleet.add(load);
      queue.start(next);
      holds.release(next);
      starts.add(proposal.beside(admission.mostSeconds(fleet, load)));
      filter.planned(proposal.assignment().get());
    } else {
      queue.park(next, blocker);
    }
    return blocker;
  }

  /** @return how many plans were made so far, including plans of repairs that then had to wait */
  public long plans() {
    return plans;
  }

  /**
   * Keeps busy nodes and racks free for groups that have waited for them too often. A held node or
   * rack takes no new repairs of groups with lower priority, so that its pending work runs out. A
   * group of higher priority may still use a held node or rack, so that two groups never wait for
   * each other. Only a few groups, those of the highest priority, hold nodes at a time. If all
   * groups held nodes, most links would only stay idle.
   */
  static final class NodeReservations {
    private final RepairQueue queue;
    private final Map<Integer, QueuedGroup> byPlace = new HashMap<>();
    private final TreeSet<QueuedGroup> holders = new TreeSet<>();

    NodeReservations(RepairQueue queue) {
      this.queue = queue;
    }

    /**
     * Releases the nodes and racks that are held for groups that have left the queue. The first
     * group that waits for such a node or rack becomes ready.
     */
    void releaseGone() {
      List<QueuedGroup> gone = new ArrayList<>(holders);
      gone.removeIf(queue::isQueued);
      gone.forEach(this::release);
    }

    /**
     * Returns whether the group may hold nodes and racks. If {@code holdersMax} other groups hold
     * some, the one of the lowest priority gives way: it releases its nodes and racks, provided
     * that this group has a higher priority.
     *
     * @param holdersMax how many groups may hold nodes and racks at a time
     */
    boolean admit(QueuedGroup queued, int holdersMax) {
      holders.removeIf(holder -> !queue.isQueued(holder));
      if (!holders.contains(queued)) {
        if (holders.size() >= holdersMax) {
          QueuedGroup last = holders.last();
          if (last.compareTo(queued) < 0) {
            return false;
          }
          release(last);
        }
        holders.add(queued);
      }
      return true;
    }

    /** Holds a node or rack for a group that {@link #admit} has accepted. */
    void hold(int place, QueuedGroup queued) {
      QueuedGroup holder = holder(place);
      if (holder == null || queued.compareTo(holder) < 0) {
        byPlace.put(place, queued);
      }
    }

    private QueuedGroup holder(int place) {
      QueuedGroup holder = byPlace.get(place);
      if (holder != null && !queue.isQueued(holder)) {
        byPlace.remove(place);
        return null;
      }
      return holder;
    }

    /**
     * Returns a node or rack of the load that another group of higher priority holds, or {@link
     * RepairAdmission#NONE}.
     */
    int blocker(RepairLoad load, QueuedGroup queued) {
      if (byPlace.isEmpty()) {
        return RepairAdmission.NONE;
      }
      for (int i = 0; i < load.size(); i++) {
        int place = LinkOrDisk.place(load.resource(i));
        QueuedGroup holder = holder(place);
        if (holder != null && holder != queued && holder.compareTo(queued) < 0) {
          return place;
        }
      }
      return RepairAdmission.NONE;
    }

    /** Returns whether any group holds a node or rack of the load. */
    boolean isAnyHeld(RepairLoad load) {
      for (int i = 0; i < load.size() && !byPlace.isEmpty(); i++) {
        if (holder(LinkOrDisk.place(load.resource(i))) != null) {
          return true;
        }
      }
      return false;
    }

    /**
     * Releases all nodes and racks that are held for the group. The first group that waits for each
     * of them becomes ready.
     */
    void release(QueuedGroup queued) {
      if (!holders.remove(queued)) {
        return;
      }
      byPlace.entrySet().removeIf(entry -> {
        if (entry.getValue() == queued) {
          queue.wake(entry.getKey(), 1);
          return true;
        }
        return false;
      });
    }
  }
}
