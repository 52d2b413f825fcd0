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
package org.hdfsppr.datanode.host;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.PartialSumRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a thread's work on one attempt at a repair when the work makes no progress. The timeouts of
 * single reads and writes are not enough, because a node that sends a byte now and then, or reports
 * progress for ever, stays within all of them.
 *
 * <p>The guard first closes the thread's connections to children, so that the thread fails, names
 * the child, and informs its parent. If the thread waits for something else and does not end, the
 * guard interrupts it.
 */
@InterfaceAudience.Private
public final class AttemptGuard implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptGuard.class);
  /**
   * One slice may take this many stall timeouts. A tree without a fault pauses now and then, but
   * hardly this often during one slice.
   */
  private static final long STALLS_MOST = 10;
  /**
   * The guard checks the progress this many times within the time that one slice may take, so that
   * it acts soon after that time.
   */
  private static final int LOOKS = 8;

  private final Thread thread = Thread.currentThread();
  private final IntSupplier slicesDone;
  private final Runnable closeChildren;
  private final Runnable closeRest;
  private final LongSupplier nanoClock;
  private final long stallNanos;
  private final long patienceNanos;
  private final int slicesInAll;
  /** Nanoseconds that the attempt may take after the last slice. */
  private final long endingNanos;
  private final long endNanos;
  private final ScheduledFuture<?> looks;
  private int slicesSeen;
  private long seenAtNanos;
  private boolean interrupted;
  private boolean ended;

  /**
   * Guards the work that the current thread is about to do.
   *
   * @param request the request that the work carries out
   * @param endingMs milliseconds that the work may take after the last slice; 0 for a node that
   *     writes no unit
   * @param slicesDone returns how many slices the thread has finished so far
   * @param closeChildren aborts the thread's connections to its children
   * @param closeRest aborts the thread's other connections
   * @param timing the timer that runs the guard, and its clock
   */
  public AttemptGuard(PartialSumRequest request, long endingMs, IntSupplier slicesDone,
      Runnable closeChildren, Runnable closeRest, Timing timing) {
    this.slicesDone = slicesDone;
    this.closeChildren = closeChildren;
    this.closeRest = closeRest;
    this.nanoClock = timing.nanoClock;
    // This time need not cover a slow parent, because the thread notices a slow parent when it
    // writes to the parent.
    long stallMs = Math.max(STALLS_MOST * request.stallTimeoutMs(request.subtree),
        request.patienceMs());
    long bytes = request.geometry.streamBytes() / request.geometry.subChunks()
        * (request.lostRows + request.checkRows);
    stallNanos = TimeUnit.MILLISECONDS.toNanos(stallMs);
    patienceNanos = TimeUnit.MILLISECONDS.toNanos(request.patienceMs());
    seenAtNanos = nanoClock.getAsLong();
    slicesInAll = request.geometry.slices() - request.geometry.firstSlice;
    endingNanos = Math.max(stallNanos, TimeUnit.MILLISECONDS.toNanos(endingMs));
    endNanos = seenAtNanos + endingNanos
        + TimeUnit.SECONDS.toNanos(bytes / PartialSumRequest.RATE_LEAST_BYTES_PER_SECOND);
    long period = Math.max(1, stallMs / LOOKS);
    looks = timing.timer.scheduleWithFixedDelay(this, period, period, TimeUnit.MILLISECONDS);
  }

  @Override
  public synchronized void run() {
    if (ended) {
      return;
    }
    long now = nanoClock.getAsLong();
    int slices = slicesDone.getAsInt();
    if (slices != slicesSeen) {
      slicesSeen = slices;
      seenAtNanos = now;
    }
    // By how much the thread has exceeded its time for one slice, or for all slices.
    long mostNanos = slices < slicesInAll ? stallNanos : endingNanos;
    long overNanos = Math.max(now - seenAtNanos - mostNanos, now - endNanos);
    if (overNanos > 0) {
      close(closeChildren);
    }
    if (overNanos > patienceNanos) {
      close(closeRest);
      interrupted = true;
      thread.interrupt();
    }
  }

  /**
   * Closes connections, and catches errors. After an error the guard must still interrupt the
   * thread, and the timer would never run a guard again that has thrown an error.
   */
  private static void close(Runnable connections) {
    try {
      connections.run();
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
      LOG.warn("Connections of a repair that is stuck could not be closed; its thread is"
          + " interrupted", e);
    }
  }

  /**
   * Stops the guard. The guarded thread calls this method at the end of the work, and is then free
   * for other work.
   */
  public void end() {
    looks.cancel(false);
    boolean wasInterrupted;
    synchronized (this) {
      ended = true;
      wasInterrupted = interrupted;
    }
    if (wasInterrupted) {
      // The guard's interrupt was for the work, which has ended by now. It must not reach other
      // work.
      Thread.interrupted();
    }
  }

  /** The timer that runs guards, and the clock that they use. Immutable. */
  public static final class Timing {
    /** Runs each guard from time to time */
    public final ScheduledExecutorService timer;
    /** A monotonic clock, ns */
    public final LongSupplier nanoClock;

    /**
     * @param timer runs guards; the caller shuts it down
     * @param nanoClock a monotonic clock, ns
     */
    public Timing(ScheduledExecutorService timer, LongSupplier nanoClock) {
      this.timer = timer;
      this.nanoClock = nanoClock;
    }
  }
}
