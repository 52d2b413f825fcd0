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
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans again what was just planned and is not yet ordered, one repair after the other, each beside
 * all others. Who is planned first knows nothing of those behind it, and takes a node that it could
 * do without and that they cannot: of 30 lost units of an LRC in 18 nodes, the busiest link then
 * has 12 % more to carry.
 *
 * <p>A plan is only replaced by a better one, thus the sum of all costs falls with each step.
 */
@InterfaceAudience.Private
final class SecondLook {
  private static final Logger LOG = LoggerFactory.getLogger(SecondLook.class);
  /** In simulations a fourth one changes nothing. */
  private static final int PASSES_MAX = 3;
  /**
   * Repairs of a call that are looked at: bounds the call's time. Among more, what the first ones
   * take needlessly is a small part.
   */
  private static final int REPAIRS_MAX = 256;

  private final Fleet fleet;
  private final Scheduler scheduler;
  private final DestinationFilter filter;
  private final Predicate<RepairLoad> mayBegin;

  /** @param mayBegin whether a load may be added to the fleet as it is then */
  SecondLook(Fleet fleet, Scheduler scheduler, DestinationFilter filter,
      Predicate<RepairLoad> mayBegin) {
    this.fleet = Objects.requireNonNull(fleet, "fleet");
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    this.filter = Objects.requireNonNull(filter, "filter");
    this.mayBegin = Objects.requireNonNull(mayBegin, "mayBegin");
  }

  /**
   * Replaces plans by better ones.
   *
   * @param starts planned, and their loads counted; those of what replaces them are counted instead
   */
  void at(List<Proposal> starts) {
    if (!scheduler.gainsBySecondLook() || starts.size() < 2) {
      return;
    }
    boolean changed = true;
    for (int pass = 0; pass < PASSES_MAX && changed; pass++) {
      changed = false;
      for (int i = 0; i < Math.min(starts.size(), REPAIRS_MAX); i++) {
        Proposal better = betterThan(starts.get(i));
        if (better != starts.get(i)) {
          starts.set(i, better);
          changed = true;
        }
      }
    }
  }

  private Proposal betterThan(Proposal first) {
    LostGroup group = first.assignment().get().group();
    Proposal kept = first;
    fleet.withdraw(first.load());
    try {
      Proposal other = scheduler.plan(fleet, group, filter);
      if (other.assignment().isPresent() && mayBegin.test(other.load())
          && new Score(fleet, other.load()).isBetterThan(new Score(fleet, first.load()))) {
        kept = other.beside(first.secondsMax());
      }
    } catch (RuntimeException e) {
      // The first plan stands; and neither its load nor the repairs of the others must be lost.
      LOG.error("{} cannot be planned again", group, e);
    }
    fleet.add(kept.load());
    if (kept != first) {
      fleet.relieve(first.load());
    }
    return kept;
  }
}
