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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.Pressure;

/**
 * Decides how much of this node's link, in one direction, repairs may have.
 *
 * <pre>
 *   rest = what the link carries - what users move (mean of the last second)
 *
 *   no user is there, or the rate of the link is not known: all
 *   the link carries clearly more than the settings say:    all
 *   a user moves bytes in this direction at this moment:    pressure * rest
 *   users are there, and none moves bytes at this moment:   BETWEEN * rest
 *   in both cases never less than LEAST * link
 * </pre>
 *
 * Single reads of users are over before any rate shows them. Most of the time no user of a node
 * reads, although users are there. Repairs take then what they leave while one reads. Thread-safe.
 */
@InterfaceAudience.Private
final class LinkShare {
  /** The time between two samples, ms. */
  static final long TICK_MS = 100;
  /**
   * The longest wait of one slice, ns: far below the time after which a helper counts as dead. The
   * slice then goes although users are busy.
   */
  static final long WAIT_NANOS_MOST = TimeUnit.SECONDS.toNanos(1);
  /** The time over which rates are measured, ns. Most single reads of users are shorter. */
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
  /** The time for which users count as present after they were last seen, ns. */
  static final long PRESENT_NANOS = TimeUnit.SECONDS.toNanos(5);
  /**
   * The least part of the link that repairs have in any case. The NameNode gives a repair at least
   * five times of what it takes on idle links, so that a repair ends in time also over links that
   * users fill for days.
   */
  static final double LEAST = 0.2;
  /**
   * The part of the rest that repairs have while no user moves bytes. The remainder keeps sockets
   * and queues short for the next user: a link of a rate carries some 4 % less of repairs' bytes,
   * because of the headers.
   */
  static final double BETWEEN = 0.9;
  /**
   * If the link has carried more than the configured rate by this factor, the link is not
   * what the settings say, and there is no telling what is left of it. Repairs then do not yield. A
   * setting for links of 1 Gbit/s would otherwise hold repairs on links of 10 Gbit/s back to a
   * fifth of 1 Gbit/s.
   */
  static final double WRONG = 1.25;
  /** Repairs may catch up with what they have missed within this time, ns. */
  static final long CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  /**
   * The time for which a user's packet may wait behind repairs that are in sockets, ns, with the
   * gentlest pressure. A disk's seek takes longer.
   */
  static final long QUEUE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
  /** The fewest bytes of one connection that may wait in its socket: a few packets. */
  static final int SOCKET_BYTES_LEAST = 16 << 10;
  /**
   * The time over which is measured what the link carries, ns. A busy machine reads the counters
   * late by some hundred milliseconds.
   */
  static final long LEARN_NANOS = TimeUnit.SECONDS.toNanos(5);
  /** The time for which the rate of the best {@link #LEARN_NANOS} is remembered, at least, ns. */
  private static final long BEST_KEPT_NANOS = TimeUnit.MINUTES.toNanos(30);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int SAMPLES =
      (int) (WINDOW_NANOS / TimeUnit.MILLISECONDS.toNanos(TICK_MS));

  private final LongSupplier nanoClock;
  private final long[] times = new long[SAMPLES];
  private final long[] users = new long[SAMPLES];
  private int samples;
  private int percent = Pressure.URGENT;
  private long linkBytesPerSecond;
  private double best;
  private double bestOfLastPeriod;
  private long periodBeganNanos;
  private long learntAtNanos;
  private long learntBytes;
  private double userRate;
  private long presentUntilNanos;
  private boolean present;
  /** Whether a user moves bytes at this moment; true as long as it is not known. */
  private boolean moving = true;
  /** The bytes that repairs have moved, and that the rate has not carried yet. */
  private double owedBytes;
  private long owedAtNanos;

  /** @param nanoClock a monotonic clock, ns */
  LinkShare(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.owedAtNanos = nanoClock.getAsLong();
  }

  /**
   * Sets how much repairs press. Holds from the next call on.
   *
   * @param pressure percent, see {@link Pressure}
   * @param linkRate what the link carries each way, bytes/s; 0 if it is not known. Repairs then do
   *     not yield: the best second so far says only what was asked for, and repairs that kept
   *     to a part of it would never show that the link carries more
   */
  synchronized void set(int pressure, long linkRate) {
    percent = pressure;
    linkBytesPerSecond = linkRate;
  }

