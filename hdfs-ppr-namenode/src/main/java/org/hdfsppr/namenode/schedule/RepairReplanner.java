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

import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.ToDoubleFunction;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans repairs a second time, one after the other, after all of them were planned and before they
 * are ordered. Each second plan takes the load of all other repairs into account. The first plan of
 * a repair does not know the repairs that are planned after it, and may take a node that only those
 * can use. In simulations of 30 lost units of an LRC on 18 nodes in 3 racks, the second look lowers
 * the time from 1.36 to 1.24 times the lower bound (means of four runs).
 */
final class RepairReplanner {
  private static final Logger LOG = LoggerFactory.getLogger(RepairReplanner.class);
  /**
   * How many repairs one call plans again at most, to bound its time. If there are more repairs,
   * the nodes that the first plans take needlessly are only a small part of all nodes.
   */
  private static final int REPAIRS_MAX = 256;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final Fleet fleet;
  private final RepairScheduler scheduler;
  private final DestinationFilter filter;
  private final BiPredicate<RepairLoad, RepairLoad> mayBegin;
  private final ToDoubleFunction<RepairLoad> secondsMax;

  /**
   * @param mayBegin whether a second plan may replace a first one; takes the load of the first
   *     plan, which the fleet does not count at that time, and the load of the second
   * @param secondsMax returns the greatest duration of a repair with this load, s, including
   *     repairs that may begin later on the same links
   */
  RepairReplanner(Fleet fleet, RepairScheduler scheduler, DestinationFilter filter,
      BiPredicate<RepairLoad, RepairLoad> mayBegin, ToDoubleFunction<RepairLoad> secondsMax) {
    this.fleet = Objects.requireNonNull(fleet, "fleet");
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    this.filter = Objects.requireNonNull(filter, "filter");
    this.mayBegin = Objects.requireNonNull(mayBegin, "mayBegin");
    this.secondsMax = Objects.requireNonNull(secondsMax, "secondsMax");
  }

  /**
   * Replaces plans by better ones.
   *
   * @param starts the plans, with their loads counted; a better plan and its load replace the first
   *     plan and its load
   */
  void at(List<RepairProposal> starts) {
    int size = Math.min(starts.size(), REPAIRS_MAX);
    for (int look = 0; look < scheduler.looksAgain() && size > 1; look++) {
      for (int i = 0; i < size; i++) {
        starts.set(i, betterThan(starts.get(i), look));
      }
    }
  }

  private RepairProposal betterThan(RepairProposal first, int look) {
    RepairProposal kept = first;
    fleet.withdraw(first.load);
    try {
      RepairProposal other = scheduler.again(fleet, first, filter, look);
      if (other != first && mayBegin.test(first.load, other.load)) {
        kept = other.beside(secondsMax.applyAsDouble(other.load));
      }
    } catch (RuntimeException | LinkageError e) {
      // The first plan stays valid, and so do the other plans.
      peerLog.error(e.getClass().getName(), "{} cannot be planned again",
          first.assignment().get().group, e);
    } finally {
      fleet.add(kept.load);
    }
    if (kept != first) {
      fleet.relieve(first.load);
    }
    return kept;
  }
}
