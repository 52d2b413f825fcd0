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
 * When the steps of something were over, for who wants to know where its time goes: kept always,
 * since that costs nothing to speak of, and put into words only for a log that shows it. Used by
 * one thread.
 */
@InterfaceAudience.Private
public final class Phases {
  /** More steps than anything has; what comes behind them is not kept. */
  private static final int STEPS_MOST = 12;

  private final LongSupplier nanoClock;
  private final long start;
  private final String[] names = new String[STEPS_MOST];
  private final long[] nanos = new long[STEPS_MOST];
  private int steps;

  /** Begins now. */
  public Phases(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.start = nanoClock.getAsLong();
  }

  /** A step is over now. */
  public void done(String step) {
    if (steps < STEPS_MOST) {
      names[steps] = step;
      nanos[steps] = nanoClock.getAsLong() - start;
      steps++;
    }
  }

  /** Each step and the milliseconds from the beginning to its end. */
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
