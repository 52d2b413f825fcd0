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

/**
 * Ends what a thread does for one attempt at a repair if it does not get on. Timeouts of single
 * reads and writes cannot see that: a node that sends a byte now and then, or word of its progress
 * for ever, keeps within them all.
 *
 * <p>First its connections to children are closed, so that it fails, naming the child, and tells
 * its parent. Should that not end it, because it waits for somebody else, it is interrupted.
 */
@InterfaceAudience.Private
public final class AttemptGuard implements Runnable {
  /** An honest tree stalls now and then, but hardly this often within one slice. */
  private static final long STALLS_MOST = 10;
  /** Looks within each of the times that it is to keep. */
  private static final int LOOKS = 8;

  private final Thread thread = Thread.currentThread();
  private final IntSupplier slicesDone;
  private final Runnable closeChildren;
  private final Runnable closeRest;
  private final LongSupplier nanoClock;
  private final long stallNanos;
  private final long patienceNanos;
  private final int slicesInAll;
  /** From the last slice on. */
  private final long endingNanos;
  private final long endNanos;
  private final ScheduledFuture<?> looks;
  private int slicesSeen;
  private long seenAtNanos;
  private boolean interrupted;
  private boolean ended;

  /**
   * Guards what the current thread is about to do.
   *
   * @param request what it is to do
   * @param endingMs how long it may take when all slices are done, which only the writer of the
   *     result needs time for
   * @param slicesDone how far it has got
   * @param closeChildren ends the connections to its children
   * @param closeRest ends its other connections
   */
  public AttemptGuard(PartialSumRequest request, long endingMs, IntSupplier slicesDone,
      Runnable closeChildren, Runnable closeRest, ScheduledExecutorService timer,
      LongSupplier nanoClock) {
    this.slicesDone = slicesDone;
    this.closeChildren = closeChildren;
    this.closeRest = closeRest;
    this.nanoClock = nanoClock;
    // A parent may take its time as well, and whether it does is seen where it is written to.
    long stallMs = Math.max(STALLS_MOST * request.stallTimeoutMs(request.subtree()),
        request.patienceMs());
    long bytes = request.geometry().streamBytes() / request.geometry().subChunks()
        * (request.lostRows() + request.checkRows());
    stallNanos = TimeUnit.MILLISECONDS.toNanos(stallMs);
    patienceNanos = TimeUnit.MILLISECONDS.toNanos(request.patienceMs());
    seenAtNanos = nanoClock.getAsLong();
    slicesInAll = request.geometry().slices() - request.geometry().firstSlice();
    endingNanos = Math.max(stallNanos, TimeUnit.MILLISECONDS.toNanos(endingMs));
    endNanos = seenAtNanos + endingNanos
        + TimeUnit.SECONDS.toNanos(bytes / PartialSumRequest.RATE_LEAST_BYTES_PER_SECOND);
    long period = Math.max(1, stallMs / LOOKS);
    looks = timer.scheduleWithFixedDelay(this, period, period, TimeUnit.MILLISECONDS);
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
    // How far it is over its time for a slice, or for all of them.
    long mostNanos = slices < slicesInAll ? stallNanos : endingNanos;
    long overNanos = Math.max(now - seenAtNanos - mostNanos, now - endNanos);
    if (overNanos > 0) {
      closeChildren.run();
    }
    if (overNanos > patienceNanos) {
      closeRest.run();
      interrupted = true;
      thread.interrupt();
    }
  }

  /** The thread is free for other work. Called by itself. */
  public void end() {
    looks.cancel(false);
    boolean wasInterrupted;
    synchronized (this) {
      ended = true;
      wasInterrupted = interrupted;
    }
    if (wasInterrupted) {
      // It was for what has ended now.
      Thread.interrupted();
    }
  }
}
