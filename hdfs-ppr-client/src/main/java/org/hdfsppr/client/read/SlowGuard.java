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
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Runs reads of units in other threads and stops waiting for those that take too long, where there
 * is somebody else to read from. Thread-safe.
 */
@InterfaceAudience.Private
public final class SlowGuard {
  /** So long nobody else may have ended either, because nothing else is read. */
  private static final int WAITS_MOST = 3;

  private final ReadContext context;

  public SlowGuard(ReadContext context) {
    this.context = context;
  }

  /** A DataNode did not answer in time. */
  public static final class SlowException extends IOException {
    private static final long serialVersionUID = 1L;

    SlowException(String uuid, long nanos, TimeoutException cause) {
      super("DataNode " + uuid + " is slow: nothing within "
          + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms", cause);
    }
  }

  /** The reader was interrupted, and waits no more for what goes on. */
  public static final class LeftException extends InterruptedIOException {
    private static final long serialVersionUID = 1L;

    LeftException(IOException cause) {
      super(cause.getMessage());
      initCause(cause);
    }
  }

  /** Whether slow DataNodes are of any interest. */
  public boolean isOn() {
    return context.delay().isOn();
  }

  /**
   * Runs a read, and waits for it as long as a read of that size may take.
   *
   * @param uuid the DataNode
   * @param bytes how much is read; 1 to open a block, which stock does one after the other
   * @param work the read
   * @param abandoned is called after the read, by its thread, if nobody waits for it any more
   * @throws SlowException if nobody waits for it any more, because it takes too long
   * @throws LeftException if nobody does, because the current thread was interrupted
   * @throws IOException if it failed
   */
  public <T> T run(String uuid, long bytes, Callable<T> work, Runnable abandoned)
      throws IOException {
    LinkLoad.Use use = context.load().begin(bytes, bytes);
    try {
      return runWatched(uuid, bytes, work, abandoned);
    } finally {
      use.close();
    }
  }

  private <T> T runWatched(String uuid, long bytes, Callable<T> work, Runnable abandoned)
      throws IOException {
    long start = context.nanoClock().getAsLong();
    AtomicBoolean given = new AtomicBoolean();
    FutureTask<T> task = new FutureTask<>(() -> {
      try {
        return work.call();
      } finally {
        if (!given.compareAndSet(false, true)) {
          abandoned.run();
        }
      }
    });
    context.execute(task);
    T result = await(uuid, bytes, task, given);
    context.delay().took(bytes, context.nanoClock().getAsLong() - start);
    return result;
  }

  private <T> T await(String uuid, long bytes, FutureTask<T> task, AtomicBoolean given)
      throws IOException {
    long endedBefore = context.delay().ended();
    long start = context.nanoClock().getAsLong();
    int waits = 0;
    while (true) {
      long patience = context.patienceNanos(context.delay(), bytes);
      try {
        return GroupReader.get(task, patience);
      } catch (InterruptedIOException e) {
        // Not one of the read itself, such as a timeout: that has ended then.
        if (!task.isDone() && given.compareAndSet(false, true)) {
          throw new LeftException(e);
        }
        throw e;
      } catch (TimeoutException e) {
        long waited = context.nanoClock().getAsLong() - start;
        if (waited > context.waitNanosMost() && given.compareAndSet(false, true)) {
          throw new SlowException(uuid, waited, e);
        }
        boolean othersWereFaster = context.delay().ended() > endedBefore;
        waits++;
        if ((othersWereFaster || context.delay().isLearnt(bytes) || bytes <= 1
            || waits >= WAITS_MOST) && context.delay().mayHedge()
            && given.compareAndSet(false, true)) {
          context.counters().hedge();
          if (othersWereFaster) {
            context.health().noteSlow(uuid);
          }
          throw new SlowException(uuid, patience, e);
        }
        // A busy link is slow for all: then waiting costs least. To open a block costs no bytes.
      }
    }
  }
}
