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

import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;

/**
 * The cost of a repair. A high power is taken of each load to which the repair adds, and the cost
 * is the amount by which the sum of these powers rises. The greatest load dominates this sum, so
 * that the plan with the lowest cost raises the maximum load least. If the maximum does not rise,
 * or rises equally with each plan, the lower loads decide. Loads are in seconds, so that slow links
 * count for more.
 */
final class Score {
  /**
   * The binary logarithm of the exponent for a plan that does not know the later plans: the fourth
   * power. In simulations, the second power let the maximum load grow, and the eighth power
   * neglected the other loads.
   */
  static final int AHEAD = 2;

  private double max;
  private double cost;

  /** @param squarings the binary logarithm of the exponent */
  Score(Fleet fleet, RepairLoad load, int squarings) {
    for (int i = 0; i < load.size(); i++) {
      int resource = load.resource(i);
      double before = fleet.secondsAlone(resource, fleet.pending(resource));
      int place = LinkOrDisk.place(resource);
      Kind kind = LinkOrDisk.kind(resource);
      if (place >= 0 && (kind == Kind.READ || kind == Kind.WRITE)) {
        before = fleet.node(place).diskSeconds(0, 0);
      }
      double more = fleet.secondsAlone(resource, load.bytes(i));
      max = Math.max(max, before + more);
      cost += rise(before, more, squarings);
    }
  }

  /** Returns the cost of adding {@code more} to one load. */
  static double rise(double before, double more, int squarings) {
    double powerAfter = before + more;
    double powerBefore = before;
    for (int i = 0; i < squarings; i++) {
      powerAfter *= powerAfter;
      powerBefore *= powerBefore;
    }
    return powerAfter - powerBefore;
  }

  /**
   * Returns the greatest load of a link or disk of the repair, including the repair itself,
   * seconds.
   */
  double max() {
    return max;
  }

  /** Returns by how much the sum of the powers rises. */
  double cost() {
    return cost;
  }

  boolean isBetterThan(Score other) {
    return cost < other.cost;
  }
}
