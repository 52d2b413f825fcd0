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

import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.Repair;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.RetryPolicy;
import org.hdfsppr.plan.GroupId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends repairs, well or not: gives back what each took, and decides what follows for its group.
 * Used by the manager's thread.
 */
@InterfaceAudience.Private
final class Endings {
  private static final Logger LOG = LoggerFactory.getLogger(Endings.class);

  private final ReconstructionQueue books;
  private final RepairTracker tracker;
  private final Fleet fleet;
  private final GroupBook groups;
  private final RetryPolicy retries;
  private final DoubtKeeper doubts;
  private final StockHandOver handOver;
  private final Aborts aborts;
  private final Agents agents;
  private final ManagerMetrics metrics;
  private final LongSupplier clockMs;

  Endings(ReconstructionQueue books, RepairTracker tracker, Fleet fleet, GroupBook groups,
      RetryPolicy retries, DoubtKeeper doubts, StockHandOver handOver, Aborts aborts,
      Agents agents, ManagerMetrics metrics, LongSupplier clockMs) {
    this.books = books;
    this.tracker = tracker;
    this.fleet = fleet;
    this.groups = groups;
    this.retries = retries;
    this.doubts = doubts;
    this.handOver = handOver;
    this.aborts = aborts;
    this.agents = agents;
    this.metrics = metrics;
    this.clockMs = clockMs;
  }

  /**
   * A repair has failed. Its group is planned anew, or left to stock if it has failed too often.
   *
   * @param uuid the node that the next repair should do without, or null
   * @param isToBlame whether that says something about the node, and not only about this repair
   */
  void fail(Repair repair, String why, String uuid, boolean isToBlame) {
    if (!tracker.end(repair.id(), false).isPresent()) {
      return;
    }
    LOG.warn("Repair {} of {} has failed: {}", repair.id(), repair.assignment().group(), why);
    GroupId group = repair.assignment().group().id();
    fleet.remove(repair.load());
    retries.failed(group, uuid, isToBlame);
    groups.failed(group);
    metrics.failed();
    aborts.add(repair.grant());
    if (retries.isHopeless(group)) {
      doubts.undecided(group);
      handOver.leave(repair.assignment().group(), "it has failed too often");
    }
  }

  /** Has a repair's destination stop, if it is heard of at all. */
  void cancel(Repair repair, String why) {
    agents.live(repair.destination().uuid()).ifPresent(agent ->
        agent.cancel(new CancelCommand(repair.id(), books.term(), why)));
  }

  /** A repair has ended in the NameNode's books. */
  void ended(RepairEnd end) {
    Optional<Repair> known = tracker.byGroup(end.grant().group())
        .filter(repair -> repair.grant().number() == end.grant().number());
    if (!known.isPresent()) {
      return;
    }
    Repair repair = known.get();
    GroupId group = end.grant().group();
    boolean done = end.outcome() == RepairEnd.Outcome.DONE;
    tracker.end(repair.id(), done);
    fleet.remove(repair.load());
    if (done) {
      metrics.rebuilt(repair.assignment().targets().size(),
          clockMs.getAsLong() - repair.startedMs());
    } else {
      cancel(repair, end.outcome().toString());
    }
    if (end.outcome() == RepairEnd.Outcome.GIVEN_UP) {
      LOG.warn("Repair {} of {} is given up", repair.id(), repair.assignment().group());
      retries.failed(group, null, false);
      groups.failed(group);
      metrics.failed();
    } else {
      groups.ended(group);
      if (end.outcome() == RepairEnd.Outcome.RETURNED) {
        // No check has read the units that came back with their nodes, and their return does not
        // make a wrong unit right.
        doubts.undecided(group);
        retries.returned(group);
      } else {
        retries.forget(group);
      }
    }
    if (end.outcome() == RepairEnd.Outcome.DELETED) {
      doubts.end(group);
    } else if (done && repair.assignment().isDoubted() && repair.isClean()) {
      doubts.repaired(group, repair.destination().uuid(),
          RepairScope.of(repair.assignment()), repair.readUnits());
    }
  }

  /** Another NameNode is in charge, or none: ends all repairs, of which nothing else follows. */
  void endAll() {
    for (Repair repair : tracker.endAll()) {
      fleet.remove(repair.load());
      groups.ended(repair.assignment().group().id());
    }
  }
}
