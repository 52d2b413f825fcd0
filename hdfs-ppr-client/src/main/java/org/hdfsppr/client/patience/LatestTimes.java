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
package org.hdfsppr.client.patience;

import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;

/** Remembers how long the latest runs of an operation took. Not thread-safe. */
@InterfaceAudience.Private
public final class LatestTimes {
  private final double[] nanos;
  private int next;
  private int count;

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

  /** @return how many times are remembered */
  public int size() {
    return count;
  }

  /** @return the remembered times, nanoseconds, the shortest first */
  public double[] sorted() {
    double[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted;
  }
}
