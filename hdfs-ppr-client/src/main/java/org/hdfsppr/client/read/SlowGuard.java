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
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.patience.LinkLoad;
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
   * @param context what all streams of the client share
   */
  public SlowGuard(ReadContext context) {
    this.context = context;
  }

  /** A DataNode did not answer in time. */
  public static final class SlowException extends IOException {
    private static final long serialVersionUID = 1L;

    SlowException(String uuid, long nanos, TimeoutException cause) {
      super("DataNode " + uuid + " is slow: it has not sent what it was asked for within "
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

  /** @return whether the guard stops waiting for slow DataNodes at all */
  public boolean isOn() {
    return context.delay().isOn();
  }

  /** A read, which says what of it has come. */
  @FunctionalInterface
  public interface Work<T> {
    /**
     * @param arrived takes how many bytes have come
     * @return what was read
     * @throws IOException if that fails
     */
    T read(IntConsumer arrived) throws IOException;
  }

  /**
   * Runs a read, and waits for it as long as a read of that size may take.
   *
   * @param <T> what a read gives
   * @param uuid the DataNode
   * @param bytes how much is read; 1 to open a block, which stock does one after the other
   * @param work the read
   * @param abandoned the reading thread runs it after the read, if the caller waits no more
   * @return what the read gave
   * @throws SlowException if the caller waits no more, because the read takes too long
   * @throws LeftException if the caller waits no more, because its thread was interrupted
   * @throws IOException if it failed
   */
  public <T> T run(String uuid, long bytes, Work<T> work, Runnable abandoned)
      throws IOException {
    LinkLoad.Use use = context.load().begin(bytes, bytes);
    try {
      return runWatched(uuid, bytes, work, abandoned);
    } finally {
      use.close();
    }
  }

  private <T> T runWatched(String uuid, long bytes, Work<T> work, Runnable abandoned)
      throws IOException {
    AtomicBoolean given = new AtomicBoolean();
    // To open a block brings no bytes. What is abandoned has its share of the link to its end.
    LinkShares.Flow flow = bytes > 1 ? context.shares().flow() : null;
    Watch watch = new Watch(context, bytes, flow);
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
    context.delay().took(bytes, watch.waitedNanos());
    return result;
  }

  private <T> T await(String uuid, Watch watch, FutureTask<T> task, AtomicBoolean given)
      throws IOException {
    while (true) {
      long patience = watch.patienceNanos();
      try {
        return BoundedWait.get(task, patience);
      } catch (InterruptedIOException e) {
        // Not one of the read itself, such as a timeout: that has ended then.
        if (!task.isDone() && given.compareAndSet(false, true)) {
          throw new LeftException(e);
        }
        throw e;
      } catch (TimeoutException e) {
        boolean isOver = watch.isOver();
        if ((isOver || watch.isSlow(false) && context.delay().mayHedge())
            && given.compareAndSet(false, true)) {
          if (!isOver) {
            context.counters().hedge();
          }
          if (watch.othersWereFaster()) {
            context.health().noteSlow(uuid);
          }
          throw new SlowException(uuid, watch.waitedNanos(), e);
        }
        // A busy link is slow for all: then waiting costs least.
      }
    }
  }
}