  /**
   * Takes a sample.
   *
   * @param userBytes bytes that users have moved so far, in this direction; may fall for a moment,
   *     because it may be a difference of two counters
   * @param carriedBytes bytes that the link is known to have carried so far, in this direction
   * @param isPresent whether a user is there, be it idle
   */
  synchronized void sample(long userBytes, long carriedBytes, boolean isPresent) {
    long now = nanoClock.getAsLong();
    int slot = samples % SAMPLES;
    int before = (samples + SAMPLES - 1) % SAMPLES;
    long usersSoFar = samples == 0 ? userBytes : Math.max(userBytes, users[before]);
    if (samples > 0) {
      // The slot that is about to be overwritten is the oldest.
      int oldest = samples < SAMPLES ? 0 : slot;
      double seconds = Math.max(1, now - times[oldest]) / NANOS_PER_SECOND;
      userRate = (usersSoFar - users[oldest]) / seconds;
      learn(now, carriedBytes);
    } else {
      periodBeganNanos = now;
      learntAtNanos = now;
      learntBytes = carriedBytes;
    }
    if (isPresent) {
      present = true;
      presentUntilNanos = now + PRESENT_NANOS;
    } else if (present && now - presentUntilNanos >= 0) {
      present = false;
    }
    times[slot] = now;
    users[slot] = usersSoFar;
    samples++;
    if (samples == 2 * SAMPLES) {
      samples = SAMPLES;
    }
  }

  /** Forgets all samples, before samples of other counters. */
  synchronized void restart() {
    samples = 0;
    userRate = 0;
    best = 0;
    bestOfLastPeriod = 0;
  }

  private void learn(long now, long carriedBytes) {
    if (now - periodBeganNanos >= BEST_KEPT_NANOS) {
      bestOfLastPeriod = best;
      best = 0;
      periodBeganNanos = now;
    }
    if (now - learntAtNanos >= LEARN_NANOS) {
      best = Math.max(best,
          (carriedBytes - learntBytes) / ((now - learntAtNanos) / NANOS_PER_SECOND));
      learntAtNanos = now;
      learntBytes = carriedBytes;
    }
  }

  /** Returns what the settings say that the link carries, bytes/s; 0 if they do not say it. */
  synchronized long linkBytesPerSecond() {
    return linkBytesPerSecond;
  }

  /** Returns the rate of users, bytes/s. */
  synchronized double userRate() {
    return userRate;
  }

  /** Returns whether repairs hold back at present. */
  synchronized boolean isYielding() {
    return present && percent < Pressure.URGENT && linkBytesPerSecond > 0
        && !isRateWrong();
  }

  /** Returns whether the link carries clearly more than the settings say. */
  synchronized boolean isRateWrong() {
    return linkBytesPerSecond > 0 && bestRate() > WRONG * linkBytesPerSecond;
  }

  /** Returns the best rate that the link is known to have had, bytes/s. */
  synchronized double bestRate() {
    return Math.max(best, bestOfLastPeriod);
  }

  /** Notes whether a user moves bytes in this direction at this moment. Holds until the next. */
  synchronized void usersMove(boolean atThisMoment) {
    moving = atThisMoment;
  }

  /** Returns the rate that all repairs of this node may have together, bytes/s. */
  synchronized double repairRate() {
    if (!isYielding()) {
      return Double.POSITIVE_INFINITY;
    }
    double part = percent / 100.0;
    return Math.max(LEAST * linkBytesPerSecond,
        (moving ? part : Math.max(part, BETWEEN)) * (linkBytesPerSecond - userRate));
  }

  /**
   * Says when repairs may send their next bytes. The rate may change while they wait, so that a
   * caller asks again after some milliseconds.
   *
   * @return nanoseconds to wait at this rate; 0 for no wait
   */
  synchronized long waitNanos() {
    long now = nanoClock.getAsLong();
    double rate = repairRate();
    double seconds = (now - owedAtNanos) / NANOS_PER_SECOND;
    owedAtNanos = now;
    if (Double.isInfinite(rate)) {
      owedBytes = 0;
      return 0;
    }
    owedBytes = Math.max(owedBytes - rate * seconds, -rate * CREDIT_NANOS / NANOS_PER_SECOND);
    // No slice waits longer than this, so that slices may have gone before their time. What is owed
    // for them must not hold others back for good.
    owedBytes = Math.min(owedBytes, rate * WAIT_NANOS_MOST / NANOS_PER_SECOND);
    return owedBytes <= 0 ? 0 : (long) Math.ceil(owedBytes / rate * NANOS_PER_SECOND);
  }

  /** Notes that repairs move bytes now. */
  synchronized void moves(long bytes) {
    owedBytes += bytes;
  }

  /**
   * Returns how many bytes of each connection may wait in its socket.
   *
   * @param connections the number of connections over which repairs send
   * @return bytes; 0 if there is no bound at present
   */
  synchronized int socketBytes(int connections) {
    if (!isYielding()) {
      return 0;
    }
    double all = (double) linkBytesPerSecond * QUEUE_NANOS / NANOS_PER_SECOND * percent
        / Pressure.GENTLE;
    return (int) Math.max(SOCKET_BYTES_LEAST,
        Math.min(Integer.MAX_VALUE, all / Math.max(1, connections)));
  }
}
