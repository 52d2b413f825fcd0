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
import org.hdfsppr.namenode.manage.status.History;

/**
 * Keeps the history of repairs: one sample for each ten seconds of the last hour. Not thread-safe.
 */
@InterfaceAudience.Private
public final class HistoryRing {
  private static final long STEP_MS = History.STEP_SECONDS * 1_000L;

  private final double[] rates = new double[History.SAMPLES_MAX];
  private final int[] queued = new int[History.SAMPLES_MAX];
  private final int[] inFlight = new int[History.SAMPLES_MAX];
  private int next;
  private int size;
  private long stepMs = Long.MIN_VALUE;
  private long stepBytes;
  private History history = History.NONE;

  /**
   * Takes a sample, if the last one is ten seconds old. Call this in each cycle.
   *
   * @param nowMs the time now, monotonic, ms
   * @param advancedBytes all bytes that have been rebuilt, including those of repairs under way
   * @param waiting groups that wait
   * @param underWay repairs under way
   */
  public void take(long nowMs, long advancedBytes, int waiting, int underWay) {
    if (stepMs == Long.MIN_VALUE) {
      stepMs = nowMs;
      stepBytes = advancedBytes;
      return;
    }
    long passed = nowMs - stepMs;
    if (passed < STEP_MS) {
      return;
    }
    double rate = Math.max(0, advancedBytes - stepBytes) * 1_000.0 / passed;
    // If the process has paused, several steps have passed at once. Each of them gets the mean
    // rate, so that each sample is at its right time.
    long steps = Math.min(passed / STEP_MS, History.SAMPLES_MAX);
    for (long i = 0; i < steps; i++) {
      rates[next] = rate;
      queued[next] = waiting;
      inFlight[next] = underWay;
      next = (next + 1) % History.SAMPLES_MAX;
      size = Math.min(size + 1, History.SAMPLES_MAX);
    }
    stepMs = nowMs - passed % STEP_MS;
    stepBytes = advancedBytes;
    history = copy();
  }

  private History copy() {
    double[] r = new double[size];
    int[] q = new int[size];
    int[] f = new int[size];
    for (int i = 0; i < size; i++) {
      int from = Math.floorMod(next - size + i, History.SAMPLES_MAX);
      r[i] = rates[from];
      q[i] = queued[from];
      f[i] = inFlight[from];
    }
    return new History(stepMs, r, q, f);
  }

  /** @return the samples, the oldest first */
  public History history() {
    return history;
  }
}
