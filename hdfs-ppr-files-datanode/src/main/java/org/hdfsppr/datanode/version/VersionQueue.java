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

import java.io.Closeable;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Daemon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs of one kind, a few at a time. A bounded number of further ones may wait in the
 * queue. The queue ends jobs that are not done by their deadline. Thread-safe.
 */
final class VersionQueue implements Closeable {
  /**
   * How many jobs wait at most. The NameNode has no more commands ready for a node than this, and
   * each of them waits only some seconds.
   */
  static final int WAITING_MOST = 128;
  private static final Logger LOG = LoggerFactory.getLogger(VersionQueue.class);
  /** How long an idle thread is kept, seconds. */
  private static final int IDLE_SECONDS = 60;

  private final String threadName;
  private final ThreadPoolExecutor pool;
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, new Daemon.DaemonFactory());
  private final Map<String, Turn> turns = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * @param threadName the name of the threads, for thread dumps
   * @param threads how many jobs run at a time at most
   */
  VersionQueue(String threadName, int threads) {
    this.threadName = threadName;
    pool = new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(WAITING_MOST), new Daemon.DaemonFactory());
    pool.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
  }

  /** A job that waits in the queue, or runs on a thread. */
  private final class Turn implements Runnable {
    private final String key;
    private final VersionJob job;
    private volatile Future<?> deadline;

    Turn(String key, VersionJob job) {
      this.key = key;
      this.job = job;
    }

    @Override
    public void run() {
      Thread.currentThread().setName(threadName + " " + job.id());
      try {
        job.run();
      } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
        LOG.warn("Version command {} has failed", job.id(), e);
        job.report(job.nothing(e.toString()));
      } finally {
        leave();
        Thread.currentThread().setName(threadName + " idle");
      }
    }

    void leave() {
      turns.remove(key, this);
      Future<?> timed = deadline;
      if (timed != null) {
        timed.cancel(false);
      }
    }

    void end(String reason) {
      job.end(reason);
      if (pool.remove(this)) {
        leave();
        job.report(job.nothing(reason + ", while it waited"));
      }
    }
  }

  /**
   * Queues a job.
   *
   * @param key a name that no other job has
   * @return whether the job will report a result; false if too many jobs wait, or if this queue is
   *     closed
   */
  boolean begin(String key, VersionJob job) {
    Turn turn = new Turn(key, job);
    turns.put(key, turn);
    try {
      turn.deadline = timer.schedule(() -> turn.end("not done within " + job.deadlineMs + " ms"),
          job.deadlineMs, TimeUnit.MILLISECONDS);
      pool.execute(turn);
      return true;
    } catch (RejectedExecutionException e) {
      turn.leave();
      return false;
    }
  }

  /** Makes the job with this key end soon. Does nothing if it has ended already. */
  void cancel(String key, String reason) {
    Turn turn = turns.get(key);
    if (turn != null) {
      turn.end("cancelled: " + reason);
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** Makes all jobs end soon, and takes no more. */
  @Override
  public void close() {
    closed = true;
    pool.shutdown();
    turns.values().forEach(turn -> turn.end(VersionJob.STOPS));
  }

  /** Waits until the running jobs have ended; returns false if they have not ended in time. */
  boolean awaitEnd(long timeoutMs) throws InterruptedException {
    boolean ended = pool.awaitTermination(timeoutMs, TimeUnit.MILLISECONDS);
    timer.shutdownNow();
    return ended;
  }
}
