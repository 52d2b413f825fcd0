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
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Measures how fast repairs send, or receive, over this node's link. A sample counts for the best
 * rate only if repairs also moved bytes in the samples before and after it. Otherwise a repair may
 * have begun or ended within the sample, which then says nothing about the link. Bytes of requests
 * with a rate limit, such as those of background checks, never count for the best rate, because
 * they would show the limit instead of the link. Used under a lock of its user.
 */
@InterfaceAudience.Private
final class LinkMeter {
  /**
   * The time for which a best rate is remembered, at least, ns; at most twice as long. The rate of
   * an hour ago would say nothing about a link that has been replaced since.
   */
  static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(30);

  private final LongSupplier bytes;
  private final LongSupplier paced;
  private long last;
  private long lastFree;
  private double perSecond;
  /** The rates of the last two samples, without bytes of requests with a rate limit. */
  private double before;
  private double now;
  private double best;
  private double bestOfLastPeriod;
  private long periodBeganNanos;
  private boolean sampled;

  /**
   * @param bytes counts the bytes that repairs have moved in this direction since the start
   * @param paced counts those of them that belong to requests with a rate limit
   */
  LinkMeter(LongSupplier bytes, LongSupplier paced) {
    this.bytes = bytes;
    this.paced = paced;
  }

  /**
   * Takes a sample. The first sample gives no rate.
   *
   * @param nowNanos the time now, monotonic, ns
   * @param elapsedNanos the time since the last sample, ns
   */
  void sample(long nowNanos, long elapsedNanos) {
    // The part is read before the whole, so that it is never greater than the whole.
    long slow = paced.getAsLong();
    long count = bytes.getAsLong();
    long free = count - slow;
    if (!sampled) {
      sampled = true;
      periodBeganNanos = nowNanos;
    } else {
      if (nowNanos - periodBeganNanos >= KEPT_NANOS) {
        bestOfLastPeriod = best;
        best = 0;
        periodBeganNanos = nowNanos;
      }
      double perByte = (double) TimeUnit.SECONDS.toNanos(1) / Math.max(1, elapsedNanos);
      perSecond = (count - last) * perByte;
      double next = Math.max(0, free - lastFree) * perByte;
      if (before > 0 && next > 0) {
        best = Math.max(best, now);
      }
      before = now;
      now = next;
    }
    last = count;
    lastFree = free;
  }

  /** Returns the rate of the last sample, bytes/s. */
  long perSecond() {
    return (long) perSecond;
  }

  /** Returns the best rate that is remembered, bytes/s; 0 if there is none. */
  long bestPerSecond() {
    return (long) Math.max(best, bestOfLastPeriod);
  }
}
