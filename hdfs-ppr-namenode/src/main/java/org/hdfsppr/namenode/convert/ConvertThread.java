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
package org.hdfsppr.namenode.convert;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the steps of conversions, and users' wishes between them, on a thread of its own. */
@InterfaceAudience.Private
public final class ConvertThread implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ConvertThread.class);
  /** The longest time between two steps, ms: as long as between two cycles of the manager. */
  private static final long STEP_MS = 250;
  /**
   * The time until the next step while a job passes files that need no version, ms: 256 looks in
   * this time are some thousands a second, which a NameNode does not notice.
   */
  private static final long SOON_MS = 50;
  private static final long STOP_TIMEOUT_MS = 5_000;
  /** How many wishes may wait. A step is short, and each wish is a line of the edit log. */
  private static final int WISHES_MAX = 64;
  /** A count of a directory is started once for each job, so that few wait. */
  private static final int COUNTS_MAX = ConvertSettings.JOBS_MAX;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final BlockingQueue<Runnable> wishes = new ArrayBlockingQueue<>(WISHES_MAX);
  private final Semaphore wakings = new Semaphore(0);
  private final ExecutorService counting;
  private final Conversions conversions;
  private Thread thread;
  private volatile boolean isStopped;

  private ConvertThread(ConvertSettings settings, ConvertGate gate, JobFolder folder,
      ConvertNamespace namespace, VersionEngine engine, CodeSource codes,
      Consumer<ConversionCounts> meter) {
    counting = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(COUNTS_MAX), new Daemon.DaemonFactory());
    conversions = new Conversions(settings, gate, folder, namespace, engine, codes, meter,
        counting, Time::monotonicNow, Clock.systemUTC(), this::wake);
  }

  /**
   * Starts the thread.
   *
   * @param settings the settings
   * @param gate says whether this NameNode is the active one
   * @param folder keeps the jobs
   * @param namespace the files
   * @param engine makes versions of files; not closed by this class
   * @param codes finds the codes of policies
   * @param meter takes the counts of each file of jobs that are no dry runs
   * @return the running thread
   */
  public static ConvertThread start(ConvertSettings settings, ConvertGate gate, JobFolder folder,
      ConvertNamespace namespace, VersionEngine engine, CodeSource codes,
      Consumer<ConversionCounts> meter) {
    ConvertThread runner =
        new ConvertThread(settings, gate, folder, namespace, engine, codes, meter);
    runner.thread = new Thread(runner::run, "ppr-converter");
    runner.thread.setDaemon(true);
    runner.thread.start();
    return runner;
  }

  /** @return all jobs; only their list may be read by other threads */
  public Conversions conversions() {
    return conversions;
  }

  private void wake() {
    if (wakings.availablePermits() == 0) {
      wakings.release();
    }
  }

  private void run() {
    while (!isStopped) {
      boolean isHurried = false;
      try {
        for (Runnable wish = wishes.poll(); wish != null; wish = wishes.poll()) {
          wish.run();
        }
        isHurried = conversions.step();
      } catch (RuntimeException | LinkageError | AssertionError e) {
        peerLog.error(e.getClass().getName(), "A step of the conversions failed", e);
      }
      try {
        wakings.tryAcquire(isHurried ? SOON_MS : STEP_MS, TimeUnit.MILLISECONDS);
        wakings.drainPermits();
      } catch (InterruptedException e) {
        LOG.info("The conversions were interrupted and end");
        isStopped = true;
      }
    }
  }

  /**
   * Lets the thread do something, and waits for that for a bounded time.
   *
   * @param what a short work
   * @param timeoutMs how long to wait, ms
   * @return what it has returned
   * @throws RetriableException if the thread has not got to it; it will not be done
   * @throws IOException if the work has failed
   */
  <T> T call(Callable<T> what, long timeoutMs) throws IOException {
    CompletableFuture<T> answer = new CompletableFuture<>();
    boolean isTaken = !isStopped && wishes.offer(() -> {
      if (!answer.isDone()) {
        try {
          answer.complete(what.call());
        } catch (Exception e) {
          answer.completeExceptionally(e);
        }
      }
    });
    if (!isTaken) {
      throw new RetriableException("Too many calls wait for the conversions; try again");
    }
    wake();
    try {
      return answer.get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(false);
      throw new RetriableException("The conversions have not answered within " + timeoutMs
          + " ms; the NameNode's log says why they do not get on");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The NameNode stops");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException) {
        throw (IOException) e.getCause();
      }
      LOG.error("A call of a user to the conversions has failed", e.getCause());
      throw new IOException("It has failed; the NameNode's log says why", e.getCause());
    }
  }

  /**
   * Ends the thread after its present step. The thread is not interrupted: it may just write to the
   * NameNode's edit log, and an interrupt would close the files of that log.
   */
  @Override
  public void close() {
    isStopped = true;
    wake();
    counting.shutdown();
    try {
      thread.join(STOP_TIMEOUT_MS);
      if (thread.isAlive()) {
        LOG.warn("The conversions have not ended within {} ms", STOP_TIMEOUT_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
