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
package org.hdfsppr.datanode.agent;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides the pause after a call to a NameNode. A few calls may follow each other at once, which
 * speeds up the steps of a commit. Further calls are 20 ms apart, so that results of jobs that end
 * together share a heartbeat, and thousands of DataNodes with many results do not overload the
 * NameNode. Not thread-safe.
 */
final class CallPace {
  /** How many calls may follow each other without a pause. */
  static final int BURST = 8;
  /**
   * The pause after each further call, ms. After this time without a call, one more call needs no
   * pause.
   */
  static final long GAP_MS = 20;

  private static final double GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(GAP_MS);

  private final LongSupplier nanos;
  private double left = BURST;
  private long lastNanos;

  /** @param nanos a monotonic clock, ns */
  CallPace(LongSupplier nanos) {
    this.nanos = nanos;
    this.lastNanos = nanos.getAsLong();
  }

  /** Counts a call that has just ended; returns the pause before the next one, ms. */
  long called() {
    long now = nanos.getAsLong();
    left = Math.max(0, Math.min(BURST, left + (now - lastNanos) / GAP_NANOS)) - 1;
    lastNanos = now;
    return left < 0 ? GAP_MS : 0;
  }
}
