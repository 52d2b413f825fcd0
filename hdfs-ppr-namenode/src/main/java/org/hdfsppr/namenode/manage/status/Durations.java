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
package org.hdfsppr.namenode.manage.status;

import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Counts durations in classes of fixed bounds, as a histogram does, so that quantiles can be
 * estimated. Thread-safe.
 */
@InterfaceAudience.Private
public final class Durations {
  private static final double NANOS_PER_SECOND = 1e9;

  private final double[] boundsSeconds;
  private final long[] counts;
  private long nanos;

  /**
   * Makes an instance that has counted nothing.
   *
   * @param boundsSeconds the upper bounds of the classes, inclusive, seconds, ascending; another
   *     class for longer durations follows
   */
  public Durations(double... boundsSeconds) {
    this.boundsSeconds = boundsSeconds.clone();
    this.counts = new long[boundsSeconds.length + 1];
    for (int i = 1; i < boundsSeconds.length; i++) {
      if (!(boundsSeconds[i] > boundsSeconds[i - 1])) {
        throw new IllegalArgumentException("Not ascending: " + Arrays.toString(boundsSeconds));
      }
    }
  }

  /**
   * Counts a duration.
   *
   * @param durationNanos the duration, ns; a negative duration counts as 0
   */
  public synchronized void add(long durationNanos) {
    long counted = Math.max(0, durationNanos);
    int at = Arrays.binarySearch(boundsSeconds, counted / NANOS_PER_SECOND);
    counts[at >= 0 ? at : -at - 1]++;
    nanos += counted;
  }

  /** @return all that was counted so far */
  public synchronized Snapshot snapshot() {
    return new Snapshot(boundsSeconds, counts.clone(), nanos / NANOS_PER_SECOND);
  }

  /** The counts at one moment. Immutable. */
  public static final class Snapshot {
    private final double[] boundsSeconds;
    private final long[] counts;
    /** The sum of the durations, seconds */
    public final double sumSeconds;

    private Snapshot(double[] boundsSeconds, long[] counts, double sumSeconds) {
      this.boundsSeconds = boundsSeconds;
      this.counts = counts;
      this.sumSeconds = sumSeconds;
    }

    /** @return the number of bounds */
    public int size() {
      return boundsSeconds.length;
    }

    /**
     * @param i index of a bound, from 0
     * @return the bound, seconds
     */
    public double boundSeconds(int i) {
      return boundsSeconds[i];
    }

    /**
     * @param i index of a bound, from 0
     * @return how many durations were not longer than the bound
     */
    public long countUpTo(int i) {
      long sum = 0;
      for (int below = 0; below <= i; below++) {
        sum += counts[below];
      }
      return sum;
    }

    /** @return how many durations were counted */
    public long count() {
      return Arrays.stream(counts).sum();
    }
  }
}
