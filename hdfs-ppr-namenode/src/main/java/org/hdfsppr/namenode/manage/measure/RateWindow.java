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
package org.hdfsppr.namenode.manage.measure;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The rate of a counter over the last seconds, at most a minute. It keeps one sample a second. Not
 * thread-safe.
 */
@InterfaceAudience.Private
public final class RateWindow {
  /** The longest time over which rates can be calculated, ms. */
  public static final long SPAN_MS_MAX = 60_000;
  private static final long STEP_MS = 1_000;
  /** One sample for each second of the longest time, and one before it. */
  private static final int SAMPLES = (int) (SPAN_MS_MAX / STEP_MS) + 2;

  private final long[] times = new long[SAMPLES];
  private final long[] values = new long[SAMPLES];
  private int size;
  private int newest = -1;
  private long firstMs;

  /** Forgets all samples. */
  public void clear() {
    size = 0;
    newest = -1;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /**
   * Takes a sample, if the last one is at least a second old.
   *
   * @param nowMs the time, monotonic, ms
   * @param value the counter now
   */
  public void add(long nowMs, long value) {
    if (size > 0 && nowMs - times[newest] < STEP_MS) {
      return;
    }
    firstMs = size == 0 ? nowMs : firstMs;
    newest = (newest + 1) % SAMPLES;
    times[newest] = nowMs;
    values[newest] = value;
    size = Math.min(size + 1, SAMPLES);
  }

  /** Returns the time since the first sample of all, ms; 0 if there is none. */
  long ageMs(long nowMs) {
    return size == 0 ? 0 : nowMs - firstMs;
  }

  /**
   * Returns by how much the counter has risen per second.
   *
   * @param nowMs the time, monotonic, ms
   * @param value the counter now
   * @param spanMs over how long, ms; less if the oldest sample is younger
   * @return the rate, 1/s; 0 if the counter has fallen or there is no sample before now
   */
  public double perSecond(long nowMs, long value, long spanMs) {
    int i = newest;
    for (int n = 1; n < size && nowMs - times[i] < spanMs; n++) {
      i = Math.floorMod(i - 1, SAMPLES);
    }
    if (size == 0 || nowMs <= times[i] || value <= values[i]) {
      return 0;
    }
    return (value - values[i]) * 1_000.0 / (nowMs - times[i]);
  }
}
