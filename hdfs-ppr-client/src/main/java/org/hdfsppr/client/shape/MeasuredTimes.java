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

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Keeps how long ranges took, separately for each shape and length. {@link ReadCosts} says how long
 * a shape should take by three times. The sums of these times are often wrong for short ranges:
 * links have queues that take a short range at once, slices overlap, and threads wait for each
 * other. So a measured time of the same shape and length counts more than the expected time. The
 * more often a shape was measured, the more its measured time counts. This class has no clock.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class MeasuredTimes {
  /**
   * The greatest number of shapes and lengths that are kept. A client that reads with three lengths
   * from files of two codes uses about 40. If there are more, the one that was used the longest
   * time ago is forgotten.
   */
  static final int KEPT_MOST = 512;
  /** The weight of one more time, once a shape has been measured some times. */
  private static final double NEWEST = 0.2;
  /**
   * How much shorter the logarithm of a time is assumed to be if the shape has not been measured
   * yet. So the client also measures shapes that are expected to take a little longer than the
   * best.
   */
  private static final double HOPE = 0.25;
  /** Lengths are told apart if they differ by more than about a fifth. */
  private static final double CLASSES_PER_OCTAVE = 4;
  private static final float LOAD_FACTOR = 0.75f;

  /** The logarithm of a time, and how often it was measured. */
  private static final class Measured {
    private double logNanos;
    private int times;
  }

  private final Map<String, Measured> all = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Measured> eldest) {
      return size() > KEPT_MOST;
    }
  };

  /**
   * Keeps a measured time.
   *
   * @param shape how the range was rebuilt
   * @param nanosTaken how long that took, nanoseconds
   */
  synchronized void took(Shape shape, double nanosTaken) {
    Measured measured = all.computeIfAbsent(key(shape), absent -> new Measured());
    measured.times++;
    double weight = Math.max(NEWEST, 1.0 / measured.times);
    measured.logNanos += weight * (Math.log(Math.max(1, nanosTaken)) - measured.logNanos);
  }

  /**
   * Combines the expected time of a shape with the times that were measured.
   *
   * @param shape how a range may be rebuilt
   * @param expectedNanos how long that takes according to {@link ReadCosts}, nanoseconds
   * @return how long it probably takes, and less if the shape was hardly measured, nanoseconds
   */
  synchronized double nanos(Shape shape, double expectedNanos) {
    Measured measured = all.get(key(shape));
    int times = measured == null ? 0 : measured.times;
    double sum = Math.log(expectedNanos) - HOPE;
    return Math.exp(times == 0 ? sum : (sum + times * measured.logNanos) / (times + 1));
  }

  private static String key(Shape shape) {
    long lengthClass = Math.round(
        CLASSES_PER_OCTAVE * Math.log(Math.max(1, shape.rangeBytes())) / Math.log(2));
    return shape.helpers() + " " + shape.chains() + " " + lengthClass;
  }
}
