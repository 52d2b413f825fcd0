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
package org.hdfsppr.stream;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Records the times at which the steps of an operation ended, for logs. Recording is cheap, so it
 * is always on. Only {@link #toString} is expensive, and a logger calls it only if the log level is
 * on. Used by one thread.
 */
@InterfaceAudience.Private
public final class Phases {
  /** How many steps are recorded at most. Every operation has fewer. */
  private static final int STEPS_MOST = 12;

  private final LongSupplier nanoClock;
  private final long start;
  private final String[] names = new String[STEPS_MOST];
  private final long[] nanos = new long[STEPS_MOST];
  private int steps;

  /**
   * Starts the measurement.
   *
   * @param nanoClock a monotonic clock, nanoseconds
   */
  public Phases(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.start = nanoClock.getAsLong();
  }

  /**
   * Records the end of a step.
   *
   * @param step name of the step
   */
  public void done(String step) {
    if (steps < STEPS_MOST) {
      names[steps] = step;
      nanos[steps] = nanoClock.getAsLong() - start;
      steps++;
    }
  }

  /**
   * Lists each step with the milliseconds from the start of the operation to the end of the step.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int step = 0; step < steps; step++) {
      text.append(step == 0 ? "" : ", ").append(names[step]).append(String.format(Locale.ROOT,
          " %.2f", nanos[step] / (double) TimeUnit.MILLISECONDS.toNanos(1)));
    }
    return text.append(" ms").toString();
  }
}
