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
package org.hdfsppr.client.shape;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Chooses the shape in which a range is rebuilt. Usually this is the shape with the shortest time,
 * as far as {@link MeasuredTimes} has measured it and {@link ReadCosts} expects it. Now and then
 * this class tries another shape, because expected times may be wrong, and because links and nodes
 * change. This class has no clock and no randomness. Thread-safe.
 */
@InterfaceAudience.Private
public final class ShapeRule {
  /** A shape is tried only if it probably takes at most this many times as long as the best. */
  static final double TRY_FACTOR = 2;

  /**
   * A shape with fewer bytes counts as better if it took at most this many times as long. It leaves
   * more of the client's link to others. It also becomes faster the longer it is used, because its
   * time is that of its nodes, and these get warm: one chain of ten took 6.2 ms in a few ranges in
   * a row and 4.2 ms in 300, where two chains took 5.8 ms, which is what the link needs for them.
   */
  static final double FEWER_BYTES_FACTOR = 1.15;

  private final ReadCosts costs;
  private final MeasuredTimes measured = new MeasuredTimes();

  /** @param costs the expected times of reads, bytes and hops */
  public ShapeRule(ReadCosts costs) {
    this.costs = costs;
  }

  /**
   * Chooses the shape for a range. If several shapes probably take nearly equally long, this method
   * chooses the shape with the fewest chains, and decoding last.
   *
   * @param helpers k, at least 1
   * @param rangeBytes bytes of the lost unit that are wanted
   * @param chainsMost how many chains are allowed, at least 1
   * @return decoding, or a number of chains
   */
  public synchronized Shape choose(int helpers, long rangeBytes, int chainsMost) {
    List<Shape> options = Shape.all(helpers, rangeBytes, chainsMost);
    MeasuredTimes.OfLength times = measured.ofLength(options.get(0));
    times.forgetOld();
    double[] nanos = times.nanos(options, costs);
    int best = 0;
    for (int i = 1; i < nanos.length; i++) {
      best = nanos[i] < nanos[best] ? i : best;
    }
    best = fewerBytes(options, nanos, best, times);
    times.begin(options.get(best), nanos[best]);
    Optional<Shape> tried = times.tries.next(options);
    if (tried.isPresent()) {
      return tried.get();
    }
    if (times.isKnown() && !times.isKnown(options.get(best))) {
      // Expected to be the best: one range alone would not show whether it is.
      times.tries.begin(options.get(best));
      return times.tries.next(options).orElseThrow();
    }
    int other = times.tries.isDue() ? toTry(options, nanos, best, times) : -1;
    if (other < 0 || !times.tries.begin(options.get(best), options.get(other),
        Math.max(0, nanos[other] - nanos[best]))) {
      return options.get(best);
    }
    times.forget(options.get(other));
    return times.tries.next(options).orElseThrow();
  }

  /** Returns the index of the shape with the fewest bytes among those that are nearly the best. */
  private static int fewerBytes(List<Shape> options, double[] nanos, int best,
      MeasuredTimes.OfLength times) {
    for (int i = 0; i < best; i++) {
      // The options are in the order of their bytes.
      if (times.isKnown(options.get(i)) && nanos[i] <= FEWER_BYTES_FACTOR * nanos[best]) {
        return i;
      }
    }
    return best;
  }

  /**
   * Returns the index of the shape to try, or -1 if no shape may be tried. A shape whose bytes
   * alone take longer than the best shape is not tried. Of the others, this method returns the one
   * that was not measured for the longest time, and of several such shapes, the one that is
   * probably fastest.
   */
  private int toTry(List<Shape> options, double[] nanos, int best, MeasuredTimes.OfLength times) {
    int next = -1;
    for (int i = 0; i < nanos.length; i++) {
      if (i == best || nanos[i] > TRY_FACTOR * nanos[best]
          || options.get(i).nanosAtLeast(costs) > nanos[best]) {
        continue;
      }
      int longer = next < 0 ? -1 : Long.compare(times.lastRange(options.get(i)),
          times.lastRange(options.get(next)));
      if (longer < 0 || longer == 0 && nanos[i] < nanos[next]) {
        next = i;
      }
    }
    return next;
  }

  /**
   * Learns from a range that was rebuilt.
   *
   * @param shape the shape in which the range was rebuilt
   * @param nanosTaken how long that took, nanoseconds
   */
  public synchronized void took(Shape shape, long nanosTaken) {
    measured.took(shape, nanosTaken);
  }

  /**
   * Learns from a tree that the client stopped because the tree took too long. The time until then
   * is only a lower bound of the tree's time.
   *
   * @param shape the shape of the tree
   * @param nanosTaken how long the tree had run when the client stopped it, nanoseconds
   */
  public synchronized void tookAtLeast(Shape shape, long nanosTaken) {
    double[] nanos = measured.ofLength(shape).nanos(Collections.singletonList(shape), costs);
    if (nanosTaken > nanos[0]) {
      measured.took(shape, nanosTaken);
    }
  }

  @Override
  public String toString() {
    return costs.toString();
  }
}
