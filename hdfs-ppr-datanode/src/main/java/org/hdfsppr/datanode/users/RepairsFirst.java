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
package org.hdfsppr.datanode.users;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Holds back work that is less urgent than repairs, such as makings of new versions, while repairs
 * use this node's link. The NameNode begins no such work at a node that a repair uses. Work that
 * was under way when a repair came would otherwise go on at its own rate, which may be more than
 * the link carries. Repairs by stock's own reconstruction count for nothing here. Thread-safe.
 */
final class RepairsFirst {
  /**
   * Repairs count as using the link for this time after they have moved bytes, ns. After the loss
   * of a node, the repair of the next unit mostly begins within this time.
   */
  static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);
  /** A waiting thread looks again after at most this time, ns. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final LongSupplier nanoClock;
  private final Sleeper sleeper;
  /** Until when repairs count as using the link. */
  private volatile long untilNanos;

  /**
   * @param nanoClock a monotonic clock, ns
   * @param sleeper lets a thread wait
   */
  RepairsFirst(LongSupplier nanoClock, Sleeper sleeper) {
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
    this.untilNanos = nanoClock.getAsLong();
  }

  /** Makes the calling thread wait for a number of nanoseconds. */
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  /** Notes that a repair moves bytes over the link now. */
  void repairMoves() {
    untilNanos = nanoClock.getAsLong() + QUIET_NANOS;
  }

  /** Waits until no repair uses the link, for {@code nanosMost} ns at most. */
  void await(long nanosMost) {
    long began = nanoClock.getAsLong();
    long now = began;
    try {
      while (untilNanos - now > 0 && now - began < nanosMost) {
        sleeper.sleep(Math.min(LOOK_NANOS, nanosMost - (now - began)));
        now = nanoClock.getAsLong();
      }
    } catch (InterruptedException e) {
      // Something has interrupted the work's thread to end it. Its next step sees the interrupt.
      Thread.currentThread().interrupt();
    }
  }
}
