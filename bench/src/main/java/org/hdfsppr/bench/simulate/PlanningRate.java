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
package org.hdfsppr.bench.simulate;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.DestinationFilter;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.RepairAdmission;
import org.hdfsppr.namenode.schedule.RepairDispatcher;
import org.hdfsppr.namenode.schedule.RepairProposal;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.schedule.RepairScheduler;

/**
 * Measures how many repairs a dispatcher starts per second of processor time. During the
 * measurement, as many repairs are running as admission allows. So groups wait at busy nodes and
 * the dispatcher tries them again, as in a real repair. This class measures the processor time of
 * this thread, because other load on the machine must not change the result.
 */
final class PlanningRate {
  private static final int WARM_UP_PLANS = 20_000;
  private static final int MEASURED_PLANS = 60_000;
  private static final int SAMPLE = 20_000;
  private static final int QUEUED = 10_000;
  private static final int BATCH = 100;
  private static final double NANOS = 1e9;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<LostGroup> groups;
  private final Fleet fleet;
  private final RepairQueue queue = new RepairQueue();
  private final RepairDispatcher dispatcher;
  private final Deque<RepairProposal> inFlight = new ArrayDeque<>();
  private int nextGroup;
  private double plansPerStart;

  PlanningRate(SimulatedCluster cluster, RepairScheduler scheduler, RepairAdmission admission) {
    groups = cluster.sample(SAMPLE);
    fleet = cluster.fleet(scheduler.rank(), true);
    dispatcher = new RepairDispatcher(queue, fleet, scheduler, admission, DestinationFilter.ANY);
  }

  double startsPerSecond() {
    plan(WARM_UP_PLANS);
    long before = dispatcher.plans();
    long nanos = plan(MEASURED_PLANS);
    plansPerStart = (double) (dispatcher.plans() - before) / MEASURED_PLANS;
    return MEASURED_PLANS / (nanos / NANOS);
  }

  /**
   * Starts {@code plans} repairs.
   *
   * @return the processor time of the dispatcher's calls, ns
   */
  private long plan(int plans) {
    long nanos = 0;
    int idle = 0;
    for (int made = 0; made < plans;) {
      while (queue.size() < QUEUED) {
        LostGroup group = groups.get(nextGroup++ % groups.size());
        // Putting a waiting group into the queue again would make the dispatcher try it at once.
        if (!queue.contains(group.id)) {
          queue.put(group);
        }
      }
      long begin = threads.getCurrentThreadCpuTime();
      List<RepairProposal> started = dispatcher.dispatch(0, Math.min(BATCH, plans - made));
      nanos += threads.getCurrentThreadCpuTime() - begin;
      inFlight.addAll(started);
      made += started.size();
      idle = started.isEmpty() && inFlight.isEmpty() ? idle + 1 : 0;
      if (idle > 1) {
        throw new IllegalStateException("Nothing begins");
      }
      // The dispatcher started less than a full batch, so admission needs room for the next
      // repairs. The oldest running repairs finish. Their number is the number of repairs that were
      // just started, but at least one.
      for (int ends = Math.max(1, started.size()); started.size() < BATCH && ends > 0
          && !inFlight.isEmpty(); ends--) {
        fleet.remove(inFlight.remove().load);
      }
    }
    return nanos;
  }

  /** Returns how many plans the dispatcher made for each repair that it started. */
  double plansPerStart() {
    return plansPerStart;
  }
}
