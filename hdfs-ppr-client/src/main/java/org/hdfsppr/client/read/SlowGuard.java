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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.patience.ClientLink;
import org.hdfsppr.client.patience.HedgePermit;
import org.hdfsppr.client.patience.LinkShares;

/**
 * Runs reads of units in other threads, and stops waiting for a read that takes too long, so that
 * the stream can read other units. Thread-safe.
 */
@InterfaceAudience.Private
public final class SlowGuard {
  private final ReadContext context;

  /**
   * Makes a guard for one stream.
   *
   * @param context the state that all streams of the client share
   */
  public SlowGuard(ReadContext context) {
    this.context = context;
  }

  /**
   * Says that a DataNode did not answer in time. The caller has stopped waiting, but the read may
   * go on.
   */
  public static final class SlowException extends IOException {
    private static final long serialVersionUID = 1L;

    SlowException(String uuid, long nanos, TimeoutException cause) {
      super("DataNode " + uuid + " is slow: it has not sent what it was asked for within "
          + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms", cause);
    }
  }

  /** Says that the caller was interrupted and has stopped waiting, although the read may go on. */
  public static final class LeftException extends InterruptedIOException {
    private static final long serialVersionUID = 1L;

    LeftException(IOException cause) {
      super(cause.getMessage());
      initCause(cause);
    }
  }

  /**
   * @return whether the guard stops waiting for slow DataNodes; false if the settings allow no
   *     hedges
   */
  public boolean isOn() {
    return context.delay.isOn();
  }

  /** A read that reports how many bytes have arrived. */
  @FunctionalInterface
  public interface Work<T> {
    /**
     * @param arrived is called with the number of bytes that have just arrived
     * @return the result of the read
     * @throws IOException if the read fails
     */
    T read(IntConsumer arrived) throws IOException;
  }

  /**
   * Runs a read, and waits for it as long as a read of that size may take.
   *
   * @param <T> the type of the read's result
   * @param uuid the DataNode
   * @param bytes how many bytes are read; 1 if {@code work} only opens a block. Stock opens blocks
   *     one after the other, so the guard does not compare an opening with other reads
   * @param work the read
   * @param abandoned if the caller stops waiting, the reading thread runs this when the read is
   *     over
   * @return the result of the read
   * @throws SlowException if the read takes too long, so that the caller stops waiting
   * @throws LeftException if the caller's thread was interrupted, so that the caller stops waiting
   * @throws IOException if the read failed
   */
  public <T> T run(String uuid, long bytes, Work<T> work, Runnable abandoned)
      throws IOException {
    ClientLink.Use use = context.link.begin();
    try {
      return runWatched(uuid, bytes, work, abandoned);
    } finally {
      use.close();
    }
  }

  private <T> T runWatched(String uuid, long bytes, Work<T> work, Runnable abandoned)
      throws IOException {
    AtomicBoolean given = new AtomicBoolean();
    // Opening a block transfers no bytes, so no flow counts its bytes. The flow of an abandoned
    // read stays open until the read ends, because the read still uses the link.
    LinkShares.Flow flow = bytes > 1 ? context.shares.flow() : null;
    SlowReadDetector watch = new SlowReadDetector(context, bytes, flow);
    FutureTask<T> task = new FutureTask<>(() -> {
      try (LinkShares.Flow open = flow == null ? null : flow.open()) {
        return work.read(arrived -> {
          if (open != null) {
            open.arrived(arrived);
          }
        });
      } finally {
        if (!given.compareAndSet(false, true)) {
          abandoned.run();
        }
      }
    });
    context.execute(task);
    T result = await(uuid, watch, task, given);
    long took = watch.waitedNanos();
    // The client opens a block on a node before each transfer. If openings counted as reads, a node
    // with late transfers would still be in time in half of its reads.
    if (bytes > 1 && context.delay.isInTime(bytes, took)) {
      context.health.noteInTime(uuid);
    }
    context.delay.took(bytes, took);
    return result;
  }

  private <T> T await(String uuid, SlowReadDetector watch, FutureTask<T> task, AtomicBoolean given)
      throws IOException {
    while (true) {
      long patience = watch.patienceNanos();
      try {
        return BoundedWait.get(task, patience);
      } catch (InterruptedIOException e) {
        // If the task is done, the read itself has thrown this exception, for example after a
        // timeout. Otherwise the current thread was interrupted while it waited.
        if (!task.isDone() && given.compareAndSet(false, true)) {
          throw new LeftException(e);
        }
        throw e;
      } catch (TimeoutException e) {
        boolean isOver = watch.isOver();
        if (!isOver && !watch.isSlow(false)) {
          continue;
        }
        if (isOver ? given.compareAndSet(false, true) : isHedged(uuid, watch, given)) {
          if (watch.othersWereFaster()) {
            context.health.noteSlow(uuid);
          }
          throw new SlowException(uuid, watch.waitedNanos(), e);
        }
        // No hedge is allowed, or the read has just ended. So this thread waits once more.
      }
    }
  }

  /**
   * Whether the caller may stop waiting and read other units instead. This needs a permit, because
   * the client may begin only a limited number of hedges.
   */
  private boolean isHedged(String uuid, SlowReadDetector watch, AtomicBoolean given) {
    Optional<HedgePermit> permit = context.delay.permit(context.health.isSlow(uuid), 1,
        watch.waitedNanos(), context.nanoClock.getAsLong());
    if (permit.isEmpty()) {
      return false;
    }
    if (!given.compareAndSet(false, true)) {
      permit.get().giveBack();
      return false;
    }
    context.counters.hedge();
    return true;
  }
}
