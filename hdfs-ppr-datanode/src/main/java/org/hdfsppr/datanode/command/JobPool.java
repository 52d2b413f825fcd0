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
package org.hdfsppr.datanode.command;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Daemon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs of one kind on a few threads, in the order in which they come. A bounded number of
 * jobs waits for a thread. A job may be ended before it is done. If it still waits then, it leaves
 * the pool at once and never runs. Thread-safe.
 *
 * @param <K> names a job; the pool has one job of each name
 * @param <J> the jobs
 */
@InterfaceAudience.Private
public final class JobPool<K, J extends JobPool.Job> implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(JobPool.class);
  /** The reason for which jobs end, or are refused, when the pool is closed. */
  public static final String STOPS = "the DataNode stops";
  /** An idle thread ends after this time, seconds. */
  private static final int IDLE_SECONDS = 60;

  /** A job, from its command to its result. */
  public interface Job extends Runnable {
    /** @return what the job works on; follows the pool's name in thread dumps */
    String subject();

    /** Does the work. If the job has been ended before, it only says so in its result. */
    @Override
    void run();

    /**
     * Makes {@link #run} end soon. If this is called several times, the first reason counts.
     *
     * @param reason the reason, for the result and the log
     */
    void end(String reason);

    /**
     * Reports that the job never runs, because it was ended while it waited.
     *
     * @param reason the reason for which it was ended
     */
    void drop(String reason);

    /** Is called after {@link #run}, when the job has left the pool to make room for another. */
    default void left() {
      // Most jobs report their results while they run.
    }
  }

  /** What has become of a job that was to begin. */
  public enum Begin {
    /** The job runs or waits. */
    BEGUN,
    /** A job of the same name is under way. */
    UNDER_WAY,
    /** Too many jobs are under way. */
    FULL,
    CLOSED
  }

  /** Ends jobs at their deadlines. Jobs may use it for short tasks while they are in the pool. */
  public final ScheduledExecutorService timer;
  private final String name;
  private final int jobsMax;
  private final ThreadPoolExecutor threads;
  private final boolean isInterrupted;
  private final Map<K, Turn> turns = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * @param name the kind of the jobs, which begins the names of threads
   * @param threads how many jobs run at a time at most
   * @param waiting how many further jobs wait at most
   * @param isInterrupted whether {@link #close} interrupts the jobs that run. A job that may write
   *     to files through interruptible channels must not be interrupted
   */
  public JobPool(String name, int threads, int waiting, boolean isInterrupted) {
    this.name = name;
    this.isInterrupted = isInterrupted;
    this.jobsMax = threads + waiting;
    // The queue has room for all jobs: a job that has left the pool may still occupy its thread for
    // a moment.
    this.threads = new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(jobsMax), new Daemon.DaemonFactory());
    this.threads.allowCoreThreadTimeOut(true);
    ScheduledThreadPoolExecutor deadlines =
        new ScheduledThreadPoolExecutor(1, new Daemon.DaemonFactory());
    deadlines.setRemoveOnCancelPolicy(true);
    this.timer = deadlines;
  }

  /** A job that waits in the queue, or runs on a thread. */
  private final class Turn implements Runnable {
    private final K key;
    private final J job;
    /** Ends the job at its deadline; null if the job has none. */
    private volatile Future<?> deadline;

    Turn(K key, J job) {
      this.key = key;
      this.job = job;
    }

    @Override
    public void run() {
      Thread.currentThread().setName(name + " " + job.subject());
      try {
        job.run();
      } finally {
        leave();
        Thread.currentThread().setName(name + " idle");
        job.left();
      }
    }

    /** Makes room for a further job, and cancels this job's deadline. */
    void leave() {
      turns.remove(key, this);
      Future<?> timed = deadline;
      if (timed != null) {
        timed.cancel(false);
      }
    }

    /** Ends a job that waits at once, because the jobs before it may take long. */
    void end(String reason) {
      job.end(reason);
      boolean waits;
      // The deadline may pass before the job is in the queue.
      synchronized (JobPool.this) {
        waits = threads.remove(this);
      }
      if (waits) {
        drop(reason);
      }
    }

    void drop(String reason) {
      leave();
      job.drop(reason);
    }
  }

  /**
   * Lets a job without a deadline run or wait.
   *
   * @param key the name of the job
   * @param job the job
   * @return whether the job has begun; if not, its methods are never called
   */
  public Begin begin(K key, J job) {
    return add(new Turn(key, job), null);
  }

  /**
   * Lets a job run or wait, and ends it at its deadline.
   *
   * @param key the name of the job
   * @param job the job
   * @param deadlineMs how long the job may take, ms
   * @return whether the job has begun; if not, its methods are never called
   */
  public Begin begin(K key, J job, long deadlineMs) {
    return add(new Turn(key, job), deadlineMs);
  }

  /** @param deadlineMs how long the job may take, ms; null for as long as it needs */
  private synchronized Begin add(Turn turn, Long deadlineMs) {
    if (closed) {
      return Begin.CLOSED;
    } else if (turns.containsKey(turn.key)) {
      return Begin.UNDER_WAY;
    } else if (turns.size() >= jobsMax) {
      return Begin.FULL;
    }
    turns.put(turn.key, turn);
    boolean isBegun = false;
    try {
      if (deadlineMs != null) {
        turn.deadline = timer.schedule(() -> turn.end(late(deadlineMs)), deadlineMs,
            TimeUnit.MILLISECONDS);
      }
      threads.execute(turn);
      isBegun = true;
    } finally {
      if (!isBegun) {
        // There is no memory for a thread. The job may be in the queue nevertheless.
        threads.remove(turn);
        turn.leave();
      }
    }
    return Begin.BEGUN;
  }

  /**
   * @param deadlineMs how long a job may take, ms
   * @return the reason for which it ends at its deadline
   */
  public static String late(long deadlineMs) {
    return "not done within " + deadlineMs + " ms";
  }

  /**
   * Makes a job end soon. Does nothing if it has ended already, also if another job has its name
   * now.
   *
   * @param key the name of the job
   * @param job the job
   * @param reason the reason, for the result and the log
   */
  public void end(K key, J job, String reason) {
    Turn turn = turns.get(key);
    if (turn != null && turn.job == job) {
      turn.end(reason);
    }
  }

  /**
   * Makes the job of a name end soon. Does nothing if there is none.
   *
   * @param key the name of the job
   * @param reason the reason, for the result and the log
   */
  public void end(K key, String reason) {
    Turn turn = turns.get(key);
    if (turn != null) {
      turn.end(reason);
    }
  }

  /**
   * @param key the name of a job
   * @return the job, which runs or waits; null if there is none
   */
  public J get(K key) {
    Turn turn = turns.get(key);
    return turn == null ? null : turn.job;
  }

  /** @return the jobs that run or wait */
  public List<J> jobs() {
    List<J> jobs = new ArrayList<>();
    turns.values().forEach(turn -> jobs.add(turn.job));
    return jobs;
  }

  /** @return how many jobs run or wait */
  public int size() {
    return turns.size();
  }

  /** @return whether the pool takes no more jobs */
  public boolean isClosed() {
    return closed;
  }

  /** Makes all jobs end soon, and takes no more. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    // The jobs that wait go first. Otherwise a thread would take one as soon as the job before it
    // ends.
    List<Turn> waiting = turns.values().stream().filter(threads::remove)
        .collect(Collectors.toList());
    waiting.forEach(turn -> endAnyway(turn, true));
    turns.values().forEach(turn -> endAnyway(turn, false));
    // A job has to find that it was ended before it finds the interrupt. The interrupt alone would
    // look like a fault of the job.
    if (isInterrupted) {
      threads.shutdownNow();
    } else {
      threads.shutdown();
    }
    if (!waiting.isEmpty()) {
      LOG.info("{} jobs of {} that waited are given up", waiting.size(), name);
    }
  }

  /** Ends a job at the close of the pool. A failure leaves the other jobs to be ended. */
  private void endAnyway(Turn turn, boolean waited) {
    try {
      turn.job.end(STOPS);
      if (waited) {
        turn.drop(STOPS);
      }
    } catch (RuntimeException e) {
      LOG.error("The job of {} for {} was not ended in order", name, turn.job.subject(), e);
    }
  }

  /**
   * Waits until all jobs have ended. The pool has been closed before.
   *
   * @param timeoutMs how long to wait at most, ms
   * @return whether the jobs have ended
   * @throws InterruptedException if the current thread is interrupted
   */
  public boolean awaitEnd(long timeoutMs) throws InterruptedException {
    boolean haveEnded = threads.awaitTermination(timeoutMs, TimeUnit.MILLISECONDS);
    timer.shutdownNow();
    return haveEnded;
  }
}
