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
package org.hdfsppr.client.nbd.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that run the tasks of all connections in turn. Each connection has a lane, which is a
 * queue of its tasks: they begin in their order, and a lane with many tasks gets no more turns than
 * one with few. A lane may run a further task only if more threads are free than it has tasks
 * running. So lanes with long tasks never occupy all threads. A lane has no bound; the connection
 * bounds its requests. Threads start when there is work, up to a limit. Thread-safe.
 */
final class FairWorkers {
  private static final Logger LOG = LoggerFactory.getLogger(FairWorkers.class);
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  private final int threadsMost;
  private final int runningMost;
  private final ThreadFactory factory;
  /**
   * Lanes with a task that may begin, in the order in which they get turns. Guarded by this, like
   * all fields that change.
   */
  private final Deque<Lane> ready = new ArrayDeque<>();
  /** Lanes with tasks that may begin only when other tasks have ended. */
  private final Set<Lane> held = new LinkedHashSet<>();
  private int running;
  private int threads;
  private int idle;
  /**
   * Whether the last start of a thread has failed. Then the start is tried again when the next task
   * comes.
   */
  private boolean lacksThread;
  private boolean isStopped;

  /**
   * @param threadsMost how many tasks run at the same time at most
   * @param runningMost how many tasks of one lane run at the same time at most
   */
  FairWorkers(int threadsMost, int runningMost) {
    this(threadsMost, runningMost, FairWorkers::daemon);
  }

  /** @param factory makes the threads; if the start of one fails, the others go on */
  FairWorkers(int threadsMost, int runningMost, ThreadFactory factory) {
    this.threadsMost = threadsMost;
    this.runningMost = runningMost;
    this.factory = factory;
  }

  private static Thread daemon(Runnable work) {
    Daemon thread = new Daemon(work);
    thread.setName("nbd-worker");
    return thread;
  }

  Lane lane() {
    return new Lane();
  }

  /** Makes the threads end when no task is left. Tasks that wait are still run. */
  synchronized void stop() {
    isStopped = true;
    notifyAll();
  }

  /** The tasks of one connection. */
  final class Lane {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private int running;
    private boolean isReady;

    private Lane() {
    }

    /**
     * Adds a task to this lane.
     *
     * @return false if the task will not run, because the server has no thread and cannot start one
     */
    boolean execute(Runnable task) {
      synchronized (FairWorkers.this) {
        tasks.add(task);
        line(this);
        if (lacksThread && threads > 0) {
          startThread();
        }
        if (threads > 0) {
          return true;
        }
        tasks.removeLast();
        if (tasks.isEmpty()) {
          held.remove(this);
          isReady = false;
          ready.remove(this);
        }
        return false;
      }
    }
  }

  /**
   * Puts a lane into {@link #ready} if one of its tasks may begin, and wakes or starts a thread for
   * it; otherwise into {@link #held}.
   */
  private void line(Lane lane) {
    if (lane.isReady || lane.tasks.isEmpty()) {
      return;
    }
    if (!mayBegin(lane)) {
      held.add(lane);
      return;
    }
    held.remove(lane);
    lane.isReady = true;
    ready.add(lane);
    if (idle >= ready.size()) {
      notify();
    } else {
      startThread();
    }
  }

  /**
   * Returns whether a task of the lane may begin: if the lane runs none, or if more threads are
   * free than it has tasks running.
   */
  private boolean mayBegin(Lane lane) {
    int free = threadsMost - running - ready.size();
    return lane.running == 0 || lane.running < Math.min(runningMost, free);
  }

  /**
   * Starts a thread, unless the limit is reached. If the start fails, the threads that run already
   * go on with all tasks.
   */
  private void startThread() {
    if (threads == threadsMost) {
      return;
    }
    threads++;
    boolean isStarted = false;
    try {
      factory.newThread(this::work).start();
      isStarted = true;
    } catch (RuntimeException | OutOfMemoryError e) {
      PEER_LOG.error("thread", "The block device goes on with " + (threads - 1)
          + " threads for requests, because no further one could start", e);
    } finally {
      lacksThread = !isStarted;
      if (!isStarted) {
        threads--;
      }
    }
  }

  private void work() {
    for (Turn turn = next(); turn != null; turn = next()) {
      run(turn);
    }
  }

  private static final class Turn {
    private final Lane lane;
    private final Runnable task;

    Turn(Lane lane, Runnable task) {
      this.lane = lane;
      this.task = task;
    }
  }

  /**
   * Waits for a lane with a task, and removes the task from the lane under the same lock. If the
   * task stayed in its lane until it runs, the end of another task could put the lane into
   * {@link #ready} again, and the next thread would find the lane empty.
   *
   * @return the lane and the task; null if this thread has to end
   */
  private synchronized Turn next() {
    while (ready.isEmpty()) {
      if (isStopped) {
        threads--;
        return null;
      }
      idle++;
      try {
        wait();
      } catch (InterruptedException e) {
        // Only a call of stop ends these threads; an interrupt does not.
        LOG.debug("{} was interrupted", Thread.currentThread().getName(), e);
      } finally {
        idle--;
      }
    }
    Lane lane = ready.remove();
    lane.isReady = false;
    lane.running++;
    running++;
    Turn turn = new Turn(lane, lane.tasks.remove());
    line(lane);
    return turn;
  }

  private void run(Turn turn) {
    try {
      turn.task.run();
    } catch (Throwable e) {
      // A task catches its own failures, and answers its client. If even that has failed, this
      // thread still has to serve the other clients.
      LOG.error("A request of a client of the block device ended with an error", e);
    }
    synchronized (this) {
      turn.lane.running--;
      running--;
      line(turn.lane);
      // One more thread is free now, so a task of a lane that had to wait may begin.
      new ArrayList<>(held).forEach(this::line);
    }
  }
}
