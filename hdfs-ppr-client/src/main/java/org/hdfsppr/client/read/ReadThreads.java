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

import java.io.Closeable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.util.Daemon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads and the timer that all streams of one client share. No read waits for a thread. If no
 * thread is free, the calling thread does the work itself, or skips it. Thread-safe.
 */
final class ReadThreads implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadThreads.class);
  /** An idle thread ends after this time. */
  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor timer;
  private final AtomicBoolean saidNoThread = new AtomicBoolean();

  ReadThreads(int threadsMost) {
    threads = new ThreadPoolExecutor(0, threadsMost, IDLE_SECONDS, TimeUnit.SECONDS,
        new SynchronousQueue<>(), new Daemon.DaemonFactory());
    timer = new ScheduledThreadPoolExecutor(1, new Daemon.DaemonFactory());
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs work in another thread.
   *
   * @return false if no thread is free; the work is then not run
   */
  boolean tryExecute(Runnable work) {
    try {
      threads.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    } catch (OutOfMemoryError e) {
      // The JVM could not make a thread, so the caller goes on without it.
      if (saidNoThread.compareAndSet(false, true)) {
        LOG.warn("No thread could be made for degraded reads, which go on without (said once)", e);
      }
      return false;
    }
  }

  /** Runs work in another thread, or in this thread if no other is free. */
  void execute(Runnable work) {
    if (!tryExecute(work)) {
      work.run();
    }
  }

  /** The number of threads that are running work. */
  int busy() {
    return threads.getActiveCount();
  }

  /**
   * Runs short work after some time. Once the client is closed, no such work runs any more, and
   * reads that are still running go on without it.
   */
  Future<?> later(Runnable work, long nanos) {
    try {
      return timer.schedule(work, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(null);
    }
  }

  /** The timer, for other parts of the client. */
  ScheduledExecutorService timer() {
    return timer;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    timer.shutdownNow();
  }
}
