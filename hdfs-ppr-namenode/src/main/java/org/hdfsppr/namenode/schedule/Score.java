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
 * How much a repair would load what it uses: the maximum afterwards, and among equals the rise of
 * the sum of squares, which is least where the load goes to what has little. In seconds, so that
 * slow links count for more.
 */
@InterfaceAudience.Private
final class Score {
  /** Sums that differ by less than rounding are equal. */
  private static final double EQUAL = 1 + 1e-9;

  private double max;
  private double squares;

  Score() {
  }

  Score(Fleet fleet, RepairLoad load) {
    for (int i = 0; i < load.size(); i++) {
      int resource = load.resource(i);
      double before = fleet.secondsAlone(resource, fleet.pending(resource));
      int place = Resource.place(resource);
      Kind kind = Resource.kind(resource);
      if (place >= 0 && (kind == Kind.READ || kind == Kind.WRITE)) {
        before = fleet.node(place).diskSeconds(0, 0);
      }
      add(before, fleet.secondsAlone(resource, load.bytes(i)));
    }
  }

  void add(double before, double more) {
    max = Math.max(max, before + more);
    squares += (2 * before + more) * more;
  }

  double max() {
    return max;
  }

  boolean isBetterThan(Score other) {
    if (max * EQUAL < other.max || other.max * EQUAL < max) {
      return max < other.max;
    }
    return squares < other.squares;
  }
}
