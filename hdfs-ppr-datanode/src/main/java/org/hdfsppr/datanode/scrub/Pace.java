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
package org.hdfsppr.datanode.scrub;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says how long a reader has to wait so that it keeps to a rate. Time in which it read less does
 * not count later, so that it never reads faster than the rate. Not thread-safe.
 */
@InterfaceAudience.Private
final class Pace {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long bytesPerSecond;
  private final LongSupplier nanoClock;
  /** When the bytes that were read so far are paid for; the time of the first bytes at first. */
  private long paidNanos;
  private boolean begun;

  /**
   * @param bytesPerSecond the rate, at least 1
   * @param nanoClock a monotonic clock, nanoseconds
   */
  Pace(long bytesPerSecond, LongSupplier nanoClock) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoClock = nanoClock;
  }

  /** Notes bytes that were read. */
  void read(long bytes) {
    long now = nanoClock.getAsLong();
    long from = begun && paidNanos - now > 0 ? paidNanos : now;
    begun = true;
    paidNanos = from + (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
  }

  /** Returns the nanoseconds to wait before the next bytes are read; 0 or less for no wait. */
  long owedNanos() {
    return begun ? paidNanos - nanoClock.getAsLong() : 0;
  }
}
