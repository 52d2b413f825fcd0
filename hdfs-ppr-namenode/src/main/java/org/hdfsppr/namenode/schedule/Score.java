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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.schedule.Resource.Kind;

/**
 * The cost of a repair: the rise of the sum of a high power of all loads that it adds to. The sum
 * is nearly the maximum, so that the lowest cost is the least rise of the maximum load. Where the
 * maximum does not rise, or rises with each plan, lower loads elsewhere still count. Loads are in
 * seconds, so that slow links count for more.
 */
@InterfaceAudience.Private
final class Score {
  /**
   * The fourth power, for a plan that does not know the later ones. In simulations the second power
   * let the maximum grow, and the eighth neglected the other loads.
   */
  static final int AHEAD = 2;

  private double max;
  private double cost;

  /** @param squarings the power's binary logarithm */
  Score(Fleet fleet, RepairLoad load, int squarings) {
    for (int i = 0; i < load.size(); i++) {
      int resource = load.resource(i);
      double before = fleet.secondsAlone(resource, fleet.pending(resource));
      int place = Resource.place(resource);
      Kind kind = Resource.kind(resource);
      if (place >= 0 && (kind == Kind.READ || kind == Kind.WRITE)) {
        before = fleet.node(place).diskSeconds(0, 0);
      }
      double more = fleet.secondsAlone(resource, load.bytes(i));
      max = Math.max(max, before + more);
      cost += rise(before, more, squarings);
    }
  }

  /** The cost of raising one load. */
  static double rise(double before, double more, int squarings) {
    double powerAfter = before + more;
    double powerBefore = before;
    for (int i = 0; i < squarings; i++) {
      powerAfter *= powerAfter;
      powerBefore *= powerBefore;
    }
    return powerAfter - powerBefore;
  }

  /** The greatest load afterwards, seconds. */
  double max() {
    return max;
  }

  boolean isBetterThan(Score other) {
    return cost < other.cost;
  }
}
