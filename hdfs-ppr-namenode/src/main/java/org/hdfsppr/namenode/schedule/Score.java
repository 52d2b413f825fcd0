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
 * What a repair costs: by how much it lets the sum of the fourth powers of the loads rise of all
 * that it uses. The sum is nearly the maximum, so that this is the least rise of the maximum load;
 * but where that does not rise, or cannot be kept from it, it is still worth something that the
 * others stay low. In seconds, so that slow links count for more.
 *
 * <p>Of the powers that were simulated, 2 lets the maximum grow and 8 forgets the others.
 */
@InterfaceAudience.Private
final class Score {
  private double max;
  private double cost;

  Score(Fleet fleet, RepairLoad load) {
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
      cost += rise(before, more);
    }
  }

  /** What it costs to raise one load. */
  static double rise(double before, double more) {
    double after = before + more;
    double squared = after * after;
    double squaredBefore = before * before;
    return squared * squared - squaredBefore * squaredBefore;
  }

  /** The greatest load afterwards, seconds. */
  double max() {
    return max;
  }

  boolean isBetterThan(Score other) {
    return cost < other.cost;
  }
}
