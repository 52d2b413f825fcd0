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

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Chooses the shape in which a range is rebuilt. Usually this is the shape with the shortest time,
 * as far as {@link MeasuredTimes} has measured it and {@link ReadCosts} expects it. Now and then
 * this class tries another shape, because times of one shape alone do not show whether hops or
 * bytes are slow, and because links and nodes change. This class has no clock and no randomness.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class ShapeRule {
  /** One range in this many is rebuilt in another shape than the best. */
  static final int TRY_ONE_IN = 32;
  /**
   * A shape is tried only if it is expected to take at most this many times as long as the best
   * shape. So tries lengthen the expected mean time by at most (3 - 1) / 32, which is a sixteenth.
   */
  static final double TRY_FACTOR = 3;

  private final ReadCosts costs;
  private final MeasuredTimes measured = new MeasuredTimes();
  private final AtomicLong ranges = new AtomicLong();
  private final AtomicLong tries = new AtomicLong();

  /** @param costs the expected times of reads, bytes and hops */
  public ShapeRule(ReadCosts costs) {
    this.costs = costs;
  }

  /**
   * Chooses the shape for a range. If several shapes are expected to take equally long, this method
   * chooses the shape with the fewest chains, and decoding last.
   *
   * @param helpers k, at least 1
   * @param rangeBytes bytes of the lost unit that are wanted
   * @param chainsMost how many chains are allowed, at least 1
   * @return decoding, or a number of chains
   */
  public Shape choose(int helpers, long rangeBytes, int chainsMost) {
    List<Shape> options = Shape.all(helpers, rangeBytes, chainsMost);
    // Other threads change the costs meanwhile, so each expected time is computed only once.
    double[] nanos = options.stream().mapToDouble(this::nanos).toArray();
    int best = leastOf(nanos, -1, Double.MAX_VALUE);
    if (ranges.incrementAndGet() % TRY_ONE_IN != 0) {
      return options.get(best);
    }
    double most = TRY_FACTOR * nanos[best];
    // Every second try takes the second best shape. The other tries take all shapes, one after the
    // other.
    long turn = tries.getAndIncrement();
    int other = turn % 2 == 0 ? leastOf(nanos, best, most) : (int) (turn / 2 % nanos.length);
    return options.get(other < 0 || nanos[other] > most ? best : other);
  }

  private double nanos(Shape shape) {
    return measured.nanos(shape, shape.nanos(costs));
  }

  /**
   * Returns the index of the least time, leaving out the index {@code without}. Returns -1 if no
   * such time is at most {@code most}.
   */
  private static int leastOf(double[] nanos, int without, double most) {
    int least = -1;
    for (int i = 0; i < nanos.length; i++) {
      if (i != without && nanos[i] <= most && (least < 0 || nanos[i] < nanos[least])) {
        least = i;
      }
    }
    return least;
  }

  /**
   * Learns from a range that was rebuilt.
   *
   * @param shape the shape in which the range was rebuilt
   * @param nanosTaken how long that took, nanoseconds
   */
  public void took(Shape shape, long nanosTaken) {
    measured.took(shape, nanosTaken);
  }

  /**
   * Learns from a tree that the client stopped because the tree took too long. The time until then
   * is only a lower bound of the tree's time.
   *
   * @param shape the shape of the tree
   * @param nanosTaken how long the tree had run when the client stopped it, nanoseconds
   */
  public void tookAtLeast(Shape shape, long nanosTaken) {
    if (nanosTaken > nanos(shape)) {
      measured.took(shape, nanosTaken);
    }
  }

  @Override
  public String toString() {
    return costs.toString();
  }
}
