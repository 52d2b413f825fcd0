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

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How long to wait for a DataNode before its bytes are fetched in another way: learnt from how long
 * recent reads of about that size took, and bounded in how often it may be done. Thread-safe.
 */
@InterfaceAudience.Private
public final class HedgeDelay {
  /** A read counts as slow beyond three times what nearly all reads of its size take. */
  private static final int FACTOR = 3;
  /** What a client may spend before it has read anything, and save at most. */
  private static final int HEDGES_SAVED_MOST = 10;
  private static final int HUNDRED = 100;

  private final long minNanos;
  private final long maxNanos;
  private final int percent;
  private final LatencyRule latencies;
  private long ended;
  /** In hundredths of a hedge. */
  private int saved = HEDGES_SAVED_MOST * HUNDRED;

  /**
   * @param minMs the least delay; 0: there are no hedges
   * @param maxMs the longest, and that of sizes of which too little is known
   * @param percent hedges for a hundred reads
   */
  public HedgeDelay(int minMs, int maxMs, int percent) {
    this(minMs, maxMs, percent, new LatencyBySize());
  }

  /**
   * @param minMs the least delay; 0: there are no hedges
   * @param maxMs the longest, and that of sizes of which too little is known
   * @param percent hedges for a hundred reads
   * @param latencies learns what reads take; used by this object alone
   */
  public HedgeDelay(int minMs, int maxMs, int percent, LatencyRule latencies) {
    this.minNanos = TimeUnit.MILLISECONDS.toNanos(minMs);
    this.maxNanos = TimeUnit.MILLISECONDS.toNanos(maxMs);
    this.percent = percent;
    this.latencies = latencies;
  }

  /** @return whether slow DataNodes are of any interest */
  public boolean isOn() {
    return minNanos > 0;
  }

  /**
   * @param bytes how many bytes
   * @return whether enough is known of reads of {@code bytes} to tell a slow one by its time alone
   */
  public synchronized boolean isLearnt(long bytes) {
    return latencies.isLearnt(bytes);
  }

  /**
   * Where some have while one has not, it is the slow one.
   *
   * @return how many reads have ended so far
   */
  public synchronized long ended() {
    return ended;
  }

  /**
   * A read of {@code bytes} took so long.
   *
   * @param bytes how many bytes
   * @param nanos how long that took, nanoseconds
   */
  public synchronized void took(long bytes, long nanos) {
    ended++;
    latencies.took(bytes, nanos);
    saved = Math.min(HEDGES_SAVED_MOST * HUNDRED, saved + percent);
  }

  /**
   * @param bytes how many bytes
   * @return how long to wait for {@code bytes}, nanoseconds
   */
  public synchronized long nanos(long bytes) {
    if (!latencies.isLearnt(bytes)) {
      return maxNanos;
    }
    return Math.max(minNanos, Math.min(maxNanos, FACTOR * latencies.usualNanosMost(bytes)));
  }

  /**
   * @param bytes how many bytes
   * @return when a read whose bytes do come is slow all the same, nanoseconds: what most of that
   *     size take is a matter of the link, however long that is, and no share of slow DataNodes
   *     moves it
   */
  public synchronized long slowNanos(long bytes) {
    return Math.max(nanos(bytes), FACTOR * latencies.usualNanos(bytes));
  }

  /** @return the longest that is waited for a first byte, nanoseconds */
  public long maxNanos() {
    return maxNanos;
  }

  /** @return whether one more read may be repeated now; it then counts */
  public synchronized boolean mayHedge() {
    if (!isOn() || saved < HUNDRED) {
      return false;
    }
    saved -= HUNDRED;
    return true;
  }

  /** It was not repeated after all. */
  public synchronized void didNotHedge() {
    saved = Math.min(HEDGES_SAVED_MOST * HUNDRED, saved + HUNDRED);
  }
}
