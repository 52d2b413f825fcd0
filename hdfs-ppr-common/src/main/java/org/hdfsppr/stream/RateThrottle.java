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

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Calculates how long a reader has to wait to keep to a rate. A reader that was slower than the
 * rate may catch up at most {@link #CREDIT_NANOS} of its delay. This makes up for waits that were a
 * little too long. Not thread-safe.
 */
@InterfaceAudience.Private
public final class RateThrottle {
  /** How much of its delay a slow reader may catch up, nanoseconds. */
  static final long CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private long bytesPerSecond;
  private final LongSupplier nanoClock;
  /** The time at which the reader may read again, given the bytes that it has read so far. */
  private long paidNanos;
  private boolean begun;

  /**
   * @param bytesPerSecond the rate, at least 1
   * @param nanoClock a monotonic clock, nanoseconds
   */
  public RateThrottle(long bytesPerSecond, LongSupplier nanoClock) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoClock = nanoClock;
  }

  /**
   * Changes the rate. A wait that is still owed for bytes already read is scaled to the new rate.
   *
   * @param most the rate, bytes per second, at least 1
   */
  public void rate(long most) {
    long owed = owedNanos();
    if (owed > 0) {
      paidNanos += (long) (owed * ((double) bytesPerSecond / most)) - owed;
    }
    bytesPerSecond = most;
  }

  /**
   * Counts bytes that the reader has read, and moves the time at which it may read again.
   *
   * @param bytes number of bytes
   */
  public void read(long bytes) {
    long now = nanoClock.getAsLong();
    long from = !begun ? now : paidNanos - now > -CREDIT_NANOS ? paidNanos : now - CREDIT_NANOS;
    begun = true;
    paidNanos = from + (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
  }

  /** @return nanoseconds to wait before the next bytes are read; 0 or less for no wait */
  public long owedNanos() {
    return begun ? paidNanos - nanoClock.getAsLong() : 0;
  }
}
