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
 * The rate of repairs and the numbers of waiting groups and of repairs, sampled over the last hour;
 * the oldest sample comes first. Immutable.
 */
@InterfaceAudience.Private
public final class History {
  /** The time between two samples, seconds. */
  public static final int STEP_SECONDS = 10;
  /** The greatest number of samples: one hour. */
  public static final int SAMPLES_MAX = 360;
  /** A history without samples. */
  public static final History NONE = new History(0, new double[0], new int[0], new int[0]);

  /** When the last sample was taken, monotonic, ms */
  public final long endMs;
  private final double[] bytesPerSecond;
  private final int[] queued;
  private final int[] inFlight;

  /**
   * @param endMs when the last sample was taken, monotonic, ms
   * @param bytesPerSecond rebuilt bytes per second in each step
   * @param queued groups that waited at the end of each step; as long as the first array
   * @param inFlight repairs under way at the end of each step; as long as the first array
   */
  public History(long endMs, double[] bytesPerSecond, int[] queued, int[] inFlight) {
    this.endMs = endMs;
    this.bytesPerSecond = bytesPerSecond.clone();
    this.queued = queued.clone();
    this.inFlight = inFlight.clone();
  }

  /** @return how many samples there are, at most {@value #SAMPLES_MAX} */
  public int size() {
    return bytesPerSecond.length;
  }

  /**
   * @param i index of the sample, from 0 for the oldest
   * @return rebuilt bytes per second in that step
   */
  public double bytesPerSecond(int i) {
    return bytesPerSecond[i];
  }

  /**
   * @param i index of the sample, from 0 for the oldest
   * @return groups that waited at the end of that step
   */
  public int queued(int i) {
    return queued[i];
  }

  /**
   * @param i index of the sample, from 0 for the oldest
   * @return repairs under way at the end of that step
   */
  public int inFlight(int i) {
    return inFlight[i];
  }

  @Override
  public String toString() {
    return Arrays.toString(bytesPerSecond);
  }
}
