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
package org.hdfsppr.datanode.version;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.hdfsppr.digest.LinearDigest;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.stream.RateThrottle;

/**
 * Slows down the reads of blocks from which a DataNode computes digests. All links and makings of
 * the DataNode share it:
 *
 * <ul>
 *   <li>while this node has repairs, nothing is read,
 *   <li>the operator's limit for reads of reconstructions applies,
 *   <li>each job keeps to the rate of its command, and all jobs together keep to the highest of
 *       these rates, so that a job with a low rate does not slow down the others.
 * </ul>
 *
 * <p>A job that is ended stops waiting. Each job has a deadline at which it is ended, so that no
 * wait is longer. Thread-safe.
 */
final class DigestThrottle {
  /** After which time a waiting job looks again whether this node still has repairs, ms. */
  private static final long LOOK_MS = 200;

  /** A job that reads blocks. */
  interface Reader {
    /** Returns why the job has to end early; null if it may go on. */
    String endedBecause();

    /** Waits for a while, or until the job has to end early. */
    void pause(long ms) throws InterruptedException;
  }

  private final LongConsumer throttle;
  private final BooleanSupplier hasRepairs;
  private final LongSupplier nanoClock;
  /** The jobs that read, with the rates of their commands, bytes per second. Guarded by this. */
  private final Map<Reader, Long> rates = new HashMap<>();
  /** Keeps all jobs together to the highest of their rates. Guarded by this. */
  private final RateThrottle ofAll;

  /**
   * @param throttle takes a number of bytes, and waits as long as the operator's limit requires for
   *     them
   * @param hasRepairs whether this node has repairs to do
   * @param nanoClock a monotonic clock, nanoseconds
   */
  DigestThrottle(LongConsumer throttle, BooleanSupplier hasRepairs, LongSupplier nanoClock) {
    this.throttle = throttle;
    this.hasRepairs = hasRepairs;
    this.nanoClock = nanoClock;
    this.ofAll = new RateThrottle(1, nanoClock);
  }

  /**
   * Returns a watch that a job calls while it reads a block, and that makes it wait.
   *
   * @param bytesPerSecond the rate of the job's command, bytes per second, or
   *     {@link MakeCommand#UNLIMITED}
   */
  LinearDigest.Watch reading(Reader job, long bytesPerSecond) {
    if (bytesPerSecond == MakeCommand.UNLIMITED) {
      return bytes -> {
        throttle(bytes);
        awaitRepairs(job);
      };
    }
    synchronized (this) {
      rates.put(job, bytesPerSecond);
    }
    RateThrottle own = new RateThrottle(bytesPerSecond, nanoClock);
    return bytes -> {
      throttle(bytes);
      own.read(bytes);
      await(job, nanoClock.getAsLong() + Math.max(own.owedNanos(), owedByAll(bytes)));
      awaitRepairs(job);
    };
  }

  /** Removes a job that has ended, so that its rate no longer counts. */
  synchronized void ended(Reader job) {
    rates.remove(job);
  }

  private void throttle(int bytes) {
    if (bytes > 0) {
      throttle.accept(bytes);
    }
  }

  /**
   * Counts bytes that were read. Returns how long the reader has to wait, ns, so that all jobs
   * together keep to the highest rate.
   */
  private synchronized long owedByAll(int bytes) {
    ofAll.rate(Collections.max(rates.values()));
    ofAll.read(bytes);
    return ofAll.owedNanos();
  }

  private void await(Reader job, long untilNanos) throws IOException {
    for (long nanos = untilNanos - nanoClock.getAsLong(); nanos > 0 && isGoing(job);
        nanos = untilNanos - nanoClock.getAsLong()) {
      pause(job, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }
  }

  private void awaitRepairs(Reader job) throws IOException {
    while (isGoing(job) && hasRepairs.getAsBoolean()) {
      pause(job, LOOK_MS);
    }
  }

  private static boolean isGoing(Reader job) throws IOException {
    if (job.endedBecause() != null) {
      throw new IOException(job.endedBecause());
    }
    return true;
  }

  private void pause(Reader job, long ms) throws IOException {
    try {
      job.pause(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("the reading was interrupted")
          .initCause(e);
    }
  }
}
