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

import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Remembers how long an operation took the last few times, five by default. Callers ask for the
 * median, so that two outliers of five do not matter. Not thread-safe.
 */
@InterfaceAudience.Private
public final class LatestTimes {
  private static final int TIMES = 5;

  private final double[] nanos;
  private int next;
  private int count;

  /** Creates an object that remembers the last five times. */
  public LatestTimes() {
    this(TIMES);
  }

  /** @param times how many measured times are remembered */
  public LatestTimes(int times) {
    nanos = new double[times];
  }

  /**
   * Adds the latest time.
   *
   * @param time nanoseconds
   */
  public void add(double time) {
    nanos[next] = time;
    next = (next + 1) % nanos.length;
    count = Math.min(nanos.length, count + 1);
  }

  /** @return the remembered times, nanoseconds, the shortest first */
  public double[] sorted() {
    double[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted;
  }

  /** Forgets all times. */
  public void forget() {
    next = 0;
    count = 0;
  }

  /** @return whether more than half of the places are filled, which is enough for a median */
  public boolean isKnown() {
    return count > nanos.length / 2;
  }

  /**
   * @return the median of the remembered times, of which there has to be at least one; for an even
   *     number of times, the shorter one of the middle two
   */
  public double median() {
    return sorted()[(count - 1) / 2];
  }

  /**
   * @param expected nanoseconds
   * @return the median of the remembered times, with {@code expected} in the place of each missing
   *     time
   */
  public double median(double expected) {
    double[] sorted = nanos.clone();
    Arrays.fill(sorted, count, nanos.length, expected);
    Arrays.sort(sorted);
    return sorted[nanos.length / 2];
  }
}
